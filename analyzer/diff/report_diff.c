/* The diff report: what changed between two sides of runs, and the verdict. docs/diff.md defines
 * every value. */
#include <math.h>

#include "diff.h"
#include "diff_columns.h"
#include "diff_tables.h"
#include "diff_words.h"
#include "failure.h"
#include "report_parts.h"

/* A table that people are not shown when it is empty, and in Markdown on demand. */
#define PART(table, heading, table_columns, count, folded)                                         \
    {                                                                                              \
        .name = table, .title = heading, .columns = table_columns, .column_count = count,          \
        .is_left_out_when_empty = true, .is_folded = folded                                        \
    }

static const struct trace_table_type tables[TRACE_DIFF_TABLES] = {
    [TRACE_DIFF_CHANGES] = PART("changes", "What changed", trace_diff_change_columns,
                                TRACE_DIFF_CHANGE_COLUMNS, false),
    [TRACE_DIFF_BUDGETS] =
        PART("budgets", "Budgets", trace_diff_budget_columns, TRACE_DIFF_BUDGET_COLUMNS, false),
    [TRACE_DIFF_REMARKS] = {.name = "remarks",
                            .title = "To be known",
                            .columns = trace_diff_remark_columns,
                            .column_count = TRACE_DIFF_REMARK_COLUMNS,
                            .is_left_out_when_empty = true,
                            .is_list = true},
    [TRACE_DIFF_FRAMES] =
        PART("frames", "Frame times", trace_diff_frame_columns, TRACE_DIFF_FRAME_COLUMNS, true),
    [TRACE_DIFF_HITCHES] = PART("hitches", "Hitches per 1,000 frames", trace_diff_hitch_columns,
                                TRACE_DIFF_HITCH_COLUMNS, true),
    [TRACE_DIFF_SCOPES] = PART("scopes", "Scopes on the track that marks the frames",
                               trace_diff_scope_columns, TRACE_DIFF_SCOPE_COLUMNS, true),
    [TRACE_DIFF_WORK] = PART("work", "Work, over all tracks", trace_diff_scope_columns,
                             TRACE_DIFF_SCOPE_COLUMNS, true),
    [TRACE_DIFF_WAITING] = PART("waiting", "Waiting, which is not judged", trace_diff_scope_columns,
                                TRACE_DIFF_SCOPE_COLUMNS, true),
    [TRACE_DIFF_GPU] = PART("gpu", "GPU", trace_diff_scope_columns, TRACE_DIFF_SCOPE_COLUMNS, true),
    [TRACE_DIFF_UNPAIRED] = PART("unpaired", "New and gone", trace_diff_unpaired_columns,
                                 TRACE_DIFF_UNPAIRED_COLUMNS, true),
    [TRACE_DIFF_COUNTERS] = PART("counters", "Counters and gauges", trace_diff_counter_columns,
                                 TRACE_DIFF_COUNTER_COLUMNS, true),
    [TRACE_DIFF_RUNS] = PART("runs", "Runs", trace_diff_run_columns, TRACE_DIFF_RUN_COLUMNS, true),
    [TRACE_DIFF_VERDICT] = {.name = "verdict",
                            .title = "How it was decided",
                            .columns = trace_diff_verdict_columns,
                            .column_count = TRACE_DIFF_VERDICT_COLUMNS,
                            .is_record = true,
                            .is_folded = true},
};

const struct trace_report_type trace_report_diff_type = {.name = "diff",
                                                         .version = 1,
                                                         .tables = tables,
                                                         .table_count = TRACE_DIFF_TABLES,
                                                         .main_table = TRACE_DIFF_CHANGES,
                                                         .width = TRACE_SCREEN_WIDTH};

/* --- the verdict ------------------------------------------------------------------------------ */

static void put_failed_on(const struct trace_diff_report *maker)
{
    struct trace_text_buffer text = {NULL, 0, 0, false};

    for (size_t i = 0; trace_fail_on_words[i] != NULL; i++)
        if ((maker->diff->failed_on >> i & 1u) != 0)
            trace_append_format(&text, "%s%s", text.size == 0 ? "" : ", ", trace_fail_on_words[i]);
    trace_diff_put_text(maker->report, &text);
}

static void put_evidence(const struct trace_diff_report *maker)
{
    const struct trace_judgement *judgement = &maker->diff->comparison.judgement;
    struct trace_text_buffer text = {NULL, 0, 0, false};

    if (!maker->diff->is_compared)
        trace_append_format(&text, "nothing was compared");
    else if (judgement->is_tested)
        trace_append_format(&text,
                            "a permutation test of %u quantities at once over %s%u labellings of "
                            "the runs, and exact counts of calls",
                            (unsigned)judgement->family,
                            judgement->are_all_relabelings ? "all " : "",
                            (unsigned)judgement->relabelings);
    else
        trace_append_format(&text,
                            "insufficient for times, of which %u runs a side would be evidence; "
                            "exact counts of calls and budgets hold all the same",
                            TRACE_LEAST_RUNS);
    trace_diff_put_text(maker->report, &text);
}

static void put_counts(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    struct trace_report *report = maker->report;
    uint32_t exceeded = 0;

    for (uint32_t i = 0; i < comparison->budget_count; i++)
        exceeded += trace_budget_is_exceeded(&comparison->budgets[i]);
    trace_report_integer(report, comparison->judgement.family);
    trace_report_integer(report, comparison->judgement.relabelings);
    trace_report_real(report, 100.0 * maker->diff->config->level);
    trace_report_integer(report, trace_comparison_count(comparison, TRACE_FOUND_WORSE));
    trace_report_integer(report, trace_comparison_count(comparison, TRACE_FOUND_SUSPECTED_WORSE));
    trace_report_integer(report, trace_comparison_count(comparison, TRACE_FOUND_BETTER));
    trace_report_integer(report, exceeded);
    trace_report_integer(report, trace_comparison_unpaired(comparison, TRACE_CANDIDATE));
    trace_report_integer(report, trace_comparison_unpaired(comparison, TRACE_BASE));
    trace_report_real(report, trace_least_change(comparison, &maker->diff->config->limits));
    trace_report_real(report,
                      comparison->mean_ns[TRACE_CANDIDATE] - comparison->mean_ns[TRACE_BASE]);
    trace_diff_put_finite(report,
                          comparison->rest_ns[TRACE_CANDIDATE] - comparison->rest_ns[TRACE_BASE]);
}

static void put_verdict(const struct trace_diff_report *maker)
{
    static const char *const words[] = {"pass", "fail", "incomparable"};
    struct trace_report *report = maker->report;
    struct trace_text_buffer summary = {NULL, 0, 0, false};

    trace_append_summary(&summary, maker->diff);
    trace_text_buffer_append(&summary, "", 1);
    if (summary.has_failed)
        trace_report_fail(report);
    else
        trace_report_set_headline(report, summary.data);
    trace_report_row(report, TRACE_DIFF_VERDICT);
    trace_report_string(report, words[maker->diff->verdict]);
    put_failed_on(maker);
    trace_report_text(report, summary.data, summary.size == 0 ? 0 : summary.size - 1);
    put_evidence(maker);
    trace_report_integer(report, trace_run_pool_count(&maker->diff->pool, TRACE_BASE));
    trace_report_integer(report, trace_run_pool_count(&maker->diff->pool, TRACE_CANDIDATE));
    if (maker->diff->is_compared)
        put_counts(maker);
    trace_text_buffer_release(&summary);
}

/* --- remarks ---------------------------------------------------------------------------------- */

static void put_remarks(struct trace_report *report, const char *kind,
                        const struct trace_warnings *remarks)
{
    for (uint32_t i = 0; i < remarks->count; i++) {
        trace_report_row(report, TRACE_DIFF_REMARKS);
        trace_report_string(report, kind);
        trace_report_string(report, remarks->lines[i]);
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

static void put_tables(const struct trace_diff_report *maker)
{
    put_remarks(maker->report, "reason", &maker->diff->found.reasons);
    put_remarks(maker->report, "warning", &maker->diff->pool.copies);
    put_remarks(maker->report, "warning", &maker->diff->found.warnings);
    trace_diff_put_runs(maker);
    put_verdict(maker);
    if (!maker->diff->is_compared)
        return;
    trace_diff_put_changes(maker);
    trace_diff_put_budgets(maker);
    trace_diff_put_frames(maker);
    trace_diff_put_scopes(maker);
    trace_diff_put_counters(maker);
    trace_diff_put_unpaired(maker);
}

enum ludus_status trace_report_diff(const struct trace_diff *diff, uint32_t top,
                                    struct trace_report **report, struct ludus_error *error)
{
    struct trace_diff_report maker = {.diff = diff, .top = top};
    enum ludus_status status = trace_report_create(&trace_report_diff_type, &maker.report, error);

    *report = NULL;
    if (status != LUDUS_OK)
        return status;
    put_tables(&maker);
    return trace_report_deliver(maker.report, LUDUS_OK, report, error);
}
