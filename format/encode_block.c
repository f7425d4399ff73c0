/* Makes blocks: headers, checksums, compression, and the index. */
#include <string.h>

#include "lcap_checksum.h"
#include "lcap_encoder.h"
#include "lcap_wire.h"

struct lcap_bytes lcap_finish_block(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                    uint16_t flags, size_t stored_size, size_t raw_size)
{
    uint8_t *at = encoder->output;
    lcap_store_u32(at, LCAP_BLOCK_MAGIC);
    lcap_store_u16(at + 4, (uint16_t)kind);
    lcap_store_u16(at + 6, 1); /* every kind's version, so far */
    lcap_store_u16(at + 8, flags);
    lcap_store_u16(at + 10, 0);
    lcap_store_u32(at + 12, (uint32_t)stored_size);
    lcap_store_u32(at + 16, (uint32_t)raw_size);
    lcap_store_u32(at + 20, lcap_crc32(at + LCAP_BLOCK_HEADER_SIZE, stored_size));
    memset(at + 24, 0, LCAP_BLOCK_HEADER_SIZE - 24); /* a chain's: lcap_chain_add */
    encoder->made_size = LCAP_BLOCK_HEADER_SIZE + stored_size;
    return (struct lcap_bytes){at, encoder->made_size};
}

struct lcap_bytes lcap_finish_payload(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                      size_t raw_size)
{
    uint8_t *payload = encoder->output + LCAP_BLOCK_HEADER_SIZE;
    size_t stored =
        lcap_compress(encoder, payload, encoder->scratch, raw_size, LCAP_CODING_MATCHES);
    if (stored != 0)
        return lcap_finish_block(encoder, kind, LCAP_BLOCK_FLAG_ZSTD, stored, raw_size);
    memcpy(payload, encoder->scratch, raw_size);
    return lcap_finish_block(encoder, kind, 0, raw_size, raw_size);
}

uint8_t *lcap_write_column(struct lcap_encoder *encoder, uint8_t *at, const uint8_t *raw,
                           size_t raw_size, enum lcap_coding coding)
{
    size_t stored = lcap_compress(encoder, at + 8, raw, raw_size, coding);
    if (stored == 0) {
        stored = raw_size;
        if (raw_size != 0)
            memcpy(at + 8, raw, raw_size);
    }
    lcap_store_u32(at, (uint32_t)raw_size);
    lcap_store_u32(at + 4, (uint32_t)stored);
    return at + 8 + stored;
}

struct lcap_bytes lcap_encode_index(struct lcap_encoder *encoder,
                                    const struct lcap_index_entry *entries, uint32_t count,
                                    uint64_t previous)
{
    uint8_t *at = encoder->scratch;
    lcap_store_u32(at, count);
    lcap_store_u32(at + 4, 0);
    lcap_store_u64(at + 8, previous);
    at += 16;
    for (uint32_t i = 0; i < count; i++, at += 40) {
        const struct lcap_index_entry *entry = &entries[i];
        lcap_store_u64(at, entry->offset);
        lcap_store_u32(at + 8, entry->kind);
        lcap_store_u32(at + 12, entry->events);
        lcap_store_u64(at + 16, entry->first_step);
        lcap_store_u64(at + 24, entry->last_step);
        lcap_store_u32(at + 32, entry->clock);
        lcap_store_u32(at + 36, 0);
    }
    return lcap_finish_payload(encoder, LCAP_KIND_index, (size_t)(at - encoder->scratch));
}
