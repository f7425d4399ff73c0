/* Collects the events of many tracks for a block: each becomes a context, a token and bits as it
 * comes. */
#include <string.h>

#include "encode_delta.h"
#include "lcap_encoder.h"
#include "lcap_wire.h"

#define OCTAVE(bit)                                                                                \
    {                                                                                              \
        (bit) - 3, LCAP_TOKEN_DIRECT + ((bit)-6) * 8 - 8                                           \
    }

const struct lcap_token_rule lcap_token_rules[LCAP_TOKEN_MAX_BIT + 1] = {
    {0, 0},     {0, 0},     {0, 0},     {0, 0},     {0, 0},     {0, 0},     OCTAVE(6),  OCTAVE(7),
    OCTAVE(8),  OCTAVE(9),  OCTAVE(10), OCTAVE(11), OCTAVE(12), OCTAVE(13), OCTAVE(14), OCTAVE(15),
    OCTAVE(16), OCTAVE(17), OCTAVE(18), OCTAVE(19), OCTAVE(20), OCTAVE(21), OCTAVE(22), OCTAVE(23),
    OCTAVE(24), OCTAVE(25), OCTAVE(26), OCTAVE(27), OCTAVE(28)};

void lcap_events_start(struct lcap_encoder *encoder, const struct lcap_clock *clock)
{
    struct lcap_events_builder *events = &encoder->events;
    events->clock = *clock;
    events->step_reciprocal = (UINT64_C(1) << 32) / clock->step;
    events->track = NULL;
    events->event_count = 0;
    events->segment_count = 0;
    events->open_count = 0;
    events->symbol_count = 0;
    events->integers_size = 0;
    events->gauge_count = 0;
    events->kinds = 0;
    events->last_step = 0;
    events->writer = (struct lcap_bit_writer){.at = events->bits};
    memset(events->last_value, 0, sizeof events->last_value);
    if (++events->stamp > UINT16_MAX) { /* entries of 65,535 blocks ago would look current */
        memset(events->context_of[1], 0,
               (LCAP_EVENT_KINDS - 1) * ((size_t)events->max_site + 1) * sizeof(uint32_t));
        events->stamp = 1;
    }
    events->is_active = true;
}

/* The step in which a scope began; 0 for one that began in the time of another clock, below this
 * one's offset. */
static uint64_t begin_step_of(const struct lcap_clock *clock, uint64_t tick)
{
    return tick < clock->offset ? 0 : lcap_step_of(clock, tick);
}

uint32_t lcap_events_room(const struct lcap_encoder *encoder)
{
    uint32_t events = encoder->events.max_events - encoder->events.event_count;
    uint32_t symbols = LCAP_MAX_BLOCK_SYMBOLS - encoder->events.symbol_count;
    return events < symbols ? events : symbols;
}

void lcap_drop_empty_segment(struct lcap_events_builder *events)
{
    if (events->segment_count == 0)
        return;
    const struct lcap_pending_segment *last = &events->segments[events->segment_count - 1];
    if (last->event_count == 0 && last->open_count == 0)
        events->segment_count--;
}

enum ludus_status lcap_events_segment(struct lcap_encoder *encoder, struct lcap_track_stream *track,
                                      uint64_t start_tick)
{
    struct lcap_events_builder *events = &encoder->events;
    lcap_drop_empty_segment(events);
    if (events->segment_count == events->max_segments ||
        track->depth > events->max_open - events->open_count ||
        track->depth >= lcap_events_room(encoder))
        return LUDUS_ERROR_LIMIT;
    uint64_t known_tick = start_tick > track->last_tick ? start_tick : track->last_tick;
    for (uint32_t level = 0; level < track->depth; level++) {
        const struct lcap_open_scope *scope = &track->open[level];
        uint32_t context = lcap_context_of(events, LCAP_EVENT_BEGIN, scope->site);
        events->stack[level] = (lcap_context)(context + 1);
        events->open[events->open_count++] = (struct lcap_pending_open){
            .begin_step = begin_step_of(&events->clock, scope->begin_tick),
            .children_steps = scope->children_ticks / events->clock.step,
            .symbol = context / 2};
    }
    events->segments[events->segment_count++] =
        (struct lcap_pending_segment){.events_before = track->event_count,
                                      .start_step = lcap_step_of(&events->clock, known_tick),
                                      .track = track->track,
                                      .open_count = track->depth};
    events->track = track;
    return LUDUS_OK;
}

static void add_value(struct lcap_events_builder *events, enum lcap_event_kind kind, uint64_t value)
{
    if (kind == LCAP_EVENT_GAUGE) {
        lcap_store_u64(lcap_values_end(events) - (size_t)8 * ++events->gauge_count, value);
        return;
    }
    uint8_t *at = events->values + events->integers_size;
    uint8_t *end = lcap_store_varint(at, lcap_zigzag(value - events->last_value[kind]));
    events->integers_size += (size_t)(end - at);
    events->last_value[kind] = value;
}

static bool has_site(enum lcap_event_kind kind)
{
    return kind != LCAP_EVENT_END && kind != LCAP_EVENT_TRACK_SWITCH;
}

static bool may_lack_site(enum lcap_event_kind kind)
{
    return kind == LCAP_EVENT_FLOW_OUT || kind == LCAP_EVENT_FLOW_IN;
}

static enum ludus_status check_event(const struct lcap_encoder *encoder, enum lcap_event_kind kind,
                                     uint64_t tick, uint32_t site)
{
    const struct lcap_events_builder *events = &encoder->events;
    const struct lcap_track_stream *track = events->track;
    const struct lcap_clock *clock = &events->clock;
    if (!events->is_active || track == NULL || tick < track->last_tick || tick < clock->offset ||
        (clock->step != 1 && (tick - clock->offset) % clock->step != 0))
        return LUDUS_ERROR_ARGUMENT;
    if (kind == LCAP_EVENT_END ? track->depth == 0 : (uint32_t)kind >= LCAP_EVENT_KINDS)
        return LUDUS_ERROR_ARGUMENT;
    if (has_site(kind) && (site > events->max_site || (site == 0 && !may_lack_site(kind))))
        return LUDUS_ERROR_ARGUMENT;
    if (kind == LCAP_EVENT_BEGIN && track->depth == track->open_capacity)
        return LUDUS_ERROR_LIMIT;
    return lcap_events_room(encoder) == 0 ? LUDUS_ERROR_LIMIT : LUDUS_OK;
}

/* Follows the event's effect on the open scopes; returns its context. */
static inline lcap_context follow(struct lcap_events_builder *events,
                                  struct lcap_track_stream *track, uint32_t kind, uint64_t tick,
                                  uint32_t site)
{
    if (kind == LCAP_EVENT_END) {
        uint32_t level = --track->depth;
        if (level != 0)
            track->open[level - 1].children_ticks += tick - track->open[level].begin_tick;
        return events->stack[level];
    }
    uint32_t context = lcap_context_of(events, kind, site);
    if (kind == LCAP_EVENT_BEGIN) {
        track->open[track->depth] = (struct lcap_open_scope){.begin_tick = tick, .site = site};
        events->stack[track->depth++] = (lcap_context)(context + 1);
    }
    return (lcap_context)context;
}

enum ludus_status lcap_events_add(struct lcap_encoder *encoder, enum lcap_event_kind kind,
                                  uint64_t tick, uint32_t site, uint64_t value)
{
    enum ludus_status status = check_event(encoder, kind, tick, site);
    if (status != LUDUS_OK)
        return status;
    struct lcap_events_builder *events = &encoder->events;
    struct lcap_track_stream *track = events->track;
    struct lcap_pending_segment *segment = &events->segments[events->segment_count - 1];
    uint32_t index = events->event_count++;
    uint64_t step = lcap_step_of(&events->clock, tick);
    lcap_context context = follow(events, track, kind, tick, has_site(kind) ? site : 0);
    events->contexts[index] = context;
    if (segment->event_count++ == 0)
        segment->start_step = step;
    else
        lcap_put_delta(&encoder->grouper.bins[lcap_slot_of(&encoder->grouper, context)],
                       &events->tokens[index], &events->writer,
                       step - lcap_step_of(&events->clock, track->last_tick));
    if (step > events->last_step)
        events->last_step = step;
    events->kinds |= 1u << kind;
    if (kind >= LCAP_EVENT_FLOW_OUT)
        add_value(events, kind, value);
    track->last_tick = tick;
    track->event_count++;
    return LUDUS_OK;
}
