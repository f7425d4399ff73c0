/* Decodes the times of an events block: one walk over the events that follows the open scopes,
 * since they decide which group an End's difference belongs to. */
#include <string.h>

#include "lcap_events_decoder.h"

/* The walk's state: the next token of each group, and the place in the bits. */
struct delta_reader {
    const struct token_meaning *tokens;
    const uint8_t *at[LCAP_MAX_GROUPS];
    const uint8_t *end[LCAP_MAX_GROUPS];
    const uint8_t *bits;
    uint64_t bit;       /* next */
    uint64_t bit_count; /* in the column */
};

static inline uint64_t load_bits(const struct delta_reader *reader, uint64_t bit)
{
    uint64_t word;
    memcpy(&word, reader->bits + (bit >> 3), sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word >> (bit & 7);
}

static inline enum lcap_damage take_delta(struct delta_reader *reader, uint32_t group,
                                          uint64_t *delta)
{
    if (reader->at[group] == reader->end[group])
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    uint32_t token = *reader->at[group]++;
    const struct token_meaning *meaning = &reader->tokens[token];
    uint32_t bits = meaning->bits;
    if (bits == TOKEN_IS_SPECIAL) {
        if (token != 255)
            return LCAP_DAMAGE_PAYLOAD_VALUE;
        *delta = (load_bits(reader, reader->bit) & UINT32_MAX) | load_bits(reader, reader->bit + 32)
                                                                     << 32;
        reader->bit += 64;
    } else {
        *delta = meaning->base + (load_bits(reader, reader->bit) & ((UINT64_C(1) << bits) - 1));
        reader->bit += bits;
    }
    return reader->bit <= reader->bit_count ? LCAP_DAMAGE_NONE : LCAP_DAMAGE_PAYLOAD_LAYOUT;
}

/* Decodes one segment's times into steps, following its scopes on `stack`. */
static enum lcap_damage walk_segment(struct lcap_events_decoder *decoder,
                                     const struct lcap_segment *segment,
                                     struct delta_reader *reader, uint32_t *kinds,
                                     uint64_t *last_step)
{
    const struct lcap_symbol *table = decoder->table;
    const uint16_t *symbols = decoder->symbols + segment->first_event;
    uint64_t *ticks = decoder->ticks + segment->first_event;
    uint16_t *stack = decoder->stack;
    uint32_t depth = segment->open_count;
    uint32_t seen = *kinds;
    uint64_t step = segment->start_tick;
    if (depth != 0)
        memcpy(stack, decoder->open_symbols + segment->first_open, depth * sizeof *stack);
    for (uint32_t i = 0; i < segment->event_count; i++) {
        uint32_t symbol = symbols[i];
        uint32_t group;
        seen |= 1u << table[symbol].kind;
        if (symbol == 0) {
            if (depth == 0)
                return LCAP_DAMAGE_PAYLOAD_VALUE;
            group = table[stack[--depth]].end_group;
        } else {
            group = table[symbol].group;
            if (table[symbol].kind == LCAP_EVENT_BEGIN) {
                if (depth == LCAP_MAX_EVENTS)
                    return LCAP_DAMAGE_PAYLOAD_VALUE;
                stack[depth++] = (uint16_t)symbol;
            }
        }
        if (i != 0) {
            uint64_t delta;
            enum lcap_damage damage = take_delta(reader, group, &delta);
            if (damage != LCAP_DAMAGE_NONE)
                return damage;
            if (step + delta < step)
                return LCAP_DAMAGE_PAYLOAD_VALUE;
            step += delta;
        }
        ticks[i] = step;
    }
    *kinds = seen;
    *last_step = step > *last_step ? step : *last_step;
    return LCAP_DAMAGE_NONE;
}

enum lcap_damage lcap_decode_times(struct lcap_events_decoder *decoder,
                                   const struct lcap_column *tokens)
{
    const struct lcap_events_header *header = &decoder->result.header;
    struct delta_reader reader = {.tokens = decoder->tokens};
    for (uint32_t group = 0; group < header->group_count; group++) {
        reader.at[group] = tokens[group].at;
        reader.end[group] = tokens[group].end;
    }
    const struct lcap_column *bits = &tokens[header->group_count];
    reader.bits = bits->at;
    reader.bit_count = (uint64_t)(bits->end - bits->at) * 8;
    uint32_t kinds = 0;
    uint64_t last_step = header->base_step;
    for (uint32_t i = 0; i < header->segment_count; i++) {
        enum lcap_damage damage =
            walk_segment(decoder, &decoder->segments[i], &reader, &kinds, &last_step);
        if (damage != LCAP_DAMAGE_NONE)
            return damage;
    }
    for (uint32_t group = 0; group < header->group_count; group++)
        if (reader.at[group] != reader.end[group])
            return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    if (reader.bit_count - reader.bit >= 8)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    uint32_t rest = (uint32_t)(reader.bit_count - reader.bit);
    if (rest != 0 && (load_bits(&reader, reader.bit) & ((1u << rest) - 1)) != 0)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    if (kinds != header->kinds || last_step != header->last_step)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}
