/* A scope in a Vulkan command buffer: two timestamps, and a label where there are labels. */
#include "vulkan_session.h"

#include <string.h>

#include "gpu_name.h"

static VkCommandBuffer buffer_of(const struct ludus_gpu_commands *commands)
{
    return (VkCommandBuffer)(uintptr_t)commands->stream; /* a dispatchable handle is a pointer */
}

/* A scope whose name cannot be shown has a label nevertheless: each has an end. */
static void begin_label(const struct ludus_vulkan_session *session, VkCommandBuffer commands,
                        const struct ludus_site *site)
{
    char text[LUDUS_GPU_LONGEST_NAME + 1] = "unnamed";
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = text};
    uint32_t size = 0;
    const char *name = site != NULL ? ludus_gpu_site_name(site, &size) : "";
    if (ludus_gpu_name_is_good(name, size)) {
        memcpy(text, name, size);
        text[size] = 0;
    }
    session->functions.begin_label(commands, &label);
}

static uint64_t begin(const struct ludus_gpu_commands *commands, struct ludus_site *site)
{
    struct ludus_vulkan_session *session = commands->session;
    if (session->functions.begin_label != NULL)
        begin_label(session, buffer_of(commands), site);
    if (!atomic_load_explicit(&session->takes_scopes, memory_order_relaxed))
        return 0;
    (void)pthread_mutex_lock(&session->lock);
    const struct ludus_gpu_scope scope = ludus_gpu_session_begin_scope(
        session->gpu, site, commands->stream, commands->operation, commands->logical_passes);
    (void)pthread_mutex_unlock(&session->lock);
    if (scope.slot != LUDUS_GPU_NO_SLOT)
        session->functions.write_timestamp(buffer_of(commands), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                           session->pool, scope.slot);
    return scope.token;
}

static void end(const struct ludus_gpu_commands *commands, uint64_t token)
{
    struct ludus_vulkan_session *session = commands->session;
    if (token != 0) {
        (void)pthread_mutex_lock(&session->lock);
        const uint32_t slot = ludus_gpu_session_end_scope(session->gpu, token);
        (void)pthread_mutex_unlock(&session->lock);
        if (slot != LUDUS_GPU_NO_SLOT)
            session->functions.write_timestamp(
                buffer_of(commands), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, session->pool, slot);
    }
    if (session->functions.end_label != NULL)
        session->functions.end_label(buffer_of(commands));
}

static const struct ludus_gpu_scope_calls scope_calls = {begin, end};

struct ludus_gpu_commands ludus_vulkan_commands(struct ludus_vulkan_session *session,
                                                VkCommandBuffer commands,
                                                enum ludus_gpu_operation operation)
{
    return (struct ludus_gpu_commands){.calls = session != NULL ? &scope_calls : NULL,
                                       .session = session,
                                       .stream = (uint64_t)(uintptr_t)commands,
                                       .operation = operation,
                                       .logical_passes = 1};
}
