/* How long the slices of the listed sites were, when it was asked for. */
#include <stdlib.h>

#include "column_kinds.h"
#include "failure.h"
#include "report_parts.h"
#include "slice_percentiles.h"
#include "summarize.h"

#define MEASURED "complete slices that begin in the window"

#define RANK(column, heading, words, hidden)                                                       \
    TRACE_TIME_COLUMN(column "_ns", heading, .window = MEASURED, .description = words,             \
                      .is_detail = hidden),                                                        \
        TRACE_POSITION_COLUMN(column "_begin_ns", "began", .window = MEASURED,                     \
                              .description =                                                       \
                                  "When the slice that " column "_ns is from began; of "           \
                                  "several the first.",                                            \
                              .is_detail = true),                                                  \
        TRACE_NUMBER_COLUMN(column "_frame", "frame", .window = MEASURED,                          \
                            .description = "The number of the frame in which it began; null "      \
                                           "before the first mark.",                               \
                            .is_detail = true)

const struct trace_column trace_summary_percentile_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_TEXT_COLUMN("site", "site", .description = "The name of the scope."),
    TRACE_TEXT_COLUMN("category", "category", .description = "Its category; null when it has none.",
                      .is_detail = true),
    TRACE_COUNT_COLUMN("slices", "slices", .window = MEASURED,
                       .description = "How many there are; those without an end are not in it."),
    RANK("min", "min", "The shortest one.", false),
    RANK("p50", "p50", "The median (nearest rank, as all percentiles): end minus begin.", false),
    RANK("p90", "p90", "90 % of them are no longer.", false),
    RANK("p95", "p95", "95 % of them are no longer.", true),
    RANK("p99", "p99", "99 % of them are no longer.", false),
    RANK("p999", "p99.9", "99.9 % of them are no longer.", false),
    RANK("max", "max", "The longest one.", false),
};

static void put_row(struct trace_summary *summary, uint32_t index, uint32_t window,
                    const struct trace_duration_ranks *ranks)
{
    struct trace_report *report = summary->report;
    const struct trace_site *site = &summary->model->sites[index];
    trace_report_row(report, TRACE_SUMMARY_PERCENTILES);
    trace_put_window(summary, window);
    trace_report_text(report, site->name.data, site->name.size);
    trace_put_category(report, summary->model, site);
    trace_report_integer(report, (int64_t)ranks->count);
    for (int i = 0; ranks->count != 0 && i < TRACE_DURATION_RANKS; i++) {
        const struct trace_duration_sample *sample = &ranks->ranks[i];
        trace_report_integer(report, sample->duration_ns);
        trace_report_integer(report, sample->begin_ns);
        trace_put_frame_number(summary, sample->frame);
    }
}

enum ludus_status trace_summarize_percentiles(struct trace_summary *summary, const uint32_t *sites,
                                              uint32_t count, struct ludus_error *error)
{
    struct trace_duration_ranks *ranks =
        calloc((size_t)count * summary->windows + 1, sizeof *ranks);
    if (ranks == NULL)
        return trace_fail_memory(error);
    enum ludus_status status =
        trace_slice_percentiles(summary->input, &summary->chosen, sites, count,
                                TRACE_SLICE_BUDGET_BYTES, ranks, NULL, error);
    for (uint32_t i = 0; status == LUDUS_OK && i < count; i++)
        for (uint32_t w = 0; w < summary->windows; w++)
            put_row(summary, sites[i], w, &ranks[(size_t)i * summary->windows + w]);
    free(ranks);
    if (trace_report_row_count(summary->report, TRACE_SUMMARY_PERCENTILES) != 0)
        trace_report_note(
            summary->report, TRACE_SUMMARY_PERCENTILES,
            "End minus begin of the complete slices that begin in the window, recursive "
            "ones as well; each value is that of a slice.");
    return status;
}
