/* Makes an events block of the events that were collected: its columns, one after the other. */
#include <string.h>

#include "lcap_encoder.h"
#include "lcap_wire.h"

/* A context that no event has: a context is at least that of symbol 1. */
#define NO_TOKEN 0u

static uint8_t *write_segments(struct lcap_encoder *encoder, uint8_t *at, uint64_t base_step)
{
    const struct lcap_events_builder *events = &encoder->events;
    uint8_t *raw = encoder->scratch;
    for (uint32_t i = 0; i < events->segment_count; i++) {
        const struct lcap_pending_segment *segment = &events->segments[i];
        raw = lcap_store_varint(raw, segment->track);
        raw = lcap_store_varint(raw, segment->events_before);
        raw = lcap_store_varint(raw, segment->event_count);
        raw = lcap_store_varint(raw, segment->open_count);
        raw = lcap_store_varint(raw, segment->start_step - base_step);
    }
    return lcap_write_column(encoder, at, encoder->scratch, (size_t)(raw - encoder->scratch),
                             LCAP_CODING_MATCHES);
}

static uint8_t *write_open(struct lcap_encoder *encoder, uint8_t *at)
{
    const struct lcap_events_builder *events = &encoder->events;
    const struct lcap_pending_open *open = events->open;
    uint8_t *raw = encoder->scratch;
    for (uint32_t i = 0; i < events->segment_count; i++) {
        const struct lcap_pending_segment *segment = &events->segments[i];
        for (uint32_t level = 0; level < segment->open_count; level++, open++) {
            raw = lcap_store_varint(raw, open->symbol);
            raw = lcap_store_varint(raw, segment->start_step - open->begin_step);
            raw = lcap_store_varint(raw, open->children_steps);
        }
    }
    return lcap_write_column(encoder, at, encoder->scratch, (size_t)(raw - encoder->scratch),
                             LCAP_CODING_MATCHES);
}

static uint8_t *write_symbols(struct lcap_encoder *encoder, uint8_t *at)
{
    const struct lcap_events_builder *events = &encoder->events;
    uint8_t *raw = encoder->scratch;
    for (uint32_t i = 0; i < events->symbol_count; i++) {
        const struct lcap_pending_symbol *symbol = &events->symbols[i];
        raw = lcap_store_varint(raw, symbol->kind);
        raw = lcap_store_varint(raw, symbol->site);
        *raw++ = events->groups[2 * (i + 1)];
        if (symbol->kind == LCAP_EVENT_BEGIN)
            *raw++ = events->groups[2 * (i + 1) + 1];
    }
    return lcap_write_column(encoder, at, encoder->scratch, (size_t)(raw - encoder->scratch),
                             LCAP_CODING_MATCHES);
}

static uint8_t *write_events(struct lcap_encoder *encoder, uint8_t *at)
{
    const struct lcap_events_builder *events = &encoder->events;
    uint32_t count = events->event_count;
    bool is_wide = events->symbol_count > UINT8_MAX;
    const lcap_context *restrict contexts = events->contexts;
    uint8_t *restrict raw = encoder->scratch;
    /* Of an End's context, which is odd, the mask leaves nothing. */
    for (uint32_t i = 0; i < count; i++)
        raw[i] = (uint8_t)(contexts[i] >> 1 & ((contexts[i] & 1) - 1));
    for (uint32_t i = 0; is_wide && i < count; i++)
        raw[count + i] = (uint8_t)((contexts[i] >> 1 & ((contexts[i] & 1) - 1)) >> 8);
    return lcap_write_column(encoder, at, raw, is_wide ? 2 * (size_t)count : count,
                             LCAP_CODING_MATCHES);
}

/* Gauges lie in reverse order at the end of the values. */
static uint8_t *write_gauges(struct lcap_encoder *encoder, uint8_t *at)
{
    const struct lcap_events_builder *events = &encoder->events;
    const uint8_t *gauge = lcap_values_end(events);
    for (uint32_t i = 0; i < events->gauge_count; i++) {
        gauge -= 8;
        memcpy(encoder->scratch + (size_t)i * 8, gauge, 8);
    }
    return lcap_write_column(encoder, at, encoder->scratch, (size_t)events->gauge_count * 8,
                             LCAP_CODING_MATCHES);
}

/* Sorts the tokens of the events from `from` to `to`, fewer than 256, to the ends of the groups,
 * and moves these. How many tokens of each group there were is counted in the bytes of one
 * register: an end that were moved for each token would be read again right behind that, and the
 * processor would have to wait for it. */
static void sort_some(const struct lcap_events_builder *events, uint32_t from, uint32_t to,
                      uint8_t *ends[LCAP_MAX_BLOCK_GROUPS + 1])
{
    const lcap_context *contexts = events->contexts;
    const uint8_t *group_of = events->groups, *tokens = events->tokens;
    uint64_t counts = 0;
    for (uint32_t i = from; i < to; i++) {
        const uint32_t group = group_of[contexts[i]];
        ends[group][counts >> 8 * group & 0xFF] = tokens[i];
        counts += UINT64_C(1) << 8 * group;
    }
    for (uint32_t group = 0; group <= LCAP_MAX_BLOCK_GROUPS; group++)
        ends[group] += counts >> 8 * group & 0xFF;
}

/* Sorts all tokens by group into scratch. */
static void sort_tokens(struct lcap_encoder *encoder, const struct lcap_group *groups,
                        uint32_t group_count)
{
    struct lcap_events_builder *events = &encoder->events;
    uint8_t *ends[LCAP_MAX_BLOCK_GROUPS + 1];
    uint8_t *raw = encoder->scratch;
    for (uint32_t group = 0; group <= LCAP_MAX_BLOCK_GROUPS; group++) {
        ends[group] = raw;
        raw += group < group_count ? groups[group].size : 0;
    }
    /* The first event of a segment has no token: what lies in its place goes behind all others. */
    events->groups[NO_TOKEN] = LCAP_MAX_BLOCK_GROUPS;
    for (uint32_t i = 0, first = 0; i < events->segment_count; i++) {
        if (events->segments[i].event_count != 0)
            events->contexts[first] = NO_TOKEN;
        first += events->segments[i].event_count;
    }
    for (uint32_t i = 0, left = events->event_count; left != 0;) {
        const uint32_t count = left < 255 ? left : 255;
        sort_some(events, i, i + count, ends);
        i += count;
        left -= count;
    }
}

/* Writes the groups' columns, and the bits behind them. */
static uint8_t *write_deltas(struct lcap_encoder *encoder, uint8_t *at,
                             const struct lcap_group *groups, uint32_t group_count)
{
    struct lcap_bit_writer *writer = &encoder->events.writer;
    const uint8_t *raw = encoder->scratch;
    sort_tokens(encoder, groups, group_count);
    for (uint32_t group = 0; group < group_count; group++) {
        at = lcap_write_column(encoder, at, raw, groups[group].size,
                               groups[group].is_narrow ? LCAP_CODING_MATCHES
                                                       : LCAP_CODING_FREQUENCIES);
        raw += groups[group].size;
    }
    if (writer->count != 0)
        *writer->at++ = (uint8_t)writer->bits;
    /* The bits are noise: compressing them would cost time and win nothing. */
    return lcap_write_column(encoder, at, encoder->events.bits,
                             (size_t)(writer->at - encoder->events.bits), LCAP_CODING_NONE);
}

static void write_header(const struct lcap_events_builder *events, uint8_t *at, uint64_t base_step,
                         uint32_t group_count)
{
    lcap_store_u32(at, events->clock.clock);
    lcap_store_u32(at + 4, events->event_count);
    lcap_store_u32(at + 8, events->segment_count);
    lcap_store_u32(at + 12, events->open_count);
    lcap_store_u32(at + 16, events->symbol_count);
    lcap_store_u32(at + 20, group_count);
    lcap_store_u64(at + 24, events->first_event);
    lcap_store_u64(at + 32, base_step);
    lcap_store_u64(at + 40, events->last_step);
    lcap_store_u32(at + 48, events->kinds);
    lcap_store_u32(at + 52, 0);
}

enum ludus_status lcap_events_finish(struct lcap_encoder *encoder, struct lcap_bytes *block)
{
    struct lcap_events_builder *events = &encoder->events;
    *block = (struct lcap_bytes){NULL, 0};
    lcap_drop_empty_segment(events);
    events->is_active = false;
    events->track = NULL;
    if (events->segment_count == 0)
        return LUDUS_OK;
    uint64_t base_step = UINT64_MAX;
    for (uint32_t i = 0; i < events->segment_count; i++) {
        uint64_t start = events->segments[i].start_step;
        base_step = start < base_step ? start : base_step;
        events->last_step = start > events->last_step ? start : events->last_step;
    }
    struct lcap_group groups[LCAP_MAX_BLOCK_GROUPS];
    uint32_t group_count = lcap_choose_groups(encoder, groups);
    uint8_t *payload = encoder->output + LCAP_BLOCK_HEADER_SIZE;
    uint8_t *at = payload + LCAP_EVENTS_HEADER_SIZE;
    write_header(events, payload, base_step, group_count);
    at = write_segments(encoder, at, base_step);
    at = write_open(encoder, at);
    at = write_symbols(encoder, at);
    at = write_events(encoder, at);
    at = lcap_write_column(encoder, at, events->values, events->integers_size, LCAP_CODING_MATCHES);
    at = write_gauges(encoder, at);
    at = write_deltas(encoder, at, groups, group_count);
    size_t size = (size_t)(at - payload);
    *block = lcap_finish_block(encoder, LCAP_KIND_events, 0, size, size);
    events->first_event += events->event_count;
    return LUDUS_OK;
}
