/* The inside of an encoder, shared by the files of the encode side. Private to format/. */
#ifndef LCAP_ENCODER_H
#define LCAP_ENCODER_H

#include <zstd.h>

#include "lcap_encode.h"

/* How a column is compressed. */
enum lcap_coding {
    LCAP_CODING_NONE,       /* as it is */
    LCAP_CODING_MATCHES,    /* repeated stretches, then frequencies; at the level asked for */
    LCAP_CODING_FREQUENCIES /* frequencies of bytes alone, which is much faster */
};

/* Delta tokens: FORMAT.md, section 2.8. */
#define LCAP_TOKEN_DIRECT 64u /* smaller values are their own token */
#define LCAP_TOKEN_COUNT  256u

/* The most that an event's value takes: a varint, or a double. */
#define LCAP_VALUE_SIZE 10u

/* A segment of the block that is being built. */
struct lcap_pending_segment {
    uint64_t events_before;
    uint64_t start_step;
    uint32_t track;
    uint32_t event_count;
    uint32_t open_count;
};

/* An open scope in front of a segment of that block. */
struct lcap_pending_open {
    uint64_t begin_step;
    uint64_t children_steps;
    uint32_t symbol;
};

/* An event's context decides with which others its time difference shares a table: the symbol of
 * the event, or of the scope that it ends, times two, plus one for an End. */
typedef uint16_t lcap_context;

/* So that a context has 16 bits. */
#define LCAP_MAX_BLOCK_SYMBOLS 32767u

/* With the tokens that are in none, as many as a register has bytes; more save little. */
#define LCAP_MAX_BLOCK_GROUPS 7u

struct lcap_pending_symbol {
    uint32_t site;
    uint8_t kind;
};

/* Bits that are collected from the least significant end on. */
struct lcap_bit_writer {
    uint8_t *at;
    uint64_t bits;
    uint32_t count; /* below 8 between calls */
};

struct lcap_events_builder {
    struct lcap_clock clock;
    struct lcap_track_stream *track; /* of the current segment */
    struct lcap_pending_segment *segments;
    struct lcap_pending_open *open;
    struct lcap_pending_symbol *symbols;    /* entry s - 1 is symbol s */
    lcap_context *stack;                    /* contexts of the ends of the segment's open scopes */
    uint32_t *context_of[LCAP_EVENT_KINDS]; /* by site: stamp << 16 | context */
    lcap_context *contexts;                 /* per event */
    uint8_t *tokens;                        /* per event; unused for the first of a segment */
    uint8_t *bits;                          /* the tokens' bits, finished */
    uint8_t *values; /* from the front column 4, finished; from the back column 5, reversed */
    uint8_t *groups; /* by context; chosen when the block is finished */
    struct lcap_bit_writer writer;
    uint64_t step_reciprocal; /* floor(2^32 / step) */
    uint64_t last_value[LCAP_EVENT_KINDS];
    uint64_t first_event; /* events in the blocks before */
    uint64_t last_step;
    size_t integers_size;
    uint32_t gauge_count;
    uint32_t stamp; /* of this block, 1 to 65535 */
    uint32_t event_count;
    uint32_t segment_count;
    uint32_t open_count;
    uint32_t symbol_count;
    uint32_t kinds;
    uint32_t max_events;
    uint32_t max_segments;
    uint32_t max_open;
    uint32_t max_site;
    bool is_active;
};

/* Time differences are counted by token for the choice of groups, coarsely: half an octave in a
 * bin. */
#define LCAP_BIN_COUNT 59u
#define LCAP_BIN_ROOM  64u /* a power of two, and whole cache lines */

struct lcap_bins {
    uint16_t count[LCAP_BIN_ROOM]; /* a block has fewer than 65,536 differences */
};

/* Chooses groups: encode_groups.c. */
struct lcap_grouper {
    struct lcap_bins *bins;      /* by slot */
    struct lcap_unit *units;     /* by slot */
    uint32_t *order;             /* slots in use */
    uint32_t slot_count;         /* a power of two; contexts that are equal modulo it share one */
    uint16_t log2[256];          /* of 1 + i/256, in 1/256 */
    uint32_t small_product[256]; /* i * log2(i), in 1/256 */
};

struct lcap_encoder {
    struct lcap_encoder_config config;
    ZSTD_CCtx *zstd;
    void *zstd_memory;
    enum lcap_coding coding; /* that zstd is set to */
    uint8_t *output;         /* a block: header, then payload */
    size_t output_capacity;
    uint8_t *scratch; /* a raw payload or column */
    size_t scratch_capacity;
    size_t made_size; /* of the last block */
    struct lcap_events_builder events;
    struct lcap_grouper grouper;
};

/* Puts the header in front of the payload that lies in `output`. */
struct lcap_bytes lcap_finish_block(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                    uint16_t flags, size_t stored_size, size_t raw_size);

/* An index block of at most LCAP_CHAIN_INDEX_ENTRIES entries: for a chain. */
struct lcap_bytes lcap_encode_index(struct lcap_encoder *encoder,
                                    const struct lcap_index_entry *entries, uint32_t count,
                                    uint64_t previous);

/* Makes a block of the raw payload in `scratch`, compressed when that is smaller. */
struct lcap_bytes lcap_finish_payload(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                      size_t raw_size);

/* Writes one column at `at`: sizes, then `raw` as a zstd frame or, when that is not smaller, as it
 * is. Returns the byte behind it. */
uint8_t *lcap_write_column(struct lcap_encoder *encoder, uint8_t *at, const uint8_t *raw,
                           size_t raw_size, enum lcap_coding coding);

/* zstd, in memory that is allocated once: encode_compress.c. */
size_t lcap_compressor_memory_bytes(const struct lcap_encoder_config *config);
enum ludus_status lcap_compressor_create(struct lcap_encoder *encoder);
void lcap_compressor_destroy(struct lcap_encoder *encoder);

/* Makes a zstd frame of `raw` at `out`, which has room for raw_size bytes, and returns its size; 0
 * when it would not be smaller than `raw`. */
size_t lcap_compress(struct lcap_encoder *encoder, uint8_t *out, const uint8_t *raw,
                     size_t raw_size, enum lcap_coding coding);

/* `size` zeroed bytes that are in memory already. NULL when there are none. */
void *lcap_allocate(size_t size);

/* The slot of the counts that a context's differences are counted in. */
static inline uint32_t lcap_slot_of(const struct lcap_grouper *grouper, uint32_t context)
{
    return context & (grouper->slot_count - 1);
}

/* By token: its bin. */
extern const uint8_t lcap_bin_of_token[LCAP_TOKEN_COUNT];

size_t lcap_grouper_memory_bytes(const struct lcap_encoder_config *config);
enum ludus_status lcap_grouper_create(struct lcap_encoder *encoder);
void lcap_grouper_destroy(struct lcap_encoder *encoder);

/* A group of differences: how many, and whether one bin has nearly all. */
struct lcap_group {
    uint32_t size;
    bool is_narrow;
};

/* Chooses a group for each context of the block and writes it into events->groups. Returns how many
 * groups there are, at most LCAP_MAX_BLOCK_GROUPS, and forgets the counts. */
uint32_t lcap_choose_groups(struct lcap_encoder *encoder,
                            struct lcap_group groups[LCAP_MAX_BLOCK_GROUPS]);

/* The events side's share of an encoder's memory, allocation and release. */
size_t lcap_events_memory_bytes(const struct lcap_encoder_config *config);
enum ludus_status lcap_events_create(struct lcap_encoder *encoder);
void lcap_events_destroy(struct lcap_encoder *encoder);

/* The largest raw column that is built in scratch, and the largest events block. */
size_t lcap_events_scratch_bound(const struct lcap_encoder_config *config);
size_t lcap_events_output_bound(const struct lcap_encoder_config *config);

/* The end of the memory for values. */
static inline uint8_t *lcap_values_end(const struct lcap_events_builder *events)
{
    return events->values + (size_t)LCAP_VALUE_SIZE * events->max_events;
}

/* A segment that got neither events nor open scopes says nothing. */
void lcap_drop_empty_segment(struct lcap_events_builder *events);

#endif
