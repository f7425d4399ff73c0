/* Reads the tracks' chunks and writes events blocks of them. */
#include "collector_pass.h"
#include "recorder_core.h"

/* The events block that is being made. */
struct open_block {
    struct ludus_collector *collector;
    struct ludus_tally tally;
    struct ludus_track *track; /* of the current segment; NULL: none */
    bool is_open;
};

static void finish_block(struct open_block *block)
{
    struct ludus_capture_writer *writer = &block->collector->writer;
    if (!block->is_open)
        return;
    struct lcap_bytes bytes = {0};
    const enum ludus_status status = lcap_events_finish(writer->encoder, &bytes);
    block->is_open = false;
    block->track = NULL;
    if (status != LUDUS_OK || bytes.size > 0)
        ludus_writer_put(writer, status, bytes, &block->tally);
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
            if (!ludus_writer_is_ready(&collector->writer))
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

static void lose_event(struct ludus_collector *collector, struct ludus_track_drain *drain,
                       const struct ludus_event *event)
{
    struct ludus_tally tally = {0};
    count_event(&tally, event->kind);
    const struct ludus_loss loss = {tally.counts, event->tick, event->tick};
    if (ludus_loss_is_none(&loss))
        return;
    ludus_loss_merge(&drain->unwritten, &loss);
    ludus_loss_merge(&collector->dropped, &loss);
}

static void add_event(struct open_block *block, struct ludus_track *track,
                      const struct ludus_event *event)
{
    struct ludus_track_drain *drain = &track->drain;
    uint64_t tick = event->tick;
    if (tick < drain->stream.last_tick) {
        tick = drain->stream.last_tick;
        drain->clamped++;
    }
    if (prepare(block, track, tick) &&
        lcap_events_add(block->collector->writer.encoder, (enum lcap_event_kind)event->kind, tick,
                        event->site, 0) == LUDUS_OK)
        count_event(&block->tally, event->kind);
    else
        lose_event(block->collector, drain, event);
}

/* The end of what may be read of `chunk`, and whether that is the end of the pass. */
static const struct ludus_event *readable_end(const struct ludus_chunk *chunk,
                                              const struct ludus_event *limit, bool *is_last)
{
    const uintptr_t at = (uintptr_t)limit;
    *is_last =
        at >= (uintptr_t)chunk->events && at <= (uintptr_t)(chunk->events + LUDUS_CHUNK_EVENTS);
    return *is_last ? limit : chunk->events + chunk->count;
}

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
        const struct ludus_event *end = readable_end(drain->chunk, drain->limit, &is_last);
        while (drain->position < end)
            add_event(block, track, drain->position++);
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
    finish_block(&block);
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        if (drain->clamped == 0)
            continue;
        ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_CLOCK_STEPPED_BACK, drain->track,
                             drain->stream.last_tick, drain->clamped,
                             "ticks were raised to the one before");
        drain->clamped = 0;
    }
}
