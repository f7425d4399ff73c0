/* Encodes the blocks of GPU samples. */
#include "encode_fields.h"
#include "gpu_rules.h"

static enum ludus_status check_queue(const struct lcap_encoder *encoder,
                                     const struct lcap_gpu_queue *queue)
{
    if (!lcap_gpu_queue_is_right(queue) || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    const struct lcap_bytes texts[] = {queue->backend, queue->device, queue->queue,
                                       queue->pass_reason, queue->calibration_reason};
    size_t left = LCAP_ENCODE_MAX_STRING;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].size > left)
            return LUDUS_ERROR_LIMIT;
        left -= texts[i].size;
    }
    return LUDUS_OK;
}

static void put_text(struct field_writer *writer, struct lcap_bytes text)
{
    put_u32(writer, (uint32_t)text.size);
    put_bytes(writer, text);
}

enum ludus_status lcap_encode_gpu_queue(struct lcap_encoder *encoder,
                                        const struct lcap_gpu_queue *queue,
                                        struct lcap_bytes *block)
{
    const enum ludus_status status = check_queue(encoder, queue);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, 1, 0);
    put_u32(&writer, queue->track);
    put_u32(&writer, queue->generation);
    put_u32(&writer, queue->valid_bits);
    put_u32(&writer, 0);
    put_u64(&writer, queue->period_fs);
    put_text(&writer, queue->backend);
    put_text(&writer, queue->device);
    put_text(&writer, queue->queue);
    put_text(&writer, queue->pass_reason);
    put_text(&writer, queue->calibration_reason);
    return finish(encoder, LCAP_KIND_gpu_queues, &writer, block);
}

/* What frames and passes end with. */
static void put_times(struct field_writer *writer, const struct lcap_gpu_time *time)
{
    put_u64(writer, time->duration_ns);
    put_u64(writer, (uint64_t)time->begin_ns);
    put_u64(writer, time->submit_tick);
    put_u64(writer, time->collect_tick);
}

enum ludus_status lcap_encode_gpu_frames(struct lcap_encoder *encoder, uint32_t clock,
                                         const struct lcap_gpu_frame *frames, size_t count,
                                         struct lcap_bytes *block)
{
    const enum ludus_status status = check_count_and_clock(encoder, count, clock);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, clock);
    for (size_t i = 0; i < count; i++) {
        const struct lcap_gpu_frame *frame = &frames[i];
        if (!lcap_gpu_frame_is_right(frame))
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, frame->track);
        put_u32(&writer, frame->method);
        put_u32(&writer, frame->time.outcome);
        put_u32(&writer, frame->time.uncertainty_ns);
        put_u64(&writer, frame->number);
        put_times(&writer, &frame->time);
        put_u64(&writer, 0);
    }
    return finish(encoder, LCAP_KIND_gpu_frames, &writer, block);
}

enum ludus_status lcap_encode_gpu_passes(struct lcap_encoder *encoder, uint32_t clock,
                                         const struct lcap_gpu_pass *passes, size_t count,
                                         struct lcap_bytes *block)
{
    const enum ludus_status status = check_count_and_clock(encoder, count, clock);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, clock);
    for (size_t i = 0; i < count; i++) {
        const struct lcap_gpu_pass *pass = &passes[i];
        if (!lcap_gpu_pass_is_right(pass))
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, pass->track);
        put_u32(&writer, pass->site);
        put_u32(&writer, pass->ordinal);
        put_u32(&writer, pass->operation);
        put_u32(&writer, pass->logical_passes);
        put_u32(&writer, pass->time.outcome);
        put_u32(&writer, pass->time.uncertainty_ns);
        put_u32(&writer, 0);
        put_u64(&writer, pass->frame);
        put_times(&writer, &pass->time);
    }
    return finish(encoder, LCAP_KIND_gpu_passes, &writer, block);
}

enum ludus_status lcap_encode_gpu_counts(struct lcap_encoder *encoder,
                                         const struct lcap_gpu_count *counts, size_t count,
                                         struct lcap_bytes *block)
{
    const enum ludus_status status = check_count(encoder, count);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, 0);
    for (size_t i = 0; i < count; i++) {
        if (!lcap_gpu_count_is_right(&counts[i]))
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, counts[i].track);
        put_u32(&writer, counts[i].subject);
        put_u32(&writer, counts[i].outcome);
        put_u32(&writer, 0);
        put_u64(&writer, counts[i].count);
    }
    return finish(encoder, LCAP_KIND_gpu_counts, &writer, block);
}

enum ludus_status lcap_encode_gpu_calibrations(struct lcap_encoder *encoder,
                                               const struct lcap_gpu_calibration *calibrations,
                                               size_t count, struct lcap_bytes *block)
{
    const enum ludus_status status = check_count(encoder, count);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, 0);
    for (size_t i = 0; i < count; i++) {
        const struct lcap_gpu_calibration *calibration = &calibrations[i];
        if (!lcap_gpu_calibration_is_right(calibration))
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, calibration->track);
        put_u32(&writer, calibration->mapping);
        put_u32(&writer, calibration->uncertainty_ns);
        put_u32(&writer, 0);
        put_u64(&writer, calibration->frame);
        put_u64(&writer, calibration->device_ticks[0]);
        put_u64(&writer, calibration->device_ticks[1]);
        put_u64(&writer, (uint64_t)calibration->host_ns[0]);
        put_u64(&writer, (uint64_t)calibration->host_ns[1]);
        put_u64(&writer, 0);
    }
    return finish(encoder, LCAP_KIND_gpu_calibrations, &writer, block);
}
