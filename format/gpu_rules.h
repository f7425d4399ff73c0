/* What FORMAT.md says that readers check of GPU samples, for both sides. Private to format/, but
 * for the recorder, which must not hand over a sample that cannot be encoded. */
#ifndef LCAP_GPU_RULES_H
#define LCAP_GPU_RULES_H

#include "lcap_records.h"

/* Sums of times fit into 64 bits with a sign; what is not valid has no duration, what has no
 * duration is not mapped, and what is not mapped has no begin. */
static inline bool lcap_gpu_time_is_right(const struct lcap_gpu_time *time)
{
    const bool is_mapped = time->uncertainty_ns != LCAP_GPU_UNMAPPED;
    if (time->outcome == 0 || time->collect_tick < time->submit_tick ||
        time->duration_ns > INT64_MAX)
        return false;
    if (time->outcome != LCAP_GPU_VALID && (time->duration_ns != 0 || is_mapped))
        return false;
    if (!is_mapped)
        return time->begin_ns == 0;
    return time->begin_ns <= INT64_MAX - (int64_t)time->duration_ns;
}

static inline bool lcap_gpu_queue_is_right(const struct lcap_gpu_queue *queue)
{
    return queue->track != 0 && queue->valid_bits <= 64;
}

static inline bool lcap_gpu_frame_is_right(const struct lcap_gpu_frame *frame)
{
    return frame->track != 0 && frame->method != 0 && lcap_gpu_time_is_right(&frame->time);
}

static inline bool lcap_gpu_pass_is_right(const struct lcap_gpu_pass *pass)
{
    return pass->track != 0 && pass->site != 0 && pass->operation != 0 &&
           pass->logical_passes != 0 && lcap_gpu_time_is_right(&pass->time);
}

static inline bool lcap_gpu_count_is_right(const struct lcap_gpu_count *count)
{
    return count->track != 0 && count->subject != 0;
}

static inline bool lcap_gpu_calibration_is_right(const struct lcap_gpu_calibration *calibration)
{
    return calibration->track != 0 && calibration->mapping != 0;
}

#endif
