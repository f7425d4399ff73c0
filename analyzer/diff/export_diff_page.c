/* Exports a comparison as a page of HTML that stands on its own: its tables as data, and what draws
 * them. */
#include <stdlib.h>

#include "diff_page_tables.h"
#include "failure.h"
#include "page_document.h"
#include "page_writer.h"

static const struct trace_page_table diff_tables[] = {
    /* The first three are there whether or not the sides can be compared. */
    {.table = "verdict", .has_sentences = true},
    {.table = "remarks", .has_sentences = true},
    {.table = "runs", .has_sentences = true},
    {.table = "changes"},
    {.table = "budgets"},
    {.table = "frames"},
    {.table = "hitches"},
    {.table = "scopes"},
    {.table = "work"},
    {.table = "waiting"},
    {.table = "gpu"},
    {.table = "unpaired"},
    {.table = "counters"},
};
/* Paths of names are long. A page of as many of them as it can have stays small all the same. */
#define LONG_NAMES 500000u /* bytes */

#define DIFF_TABLES         (sizeof diff_tables / sizeof diff_tables[0])
#define INCOMPARABLE_TABLES 3u

static const struct trace_page_table bin_tables[] = {{.table = "bins"}};
static const struct trace_page_table distribution_tables[] = {{.table = "histogram"}};
static const struct trace_page_table context_tables[] = {{.table = "contexts"}};

static enum ludus_status put_diff(struct trace_page_writer *page, const struct trace_diff *diff,
                                  struct ludus_error *error)
{
    struct trace_report *report;
    enum ludus_status status = trace_report_diff(diff, TRACE_PAGE_SITES, &report, error);

    if (status == LUDUS_OK)
        trace_page_put_report(page, "diff", report, diff_tables,
                              diff->is_compared ? DIFF_TABLES : INCOMPARABLE_TABLES,
                              TRACE_PAGE_ROWS);
    trace_report_destroy(report);
    return status;
}

static enum ludus_status put_bins(struct trace_page_writer *page, const struct trace_diff *diff,
                                  struct ludus_error *error)
{
    struct trace_report *report;
    enum ludus_status status = trace_report_diff_bins(diff, &report, error);

    if (status == LUDUS_OK)
        TRACE_PAGE_PUT_REPORT(page, "bins", report, bin_tables, 2 * TRACE_PAGE_BINS);
    trace_report_destroy(report);
    return status;
}

static enum ludus_status put_distribution(struct trace_page_writer *page,
                                          const struct trace_diff *diff, struct ludus_error *error)
{
    struct trace_report *report;
    enum ludus_status status = trace_report_diff_distribution(diff, &report, error);

    if (status == LUDUS_OK)
        TRACE_PAGE_PUT_REPORT(page, "distribution", report, distribution_tables, TRACE_PAGE_ROWS);
    trace_report_destroy(report);
    return status;
}

static enum ludus_status put_frames(struct trace_page_writer *page, const struct trace_diff *diff,
                                    struct ludus_error *error)
{
    if (!trace_diff_has_frames(diff)) {
        trace_json_break(&page->json, 0);
        trace_json_key(&page->json, "no_bins");
        trace_json_text(&page->json, "no run has complete frames");
        return LUDUS_OK;
    }
    enum ludus_status status = put_bins(page, diff, error);
    return status == LUDUS_OK ? put_distribution(page, diff, error) : status;
}

static enum ludus_status put_contexts(struct trace_page_writer *page, const struct trace_diff *diff,
                                      struct ludus_error *error)
{
    struct trace_report *report;
    enum ludus_status status = trace_report_diff_contexts(diff, &report, error);

    if (status == LUDUS_OK)
        TRACE_PAGE_PUT_REPORT(page, "contexts", report, context_tables, TRACE_PAGE_TREE_ROWS);
    trace_report_destroy(report);
    return status;
}

static enum ludus_status put_data(struct trace_page_writer *page, const struct trace_diff *diff,
                                  struct ludus_error *error)
{
    struct trace_json *json = &page->json;

    trace_json_begin_object(json);
    trace_json_key(json, "version");
    trace_json_integer(json, 1);
    trace_json_key(json, "kind");
    trace_json_text(json, "diff");
    trace_json_key(json, "by");
    trace_json_text(json, diff->pool.options.is_by_path ? "path" : "site");
    enum ludus_status status = put_diff(page, diff, error);
    if (status == LUDUS_OK)
        status = put_frames(page, diff, error);
    if (status == LUDUS_OK && diff->is_compared)
        status = put_contexts(page, diff, error);
    if (status == LUDUS_OK)
        trace_json_end_object(json);
    return status;
}

enum ludus_status trace_export_diff_page(const struct trace_diff *diff, struct trace_output output,
                                         struct ludus_error *error)
{
    struct trace_page_writer *page = calloc(1, sizeof *page);

    if (page == NULL)
        return trace_fail_memory(error);
    trace_page_begin(page, ludus_page_head(), output);
    page->spare_bytes = LONG_NAMES;
    enum ludus_status status = put_data(page, diff, error);
    if (status == LUDUS_OK)
        status = trace_page_end(page, ludus_page_tail(), error);
    trace_page_release(page);
    free(page);
    return status;
}
