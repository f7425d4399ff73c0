/* Decodes the blocks of GPU samples. */
#include "decode_fields.h"
#include "gpu_rules.h"

static bool judge(struct lcap_records *records, bool is_right)
{
    return is_right || fail(records, LCAP_DAMAGE_PAYLOAD_VALUE);
}

static bool take_text(struct lcap_records *records, struct lcap_bytes *text)
{
    if ((size_t)(records->end - records->at) < 4)
        return fail(records, LCAP_DAMAGE_PAYLOAD_LAYOUT);
    const uint32_t size = lcap_load_u32(records->at);
    records->at += 4;
    return take_bytes(records, size, text);
}

bool lcap_next_gpu_queue(struct lcap_records *records, struct lcap_gpu_queue *queue)
{
    if (!has_record(records, 24))
        return false;
    const uint8_t *at = records->at;
    queue->track = lcap_load_u32(at);
    queue->generation = lcap_load_u32(at + 4);
    queue->valid_bits = lcap_load_u32(at + 8);
    queue->period_fs = lcap_load_u64(at + 16);
    records->at += 24;
    if (!take_text(records, &queue->backend) || !take_text(records, &queue->device) ||
        !take_text(records, &queue->queue) || !take_text(records, &queue->pass_reason) ||
        !take_text(records, &queue->calibration_reason))
        return false;
    return judge(records, lcap_gpu_queue_is_right(queue) && lcap_load_u32(at + 12) == 0);
}

/* What frames and passes end with. */
static void load_times(const uint8_t *at, struct lcap_gpu_time *time)
{
    time->duration_ns = lcap_load_u64(at);
    time->begin_ns = (int64_t)lcap_load_u64(at + 8);
    time->submit_tick = lcap_load_u64(at + 16);
    time->collect_tick = lcap_load_u64(at + 24);
}

bool lcap_next_gpu_frame(struct lcap_records *records, struct lcap_gpu_frame *frame)
{
    if (!has_record(records, LCAP_RECORD_SIZE_gpu_frames))
        return false;
    const uint8_t *at = records->at;
    frame->track = lcap_load_u32(at);
    frame->method = lcap_load_u32(at + 4);
    frame->time.outcome = lcap_load_u32(at + 8);
    frame->time.uncertainty_ns = lcap_load_u32(at + 12);
    frame->number = lcap_load_u64(at + 16);
    load_times(at + 24, &frame->time);
    frame->clock = records->clock;
    records->at += LCAP_RECORD_SIZE_gpu_frames;
    return judge(records, lcap_gpu_frame_is_right(frame) && lcap_load_u64(at + 56) == 0);
}

bool lcap_next_gpu_pass(struct lcap_records *records, struct lcap_gpu_pass *pass)
{
    if (!has_record(records, LCAP_RECORD_SIZE_gpu_passes))
        return false;
    const uint8_t *at = records->at;
    pass->track = lcap_load_u32(at);
    pass->site = lcap_load_u32(at + 4);
    pass->ordinal = lcap_load_u32(at + 8);
    pass->operation = lcap_load_u32(at + 12);
    pass->logical_passes = lcap_load_u32(at + 16);
    pass->time.outcome = lcap_load_u32(at + 20);
    pass->time.uncertainty_ns = lcap_load_u32(at + 24);
    pass->frame = lcap_load_u64(at + 32);
    load_times(at + 40, &pass->time);
    pass->clock = records->clock;
    records->at += LCAP_RECORD_SIZE_gpu_passes;
    return judge(records, lcap_gpu_pass_is_right(pass) && lcap_load_u32(at + 28) == 0);
}

bool lcap_next_gpu_count(struct lcap_records *records, struct lcap_gpu_count *count)
{
    if (!has_record(records, LCAP_RECORD_SIZE_gpu_counts))
        return false;
    const uint8_t *at = records->at;
    count->track = lcap_load_u32(at);
    count->subject = lcap_load_u32(at + 4);
    count->outcome = lcap_load_u32(at + 8);
    count->count = lcap_load_u64(at + 16);
    records->at += LCAP_RECORD_SIZE_gpu_counts;
    return judge(records, lcap_gpu_count_is_right(count) && lcap_load_u32(at + 12) == 0);
}

bool lcap_next_gpu_calibration(struct lcap_records *records,
                               struct lcap_gpu_calibration *calibration)
{
    if (!has_record(records, LCAP_RECORD_SIZE_gpu_calibrations))
        return false;
    const uint8_t *at = records->at;
    calibration->track = lcap_load_u32(at);
    calibration->mapping = lcap_load_u32(at + 4);
    calibration->uncertainty_ns = lcap_load_u32(at + 8);
    calibration->frame = lcap_load_u64(at + 16);
    calibration->device_ticks[0] = lcap_load_u64(at + 24);
    calibration->device_ticks[1] = lcap_load_u64(at + 32);
    calibration->host_ns[0] = (int64_t)lcap_load_u64(at + 40);
    calibration->host_ns[1] = (int64_t)lcap_load_u64(at + 48);
    records->at += LCAP_RECORD_SIZE_gpu_calibrations;
    return judge(records, lcap_gpu_calibration_is_right(calibration) &&
                              lcap_load_u32(at + 12) == 0 && lcap_load_u64(at + 56) == 0);
}
