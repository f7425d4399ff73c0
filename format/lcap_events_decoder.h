/* The inside of an events decoder, shared by its files. Private to format/. */
#ifndef LCAP_EVENTS_DECODER_H
#define LCAP_EVENTS_DECODER_H

#include <zstd.h>

#include "lcap_decode.h"

/* From here on tokens have no value of their own: the escape, and those that are forbidden. */
#define LCAP_TOKEN_SPECIAL 248u

/* How many events are walked over before it is looked whether their bits and times are right: as
 * many as counters of eight bits count. */
#define LCAP_STRETCH 255u

/* Behind a column in memory are forbidden tokens, so that a walk stops by itself where a column of
 * tokens is used up; behind that of bits are as many as a stretch can take. */
#define LCAP_COLUMN_PADDING      8u
#define LCAP_BITS_PADDING        1024u
#define LCAP_COLUMN_PADDING_BYTE 0xFEu

struct lcap_column {
    const uint8_t *at;
    const uint8_t *end;
};

/* A token's value is the base and so many bits. */
struct lcap_token {
    uint64_t base;
    uint64_t mask;
    uint64_t bits;
};

/* What walks over the events need of a symbol, in one place. */
struct lcap_symbol_shape {
    uint8_t group;     /* of its time; 0 for an end, for which the open scope says it: */
    uint8_t from_open; /* 0xFF for an end, otherwise 0 */
    uint8_t end_group; /* that a begin leaves for its end */
    uint8_t kind_bit;  /* 1 << kind */
    int8_t depth;      /* by how much it changes the depth */
    uint8_t has_value; /* 1, or 0 */
    uint8_t unused[2]; /* eight bytes in all: an index needs no multiplication */
};

struct lcap_events_decoder {
    struct lcap_events result;
    struct lcap_symbol *table;
    struct lcap_segment *segments;
    struct lcap_open_scope *open;
    struct lcap_symbol_shape *shapes; /* parallel to table */
    uint8_t *open_groups;             /* parallel to open: the groups of their ends */
    uint8_t *stack;                   /* the same of the scopes that are open in the walk */
    uint16_t *symbols;
    uint16_t *valued; /* the symbols of events that have values */
    uint64_t *ticks;
    uint64_t *values;
    uint8_t *columns; /* decompressed */
    size_t columns_capacity;
    size_t table_capacity, shapes_capacity, segments_capacity, open_capacity, open_groups_capacity;
    size_t symbols_capacity, valued_capacity, stack_capacity, ticks_capacity, values_capacity;
    ZSTD_DCtx *zstd;
    struct lcap_token tokens[LCAP_TOKEN_SPECIAL];
};

/* Decodes the times of all segments into steps, from the columns of tokens, one a group, and of
 * bits behind them, following the open scopes. Tables, segments, open scopes and symbols are
 * decoded. */
enum lcap_damage lcap_decode_times(struct lcap_events_decoder *decoder,
                                   const struct lcap_column *tokens);

#endif
