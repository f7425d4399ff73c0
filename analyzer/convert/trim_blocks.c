/* Writes the events of a part: blocks that lie in it are copied, those over an edge are cut and
 * encoded anew, and what is open when the part begins is told for tracks without events in it. What
 * was counted in the part and told behind it is told at the end of a track's last segment. */
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

static enum ludus_status add_event(struct rewriting *block, struct lcap_track_stream *stream,
                                   const struct lcap_event *event, uint64_t bits)
{
    struct lcap_encoder *encoder = block->trim->writer->encoder;
    const enum lcap_event_kind kind = (enum lcap_event_kind)event->kind;
    enum ludus_status status = lcap_events_add(encoder, kind, event->tick, event->site, bits);
    if (status == LUDUS_ERROR_LIMIT) {
        finish_block(block);
        lcap_events_start(encoder, block->clock);
        status = lcap_events_segment(encoder, stream, event->tick);
        if (status == LUDUS_OK)
            status = lcap_events_add(encoder, kind, event->tick, event->site, bits);
    }
    block->trim->first_event += status == LUDUS_OK;
    return status;
}

static enum ludus_status add_events(struct rewriting *block, const struct lcap_events *events,
                                    const struct trim_cut *cut, struct lcap_track_stream *stream)
{
    enum ludus_status status = LUDUS_OK;
    uint32_t value = cut->first_value;
    for (uint32_t i = cut->first; i < cut->end && status == LUDUS_OK; i++) {
        const struct lcap_symbol *symbol = &events->table[events->symbols[i]];
        const uint64_t bits = lcap_event_has_value(symbol->kind) ? events->values[value++] : 0;
        const struct lcap_event event = {events->ticks[i], symbol->site, symbol->kind};
        status = add_event(block, stream, &event, bits);
    }
    return status;
}

/* Not before `least`, the tick of the segment's last event. */
static enum ludus_status add_amounts(struct rewriting *block, const struct trim_track *track,
                                     uint64_t least, struct lcap_track_stream *stream)
{
    const struct trim *trim = block->trim;
    enum ludus_status status = LUDUS_OK;
    for (uint32_t at = track->first_amount; at != 0 && status == LUDUS_OK;
         at = trim->amounts[at - 1].next) {
        const struct lcap_event event = {.tick = trim_amounts_tick(trim, block->clock, least),
                                         .site = trim->amounts[at - 1].site,
                                         .kind = LCAP_EVENT_COUNT};
        status = add_event(block, stream, &event, trim->amounts[at - 1].bits);
    }
    return status;
}

/* `amounts` has those that the segment gets, or is NULL. */
static enum ludus_status put_cut_segment(struct rewriting *block, const struct lcap_events *events,
                                         const struct lcap_segment *segment, uint32_t *value,
                                         const struct trim_track *amounts)
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
    if (status == LUDUS_OK)
        status = add_events(block, events, &cut, stream);
    if (status == LUDUS_OK && amounts != NULL)
        status = add_amounts(
            block, amounts, cut.end == cut.first ? segment->start_tick : events->ticks[cut.end - 1],
            stream);
    return status;
}

/* By index. */
static enum ludus_status put_cut_block(struct rewriting *block, uint32_t index)
{
    struct trim *trim = block->trim;
    const struct lcap_events *events;
    struct lcap_item item;
    uint32_t value = 0;
    enum ludus_status status = trim_read_events(trim, trim->blocks[index].offset, &item, &events);
    if (status != LUDUS_OK)
        return status;
    block->clock = lcap_reader_clock(trim->capture->reader, events->header.clock);
    block->count = 0;
    block->open_used = 0;
    lcap_events_start(trim->writer->encoder, block->clock);
    for (uint32_t i = 0; i < events->header.segment_count && status == LUDUS_OK; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        const struct trim_track *track =
            &trim->tracks[trace_capture_track(trim->capture, segment->track)];
        const bool is_last = track->last_block == index + 1 && track->last_segment == i;
        status = put_cut_segment(block, events, segment, &value, is_last ? track : NULL);
    }
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

/* What is open on tracks that have no events in the part, and their amounts. */
static enum ludus_status put_heads(struct rewriting *block)
{
    struct trim *trim = block->trim;
    enum ludus_status status = LUDUS_OK;
    block->clock = NULL;
    block->count = 0;
    for (uint32_t i = 0; i < trim->track_count && status == LUDUS_OK; i++) {
        const struct trim_track *track = &trim->tracks[i];
        const bool has_amounts = track->first_amount != 0 && track->last_block == 0;
        if (track->open == NULL && !has_amounts)
            continue;
        const struct lcap_clock *clock = lcap_reader_clock(
            trim->capture->reader,
            track->open != NULL ? track->clock : trim->amounts[track->first_amount - 1].clock);
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
        if (status == LUDUS_OK && has_amounts)
            status = add_amounts(block, track, head_tick(trim, clock), stream);
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
            status = put_cut_block(block, i);
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
