/* Writes the events of a part: blocks that lie in it are copied, those over an edge are cut and
 * encoded anew, and what is open when the part begins is told for tracks without events in it. */
#include <stdlib.h>

#include "trim_state.h"

/* A block that is encoded anew, and what its segments need until it is finished. */
struct rewriting {
    struct trim *trim;
    const struct lcap_clock *clock;
    struct lcap_open_scope *open;      /* of all segments */
    struct lcap_track_stream *streams; /* of all segments */
    uint32_t count;
    size_t open_used;
};

static void finish_block(struct rewriting *block)
{
    struct trim *trim = block->trim;
    struct lcap_bytes made = {0};
    const enum ludus_status status = lcap_events_finish(trim->writer->encoder, &made);
    if (status == LUDUS_OK && made.size != 0)
        lcap_chain_set_first_event_made(trim->writer->encoder, trim->first_event);
    trace_new_capture_put(trim->writer, status, made);
}

/* Begins a segment, in a new block when there is no room in this one. */
static enum ludus_status begin_segment(struct rewriting *block, struct lcap_track_stream *stream,
                                       uint64_t start_tick)
{
    struct lcap_encoder *encoder = block->trim->writer->encoder;
    enum ludus_status status = lcap_events_segment(encoder, stream, start_tick);
    if (status != LUDUS_ERROR_LIMIT)
        return status;
    finish_block(block);
    lcap_events_start(encoder, block->clock);
    return lcap_events_segment(encoder, stream, start_tick);
}

static enum ludus_status add_events(struct rewriting *block, const struct lcap_events *events,
                                    const struct trim_cut *cut, struct lcap_track_stream *stream)
{
    struct lcap_encoder *encoder = block->trim->writer->encoder;
    uint32_t value = cut->first_value;
    for (uint32_t i = cut->first; i < cut->end; i++) {
        const struct lcap_symbol *symbol = &events->table[events->symbols[i]];
        const enum lcap_event_kind kind = (enum lcap_event_kind)symbol->kind;
        const uint64_t bits = lcap_event_has_value(kind) ? events->values[value++] : 0;
        enum ludus_status status =
            lcap_events_add(encoder, kind, events->ticks[i], symbol->site, bits);
        if (status == LUDUS_ERROR_LIMIT) {
            finish_block(block);
            lcap_events_start(encoder, block->clock);
            status = lcap_events_segment(encoder, stream, events->ticks[i]);
            if (status == LUDUS_OK)
                status = lcap_events_add(encoder, kind, events->ticks[i], symbol->site, bits);
        }
        if (status != LUDUS_OK)
            return status;
        block->trim->first_event++;
    }
    return LUDUS_OK;
}

static enum ludus_status put_cut_segment(struct rewriting *block, const struct lcap_events *events,
                                         const struct lcap_segment *segment, uint32_t *value)
{
    struct lcap_open_scope *open = block->open + block->open_used;
    const struct trim_cut cut = trim_cut_segment(block->trim, events, segment, value, open);
    if (!cut.is_kept)
        return LUDUS_OK;
    struct lcap_track_stream *stream = &block->streams[block->count++];
    *stream = (struct lcap_track_stream){.open = open,
                                         .event_count = segment->events_before +
                                                        (cut.first - segment->first_event),
                                         .open_capacity = cut.depth + (cut.end - cut.first),
                                         .depth = cut.depth,
                                         .track = segment->track};
    block->open_used += stream->open_capacity;
    enum ludus_status status = begin_segment(block, stream, segment->start_tick);
    return status == LUDUS_OK ? add_events(block, events, &cut, stream) : status;
}

static enum ludus_status put_cut_block(struct rewriting *block, uint64_t offset)
{
    struct trim *trim = block->trim;
    const struct lcap_events *events;
    struct lcap_item item;
    uint32_t value = 0;
    enum ludus_status status = trim_read_events(trim, offset, &item, &events);
    if (status != LUDUS_OK)
        return status;
    block->clock = lcap_reader_clock(trim->capture->reader, events->header.clock);
    block->count = 0;
    block->open_used = 0;
    lcap_events_start(trim->writer->encoder, block->clock);
    for (uint32_t i = 0; i < events->header.segment_count && status == LUDUS_OK; i++)
        status = put_cut_segment(block, events, &events->segments[i], &value);
    finish_block(block);
    return status;
}

/* A tick on the clock's grid in the part: the first one, if the part is so long. */
static uint64_t head_tick(const struct trim *trim, const struct lcap_clock *clock)
{
    const struct trim_ticks *part = trim_ticks_of(trim, clock->clock);
    const uint64_t from = part->from < clock->offset ? clock->offset : part->from;
    const uint64_t beyond = (from - clock->offset) % clock->step;
    if (beyond == 0)
        return from;
    const uint64_t next = from - beyond + clock->step;
    return next > from && next <= part->to ? next : from - beyond;
}

/* What is open on tracks that have no events in the part. */
static enum ludus_status put_heads(struct rewriting *block)
{
    struct trim *trim = block->trim;
    enum ludus_status status = LUDUS_OK;
    block->clock = NULL;
    block->count = 0;
    for (uint32_t i = 0; i < trim->track_count && status == LUDUS_OK; i++) {
        const struct trim_track *track = &trim->tracks[i];
        if (track->open == NULL)
            continue;
        const struct lcap_clock *clock = lcap_reader_clock(trim->capture->reader, track->clock);
        if (block->clock != NULL && (block->clock != clock || block->count == LCAP_MAX_EVENTS)) {
            finish_block(block);
            block->clock = NULL;
        }
        if (block->clock == NULL) {
            block->clock = clock;
            block->count = 0;
            lcap_events_start(trim->writer->encoder, clock);
        }
        struct lcap_track_stream *stream = &block->streams[block->count++];
        *stream = (struct lcap_track_stream){.open = track->open,
                                             .event_count = track->events,
                                             .open_capacity = track->depth,
                                             .depth = track->depth,
                                             .track = trim->model->tracks[i].id};
        status = begin_segment(block, stream, head_tick(trim, clock));
    }
    if (block->clock != NULL)
        finish_block(block);
    return status;
}

static enum ludus_status put_all(struct rewriting *block)
{
    struct trim *trim = block->trim;
    enum ludus_status status = put_heads(block);
    for (uint32_t i = 0; i < trim->block_count && status == LUDUS_OK; i++) {
        const struct trim_block *from = &trim->blocks[i];
        if (from->is_cut) {
            status = put_cut_block(block, from->offset);
            continue;
        }
        trace_new_capture_copy(trim->writer, &trim->source, from->offset, from->size,
                               &trim->first_event);
        trim->first_event += from->events;
    }
    return status;
}

enum ludus_status trim_put_events(struct trim *trim)
{
    struct rewriting block = {.trim = trim, .open = trim_allocate_scopes()};
    block.streams = malloc(LCAP_MAX_EVENTS * sizeof *block.streams);
    enum ludus_status status = LUDUS_ERROR_MEMORY;
    if (block.open != NULL && block.streams != NULL)
        status = put_all(&block);
    free(block.streams);
    free(block.open);
    return status;
}
