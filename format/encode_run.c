/* Collects runs of scopes, which is what most events are, batch by batch and in four steps, each so
 * simple that the processor can hurry through it: when (time_batch), what (follow_batch), how far
 * apart (split_deltas, which compilers make vector instructions of), and what is counted and packed
 * (put_batch). Whatever is unusual ends the run and is left to lcap_events_add. */
#include <string.h>

#include "encode_delta.h"

/* Events between the steps: few enough to stay in the first cache. Even. */
#define BATCH 128u

/* Events further apart, in ticks, end a run. A float holds smaller numbers exactly, and a batch of
 * them is less than 2^32 long. */
#define FAR_APART (UINT32_C(1) << 24)

/* The next batch is asked for while this one is read: another core has written it, and the
 * processor would find out by itself only when it has waited for some. Beyond the run's end that is
 * harmless. */
#define AHEAD_BYTES (BATCH * sizeof(struct lcap_event))

/* An IEEE 754 float: how many bits its fraction has, and what its exponent is of 1. */
#define FLOAT_BITS 23u
#define FLOAT_BIAS 127u

/* What is subtracted from the upper bits of a float, three of the fraction included, to make a
 * token: 64 is the first number with bits behind its token. */
#define FLOAT_TOKENS ((FLOAT_BIAS + 6) * 8 - LCAP_TOKEN_DIRECT)

struct batch {
    uint32_t count;
    uint32_t begins;
    uint32_t instants;
    uint32_t offsets[BATCH]; /* of the ticks, on the grid, from the track's last one */
    uint32_t deltas[BATCH];  /* steps from the event before */
    uint32_t low[BATCH];     /* what of them is not in their tokens, */
    uint8_t low_bits[BATCH]; /* and how many bits that has */
};

/* Measures the leading events up to one that is of another kind, before the one before it, or far
 * behind that. Returns how many. */
static uint32_t measure_ticks(const struct lcap_event *run, uint32_t count, uint64_t base,
                              struct batch *batch)
{
    uint64_t last = base;
    uint32_t i = 0;
    for (; i < count; i++) {
        const uint64_t tick = run[i].tick, delta = tick - last;
        __builtin_prefetch((const void *)((uintptr_t)&run[i] + AHEAD_BYTES));
        if (run[i].kind > LCAP_EVENT_INSTANT || delta >= FAR_APART)
            break;
        batch->deltas[i] = (uint32_t)delta;
        batch->offsets[i] = (uint32_t)(tick - base);
        last = tick;
    }
    return i;
}

/* Makes steps of ticks. The product with the reciprocal is right or one too small. Returns how many
 * are on the grid; `may_round` says that all others are rounded down. */
static uint32_t measure_steps(uint32_t count, const struct lcap_events_builder *events,
                              bool may_round, struct batch *batch)
{
    const uint32_t clock_step = (uint32_t)events->clock.step;
    const uint64_t reciprocal = events->step_reciprocal;
    uint32_t last = 0, i = 0;
    for (; i < count; i++) {
        const uint32_t offset = batch->offsets[i];
        uint32_t step = (uint32_t)(offset * reciprocal >> 32);
        uint32_t off_grid = offset - step * clock_step;
        const uint32_t is_short = off_grid >= clock_step;
        step += is_short;
        off_grid -= is_short ? clock_step : 0;
        if (off_grid != 0 && !may_round)
            break;
        batch->offsets[i] = offset - off_grid;
        batch->deltas[i] = step - last;
        last = step;
    }
    return i;
}

/* Measures the leading events that may be in the run. */
static uint32_t time_batch(const struct lcap_events_builder *events, const struct lcap_event *run,
                           uint32_t count, const struct lcap_run_ticks *ticks, struct batch *batch)
{
    const uint64_t last_tick = events->track->last_tick, base = last_tick - ticks->added;
    if (count == 0 || run[0].tick - ticks->first > ticks->last - ticks->first)
        return 0;
    uint32_t measured = measure_ticks(run, count, base, batch);
    /* They rise, so that only the last ones can be beyond what the run or a tick may be. */
    const uint64_t most = ticks->last - base, most_left = UINT64_MAX - last_tick;
    const uint64_t room = most < most_left ? most : most_left;
    while (measured != 0 && batch->offsets[measured - 1] > room)
        measured--;
    if (events->clock.step == 1)
        return measured;
    return events->clock.step >> 32 != 0
               ? 0
               : measure_steps(measured, events, !ticks->is_on_grid, batch);
}

/* The context of an event that is new to the block, or 0 when it does not belong in a run. */
__attribute__((noinline)) static uint32_t new_context(struct lcap_events_builder *events,
                                                      uint32_t kind, uint32_t site)
{
    if (site == 0 || site > events->max_site || events->symbol_count == LCAP_MAX_BLOCK_SYMBOLS)
        return 0;
    return lcap_context_of(events, kind, site);
}

/* Follows the scopes of the first `count` events, up to one that does not belong in a run, and
 * writes their contexts. What it reads again and again is copied, as a compiler cannot know that
 * the stores leave it alone. */
static void follow_batch(struct lcap_events_builder *events, const struct lcap_event *run,
                         uint32_t count, lcap_context *restrict contexts, struct batch *batch)
{
    const struct lcap_track_stream *track = events->track;
    struct lcap_open_scope *const open = track->open, *top = open + track->depth;
    const struct lcap_open_scope *const limit = open + track->open_capacity;
    lcap_context *stack = events->stack + track->depth;
    const uint64_t base_tick = track->last_tick;
    const uint32_t *const begins = events->context_of[LCAP_EVENT_BEGIN];
    const uint32_t stamp = events->stamp << 16, max_site = events->max_site;
    uint32_t instants = 0, i = 0;
    for (; i < count; i++) {
        const uint64_t tick = base_tick + batch->offsets[i];
        const uint32_t site = run[i].site;
        uint32_t context;
        if (run[i].kind == LCAP_EVENT_END) {
            if (top == open)
                break;
            top--;
            if (top != open)
                top[-1].children_ticks += tick - top->begin_tick;
            context = *--stack;
        } else if (run[i].kind == LCAP_EVENT_BEGIN) {
            if (top == limit || site > max_site)
                break;
            context = begins[site] ^ stamp;
            if (context > UINT16_MAX &&
                (context = new_context(events, LCAP_EVENT_BEGIN, site)) == 0)
                break;
            top->begin_tick = tick;
            top->children_ticks = 0;
            top->site = site;
            top++;
            *stack++ = (lcap_context)(context + 1);
        } else {
            context = new_context(events, LCAP_EVENT_INSTANT, site);
            if (context == 0)
                break;
            instants++;
        }
        contexts[i] = (lcap_context)context;
    }
    batch->count = i;
    batch->instants = instants;
    /* Each of the others opens a scope or closes one. */
    batch->begins = (i - instants + (uint32_t)(top - open) - track->depth) / 2;
}

/* Makes tokens of the time differences, and keeps what is not in them: what lcap_put_delta does,
 * for vector instructions, which have no shifts by different numbers of bits. So the floating-point
 * unit does them: a float has the highest bit in its exponent and the next ones on top of its
 * fraction. */
static void split_deltas(struct batch *restrict batch, uint8_t *restrict tokens)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint32_t delta = batch->deltas[i];
        const float exact = (float)(int32_t)delta;
        uint32_t bits;
        memcpy(&bits, &exact, sizeof bits);
        const uint32_t cut = bits & ~((UINT32_C(1) << (FLOAT_BITS - 3)) - 1);
        float leading;
        memcpy(&leading, &cut, sizeof leading);
        const uint32_t is_short = delta < LCAP_TOKEN_DIRECT ? UINT32_MAX : 0;
        const uint32_t octaves = (bits >> (FLOAT_BITS - 3)) - FLOAT_TOKENS;
        tokens[i] = (uint8_t)((delta & is_short) | (octaves & ~is_short));
        batch->low[i] = (delta - (uint32_t)(int32_t)leading) & ~is_short;
        batch->low_bits[i] = (uint8_t)(((bits >> FLOAT_BITS) - FLOAT_BIAS - 3) & ~is_short);
    }
}

/* Counts the tokens and writes what is not in them, of two events at a time. */
static void put_batch(struct lcap_encoder *encoder, struct batch *batch,
                      const lcap_context *restrict contexts, const uint8_t *restrict tokens)
{
    struct lcap_bins *restrict bins = encoder->grouper.bins;
    const uint32_t mask = encoder->grouper.slot_count - 1;
    struct lcap_bit_writer writer = encoder->events.writer;
    const uint32_t count = batch->count, even = count & ~1u;
    for (uint32_t i = 0; i < even; i += 2) {
        const uint32_t bits = batch->low_bits[i];
        bins[contexts[i] & mask].count[lcap_bin_of_token[tokens[i]]]++;
        bins[contexts[i + 1] & mask].count[lcap_bin_of_token[tokens[i + 1]]]++;
        lcap_put_bits(&writer, batch->low[i] | (uint64_t)batch->low[i + 1] << bits,
                      bits + batch->low_bits[i + 1]);
    }
    if (even != count) {
        bins[contexts[even] & mask].count[lcap_bin_of_token[tokens[even]]]++;
        lcap_put_bits(&writer, batch->low[even], batch->low_bits[even]);
    }
    encoder->events.writer = writer;
}

/* The block and the track after the batch. */
static void account(struct lcap_events_builder *events, const struct batch *batch)
{
    struct lcap_track_stream *track = events->track;
    uint32_t ends = batch->count - batch->begins - batch->instants;
    if (batch->count == 0)
        return;
    events->event_count += batch->count;
    events->segments[events->segment_count - 1].event_count += batch->count;
    events->kinds |= (uint32_t)(ends != 0) << LCAP_EVENT_END |
                     (uint32_t)(batch->begins != 0) << LCAP_EVENT_BEGIN |
                     (uint32_t)(batch->instants != 0) << LCAP_EVENT_INSTANT;
    track->event_count += batch->count;
    track->depth += batch->begins - ends;
    track->last_tick += batch->offsets[batch->count - 1];
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
        lcap_context *contexts = events->contexts + events->event_count;
        uint8_t *tokens = events->tokens + events->event_count;
        uint32_t room = events->max_events - events->event_count;
        uint32_t left = count - added.count < room ? count - added.count : room;
        const struct lcap_event *next = run + added.count;
        uint32_t timed = time_batch(events, next, left < BATCH ? left : BATCH, ticks, &batch);
        follow_batch(events, next, timed, contexts, &batch);
        split_deltas(&batch, tokens);
        put_batch(encoder, &batch, contexts, tokens);
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
