/* Puts captures together in memory and operates on their bytes. */
#include "golden_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "lcap_checksum.h"
#include "lcap_wire.h"

void golden_require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "make_golden: %s\n", what);
    exit(1);
}

static void store(uint8_t *at, size_t width, uint64_t value)
{
    for (size_t i = 0; i < width; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

void golden_open(struct golden_file *file)
{
    struct lcap_encoder_config config = {
        .max_site = 4096, .max_events = 8192, .compression_level = 3};
    *file = (struct golden_file){.bytes = calloc(1, GOLDEN_MAX_BYTES)};
    golden_require(file->bytes != NULL, "out of memory");
    golden_require(lcap_encoder_create(&config, &file->encoder) == LUDUS_OK, "no encoder");
    struct lcap_bytes header = lcap_chain_start(&file->chain, GOLDEN_CAPTURE_ID);
    golden_add_bytes(file, header.data, header.size);
}

void golden_close(struct golden_file *file)
{
    lcap_encoder_destroy(file->encoder);
    free(file->bytes);
}

void golden_add_bytes(struct golden_file *file, const void *bytes, size_t size)
{
    golden_require(size <= GOLDEN_MAX_BYTES - file->size, "the file is too large");
    if (size != 0)
        memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

static void note_block(struct golden_file *file)
{
    golden_require(file->block_count < GOLDEN_MAX_BLOCKS, "too many blocks");
    file->blocks[file->block_count++] = file->size;
}

static uint8_t *last_header(const struct golden_file *file)
{
    golden_require(file->block_count != 0, "there is no block");
    return file->bytes + file->blocks[file->block_count - 1];
}

/* Makes both checksums of the last block right. */
static void seal(struct golden_file *file)
{
    uint8_t *header = last_header(file);
    size_t stored = file->size - file->blocks[file->block_count - 1] - LCAP_BLOCK_HEADER_SIZE;
    store(header + 20, 4, lcap_crc32(header + LCAP_BLOCK_HEADER_SIZE, stored));
    store(header + 36, 4, lcap_crc32(header, 36));
}

void golden_add(struct golden_file *file, enum ludus_status status, struct lcap_bytes block)
{
    golden_require(status == LUDUS_OK && block.size != 0, "the encoder refused a block");
    note_block(file);
    if (lcap_load_u16(block.data + 4) != LCAP_KIND_index) /* of which the chain knows */
        lcap_chain_add_made(&file->chain, file->encoder);
    golden_add_bytes(file, block.data, block.size);
    /* The chain does not know of blocks that were added without it. */
    store(last_header(file) + 24, 8, file->block_count - 1);
    seal(file);
    if (lcap_load_u16(last_header(file) + 4) == LCAP_KIND_index)
        file->index_offset = file->blocks[file->block_count - 1];
}

void golden_add_payload(struct golden_file *file, uint32_t kind, const uint8_t *payload,
                        size_t size)
{
    uint8_t header[LCAP_BLOCK_HEADER_SIZE] = {0};
    note_block(file);
    store(header, 4, LCAP_BLOCK_MAGIC);
    store(header + 4, 2, kind);
    store(header + 6, 2, 1);
    store(header + 12, 4, size);
    store(header + 16, 4, size);
    store(header + 24, 8, file->block_count - 1);
    store(header + 32, 4, GOLDEN_CAPTURE_ID & UINT32_MAX);
    golden_add_bytes(file, header, sizeof header);
    golden_add_bytes(file, payload, size);
    seal(file);
}

uint8_t *golden_payload(struct golden_file *file)
{
    return last_header(file) + LCAP_BLOCK_HEADER_SIZE;
}

size_t golden_payload_size(const struct golden_file *file)
{
    return file->size - file->blocks[file->block_count - 1] - LCAP_BLOCK_HEADER_SIZE;
}

void golden_replace_payload(struct golden_file *file, const uint8_t *payload, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    golden_require(copy != NULL, "out of memory");
    if (size != 0)
        memcpy(copy, payload, size); /* it may lie where it goes to */
    file->size -= golden_payload_size(file);
    golden_add_bytes(file, copy, size);
    free(copy);
    store(last_header(file) + 12, 4, size);
    if (lcap_load_u16(last_header(file) + 8) == 0)
        store(last_header(file) + 16, 4, size);
    seal(file);
}

void golden_decompress(struct golden_file *file)
{
    if (lcap_load_u16(last_header(file) + 8) == 0)
        return;
    size_t size = lcap_load_u32(last_header(file) + 16);
    uint8_t *raw = malloc(size + 1);
    golden_require(raw != NULL, "out of memory");
    golden_require(ZSTD_decompress(raw, size, golden_payload(file), golden_payload_size(file)) ==
                       size,
                   "a payload cannot be decompressed");
    store(last_header(file) + 8, 2, 0);
    golden_replace_payload(file, raw, size);
    free(raw);
}

void golden_compress(struct golden_file *file)
{
    size_t size = golden_payload_size(file);
    size_t bound = ZSTD_compressBound(size);
    uint8_t *frame = malloc(bound);
    golden_require(frame != NULL, "out of memory");
    size_t stored = ZSTD_compress(frame, bound, golden_payload(file), size, 3);
    golden_require(!ZSTD_isError(stored), "a payload cannot be compressed");
    store(last_header(file) + 8, 2, LCAP_BLOCK_FLAG_ZSTD);
    store(last_header(file) + 16, 4, size);
    golden_replace_payload(file, frame, stored);
    free(frame);
}

void golden_set(struct golden_file *file, size_t offset, size_t width, uint64_t value)
{
    golden_require(offset + width <= golden_payload_size(file), "a field lies outside its payload");
    store(golden_payload(file) + offset, width, value);
    seal(file);
}

void golden_set_header(struct golden_file *file, size_t offset, size_t width, uint64_t value)
{
    uint8_t *header = last_header(file);
    store(header + offset, width, value);
    store(header + 36, 4, lcap_crc32(header, 36));
}

void golden_set_file_header(struct golden_file *file, size_t offset, size_t width, uint64_t value)
{
    store(file->bytes + offset, width, value);
    store(file->bytes + 28, 4, lcap_crc32(file->bytes, 28));
}

void golden_add_index(struct golden_file *file)
{
    uint8_t payload[16 + 40 * GOLDEN_MAX_BLOCKS] = {0};
    store(payload, 4, file->block_count);
    for (size_t i = 0; i < file->block_count; i++) {
        const uint8_t *header = file->bytes + file->blocks[i];
        const uint8_t *block = header + LCAP_BLOCK_HEADER_SIZE;
        uint8_t *entry = payload + 16 + 40 * i;
        uint32_t kind = lcap_load_u16(header + 4);
        store(entry, 8, file->blocks[i]);
        store(entry + 8, 4, kind);
        if (kind != LCAP_KIND_events || lcap_load_u32(header + 12) < LCAP_EVENTS_HEADER_SIZE)
            continue;
        memcpy(entry + 12, block + 4, 4);   /* event_count */
        memcpy(entry + 16, block + 32, 16); /* base_step, last_step */
        memcpy(entry + 32, block, 4);       /* clock */
    }
    file->index_offset = file->size;
    golden_add_payload(file, LCAP_KIND_index, payload, 16 + 40 * file->block_count);
}

void golden_add_trailer(struct golden_file *file)
{
    uint8_t trailer[LCAP_TRAILER_SIZE];
    memcpy(trailer, LCAP_TRAILER_MAGIC, 8);
    store(trailer + 8, 8, file->index_offset);
    store(trailer + 16, 4, GOLDEN_CAPTURE_ID & UINT32_MAX);
    store(trailer + 20, 4, lcap_crc32(trailer, 20));
    golden_add_bytes(file, trailer, sizeof trailer);
}

void golden_write(struct golden_file *file, const char *directory, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s.lcap", directory, name);
    golden_require(length > 0 && (size_t)length < sizeof path, "a path is too long");
    FILE *stream = fopen(path, "wb");
    golden_require(stream != NULL, "a file cannot be created");
    size_t written = fwrite(file->bytes, 1, file->size, stream);
    golden_require(fclose(stream) == 0 && written == file->size, "a file cannot be written");
    golden_close(file);
}
