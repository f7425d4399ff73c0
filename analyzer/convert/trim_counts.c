/* What counters of the part tell only behind it. An amount belongs to the time of the counter's
 * event before it (FORMAT.md, section 2.8), which may lie in the part when its own does not: then
 * it becomes an event at the part's end, or it would be missing there.
 *
 * Events are followed until each counter that told something in the part has told the next amount,
 * and each thread that began in it, and may tell a counter's first amount later, has ended. */
#include <stdlib.h>

#include "trim_state.h"

/* An event of a counter, and how its time lies to the part. */
struct telling {
    struct trim_track *track;
    uint32_t index; /* of the track */
    uint32_t clock;
    uint32_t site;
    uint64_t bits;
    int64_t time_ns;
    bool is_behind;
};

static bool is_in_part(const struct trim *trim, int64_t time_ns)
{
    return time_ns >= trim->from_ns && time_ns < trim->to_ns;
}

static bool add_amount(struct trim *trim, const struct telling *telling)
{
    if (!trace_array_grow(&trim->amounts, trim->amount_count, sizeof *trim->amounts))
        return false;
    trim->amounts[trim->amount_count++] =
        (struct trim_amount){.bits = telling->bits, .site = telling->site, .clock = telling->clock};
    struct trim_track *track = telling->track;
    if (track->first_amount == 0)
        track->first_amount = trim->amount_count;
    else
        trim->amounts[track->last_amount - 1].next = trim->amount_count;
    track->last_amount = trim->amount_count;
    return true;
}

static bool take_telling(struct trim *trim, const struct telling *telling)
{
    const uint32_t known = trim->counters.count;
    const struct trace_counter_time first = {.since_ns =
                                                 trim->model->tracks[telling->index].begin_ns};
    struct trace_counter_time *time =
        trace_counter_times_get(&trim->counters, telling->index, telling->site, first);
    if (time == NULL)
        return false;
    const bool is_of_part = is_in_part(trim, time->since_ns);
    const bool is_known = time->gaps == telling->track->gaps;
    time->since_ns = telling->time_ns;
    time->gaps = telling->track->gaps;
    trim->waiting += is_in_part(trim, telling->time_ns);
    trim->waiting -= is_of_part && trim->counters.count == known; /* the event before was there */
    return !telling->is_behind || !is_of_part || !is_known || add_amount(trim, telling);
}

bool trim_counts_take(struct trim *trim, const struct lcap_events *events,
                      const struct lcap_segment *segment, uint32_t *value)
{
    const uint32_t index = trace_capture_track(trim->capture, segment->track);
    struct trim_track *track = index == TRACE_NONE ? NULL : trim_track_at(trim, index);
    const struct trim_ticks *part = trim_ticks_of(trim, events->header.clock);
    if (track == NULL)
        return false;
    track->gaps += segment->events_before != track->followed;
    track->followed = segment->events_before + segment->event_count;
    if ((events->header.kinds >> LCAP_EVENT_COUNT & 1) == 0)
        return true;
    for (uint32_t i = 0; i < segment->event_count; i++) {
        const uint32_t at = segment->first_event + i;
        const struct lcap_symbol *symbol = &events->table[events->symbols[at]];
        const uint64_t bits = lcap_event_has_value(symbol->kind) ? events->values[(*value)++] : 0;
        const struct telling telling = {
            .track = track,
            .index = index,
            .clock = events->header.clock,
            .site = symbol->site,
            .bits = bits,
            .time_ns = trim_ns(trim, events->header.clock, events->ticks[at]),
            .is_behind = !trim_is_before_end(trim, part, events->ticks[at])};
        if (symbol->kind == LCAP_EVENT_COUNT && !take_telling(trim, &telling))
            return false;
    }
    return true;
}

/* --- behind the part ------------------------------------------------------------------------- */

int64_t trim_counts_until(const struct trim *trim)
{
    int64_t until_ns = INT64_MIN;
    for (uint32_t i = 0; i < trim->model->track_count; i++) {
        const struct trace_track *track = &trim->model->tracks[i];
        const int64_t end_ns = track->has_ended ? track->end_ns : INT64_MAX;
        if (is_in_part(trim, track->begin_ns) && end_ns > until_ns)
            until_ns = end_ns;
    }
    return until_ns;
}

enum ludus_status trim_counts_follow(struct trim *trim, uint64_t offset)
{
    const struct lcap_events *events;
    struct lcap_item item;
    uint32_t value = 0;
    enum ludus_status status = trim_read_events(trim, offset, &item, &events);
    for (uint32_t i = 0; status == LUDUS_OK && i < events->header.segment_count; i++)
        if (!trim_counts_take(trim, events, &events->segments[i], &value))
            status = LUDUS_ERROR_MEMORY;
    return status;
}

/* --- the part's last segments ---------------------------------------------------------------- */

uint64_t trim_amounts_tick(const struct trim *trim, const struct lcap_clock *clock, uint64_t least)
{
    const struct trim_ticks *part = trim_ticks_of(trim, clock->clock);
    if (part->to <= clock->offset || part->to <= least)
        return least;
    const uint64_t last = part->to - 1;
    const uint64_t tick = last - (last - clock->offset) % clock->step;
    return tick > least ? tick : least;
}

/* The amounts of a track go to the end of its last segment, so that the block has to be encoded
 * anew. */
static bool note_amounts(struct trim *trim, const struct trim_track *track, uint32_t id)
{
    const uint32_t clock = trim->amounts[track->first_amount - 1].clock;
    const struct trim_ticks *part = trim_ticks_of(trim, clock);
    for (uint32_t at = track->first_amount; at != 0; at = trim->amounts[at - 1].next) {
        trim_note_encoded(trim, trim->amounts[at - 1].site);
        if (!trim_use_site(trim, trim->amounts[at - 1].site))
            return false;
    }
    if (track->last_block == 0)
        return trim_use_track(trim, id) &&
               trace_clock_map_need(trim->capture->clocks, clock, part->from, part->to);
    struct trim_block *block = &trim->blocks[track->last_block - 1];
    block->is_cut = true;
    trim_note_encoded(trim, block->max_site);
    return trace_clock_map_need(trim->capture->clocks, block->clock, part->from,
                                trim_ticks_of(trim, block->clock)->to);
}

bool trim_note_amounts(struct trim *trim)
{
    for (uint32_t i = 0; i < trim->track_count; i++) {
        const struct trim_track *track = &trim->tracks[i];
        if (track->first_amount != 0 && !note_amounts(trim, track, trim->model->tracks[i].id))
            return false;
    }
    return true;
}
