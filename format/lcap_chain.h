/* The blocks of one file, in order: numbers them, knows where they are, and ends the file. An
 * encoder makes blocks that belong to no file; a chain makes them the next of one, also those that
 * were made for another. It writes nothing anywhere.
 *
 * A chain is used by one thread at a time. */
#ifndef LCAP_CHAIN_H
#define LCAP_CHAIN_H

#include <stdbool.h>

#include <ludus/status.h>

#include "lcap_records.h"

struct lcap_encoder;

/* Blocks that one index block describes. */
#define LCAP_CHAIN_INDEX_ENTRIES 256u

/* Private to the functions below, but for reading. */
struct lcap_chain {
    uint64_t capture_id;
    uint64_t offset;   /* in the file, of what comes next */
    uint64_t sequence; /* of the next block */
    uint64_t previous_index;
    uint32_t index_count;
    struct lcap_index_entry index[LCAP_CHAIN_INDEX_ENTRIES];
    uint8_t bytes[LCAP_FILE_HEADER_SIZE]; /* of the file's header, then of its trailer */
};

/* Begins another file, whose first bytes these are; they are the chain's, and valid until its end.
 * `capture_id` is random, and another for every file. */
struct lcap_bytes lcap_chain_start(struct lcap_chain *chain, uint64_t capture_id);

/* Makes the block that `encoder` made last, or a whole block in the caller's memory, the file's
 * next: writes its number, the file's tag and a checksum into the block's header. It is to be
 * appended to the file. A block may be made one of several files, one after the other. */
void lcap_chain_add_made(struct lcap_chain *chain, struct lcap_encoder *encoder);
void lcap_chain_add(struct lcap_chain *chain, uint8_t *block, size_t size);

/* Gives a block of events, made last or whole in the caller's memory, another number of events
 * before it: that of a part of its recording. To be called before the block is added. */
void lcap_chain_set_first_event(uint8_t *block, uint64_t first_event);
void lcap_chain_set_first_event_made(struct lcap_encoder *encoder, uint64_t first_event);

/* What kind of block it is. */
enum lcap_block_kind lcap_chain_kind(const uint8_t *block);

/* Whether an index block must be added before any other. */
bool lcap_chain_index_is_due(const struct lcap_chain *chain);

/* Makes the index of the blocks since the last one and adds it; it is to be appended. A finished
 * file ends with one, and with the trailer behind it. */
struct lcap_bytes lcap_chain_index(struct lcap_chain *chain, struct lcap_encoder *encoder);
struct lcap_bytes lcap_chain_trailer(struct lcap_chain *chain);

#endif
