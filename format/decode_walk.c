/* Walks the blocks of a file, trusting nothing: FORMAT.md, section 1.4. */
#include "lcap_reader.h"

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
        enum ludus_status status = lcap_reader_bytes(reader, offset, bytes, size);
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

static enum ludus_status next_block(struct lcap_reader *reader,
                                    const struct lcap_block_header *header, bool decode_events,
                                    struct lcap_item *item)
{
    enum ludus_status status = lcap_read_block(reader, reader->offset, header, decode_events, item);
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
    enum ludus_status status = lcap_reader_bytes(reader, reader->offset, bytes, size);
    if (status != LUDUS_OK)
        return status;
    struct lcap_block_header header;
    enum lcap_damage damage = lcap_parse_header(bytes, &reader->tag, &header);
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
        status = lcap_find_header(reader, reader->offset + 1, &reader->tag, &found);
        if (status != LUDUS_OK)
            return status;
        if (found == reader->end && reader->may_grow && !reader->is_finished)
            finish(reader, false, item);
        else
            tell_damage(reader, damage, found, item);
        return LUDUS_OK;
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
    enum ludus_status status = lcap_reader_bytes(reader, offset, bytes, sizeof bytes);
    if (status != LUDUS_OK)
        return status;
    struct lcap_block_header header;
    enum lcap_damage damage = lcap_parse_header(bytes, &reader->tag, &header);
    if (damage == LCAP_DAMAGE_NONE &&
        reader->end - offset - LCAP_BLOCK_HEADER_SIZE < header.stored_size)
        damage = LCAP_DAMAGE_BLOCK_CUT;
    if (damage == LCAP_DAMAGE_NONE)
        return lcap_read_block(reader, offset, &header, true, item);
    item->kind = LCAP_ITEM_DAMAGE;
    item->reason = damage;
    return LUDUS_OK;
}
