/* Says whether a capture is whole, and what is wrong where. */
#include "report_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture_walk.h"
#include "count_text.h"

enum { RESULT_TABLE, FAULTS_TABLE };

static const struct trace_column result_columns[] = {
    {.name = "verdict",
     .title = "verdict",
     .type = TRACE_TYPE_TEXT,
     .description = "whole; damaged: bytes are damaged or blocks are missing; unfinished: nothing "
                    "else is wrong, "
                    "but the recorder did not come to the file's end."},
    {.name = "file_bytes",
     .title = "size",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_BYTES,
     .description = "Size of the file."},
    {.name = "blocks",
     .title = "blocks",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .description = "Good blocks of kinds that this program knows."},
    {.name = "skipped",
     .title = "skipped",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .description =
         "Good blocks of kinds or versions that this program does not know, and so cannot read."},
    {.name = "events",
     .title = "events",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .description = "Events in the good blocks; a scope is two."},
};

const struct trace_column trace_fault_columns[TRACE_FAULT_COLUMNS] = {
    {.name = "offset",
     .title = "offset",
     .type = TRACE_TYPE_INTEGER,
     .description = "Where in the file, in bytes from its begin."},
    {.name = "size",
     .title = "size",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_BYTES,
     .description = "How many bytes; null for blocks that are not there."},
    {.name = "what",
     .title = "what",
     .type = TRACE_TYPE_TEXT,
     .description = "What is wrong: damage and its reason as in format/FORMAT.md, missing blocks, "
                    "or how the file "
                    "breaks off."},
};

static const struct trace_table_type table_types[] = {
    [RESULT_TABLE] = TRACE_TABLE("result", "Result", result_columns),
    [FAULTS_TABLE] = TRACE_TABLE("faults", "Faults", trace_fault_columns),
};

const struct trace_report_type trace_report_check_type = {
    .name = "check",
    .version = 1,
    .tables = table_types,
    .table_count = sizeof table_types / sizeof table_types[0],
    .main_table = RESULT_TABLE,
};

/* What a walk over the file finds. */
struct findings {
    uint64_t blocks;
    uint64_t skipped;
    uint64_t events;
    struct lcap_counts lost; /* as the recorder tells */
    struct lcap_repair repair;
    bool has_repair;
    bool is_damaged;
    bool is_unfinished;
};

static void note_block(struct findings *findings, const struct lcap_reader *reader,
                       const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_loss loss;
    findings->blocks++;
    if (lcap_reader_events(reader) != NULL)
        findings->events += lcap_reader_events(reader)->header.event_count;
    if (block->kind == LCAP_KIND_repair)
        findings->has_repair = lcap_read_repair(block, &findings->repair) == LCAP_DAMAGE_NONE;
    while (block->kind == LCAP_KIND_losses && lcap_next_loss(&records, &loss))
        lcap_counts_add(&findings->lost, &loss.counts);
}

static void describe(const struct lcap_item *item, char *what, size_t capacity)
{
    if (item->kind == LCAP_ITEM_DAMAGE)
        snprintf(what, capacity, "damage: %s", lcap_damage_name(item->reason));
    else if (item->kind == LCAP_ITEM_GAP)
        snprintf(what, capacity,
                 "gap: the block here has number %" PRIu64 ", where %" PRIu64 " was expected",
                 item->found_sequence, item->expected_sequence);
    else if (item->size == 0)
        snprintf(what, capacity, "unfinished: the file ends without a trailer");
    else if (item->zero_tail)
        snprintf(what, capacity, "unfinished: zeros to the end of the file");
    else
        snprintf(what, capacity, "unfinished: the file is cut within a block");
}

void trace_put_fault(struct trace_report *report, size_t table, const struct lcap_item *item)
{
    char what[160];
    describe(item, what, sizeof what);
    trace_report_row(report, table);
    trace_report_integer(report, (int64_t)item->offset);
    if (item->kind == LCAP_ITEM_GAP)
        trace_report_null(report);
    else
        trace_report_integer(report, (int64_t)item->size);
    trace_report_string(report, what);
}

static enum ludus_status look_at_all(const struct trace_capture_walk *walk,
                                     struct findings *findings, struct trace_report *report)
{
    struct lcap_reader *reader = walk->reader;
    struct lcap_item item;
    enum ludus_status status;
    while ((status = lcap_reader_next(reader, true, &item)) == LUDUS_OK) {
        trace_capture_file_tell(walk->file, item.offset);
        switch (item.kind) {
        case LCAP_ITEM_BLOCK:
            note_block(findings, reader, &item.block);
            break;
        case LCAP_ITEM_SKIPPED:
            findings->skipped++;
            break;
        case LCAP_ITEM_GAP:
        case LCAP_ITEM_DAMAGE:
            findings->is_damaged = true;
            trace_put_fault(report, FAULTS_TABLE, &item);
            break;
        case LCAP_ITEM_UNFINISHED:
            findings->is_unfinished = true;
            trace_put_fault(report, FAULTS_TABLE, &item);
            break;
        case LCAP_ITEM_FINISHED:
            break;
        }
    }
    return status == LUDUS_END ? LUDUS_OK : status;
}

const char *trace_check_verdict(bool is_damaged, bool is_unfinished)
{
    return is_damaged ? "damaged" : is_unfinished ? "unfinished" : "whole";
}

/* What a repair left out of the file is no fault of it, and missing all the same. */
static void note_repair(struct trace_report *report, const struct lcap_repair *repair)
{
    trace_report_note(report, RESULT_TABLE,
                      "Made of the capture %016" PRIx64 "%s; damaged places left out: %" PRIu64
                      "; `ludus-trace info` says what that cost.",
                      repair->capture_id, repair->is_not_finished ? ", which was not finished" : "",
                      repair->places);
}

static void add_result(struct trace_report *report, const struct findings *findings,
                       uint64_t file_size)
{
    trace_report_row(report, RESULT_TABLE);
    trace_report_string(report, trace_check_verdict(findings->is_damaged, findings->is_unfinished));
    trace_report_integer(report, (int64_t)file_size);
    trace_report_integer(report, (int64_t)findings->blocks);
    trace_report_integer(report, (int64_t)findings->skipped);
    trace_report_integer(report, (int64_t)findings->events);
    char counts[TRACE_COUNTS_SIZE];
    if (findings->has_repair)
        note_repair(report, &findings->repair);
    if (!lcap_counts_are_zero(&findings->lost))
        trace_report_note(report, RESULT_TABLE, "Not recorded, and no fault of the file: %s.",
                          trace_format_counts(&findings->lost, counts));
}

static enum ludus_status check_file(const struct trace_capture_walk *walk,
                                    struct trace_report *report, bool *is_whole,
                                    struct ludus_error *error)
{
    struct findings findings = {0};
    enum ludus_status status = look_at_all(walk, &findings, report);
    if (status != LUDUS_OK)
        return trace_capture_walk_fail(walk, status, error);
    add_result(report, &findings, walk->file_size);
    *is_whole = !findings.is_damaged && !findings.is_unfinished;
    return trace_report_finish(report, error);
}

enum ludus_status trace_report_check(const char *path, const struct trace_watch *watch,
                                     struct trace_report **out, bool *is_whole,
                                     struct ludus_error *error)
{
    struct trace_capture_walk walk;
    struct trace_report *report = NULL;
    *out = NULL;
    *is_whole = false;
    enum ludus_status status = trace_capture_walk_open(path, watch, &walk, error);
    if (status != LUDUS_OK)
        return status;
    status = trace_report_create(&trace_report_check_type, &report, error);
    if (status == LUDUS_OK)
        status = check_file(&walk, report, is_whole, error);
    trace_capture_walk_close(&walk);
    if (status == LUDUS_OK)
        *out = report;
    else
        trace_report_destroy(report);
    return status;
}
