/* Writes the good blocks of a capture into another one, and in front of its end what is missing. A
 * whole capture is copied as it is; one with damage gets a new account of all of it. */
#include "repair.h"

#include "capture_file.h"
#include "repair_blocks.h"

struct repair {
    const struct trace_capture *capture;
    struct lcap_source source;
    struct trace_new_capture *writer;
    struct trace_repair_counts *counts;
    struct lcap_repair facts;
    bool is_whole;
    bool is_told; /* what is missing has been written */
};

static void tell_missing(struct repair *repair)
{
    if (repair->is_whole || repair->is_told)
        return;
    repair->is_told = true;
    trace_put_repair(repair->writer, &repair->facts);
    trace_put_lost(repair->writer, repair->capture->model, INT64_MIN, INT64_MAX);
}

/* Whether a block is made anew. */
static bool is_replaced(const struct repair *repair, uint32_t kind)
{
    if (kind == LCAP_KIND_index)
        return true;
    return !repair->is_whole && (kind == LCAP_KIND_repair || kind == LCAP_KIND_lost);
}

static void copy_block(struct repair *repair, const struct lcap_item *item,
                       const struct lcap_events *events)
{
    repair->counts->blocks += item->kind == LCAP_ITEM_BLOCK;
    repair->counts->skipped += item->kind == LCAP_ITEM_SKIPPED;
    if (events != NULL)
        repair->counts->events += events->header.event_count;
    if (item->kind == LCAP_ITEM_BLOCK && item->block.kind == LCAP_KIND_end)
        tell_missing(repair);
    if (item->kind == LCAP_ITEM_SKIPPED || !is_replaced(repair, item->block.kind))
        trace_new_capture_copy(repair->writer, &repair->source, item->offset, item->size, NULL);
}

enum ludus_status trace_repair_copy(const struct trace_capture *capture, struct lcap_reader *reader,
                                    struct trace_new_capture *writer,
                                    struct trace_repair_counts *counts,
                                    void (*fault)(void *context, const struct lcap_item *item),
                                    void *context)
{
    struct repair repair = {.capture = capture,
                            .source = trace_capture_file_source(capture->file),
                            .writer = writer,
                            .counts = counts,
                            .facts = trace_repair_facts(capture),
                            .is_whole = trace_capture_is_whole(capture)};
    struct lcap_item item;
    enum ludus_status status;
    while ((status = lcap_reader_next(reader, true, &item)) == LUDUS_OK) {
        trace_capture_file_tell(capture->file, item.offset);
        if (item.kind == LCAP_ITEM_BLOCK || item.kind == LCAP_ITEM_SKIPPED)
            copy_block(&repair, &item, lcap_reader_events(reader));
        else if (item.kind != LCAP_ITEM_FINISHED)
            fault(context, &item);
    }
    tell_missing(&repair);
    return status == LUDUS_END ? LUDUS_OK : status;
}
