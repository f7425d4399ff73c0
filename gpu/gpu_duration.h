/* From two timestamps of a device to a duration in nanoseconds. */
#ifndef LUDUS_GPU_DURATION_H
#define LUDUS_GPU_DURATION_H

#include <stdint.h>

#include <ludus/gpu_samples.h>

__extension__ typedef unsigned __int128 ludus_gpu_wide;

#define LUDUS_GPU_FS_PER_NS   1000000u
#define LUDUS_GPU_FEWEST_BITS 36u /* of a timestamp that can be told from its wrap */

/* The counter that a device's timestamps are read from. */
struct ludus_gpu_counter {
    uint32_t valid_bits; /* LUDUS_GPU_FEWEST_BITS to 64 */
    uint64_t period_fs;  /* of one step; not 0 */
};

/* The largest value of the counter, which is a mask of its bits. */
static inline uint64_t ludus_gpu_counter_mask(struct ludus_gpu_counter counter)
{
    return counter.valid_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << counter.valid_bits) - 1;
}

/* Steps from one value to a later one, however often bits above the valid ones have changed. */
static inline uint64_t ludus_gpu_counter_steps(struct ludus_gpu_counter counter, uint64_t from,
                                               uint64_t to)
{
    return (to - from) & ludus_gpu_counter_mask(counter);
}

/* One step in nanoseconds, rounded up. */
static inline uint64_t ludus_gpu_counter_step_ns(struct ludus_gpu_counter counter)
{
    return counter.period_fs / LUDUS_GPU_FS_PER_NS +
           (counter.period_fs % LUDUS_GPU_FS_PER_NS != 0 ? 1u : 0u);
}

/* The time from `begin` to `end`, rounded once to the nearest nanosecond, halves up. Sets
 * `*duration_ns` (0 unless valid) and returns what became of it:
 * - both are 0: LUDUS_GPU_UNAVAILABLE, since nothing was written;
 * - the end is 0: LUDUS_GPU_NO_END;
 * - the way from begin to end is longer than half the counter's period: LUDUS_GPU_REVERSED;
 * - over `longest_ns`, or over 2^63 - 1: LUDUS_GPU_ACAUSAL;
 * - otherwise LUDUS_GPU_VALID, also when begin and end are the same. */
enum ludus_gpu_outcome ludus_gpu_duration(struct ludus_gpu_counter counter, uint64_t begin,
                                          uint64_t end, uint64_t longest_ns, uint64_t *duration_ns);

#endif
