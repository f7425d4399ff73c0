/* Decodes events blocks by column; their times, which need a walk, are in decode_times.c. */
#include <stdlib.h>
#include <string.h>

#include "lcap_events_decoder.h"
#include "lcap_frame.h"
#include "lcap_wire.h"

#define MAX_COLUMNS (LCAP_FIXED_COLUMNS + LCAP_MAX_GROUPS + 1u)

enum ludus_status lcap_events_decoder_create(struct lcap_events_decoder **out)
{
    *out = NULL;
    struct lcap_events_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL)
        return LUDUS_ERROR_MEMORY;
    decoder->zstd = ZSTD_createDCtx();
    if (decoder->zstd == NULL) {
        free(decoder);
        return LUDUS_ERROR_MEMORY;
    }
    for (uint32_t token = 0; token < LCAP_TOKEN_SPECIAL; token++) {
        uint32_t bits = token < 64 ? 0 : 3 + (token - 64) / 8;
        decoder->tokens[token] =
            (struct lcap_token){.base = token < 64 ? token : (8 + (token - 64) % 8) << bits,
                                .mask = (UINT32_C(1) << bits) - 1,
                                .bits = bits};
    }
    *out = decoder;
    return LUDUS_OK;
}

void lcap_events_decoder_destroy(struct lcap_events_decoder *decoder)
{
    if (decoder == NULL)
        return;
    free(decoder->table);
    free(decoder->segments);
    free(decoder->open);
    free(decoder->shapes);
    free(decoder->open_groups);
    free(decoder->stack);
    free(decoder->symbols);
    free(decoder->valued);
    free(decoder->ticks);
    free(decoder->values);
    free(decoder->columns);
    ZSTD_freeDCtx(decoder->zstd);
    free(decoder);
}

/* Makes room for `count` items of `size` bytes in `*memory`, without keeping its contents. */
static bool reserve(void *memory, size_t *capacity, size_t count, size_t size)
{
    void **array = memory;
    if (count <= *capacity)
        return true;
    free(*array);
    *array = malloc(count * size);
    *capacity = *array != NULL ? count : 0;
    return *array != NULL;
}

enum lcap_damage lcap_read_events_header(const struct lcap_block *block,
                                         struct lcap_events_header *header)
{
    const uint8_t *at = block->payload.data;
    if (block->payload.size < LCAP_EVENTS_HEADER_SIZE)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    header->clock = lcap_load_u32(at);
    header->event_count = lcap_load_u32(at + 4);
    header->segment_count = lcap_load_u32(at + 8);
    header->open_count = lcap_load_u32(at + 12);
    header->symbol_count = lcap_load_u32(at + 16);
    header->group_count = lcap_load_u32(at + 20);
    header->first_event = lcap_load_u64(at + 24);
    header->base_step = lcap_load_u64(at + 32);
    header->last_step = lcap_load_u64(at + 40);
    header->kinds = lcap_load_u32(at + 48);
    if (header->event_count > LCAP_MAX_EVENTS || header->segment_count == 0 ||
        header->segment_count > LCAP_MAX_EVENTS || header->open_count > LCAP_MAX_EVENTS ||
        header->symbol_count > LCAP_MAX_SYMBOLS || header->group_count == 0 ||
        header->group_count > LCAP_MAX_GROUPS || header->base_step > header->last_step ||
        lcap_load_u32(at + 52) != 0)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}

/* Finds all columns, and their place in memory; decompresses those that are compressed. */
static enum ludus_status load_columns(struct lcap_events_decoder *decoder,
                                      const struct lcap_block *block, struct lcap_column *columns,
                                      enum lcap_damage *damage)
{
    const uint8_t *end = block->payload.data + block->payload.size;
    const uint8_t *first = block->payload.data + LCAP_EVENTS_HEADER_SIZE;
    uint32_t count = LCAP_FIXED_COLUMNS + decoder->result.header.group_count + 1;
    const uint8_t *at = first;
    uint64_t total = 0;
    *damage = LCAP_DAMAGE_PAYLOAD_LAYOUT;
    bool is_too_large = false;
    for (uint32_t i = 0; i < count; i++) {
        if (end - at < 8 || (uint64_t)(end - at) - 8 < lcap_load_u32(at + 4))
            return LUDUS_ERROR_DAMAGED;
        uint32_t raw_size = lcap_load_u32(at);
        total += raw_size;
        is_too_large = is_too_large || raw_size > LCAP_MAX_PAYLOAD ||
                       lcap_load_u32(at + 4) > raw_size || total > LCAP_MAX_COLUMNS_BYTES;
        at += 8 + lcap_load_u32(at + 4);
    }
    if (at != end)
        return LUDUS_ERROR_DAMAGED;
    if (is_too_large) {
        *damage = LCAP_DAMAGE_PAYLOAD_VALUE;
        return LUDUS_ERROR_DAMAGED;
    }
    size_t capacity = (size_t)total + (size_t)count * LCAP_COLUMN_PADDING + LCAP_BITS_PADDING;
    if (!reserve(&decoder->columns, &decoder->columns_capacity, capacity, 1))
        return LUDUS_ERROR_MEMORY;
    uint8_t *raw = decoder->columns;
    at = first;
    for (uint32_t i = 0; i < count; i++) {
        size_t raw_size = lcap_load_u32(at);
        size_t stored = lcap_load_u32(at + 4);
        at += 8;
        if (stored == raw_size) {
            memcpy(raw, at, raw_size);
        } else if (!lcap_decompress(decoder->zstd, at, stored, raw, raw_size)) {
            *damage = LCAP_DAMAGE_PAYLOAD_COMPRESSION;
            return LUDUS_ERROR_DAMAGED;
        }
        size_t padding = i + 1 < count ? LCAP_COLUMN_PADDING : LCAP_BITS_PADDING;
        memset(raw + raw_size, LCAP_COLUMN_PADDING_BYTE, padding);
        columns[i] = (struct lcap_column){raw, raw + raw_size};
        raw += raw_size + padding;
        at += stored;
    }
    *damage = LCAP_DAMAGE_NONE;
    return LUDUS_OK;
}

/* Reads varints; what went wrong first is kept in `damage`. */
static uint64_t take_varint(struct lcap_column *column, uint64_t max, enum lcap_damage *damage)
{
    uint64_t value = 0;
    if (*damage != LCAP_DAMAGE_NONE)
        return 0;
    const uint8_t *before = column->at;
    if (!lcap_load_varint(&column->at, column->end, &value)) {
        /* Ten bytes of a number without an end are too large a number, not a short column. */
        *damage = column->end - before >= (ptrdiff_t)LCAP_VARINT_MAX_SIZE
                      ? LCAP_DAMAGE_PAYLOAD_VALUE
                      : LCAP_DAMAGE_PAYLOAD_LAYOUT;
        return 0;
    }
    if (value > max)
        *damage = LCAP_DAMAGE_PAYLOAD_VALUE;
    return value;
}

static void expect_end(const struct lcap_column *column, enum lcap_damage *damage)
{
    if (*damage == LCAP_DAMAGE_NONE && column->at != column->end)
        *damage = LCAP_DAMAGE_PAYLOAD_LAYOUT;
}

static void set_symbol(struct lcap_events_decoder *decoder, uint32_t index,
                       const struct lcap_symbol *symbol)
{
    bool is_end = symbol->kind == LCAP_EVENT_END;
    decoder->table[index] = *symbol;
    decoder->shapes[index] =
        (struct lcap_symbol_shape){.group = symbol->group,
                                   .from_open = is_end ? 0xFF : 0,
                                   .end_group = symbol->end_group,
                                   .kind_bit = (uint8_t)(1u << symbol->kind),
                                   .depth = (int8_t)((symbol->kind == LCAP_EVENT_BEGIN) - is_end),
                                   .has_value = lcap_event_has_value(symbol->kind)};
}

static enum lcap_damage decode_table(struct lcap_events_decoder *decoder, struct lcap_column column)
{
    const struct lcap_events_header *header = &decoder->result.header;
    enum lcap_damage damage = LCAP_DAMAGE_NONE;
    uint32_t max_group = header->group_count - 1;
    set_symbol(decoder, 0, &(struct lcap_symbol){.kind = LCAP_EVENT_END});
    for (uint32_t i = 1; i <= header->symbol_count; i++) {
        struct lcap_symbol symbol = {0};
        symbol.kind = (uint32_t)take_varint(&column, LCAP_EVENT_TRACK_SWITCH, &damage);
        symbol.site = (uint32_t)take_varint(&column, UINT32_MAX, &damage);
        symbol.group = (uint8_t)take_varint(&column, max_group, &damage);
        if (symbol.kind == LCAP_EVENT_BEGIN)
            symbol.end_group = (uint8_t)take_varint(&column, max_group, &damage);
        bool needs_site = symbol.kind != LCAP_EVENT_FLOW_OUT && symbol.kind != LCAP_EVENT_FLOW_IN &&
                          symbol.kind != LCAP_EVENT_TRACK_SWITCH;
        if (damage == LCAP_DAMAGE_NONE &&
            (symbol.kind == LCAP_EVENT_END || (needs_site && symbol.site == 0) ||
             (symbol.kind == LCAP_EVENT_TRACK_SWITCH && symbol.site != 0)))
            damage = LCAP_DAMAGE_PAYLOAD_VALUE;
        if (damage != LCAP_DAMAGE_NONE)
            return damage;
        set_symbol(decoder, i, &symbol);
    }
    expect_end(&column, &damage);
    return damage;
}

/* Segments' starts are steps here; the walk makes ticks of them. */
static enum lcap_damage decode_segments(struct lcap_events_decoder *decoder,
                                        struct lcap_column column)
{
    const struct lcap_events_header *header = &decoder->result.header;
    enum lcap_damage damage = LCAP_DAMAGE_NONE;
    uint32_t events = 0, open = 0;
    uint64_t smallest = UINT64_MAX;
    for (uint32_t i = 0; i < header->segment_count && damage == LCAP_DAMAGE_NONE; i++) {
        struct lcap_segment *segment = &decoder->segments[i];
        segment->track = (uint32_t)take_varint(&column, UINT32_MAX, &damage);
        segment->events_before = take_varint(&column, UINT64_MAX, &damage);
        segment->event_count =
            (uint32_t)take_varint(&column, header->event_count - events, &damage);
        segment->open_count = (uint32_t)take_varint(&column, header->open_count - open, &damage);
        uint64_t start = take_varint(&column, header->last_step - header->base_step, &damage);
        segment->start_tick = header->base_step + start;
        segment->first_event = events;
        segment->first_open = open;
        smallest = start < smallest ? start : smallest;
        if (damage != LCAP_DAMAGE_NONE)
            break;
        if (segment->track == 0 || (segment->event_count == 0 && segment->open_count == 0))
            damage = LCAP_DAMAGE_PAYLOAD_VALUE;
        events += segment->event_count;
        open += segment->open_count;
    }
    expect_end(&column, &damage);
    if (damage == LCAP_DAMAGE_NONE &&
        (events != header->event_count || open != header->open_count || smallest != 0))
        damage = LCAP_DAMAGE_PAYLOAD_VALUE;
    return damage;
}

static uint64_t tick_of(const struct lcap_clock *clock, uint64_t step)
{
    return clock->offset + step * clock->step;
}

static enum lcap_damage decode_open(struct lcap_events_decoder *decoder, struct lcap_column column,
                                    const struct lcap_clock *clock)
{
    const struct lcap_events_header *header = &decoder->result.header;
    enum lcap_damage damage = LCAP_DAMAGE_NONE;
    for (uint32_t i = 0; i < header->segment_count; i++) {
        const struct lcap_segment *segment = &decoder->segments[i];
        uint64_t max_distance = segment->start_tick;
        for (uint32_t level = 0; level < segment->open_count; level++) {
            uint32_t index = segment->first_open + level;
            uint64_t symbol = take_varint(&column, header->symbol_count, &damage);
            uint64_t distance = take_varint(&column, max_distance, &damage);
            uint64_t children = take_varint(&column, distance, &damage);
            if (damage == LCAP_DAMAGE_NONE && decoder->table[symbol].kind != LCAP_EVENT_BEGIN)
                damage = LCAP_DAMAGE_PAYLOAD_VALUE;
            if (damage != LCAP_DAMAGE_NONE)
                return damage;
            max_distance = distance; /* an inner scope begins no earlier */
            decoder->open_groups[index] = decoder->table[symbol].end_group;
            decoder->open[index] = (struct lcap_open_scope){
                .begin_tick = tick_of(clock, segment->start_tick - distance),
                .children_ticks = children * clock->step,
                .site = decoder->table[symbol].site};
        }
    }
    expect_end(&column, &damage);
    return damage;
}

static enum lcap_damage decode_symbols(struct lcap_events_decoder *decoder,
                                       struct lcap_column column)
{
    const struct lcap_events_header *header = &decoder->result.header;
    size_t count = header->event_count;
    uint16_t *symbols = decoder->symbols;
    bool is_wide = header->symbol_count > UINT8_MAX;
    if ((size_t)(column.end - column.at) != (is_wide ? 2 * count : count))
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    uint8_t largest = 0; /* as narrow as what it is of: many are compared at once */
    uint16_t largest_wide = 0;
    for (size_t i = 0; i < count && !is_wide; i++) {
        uint8_t symbol = column.at[i];
        symbols[i] = symbol;
        largest = symbol > largest ? symbol : largest;
    }
    for (size_t i = 0; i < count && is_wide; i++) {
        uint16_t symbol = (uint16_t)(column.at[i] | column.at[count + i] << 8);
        symbols[i] = symbol;
        largest_wide = symbol > largest_wide ? symbol : largest_wide;
    }
    return largest > header->symbol_count || largest_wide > header->symbol_count
               ? LCAP_DAMAGE_PAYLOAD_VALUE
               : LCAP_DAMAGE_NONE;
}

/* Finds the symbols of the events that have values, in order, and returns how many they are. There
 * are few, in places that nobody can predict: hence without branches. */
static size_t find_valued(struct lcap_events_decoder *decoder)
{
    const struct lcap_events_header *header = &decoder->result.header;
    const struct lcap_symbol_shape *shapes = decoder->shapes;
    const uint16_t *symbols = decoder->symbols;
    uint16_t *valued = decoder->valued;
    size_t count = 0;
    for (uint32_t i = 0; i < header->event_count; i++) {
        valued[count] = symbols[i];
        count += shapes[symbols[i]].has_value;
    }
    return count;
}

static enum lcap_damage decode_values(struct lcap_events_decoder *decoder,
                                      struct lcap_column integers, struct lcap_column gauges)
{
    const struct lcap_events_header *header = &decoder->result.header;
    enum lcap_damage damage = LCAP_DAMAGE_NONE;
    uint64_t last[LCAP_EVENT_KINDS] = {0};
    bool has_values = (header->kinds >> LCAP_EVENT_FLOW_OUT) != 0;
    size_t count = has_values ? find_valued(decoder) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t kind = decoder->table[decoder->valued[i]].kind;
        if (kind == LCAP_EVENT_GAUGE) {
            if (gauges.end - gauges.at < 8)
                return LCAP_DAMAGE_PAYLOAD_LAYOUT;
            decoder->values[i] = lcap_load_u64(gauges.at);
            gauges.at += 8;
            continue;
        }
        last[kind] += lcap_unzigzag(take_varint(&integers, UINT64_MAX, &damage));
        decoder->values[i] = last[kind];
        if (damage != LCAP_DAMAGE_NONE)
            return damage;
    }
    expect_end(&integers, &damage);
    expect_end(&gauges, &damage);
    return damage;
}

static void make_ticks(struct lcap_events_decoder *decoder, const struct lcap_clock *clock)
{
    const struct lcap_events_header *header = &decoder->result.header;
    if (clock->step == 1 && clock->offset == 0)
        return;
    for (uint32_t i = 0; i < header->segment_count; i++)
        decoder->segments[i].start_tick = tick_of(clock, decoder->segments[i].start_tick);
    for (uint32_t i = 0; i < header->event_count; i++)
        decoder->ticks[i] = tick_of(clock, decoder->ticks[i]);
}

/* Makes room for everything that the header announces. */
static bool reserve_all(struct lcap_events_decoder *decoder)
{
    const struct lcap_events_header *header = &decoder->result.header;
    size_t events = (size_t)header->event_count + 1;
    size_t open = (size_t)header->open_count + 1;
    return reserve(&decoder->table, &decoder->table_capacity, (size_t)header->symbol_count + 1,
                   sizeof *decoder->table) &&
           reserve(&decoder->segments, &decoder->segments_capacity, header->segment_count,
                   sizeof *decoder->segments) &&
           reserve(&decoder->open, &decoder->open_capacity, open, sizeof *decoder->open) &&
           reserve(&decoder->shapes, &decoder->shapes_capacity, (size_t)header->symbol_count + 1,
                   sizeof *decoder->shapes) &&
           reserve(&decoder->open_groups, &decoder->open_groups_capacity, open,
                   sizeof *decoder->open_groups) &&
           reserve(&decoder->stack, &decoder->stack_capacity, open + events,
                   sizeof *decoder->stack) &&
           reserve(&decoder->symbols, &decoder->symbols_capacity, events,
                   sizeof *decoder->symbols) &&
           reserve(&decoder->ticks, &decoder->ticks_capacity, events, sizeof *decoder->ticks) &&
           reserve(&decoder->valued, &decoder->valued_capacity, events, sizeof *decoder->valued) &&
           reserve(&decoder->values, &decoder->values_capacity, events, sizeof *decoder->values);
}

static enum lcap_damage decode_all(struct lcap_events_decoder *decoder,
                                   const struct lcap_column *columns,
                                   const struct lcap_clock *clock)
{
    const struct lcap_events_header *header = &decoder->result.header;
    enum lcap_damage damage = decode_segments(decoder, columns[0]);
    uint64_t last_tick;
    if (damage == LCAP_DAMAGE_NONE &&
        (__builtin_mul_overflow(header->last_step, clock->step, &last_tick) ||
         __builtin_add_overflow(last_tick, clock->offset, &last_tick)))
        damage = LCAP_DAMAGE_PAYLOAD_VALUE;
    if (damage == LCAP_DAMAGE_NONE)
        damage = decode_table(decoder, columns[2]);
    if (damage == LCAP_DAMAGE_NONE)
        damage = decode_open(decoder, columns[1], clock);
    if (damage == LCAP_DAMAGE_NONE)
        damage = decode_symbols(decoder, columns[3]);
    if (damage == LCAP_DAMAGE_NONE)
        damage = lcap_decode_times(decoder, columns + LCAP_FIXED_COLUMNS);
    if (damage == LCAP_DAMAGE_NONE)
        damage = decode_values(decoder, columns[4], columns[5]);
    return damage;
}

enum ludus_status lcap_events_decode(struct lcap_events_decoder *decoder,
                                     const struct lcap_block *block, const struct lcap_clock *clock,
                                     const struct lcap_events **events, enum lcap_damage *damage)
{
    struct lcap_column columns[MAX_COLUMNS];
    *events = NULL;
    *damage = lcap_read_events_header(block, &decoder->result.header);
    if (*damage != LCAP_DAMAGE_NONE)
        return LUDUS_ERROR_DAMAGED;
    enum ludus_status status = load_columns(decoder, block, columns, damage);
    if (status != LUDUS_OK)
        return status;
    if (!reserve_all(decoder))
        return LUDUS_ERROR_MEMORY;
    *damage = decode_all(decoder, columns, clock);
    if (*damage != LCAP_DAMAGE_NONE)
        return LUDUS_ERROR_DAMAGED;
    make_ticks(decoder, clock);
    struct lcap_events *result = &decoder->result;
    result->table = decoder->table;
    result->segments = decoder->segments;
    result->open = decoder->open;
    result->symbols = decoder->symbols;
    result->ticks = decoder->ticks;
    result->values = decoder->values;
    *events = result;
    return LUDUS_OK;
}
