/* The instrumentation macros of Ludus trace: what an instrumented source file includes.
 *
 *     void Step(void)
 *     {
 *         LUDUS_PROFILE_SCOPE(Physics/Step, LUDUS_PROFILE_CAT(Physics));
 *         ...                                        // closes itself on every way out
 *     }
 *
 * The words between the parentheses are a name, not an expression: they are made a string as they
 * stand, without expanding macros in them and without evaluating anything. A trailing
 * `, LUDUS_PROFILE_CAT(Name)` puts the site into a category.
 *
 * Compile with LUDUS_PROFILE_ENABLED=0 and every macro leaves no instruction and no data behind.
 * The header includes <stdint.h> only and compiles alone as C99, C11, C++11 and newer. Recording is
 * started and stopped with <ludus/recorder.h>; until it is, and while its category is off, a scope
 * costs a look at its gate and one branch.
 *
 * All macros and functions may be used from any thread, also after recording has stopped, but not
 * in signal handlers. A scope must end on the thread on which it began; a breach of that is
 * recorded as a diagnostic. */
#ifndef LUDUS_PROFILE_H
#define LUDUS_PROFILE_H

#include <stdint.h>

#ifndef LUDUS_PROFILE_ENABLED
#define LUDUS_PROFILE_ENABLED 1
#endif

/* Null, and casts to types that are no pointers, which no compiler warns of where they are
 * expanded: programs may ask for warnings of old-style, useless and null casts. */
#ifdef __cplusplus
#define LUDUS_NULL             nullptr
#define LUDUS_TO_INT64(value)  ludus_cast<int64_t>(value)
#define LUDUS_TO_DOUBLE(value) ludus_cast<double>(value)
template <typename To, typename From> inline To ludus_cast(From value)
{
    return static_cast<To>(value);
}
extern "C" {
#else
#define LUDUS_NULL             ((void *)0)
#define LUDUS_TO_INT64(value)  ((int64_t)(value))
#define LUDUS_TO_DOUBLE(value) ((double)(value))
#endif

/* One place in source. The recorder fills `id` and `gate` when the place is first reached while
 * recording and copies the strings then; afterwards it reads these two only. Made by the macros,
 * with static storage. */
struct ludus_site {
    const char *label; /* the macro's arguments as written: name and category; "" is the function */
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t form; /* of the label: enum ludus_site_form */
    uint32_t id;   /* 0 until registered */
    uint32_t gate; /* 0 until registered, then that of its category */
};

/* What stands in a site's label. */
enum ludus_site_form {
    LUDUS_SITE_PLAIN = 0,  /* Name, or Name, LUDUS_PROFILE_CAT(Category) */
    LUDUS_SITE_VALUED = 1, /* the same with a value behind the name: Name, value */
    LUDUS_SITE_DYNAMIC = 2 /* the name alone, as it stands; the category stands in `function` */
};

/* A named series of frame marks. Made by the macros, with static storage. */
struct ludus_domain {
    const char *label; /* "" is the domain "Frame" */
    uint32_t id;       /* 0 until registered */
};

/* A number that is added up. Made by the macros, with static storage. */
struct ludus_counter {
    struct ludus_site site;
    uint32_t cell; /* 0 until registered */
};

/* A context that runs on one thread after another, with a track of its own. */
struct ludus_fiber;

/* A running scope. `token` is 0 when its beginning was not recorded. */
struct ludus_scope {
    uint64_t token;
};

/* What follows is visible outside a shared library, however that is compiled. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif

/* Not 0 where events are recorded: [0] while a recording admits events at all, [1] for sites
 * without a category, the others for a category each. Written by the recorder only. */
extern uint8_t ludus_gates[];

/* The recorder's side of the macros below; they are called by them and by nothing else. */
uint64_t ludus_scope_open(struct ludus_site *site);
void ludus_scope_close(uint64_t token);
void ludus_instant_emit(struct ludus_site *site);
void ludus_frame_emit(struct ludus_domain *domain);
void ludus_counter_add(struct ludus_counter *counter, int64_t amount);
void ludus_gauge_emit(struct ludus_site *site, double value);
uint64_t ludus_flow_out_emit(struct ludus_site *site);
void ludus_flow_in_emit(uint64_t flow);

/* The site of a name that is made while the program runs: of a script's function, of a level. The
 * same two texts give the same site, which stays for the life of the process and may be kept; both
 * are copied, up to 255 bytes. `category` may be NULL. There is room for a bounded number
 * (`max_dynamic_names` of the configuration); beyond it the site "ludus/overflow" is returned,
 * which is told in captures. Any thread, also before a recording. */
struct ludus_site *ludus_site_intern(const char *name, const char *category);

/* Names the calling thread in captures. Keeps the first 63 bytes of `name` (UTF-8), which is
 * copied. May be called at any time; the last name counts. Without it, and after NULL or "", the
 * system's thread name is used. */
void ludus_thread_set_name(const char *name);

/* Fibers (coroutines, jobs with stacks of their own). The scheduler of the program says which fiber
 * a thread runs; what happens until the next switch belongs to the fiber's track, also scopes that
 * stay open while it is suspended. Any thread; also while nothing is recorded.
 * ludus_fiber_create copies up to 63 bytes of `name`; NULL when there is no memory, and NULL may be
 * given to the others. ludus_fiber_switch: the calling thread runs `fiber` from now on, or none for
 * NULL; call it right before or after the real switch. As with a fiber's stack, a thread may switch
 * to it only after the one before has left it: a breach is refused and recorded as a diagnostic.
 * A fiber takes one of `max_threads`, from its first switch in a recording until it is destroyed.
 */
struct ludus_fiber *ludus_fiber_create(const char *name);
void ludus_fiber_switch(struct ludus_fiber *fiber);
void ludus_fiber_destroy(struct ludus_fiber *fiber);

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

/* Whether events behind a gate are recorded at present. */
static inline int ludus_gate_is_open(uint32_t gate)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_expect(__atomic_load_n(&ludus_gates[gate], __ATOMIC_RELAXED), 0) != 0;
#else
    return *(volatile uint8_t *)&ludus_gates[gate] != 0;
#endif
}

static inline int ludus_site_is_admitted(const struct ludus_site *site)
{
#if defined(__GNUC__) || defined(__clang__)
    return ludus_gate_is_open(__atomic_load_n(&site->gate, __ATOMIC_RELAXED));
#else
    return ludus_gate_is_open(*(const volatile uint32_t *)&site->gate);
#endif
}

/* Begins a run of `site` on the calling thread. Never fails: what cannot be recorded, and a site
 * that is NULL, has token 0. */
static inline struct ludus_scope ludus_scope_begin(struct ludus_site *site)
{
    struct ludus_scope scope;
    scope.token = site != LUDUS_NULL && ludus_site_is_admitted(site) ? ludus_scope_open(site) : 0;
    return scope;
}

/* Ends a scope. A second end of the same scope, and one of token 0, do nothing. */
static inline void ludus_scope_end(struct ludus_scope *scope)
{
    if (scope->token != 0) {
        ludus_scope_close(scope->token);
        scope->token = 0;
    }
}

static inline void ludus_instant(struct ludus_site *site)
{
    if (ludus_site_is_admitted(site))
        ludus_instant_emit(site);
}

static inline void ludus_frame(struct ludus_domain *domain)
{
    if (ludus_gate_is_open(0))
        ludus_frame_emit(domain);
}

static inline void ludus_gauge(struct ludus_site *site, double value)
{
    if (ludus_site_is_admitted(site))
        ludus_gauge_emit(site, value);
}

/* Something leaves here for another place: returns its id, which is unique in the process, or 0
 * when that is not recorded. */
static inline uint64_t ludus_flow_out(struct ludus_site *site)
{
    return ludus_site_is_admitted(site) ? ludus_flow_out_emit(site) : 0;
}

/* It arrives here. 0 is ignored. */
static inline void ludus_flow_in(uint64_t flow)
{
    if (flow != 0 && ludus_gate_is_open(0u))
        ludus_flow_in_emit(flow);
}

#ifdef __cplusplus
} /* extern "C" */

/* Closes its scope when it goes out of scope, also by an exception. */
struct ludus_scope_guard {
    explicit ludus_scope_guard(struct ludus_site *site) : scope(ludus_scope_begin(site))
    {
    }
    ~ludus_scope_guard()
    {
        ludus_scope_end(&scope);
    }
    ludus_scope_guard(const ludus_scope_guard &) = delete;
    ludus_scope_guard &operator=(const ludus_scope_guard &) = delete;
    struct ludus_scope scope;
};
#endif

/* Each macro has one definition; whether it leaves anything behind is decided here alone, so that
 * the enabled and the disabled form cannot drift apart. */
#if LUDUS_PROFILE_ENABLED
#define LUDUS_IF_ENABLED(...) __VA_ARGS__
#define LUDUS_IF_DISABLED(...)
#else
#define LUDUS_IF_ENABLED(...)
#define LUDUS_IF_DISABLED(...) __VA_ARGS__
#endif

/* One statement in either form, so that it may be the whole body of an `if`. (Disabled, it is not
 * an empty loop: compilers that do not optimise leave a jump of it.) */
#define LUDUS_STATEMENT(...)                                                                       \
    LUDUS_IF_ENABLED(do { __VA_ARGS__ } while (0)) LUDUS_IF_DISABLED(((void)0))

/* The same for what takes a number. Disabled, the number is not evaluated, and what it is made of
 * still counts as used. */
#define LUDUS_NUMBER_STATEMENT(number, ...)                                                        \
    LUDUS_IF_ENABLED(do { __VA_ARGS__; } while (0))                                                \
    LUDUS_IF_DISABLED(((void)sizeof((number) + 0)))

/* The same for what declares something: disabled, a declaration that declares nothing of use. */
#define LUDUS_DECLARATION(...)                                                                     \
    LUDUS_IF_ENABLED(__VA_ARGS__) LUDUS_IF_DISABLED(struct LUDUS_JOIN(ludus_disabled_, __LINE__))

#define LUDUS_SECOND(first, second, ...) second

#define LUDUS_JOIN_EXPANDED(a, b) a##b
#define LUDUS_JOIN(a, b)          LUDUS_JOIN_EXPANDED(a, b)

#define LUDUS_SITE_HERE(label, form)                                                               \
    {                                                                                              \
        label, __FILE__, __func__, __LINE__, form, 0u, 0u                                          \
    }
#define LUDUS_SITE_DEFINE(variable, label)                                                         \
    static struct ludus_site variable = LUDUS_SITE_HERE(label, 0u)

#ifdef __cplusplus
#define LUDUS_SCOPE_OPEN(variable, site) ludus_scope_guard variable(site)
#else
#define LUDUS_SCOPE_OPEN(variable, site)                                                           \
    __attribute__((cleanup(ludus_scope_end), unused)) struct ludus_scope variable =                \
        ludus_scope_begin(site)
#endif

#define LUDUS_SCOPE_HERE(label)                                                                    \
    LUDUS_DECLARATION(                                                                             \
        LUDUS_SITE_DEFINE(LUDUS_JOIN(ludus_site_, __LINE__), label);                               \
        LUDUS_SCOPE_OPEN(LUDUS_JOIN(ludus_scope_, __LINE__), &LUDUS_JOIN(ludus_site_, __LINE__)))

/* LUDUS_PROFILE_SCOPE(Name) or LUDUS_PROFILE_SCOPE(Name, LUDUS_PROFILE_CAT(Category)):
 * from here to the end of the block is one slice. One a source line. */
#define LUDUS_PROFILE_SCOPE(...) LUDUS_SCOPE_HERE(#__VA_ARGS__)

/* LUDUS_PROFILE_FUNCTION() or LUDUS_PROFILE_FUNCTION(LUDUS_PROFILE_CAT(Category)):
 * the same, named after the function that it stands in. */
#define LUDUS_PROFILE_FUNCTION(...) LUDUS_SCOPE_HERE(#__VA_ARGS__)

#define LUDUS_SITE_INTERN(name, category, ...) ludus_site_intern(name, category)

/* LUDUS_PROFILE_SCOPE_NAMED(name) or LUDUS_PROFILE_SCOPE_NAMED(name, category): a scope whose name,
 * and category, are expressions of type const char *. They are evaluated while recording only, and
 * are looked up each time: where it matters, keep what ludus_site_intern returns. */
#define LUDUS_PROFILE_SCOPE_NAMED(...)                                                             \
    LUDUS_DECLARATION(LUDUS_SCOPE_OPEN(                                                            \
        LUDUS_JOIN(ludus_scope_, __LINE__),                                                        \
        ludus_gate_is_open(0u) ? LUDUS_SITE_INTERN(__VA_ARGS__, LUDUS_NULL, 0) : LUDUS_NULL))

/* LUDUS_PROFILE_BEGIN(handle, Name) ... LUDUS_PROFILE_END(handle): a slice whose two ends stand in
 * one function but not in one block, and the form for compilers without the cleanup attribute.
 * `handle` is an identifier that BEGIN declares. Every way out of the function must pass END. */
#define LUDUS_PROFILE_BEGIN(handle, ...)                                                           \
    LUDUS_DECLARATION(LUDUS_SITE_DEFINE(LUDUS_JOIN(ludus_site_, handle), #__VA_ARGS__);            \
                      struct ludus_scope handle =                                                  \
                          ludus_scope_begin(&LUDUS_JOIN(ludus_site_, handle)))
#define LUDUS_PROFILE_END(handle) LUDUS_STATEMENT(ludus_scope_end(&handle);)

/* LUDUS_PROFILE_FRAME() or LUDUS_PROFILE_FRAME(Domain): a boundary between two frames of the domain
 * ("Frame" when none is named). Frame N lies between marks N and N+1. One a source line. */
#define LUDUS_PROFILE_FRAME(...)                                                                   \
    LUDUS_STATEMENT(static struct ludus_domain ludus_domain_here = {#__VA_ARGS__, 0u};             \
                    ludus_frame(&ludus_domain_here);)

/* LUDUS_PROFILE_MARK(Name): an instant on the calling thread's track. */
#define LUDUS_PROFILE_MARK(...)                                                                    \
    LUDUS_STATEMENT(LUDUS_SITE_DEFINE(ludus_site_here, #__VA_ARGS__);                              \
                    ludus_instant(&ludus_site_here);)

/* LUDUS_PROFILE_COUNT(Name, n) or LUDUS_PROFILE_COUNT(Name, n, LUDUS_PROFILE_CAT(Category)): adds
 * the integer n to a counter. What is counted between two frame marks is told apart exactly; sums
 * are modulo 2^64. n is evaluated while recording only. */
#define LUDUS_PROFILE_COUNT(...)                                                                   \
    LUDUS_NUMBER_STATEMENT(                                                                        \
        LUDUS_SECOND(__VA_ARGS__, 0, 0),                                                           \
        static struct ludus_counter ludus_counter_here = LUDUS_COUNTER_HERE(#__VA_ARGS__);         \
        if (ludus_site_is_admitted(&ludus_counter_here.site)) ludus_counter_add(                   \
            &ludus_counter_here, LUDUS_TO_INT64(LUDUS_SECOND(__VA_ARGS__, 0, 0))))
#define LUDUS_COUNTER_HERE(label)                                                                  \
    {                                                                                              \
        LUDUS_SITE_HERE(label, 1u), 0u                                                             \
    }

/* LUDUS_PROFILE_GAUGE(Name, value) or LUDUS_PROFILE_GAUGE(Name, value,
 * LUDUS_PROFILE_CAT(Category)): the value of a quantity from now on, as a double; also negative,
 * infinite or not a number. It is evaluated while recording only. */
#define LUDUS_PROFILE_GAUGE(...)                                                                   \
    LUDUS_NUMBER_STATEMENT(                                                                        \
        LUDUS_SECOND(__VA_ARGS__, 0, 0),                                                           \
        static struct ludus_site ludus_site_here = LUDUS_SITE_HERE(#__VA_ARGS__, 1u);              \
        if (ludus_site_is_admitted(&ludus_site_here))                                              \
            ludus_gauge_emit(&ludus_site_here, LUDUS_TO_DOUBLE(LUDUS_SECOND(__VA_ARGS__, 0, 0))))

/* LUDUS_PROFILE_FLOW_OUT(Name), with a category or without: an expression of type uint64_t, the id
 * of what leaves here for another place or thread; 0 when that is not recorded. Hand it over, and
 * LUDUS_PROFILE_FLOW_IN(id) links each place where it arrives. */
#define LUDUS_PROFILE_FLOW_OUT(...)                                                                \
    LUDUS_IF_ENABLED(__extension__({                                                               \
        LUDUS_SITE_DEFINE(ludus_site_here, #__VA_ARGS__);                                          \
        ludus_flow_out(&ludus_site_here);                                                          \
    }))                                                                                            \
    LUDUS_IF_DISABLED(UINT64_C(0))
#define LUDUS_PROFILE_FLOW_IN(id) LUDUS_NUMBER_STATEMENT(id, ludus_flow_in(id))

/* LUDUS_PROFILE_FIBER_CREATE(name) is an expression, NULL when disabled; with it,
 * LUDUS_PROFILE_FIBER_SWITCH(fiber) and LUDUS_PROFILE_FIBER_DESTROY(fiber): see ludus_fiber_create.
 */
#define LUDUS_PROFILE_FIBER_CREATE(name)                                                           \
    LUDUS_IF_ENABLED(ludus_fiber_create(name)) LUDUS_IF_DISABLED(LUDUS_NULL)
#define LUDUS_PROFILE_FIBER_SWITCH(fiber)  LUDUS_STATEMENT(ludus_fiber_switch(fiber);)
#define LUDUS_PROFILE_FIBER_DESTROY(fiber) LUDUS_STATEMENT(ludus_fiber_destroy(fiber);)

/* LUDUS_PROFILE_THREAD(expression): names the calling thread; see ludus_thread_set_name. */
#define LUDUS_PROFILE_THREAD(name) LUDUS_STATEMENT(ludus_thread_set_name(name);)

#endif
