/* Collects runs of scopes, which is what most events are, in two steps that the processor can
 * hurry through: the first follows the scopes and has all branches, the second has none. */
#include "encode_delta.h"

/* Events between the two steps: few enough to stay in the first cache. */
#define BATCH 128u

struct batch {
    uint32_t count;
    uint32_t begins;
    uint32_t instants;
    uint64_t steps; /* from its base to its last event */
    uint64_t deltas[BATCH];
};

/* Whole steps in `ticks`. They are few: below 2^32, the product with the reciprocal is right or one
 * too small. */
static inline uint64_t whole_steps(uint64_t ticks, uint64_t step, uint64_t reciprocal)
{
    if (__builtin_expect(ticks >> 32 != 0, 0))
        return ticks / step;
    uint64_t steps = ticks * reciprocal >> 32;
    return steps + (ticks - steps * step >= step);
}

/* Follows the leading events, at most BATCH, up to one that does not belong in a run, and writes
 * their contexts. Times are counted in steps from the track's last tick, which is on the grid. */
static void follow_batch(struct lcap_events_builder *events, const struct lcap_event *run,
                         uint32_t count, const struct lcap_run_ticks *ticks,
                         lcap_context *restrict contexts, struct batch *batch)
{
    const struct lcap_track_stream *track = events->track;
    struct lcap_open_scope *restrict open = track->open;
    lcap_context *restrict stack = events->stack;
    const uint64_t base_tick = track->last_tick;
    const uint64_t added = ticks->added, first = ticks->first, most = ticks->last - ticks->first;
    const uint64_t most_off = ticks->is_on_grid ? 0 : UINT64_MAX;
    const uint64_t clock_step = events->clock.step, reciprocal = events->step_reciprocal;
    const uint32_t max_site = events->max_site, open_capacity = track->open_capacity;
    uint32_t depth = track->depth, instants = 0, i = 0;
    uint64_t last = 0;
    for (; i < count; i++) {
        const struct lcap_event event = run[i];
        const uint64_t exact_tick = event.tick + added;
        if (event.tick - first > most || exact_tick < base_tick)
            break;
        uint64_t step = whole_steps(exact_tick - base_tick, clock_step, reciprocal);
        uint64_t tick = base_tick + step * clock_step;
        lcap_context context;
        if (step < last || exact_tick - tick > most_off)
            break;
        if (event.kind == LCAP_EVENT_END) {
            if (depth == 0)
                break;
            depth--;
            if (depth != 0)
                open[depth - 1].children_ticks += tick - open[depth].begin_tick;
            context = stack[depth];
        } else {
            /* Site 0 is none, and the greatest number here. */
            if (event.kind > LCAP_EVENT_INSTANT || event.site - 1 >= max_site ||
                events->symbol_count == LCAP_MAX_SYMBOLS ||
                (event.kind == LCAP_EVENT_BEGIN && depth == open_capacity))
                break;
            context = lcap_symbol_of(events, event.kind, event.site) * 2;
            if (event.kind == LCAP_EVENT_BEGIN) {
                open[depth] = (struct lcap_open_scope){.begin_tick = tick, .site = event.site};
                stack[depth++] = context + 1;
            } else {
                instants++;
            }
        }
        contexts[i] = context;
        batch->deltas[i] = step - last;
        last = step;
    }
    batch->count = i;
    batch->instants = instants;
    /* Each of the others opens a scope or closes one. */
    batch->begins = (i - instants + depth - track->depth) / 2;
    batch->steps = last;
}

/* Makes tokens and bits of the time differences. */
static void put_batch(struct lcap_encoder *encoder, const struct batch *batch)
{
    struct lcap_events_builder *events = &encoder->events;
    struct lcap_bins *restrict bins = encoder->grouper.bins;
    const uint32_t shared = encoder->grouper.context_count;
    const lcap_context *restrict contexts = events->contexts + events->event_count;
    uint8_t *restrict tokens = events->tokens + events->event_count;
    struct lcap_bit_writer writer = events->writer;
    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t slot = contexts[i] < shared ? contexts[i] : shared;
        lcap_put_delta(&bins[slot], &tokens[i], &writer, batch->deltas[i]);
    }
    events->writer = writer;
}

/* The block and the track after the batch. */
static void account(struct lcap_events_builder *events, const struct batch *batch)
{
    struct lcap_track_stream *track = events->track;
    uint32_t ends = batch->count - batch->begins - batch->instants;
    events->event_count += batch->count;
    events->segments[events->segment_count - 1].event_count += batch->count;
    events->kinds |= (uint32_t)(ends != 0) << LCAP_EVENT_END |
                     (uint32_t)(batch->begins != 0) << LCAP_EVENT_BEGIN |
                     (uint32_t)(batch->instants != 0) << LCAP_EVENT_INSTANT;
    track->event_count += batch->count;
    track->depth += batch->begins - ends;
    track->last_tick += batch->steps * events->clock.step;
}

struct lcap_run lcap_events_add_run(struct lcap_encoder *encoder, const struct lcap_event *run,
                                    uint32_t count, const struct lcap_run_ticks *ticks)
{
    struct lcap_events_builder *events = &encoder->events;
    struct lcap_run added = {0, 0, 0};
    struct batch batch;
    batch.count = BATCH;
    /* The first of a segment has no difference, and may be of another clock than the last. */
    if (!events->is_active || events->track == NULL ||
        events->segments[events->segment_count - 1].event_count == 0)
        return added;
    while (batch.count == BATCH) {
        uint32_t room = events->max_events - events->event_count;
        uint32_t left = count - added.count < room ? count - added.count : room;
        follow_batch(events, run + added.count, left < BATCH ? left : BATCH, ticks,
                     events->contexts + events->event_count, &batch);
        put_batch(encoder, &batch);
        account(events, &batch);
        added.count += batch.count;
        added.begins += batch.begins;
        added.instants += batch.instants;
    }
    uint64_t last_step = lcap_step_of(&events->clock, events->track->last_tick);
    if (last_step > events->last_step)
        events->last_step = last_step;
    return added;
}
