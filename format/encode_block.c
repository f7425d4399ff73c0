/* Makes blocks: headers, checksums, compression, the index and the trailer. */
#include <string.h>

#include "lcap_checksum.h"
#include "lcap_encoder.h"
#include "lcap_wire.h"

static uint32_t tag_of(const struct lcap_encoder *encoder)
{
    return (uint32_t)encoder->config.capture_id;
}

struct lcap_bytes lcap_encode_file_header(struct lcap_encoder *encoder)
{
    uint8_t *at = encoder->output;
    memcpy(at, LCAP_FILE_MAGIC, 8);
    lcap_store_u16(at + 8, LCAP_VERSION_MAJOR);
    lcap_store_u16(at + 10, LCAP_VERSION_MINOR);
    lcap_store_u32(at + 12, LCAP_FILE_HEADER_SIZE);
    lcap_store_u64(at + 16, encoder->config.capture_id);
    lcap_store_u32(at + 24, 0);
    lcap_store_u32(at + 28, lcap_crc32(at, 28));
    encoder->offset = LCAP_FILE_HEADER_SIZE;
    return (struct lcap_bytes){at, LCAP_FILE_HEADER_SIZE};
}

struct lcap_bytes lcap_finish_block(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                    uint16_t flags, size_t stored_size, size_t raw_size,
                                    const struct lcap_index_entry *entry)
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
    lcap_store_u64(at + 24, encoder->sequence++);
    lcap_store_u32(at + 32, tag_of(encoder));
    lcap_store_u32(at + 36, lcap_crc32(at, 36));
    if (kind != LCAP_KIND_index && encoder->index_count < encoder->index_capacity) {
        struct lcap_index_entry *slot = &encoder->index[encoder->index_count++];
        *slot = entry != NULL ? *entry : (struct lcap_index_entry){0};
        slot->offset = encoder->offset;
        slot->kind = (uint32_t)kind;
    }
    size_t size = LCAP_BLOCK_HEADER_SIZE + stored_size;
    encoder->offset += size;
    return (struct lcap_bytes){at, size};
}

struct lcap_bytes lcap_finish_payload(struct lcap_encoder *encoder, enum lcap_block_kind kind,
                                      size_t raw_size)
{
    uint8_t *payload = encoder->output + LCAP_BLOCK_HEADER_SIZE;
    size_t stored =
        lcap_compress(encoder, payload, encoder->scratch, raw_size, LCAP_CODING_MATCHES);
    if (stored != 0)
        return lcap_finish_block(encoder, kind, LCAP_BLOCK_FLAG_ZSTD, stored, raw_size, NULL);
    memcpy(payload, encoder->scratch, raw_size);
    return lcap_finish_block(encoder, kind, 0, raw_size, raw_size, NULL);
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

bool lcap_encode_index_is_due(const struct lcap_encoder *encoder)
{
    return encoder->index_count == encoder->index_capacity;
}

struct lcap_bytes lcap_encode_index(struct lcap_encoder *encoder)
{
    uint8_t *at = encoder->scratch;
    lcap_store_u32(at, encoder->index_count);
    lcap_store_u32(at + 4, 0);
    lcap_store_u64(at + 8, encoder->previous_index);
    at += 16;
    for (uint32_t i = 0; i < encoder->index_count; i++, at += 40) {
        const struct lcap_index_entry *entry = &encoder->index[i];
        lcap_store_u64(at, entry->offset);
        lcap_store_u32(at + 8, entry->kind);
        lcap_store_u32(at + 12, entry->events);
        lcap_store_u64(at + 16, entry->first_step);
        lcap_store_u64(at + 24, entry->last_step);
        lcap_store_u32(at + 32, entry->clock);
        lcap_store_u32(at + 36, 0);
    }
    encoder->previous_index = encoder->offset;
    encoder->index_count = 0;
    return lcap_finish_payload(encoder, LCAP_KIND_index, (size_t)(at - encoder->scratch));
}

struct lcap_bytes lcap_encode_trailer(struct lcap_encoder *encoder)
{
    uint8_t *at = encoder->output;
    memcpy(at, LCAP_TRAILER_MAGIC, 8);
    lcap_store_u64(at + 8, encoder->previous_index);
    lcap_store_u32(at + 16, tag_of(encoder));
    lcap_store_u32(at + 20, lcap_crc32(at, 20));
    encoder->offset += LCAP_TRAILER_SIZE;
    return (struct lcap_bytes){at, LCAP_TRAILER_SIZE};
}
