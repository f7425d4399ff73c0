/* The inside of an encoder, shared by the files of the encode side. Private to format/. */
#ifndef LCAP_ENCODER_H
#define LCAP_ENCODER_H

#include <zstd.h>

#include "lcap_encode.h"

/* Bounds of one events block besides its events: they keep a block below LCAP_MAX_PAYLOAD. */
#define LCAP_ENCODE_MAX_SEGMENTS 4096u

/* Blocks that one index block describes. */
#define LCAP_ENCODE_INDEX_ENTRIES 1024u

/* Delta tokens: FORMAT.md, section 2.8. */
#define LCAP_TOKEN_DIRECT 64u  /* smaller values are their own token */
#define LCAP_TOKEN_ESCAPE 255u /* 64 bits follow */
#define LCAP_TOKEN_COUNT  256u

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
typedef uint32_t lcap_context;

struct lcap_pending_symbol {
    uint32_t kind;
    uint32_t site;
    uint8_t group;
    uint8_t end_group;
};

struct lcap_events_builder {
    struct lcap_clock clock;
    struct lcap_track_stream *track; /* of the current segment */
    struct lcap_pending_segment *segments;
    struct lcap_pending_open *open;
    struct lcap_pending_symbol *symbols;   /* entry s - 1 is symbol s */
    uint32_t *symbol_stacks;               /* symbols of the current segment's open scopes */
    uint32_t *symbol_of[LCAP_EVENT_KINDS]; /* by site: stamp << 16 | symbol */
    lcap_context *contexts;                /* per event */
    uint64_t *deltas;  /* per event, in steps; unused for the first of a segment */
    uint8_t *integers; /* column 4, finished */
    uint8_t *gauges;   /* column 5, finished */
    uint64_t last_value[LCAP_EVENT_KINDS];
    uint64_t first_event; /* events in the blocks before */
    uint64_t last_step;
    size_t integers_size;
    size_t gauges_size;
    uint32_t stamp; /* of this block, 1 to 65535 */
    uint32_t event_count;
    uint32_t segment_count;
    uint32_t open_count;
    uint32_t symbol_count;
    uint32_t kinds;
    bool is_active;
};

/* Memory for choosing groups: encode_groups.c. */
struct lcap_grouper;

struct lcap_encoder {
    struct lcap_encoder_config config;
    ZSTD_CCtx *zstd;
    uint8_t *output; /* a block: header, then payload */
    size_t output_capacity;
    uint8_t *scratch; /* a raw payload or column */
    size_t scratch_capacity;
    uint64_t offset;   /* in the file, of what comes next */
    uint64_t sequence; /* of the next block */
    uint64_t previous_index;
    struct lcap_index_entry index[LCAP_ENCODE_INDEX_ENTRIES];
    uint32_t index_count;
    struct lcap_events_builder events;
    struct lcap_grouper *grouper;
};

/* Puts the header in front of the payload that lies in `output`, and counts the block. `entry` is
 * what an events block adds to its index entry, NULL for others. */
struct lcap_bytes lcap_finish_block(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                    uint16_t flags, size_t stored_size, size_t raw_size,
                                    const struct lcap_index_entry *entry);

/* Makes a block of the raw payload in `scratch`, compressed when that is smaller. */
struct lcap_bytes lcap_finish_payload(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                      size_t raw_size);

/* Writes one column at `at`: sizes, then `raw` as a zstd frame or, when that is not smaller, as it
 * is. Returns the byte behind it. */
uint8_t *lcap_write_column(struct lcap_encoder *encoder, uint8_t *at, const uint8_t *raw,
                           size_t raw_size, bool compress);

/* The token of a time difference, and how many of its low bits follow it. */
static inline uint32_t lcap_token(uint64_t delta, uint32_t *bit_count)
{
    if (delta < LCAP_TOKEN_DIRECT) {
        *bit_count = 0;
        return (uint32_t)delta;
    }
    uint32_t exponent = 63u - (uint32_t)__builtin_clzll(delta);
    if (exponent > 28) {
        *bit_count = 64;
        return LCAP_TOKEN_ESCAPE;
    }
    *bit_count = exponent - 3;
    return LCAP_TOKEN_DIRECT + (exponent - 6) * 8 + (uint32_t)(delta >> (exponent - 3) & 7);
}

size_t lcap_grouper_memory_bytes(void);
struct lcap_grouper *lcap_grouper_create(void);
void lcap_grouper_destroy(struct lcap_grouper *grouper);

/* Chooses a group for each context of the block and writes it into the symbols. Returns how many
 * groups there are, at most LCAP_MAX_GROUPS. */
uint32_t lcap_choose_groups(struct lcap_grouper *grouper, struct lcap_events_builder *events);

/* The events side's share of an encoder's memory, allocation and release. */
size_t lcap_events_memory_bytes(const struct lcap_encoder_config *config);
enum ludus_status lcap_events_create(struct lcap_encoder *encoder);
void lcap_events_destroy(struct lcap_encoder *encoder);
size_t lcap_events_output_bound(const struct lcap_encoder_config *config);

#endif
