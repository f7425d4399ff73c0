/* Records of a part on their way into blocks. Private to the trim. */
#ifndef TRACE_TRIM_BATCH_H
#define TRACE_TRIM_BATCH_H

#include "trim_state.h"

/* Records of one kind and one clock. All zero: there are none. */
struct trim_batch {
    union {
        struct lcap_track tracks[LCAP_ENCODE_MAX_RECORDS];
        struct lcap_frame_mark marks[LCAP_ENCODE_MAX_RECORDS];
        struct lcap_loss losses[LCAP_ENCODE_MAX_RECORDS];
        struct lcap_sched samples[LCAP_ENCODE_MAX_RECORDS];
        struct lcap_gpu_frame gpu_frames[LCAP_ENCODE_MAX_RECORDS];
        struct lcap_gpu_pass gpu_passes[LCAP_ENCODE_MAX_RECORDS];
        struct lcap_gpu_count gpu_counts[LCAP_ENCODE_MAX_RECORDS];
        struct lcap_gpu_calibration gpu_calibrations[LCAP_ENCODE_MAX_RECORDS];
    } records;
    uint32_t count;
    uint32_t clock;
    uint32_t kind; /* of block */
};

/* The index of the next record of the kind in its array; `clock` is 0 for kinds without ticks. What
 * is in the batch is written when the next record does not belong to it. */
uint32_t trim_batch_next(struct trim *trim, struct trim_batch *batch, uint32_t kind,
                         uint32_t clock);

/* Writes what is in it. */
void trim_batch_flush(struct trim *trim, struct trim_batch *batch);

#endif
