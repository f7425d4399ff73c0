/* From two timestamps of a device to a duration in nanoseconds. */
#include "gpu_duration.h"

enum ludus_gpu_outcome ludus_gpu_duration(struct ludus_gpu_counter counter, uint64_t begin,
                                          uint64_t end, uint64_t longest_ns, uint64_t *duration_ns)
{
    const uint64_t mask = ludus_gpu_counter_mask(counter);
    *duration_ns = 0;
    if ((end & mask) == 0)
        return (begin & mask) == 0 ? LUDUS_GPU_UNAVAILABLE : LUDUS_GPU_NO_END;
    const uint64_t steps = ludus_gpu_counter_steps(counter, begin, end);
    if (steps > mask / 2)
        return LUDUS_GPU_REVERSED;
    /* Below 2^63 steps of below 2^64 fs: there is room for the half that rounds. */
    const ludus_gpu_wide time_fs = (ludus_gpu_wide)steps * counter.period_fs;
    const ludus_gpu_wide time_ns = (time_fs + LUDUS_GPU_FS_PER_NS / 2) / LUDUS_GPU_FS_PER_NS;
    if (time_ns > INT64_MAX || time_ns > longest_ns)
        return LUDUS_GPU_ACAUSAL;
    *duration_ns = (uint64_t)time_ns;
    return LUDUS_GPU_VALID;
}
