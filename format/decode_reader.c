/* Opens captures: the file header, the trailer, and the search for block headers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_checksum.h"
#include "lcap_reader.h"
#include "lcap_wire.h"

#define SEARCH_WINDOW 65536u

static enum ludus_status read_memory(void *context, uint64_t offset, void *bytes, size_t size)
{
    const struct lcap_bytes *memory = context;
    memcpy(bytes, memory->data + offset, size);
    return LUDUS_OK;
}

struct lcap_source lcap_source_from_memory(const struct lcap_bytes *bytes)
{
    union {
        const struct lcap_bytes *in;
        void *out;
    } context = {.in = bytes}; /* only ever read through */
    return (struct lcap_source){context.out, read_memory, bytes->size};
}

/* A walk that leaves out most of the file reads a bit more than it is asked for, since each read is
 * a call of the system. What may grow is always read anew. */
enum ludus_status lcap_reader_bytes(struct lcap_reader *reader, uint64_t offset, void *bytes,
                                    size_t size)
{
    const struct lcap_source *source = &reader->source;
    if (!reader->skims_events || reader->may_grow || size > LCAP_WINDOW_SIZE)
        return source->read_at(source->context, offset, bytes, size);
    if (offset < reader->window_offset ||
        offset + size > reader->window_offset + reader->window_size) {
        uint64_t left = source->size - offset;
        size_t wanted = left < LCAP_WINDOW_SIZE ? (size_t)left : LCAP_WINDOW_SIZE;
        reader->window_size = 0;
        enum ludus_status status = source->read_at(source->context, offset, reader->window, wanted);
        if (status != LUDUS_OK)
            return status;
        reader->window_offset = offset;
        reader->window_size = wanted;
    }
    memcpy(bytes, reader->window + (offset - reader->window_offset), size);
    return LUDUS_OK;
}

enum lcap_damage lcap_parse_header(const uint8_t *at, const uint32_t *tag,
                                   struct lcap_block_header *header)
{
    if (lcap_load_u32(at) != LCAP_BLOCK_MAGIC)
        return LCAP_DAMAGE_BLOCK_MAGIC;
    if (lcap_crc32(at, 36) != lcap_load_u32(at + 36))
        return LCAP_DAMAGE_HEADER_CHECKSUM;
    header->kind = lcap_load_u16(at + 4);
    header->kind_version = lcap_load_u16(at + 6);
    header->flags = lcap_load_u16(at + 8);
    header->stored_size = lcap_load_u32(at + 12);
    header->raw_size = lcap_load_u32(at + 16);
    header->payload_crc = lcap_load_u32(at + 20);
    header->sequence = lcap_load_u64(at + 24);
    header->tag = lcap_load_u32(at + 32);
    if (header->kind == 0 || header->kind_version == 0 ||
        (header->flags & ~LCAP_BLOCK_FLAG_ZSTD) != 0 || lcap_load_u16(at + 10) != 0 ||
        header->stored_size > LCAP_MAX_PAYLOAD || header->raw_size > LCAP_MAX_PAYLOAD ||
        (header->flags == 0 && header->stored_size != header->raw_size) ||
        (tag != NULL && header->tag != *tag))
        return LCAP_DAMAGE_HEADER_FIELD;
    return LCAP_DAMAGE_NONE;
}
enum ludus_status lcap_find_header(struct lcap_reader *reader, uint64_t from, const uint32_t *tag,
                                   uint64_t *found)
{
    uint8_t *window = malloc(SEARCH_WINDOW);
    if (window == NULL)
        return LUDUS_ERROR_MEMORY;
    enum ludus_status status = LUDUS_OK;
    *found = reader->end;
    while (from + LCAP_BLOCK_HEADER_SIZE <= reader->end) {
        uint64_t left = reader->end - from;
        size_t size = left < SEARCH_WINDOW ? (size_t)left : SEARCH_WINDOW;
        status = lcap_reader_bytes(reader, from, window, size);
        if (status != LUDUS_OK)
            break;
        size_t starts = size - LCAP_BLOCK_HEADER_SIZE + 1;
        for (size_t i = 0; i < starts; i++) {
            const uint8_t *next = memchr(window + i, 'L', starts - i);
            if (next == NULL)
                break;
            i = (size_t)(next - window);
            struct lcap_block_header header;
            if (lcap_parse_header(next, tag, &header) == LCAP_DAMAGE_NONE) {
                *found = from + i;
                free(window);
                return LUDUS_OK;
            }
        }
        from += starts;
    }
    free(window);
    return status;
}
static enum ludus_status refuse(struct ludus_error *error, enum ludus_status status,
                                const char *message)
{
    if (error != NULL) {
        error->status = status;
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    return status;
}

static enum ludus_status read_trailer(struct lcap_reader *reader)
{
    uint8_t trailer[LCAP_TRAILER_SIZE];
    if (!reader->has_tag || reader->source.size < LCAP_FILE_HEADER_SIZE + LCAP_TRAILER_SIZE)
        return LUDUS_OK;
    uint64_t offset = reader->source.size - LCAP_TRAILER_SIZE;
    enum ludus_status status = lcap_reader_bytes(reader, offset, trailer, sizeof trailer);
    if (status != LUDUS_OK)
        return status;
    if (memcmp(trailer, LCAP_TRAILER_MAGIC, 8) == 0 &&
        lcap_crc32(trailer, 20) == lcap_load_u32(trailer + 20) &&
        lcap_load_u32(trailer + 16) == reader->tag) {
        reader->is_finished = true;
        reader->end = offset;
    }
    return LUDUS_OK;
}

/* Takes the tag of the first block header that is valid but for it: the file header does not tell
 * it. Where blocks end depends on the trailer, and that on the tag, so that all of the file is
 * searched. */
static enum ludus_status adopt_tag(struct lcap_reader *reader)
{
    uint64_t found;
    enum ludus_status status = lcap_find_header(reader, LCAP_FILE_HEADER_SIZE, NULL, &found);
    if (status != LUDUS_OK || found == reader->end)
        return status;
    uint8_t bytes[LCAP_BLOCK_HEADER_SIZE];
    status = lcap_reader_bytes(reader, found, bytes, sizeof bytes);
    reader->tag = lcap_load_u32(bytes + 32);
    reader->has_tag = true;
    return status;
}

static enum ludus_status read_file_header(struct lcap_reader *reader, struct ludus_error *error)
{
    uint8_t header[LCAP_FILE_HEADER_SIZE] = {0};
    uint64_t size = reader->source.size;
    size_t wanted = size < sizeof header ? (size_t)size : sizeof header;
    if (lcap_reader_bytes(reader, 0, header, wanted) != LUDUS_OK)
        return refuse(error, LUDUS_ERROR_OPEN, "cannot be read");
    if (size == 0)
        return refuse(error, LUDUS_ERROR_FORMAT, "is empty, not a capture");
    if (size < 8 || memcmp(header, LCAP_FILE_MAGIC, 8) != 0)
        return refuse(error, LUDUS_ERROR_FORMAT, "is not a capture");
    reader->offset = wanted;
    if (size < sizeof header) {
        reader->offset = 0;
        return LUDUS_OK;
    }
    bool is_intact = lcap_crc32(header, 28) == lcap_load_u32(header + 28);
    if (is_intact && lcap_load_u16(header + 8) > LCAP_VERSION_MAJOR)
        return refuse(error, LUDUS_ERROR_VERSION,
                      "was made by a newer recorder: its format version is greater than 1; "
                      "use a newer ludus-trace");
    if (is_intact && lcap_load_u32(header + 12) == LCAP_FILE_HEADER_SIZE &&
        lcap_load_u32(header + 24) == 0 && lcap_load_u16(header + 8) == LCAP_VERSION_MAJOR) {
        reader->version_minor = lcap_load_u16(header + 10);
        reader->capture_id = lcap_load_u64(header + 16);
        reader->tag = (uint32_t)reader->capture_id;
        reader->has_tag = true;
    } else {
        reader->header_is_damaged = true;
        if (adopt_tag(reader) != LUDUS_OK)
            return refuse(error, LUDUS_ERROR_OPEN, "cannot be read");
    }
    if (read_trailer(reader) != LUDUS_OK)
        return refuse(error, LUDUS_ERROR_OPEN, "cannot be read");
    return LUDUS_OK;
}

enum ludus_status lcap_reader_open(struct lcap_source source, struct lcap_reader **out,
                                   struct ludus_error *error)
{
    *out = NULL;
    struct lcap_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL)
        return refuse(error, LUDUS_ERROR_MEMORY, "cannot be read: out of memory");
    reader->source = source;
    reader->end = source.size;
    if (lcap_events_decoder_create(&reader->decoder) != LUDUS_OK) {
        lcap_reader_close(reader);
        return refuse(error, LUDUS_ERROR_MEMORY, "cannot be read: out of memory");
    }
    enum ludus_status status = read_file_header(reader, error);
    if (status != LUDUS_OK) {
        lcap_reader_close(reader);
        return status;
    }
    *out = reader;
    return LUDUS_OK;
}

enum ludus_status lcap_reader_open_again(const struct lcap_reader *reader, struct lcap_reader **out)
{
    *out = NULL;
    struct lcap_reader *again = calloc(1, sizeof *again);
    if (again == NULL)
        return LUDUS_ERROR_MEMORY;
    again->source = reader->source;
    again->end = reader->end;
    again->tag = reader->tag;
    again->has_tag = reader->has_tag;
    again->is_over = true; /* it walks over nothing */
    if (!lcap_clock_table_copy(&again->clocks, &reader->clocks) ||
        lcap_events_decoder_create(&again->decoder) != LUDUS_OK) {
        lcap_reader_close(again);
        return LUDUS_ERROR_MEMORY;
    }
    *out = again;
    return LUDUS_OK;
}

void lcap_reader_skim_events(struct lcap_reader *reader)
{
    reader->skims_events = true;
}

void lcap_reader_expect_growth(struct lcap_reader *reader)
{
    reader->may_grow = true;
}

enum ludus_status lcap_reader_grow(struct lcap_reader *reader, uint64_t size)
{
    if (reader->is_finished || size == reader->source.size)
        return LUDUS_OK;
    reader->window_size = 0;
    reader->source.size = size;
    reader->end = size;
    reader->is_over = false;
    return read_trailer(reader);
}

void lcap_reader_close(struct lcap_reader *reader)
{
    if (reader == NULL)
        return;
    lcap_events_decoder_destroy(reader->decoder);
    lcap_clock_table_clear(&reader->clocks);
    free(reader->stored);
    free(reader->raw);
    free(reader);
}

uint64_t lcap_reader_capture_id(const struct lcap_reader *reader)
{
    return reader->capture_id;
}

uint32_t lcap_reader_version_minor(const struct lcap_reader *reader)
{
    return reader->version_minor;
}

const struct lcap_events *lcap_reader_events(const struct lcap_reader *reader)
{
    return reader->events;
}

const struct lcap_clock *lcap_reader_clock(const struct lcap_reader *reader, uint32_t clock)
{
    return lcap_clock_table_find(&reader->clocks, clock);
}
