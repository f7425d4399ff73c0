/* A frame on a Vulkan queue, from its first command to the end of its execution. */
#include "vulkan_session.h"

static void lock(struct ludus_vulkan_session *session)
{
    (void)pthread_mutex_lock(&session->lock);
}

static void unlock(struct ludus_vulkan_session *session)
{
    (void)pthread_mutex_unlock(&session->lock);
}

void ludus_vulkan_lose(struct ludus_vulkan_session *session)
{
    ludus_gpu_session_lose(session->gpu);
    session->flight_count = 0;
    atomic_store_explicit(&session->takes_scopes, false, memory_order_relaxed);
}

/* The first ones in flight are over. */
static void land(struct ludus_vulkan_session *session, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ludus_gpu_session_complete_frame(session->gpu, session->flights[i].number);
    session->flight_count -= count;
    for (uint32_t i = 0; i < session->flight_count; i++)
        session->flights[i] = session->flights[i + count];
}

/* A fence is signaled behind all that was submitted to its queue before: with a frame, those before
 * it are over. */
void ludus_vulkan_collect(struct ludus_vulkan_session *session)
{
    uint32_t landed = 0;
    for (uint32_t i = 0; i < session->flight_count; i++) {
        if (session->flights[i].fence == VK_NULL_HANDLE)
            continue;
        const VkResult result =
            session->functions.get_fence_status(session->device, session->flights[i].fence);
        if (result == VK_ERROR_DEVICE_LOST) {
            ludus_vulkan_lose(session);
            return;
        }
        if (result != VK_SUCCESS)
            break; /* also when the question failed: it is asked again */
        landed = i + 1;
    }
    land(session, landed);
}

static void end_frame(struct ludus_vulkan_session *session, enum ludus_gpu_submission submission,
                      VkFence fence)
{
    if (!session->is_begun)
        return;
    session->is_begun = false;
    atomic_store_explicit(&session->takes_scopes, false, memory_order_relaxed);
    ludus_gpu_session_end_frame(session->gpu, submission);
    /* Of what was refused at its first submission nothing is in flight. */
    const bool is_in_flight = submission == LUDUS_GPU_SUBMITTED ||
                              (submission == LUDUS_GPU_REFUSED && session->submissions > 1);
    if (is_in_flight && session->plan.slot_count > 0)
        session->flights[session->flight_count++] = (struct ludus_vulkan_flight){
            session->plan.number, submission == LUDUS_GPU_SUBMITTED ? fence : VK_NULL_HANDLE};
}

void ludus_vulkan_leave_frame(struct ludus_vulkan_session *session)
{
    end_frame(session, session->submissions > 0 ? LUDUS_GPU_SUBMITTED : LUDUS_GPU_DISCARDED,
              VK_NULL_HANDLE);
}

/* Makes the frame's queries ready, and takes the time before all else. */
static void write_begin(struct ludus_vulkan_session *session, VkCommandBuffer first)
{
    const struct ludus_vulkan_functions *functions = &session->functions;
    const struct ludus_gpu_frame_plan *plan = &session->plan;
    if (plan->slot_count == 0)
        return;
    if (functions->reset_by_host != NULL)
        functions->reset_by_host(session->device, session->pool, plan->first_slot,
                                 plan->slot_count);
    else
        functions->reset_in_commands(first, session->pool, plan->first_slot, plan->slot_count);
    if (plan->begin_slot != LUDUS_GPU_NO_SLOT)
        functions->write_timestamp(first, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, session->pool,
                                   plan->begin_slot);
}

uint64_t ludus_vulkan_frame_begin(struct ludus_vulkan_session *session, VkCommandBuffer first)
{
    if (session == NULL || first == VK_NULL_HANDLE)
        return 0;
    lock(session);
    ludus_vulkan_leave_frame(session);
    ludus_vulkan_collect(session);
    ludus_gpu_session_begin_frame(session->gpu, &session->plan);
    session->is_begun = true;
    session->submissions = 0;
    const uint64_t number = session->plan.number;
    unlock(session);
    write_begin(session, first);
    atomic_store_explicit(&session->takes_scopes, session->plan.takes_scopes != 0,
                          memory_order_relaxed);
    return number;
}

void ludus_vulkan_frame_finish(struct ludus_vulkan_session *session, VkCommandBuffer last)
{
    if (session == NULL)
        return;
    lock(session);
    const uint32_t slot = session->is_begun ? session->plan.end_slot : LUDUS_GPU_NO_SLOT;
    session->plan.end_slot = LUDUS_GPU_NO_SLOT;
    unlock(session);
    if (slot != LUDUS_GPU_NO_SLOT)
        session->functions.write_timestamp(last, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                           session->pool, slot);
}

void ludus_vulkan_frame_submit(struct ludus_vulkan_session *session)
{
    if (session == NULL)
        return;
    lock(session);
    session->submissions++;
    ludus_gpu_session_submit_frame(session->gpu);
    unlock(session);
}

void ludus_vulkan_frame_end(struct ludus_vulkan_session *session,
                            enum ludus_gpu_submission submission, VkFence fence)
{
    if (session == NULL)
        return;
    lock(session);
    end_frame(session, submission, fence);
    unlock(session);
}

void ludus_vulkan_frame_complete(struct ludus_vulkan_session *session, uint64_t number)
{
    if (session == NULL)
        return;
    lock(session);
    uint32_t landed = 0;
    while (landed < session->flight_count && session->flights[landed].number <= number)
        landed++;
    land(session, landed);
    unlock(session);
}
