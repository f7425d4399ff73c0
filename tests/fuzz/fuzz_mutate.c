/* Mutates captures: the whole, one block's payload, or one column of an events block, each after
 * decompression; then makes headers and checksums right again. */
#include "fuzz_mutate.h"

#include <stdbool.h>
#include <string.h>

#include <zstd.h>

#include "lcap_checksum.h"
#include "lcap_layout.h"
#include "lcap_wire.h"

#define MAX_PART   262144u /* of a payload or a column that is mutated by itself */
#define MAX_BLOCKS 64u

static uint8_t part[MAX_PART];
static uint8_t rest[1 << 20];

/* Where a block lies in the capture. */
struct place {
    size_t offset;
    size_t payload_size;
};

static bool is_header(const uint8_t *data, size_t size, size_t offset)
{
    return size - offset >= LCAP_BLOCK_HEADER_SIZE &&
           lcap_load_u32(data + offset) == LCAP_BLOCK_MAGIC &&
           lcap_load_u32(data + offset + 12) <= size - offset - LCAP_BLOCK_HEADER_SIZE;
}

/* The blocks, as far as they can be followed, with bytes between them passed over. */
static size_t find_blocks(const uint8_t *data, size_t size, struct place *places)
{
    size_t count = 0;
    size_t offset = LCAP_FILE_HEADER_SIZE;
    while (count < MAX_BLOCKS && offset < size && size - offset >= LCAP_BLOCK_HEADER_SIZE) {
        if (!is_header(data, size, offset)) {
            offset++;
            continue;
        }
        places[count] = (struct place){offset, lcap_load_u32(data + offset + 12)};
        offset += LCAP_BLOCK_HEADER_SIZE + places[count++].payload_size;
    }
    return count;
}

static void repair(uint8_t *data, size_t size)
{
    struct place places[MAX_BLOCKS];
    if (size < LCAP_FILE_HEADER_SIZE)
        return;
    lcap_store_u32(data + 28, lcap_crc32(data, 28));
    size_t count = find_blocks(data, size, places);
    for (size_t i = 0; i < count; i++) {
        uint8_t *header = data + places[i].offset;
        uint8_t *payload = header + LCAP_BLOCK_HEADER_SIZE;
        if (lcap_load_u16(header + 8) == 0)
            lcap_store_u32(header + 16, (uint32_t)places[i].payload_size);
        lcap_store_u32(header + 20, lcap_crc32(payload, places[i].payload_size));
        memcpy(header + 32, data + 16, 4); /* the tag */
        lcap_store_u32(header + 36, lcap_crc32(header, 36));
    }
    uint8_t *trailer = data + size - LCAP_TRAILER_SIZE;
    if (size >= LCAP_FILE_HEADER_SIZE + LCAP_TRAILER_SIZE &&
        memcmp(trailer, LCAP_TRAILER_MAGIC, 8) == 0) {
        memcpy(trailer + 16, data + 16, 4);
        lcap_store_u32(trailer + 20, lcap_crc32(trailer, 20));
    }
}

/* Puts `part_size` bytes of `part` in the place of `old_size` bytes at `at`. 0 when there is no
 * room. */
static size_t replace(uint8_t *data, size_t size, size_t capacity, size_t at, size_t old_size,
                      size_t part_size)
{
    size_t rest_size = size - at - old_size;
    if (size - old_size + part_size > capacity || rest_size > sizeof rest)
        return 0;
    memcpy(rest, data + at + old_size, rest_size);
    memcpy(data + at, part, part_size);
    memcpy(data + at + part_size, rest, rest_size);
    return size - old_size + part_size;
}

/* Puts what is stored, decompressed when it is a frame, into `part`. */
static size_t take_part(const uint8_t *stored, size_t stored_size, bool is_frame)
{
    size_t size = stored_size;
    if (is_frame) {
        size = ZSTD_decompress(part, sizeof part, stored, stored_size);
        if (!ZSTD_isError(size))
            return size;
        size = stored_size;
    }
    if (size > sizeof part)
        return 0;
    memcpy(part, stored, size);
    return size;
}

/* Finds the column `wanted` of a payload: its offset in it, or 0. */
static size_t find_column(const uint8_t *payload, size_t size, size_t wanted)
{
    size_t at = LCAP_EVENTS_HEADER_SIZE;
    for (size_t i = 0; size >= at && size - at >= 8; i++) {
        uint32_t stored = lcap_load_u32(payload + at + 4);
        if (stored > size - at - 8)
            return 0;
        if (i == wanted)
            return at;
        at += 8 + stored;
    }
    return 0;
}

static size_t mutate_payload(uint8_t *data, size_t size, size_t capacity, struct place place)
{
    uint8_t *header = data + place.offset;
    bool is_frame = (lcap_load_u16(header + 8) & LCAP_BLOCK_FLAG_ZSTD) != 0;
    size_t part_size = take_part(header + LCAP_BLOCK_HEADER_SIZE, place.payload_size, is_frame);
    part_size = LLVMFuzzerMutate(part, part_size, sizeof part);
    size = replace(data, size, capacity, place.offset + LCAP_BLOCK_HEADER_SIZE, place.payload_size,
                   part_size);
    if (size == 0)
        return 0;
    lcap_store_u16(header + 8, 0);
    lcap_store_u32(header + 12, (uint32_t)part_size);
    return size;
}

static size_t mutate_column(uint8_t *data, size_t size, size_t capacity, struct place place,
                            size_t wanted)
{
    uint8_t *header = data + place.offset;
    uint8_t *payload = header + LCAP_BLOCK_HEADER_SIZE;
    size_t at = find_column(payload, place.payload_size, wanted);
    if (at == 0)
        return 0;
    size_t stored = lcap_load_u32(payload + at + 4);
    size_t part_size = take_part(payload + at + 8, stored, lcap_load_u32(payload + at) != stored);
    part_size = LLVMFuzzerMutate(part, part_size, sizeof part);
    size = replace(data, size, capacity, place.offset + LCAP_BLOCK_HEADER_SIZE + at + 8, stored,
                   part_size);
    if (size == 0)
        return 0;
    lcap_store_u32(payload + at, (uint32_t)part_size);
    lcap_store_u32(payload + at + 4, (uint32_t)part_size);
    lcap_store_u32(header + 12, (uint32_t)(place.payload_size - stored + part_size));
    return size;
}

size_t fuzz_mutate_capture(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    struct place places[MAX_BLOCKS];
    size_t count = size > LCAP_FILE_HEADER_SIZE ? find_blocks(data, size, places) : 0;
    size_t result = 0;
    unsigned choice = seed % 16;
    seed /= 16;
    if (count != 0 && choice < 12) {
        struct place place = places[seed % count];
        bool is_events = lcap_load_u16(data + place.offset + 4) == LCAP_KIND_events;
        if (is_events && choice < 9)
            result = mutate_column(data, size, capacity, place, seed / count % 10);
        else
            result = mutate_payload(data, size, capacity, place);
    }
    if (result == 0)
        result = LLVMFuzzerMutate(data, size, capacity);
    if (choice != 15)
        repair(data, result);
    return result;
}
