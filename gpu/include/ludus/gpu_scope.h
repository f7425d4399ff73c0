/* The macros that time what a GPU does, whatever the graphics API: what a source file includes that
 * records commands. A backend's header (<ludus/gpu_vulkan.h>) includes it.
 *
 *     {
 *         LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(gpu, commands, LUDUS_GPU_RENDER),
 *                                 Shadows, LUDUS_PROFILE_CAT(Render));
 *         vkCmdBeginRenderPass(commands, ...);
 *         ...
 *         vkCmdEndRenderPass(commands);
 *     }                                              // closes itself on every way out
 *
 * The name stands as in <ludus/profile.h>, and has 1 to 127 bytes. A scope stands around a pass,
 * not in it, and not in another scope of its command buffer. Its category is told in captures; it
 * does not switch the scope off. With LUDUS_PROFILE_ENABLED=0 nothing is left of a macro. */
#ifndef LUDUS_GPU_SCOPE_H
#define LUDUS_GPU_SCOPE_H

#include <stdint.h>

#include <ludus/gpu_samples.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ludus_gpu_commands;

/* What a backend does at the two ends of a scope. `begin` returns a token for the end. */
struct ludus_gpu_scope_calls {
    uint64_t (*begin)(const struct ludus_gpu_commands *commands, struct ludus_site *site);
    void (*end)(const struct ludus_gpu_commands *commands, uint64_t token);
};

/* Commands that are being recorded, as a backend makes it of its session and a command buffer: a
 * value, good for as long as these are. All zero: scopes do nothing. */
struct ludus_gpu_commands {
    const struct ludus_gpu_scope_calls *calls;
    void *session;
    uint64_t stream;         /* the command buffer */
    uint32_t operation;      /* enum ludus_gpu_operation; 0: mixed */
    uint32_t logical_passes; /* that share the scope's duration; 0: 1 */
};

/* A scope that is open. All zero: none is. */
struct ludus_gpu_open_scope {
    struct ludus_gpu_commands commands;
    uint64_t token;
};

/* Begins a scope. What cannot be timed is counted; it always has an end. */
static inline struct ludus_gpu_open_scope ludus_gpu_scope_begin(struct ludus_gpu_commands commands,
                                                                struct ludus_site *site)
{
    struct ludus_gpu_open_scope scope;
    scope.commands = commands;
    scope.token = commands.calls != LUDUS_NULL ? commands.calls->begin(&scope.commands, site) : 0;
    return scope;
}

/* Ends it, on the thread that records these commands then. A second end does nothing. */
static inline void ludus_gpu_scope_end(struct ludus_gpu_open_scope *scope)
{
    if (scope->commands.calls != LUDUS_NULL) {
        scope->commands.calls->end(&scope->commands, scope->token);
        scope->commands.calls = LUDUS_NULL;
    }
}

#ifdef __cplusplus
} /* extern "C" */

/* Closes its scope when it goes out of scope, also by an exception. */
struct ludus_gpu_scope_guard {
    ludus_gpu_scope_guard(const ludus_gpu_commands &commands, ludus_site *site)
        : scope(ludus_gpu_scope_begin(commands, site))
    {
    }
    ~ludus_gpu_scope_guard()
    {
        ludus_gpu_scope_end(&scope);
    }
    ludus_gpu_scope_guard(const ludus_gpu_scope_guard &) = delete;
    ludus_gpu_scope_guard &operator=(const ludus_gpu_scope_guard &) = delete;
    ludus_gpu_open_scope scope;
};
#define LUDUS_GPU_SCOPE_OPEN(variable, commands, site)                                             \
    ludus_gpu_scope_guard variable(commands, site)
#else
#define LUDUS_GPU_SCOPE_OPEN(variable, commands, site)                                             \
    __attribute__((cleanup(ludus_gpu_scope_end), unused)) struct ludus_gpu_open_scope variable =   \
        ludus_gpu_scope_begin(commands, site)
#endif

/* Disabled, the commands are not evaluated, and what they are made of still counts as used. */
#define LUDUS_GPU_SCOPE_HERE(commands, label)                                                      \
    LUDUS_IF_ENABLED(LUDUS_SITE_DEFINE(LUDUS_JOIN(ludus_gpu_site_, __LINE__), label);              \
                     LUDUS_GPU_SCOPE_OPEN(LUDUS_JOIN(ludus_gpu_scope_, __LINE__), commands,        \
                                          &LUDUS_JOIN(ludus_gpu_site_, __LINE__)))                 \
    LUDUS_IF_DISABLED(((void)sizeof(commands)))

/* LUDUS_PROFILE_GPU_SCOPE(commands, Name) or LUDUS_PROFILE_GPU_SCOPE(commands, Name,
 * LUDUS_PROFILE_CAT(Category)): what is recorded into `commands`, an expression of type struct
 * ludus_gpu_commands, from here to the end of the block is timed. One a source line. */
#define LUDUS_PROFILE_GPU_SCOPE(commands, ...) LUDUS_GPU_SCOPE_HERE(commands, #__VA_ARGS__)

/* LUDUS_PROFILE_GPU_BEGIN(handle, commands, Name) ... LUDUS_PROFILE_GPU_END(handle): the same for
 * ends that do not stand in one block, and for compilers without the cleanup attribute. `handle` is
 * an identifier that BEGIN declares. */
#define LUDUS_PROFILE_GPU_BEGIN(handle, commands, ...)                                             \
    LUDUS_IF_ENABLED(LUDUS_SITE_DEFINE(LUDUS_JOIN(ludus_gpu_site_, handle), #__VA_ARGS__);         \
                     struct ludus_gpu_open_scope handle =                                          \
                         ludus_gpu_scope_begin(commands, &LUDUS_JOIN(ludus_gpu_site_, handle)))    \
    LUDUS_IF_DISABLED(((void)sizeof(commands)))
#define LUDUS_PROFILE_GPU_END(handle) LUDUS_STATEMENT(ludus_gpu_scope_end(&handle);)

#endif
