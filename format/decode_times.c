/* Decodes the times of an events block: one walk over the events that follows the open scopes,
 * since they decide which group an end's difference belongs to.
 *
 * Every event of a capture passes here. What kind an event is, and which group it is of, is as good
 * as random: the walk has no branch for it. Nor has it one for damage, as far as what comes out
 * wrong is seen soon enough: behind each stretch of events, in which nothing can overflow. */
#include <string.h>

#include "lcap_events_decoder.h"

/* So few groups, and one more, have their counts of tokens in the bytes of one register. An
 * encoder makes no more (encode_groups.c). */
#define FEW_GROUPS 7u

struct times_walk {
    const struct lcap_symbol_shape *shapes;
    const struct lcap_token *tokens;
    /* The next token of each group, and the end of its column. One group more, without tokens, is
     * that of an end without an open scope. */
    const uint8_t *at[LCAP_MAX_GROUPS + 1];
    const uint8_t *end[LCAP_MAX_GROUPS + 1];
    const uint8_t *bits;
    uint8_t *top;        /* the end groups of the open scopes, the innermost one last */
    uint64_t bit;        /* next */
    uint64_t bit_count;  /* in the column */
    uint64_t step;       /* of the event before */
    uint64_t last_step;  /* that the header announces */
    uint64_t found_last; /* the last one seen */
    uint32_t kinds;      /* those seen */
    uint32_t no_group;
    uint32_t group; /* where a stretch ended early: of its last event, and the token: */
    uint32_t token;
};

static inline uint64_t load_bits(const uint8_t *bits, uint64_t bit)
{
    uint64_t word;
    memcpy(&word, bits + (bit >> 3), sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word >> (bit & 7);
}

/* Returns the event's group; `*top` is the end group of the innermost open scope. */
static inline uint32_t follow_scopes(uint8_t **top, const struct lcap_symbol_shape *shape)
{
    uint32_t group = shape->group | (uint32_t)(**top & shape->from_open);
    (*top)[1] = shape->end_group; /* stays only when the depth grows */
    *top += shape->depth;
    return group;
}

/* Walks over events until one has a token without a value of its own, at most a stretch. Returns
 * how many it has walked over. */
static inline __attribute__((always_inline)) uint32_t walk_events(struct times_walk *walk,
                                                                  const uint16_t *symbols,
                                                                  uint64_t *steps, uint32_t count,
                                                                  bool has_few_groups)
{
    static const uint64_t units[FEW_GROUPS + 1] = {1,
                                                   UINT64_C(1) << 8,
                                                   UINT64_C(1) << 16,
                                                   UINT64_C(1) << 24,
                                                   UINT64_C(1) << 32,
                                                   UINT64_C(1) << 40,
                                                   UINT64_C(1) << 48,
                                                   UINT64_C(1) << 56};
    const struct lcap_symbol_shape *shapes = walk->shapes;
    const struct lcap_token *tokens = walk->tokens;
    const uint8_t *bits = walk->bits;
    uint8_t *top = walk->top;
    uint64_t bit = walk->bit, step = walk->step, taken = 0;
    uint32_t kinds = walk->kinds, i;
    for (i = 0; i < count; i++) {
        const struct lcap_symbol_shape *shape = &shapes[symbols[i]];
        uint32_t group = follow_scopes(&top, shape);
        kinds |= shape->kind_bit;
        uint32_t token;
        if (has_few_groups) {
            token = walk->at[group][taken >> (8 * group) & 0xFF];
            taken += units[group];
        } else {
            token = *walk->at[group]++;
        }
        if (__builtin_expect(token >= LCAP_TOKEN_SPECIAL, 0)) {
            walk->group = group;
            walk->token = token;
            break;
        }
        const struct lcap_token *meaning = &tokens[token];
        step += meaning->base + (load_bits(bits, bit) & meaning->mask);
        bit += meaning->bits;
        steps[i] = step;
    }
    for (uint32_t group = 0; has_few_groups && group <= FEW_GROUPS; group++)
        walk->at[group] += taken >> (8 * group) & 0xFF;
    walk->top = top;
    walk->bit = bit;
    walk->step = step;
    walk->kinds = kinds;
    return i;
}

/* The event whose token has no value of its own, and stands in the column or behind it. */
static enum lcap_damage take_special(struct times_walk *walk, uint64_t *step)
{
    if (walk->group == walk->no_group)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    if (walk->at[walk->group] > walk->end[walk->group])
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    if (walk->token != LCAP_TOKEN_ESCAPE)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    if (walk->bit_count - walk->bit < 64)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    uint64_t delta = (load_bits(walk->bits, walk->bit) & UINT32_MAX) |
                     load_bits(walk->bits, walk->bit + 32) << 32;
    if (delta > walk->last_step - walk->step)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    walk->bit += 64;
    walk->step += delta;
    *step = walk->step;
    return LCAP_DAMAGE_NONE;
}

/* A segment's events behind the first. */
static enum lcap_damage walk_stretches(struct times_walk *walk, const uint16_t *symbols,
                                       uint64_t *steps, uint32_t count)
{
    while (count != 0) {
        uint64_t start = walk->step;
        uint32_t most = count < LCAP_STRETCH ? count : LCAP_STRETCH;
        uint32_t done = walk->no_group <= FEW_GROUPS
                            ? walk_events(walk, symbols, steps, most, true)
                            : walk_events(walk, symbols, steps, most, false);
        if (walk->bit > walk->bit_count)
            return LCAP_DAMAGE_PAYLOAD_LAYOUT;
        if (walk->step > walk->last_step || walk->step < start)
            return LCAP_DAMAGE_PAYLOAD_VALUE;
        if (done < most) {
            enum lcap_damage damage = take_special(walk, &steps[done]);
            if (damage != LCAP_DAMAGE_NONE)
                return damage;
            done++;
        }
        symbols += done;
        steps += done;
        count -= done;
    }
    return LCAP_DAMAGE_NONE;
}

/* Whether more scopes are open at once than may be. Only long segments can have them. */
static bool is_too_deep(const struct lcap_symbol_shape *shapes, const struct lcap_segment *segment,
                        const uint16_t *symbols)
{
    int64_t depth = segment->open_count;
    if (segment->open_count + segment->event_count <= LCAP_MAX_EVENTS)
        return false;
    for (uint32_t i = 0; i < segment->event_count && depth <= LCAP_MAX_EVENTS; i++)
        depth += shapes[symbols[i]].depth;
    return depth > LCAP_MAX_EVENTS;
}

/* Decodes one segment's times into steps. */
static enum lcap_damage walk_segment(struct lcap_events_decoder *decoder,
                                     const struct lcap_segment *segment, struct times_walk *walk)
{
    const uint16_t *symbols = decoder->symbols + segment->first_event;
    uint64_t *steps = decoder->ticks + segment->first_event;
    if (is_too_deep(walk->shapes, segment, symbols))
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    decoder->stack[0] = (uint8_t)walk->no_group;
    memcpy(decoder->stack + 1, decoder->open_groups + segment->first_open, segment->open_count);
    walk->top = decoder->stack + segment->open_count;
    walk->step = segment->start_tick;
    if (segment->event_count != 0) { /* the first event is at the start, and has no token */
        const struct lcap_symbol_shape *shape = &walk->shapes[symbols[0]];
        if (follow_scopes(&walk->top, shape) == walk->no_group)
            return LCAP_DAMAGE_PAYLOAD_VALUE;
        walk->kinds |= shape->kind_bit;
        steps[0] = walk->step;
        enum lcap_damage damage =
            walk_stretches(walk, symbols + 1, steps + 1, segment->event_count - 1);
        if (damage != LCAP_DAMAGE_NONE)
            return damage;
    }
    walk->found_last = walk->step > walk->found_last ? walk->step : walk->found_last;
    return LCAP_DAMAGE_NONE;
}

/* What must be used up and agree when all events have been walked over. */
static enum lcap_damage check_end(const struct times_walk *walk,
                                  const struct lcap_events_header *header)
{
    for (uint32_t group = 0; group < header->group_count; group++)
        if (walk->at[group] != walk->end[group])
            return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    if (walk->bit_count - walk->bit >= 8)
        return LCAP_DAMAGE_PAYLOAD_LAYOUT;
    uint32_t rest = (uint32_t)(walk->bit_count - walk->bit);
    if (rest != 0 && (load_bits(walk->bits, walk->bit) & ((1u << rest) - 1)) != 0)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    if (walk->kinds != header->kinds || walk->found_last != header->last_step)
        return LCAP_DAMAGE_PAYLOAD_VALUE;
    return LCAP_DAMAGE_NONE;
}

enum lcap_damage lcap_decode_times(struct lcap_events_decoder *decoder,
                                   const struct lcap_column *tokens)
{
    static const uint8_t no_tokens[1] = {LCAP_COLUMN_PADDING_BYTE};
    const struct lcap_events_header *header = &decoder->result.header;
    const struct lcap_column *bits = &tokens[header->group_count];
    struct times_walk walk = {.shapes = decoder->shapes,
                              .tokens = decoder->tokens,
                              .bits = bits->at,
                              .bit_count = (uint64_t)(bits->end - bits->at) * 8,
                              .last_step = header->last_step,
                              .found_last = header->base_step,
                              .no_group = header->group_count};
    for (uint32_t group = 0; group <= LCAP_MAX_GROUPS; group++) {
        bool is_group = group < header->group_count;
        walk.at[group] = is_group ? tokens[group].at : no_tokens;
        walk.end[group] = is_group ? tokens[group].end : no_tokens;
    }
    for (uint32_t i = 0; i < header->segment_count; i++) {
        enum lcap_damage damage = walk_segment(decoder, &decoder->segments[i], &walk);
        if (damage != LCAP_DAMAGE_NONE)
            return damage;
    }
    return check_end(&walk, header);
}
