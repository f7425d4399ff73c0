/* Looks at the events of a part: which blocks it has, what they use, and what is open when it
 * begins on tracks without events in it. */
#include <stdlib.h>
#include <string.h>

#include "trim_state.h"

enum place { BEFORE, INSIDE, OVER_AN_EDGE, BEHIND };

/* --- looking --------------------------------------------------------------------------------- */

/* The fixed part alone: most blocks of a long recording lie outside. */
static enum ludus_status read_header(const struct trim *trim, uint64_t offset,
                                     struct lcap_events_header *header)
{
    uint8_t bytes[LCAP_EVENTS_HEADER_SIZE];
    const struct lcap_block block = {.payload = {bytes, sizeof bytes}};
    enum ludus_status status = trim->source.read_at(
        trim->source.context, offset + LCAP_BLOCK_HEADER_SIZE, bytes, sizeof bytes);
    if (status != LUDUS_OK)
        return status;
    return lcap_read_events_header(&block, header) == LCAP_DAMAGE_NONE ? LUDUS_OK
                                                                       : LUDUS_ERROR_DAMAGED;
}

static void ticks_of_block(const struct lcap_clock *clock, const struct lcap_events_header *header,
                           struct trim_ticks *ticks)
{
    ticks->from = clock->offset + header->base_step * clock->step;
    ticks->to = clock->offset + header->last_step * clock->step;
}

static enum place place_of(const struct trim *trim, const struct lcap_events_header *header)
{
    const struct lcap_clock *clock = lcap_reader_clock(trim->capture->reader, header->clock);
    const struct trim_ticks *part = trim_ticks_of(trim, header->clock);
    struct trim_ticks block;
    if (clock == NULL || part == NULL)
        return BEFORE;
    ticks_of_block(clock, header, &block);
    if (block.to < part->from)
        return BEFORE;
    if (block.from >= part->to && !trim->is_to_end)
        return BEHIND;
    return block.from >= part->from && (block.to < part->to || trim->is_to_end) ? INSIDE
                                                                                : OVER_AN_EDGE;
}

enum ludus_status trim_read_events(const struct trim *trim, uint64_t offset, struct lcap_item *item,
                                   const struct lcap_events **events)
{
    enum ludus_status status = lcap_reader_read(trim->capture->reader, offset, item);
    *events = lcap_reader_events(trim->capture->reader);
    return status == LUDUS_OK && *events == NULL ? LUDUS_ERROR_DAMAGED : status;
}

struct trim_cut trim_cut_segment(const struct trim *trim, const struct lcap_events *events,
                                 const struct lcap_segment *segment, uint32_t *value,
                                 struct lcap_open_scope *open)
{
    const struct trim_ticks *part = trim_ticks_of(trim, events->header.clock);
    const uint32_t end = segment->first_event + segment->event_count;
    struct trim_cut cut = {.depth = segment->open_count};
    uint32_t i = segment->first_event;
    if (cut.depth != 0)
        memcpy(open, events->open + segment->first_open, cut.depth * sizeof *open);
    for (; i < end && events->ticks[i] < part->from; i++) {
        const struct lcap_symbol *symbol = &events->table[events->symbols[i]];
        *value += lcap_event_has_value(symbol->kind);
        if (symbol->kind == LCAP_EVENT_BEGIN) {
            open[cut.depth++] =
                (struct lcap_open_scope){.begin_tick = events->ticks[i], .site = symbol->site};
        } else if (symbol->kind == LCAP_EVENT_END) {
            cut.depth--;
            if (cut.depth != 0)
                open[cut.depth - 1].children_ticks += events->ticks[i] - open[cut.depth].begin_tick;
        }
    }
    cut.first = i;
    cut.first_value = *value;
    while (i < end && trim_is_before_end(trim, part, events->ticks[i]))
        *value += lcap_event_has_value(events->table[events->symbols[i++]].kind);
    cut.end = i;
    cut.is_kept =
        cut.end != cut.first || (segment->event_count == 0 && segment->start_tick >= part->from &&
                                 trim_is_before_end(trim, part, segment->start_tick));
    for (; i < end; i++)
        *value += lcap_event_has_value(events->table[events->symbols[i]].kind);
    return cut;
}

/* --- noting ---------------------------------------------------------------------------------- */

void trim_note_encoded(struct trim *trim, uint32_t site)
{
    if (site > trim->max_site)
        trim->max_site = site;
}

static bool note_open(struct trim *trim, uint32_t clock, const struct lcap_open_scope *open,
                      uint32_t depth)
{
    for (uint32_t level = 0; level < depth; level++) {
        if (!trim_use_site(trim, open[level].site) ||
            !trim_use_tick(trim, clock, open[level].begin_tick) ||
            !trim_use_tick(trim, clock, open[level].begin_tick + open[level].children_ticks))
            return false;
    }
    return true;
}

/* How many of its events are of which kind. */
static void count_kept(struct trim *trim, const struct lcap_events *events,
                       const struct trim_cut *cut)
{
    uint64_t kinds[LCAP_EVENT_KINDS] = {0};
    struct lcap_counts *counts = &trim->recorded;
    for (uint32_t i = cut->first; i < cut->end; i++)
        kinds[events->table[events->symbols[i]].kind]++;
    counts->scopes += kinds[LCAP_EVENT_BEGIN];
    counts->instants += kinds[LCAP_EVENT_INSTANT];
    counts->flows += kinds[LCAP_EVENT_FLOW_OUT] + kinds[LCAP_EVENT_FLOW_IN];
    counts->gauges += kinds[LCAP_EVENT_GAUGE];
}

/* The sites of a block that is copied: all that it names, used or not. */
static bool note_table(struct trim *trim, const struct lcap_events *events)
{
    uint32_t *most = &trim->blocks[trim->block_count - 1].max_site;
    for (uint32_t i = 1; i <= events->header.symbol_count; i++) {
        if (events->table[i].site > *most)
            *most = events->table[i].site;
        if (!trim_use_site(trim, events->table[i].site))
            return false;
    }
    return true;
}

/* Those of a segment that is encoded anew. */
static bool note_sites(struct trim *trim, const struct lcap_events *events,
                       const struct trim_cut *cut, const struct lcap_open_scope *open)
{
    for (uint32_t level = 0; level < cut->depth; level++)
        trim_note_encoded(trim, open[level].site);
    for (uint32_t i = cut->first; i < cut->end; i++) {
        const uint32_t site = events->table[events->symbols[i]].site;
        trim_note_encoded(trim, site);
        if (!trim_use_site(trim, site))
            return false;
    }
    return true;
}

static bool add_block(struct trim *trim, const struct lcap_item *item,
                      const struct lcap_events_header *header, enum place place)
{
    if (!trace_array_grow(&trim->blocks, trim->block_count, sizeof *trim->blocks))
        return false;
    trim->blocks[trim->block_count++] = (struct trim_block){.offset = item->offset,
                                                            .size = item->size,
                                                            .events = header->event_count,
                                                            .clock = header->clock,
                                                            .is_cut = place == OVER_AN_EDGE};
    if (trim->block_count != 1)
        return true;
    trim->first_event = header->first_event;
    trim->clock = header->clock;
    return true;
}

static enum ludus_status note_block(struct trim *trim, uint64_t offset,
                                    const struct lcap_events_header *header, enum place place,
                                    struct lcap_open_scope *scratch)
{
    const struct lcap_clock *clock = lcap_reader_clock(trim->capture->reader, header->clock);
    const struct lcap_events *events;
    struct trim_ticks block;
    struct lcap_item item;
    enum ludus_status status = trim_read_events(trim, offset, &item, &events);
    if (status != LUDUS_OK)
        return status;
    ticks_of_block(clock, header, &block);
    if (!trace_clock_map_need(trim->capture->clocks, header->clock, block.from, block.to) ||
        !add_block(trim, &item, header, place) || (place == INSIDE && !note_table(trim, events)))
        return LUDUS_ERROR_MEMORY;
    uint32_t value = 0, counted = 0;
    for (uint32_t i = 0; i < events->header.segment_count; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        const struct trim_cut cut = trim_cut_segment(trim, events, segment, &value, scratch);
        if (!trim_counts_take(trim, events, segment, &counted))
            return LUDUS_ERROR_MEMORY;
        if (!cut.is_kept)
            continue;
        count_kept(trim, events, &cut);
        if (!trim_use_track(trim, segment->track) ||
            !note_open(trim, header->clock, scratch, cut.depth) ||
            (place == OVER_AN_EDGE && !note_sites(trim, events, &cut, scratch)))
            return LUDUS_ERROR_MEMORY;
        struct trim_track *track =
            &trim->tracks[trace_capture_track(trim->capture, segment->track)];
        track->is_in_part = true;
        track->last_block = trim->block_count;
        track->last_segment = i;
    }
    return LUDUS_OK;
}

/* Whether a track has been there in the part. */
static bool is_alive(const struct trim *trim, uint32_t index)
{
    const struct trace_track *track = &trim->model->tracks[index];
    return track->begin_ns <= trim->to_ns && (!track->has_ended || track->end_ns >= trim->from_ns);
}

/* Damage may have taken what would say that a scope has ended before the part. */
static void note_torn(struct trim *trim)
{
    trim->torn_ns = INT64_MIN;
    for (uint32_t i = 0; i < trim->track_count; i++)
        trim->tracks[i].torn_ns = INT64_MIN;
    for (uint32_t i = 0; i < trim->model->loss_count; i++) {
        const struct trace_loss *loss = &trim->model->losses[i];
        int64_t *torn_ns =
            loss->track < trim->track_count ? &trim->tracks[loss->track].torn_ns : &trim->torn_ns;
        if (loss->cause == TRACE_LOSS_DAMAGE && loss->begin_ns <= trim->from_ns &&
            loss->end_ns > *torn_ns)
            *torn_ns = loss->end_ns;
    }
}

static bool is_torn(const struct trim *trim, uint32_t index, int64_t begin_ns)
{
    return trim->torn_ns >= begin_ns || trim->tracks[index].torn_ns >= begin_ns;
}

/* Keeps what is open on a track where a segment of it, the last one before the part, ends. */
static bool resolve(struct trim *trim, uint32_t index, const struct lcap_events *events,
                    const struct lcap_segment *segment, struct lcap_open_scope *scratch)
{
    uint32_t value = 0;
    struct trim_track *track = &trim->tracks[index];
    const uint32_t clock = events->header.clock;
    const struct trim_cut cut = trim_cut_segment(trim, events, segment, &value, scratch);
    const uint64_t last_tick =
        cut.first == segment->first_event ? segment->start_tick : events->ticks[cut.first - 1];
    track->is_resolved = true;
    if (cut.depth == 0 || is_torn(trim, index, trim_ns(trim, clock, last_tick)))
        return true;
    for (uint32_t level = 0; level < cut.depth; level++)
        trim_note_encoded(trim, scratch[level].site);
    track->open = malloc(cut.depth * sizeof *track->open);
    if (track->open == NULL)
        return false;
    memcpy(track->open, scratch, cut.depth * sizeof *track->open);
    track->depth = cut.depth;
    track->clock = clock;
    track->events = segment->events_before + (cut.first - segment->first_event);
    return trim_use_track(trim, segment->track) && note_open(trim, clock, scratch, cut.depth) &&
           trim_use_tick(trim, clock, trim_ticks_of(trim, clock)->from);
}

static enum ludus_status resolve_block(struct trim *trim, uint64_t offset, uint32_t *left,
                                       struct lcap_open_scope *scratch)
{
    const struct lcap_events *events;
    struct lcap_item item;
    enum ludus_status status = trim_read_events(trim, offset, &item, &events);
    if (status != LUDUS_OK)
        return status;
    const struct trim_ticks *part = trim_ticks_of(trim, events->header.clock);
    for (uint32_t i = events->header.segment_count; i-- > 0 && *left != 0;) {
        const struct lcap_segment *segment = &events->segments[i];
        const uint32_t index = trace_capture_track(trim->capture, segment->track);
        struct trim_track *track = trim_track_at(trim, index);
        if (track == NULL)
            return LUDUS_ERROR_MEMORY;
        if (track->is_in_part || track->is_resolved || !is_alive(trim, index) ||
            segment->start_tick >= part->from)
            continue;
        if (!resolve(trim, index, events, segment, scratch))
            return LUDUS_ERROR_MEMORY;
        *left -= index < trim->known_tracks; /* the others were not counted */
    }
    return LUDUS_OK;
}

/* Looks back for what is open on tracks that have no events in the part: from the last block that
 * begins before it, until all are known. Where the capture's own end is not known, nor is it
 * whether a scope without an end was still open. */
static enum ludus_status resolve_silent(struct trim *trim, struct lcap_open_scope *scratch)
{
    const struct trace_offsets *offsets = &trim->capture->events;
    uint32_t left = 0;
    trim->known_tracks = trim->model->track_count;
    for (uint32_t i = 0; i < trim->model->track_count && trim->has_end; i++) {
        const struct trim_track *track = trim_track_at(trim, i);
        if (track == NULL)
            return LUDUS_ERROR_MEMORY;
        left += !track->is_in_part && is_alive(trim, i);
    }
    note_torn(trim);
    for (uint32_t i = offsets->count; i-- > 0 && left != 0;) {
        struct lcap_events_header header;
        struct trim_ticks block;
        enum ludus_status status = read_header(trim, offsets->items[i], &header);
        if (status != LUDUS_OK)
            return status;
        const struct lcap_clock *clock = lcap_reader_clock(trim->capture->reader, header.clock);
        const struct trim_ticks *part = trim_ticks_of(trim, header.clock);
        if (clock == NULL || part == NULL)
            continue;
        ticks_of_block(clock, &header, &block);
        if (block.from < part->from)
            status = resolve_block(trim, offsets->items[i], &left, scratch);
        if (status != LUDUS_OK)
            return status;
    }
    return LUDUS_OK;
}

struct lcap_open_scope *trim_allocate_scopes(void)
{
    return malloc(2 * ((size_t)LCAP_MAX_EVENTS + 1) * sizeof(struct lcap_open_scope));
}

/* A block behind the part is of interest as long as it may tell what was counted in it. */
static enum ludus_status look_behind(struct trim *trim, uint64_t offset,
                                     const struct lcap_events_header *header, int64_t until_ns)
{
    struct trim_ticks block;
    ticks_of_block(lcap_reader_clock(trim->capture->reader, header->clock), header, &block);
    if (trim->waiting == 0 && trim_ns(trim, header->clock, block.from) > until_ns)
        return LUDUS_OK;
    return trim_counts_follow(trim, offset);
}

enum ludus_status trim_note_events(struct trim *trim)
{
    const struct trace_offsets *offsets = &trim->capture->events;
    const int64_t until_ns = trim_counts_until(trim);
    struct lcap_open_scope *scratch = trim_allocate_scopes();
    enum ludus_status status = scratch == NULL ? LUDUS_ERROR_MEMORY : LUDUS_OK;
    for (uint32_t i = 0; i < offsets->count && status == LUDUS_OK; i++) {
        struct lcap_events_header header;
        status = read_header(trim, offsets->items[i], &header);
        if (status != LUDUS_OK)
            break;
        const enum place place = place_of(trim, &header);
        if (place == BEHIND)
            status = look_behind(trim, offsets->items[i], &header, until_ns);
        else if (place != BEFORE)
            status = note_block(trim, offsets->items[i], &header, place, scratch);
    }
    if (status == LUDUS_OK)
        status = resolve_silent(trim, scratch);
    free(scratch);
    return status == LUDUS_OK && !trim_note_amounts(trim) ? LUDUS_ERROR_MEMORY : status;
}
