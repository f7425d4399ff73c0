/* GPU samples of a part. They belong to it when they were submitted in it; calibrations, which have
 * no time of their own, with their frames. Queues and totals are those of the recording. */
#include "gpu_queues.h"
#include "trim_batch.h"

struct gpu_writing {
    struct trim *trim;
    struct trim_batch batch;
};

/* Notes that the part has work of that frame. */
static void note_frame(struct trim *trim, uint32_t track, uint64_t frame)
{
    const uint32_t queue =
        trace_gpu_queue_of(trim->model, trace_capture_track(trim->capture, track));
    if (queue == TRACE_NONE)
        return;
    struct trim_gpu_range *range = &trim->gpu_frames[queue];
    if (!range->is_there || frame < range->first)
        range->first = frame;
    if (!range->is_there || frame > range->last)
        range->last = frame;
    range->is_there = true;
}

static bool is_in_part(const struct trim *trim, uint32_t clock, const struct lcap_gpu_time *time)
{
    const struct trim_ticks *part = trim_ticks_of(trim, clock);
    return part != NULL && time->submit_tick >= part->from &&
           trim_is_before_end(trim, part, time->submit_tick);
}

static bool use_time(struct trim *trim, uint32_t track, uint32_t clock,
                     const struct lcap_gpu_time *time)
{
    return trim_use_track(trim, track) && trim_use_tick(trim, clock, time->submit_tick) &&
           trim_use_tick(trim, clock, time->collect_tick);
}

static bool take_frame(struct gpu_writing *writing, const struct lcap_gpu_frame *frame)
{
    struct trim *trim = writing->trim;
    if (!is_in_part(trim, frame->clock, &frame->time))
        return true;
    if (trim->is_writing) {
        const uint32_t at =
            trim_batch_next(trim, &writing->batch, LCAP_KIND_gpu_frames, frame->clock);
        writing->batch.records.gpu_frames[at] = *frame;
        return true;
    }
    note_frame(trim, frame->track, frame->number);
    return use_time(trim, frame->track, frame->clock, &frame->time);
}

static bool take_pass(struct gpu_writing *writing, const struct lcap_gpu_pass *pass)
{
    struct trim *trim = writing->trim;
    if (!is_in_part(trim, pass->clock, &pass->time))
        return true;
    if (trim->is_writing) {
        const uint32_t at =
            trim_batch_next(trim, &writing->batch, LCAP_KIND_gpu_passes, pass->clock);
        writing->batch.records.gpu_passes[at] = *pass;
        return true;
    }
    note_frame(trim, pass->track, pass->frame);
    return trim_use_site(trim, pass->site) && use_time(trim, pass->track, pass->clock, &pass->time);
}

static void put_calibration(struct gpu_writing *writing,
                            const struct lcap_gpu_calibration *calibration)
{
    struct trim *trim = writing->trim;
    const uint32_t queue =
        trace_gpu_queue_of(trim->model, trace_capture_track(trim->capture, calibration->track));
    if (queue == TRACE_NONE)
        return;
    const struct trim_gpu_range *range = &trim->gpu_frames[queue];
    if (!range->is_there || calibration->frame < range->first || calibration->frame > range->last)
        return;
    const uint32_t at = trim_batch_next(trim, &writing->batch, LCAP_KIND_gpu_calibrations, 0);
    writing->batch.records.gpu_calibrations[at] = *calibration;
}

static bool take_block(struct gpu_writing *writing, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_gpu_frame frame;
    struct lcap_gpu_pass pass;
    struct lcap_gpu_calibration calibration;
    bool is_taken = true;
    if (block->kind == LCAP_KIND_gpu_frames)
        while (is_taken && lcap_next_gpu_frame(&records, &frame))
            is_taken = take_frame(writing, &frame);
    else if (block->kind == LCAP_KIND_gpu_passes)
        while (is_taken && lcap_next_gpu_pass(&records, &pass))
            is_taken = take_pass(writing, &pass);
    else if (writing->trim->is_writing) /* by now all frames of the part are known */
        while (lcap_next_gpu_calibration(&records, &calibration))
            put_calibration(writing, &calibration);
    return is_taken;
}

/* The text of a queue, and what is left for the next ones. */
static struct lcap_bytes text_of(struct trace_text text, size_t *left)
{
    const struct lcap_bytes bytes = {(const uint8_t *)text.data,
                                     text.size < *left ? text.size : *left};
    *left -= bytes.size;
    return bytes;
}

static void put_queues(struct trim *trim)
{
    for (uint32_t i = 0; i < trim->model->gpu_queue_count; i++) {
        const struct trace_gpu_queue *queue = &trim->model->gpu_queues[i];
        size_t left = LCAP_ENCODE_MAX_STRING;
        struct lcap_bytes block = {0};
        struct lcap_gpu_queue record = {.period_fs = queue->period_fs,
                                        .track = trim->model->tracks[queue->track].id,
                                        .generation = queue->generation,
                                        .valid_bits = queue->valid_bits};
        record.backend = text_of(queue->backend, &left);
        record.device = text_of(queue->device, &left);
        record.queue = text_of(queue->name, &left);
        record.pass_reason = text_of(queue->pass_reason, &left);
        record.calibration_reason = text_of(queue->calibration_reason, &left);
        const enum ludus_status status =
            lcap_encode_gpu_queue(trim->writer->encoder, &record, &block);
        trace_new_capture_put(trim->writer, status, block);
    }
}

static void put_counts(struct gpu_writing *writing)
{
    const struct trace_model *model = writing->trim->model;
    for (uint32_t i = 0; i < model->gpu_count_count; i++) {
        const struct trace_gpu_count *count = &model->gpu_counts[i];
        const uint32_t at =
            trim_batch_next(writing->trim, &writing->batch, LCAP_KIND_gpu_counts, 0);
        writing->batch.records.gpu_counts[at] =
            (struct lcap_gpu_count){.count = count->count,
                                    .track = model->tracks[count->track].id,
                                    .subject = count->subject,
                                    .outcome = count->outcome};
    }
}

/* What was lost to damage may have defined a queue that counts name. */
static bool use_queues(struct trim *trim)
{
    const struct trace_model *model = trim->model;
    for (uint32_t i = 0; i < model->gpu_queue_count; i++)
        if (!trim_use_track(trim, model->tracks[model->gpu_queues[i].track].id))
            return false;
    for (uint32_t i = 0; i < model->gpu_count_count; i++)
        if (!trim_use_track(trim, model->tracks[model->gpu_counts[i].track].id))
            return false;
    return true;
}

enum ludus_status trim_gpu(struct trim *trim)
{
    struct gpu_writing writing = {.trim = trim};
    const struct trace_gpu_blocks *blocks = &trim->capture->gpu;
    if (!trim->is_writing && !use_queues(trim))
        return LUDUS_ERROR_MEMORY;
    if (trim->is_writing)
        put_queues(trim);
    for (uint32_t i = 0; i < blocks->count; i++) {
        struct lcap_item item;
        enum ludus_status status =
            lcap_reader_read(trim->capture->reader, blocks->items[i].offset, &item);
        if (status != LUDUS_OK)
            return status;
        if (item.kind == LCAP_ITEM_BLOCK && !take_block(&writing, &item.block))
            return LUDUS_ERROR_MEMORY;
    }
    if (trim->is_writing) {
        put_counts(&writing);
        trim_batch_flush(trim, &writing.batch);
    }
    return LUDUS_OK;
}
