/* Collects events of many tracks by column and makes an events block of them. */
#include <stdlib.h>
#include <string.h>

#include "lcap_encoder.h"
#include "lcap_wire.h"

static size_t max_open(const struct lcap_encoder_config *config)
{
    return config->max_events / 4u + 256u;
}

static size_t symbol_row(const struct lcap_encoder_config *config)
{
    return (size_t)config->max_site + 1;
}

size_t lcap_events_memory_bytes(const struct lcap_encoder_config *config)
{
    size_t events = config->max_events;
    return events * (sizeof(lcap_context) + sizeof(uint64_t)) + events * LCAP_VARINT_MAX_SIZE +
           events * sizeof(uint64_t) +
           (events + max_open(config)) * (sizeof(struct lcap_pending_symbol) + sizeof(uint32_t)) +
           max_open(config) * sizeof(struct lcap_pending_open) +
           LCAP_ENCODE_MAX_SEGMENTS * sizeof(struct lcap_pending_segment) +
           (LCAP_EVENT_KINDS - 1) * symbol_row(config) * sizeof(uint32_t);
}

/* Every column at its largest: at most 10 bytes of bits and value, 1 of token, 2 of symbol and 9 of
 * symbol table an event, and the rest. */
size_t lcap_events_output_bound(const struct lcap_encoder_config *config)
{
    return LCAP_BLOCK_HEADER_SIZE + LCAP_EVENTS_HEADER_SIZE + (7 + LCAP_MAX_GROUPS) * (size_t)8 +
           (size_t)24 * config->max_events + max_open(config) * (size_t)(25 + 9) +
           (size_t)LCAP_ENCODE_MAX_SEGMENTS * 5 * LCAP_VARINT_MAX_SIZE + 4096;
}

/* Allocates `count` items of `size` bytes and touches them. */
static void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (memory != NULL)
        memset(memory, 0, count * size);
    return memory;
}

enum ludus_status lcap_events_create(struct lcap_encoder *encoder)
{
    const struct lcap_encoder_config *config = &encoder->config;
    struct lcap_events_builder *events = &encoder->events;
    size_t count = config->max_events;
    events->segments = allocate(LCAP_ENCODE_MAX_SEGMENTS, sizeof *events->segments);
    events->open = allocate(max_open(config), sizeof *events->open);
    events->symbols = allocate(count + max_open(config), sizeof *events->symbols);
    events->symbol_stacks = allocate(count + max_open(config), sizeof *events->symbol_stacks);
    events->contexts = allocate(count, sizeof *events->contexts);
    events->deltas = allocate(count, sizeof *events->deltas);
    events->integers = allocate(count, LCAP_VARINT_MAX_SIZE);
    events->gauges = allocate(count, sizeof(uint64_t));
    events->symbol_of[1] = allocate((LCAP_EVENT_KINDS - 1) * symbol_row(config), sizeof(uint32_t));
    if (events->segments == NULL || events->open == NULL || events->symbols == NULL ||
        events->symbol_stacks == NULL || events->contexts == NULL || events->deltas == NULL ||
        events->integers == NULL || events->gauges == NULL || events->symbol_of[1] == NULL)
        return LUDUS_ERROR_MEMORY;
    for (uint32_t kind = 2; kind < LCAP_EVENT_KINDS; kind++)
        events->symbol_of[kind] = events->symbol_of[kind - 1] + symbol_row(config);
    return LUDUS_OK;
}

void lcap_events_destroy(struct lcap_encoder *encoder)
{
    struct lcap_events_builder *events = &encoder->events;
    free(events->segments);
    free(events->open);
    free(events->symbols);
    free(events->symbol_stacks);
    free(events->contexts);
    free(events->deltas);
    free(events->integers);
    free(events->gauges);
    free(events->symbol_of[1]);
}

void lcap_events_start(struct lcap_encoder *encoder, const struct lcap_clock *clock)
{
    struct lcap_events_builder *events = &encoder->events;
    events->clock = *clock;
    events->track = NULL;
    events->event_count = 0;
    events->segment_count = 0;
    events->open_count = 0;
    events->symbol_count = 0;
    events->integers_size = 0;
    events->gauges_size = 0;
    events->kinds = 0;
    events->last_step = 0;
    memset(events->last_value, 0, sizeof events->last_value);
    if (++events->stamp > UINT16_MAX) { /* entries of 65,535 blocks ago would look current */
        memset(events->symbol_of[1], 0,
               (LCAP_EVENT_KINDS - 1) * symbol_row(&encoder->config) * sizeof(uint32_t));
        events->stamp = 1;
    }
    events->is_active = true;
}

/* The symbol of (kind, site), entered into the table when it is new. The caller has made sure that
 * there is room and that the site is in range. */
static inline uint32_t symbol_of(struct lcap_events_builder *events, uint32_t kind, uint32_t site)
{
    uint32_t *slot = &events->symbol_of[kind][site];
    if (*slot >> 16 == events->stamp)
        return *slot & 0xFFFFu;
    events->symbols[events->symbol_count] =
        (struct lcap_pending_symbol){.kind = kind, .site = site};
    uint32_t symbol = ++events->symbol_count;
    *slot = events->stamp << 16 | symbol;
    return symbol;
}

static uint64_t step_of(const struct lcap_clock *clock, uint64_t tick)
{
    return clock->step == 1 ? tick : (tick - clock->offset) / clock->step;
}

/* The same for a scope that may have begun in the time of another clock, below this one's offset.
 */
static uint64_t begin_step_of(const struct lcap_clock *clock, uint64_t tick)
{
    return tick < clock->offset ? 0 : step_of(clock, tick);
}

uint32_t lcap_events_room(const struct lcap_encoder *encoder)
{
    uint32_t events = encoder->config.max_events - encoder->events.event_count;
    uint32_t symbols = LCAP_MAX_SYMBOLS - encoder->events.symbol_count;
    return events < symbols ? events : symbols;
}

/* A segment that got neither events nor open scopes says nothing. */
static void drop_empty_segment(struct lcap_events_builder *events)
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
    drop_empty_segment(events);
    if (events->segment_count == LCAP_ENCODE_MAX_SEGMENTS ||
        track->depth > max_open(&encoder->config) - events->open_count ||
        track->depth >= lcap_events_room(encoder))
        return LUDUS_ERROR_LIMIT;
    uint64_t known_tick = start_tick > track->last_tick ? start_tick : track->last_tick;
    for (uint32_t level = 0; level < track->depth; level++) {
        const struct lcap_open_scope *scope = &track->open[level];
        uint32_t symbol = symbol_of(events, LCAP_EVENT_BEGIN, scope->site);
        events->symbol_stacks[level] = symbol;
        events->open[events->open_count++] = (struct lcap_pending_open){
            .begin_step = begin_step_of(&events->clock, scope->begin_tick),
            .children_steps = scope->children_ticks / events->clock.step,
            .symbol = symbol};
    }
    events->segments[events->segment_count++] =
        (struct lcap_pending_segment){.events_before = track->event_count,
                                      .start_step = step_of(&events->clock, known_tick),
                                      .track = track->track,
                                      .open_count = track->depth};
    events->track = track;
    return LUDUS_OK;
}

static void add_value(struct lcap_events_builder *events, enum lcap_event_kind kind, uint64_t value)
{
    if (kind == LCAP_EVENT_GAUGE) {
        lcap_store_u64(events->gauges + events->gauges_size, value);
        events->gauges_size += 8;
        return;
    }
    uint8_t *at = events->integers + events->integers_size;
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
    if (has_site(kind) && (site > encoder->config.max_site || (site == 0 && !may_lack_site(kind))))
        return LUDUS_ERROR_ARGUMENT;
    if (kind == LCAP_EVENT_BEGIN && track->depth == track->open_capacity)
        return LUDUS_ERROR_LIMIT;
    return lcap_events_room(encoder) == 0 ? LUDUS_ERROR_LIMIT : LUDUS_OK;
}

/* Follows the event's effect on the open scopes; returns its context. */
static inline lcap_context follow(struct lcap_events_builder *events, enum lcap_event_kind kind,
                                  uint64_t tick, uint32_t site)
{
    struct lcap_track_stream *track = events->track;
    if (kind == LCAP_EVENT_END) {
        uint32_t level = --track->depth;
        if (level != 0)
            track->open[level - 1].children_ticks += tick - track->open[level].begin_tick;
        return events->symbol_stacks[level] * 2 + 1;
    }
    uint32_t symbol = symbol_of(events, kind, has_site(kind) ? site : 0);
    if (kind == LCAP_EVENT_BEGIN) {
        track->open[track->depth] = (struct lcap_open_scope){.begin_tick = tick, .site = site};
        events->symbol_stacks[track->depth++] = symbol;
    }
    return symbol * 2;
}

enum ludus_status lcap_events_add(struct lcap_encoder *encoder, enum lcap_event_kind kind,
                                  uint64_t tick, uint32_t site, uint64_t value)
{
    enum ludus_status status = check_event(encoder, kind, tick, site);
    if (status != LUDUS_OK)
        return status;
    struct lcap_events_builder *events = &encoder->events;
    struct lcap_pending_segment *segment = &events->segments[events->segment_count - 1];
    uint32_t index = events->event_count++;
    uint64_t step = step_of(&events->clock, tick);
    if (segment->event_count++ == 0)
        segment->start_step = step;
    else
        events->deltas[index] = step - step_of(&events->clock, events->track->last_tick);
    if (step > events->last_step)
        events->last_step = step;
    events->contexts[index] = follow(events, kind, tick, site);
    events->kinds |= 1u << kind;
    if (kind >= LCAP_EVENT_FLOW_OUT)
        add_value(events, kind, value);
    events->track->last_tick = tick;
    events->track->event_count++;
    return LUDUS_OK;
}

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
    return lcap_write_column(encoder, at, encoder->scratch, (size_t)(raw - encoder->scratch), true);
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
    return lcap_write_column(encoder, at, encoder->scratch, (size_t)(raw - encoder->scratch), true);
}

static uint8_t *write_symbols(struct lcap_encoder *encoder, uint8_t *at)
{
    const struct lcap_events_builder *events = &encoder->events;
    uint8_t *raw = encoder->scratch;
    for (uint32_t i = 0; i < events->symbol_count; i++) {
        const struct lcap_pending_symbol *symbol = &events->symbols[i];
        raw = lcap_store_varint(raw, symbol->kind);
        raw = lcap_store_varint(raw, symbol->site);
        *raw++ = symbol->group;
        if (symbol->kind == LCAP_EVENT_BEGIN)
            *raw++ = symbol->end_group;
    }
    return lcap_write_column(encoder, at, encoder->scratch, (size_t)(raw - encoder->scratch), true);
}

static uint8_t *write_events(struct lcap_encoder *encoder, uint8_t *at)
{
    const struct lcap_events_builder *events = &encoder->events;
    uint32_t count = events->event_count;
    bool is_wide = events->symbol_count > UINT8_MAX;
    uint8_t *raw = encoder->scratch;
    for (uint32_t i = 0; i < count; i++) {
        lcap_context context = events->contexts[i];
        uint32_t symbol = (context & 1) != 0 ? 0 : context >> 1;
        raw[i] = (uint8_t)symbol;
        if (is_wide)
            raw[count + i] = (uint8_t)(symbol >> 8);
    }
    return lcap_write_column(encoder, at, raw, is_wide ? 2 * (size_t)count : count, true);
}

/* Bits that are collected from the least significant end on. */
struct bit_writer {
    uint8_t *at;
    uint64_t bits;
    uint32_t count; /* below 8 between calls */
};

static inline void put_bits(struct bit_writer *writer, uint64_t value, uint32_t count)
{
    if (count > 32) {
        put_bits(writer, value & UINT32_MAX, 32);
        value >>= 32;
        count -= 32;
    }
    writer->bits |= (value & ((UINT64_C(1) << count) - 1)) << writer->count;
    writer->count += count;
    while (writer->count >= 8) {
        *writer->at++ = (uint8_t)writer->bits;
        writer->bits >>= 8;
        writer->count -= 8;
    }
}

static uint32_t group_of(const struct lcap_events_builder *events, lcap_context context)
{
    const struct lcap_pending_symbol *symbol = &events->symbols[(context >> 1) - 1];
    return (context & 1) != 0 ? symbol->end_group : symbol->group;
}

/* Where each group's tokens begin in one buffer; `starts` has an entry more than there are groups.
 */
static void count_tokens(const struct lcap_events_builder *events, uint32_t *starts)
{
    memset(starts, 0, (LCAP_MAX_GROUPS + 1) * sizeof *starts);
    uint32_t index = 0;
    for (uint32_t i = 0; i < events->segment_count; i++) {
        uint32_t end = index + events->segments[i].event_count;
        for (uint32_t event = index + 1; event < end; event++)
            starts[group_of(events, events->contexts[event]) + 1]++;
        index = end;
    }
    for (uint32_t group = 0; group < LCAP_MAX_GROUPS; group++)
        starts[group + 1] += starts[group];
}

static uint8_t *write_deltas(struct lcap_encoder *encoder, uint8_t *at, uint32_t group_count)
{
    const struct lcap_events_builder *events = &encoder->events;
    uint32_t starts[LCAP_MAX_GROUPS + 1];
    uint32_t cursors[LCAP_MAX_GROUPS];
    count_tokens(events, starts);
    memcpy(cursors, starts, sizeof cursors);
    uint8_t *tokens = encoder->scratch;
    uint8_t *bits = tokens + events->event_count;
    struct bit_writer writer = {.at = bits};
    uint32_t index = 0;
    for (uint32_t i = 0; i < events->segment_count; i++) {
        uint32_t end = index + events->segments[i].event_count;
        for (uint32_t event = index + 1; event < end; event++) {
            uint32_t bit_count;
            uint32_t token = lcap_token(events->deltas[event], &bit_count);
            tokens[cursors[group_of(events, events->contexts[event])]++] = (uint8_t)token;
            put_bits(&writer, events->deltas[event], bit_count);
        }
        index = end;
    }
    if (writer.count != 0)
        *writer.at++ = (uint8_t)writer.bits;
    for (uint32_t group = 0; group < group_count; group++)
        at = lcap_write_column(encoder, at, tokens + starts[group],
                               starts[group + 1] - starts[group], true);
    /* The bits are noise: compressing them would cost time and win nothing. */
    return lcap_write_column(encoder, at, bits, (size_t)(writer.at - bits), false);
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
    drop_empty_segment(events);
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
    uint32_t group_count = lcap_choose_groups(encoder->grouper, events);
    uint8_t *payload = encoder->output + LCAP_BLOCK_HEADER_SIZE;
    uint8_t *at = payload + LCAP_EVENTS_HEADER_SIZE;
    write_header(events, payload, base_step, group_count);
    at = write_segments(encoder, at, base_step);
    at = write_open(encoder, at);
    at = write_symbols(encoder, at);
    at = write_events(encoder, at);
    at = lcap_write_column(encoder, at, events->integers, events->integers_size, true);
    at = lcap_write_column(encoder, at, events->gauges, events->gauges_size, true);
    at = write_deltas(encoder, at, group_count);
    struct lcap_index_entry entry = {.first_step = base_step,
                                     .last_step = events->last_step,
                                     .events = events->event_count,
                                     .clock = events->clock.clock};
    size_t size = (size_t)(at - payload);
    *block = lcap_finish_block(encoder, LCAP_KIND_events, 0, size, size, &entry);
    events->first_event += events->event_count;
    return LUDUS_OK;
}
