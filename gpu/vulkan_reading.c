/* Reads what a Vulkan device has written, and its clock beside the host's. Nothing here waits. */
#include "vulkan_session.h"

static enum ludus_gpu_answer answer_of(VkResult result)
{
    if (result == VK_SUCCESS || result == VK_NOT_READY)
        return LUDUS_GPU_ANSWERED;
    return result == VK_ERROR_DEVICE_LOST ? LUDUS_GPU_ANSWER_LOST : LUDUS_GPU_ANSWER_FAILED;
}

static enum ludus_gpu_answer read_slots(void *context, uint32_t first, uint32_t count,
                                        struct ludus_gpu_reading *readings)
{
    const struct ludus_vulkan_session *session = context;
    return answer_of(session->functions.get_results(
        session->device, session->pool, first, count, count * sizeof *readings, readings,
        sizeof *readings, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
}

static enum ludus_gpu_answer read_clocks(void *context, struct ludus_gpu_clocks *clocks)
{
    const struct ludus_vulkan_session *session = context;
    const VkCalibratedTimestampInfoEXT infos[2] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
         .timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT},
    };
    uint64_t ticks[2] = {0, 0};
    const VkResult result =
        session->functions.get_timestamps(session->device, 2, infos, ticks, &clocks->deviation_ns);
    clocks->device_tick = ticks[0];
    clocks->host_ns = (int64_t)ticks[1];
    return answer_of(result);
}

struct ludus_gpu_device ludus_vulkan_device(struct ludus_vulkan_session *session)
{
    return (struct ludus_gpu_device){
        .context = session, .read_slots = read_slots, .read_clocks = read_clocks};
}
