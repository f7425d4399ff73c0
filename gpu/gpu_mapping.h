/* From a device's timestamps to times of the recorder's clock, by two readings of both clocks: one
 * before a frame is submitted and one when it is over. Exact integers throughout. */
#ifndef LUDUS_GPU_MAPPING_H
#define LUDUS_GPU_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/gpu.h>

#include "gpu_duration.h"

#define LUDUS_GPU_MOST_DEVIATION_NS 50000u

/* Two reads of the recorder's clock, one on each side of a reading. */
struct ludus_gpu_gap {
    int64_t before_ns;
    int64_t after_ns;
    uint64_t residual_ns; /* the larger one of the two */
};

/* A moment that both clocks know. */
struct ludus_gpu_point {
    uint32_t mapping; /* enum ludus_gpu_mapping: LUDUS_GPU_MAPPED when it can be used */
    uint64_t device_tick;
    int64_t host_ns;       /* of the recorder's clock, */
    uint64_t deviation_ns; /* which may be wrong by so much against device_tick, */
    uint64_t residual_ns;  /* and by so much in itself */
    int64_t system_ns;     /* what the system gave: host_ns, or the other clock's of two samples */
    uint64_t slack_ns;     /* by which an elapsed time that begins or ends here may be wrong */
};

/* The time between two points. */
struct ludus_gpu_window {
    uint32_t mapping;
    uint32_t uncertainty_ns; /* the larger deviation, and the residual */
    struct ludus_gpu_counter counter;
    struct ludus_gpu_point points[2];
};

/* A reading whose host value is of the recorder's own clock, and so must lie in the gap. */
struct ludus_gpu_point ludus_gpu_point_calibrated(const struct ludus_gpu_clocks *clocks,
                                                  const struct ludus_gpu_gap *gap);

/* A reading whose host value is of another clock: it was made somewhere in the gap, and is taken to
 * be its middle, give or take half of it. */
struct ludus_gpu_point ludus_gpu_point_two_samples(const struct ludus_gpu_clocks *clocks,
                                                   const struct ludus_gpu_gap *gap);

/* A reading that there is none of. */
struct ludus_gpu_point ludus_gpu_point_failed(void);

/* Ties the counter to the clock between two points, or says why that is not to be done. */
struct ludus_gpu_window ludus_gpu_window_make(struct ludus_gpu_counter counter,
                                              const struct ludus_gpu_point *before,
                                              const struct ludus_gpu_point *behind);

/* The time of a timestamp, rounded to the nearest nanosecond. False when it is not inside the
 * window, which must be mapped. */
bool ludus_gpu_window_map(const struct ludus_gpu_window *window, uint64_t tick, int64_t *time_ns);

#endif
