/* Prints what a capture holds, item by item: format/FORMAT.md, section 3. */
#include <stdlib.h>

#include "capture_walk.h"
#include "dump_lines.h"
#include "failure.h"

static void put_file_header(struct trace_dump *dump, const struct lcap_reader *reader)
{
    /* Greater major versions are refused, and 0 is damage. */
    trace_dump_number(dump, "file version ", LCAP_VERSION_MAJOR);
    trace_dump_number(dump, ".", lcap_reader_version_minor(reader));
    trace_dump_hex(dump, " capture ", lcap_reader_capture_id(reader));
    trace_put_byte(&dump->writer, '\n');
}

static void put_block_line(struct trace_dump *dump, const struct lcap_block *block)
{
    trace_dump_number(dump, "block ", block->sequence);
    trace_dump_name(dump, " ", lcap_block_kind_name(block->kind), block->kind);
    trace_dump_number(dump, " offset ", block->offset);
    trace_dump_number(dump, " stored ", block->stored_size);
    trace_dump_number(dump, " raw ", block->raw_size);
}

static void put_skipped_line(struct trace_dump *dump, const struct lcap_block *block)
{
    trace_dump_number(dump, "skipped ", block->sequence);
    trace_dump_number(dump, " kind ", block->kind);
    trace_dump_number(dump, " version ", block->kind_version);
    trace_dump_number(dump, " offset ", block->offset);
    trace_dump_number(dump, " stored ", block->stored_size);
}

static void put_item(struct trace_dump *dump, const struct lcap_item *item)
{
    switch (item->kind) {
    case LCAP_ITEM_BLOCK:
        put_block_line(dump, &item->block);
        break;
    case LCAP_ITEM_SKIPPED:
        put_skipped_line(dump, &item->block);
        break;
    case LCAP_ITEM_GAP:
        trace_dump_number(dump, "gap expected ", item->expected_sequence);
        trace_dump_number(dump, " found ", item->found_sequence);
        trace_dump_number(dump, " offset ", item->offset);
        break;
    case LCAP_ITEM_DAMAGE:
        trace_dump_number(dump, "damage offset ", item->offset);
        trace_dump_number(dump, " size ", item->size);
        trace_dump_name(dump, " reason ", lcap_damage_name(item->reason), item->reason);
        break;
    case LCAP_ITEM_UNFINISHED:
        trace_dump_number(dump, "unfinished offset ", item->offset);
        trace_dump_number(dump, " tail ", item->size);
        trace_put_text(&dump->writer, item->zero_tail ? " zero" : " cut");
        break;
    case LCAP_ITEM_FINISHED:
        trace_dump_number(dump, "finished size ", item->size);
        break;
    }
    trace_put_byte(&dump->writer, '\n');
}

static void put_records(struct trace_dump *dump, const struct lcap_reader *reader,
                        const struct lcap_item *item)
{
    const struct lcap_events *events = lcap_reader_events(reader);
    const struct lcap_clock *clock =
        events != NULL ? lcap_reader_clock(reader, events->header.clock) : NULL;
    trace_dump_block(dump, &item->block, events, clock);
}

/* Walks the file to its end, or until a line cannot be written. */
static enum ludus_status put_all(struct trace_dump *dump, const struct trace_capture_walk *walk,
                                 bool *is_whole)
{
    struct lcap_item item;
    bool is_first = true;
    enum ludus_status status = LUDUS_OK;
    *is_whole = true;
    while (dump->writer.status == LUDUS_OK && !dump->has_failed) {
        status = lcap_reader_next(walk->reader, true, &item);
        if (status != LUDUS_OK)
            break;
        trace_capture_file_tell(walk->file, item.offset);
        bool has_header = walk->file_size >= LCAP_FILE_HEADER_SIZE &&
                          (item.kind != LCAP_ITEM_DAMAGE || item.reason != LCAP_DAMAGE_FILE_HEADER);
        if (is_first && has_header)
            put_file_header(dump, walk->reader);
        is_first = false;
        if (item.kind == LCAP_ITEM_GAP || item.kind == LCAP_ITEM_DAMAGE ||
            item.kind == LCAP_ITEM_UNFINISHED)
            *is_whole = false;
        put_item(dump, &item);
        if (item.kind == LCAP_ITEM_BLOCK)
            put_records(dump, walk->reader, &item);
    }
    return dump->has_failed ? LUDUS_ERROR_MEMORY : status == LUDUS_END ? LUDUS_OK : status;
}

enum ludus_status trace_dump(const char *path, const struct trace_watch *watch,
                             struct trace_output output, bool *is_whole, struct ludus_error *error)
{
    struct trace_capture_walk walk;
    *is_whole = false;
    enum ludus_status status = trace_capture_walk_open(path, watch, &walk, error);
    if (status != LUDUS_OK)
        return status;
    struct trace_dump *dump = calloc(1, sizeof *dump);
    if (dump == NULL) {
        trace_capture_walk_close(&walk);
        return trace_fail_memory(error);
    }
    trace_writer_start(&dump->writer, output);
    status = put_all(dump, &walk, is_whole);
    if (status != LUDUS_OK)
        status = trace_capture_walk_fail(&walk, status, error);
    if (trace_writer_flush(&dump->writer) != LUDUS_OK && status == LUDUS_OK)
        status = trace_fail(error, LUDUS_ERROR_WRITE, "the output cannot be written");
    trace_dump_release(dump);
    free(dump);
    trace_capture_walk_close(&walk);
    return status;
}
