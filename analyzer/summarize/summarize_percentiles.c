/* How long the slices of the listed sites were, when it was asked for. */
#include <stdlib.h>
#include <string.h>

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

/* What rows are made of when they are shown. */
struct percentile_rows {
    const struct trace_model *model;
    const struct trace_domain *domain;            /* NULL: there is none */
    struct trace_text windows[TRACE_MAX_WINDOWS]; /* their names */
    uint32_t window_count;
    uint32_t *sites;                    /* indexes */
    struct trace_duration_ranks *ranks; /* by site, window */
};

static void make_row(void *context, struct trace_report *report, size_t row)
{
    const struct percentile_rows *rows = context;
    const struct trace_site *site = &rows->model->sites[rows->sites[row / rows->window_count]];
    const struct trace_duration_ranks *ranks = &rows->ranks[row];
    const struct trace_text *window = &rows->windows[row % rows->window_count];
    trace_report_text(report, window->data, window->size);
    trace_report_text(report, site->name.data, site->name.size);
    trace_put_category(report, rows->model, site);
    trace_report_integer(report, (int64_t)ranks->count);
    for (int i = 0; ranks->count != 0 && i < TRACE_DURATION_RANKS; i++) {
        const struct trace_duration_sample *sample = &ranks->ranks[i];
        trace_report_integer(report, sample->duration_ns);
        trace_report_integer(report, sample->begin_ns);
        if (sample->frame == TRACE_NONE)
            trace_report_null(report);
        else
            trace_report_integer(report, (int64_t)rows->domain->frames[sample->frame].number);
    }
}

static void destroy_rows(void *context)
{
    struct percentile_rows *rows = context;
    free(rows->ranks);
    free(rows->sites);
    free(rows);
}

/* NULL when there is no memory. */
static struct percentile_rows *create_rows(const struct trace_summary *summary,
                                           const uint32_t *sites, uint32_t count)
{
    const struct trace_pass_plan *plan = &summary->chosen.plan;
    struct percentile_rows *rows = calloc(1, sizeof *rows);
    if (rows == NULL)
        return NULL;
    rows->model = summary->model;
    rows->domain = plan->domain == TRACE_NONE ? NULL : &summary->model->domains[plan->domain];
    rows->window_count = summary->windows;
    for (uint32_t w = 0; w < summary->windows; w++)
        rows->windows[w] = plan->windows.items[w].name;
    rows->sites = malloc(((size_t)count + 1) * sizeof *rows->sites);
    rows->ranks = calloc((size_t)count * summary->windows + 1, sizeof *rows->ranks);
    if (rows->sites == NULL || rows->ranks == NULL) {
        destroy_rows(rows);
        return NULL;
    }
    if (count != 0)
        memcpy(rows->sites, sites, count * sizeof *sites);
    return rows;
}

enum ludus_status trace_summarize_percentiles(struct trace_summary *summary, const uint32_t *sites,
                                              uint32_t count, struct ludus_error *error)
{
    struct percentile_rows *rows = create_rows(summary, sites, count);
    if (rows == NULL)
        return trace_fail_memory(error);
    enum ludus_status status =
        trace_slice_percentiles(summary->input, &summary->chosen, sites, count,
                                TRACE_SLICE_BUDGET_BYTES, rows->ranks, NULL, error);
    if (status != LUDUS_OK) {
        destroy_rows(rows);
        return status;
    }
    trace_report_make_rows(summary->report, TRACE_SUMMARY_PERCENTILES,
                           (size_t)count * summary->windows,
                           (struct trace_row_maker){rows, make_row, destroy_rows});
    if (count != 0)
        trace_report_note(
            summary->report, TRACE_SUMMARY_PERCENTILES,
            "End minus begin of the complete slices that begin in the window, recursive "
            "ones as well; each value is that of a slice.");
    return LUDUS_OK;
}
