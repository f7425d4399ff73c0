/* The inside of a reader, shared by the files that open, walk and read captures. Private to
 * format/. */
#ifndef LCAP_READER_H
#define LCAP_READER_H

#include "lcap_decode.h"

/* Holds a header, and the payload of most blocks but those of events. */
#define LCAP_WINDOW_SIZE 512u

/* Clocks by their ids: decode_clocks.c. All zero is empty. */
struct lcap_clock_table {
    struct lcap_clock *clocks; /* in the order in which they came */
    uint32_t *places;          /* by hash: of a clock, plus one; 0: free */
    uint32_t count;
    uint32_t capacity; /* of `places`, a power of two; twice that of `clocks` */
};

/* Those that add return false when there is no memory; a clock that is there already has no effect.
 * What is found is valid until the next one is added; NULL: there is none. */
bool lcap_clock_table_add(struct lcap_clock_table *table, const struct lcap_clock *clock);
bool lcap_clock_table_copy(struct lcap_clock_table *table, const struct lcap_clock_table *from);
const struct lcap_clock *lcap_clock_table_find(const struct lcap_clock_table *table,
                                               uint32_t clock);
void lcap_clock_table_clear(struct lcap_clock_table *table);

struct lcap_reader {
    struct lcap_source source;
    uint64_t end; /* where blocks end */
    uint64_t offset;
    uint64_t capture_id;
    uint64_t expected_sequence;
    uint32_t tag;
    uint16_t version_minor;
    bool has_tag; /* false: neither the file header nor any block header tells it */
    bool is_finished;
    bool header_is_damaged;
    bool is_header_reported;
    bool is_after_damage; /* the item before was damage: no gap is told */
    bool is_gap_told;     /* for the block at `offset` */
    bool is_over;
    bool may_grow; /* what looks like damage up to the end may be no more than unfinished */
    bool skims_events;
    struct lcap_clock_table clocks;
    uint8_t *stored;
    size_t stored_capacity;
    uint8_t *raw;
    size_t raw_capacity;
    struct lcap_events_decoder *decoder; /* its zstd context serves all blocks */
    const struct lcap_events *events;
    uint64_t window_offset; /* bytes of the file that have been read */
    size_t window_size;
    uint8_t window[LCAP_WINDOW_SIZE];
};

/* A block header's fields. */
struct lcap_block_header {
    uint64_t sequence;
    uint32_t kind;
    uint32_t kind_version;
    uint32_t flags;
    uint32_t stored_size;
    uint32_t raw_size;
    uint32_t payload_crc;
    uint32_t tag;
};

/* Reads `size` bytes from `offset` on, which the source has. */
LUDUS_CHECKED enum ludus_status lcap_reader_bytes(struct lcap_reader *reader, uint64_t offset,
                                                  void *bytes, size_t size);

/* Whether the bytes are a valid header of the capture with the tag; NULL accepts every tag. */
enum lcap_damage lcap_parse_header(const uint8_t *at, const uint32_t *tag,
                                   struct lcap_block_header *header);

/* Finds the first valid header from `from` on; `*found` is the end when there is none. */
LUDUS_CHECKED enum ludus_status lcap_find_header(struct lcap_reader *reader, uint64_t from,
                                                 const uint32_t *tag, uint64_t *found);

/* Fills `item` with the block whose valid header is given: good, skipped or damaged. */
LUDUS_CHECKED enum ludus_status lcap_read_block(struct lcap_reader *reader, uint64_t offset,
                                                const struct lcap_block_header *header,
                                                bool decode_events, struct lcap_item *item);

#endif
