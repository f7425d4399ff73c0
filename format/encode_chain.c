/* Numbers the blocks of a file, and makes its header, its indexes and its trailer. */
#include "lcap_chain.h"

#include <string.h>

#include "lcap_checksum.h"
#include "lcap_encoder.h"
#include "lcap_wire.h"

static uint32_t tag_of(const struct lcap_chain *chain)
{
    return (uint32_t)chain->capture_id;
}

struct lcap_bytes lcap_chain_start(struct lcap_chain *chain, uint64_t capture_id)
{
    uint8_t *at = chain->bytes;
    chain->capture_id = capture_id;
    chain->offset = LCAP_FILE_HEADER_SIZE;
    chain->sequence = 0;
    chain->previous_index = 0;
    chain->index_count = 0;
    memcpy(at, LCAP_FILE_MAGIC, 8);
    lcap_store_u16(at + 8, LCAP_VERSION_MAJOR);
    lcap_store_u16(at + 10, LCAP_VERSION_MINOR);
    lcap_store_u32(at + 12, LCAP_FILE_HEADER_SIZE);
    lcap_store_u64(at + 16, capture_id);
    lcap_store_u32(at + 24, 0);
    lcap_store_u32(at + 28, lcap_crc32(at, 28));
    return (struct lcap_bytes){at, LCAP_FILE_HEADER_SIZE};
}

enum lcap_block_kind lcap_chain_kind(const uint8_t *block)
{
    return (enum lcap_block_kind)lcap_load_u16(block + 4);
}

/* What an index says of the block. */
static struct lcap_index_entry describe(const struct lcap_chain *chain, const uint8_t *block)
{
    const uint8_t *payload = block + LCAP_BLOCK_HEADER_SIZE;
    struct lcap_index_entry entry = {.offset = chain->offset,
                                     .kind = (uint32_t)lcap_chain_kind(block)};
    /* A newer version of the payload has another layout. */
    if (entry.kind == LCAP_KIND_events && lcap_load_u16(block + 6) == 1) {
        entry.clock = lcap_load_u32(payload);
        entry.events = lcap_load_u32(payload + 4);
        entry.first_step = lcap_load_u64(payload + 32);
        entry.last_step = lcap_load_u64(payload + 40);
    }
    return entry;
}

void lcap_chain_add(struct lcap_chain *chain, uint8_t *block, size_t size)
{
    const struct lcap_index_entry entry = describe(chain, block);
    lcap_store_u64(block + 24, chain->sequence++);
    lcap_store_u32(block + 32, tag_of(chain));
    lcap_store_u32(block + 36, lcap_crc32(block, 36));
    if (entry.kind != LCAP_KIND_index && chain->index_count < LCAP_CHAIN_INDEX_ENTRIES)
        chain->index[chain->index_count++] = entry;
    chain->offset += size;
}

void lcap_chain_set_first_event(uint8_t *block, uint64_t first_event)
{
    uint8_t *payload = block + LCAP_BLOCK_HEADER_SIZE;
    lcap_store_u64(payload + 24, first_event);
    lcap_store_u32(block + 20, lcap_crc32(payload, lcap_load_u32(block + 12)));
}

void lcap_chain_set_first_event_made(struct lcap_encoder *encoder, uint64_t first_event)
{
    lcap_chain_set_first_event(encoder->output, first_event);
}

void lcap_chain_add_made(struct lcap_chain *chain, struct lcap_encoder *encoder)
{
    lcap_chain_add(chain, encoder->output, encoder->made_size);
}

bool lcap_chain_index_is_due(const struct lcap_chain *chain)
{
    return chain->index_count == LCAP_CHAIN_INDEX_ENTRIES;
}

struct lcap_bytes lcap_chain_index(struct lcap_chain *chain, struct lcap_encoder *encoder)
{
    const struct lcap_bytes block =
        lcap_encode_index(encoder, chain->index, chain->index_count, chain->previous_index);
    chain->previous_index = chain->offset;
    chain->index_count = 0;
    lcap_chain_add_made(chain, encoder);
    return block;
}

struct lcap_bytes lcap_chain_trailer(struct lcap_chain *chain)
{
    uint8_t *at = chain->bytes;
    memcpy(at, LCAP_TRAILER_MAGIC, 8);
    lcap_store_u64(at + 8, chain->previous_index);
    lcap_store_u32(at + 16, tag_of(chain));
    lcap_store_u32(at + 20, lcap_crc32(at, 20));
    chain->offset += LCAP_TRAILER_SIZE;
    return (struct lcap_bytes){at, LCAP_TRAILER_SIZE};
}
