/* Reads the tracks' chunks and writes events blocks of them. */
#include <string.h>

#include "collector_pass.h"
#include "recorder_core.h"

/* Of a chunk that comes next: what is read before the encoder asks for more. */
#define PREFETCHED_EVENTS 128u
#define EVENTS_PER_LINE   4u

/* The events block that is being made. */
struct open_block {
    struct ludus_collector *collector;
    struct ludus_tally tally;
    struct ludus_track *track; /* of the current segment; NULL: none */
    bool is_open;
};

static void finish_block(struct open_block *block)
{
    struct ludus_collector *collector = block->collector;
    if (!block->is_open)
        return;
    struct lcap_bytes bytes = {0};
    const enum ludus_status status = lcap_events_finish(collector->writer.encoder, &bytes);
    block->is_open = false;
    block->track = NULL;
    if (status != LUDUS_OK || bytes.size > 0)
        ludus_put_block(collector, status, bytes, &block->tally);
    block->tally = (struct ludus_tally){0};
}

/* Makes the next event one of `track`, in a block that has room for it. False: nothing can be
 * written any more. */
static bool prepare(struct open_block *block, struct ludus_track *track, uint64_t tick)
{
    struct ludus_collector *collector = block->collector;
    struct lcap_encoder *encoder = collector->writer.encoder;
    if (block->is_open && lcap_events_room(encoder) == 0)
        finish_block(block);
    for (int attempt = 0; attempt < 2; attempt++) {
        if (block->is_open && block->track == track)
            return true;
        if (!block->is_open) {
            if (!ludus_can_put(collector))
                return false;
            lcap_events_start(encoder, &collector->clock);
            block->is_open = true;
        }
        if (lcap_events_segment(encoder, &track->drain.stream, tick) == LUDUS_OK)
            block->track = track;
        else
            finish_block(block); /* no room for the segment's open scopes */
    }
    return block->is_open && block->track == track;
}

static void count_event(struct ludus_tally *tally, uint32_t kind)
{
    tally->counts.scopes += kind == LCAP_EVENT_BEGIN;
    tally->ends += kind == LCAP_EVENT_END;
    tally->counts.instants += kind == LCAP_EVENT_INSTANT;
    tally->counts.flows += kind == LCAP_EVENT_FLOW_OUT || kind == LCAP_EVENT_FLOW_IN;
    tally->counts.gauges += kind == LCAP_EVENT_GAUGE;
}

/* False: it could not be written. */
static bool encode(struct open_block *block, struct ludus_track *track, uint64_t tick,
                   const struct lcap_event *event, uint64_t value)
{
    if (!prepare(block, track, tick) ||
        lcap_events_add(block->collector->writer.encoder, (enum lcap_event_kind)event->kind, tick,
                        event->site, value) != LUDUS_OK)
        return false;
    count_event(&block->tally, event->kind);
    return true;
}

/* Adds the leading events up to `end` that need no second look, which are nearly all, and returns
 * what comes behind them. */
static const struct lcap_event *add_run(struct open_block *block, const struct ludus_track *track,
                                        const struct lcap_event *event,
                                        const struct lcap_event *end)
{
    if (!block->is_open || block->track != track)
        return event;
    const struct ludus_collector *collector = block->collector;
    const struct lcap_run_ticks ticks =
        ludus_watch_run(&collector->watch, !collector->chosen.is_coarse);
    const struct lcap_run run =
        lcap_events_add_run(collector->writer.encoder, event, (uint32_t)(end - event), &ticks);
    block->tally.counts.scopes += run.begins;
    block->tally.counts.instants += run.instants;
    block->tally.ends += run.count - run.begins - run.instants;
    return event + run.count;
}

/* Writes what a counter has gained up to `total`. False: it could not be written. */
static bool write_total(struct open_block *block, struct ludus_track *track, uint64_t tick,
                        uint32_t site, struct ludus_counter_cell *cell, int64_t total)
{
    const struct lcap_event event = {.site = site, .kind = LCAP_EVENT_COUNT};
    const uint64_t gain = (uint64_t)total - (uint64_t)cell->written_total;
    if (!encode(block, track, tick, &event, gain))
        return false;
    cell->written_total = total;
    return true;
}

/* Writes what a count tells. False: it could not be written. */
static bool write_count(struct open_block *block, struct ludus_track *track, uint64_t tick,
                        const struct lcap_event *event, const struct ludus_event_value *value)
{
    /* An increment of its own: one of nothing before it makes it count from its own tick on, and
     * not from the last one's. */
    if (value->cell == 0)
        return encode(block, track, tick, event, 0) &&
               encode(block, track, tick, event, value->value);
    struct ludus_counter_cell *cell = &track->cells[value->cell - 1];
    if (!write_total(block, track, tick, event->site, cell, (int64_t)value->value))
        return false;
    cell->read_epoch = value->epoch;
    return true;
}

/* The tick to store for a raw one: not before the track's last one, not in the future, and one that
 * the clock in use can hold. Sets whether it had to be moved. */
static uint64_t tick_to_store(struct open_block *block, const struct ludus_track_drain *drain,
                              uint64_t raw, bool *is_moved)
{
    struct ludus_collector *collector = block->collector;
    const uint64_t tick = ludus_watch_tick(&collector->watch, raw);
    if (!ludus_clock_holds(&collector->clock, tick) && !collector->chosen.is_coarse) {
        finish_block(block);
        ludus_clock_refine(collector, tick);
    }
    const uint64_t rounded = ludus_clock_round(&collector->clock, tick);
    *is_moved =
        rounded < drain->stream.last_tick || tick != ludus_watch_convert(&collector->watch, raw);
    return rounded < drain->stream.last_tick ? drain->stream.last_tick : rounded;
}

/* Adds the event at `event`, and returns what comes behind it; NULL when it could not be written,
 * and stays to be. */
static const struct lcap_event *add_event(struct open_block *block, struct ludus_track *track,
                                          const struct lcap_event *event)
{
    struct ludus_track_drain *drain = &track->drain;
    struct ludus_event_value value = {0};
    bool is_moved;
    const uint64_t tick = tick_to_store(block, drain, event->tick, &is_moved);
    if (ludus_event_places(event->kind) == 2)
        memcpy(&value, event + 1, sizeof value);
    if (event->kind == LCAP_EVENT_COUNT ? !write_count(block, track, tick, event, &value)
                                        : !encode(block, track, tick, event, value.value))
        return NULL;
    drain->clamped += is_moved;
    return event + ludus_event_places(event->kind);
}

/* Writes what the track's counters have gained behind the last event that tells of them. */
static void drain_counters(struct open_block *block, struct ludus_track *track)
{
    const struct ludus_track_drain *drain = &track->drain;
    const uint64_t tick = drain->stream.last_tick != 0
                              ? drain->stream.last_tick
                              : ludus_clock_round(&block->collector->clock, drain->begin_tick);
    const uint32_t *sites = block->collector->counter_sites;
    for (uint32_t i = 0; i < block->collector->counter_count && i < track->cell_count; i++) {
        struct ludus_counter_cell *cell = &track->cells[i];
        const int64_t total = atomic_load_explicit(&cell->total, memory_order_acquire);
        if (total != cell->written_total &&
            atomic_load_explicit(&cell->told_epoch, memory_order_acquire) == cell->read_epoch)
            (void)write_total(block, track, tick, sites[i], cell, total);
    }
}

/* The end of what may be read of `chunk`, and whether that is the end of the pass. */
static const struct lcap_event *readable_end(const struct ludus_chunk *chunk,
                                             const struct lcap_event *limit, bool *is_last)
{
    const uintptr_t at = (uintptr_t)limit;
    *is_last =
        at >= (uintptr_t)chunk->events && at <= (uintptr_t)(chunk->events + LUDUS_CHUNK_EVENTS);
    return *is_last ? limit : chunk->events + chunk->count;
}

/* Asks for the beginning of the chunk behind `chunk`; the encoder asks for the rest as it reads. */
static void prefetch_next(const struct ludus_chunk *chunk)
{
    /* Relaxed: nothing is read through it, and a prefetch of any address is harmless. */
    const struct ludus_chunk *next = atomic_load_explicit(&chunk->next, memory_order_relaxed);
    for (uint32_t i = 0; next != NULL && i < PREFETCHED_EVENTS; i += EVENTS_PER_LINE)
        __builtin_prefetch(&next->events[i]);
}

/* Reads as far as can be written. */
static void drain_track(struct open_block *block, struct ludus_track *track)
{
    struct ludus_track_drain *drain = &track->drain;
    if (drain->limit == NULL)
        return;
    if (drain->chunk == NULL) {
        drain->chunk = atomic_load_explicit(&track->head, memory_order_acquire);
        drain->position = drain->chunk->events;
    }
    for (;;) {
        bool is_last;
        const struct lcap_event *end = readable_end(drain->chunk, drain->limit, &is_last);
        prefetch_next(drain->chunk);
        for (;;) {
            drain->position = add_run(block, track, drain->position, end);
            if (drain->position >= end)
                break;
            const struct lcap_event *next_event = add_event(block, track, drain->position);
            if (next_event == NULL)
                return;
            drain->position = next_event;
        }
        if (is_last)
            return;
        /* The thread has left this chunk, as the limit is elsewhere; its link was set before. */
        struct ludus_chunk *next = atomic_load_explicit(&drain->chunk->next, memory_order_acquire);
        ludus_chunk_pool_put(track->pool, drain->chunk);
        drain->chunk = next;
        drain->position = next->events;
    }
}

void ludus_drain_events(struct ludus_collector *collector)
{
    struct open_block block = {.collector = collector};
    for (uint32_t i = 0; i < collector->track_count; i++)
        drain_track(&block, collector->tracks[i]);
    for (uint32_t i = 0; i < collector->track_count; i++)
        drain_counters(&block, collector->tracks[i]);
    finish_block(&block);
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        if (drain->clamped == 0)
            continue;
        ludus_put_diagnostic(
            collector, LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK, drain->track, drain->stream.last_tick,
            drain->clamped,
            "ticks were raised to the one before, or lowered to when they were read");
        drain->clamped = 0;
    }
}

static void count_kept(const struct ludus_track_drain *drain, struct ludus_tally *tally)
{
    const struct ludus_chunk *chunk = drain->chunk;
    const struct lcap_event *event = drain->position;
    bool is_last = drain->limit == NULL || chunk == NULL;
    while (!is_last) {
        const struct lcap_event *end = readable_end(chunk, drain->limit, &is_last);
        while (event < end) {
            count_event(tally, event->kind);
            event += ludus_event_places(event->kind);
        }
        if (!is_last) {
            chunk = atomic_load_explicit(&chunk->next, memory_order_acquire);
            event = chunk->events;
        }
    }
}

struct lcap_counts ludus_collector_kept(const struct ludus_collector *collector)
{
    struct ludus_tally tally = collector->writer.in_pending;
    struct ludus_frame_ring *ring = atomic_load(&ludus_core.frames);
    const uint32_t count = ludus_tracks_scan(collector->tracks);
    for (uint32_t i = 0; i < count; i++) {
        struct ludus_track *track = collector->tracks[i];
        struct ludus_track_drain drain = track->drain;
        if (drain.chunk == NULL && drain.limit != NULL) {
            drain.chunk = atomic_load_explicit(&track->head, memory_order_acquire);
            drain.position = drain.chunk != NULL ? drain.chunk->events : NULL;
        }
        count_kept(&drain, &tally);
    }
    tally.counts.frames += ludus_frame_ring_head(ring) - ludus_frame_ring_tail(ring);
    return tally.counts;
}
