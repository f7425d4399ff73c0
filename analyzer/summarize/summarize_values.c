/* Counters and gauges, or marks, in each window. */
#include <stdlib.h>

#include "column_kinds.h"
#include "failure.h"
#include "report_parts.h"
#include "subject_order.h"
#include "summarize.h"
#include "value_totals.h"

#define IN_WINDOW "the window"
#define SCREENFUL 20u /* rows that fit on a screen beside all else */
#define NAME_COLUMNS(what)                                                                         \
    TRACE_WINDOW_COLUMN, TRACE_TEXT_COLUMN(what, what, .description = "Its name."),                \
        TRACE_TEXT_COLUMN("category", "category",                                                  \
                          .description = "Its category; null when it has none.",                   \
                          .is_left_out_when_same = true)
#define NUMBER(column, heading, ...)                                                               \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .decimals = 3,                  \
        .window = IN_WINDOW, __VA_ARGS__                                                           \
    }
#define FRAME_COUNT(column, heading, words)                                                        \
    TRACE_COUNT_COLUMN(column, heading, .window = TRACE_SUMMARY_FRAME_WINDOW, .description = words)

const struct trace_column trace_summary_counter_columns[] = {
    NAME_COLUMNS("counter"),
    TRACE_COUNT_COLUMN("total", "total", .window = IN_WINDOW,
                       .description = "What was counted, on all tracks."),
    TRACE_COUNT_COLUMN("frames", "frames", .window = TRACE_SUMMARY_FRAME_WINDOW,
                       .description = "Frames that the values per frame are of; one in which "
                                      "nothing was counted is 0.",
                       .is_detail = true),
    {.name = "mean_per_frame",
     .title = "mean/frame",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_PER_FRAME,
     .decimals = 2,
     .window = TRACE_SUMMARY_FRAME_WINDOW,
     .denominator = TRACE_SUMMARY_PER_FRAME,
     .description = "What was counted in these frames, divided by their number."},
    FRAME_COUNT("p50_per_frame", "p50", "In the median frame (nearest rank)."),
    FRAME_COUNT("p90_per_frame", "p90", "90 % of the frames have no more."),
    FRAME_COUNT("max_per_frame", "max", "In the frame that has most."),
    TRACE_NUMBER_COLUMN("max_frame", "frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                        .description = "The number of that frame; of the first one when several "
                                       "have as much."),
    TRACE_COUNT_COLUMN("outside", "outside", .window = IN_WINDOW,
                       .description = "The part of the total that is in none of these frames, or "
                                      "whose frame is not known."),
    TRACE_COUNT_COLUMN("increments", "increments", .window = IN_WINDOW,
                       .description = "Events that told of it: a thread tells once a frame what "
                                      "it counted.",
                       .is_detail = true),
};

const struct trace_column trace_summary_gauge_columns[] = {
    NAME_COLUMNS("gauge"),
    TRACE_COUNT_COLUMN("values", "values", .window = IN_WINDOW,
                       .description = "How often it was set, on any track."),
    NUMBER("last", "last", .description = "What it was set to last; null without a finite value."),
    NUMBER("min", "min", .description = "The least finite value."),
    NUMBER("mean", "mean", .denominator = "finite values",
           .description = "The mean of the finite values, each counting once."),
    NUMBER("max", "max", .description = "The largest finite value."),
    TRACE_COUNT_COLUMN("not_finite", "not finite", .window = IN_WINDOW,
                       .description = "Values that are infinite or no number: in none of the "
                                      "others.",
                       .is_left_out_when_same = true),
};

const struct trace_column trace_summary_mark_columns[] = {
    NAME_COLUMNS("mark"),
    TRACE_COUNT_COLUMN("count", "count", .window = IN_WINDOW,
                       .description = "Instants (LUDUS_PROFILE_MARK) on all tracks."),
    TRACE_COUNT_COLUMN("in_frames", "in frames", .window = TRACE_SUMMARY_FRAME_WINDOW,
                       .description = "Those of them in these frames.", .is_detail = true),
    {.name = "per_frame",
     .title = "per frame",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_PER_FRAME,
     .decimals = 2,
     .window = TRACE_SUMMARY_FRAME_WINDOW,
     .denominator = TRACE_SUMMARY_PER_FRAME,
     .description = "Those divided by the number of the frames."},
    TRACE_TIME_COLUMN("first_ns", "first", .window = IN_WINDOW, .description = "The first one."),
    TRACE_TIME_COLUMN("last_ns", "last", .window = IN_WINDOW, .description = "The last one."),
};

/* --- rows ------------------------------------------------------------------------------------ */

static void begin_row(struct trace_summary *summary, enum trace_summary_table table,
                      uint32_t window, uint32_t index)
{
    const struct trace_site *site = &summary->model->sites[index];
    trace_report_row(summary->report, table);
    trace_put_window(summary, window);
    trace_report_text(summary->report, site->name.data, site->name.size);
    trace_put_category(summary->report, summary->model, site);
}

static void put_counter(struct trace_summary *summary, struct trace_value_totals *totals,
                        uint32_t index, uint32_t window)
{
    static const uint32_t ranks[] = {500, 900, 1000};
    struct trace_report *report = summary->report;
    const struct trace_value_total *total = &totals->sums.subjects[index].totals[window];
    uint32_t frames = trace_frame_matrix_sort(&totals->matrix, totals->sums.subjects[index].row,
                                              trace_value_frames(&totals->sums, window));
    begin_row(summary, TRACE_SUMMARY_COUNTERS, window, totals->sums.subjects[index].site);
    trace_report_integer(report, total->total);
    trace_report_integer(report, frames);
    trace_put_quotient(report, (double)(total->total - total->outside), frames);
    for (size_t i = 0; i < 3; i++) {
        if (frames == 0)
            trace_report_null(report);
        else
            trace_report_integer(report, trace_frame_matrix_rank(&totals->matrix, ranks[i]).value);
    }
    if (frames == 0)
        trace_report_null(report);
    else
        trace_report_integer(report,
                             (int64_t)totals->sums.domain
                                 ->frames[trace_frame_matrix_rank(&totals->matrix, 1000).source]
                                 .number);
    trace_report_integer(report, total->outside);
    trace_report_integer(report, (int64_t)total->count);
}

static void put_gauge(struct trace_summary *summary, const struct trace_value_subject *subject,
                      uint32_t window)
{
    struct trace_report *report = summary->report;
    const struct trace_value_total *total = &subject->totals[window];
    uint64_t finite = total->count - total->not_finite;
    begin_row(summary, TRACE_SUMMARY_GAUGES, window, subject->site);
    trace_report_integer(report, (int64_t)total->count);
    trace_put_known(report, total->last, finite);
    trace_put_known(report, total->least, finite);
    trace_put_quotient(report, total->sum + total->rest, (double)finite);
    trace_put_known(report, total->most, finite);
    trace_report_integer(report, (int64_t)total->not_finite);
}

static void put_mark(struct trace_summary *summary, const struct trace_value_subject *subject,
                     uint32_t window)
{
    struct trace_report *report = summary->report;
    const struct trace_value_total *total = &subject->totals[window];
    begin_row(summary, TRACE_SUMMARY_MARKS, window, subject->site);
    trace_report_integer(report, (int64_t)total->count);
    trace_report_integer(report, (int64_t)total->in_frames);
    trace_put_quotient(report, (double)total->in_frames, summary->frames[window].count);
    if (total->count == 0)
        return;
    trace_report_integer(report, total->first_ns);
    trace_report_integer(report, total->last_ns);
}

/* --- order ----------------------------------------------------------------------------------- */

struct ordered_value {
    uint32_t index; /* of the subject */
    uint32_t site_index;
    const struct trace_site *site;
};

static int compare_names(const void *a, const void *b)
{
    const struct ordered_value *left = a;
    const struct ordered_value *right = b;
    int order = trace_text_compare(&left->site->name, &right->site->name);
    return order != 0
               ? order
               : (left->site_index > right->site_index) - (left->site_index < right->site_index);
}

/* The indexes of those of a kind in the order of their names; the caller frees them. NULL when
 * there is no memory. */
static uint32_t *order_values(const struct trace_summary *summary,
                              const struct trace_value_totals *totals, enum trace_value_kind kind,
                              uint32_t *count)
{
    struct ordered_value *order = calloc((size_t)totals->sums.count + 1, sizeof *order);
    uint32_t *indexes = malloc(((size_t)totals->sums.count + 1) * sizeof *indexes);
    *count = 0;
    for (uint32_t i = 0; order != NULL && i < totals->sums.count; i++) {
        uint32_t site = totals->sums.subjects[i].site;
        if (totals->sums.subjects[i].kind == kind)
            order[(*count)++] = (struct ordered_value){i, site, &summary->model->sites[site]};
    }
    if (order != NULL && indexes != NULL)
        qsort(order, *count, sizeof *order, compare_names);
    for (uint32_t i = 0; order != NULL && indexes != NULL && i < *count; i++)
        indexes[i] = order[i].index;
    if (order == NULL) {
        free(indexes);
        indexes = NULL;
    }
    free(order);
    return indexes;
}

/* --- tables ---------------------------------------------------------------------------------- */

static enum ludus_status put_counters(struct trace_summary *summary,
                                      struct trace_value_totals *totals, const uint32_t *indexes,
                                      uint32_t shown, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;
    uint32_t step = totals->has_all_rows ? shown : totals->matrix.subjects;
    for (uint32_t first = 0; status == LUDUS_OK && first < shown; first += step) {
        uint32_t count = shown - first < step ? shown - first : step;
        if (!totals->has_all_rows)
            status = trace_value_totals_hold(totals, summary->input, indexes + first, count, error);
        for (uint32_t i = first; status == LUDUS_OK && i < first + count; i++)
            for (uint32_t w = 0; w < summary->windows; w++)
                put_counter(summary, totals, indexes[i], w);
    }
    return status;
}

static enum ludus_status put_kind(struct trace_summary *summary, struct trace_value_totals *totals,
                                  enum trace_value_kind kind, struct ludus_error *error)
{
    static const enum trace_summary_table tables[] = {TRACE_SUMMARY_COUNTERS, TRACE_SUMMARY_GAUGES,
                                                      TRACE_SUMMARY_MARKS};
    static const char *const names[] = {"counters", "gauges", "marks"};
    uint32_t count;
    uint32_t *indexes = order_values(summary, totals, kind, &count);
    uint32_t shown = trace_summary_shown(summary, count, SCREENFUL);
    enum ludus_status status = indexes == NULL ? trace_fail_memory(error) : LUDUS_OK;
    if (status == LUDUS_OK && kind == TRACE_VALUE_COUNTER)
        status = put_counters(summary, totals, indexes, shown, error);
    for (uint32_t i = 0; status == LUDUS_OK && kind != TRACE_VALUE_COUNTER && i < shown; i++)
        for (uint32_t w = 0; w < summary->windows; w++)
            (kind == TRACE_VALUE_GAUGE ? put_gauge
                                       : put_mark)(summary, &totals->sums.subjects[indexes[i]], w);
    free(indexes);
    if (count == 0)
        trace_report_note(
            summary->report, tables[kind], "There are no %s in the capture%s.", names[kind],
            trace_chosen_is_filtered(&summary->chosen) || summary->chosen.plan.tracks != NULL
                ? " that are chosen"
                : "");
    if (shown < count)
        trace_report_note(summary->report, tables[kind],
                          "The first %u of %u %s are shown; --top 0 lists all.", shown, count,
                          names[kind]);
    return status;
}

enum ludus_status trace_summarize_values(struct trace_summary *summary, bool is_marks,
                                         struct ludus_error *error)
{
    struct trace_value_totals totals;
    enum ludus_status status = trace_value_totals_create(summary->input, &summary->chosen,
                                                         TRACE_VALUE_BUDGET_BYTES, &totals, error);
    trace_report_set_main(summary->report, is_marks ? TRACE_SUMMARY_MARKS : TRACE_SUMMARY_COUNTERS);
    if (status == LUDUS_OK && is_marks)
        status = put_kind(summary, &totals, TRACE_VALUE_MARK, error);
    if (status == LUDUS_OK && !is_marks) {
        status = put_kind(summary, &totals, TRACE_VALUE_COUNTER, error);
        if (trace_report_row_count(summary->report, TRACE_SUMMARY_COUNTERS) != 0)
            trace_report_note(
                summary->report, TRACE_SUMMARY_COUNTERS,
                "An increment belongs to the time from which it was added up. Per frame: "
                "of the complete frames of the window, also those in which nothing was "
                "counted; outside: in none of them.");
    }
    if (status == LUDUS_OK && !is_marks)
        status = put_kind(summary, &totals, TRACE_VALUE_GAUGE, error);
    trace_value_totals_destroy(&totals);
    return status;
}
