/* Saves what is whole of a capture, and says what was kept and what is missing. */
#include "capture_state.h"
#include "capture_walk.h"
#include "failure.h"
#include "repair.h"
#include "repair_blocks.h"
#include "report_check.h"
#include "report_losses.h"
#include "report_parts.h"

enum { RESULT, FAULTS, LOSSES };

#define COUNT(column, heading, text)                                                               \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER, .unit = TRACE_UNIT_COUNT,    \
        .description = text                                                                        \
    }
#define BYTES(column, heading, text)                                                               \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER, .unit = TRACE_UNIT_BYTES,    \
        .description = text                                                                        \
    }

static const struct trace_column result_columns[] = {
    {.name = "verdict",
     .title = "verdict",
     .type = TRACE_TYPE_TEXT,
     .description = "Of the capture that was to repair: whole, damaged or unfinished, as check "
                    "says it."},
    COUNT("blocks", "blocks kept",
          "Good blocks of kinds that this program knows; indexes are made anew."),
    COUNT("skipped", "skipped kept",
          "Good blocks of kinds or versions that this program does not know."),
    COUNT("events", "events kept", "Events in the blocks kept; a scope is two."),
    COUNT("places", "places left out", "Places of damage, and places where blocks are missing."),
    BYTES("bytes_left_out", "left out",
          "Bytes of the damage, and those behind the last whole block of an unfinished capture."),
    BYTES("file_bytes", "size", "Size of the capture that was to repair."),
    BYTES("new_file_bytes", "new size", "Size of the new one."),
};

static const struct trace_table_type table_types[] = {
    [RESULT] = {.name = "result",
                .title = "Result",
                .columns = result_columns,
                .column_count = sizeof result_columns / sizeof result_columns[0],
                .is_record = true},
    [FAULTS] = {.name = "faults",
                .title = "Left out",
                .columns = trace_fault_columns,
                .column_count = TRACE_FAULT_COLUMNS},
    [LOSSES] = {.name = "losses",
                .title = "What the new capture lacks",
                .columns = trace_loss_columns,
                .column_count = TRACE_LOSS_COLUMNS},
};

const struct trace_report_type trace_report_repair_type = {
    .name = "repair",
    .version = 1,
    .tables = table_types,
    .table_count = sizeof table_types / sizeof table_types[0],
    .main_table = RESULT,
};

static void put_fault(void *context, const struct lcap_item *item)
{
    trace_put_fault(context, FAULTS, item);
}

static uint64_t new_damage(const struct trace_capture *capture, uint64_t *bytes)
{
    const struct trace_model *model = capture->model;
    uint64_t places = 0;
    *bytes = model->unfinished_tail - capture->repair.tail_bytes;
    for (uint32_t i = 0; i < model->damage_count; i++) {
        if (trace_damage_is_repaired(&model->damages[i]))
            continue;
        places++;
        *bytes += model->damages[i].size;
    }
    return places;
}

static void put_result(struct trace_report *report, const struct trace_capture *capture,
                       const struct trace_repair_counts *counts, uint64_t new_bytes)
{
    uint64_t bytes;
    const uint64_t places = new_damage(capture, &bytes);
    trace_report_row(report, RESULT);
    trace_report_string(report, trace_check_verdict(places != 0, !capture->has_trailer));
    trace_report_integer(report, (int64_t)counts->blocks);
    trace_report_integer(report, (int64_t)counts->skipped);
    trace_report_integer(report, (int64_t)counts->events);
    trace_report_integer(report, (int64_t)places);
    trace_report_integer(report, (int64_t)bytes);
    trace_report_integer(report, (int64_t)capture->model->file_bytes);
    trace_report_integer(report, (int64_t)new_bytes);
    if (trace_capture_is_whole(capture))
        trace_report_note(report, RESULT,
                          "Nothing was to repair: the new capture is a copy, with a number of its "
                          "own.");
    else
        trace_report_note(report, RESULT,
                          "The new capture is whole as a file. It says of itself that it was "
                          "repaired and what it lacks, and its numbers are those of the old one.");
    trace_put_losses(report, LOSSES, capture->model, 0);
}

/* Copies what is good. A file of which nothing is would look like an answer. */
static enum ludus_status save(const struct trace_capture *capture,
                              const struct trace_capture_walk *walk,
                              struct trace_new_capture *writer, struct trace_report *report,
                              struct ludus_error *error)
{
    struct trace_repair_counts counts = {0};
    enum ludus_status status =
        trace_repair_copy(capture, walk->reader, writer, &counts, put_fault, report);
    if (status != LUDUS_OK)
        return trace_capture_walk_fail(walk, status, error);
    if (counts.blocks + counts.skipped == 0 && !trace_capture_is_whole(capture))
        return trace_fail(error, LUDUS_ERROR_DAMAGED,
                          "%s: no block of it is whole; there is nothing to save", walk->path);
    status = trace_new_capture_finish(writer);
    if (status != LUDUS_OK)
        return trace_new_capture_fail(status, walk->path, error);
    put_result(report, capture, &counts, writer->chain.offset);
    return LUDUS_OK;
}

static enum ludus_status repair(struct trace_capture *capture,
                                const struct trace_capture_walk *walk, struct trace_output output,
                                struct trace_report *report, struct ludus_error *error)
{
    const struct lcap_encoder_config config = {.max_events = 256, .compression_level = 3};
    /* Some damage only decoding shows, and what it cost is found out by a pass. */
    enum ludus_status status = trace_capture_run(capture, NULL, NULL, error);
    if (status != LUDUS_OK)
        return status;
    struct trace_new_capture *writer = trace_new_capture_create(output, &config);
    if (writer == NULL)
        return trace_fail_memory(error);
    status = save(capture, walk, writer, report, error);
    trace_new_capture_destroy(writer);
    return status;
}

enum ludus_status trace_repair(const char *path, const struct trace_watch *watch,
                               struct trace_output output, struct trace_report **out,
                               struct ludus_error *error)
{
    struct trace_capture_walk walk;
    struct trace_capture *capture = NULL;
    struct trace_report *report = NULL;
    *out = NULL;
    enum ludus_status status = trace_capture_walk_open(path, NULL, &walk, error);
    if (status != LUDUS_OK)
        return status;
    status = trace_capture_open_unverified(path, watch, UINT64_MAX, &capture, error);
    if (status == LUDUS_OK)
        status = trace_report_create(&trace_report_repair_type, &report, error);
    if (status == LUDUS_OK)
        status = repair(capture, &walk, output, report, error);
    trace_capture_close(capture);
    trace_capture_walk_close(&walk);
    return trace_report_deliver(report, status, out, error);
}
