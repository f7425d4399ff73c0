/* Walks the blocks of a file, trusting nothing: FORMAT.md, section 1.4. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "lcap_checksum.h"
#include "lcap_decode.h"
#include "lcap_frame.h"
#include "lcap_wire.h"

#define SEARCH_WINDOW 65536u

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
    struct lcap_clock *clocks;
    size_t clock_count;
    ZSTD_DCtx *zstd;
    uint8_t *stored;
    size_t stored_capacity;
    uint8_t *raw;
    size_t raw_capacity;
    struct lcap_events_decoder *decoder;
    const struct lcap_events *events;
};

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

static enum ludus_status read_at(struct lcap_reader *reader, uint64_t offset, void *bytes,
                                 size_t size)
{
    return reader->source.read_at(reader->source.context, offset, bytes, size);
}

static bool grow(uint8_t **bytes, size_t *capacity, size_t size)
{
    if (size <= *capacity)
        return true;
    uint8_t *larger = realloc(*bytes, size);
    if (larger == NULL)
        return false;
    *bytes = larger;
    *capacity = size;
    return true;
}

/* A block header's fields. */
struct block_header {
    uint64_t sequence;
    uint32_t kind;
    uint32_t kind_version;
    uint32_t flags;
    uint32_t stored_size;
    uint32_t raw_size;
    uint32_t payload_crc;
    uint32_t tag;
};

static enum lcap_damage parse_header(const uint8_t *at, const uint32_t *tag,
                                     struct block_header *header)
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

/* Finds the first valid header from `from` on; `*found` is the end when there is none. */
static enum ludus_status find_header(struct lcap_reader *reader, uint64_t from, const uint32_t *tag,
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
        status = read_at(reader, from, window, size);
        if (status != LUDUS_OK)
            break;
        size_t starts = size - LCAP_BLOCK_HEADER_SIZE + 1;
        for (size_t i = 0; i < starts; i++) {
            const uint8_t *next = memchr(window + i, 'L', starts - i);
            if (next == NULL)
                break;
            i = (size_t)(next - window);
            struct block_header header;
            if (parse_header(next, tag, &header) == LCAP_DAMAGE_NONE) {
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
    enum ludus_status status = read_at(reader, offset, trailer, sizeof trailer);
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
    enum ludus_status status = find_header(reader, LCAP_FILE_HEADER_SIZE, NULL, &found);
    if (status != LUDUS_OK || found == reader->end)
        return status;
    uint8_t bytes[LCAP_BLOCK_HEADER_SIZE];
    status = read_at(reader, found, bytes, sizeof bytes);
    reader->tag = lcap_load_u32(bytes + 32);
    reader->has_tag = true;
    return status;
}

static enum ludus_status read_file_header(struct lcap_reader *reader, struct ludus_error *error)
{
    uint8_t header[LCAP_FILE_HEADER_SIZE] = {0};
    uint64_t size = reader->source.size;
    size_t wanted = size < sizeof header ? (size_t)size : sizeof header;
    if (read_at(reader, 0, header, wanted) != LUDUS_OK)
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
    reader->zstd = ZSTD_createDCtx();
    if (reader->zstd == NULL || lcap_events_decoder_create(&reader->decoder) != LUDUS_OK) {
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

void lcap_reader_close(struct lcap_reader *reader)
{
    if (reader == NULL)
        return;
    lcap_events_decoder_destroy(reader->decoder);
    ZSTD_freeDCtx(reader->zstd);
    free(reader->clocks);
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
    for (size_t i = 0; i < reader->clock_count; i++)
        if (reader->clocks[i].clock == clock)
            return &reader->clocks[i];
    return NULL;
}

static enum ludus_status define_clock(struct lcap_reader *reader, const struct lcap_clock *clock)
{
    if (lcap_reader_clock(reader, clock->clock) != NULL)
        return LUDUS_OK;
    struct lcap_clock *larger =
        realloc(reader->clocks, (reader->clock_count + 1) * sizeof *reader->clocks);
    if (larger == NULL)
        return LUDUS_ERROR_MEMORY;
    reader->clocks = larger;
    reader->clocks[reader->clock_count++] = *clock;
    return LUDUS_OK;
}

#define CHECK_ALL(next, type)                                                                      \
    do {                                                                                           \
        type record;                                                                               \
        while (next(&records, &record))                                                            \
            continue;                                                                              \
    } while (0)

static enum lcap_damage check_calibrations(struct lcap_records records)
{
    struct lcap_calibration calibration, last = {0};
    for (bool is_first = true; lcap_next_calibration(&records, &calibration); is_first = false) {
        if (!is_first && (calibration.tick <= last.tick || calibration.ns <= last.ns))
            return LCAP_DAMAGE_PAYLOAD_VALUE;
        last = calibration;
    }
    return records.problem;
}

/* Whether all records of the block keep the rules of their kind. */
static enum lcap_damage check_records(const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    switch ((enum lcap_block_kind)block->kind) {
    case LCAP_KIND_session: {
        struct lcap_session session;
        enum lcap_damage damage = lcap_read_session(block, &session);
        if (damage != LCAP_DAMAGE_NONE)
            return damage;
        CHECK_ALL(lcap_next_fact, struct lcap_fact);
        break;
    }
    case LCAP_KIND_clock: {
        struct lcap_clock clock;
        struct lcap_bytes reason;
        return lcap_read_clock(block, &clock, &reason);
    }
    case LCAP_KIND_end: {
        struct lcap_end end;
        return lcap_read_end(block, &end);
    }
    case LCAP_KIND_events: {
        struct lcap_events_header header;
        return lcap_read_events_header(block, &header);
    }
    case LCAP_KIND_calibrations:
        return check_calibrations(records);
    case LCAP_KIND_strings:
        CHECK_ALL(lcap_next_string, struct lcap_string);
        break;
    case LCAP_KIND_categories:
        CHECK_ALL(lcap_next_category, struct lcap_category);
        break;
    case LCAP_KIND_sites:
        CHECK_ALL(lcap_next_site, struct lcap_site);
        break;
    case LCAP_KIND_tracks:
        CHECK_ALL(lcap_next_track, struct lcap_track);
        break;
    case LCAP_KIND_domains:
        CHECK_ALL(lcap_next_domain, struct lcap_domain);
        break;
    case LCAP_KIND_frames:
        CHECK_ALL(lcap_next_frame_mark, struct lcap_frame_mark);
        break;
    case LCAP_KIND_losses:
        CHECK_ALL(lcap_next_loss, struct lcap_loss);
        break;
    case LCAP_KIND_diagnostics:
        CHECK_ALL(lcap_next_diagnostic, struct lcap_diagnostic);
        break;
    case LCAP_KIND_index:
        CHECK_ALL(lcap_next_index_entry, struct lcap_index_entry);
        break;
    }
    return records.problem;
}

/* Puts the block's payload, decompressed, into `block`. */
static enum ludus_status load_payload(struct lcap_reader *reader, const struct block_header *header,
                                      bool is_known, struct lcap_block *block,
                                      enum lcap_damage *damage)
{
    *damage = LCAP_DAMAGE_NONE;
    if (!grow(&reader->stored, &reader->stored_capacity, (size_t)header->stored_size + 1))
        return LUDUS_ERROR_MEMORY;
    enum ludus_status status = read_at(reader, block->offset + LCAP_BLOCK_HEADER_SIZE,
                                       reader->stored, header->stored_size);
    if (status != LUDUS_OK)
        return status;
    if (lcap_crc32(reader->stored, header->stored_size) != header->payload_crc) {
        *damage = LCAP_DAMAGE_PAYLOAD_CHECKSUM;
        return LUDUS_OK;
    }
    if (!is_known)
        return LUDUS_OK;
    block->payload = (struct lcap_bytes){reader->stored, header->stored_size};
    if ((header->flags & LCAP_BLOCK_FLAG_ZSTD) == 0)
        return LUDUS_OK;
    if (!grow(&reader->raw, &reader->raw_capacity, (size_t)header->raw_size + 1))
        return LUDUS_ERROR_MEMORY;
    if (!lcap_decompress(reader->zstd, reader->stored, header->stored_size, reader->raw,
                         header->raw_size))
        *damage = LCAP_DAMAGE_PAYLOAD_COMPRESSION;
    else if (header->kind == LCAP_KIND_events) /* its columns are compressed, never the whole */
        *damage = LCAP_DAMAGE_PAYLOAD_VALUE;
    block->payload = (struct lcap_bytes){reader->raw, header->raw_size};
    return LUDUS_OK;
}

/* Decodes an events block whose fixed part has been checked. */
static enum ludus_status decode_block_events(struct lcap_reader *reader,
                                             const struct lcap_block *block, bool decode_events,
                                             enum lcap_damage *damage)
{
    struct lcap_events_header header;
    *damage = lcap_read_events_header(block, &header);
    const struct lcap_clock *clock = lcap_reader_clock(reader, header.clock);
    if (*damage == LCAP_DAMAGE_NONE && clock == NULL)
        *damage = LCAP_DAMAGE_PAYLOAD_VALUE;
    if (*damage != LCAP_DAMAGE_NONE || !decode_events)
        return LUDUS_OK;
    enum ludus_status status =
        lcap_events_decode(reader->decoder, block, clock, &reader->events, damage);
    return status == LUDUS_ERROR_DAMAGED ? LUDUS_OK : status;
}

/* Fills `item` with the block whose valid header is given: good, skipped or damaged. */
static enum ludus_status read_block(struct lcap_reader *reader, uint64_t offset,
                                    const struct block_header *header, bool decode_events,
                                    struct lcap_item *item)
{
    struct lcap_block *block = &item->block;
    *block = (struct lcap_block){.offset = offset,
                                 .sequence = header->sequence,
                                 .kind = header->kind,
                                 .kind_version = header->kind_version,
                                 .stored_size = header->stored_size,
                                 .raw_size = header->raw_size};
    bool is_known = lcap_block_kind_name(header->kind) != NULL && header->kind_version == 1;
    enum lcap_damage damage;
    enum ludus_status status = load_payload(reader, header, is_known, block, &damage);
    if (status == LUDUS_OK && damage == LCAP_DAMAGE_NONE && is_known)
        damage = check_records(block);
    if (status == LUDUS_OK && damage == LCAP_DAMAGE_NONE && is_known &&
        block->kind == LCAP_KIND_events)
        status = decode_block_events(reader, block, decode_events, &damage);
    if (status == LUDUS_OK && damage == LCAP_DAMAGE_NONE && is_known &&
        block->kind == LCAP_KIND_clock) {
        struct lcap_clock clock;
        struct lcap_bytes reason;
        (void)lcap_read_clock(block, &clock, &reason);
        status = define_clock(reader, &clock);
    }
    if (status != LUDUS_OK)
        return status;
    item->kind = is_known ? LCAP_ITEM_BLOCK : LCAP_ITEM_SKIPPED;
    item->offset = offset;
    item->size = (uint64_t)LCAP_BLOCK_HEADER_SIZE + header->stored_size;
    if (damage != LCAP_DAMAGE_NONE) {
        item->kind = LCAP_ITEM_DAMAGE;
        item->reason = damage;
        reader->events = NULL;
    }
    return LUDUS_OK;
}

/* The last item: what remains from the reader's offset to the file's end. */
static void finish(struct lcap_reader *reader, bool zero_tail, struct lcap_item *item)
{
    reader->is_over = true;
    item->offset = reader->offset;
    if (reader->is_finished) {
        item->kind = LCAP_ITEM_FINISHED;
        item->size = reader->source.size;
    } else {
        item->kind = LCAP_ITEM_UNFINISHED;
        item->size = reader->end - reader->offset;
        item->zero_tail = zero_tail;
    }
}

/* Whether every byte from `offset` to the end is zero. */
static enum ludus_status check_zero_tail(struct lcap_reader *reader, uint64_t offset, bool *is_zero)
{
    uint8_t bytes[4096];
    *is_zero = true;
    while (offset < reader->end && *is_zero) {
        uint64_t left = reader->end - offset;
        size_t size = left < sizeof bytes ? (size_t)left : sizeof bytes;
        enum ludus_status status = read_at(reader, offset, bytes, size);
        if (status != LUDUS_OK)
            return status;
        for (size_t i = 0; i < size && *is_zero; i++)
            *is_zero = bytes[i] == 0;
        offset += size;
    }
    return LUDUS_OK;
}

static void tell_damage(struct lcap_reader *reader, enum lcap_damage reason, uint64_t end,
                        struct lcap_item *item)
{
    item->kind = LCAP_ITEM_DAMAGE;
    item->reason = reason;
    item->offset = reader->offset;
    item->size = end - reader->offset;
    reader->offset = end;
    reader->is_after_damage = true;
}

/* A block, or a header, that reaches beyond the end. */
static enum ludus_status tell_cut(struct lcap_reader *reader, struct lcap_item *item)
{
    if (reader->is_finished)
        tell_damage(reader, LCAP_DAMAGE_BLOCK_CUT, reader->end, item);
    else
        finish(reader, false, item);
    return LUDUS_OK;
}

static enum ludus_status next_block(struct lcap_reader *reader, const struct block_header *header,
                                    bool decode_events, struct lcap_item *item)
{
    enum ludus_status status = read_block(reader, reader->offset, header, decode_events, item);
    if (status != LUDUS_OK)
        return status;
    if (item->kind != LCAP_ITEM_DAMAGE && header->sequence != reader->expected_sequence &&
        !reader->is_after_damage && !reader->is_gap_told) {
        /* The block itself is read again by the next call: gaps are rare. */
        *item = (struct lcap_item){.kind = LCAP_ITEM_GAP,
                                   .offset = reader->offset,
                                   .expected_sequence = reader->expected_sequence,
                                   .found_sequence = header->sequence};
        reader->events = NULL;
        reader->is_gap_told = true;
        return LUDUS_OK;
    }
    reader->expected_sequence = header->sequence + 1;
    reader->is_gap_told = false;
    reader->is_after_damage = item->kind == LCAP_ITEM_DAMAGE;
    reader->offset += item->size;
    return LUDUS_OK;
}

enum ludus_status lcap_reader_next(struct lcap_reader *reader, bool decode_events,
                                   struct lcap_item *item)
{
    *item = (struct lcap_item){0};
    reader->events = NULL;
    if (reader->is_over)
        return LUDUS_END;
    if (reader->header_is_damaged && !reader->is_header_reported) {
        reader->is_header_reported = true;
        reader->offset = 0;
        tell_damage(reader, LCAP_DAMAGE_FILE_HEADER, LCAP_FILE_HEADER_SIZE, item);
        return LUDUS_OK;
    }
    uint64_t left = reader->end - reader->offset;
    if (left == 0) {
        finish(reader, false, item);
        return LUDUS_OK;
    }
    uint8_t bytes[LCAP_BLOCK_HEADER_SIZE] = {0};
    size_t size = left < sizeof bytes ? (size_t)left : sizeof bytes;
    enum ludus_status status = read_at(reader, reader->offset, bytes, size);
    if (status != LUDUS_OK)
        return status;
    struct block_header header;
    enum lcap_damage damage = parse_header(bytes, &reader->tag, &header);
    if (damage == LCAP_DAMAGE_BLOCK_MAGIC) {
        bool is_zero;
        status = check_zero_tail(reader, reader->offset, &is_zero);
        if (status != LUDUS_OK)
            return status;
        if (is_zero && !reader->is_finished) {
            finish(reader, true, item);
            return LUDUS_OK;
        }
    }
    if (left < LCAP_BLOCK_HEADER_SIZE)
        return tell_cut(reader, item);
    if (damage != LCAP_DAMAGE_NONE) {
        uint64_t found;
        status = find_header(reader, reader->offset + 1, &reader->tag, &found);
        if (status == LUDUS_OK)
            tell_damage(reader, damage, found, item);
        return status;
    }
    if (left - LCAP_BLOCK_HEADER_SIZE < header.stored_size)
        return tell_cut(reader, item);
    return next_block(reader, &header, decode_events, item);
}

enum ludus_status lcap_reader_read(struct lcap_reader *reader, uint64_t offset,
                                   struct lcap_item *item)
{
    *item = (struct lcap_item){.offset = offset};
    reader->events = NULL;
    uint8_t bytes[LCAP_BLOCK_HEADER_SIZE];
    if (offset > reader->end || reader->end - offset < sizeof bytes)
        return LUDUS_ERROR_ARGUMENT;
    enum ludus_status status = read_at(reader, offset, bytes, sizeof bytes);
    if (status != LUDUS_OK)
        return status;
    struct block_header header;
    enum lcap_damage damage = parse_header(bytes, &reader->tag, &header);
    if (damage == LCAP_DAMAGE_NONE &&
        reader->end - offset - LCAP_BLOCK_HEADER_SIZE < header.stored_size)
        damage = LCAP_DAMAGE_BLOCK_CUT;
    if (damage == LCAP_DAMAGE_NONE)
        return read_block(reader, offset, &header, true, item);
    item->kind = LCAP_ITEM_DAMAGE;
    item->reason = damage;
    return LUDUS_OK;
}
