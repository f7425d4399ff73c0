/* A report of two tables, with a cell of every kind. */
#include "sample_report.h"

#include <check.h>
#include <math.h>

const struct trace_column sample_report_items[] = {
    {.name = "name", .title = "name", .type = TRACE_TYPE_TEXT, .description = "What it is called."},
    {.name = "calls",
     .title = "calls",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .window = "complete frames",
     .description = "How often it ran."},
    {.name = "time_ns",
     .title = "time",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_NANOSECONDS,
     .window = "complete frames",
     .description = "How long."},
    {.name = "per_frame",
     .title = "per frame",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_PER_FRAME,
     .decimals = 2,
     .window = "complete frames",
     .denominator = "complete frames",
     .description = "How often in each frame."},
    {.name = "file", .title = "file", .type = TRACE_TYPE_TEXT, .description = "Where."},
};
static const struct trace_column loss_columns[] = {
    {.name = "track", .title = "track", .type = TRACE_TYPE_TEXT, .description = "Which track."},
};
static const struct trace_table_type tables[] = {
    TRACE_TABLE("losses", "Losses", loss_columns),
    TRACE_TABLE("items", "Items|all", sample_report_items),
};
static const struct trace_report_type sample_type = {"sample", 3, tables, 2, 1, 0};

const struct trace_report_type *const trace_report_types[] = {&sample_type, NULL};

enum ludus_status sample_report_make(struct trace_report **report, struct ludus_error *error)
{
    enum ludus_status status = trace_report_create(&sample_type, report, error);

    if (status != LUDUS_OK)
        return status;
    trace_report_row(*report, 1);
    trace_report_text(*report, "Physics/Step", 12);
    trace_report_integer(*report, 12345);
    trace_report_integer(*report, 16666667);
    trace_report_real(*report, 2.5);
    trace_report_text(*report, "a.c", 3);
    trace_report_row(*report, 1);
    trace_report_text(*report, "\"x\", <b>|\n\xFF", 11);
    trace_report_null(*report);
    trace_report_integer(*report, -1);
    trace_report_real(*report, NAN);
    /* the last cell is not set */
    trace_report_note(*report, 1, "%d frames of %s.", 600, "Render_1");
    return trace_report_finish(*report, error);
}

void sample_report_render(const struct trace_report *report, enum trace_format format,
                          const char *table, bool color, struct memory_sink *sink)
{
    struct trace_render_options options = {.format = format, .table = table, .color = color};
    struct ludus_error error;

    *sink = memory_sink_make(SIZE_MAX);
    ck_assert_int_eq(trace_render(report, &options, memory_sink_output(sink), &error), LUDUS_OK);
}
