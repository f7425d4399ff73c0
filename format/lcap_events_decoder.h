/* The inside of an events decoder, shared by its files. Private to format/. */
#ifndef LCAP_EVENTS_DECODER_H
#define LCAP_EVENTS_DECODER_H

#include <zstd.h>

#include "lcap_decode.h"

#define TOKEN_IS_SPECIAL 0xFFu

struct lcap_column {
    const uint8_t *at;
    const uint8_t *end;
};

/* Base value and number of bits of a token; special ones are the escape and the forbidden ones. */
struct token_meaning {
    uint32_t base;
    uint32_t bits;
};

struct lcap_events_decoder {
    struct lcap_events result;
    struct lcap_symbol *table;
    struct lcap_segment *segments;
    struct lcap_open_scope *open;
    uint16_t *open_symbols;
    uint16_t *symbols;
    uint16_t *stack;
    uint64_t *ticks;
    uint64_t *values;
    uint8_t *columns; /* decompressed */
    size_t columns_capacity;
    size_t table_capacity, segments_capacity, open_capacity, open_symbols_capacity;
    size_t symbols_capacity, stack_capacity, ticks_capacity, values_capacity;
    ZSTD_DCtx *zstd;
    struct token_meaning tokens[256];
};

/* Decodes the times of all segments into steps, from the columns of tokens, one a group, and of
 * bits behind them, following the open scopes. Tables, segments, open scopes and symbols are
 * decoded. */
enum lcap_damage lcap_decode_times(struct lcap_events_decoder *decoder,
                                   const struct lcap_column *tokens);

#endif
