/* What an event becomes when it is collected: a symbol, and a time difference in steps as a token
 * and bits. Inline, as every event passes here. Private to format/. */
#ifndef LCAP_ENCODE_DELTA_H
#define LCAP_ENCODE_DELTA_H

#include "lcap_encoder.h"
#include "lcap_wire.h"

/* The context of (kind, site), or 0 when it has no symbol in this block yet. */
static inline uint32_t lcap_known_context(const struct lcap_events_builder *events, uint32_t kind,
                                          uint32_t site)
{
    /* What is left of an entry of this block is the context. */
    const uint32_t context = events->context_of[kind][site] ^ events->stamp << 16;
    return __builtin_expect(context <= UINT16_MAX, 1) ? context : 0;
}

/* The same, entered into the table when it is new. The caller has made sure that there is room and
 * that the site is in range. */
static inline uint32_t lcap_context_of(struct lcap_events_builder *events, uint32_t kind,
                                       uint32_t site)
{
    uint32_t context = lcap_known_context(events, kind, site);
    if (__builtin_expect(context != 0, 1))
        return context;
    events->symbols[events->symbol_count] =
        (struct lcap_pending_symbol){.kind = (uint8_t)kind, .site = site};
    context = 2 * ++events->symbol_count;
    events->context_of[kind][site] = events->stamp << 16 | context;
    return context;
}

/* The number of the step at `tick`, which is on the grid. */
static inline uint64_t lcap_step_of(const struct lcap_clock *clock, uint64_t tick)
{
    return clock->step == 1 ? tick : (tick - clock->offset) / clock->step;
}

/* By the highest set bit of a time difference, up to 28: how many low bits follow its token, and
 * what the rest of it is added to. (Of the four bits that are left from 64 on, the highest is
 * always set, and not in the token.) A table, because whether a difference is below 64 is a branch
 * that nobody can predict. */
#define LCAP_TOKEN_MAX_BIT 28u
struct lcap_token_rule {
    uint8_t low_bits;
    uint8_t base;
};
extern const struct lcap_token_rule lcap_token_rules[LCAP_TOKEN_MAX_BIT + 1];

/* Adds a number of `count` bits, at most 57. Writes eight bytes and keeps those that are full. */
static inline void lcap_put_bits(struct lcap_bit_writer *writer, uint64_t value, uint32_t count)
{
    writer->bits |= value << writer->count;
    writer->count += count;
    lcap_store_u64(writer->at, writer->bits);
    writer->at += writer->count >> 3;
    writer->bits >>= writer->count & ~7u;
    writer->count &= 7u;
}

/* Takes a time difference: its token, its bits, and the count of it. */
static inline void lcap_put_delta(struct lcap_bins *bins, uint8_t *token_at,
                                  struct lcap_bit_writer *writer, uint64_t delta)
{
    uint32_t high_bit = 63u - (uint32_t)__builtin_clzll(delta | 1);
    uint32_t token = LCAP_TOKEN_ESCAPE, low_bits = 32;
    if (__builtin_expect(high_bit <= LCAP_TOKEN_MAX_BIT, 1)) {
        low_bits = lcap_token_rules[high_bit].low_bits;
        token = lcap_token_rules[high_bit].base + (uint32_t)(delta >> low_bits);
    } else {
        lcap_put_bits(writer, delta & UINT32_MAX, 32);
        delta >>= 32;
    }
    lcap_put_bits(writer, delta & ((UINT64_C(1) << low_bits) - 1), low_bits);
    *token_at = (uint8_t)token;
    bins->count[lcap_bin_of_token[token]]++;
}

#endif
