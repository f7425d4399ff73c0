/* A session with a Vulkan queue: its beginning and its ends. */
#include "vulkan_session.h"

#include <stdio.h>
#include <stdlib.h>

#include "vulkan_facts.h"

#define DEFAULT_FRAMES 3u

/* Why the queue cannot be timed. */
struct fault {
    char text[128]; /* empty: it can */
};

/* Makes the query pool, and says what there is to measure. */
static void find_facts(struct ludus_vulkan_session *session, const struct ludus_vulkan_setup *setup,
                       uint32_t batches, struct ludus_vulkan_facts *facts, struct fault *fault)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = batches * LUDUS_GPU_FRAME_SLOTS};
    VkResult result = VK_SUCCESS;
    facts->queue = (struct ludus_gpu_queue_facts){.backend = "vulkan",
                                                  .device = "",
                                                  .queue = setup->queue != NULL ? setup->queue : "",
                                                  .pass_reason = fault->text,
                                                  .calibration_reason = fault->text};
    const char *missing = ludus_vulkan_functions_find(&session->functions, setup);
    if (missing != NULL) {
        (void)snprintf(fault->text, sizeof fault->text, "the driver lacks %s", missing);
        return;
    }
    ludus_vulkan_facts_find(facts, &session->functions, setup);
    if (facts->queue.valid_bits == 0)
        return; /* of which the neutral session tells */
    if (!facts->can_reset && session->functions.reset_by_host == NULL)
        (void)snprintf(fault->text, sizeof fault->text,
                       "the queue cannot reset queries, and host query reset was not enabled");
    else
        result = session->functions.create_query_pool(session->device, &info, session->allocator,
                                                      &session->pool);
    if (result != VK_SUCCESS) {
        session->pool = VK_NULL_HANDLE;
        (void)snprintf(fault->text, sizeof fault->text, "vkCreateQueryPool failed with %d",
                       (int)result);
    }
    if (fault->text[0] != 0) /* then there is no time of frames either */
        facts->queue.valid_bits = 0;
}

static bool open_neutral(struct ludus_vulkan_session *session,
                         const struct ludus_vulkan_setup *setup)
{
    const uint32_t frames = setup->frames_in_flight != 0 ? setup->frames_in_flight : DEFAULT_FRAMES;
    struct ludus_vulkan_facts facts = {.is_calibrated = false};
    struct fault fault = {""};
    find_facts(session, setup, frames + 1, &facts, &fault);
    const struct ludus_gpu_setup neutral = {.facts = facts.queue,
                                            .policy = facts.is_calibrated ? LUDUS_GPU_CALIBRATED
                                                                          : LUDUS_GPU_UNCALIBRATED,
                                            .batches = frames + 1,
                                            .device = ludus_vulkan_device(session),
                                            .sink = ludus_gpu_recorder()};
    session->gpu = ludus_gpu_session_create(&neutral);
    if (session->gpu == NULL && session->pool != VK_NULL_HANDLE)
        session->functions.destroy_query_pool(session->device, session->pool, session->allocator);
    return session->gpu != NULL;
}

struct ludus_vulkan_session *ludus_vulkan_session_create(const struct ludus_vulkan_setup *setup)
{
    if (setup->get_instance_proc_addr == NULL || setup->frames_in_flight >= LUDUS_GPU_MAX_BATCHES)
        return NULL;
    struct ludus_vulkan_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->device = setup->device;
    session->allocator = setup->allocator;
    if (pthread_mutex_init(&session->lock, NULL) != 0) {
        free(session);
        return NULL;
    }
    if (!open_neutral(session, setup)) {
        (void)pthread_mutex_destroy(&session->lock);
        free(session);
        return NULL;
    }
    return session;
}

uint32_t ludus_vulkan_session_destroy(struct ludus_vulkan_session *session)
{
    if (session == NULL)
        return 0;
    (void)pthread_mutex_lock(&session->lock);
    ludus_vulkan_leave_frame(session);
    ludus_vulkan_collect(session);
    ludus_gpu_session_end(session->gpu);
    const uint32_t held = ludus_gpu_session_held(session->gpu);
    (void)pthread_mutex_unlock(&session->lock);
    if (held > 0)
        return held;
    if (session->pool != VK_NULL_HANDLE)
        session->functions.destroy_query_pool(session->device, session->pool, session->allocator);
    ludus_gpu_session_destroy(session->gpu);
    (void)pthread_mutex_destroy(&session->lock);
    free(session);
    return 0;
}

void ludus_vulkan_session_lose(struct ludus_vulkan_session *session)
{
    if (session == NULL)
        return;
    (void)pthread_mutex_lock(&session->lock);
    ludus_vulkan_leave_frame(session);
    ludus_vulkan_lose(session);
    (void)pthread_mutex_unlock(&session->lock);
}

void ludus_vulkan_session_poll(struct ludus_vulkan_session *session)
{
    if (session == NULL)
        return;
    (void)pthread_mutex_lock(&session->lock);
    ludus_vulkan_collect(session);
    ludus_gpu_session_poll(session->gpu);
    (void)pthread_mutex_unlock(&session->lock);
}

void ludus_vulkan_session_watch(struct ludus_vulkan_session *session, int is_watched)
{
    if (session == NULL)
        return;
    (void)pthread_mutex_lock(&session->lock);
    ludus_gpu_session_watch(session->gpu, is_watched);
    (void)pthread_mutex_unlock(&session->lock);
}

int ludus_vulkan_session_latest_frame(struct ludus_vulkan_session *session,
                                      struct ludus_gpu_frame *frame)
{
    if (session == NULL)
        return 0;
    (void)pthread_mutex_lock(&session->lock);
    const int is_known = ludus_gpu_session_latest_frame(session->gpu, frame);
    (void)pthread_mutex_unlock(&session->lock);
    return is_known;
}

uint32_t ludus_vulkan_session_generation(const struct ludus_vulkan_session *session)
{
    return session != NULL ? ludus_gpu_session_generation(session->gpu) : 0;
}
