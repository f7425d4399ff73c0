/* What of a part has a time and is no event: tracks, frame marks, losses, diagnostics, triggers and
 * samples of the scheduler. */
#include <string.h>

#include "trim_batch.h"

struct writing {
    struct trim *trim;
    struct trim_batch batch;
};

static void flush(struct writing *writing)
{
    trim_batch_flush(writing->trim, &writing->batch);
}

static uint32_t next_of(struct writing *writing, uint32_t kind, uint32_t clock)
{
    return trim_batch_next(writing->trim, &writing->batch, kind, clock);
}

/* Whether a time span, both ends inclusive, touches the part. */
static bool touches(const struct trim *trim, int64_t begin_ns, int64_t end_ns)
{
    return end_ns >= trim->from_ns && (begin_ns <= trim->to_ns || trim->is_to_end);
}

/* --- each kind: whether a record is of the part, then noted, then written --------------------- */

static bool take_track(struct trim *trim, const struct lcap_track *record)
{
    const uint32_t index = trace_capture_track(trim->capture, record->track);
    struct trim_track *track = index == TRACE_NONE ? NULL : trim_track_at(trim, index);
    if (track == NULL)
        return false;
    track->record = *record;
    const struct trace_track *facts = &trim->model->tracks[index];
    return !touches(trim, facts->begin_ns, facts->has_ended ? facts->end_ns : INT64_MAX) ||
           trim_use_track(trim, record->track);
}

static bool take_mark(struct writing *writing, const struct lcap_frame_mark *mark)
{
    struct trim *trim = writing->trim;
    const uint32_t index = trace_id_map_find(&trim->capture->domain_ids, mark->domain);
    if (index == TRACE_NONE || !trim->marks[index].is_there ||
        mark->ordinal < trim->marks[index].first || mark->ordinal > trim->marks[index].last)
        return true;
    if (trim->is_writing) {
        const uint32_t at = next_of(writing, LCAP_KIND_frames, mark->clock);
        writing->batch.records.marks[at] = *mark;
        return true;
    }
    trim->recorded.frames++;
    return trim_use_track(trim, mark->track) && trim_use_tick(trim, mark->clock, mark->tick);
}

static bool take_loss(struct writing *writing, const struct lcap_loss *loss)
{
    struct trim *trim = writing->trim;
    if (!touches(trim, trim_ns(trim, loss->clock, loss->first_tick),
                 trim_ns(trim, loss->clock, loss->last_tick)))
        return true;
    if (trim->is_writing) {
        const uint32_t at = next_of(writing, LCAP_KIND_losses, loss->clock);
        writing->batch.records.losses[at] = *loss;
        return true;
    }
    lcap_counts_add(&trim->dropped, &loss->counts);
    return trim_use_track(trim, loss->track) &&
           trim_use_tick(trim, loss->clock, loss->first_tick) &&
           trim_use_tick(trim, loss->clock, loss->last_tick);
}

/* What is said of the whole recording is so of each part. */
static bool is_of_all(uint32_t code)
{
    return code == LCAP_DIAGNOSTIC_SITES_FULL || code == LCAP_DIAGNOSTIC_IDENTITY_COLLISION ||
           code == LCAP_DIAGNOSTIC_NAMES_CUT || code == LCAP_DIAGNOSTIC_CLOCK_REFUSED ||
           code == LCAP_DIAGNOSTIC_GPU_QUEUES_FULL;
}

static struct lcap_bytes shortened(struct lcap_bytes text)
{
    if (text.size > LCAP_ENCODE_MAX_STRING)
        text.size = LCAP_ENCODE_MAX_STRING;
    return text;
}

static bool take_diagnostic(struct writing *writing, const struct lcap_diagnostic *record)
{
    struct trim *trim = writing->trim;
    const int64_t time_ns = trim_ns(trim, record->clock, record->tick);
    struct lcap_diagnostic diagnostic = *record;
    struct lcap_bytes block = {0};
    if (!is_of_all(record->code) && !touches(trim, time_ns, time_ns))
        return true;
    if (!trim->is_writing)
        return trim_use_track(trim, record->track) &&
               trim_use_tick(trim, record->clock, record->tick);
    flush(writing);
    diagnostic.text = shortened(diagnostic.text);
    const enum ludus_status status =
        lcap_encode_diagnostic(trim->writer->encoder, diagnostic.clock, &diagnostic, &block);
    trace_new_capture_put(trim->writer, status, block);
    return true;
}

static bool take_trigger(struct writing *writing, const struct lcap_trigger *record)
{
    struct trim *trim = writing->trim;
    const int64_t time_ns = trim_ns(trim, record->clock, record->tick);
    struct lcap_trigger trigger = *record;
    struct lcap_bytes block = {0};
    if (!touches(trim, time_ns, time_ns))
        return true;
    if (!trim->is_writing)
        return trim_use_tick(trim, record->clock, record->tick) &&
               trim_use_tick(trim, record->clock,
                             record->duration_ticks < record->tick
                                 ? record->tick - record->duration_ticks
                                 : 0);
    flush(writing);
    trigger.text = shortened(trigger.text);
    const enum ludus_status status =
        lcap_encode_trigger(trim->writer->encoder, trigger.clock, &trigger, &block);
    trace_new_capture_put(trim->writer, status, block);
    return true;
}

/* A sleep is told when it is over; what of it lies behind the part is cut off. When in a sample a
 * thread ran or waited nobody knows, and such ones stay whole. */
static bool take_sample(struct writing *writing, const struct lcap_sched *record)
{
    struct trim *trim = writing->trim;
    struct lcap_sched sample = *record;
    const struct trim_ticks *part = trim_ticks_of(trim, sample.clock);
    if (part == NULL || sample.to_tick <= part->from ||
        (!trim->is_to_end && sample.from_tick >= part->to))
        return true;
    if (sample.run_ns == 0 && sample.wait_ns == 0 && !trim->is_to_end && sample.to_tick > part->to)
        sample.to_tick = part->to;
    if (trim->is_writing) {
        const uint32_t at = next_of(writing, LCAP_KIND_sched, sample.clock);
        writing->batch.records.samples[at] = sample;
        return true;
    }
    return trim_use_track(trim, sample.track) &&
           trim_use_tick(trim, sample.clock, sample.from_tick) &&
           trim_use_tick(trim, sample.clock, sample.to_tick);
}

/* --- all of them ------------------------------------------------------------------------------ */

static bool take_block(struct writing *writing, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    union {
        struct lcap_track track;
        struct lcap_frame_mark mark;
        struct lcap_loss loss;
        struct lcap_diagnostic diagnostic;
        struct lcap_trigger trigger;
        struct lcap_sched sample;
    } record;
    bool is_taken = true;
    switch (block->kind) {
    case LCAP_KIND_tracks:
        while (is_taken && !writing->trim->is_writing && lcap_next_track(&records, &record.track))
            is_taken = take_track(writing->trim, &record.track);
        break;
    case LCAP_KIND_frames:
        while (is_taken && lcap_next_frame_mark(&records, &record.mark))
            is_taken = take_mark(writing, &record.mark);
        break;
    case LCAP_KIND_losses:
        while (is_taken && lcap_next_loss(&records, &record.loss))
            is_taken = take_loss(writing, &record.loss);
        break;
    case LCAP_KIND_diagnostics:
        while (is_taken && lcap_next_diagnostic(&records, &record.diagnostic))
            is_taken = take_diagnostic(writing, &record.diagnostic);
        break;
    case LCAP_KIND_triggers:
        while (is_taken && lcap_next_trigger(&records, &record.trigger))
            is_taken = take_trigger(writing, &record.trigger);
        break;
    case LCAP_KIND_sched:
        while (is_taken && lcap_next_sched(&records, &record.sample))
            is_taken = take_sample(writing, &record.sample);
        break;
    default: /* the end is made anew */
        break;
    }
    return is_taken;
}

static enum ludus_status take_blocks(struct writing *writing, const struct trace_offsets *offsets)
{
    for (uint32_t i = 0; i < offsets->count; i++) {
        struct lcap_item item;
        enum ludus_status status =
            lcap_reader_read(writing->trim->capture->reader, offsets->items[i], &item);
        if (status != LUDUS_OK)
            return status;
        if (item.kind == LCAP_ITEM_BLOCK && !take_block(writing, &item.block))
            return LUDUS_ERROR_MEMORY;
    }
    return LUDUS_OK;
}

enum ludus_status trim_records(struct trim *trim)
{
    struct writing writing = {.trim = trim};
    enum ludus_status status = take_blocks(&writing, &trim->capture->timed);
    if (status == LUDUS_OK)
        status = take_blocks(&writing, &trim->capture->sched);
    if (trim->is_writing)
        flush(&writing);
    return status;
}

enum ludus_status trim_put_tracks(struct trim *trim)
{
    struct writing writing = {.trim = trim};
    for (uint32_t i = 0; i < trim->track_count; i++) {
        const struct trim_track *track = &trim->tracks[i];
        struct lcap_track record = track->record;
        if (!track->is_used || record.track == 0)
            continue;
        /* It lived when the part ended. */
        if (record.end_tick != 0 && !trim->is_to_end &&
            trim_ns(trim, record.clock, record.end_tick) > trim->to_ns)
            record.end_tick = 0;
        if (trim->is_writing) {
            const uint32_t at = next_of(&writing, LCAP_KIND_tracks, record.clock);
            writing.batch.records.tracks[at] = record;
        } else if (!trim_use_string(trim, record.name) ||
                   !trim_use_tick(trim, record.clock, record.begin_tick) ||
                   !trim_use_tick(trim, record.clock, record.end_tick)) {
            return LUDUS_ERROR_MEMORY;
        }
    }
    if (trim->is_writing)
        flush(&writing);
    return LUDUS_OK;
}
