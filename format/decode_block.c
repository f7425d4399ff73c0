/* Reads one block: checksum, compression, and whether its records keep the rules of their kind. */
#include <stdlib.h>

#include "lcap_checksum.h"
#include "lcap_events_decoder.h"
#include "lcap_frame.h"
#include "lcap_reader.h"

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
    case LCAP_KIND_window: {
        struct lcap_window window;
        return lcap_read_window(block, &window);
    }
    case LCAP_KIND_repair: {
        struct lcap_repair repair;
        return lcap_read_repair(block, &repair);
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
    case LCAP_KIND_sched:
        CHECK_ALL(lcap_next_sched, struct lcap_sched);
        break;
    case LCAP_KIND_triggers:
        CHECK_ALL(lcap_next_trigger, struct lcap_trigger);
        break;
    case LCAP_KIND_gpu_queues:
        CHECK_ALL(lcap_next_gpu_queue, struct lcap_gpu_queue);
        break;
    case LCAP_KIND_gpu_frames:
        CHECK_ALL(lcap_next_gpu_frame, struct lcap_gpu_frame);
        break;
    case LCAP_KIND_gpu_passes:
        CHECK_ALL(lcap_next_gpu_pass, struct lcap_gpu_pass);
        break;
    case LCAP_KIND_gpu_counts:
        CHECK_ALL(lcap_next_gpu_count, struct lcap_gpu_count);
        break;
    case LCAP_KIND_gpu_calibrations:
        CHECK_ALL(lcap_next_gpu_calibration, struct lcap_gpu_calibration);
        break;
    case LCAP_KIND_lost:
        CHECK_ALL(lcap_next_lost, struct lcap_lost);
        break;
    case LCAP_KIND_index:
        CHECK_ALL(lcap_next_index_entry, struct lcap_index_entry);
        break;
    }
    return records.problem;
}

/* Puts the block's payload, decompressed, into `block`. */
static enum ludus_status load_payload(struct lcap_reader *reader,
                                      const struct lcap_block_header *header, bool is_known,
                                      struct lcap_block *block, enum lcap_damage *damage)
{
    *damage = LCAP_DAMAGE_NONE;
    if (!grow(&reader->stored, &reader->stored_capacity, (size_t)header->stored_size + 1))
        return LUDUS_ERROR_MEMORY;
    enum ludus_status status = lcap_reader_bytes(reader, block->offset + LCAP_BLOCK_HEADER_SIZE,
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
    if (!lcap_decompress(reader->decoder->zstd, reader->stored, header->stored_size, reader->raw,
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

/* Fills `item` with an events block of which only the fixed part is read. False when it is not as
 * it has to be: the whole block then shows why. */
static bool skim_events(struct lcap_reader *reader, const struct lcap_block_header *header,
                        struct lcap_item *item)
{
    struct lcap_block *block = &item->block;
    if (header->flags != 0 || header->stored_size < LCAP_EVENTS_HEADER_SIZE ||
        !grow(&reader->stored, &reader->stored_capacity, LCAP_EVENTS_HEADER_SIZE) ||
        lcap_reader_bytes(reader, block->offset + LCAP_BLOCK_HEADER_SIZE, reader->stored,
                          LCAP_EVENTS_HEADER_SIZE) != LUDUS_OK)
        return false;
    block->payload = (struct lcap_bytes){reader->stored, LCAP_EVENTS_HEADER_SIZE};
    enum lcap_damage damage;
    if (decode_block_events(reader, block, false, &damage) != LUDUS_OK ||
        damage != LCAP_DAMAGE_NONE)
        return false;
    item->kind = LCAP_ITEM_BLOCK;
    item->offset = block->offset;
    item->size = (uint64_t)LCAP_BLOCK_HEADER_SIZE + header->stored_size;
    return true;
}

enum ludus_status lcap_read_block(struct lcap_reader *reader, uint64_t offset,
                                  const struct lcap_block_header *header, bool decode_events,
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
    if (reader->skims_events && !decode_events && is_known && header->kind == LCAP_KIND_events &&
        skim_events(reader, header, item))
        return LUDUS_OK;
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
        status = lcap_clock_table_add(&reader->clocks, &clock) ? LUDUS_OK : LUDUS_ERROR_MEMORY;
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
