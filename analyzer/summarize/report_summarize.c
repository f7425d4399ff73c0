/* The summarize report: where the frames went. docs/numbers.md defines every value. */
#include "failure.h"
#include "report_gpu.h"
#include "report_losses.h"
#include "report_parts.h"
#include "report_running.h"
#include "summarize.h"

/* What rows may be of; only those that were asked for
 * have rows. */
#define SUBJECT_TABLE(table, heading, table_columns, count)                                        \
    {                                                                                              \
        .name = table, .title = heading, .columns = table_columns, .column_count = count,          \
        .is_left_out_when_empty = true                                                             \
    }

static const struct trace_table_type tables[TRACE_SUMMARY_TABLES] = {
    [TRACE_SUMMARY_SESSION] = {.name = "session",
                               .title = "Session",
                               .columns = trace_session_columns,
                               .column_count = TRACE_SESSION_COLUMNS,
                               .shown = "program build_flavor machine started duration_ns "
                                        "resolution_ns"},
    [TRACE_SUMMARY_FRAMES] = TRACE_TABLE("frames", "Frame times", trace_summary_frame_columns),
    [TRACE_SUMMARY_GPU] =
        SUBJECT_TABLE("gpu", "GPU", trace_summary_gpu_columns, TRACE_SUMMARY_GPU_COLUMNS),
    [TRACE_SUMMARY_GPU_PASSES] = SUBJECT_TABLE(
        "gpu_passes", "GPU passes", trace_summary_gpu_pass_columns, TRACE_SUMMARY_GPU_PASS_COLUMNS),
    [TRACE_SUMMARY_GPU_OVERLAP] =
        SUBJECT_TABLE("gpu_overlap", "How much of them ran at the same time",
                      trace_summary_gpu_overlap_columns, TRACE_SUMMARY_GPU_OVERLAP_COLUMNS),
    [TRACE_SUMMARY_GPU_COVERAGE] =
        SUBJECT_TABLE("gpu_coverage", "What was measured of GPUs", trace_gpu_coverage_columns,
                      TRACE_GPU_COVERAGE_COLUMNS),
    [TRACE_SUMMARY_GPU_CALIBRATIONS] =
        SUBJECT_TABLE("gpu_calibrations", "Calibrations of GPU times",
                      trace_summary_gpu_calibration_columns, TRACE_SUMMARY_GPU_CALIBRATION_COLUMNS),
    [TRACE_SUMMARY_SITES] =
        SUBJECT_TABLE("sites", "Sites", trace_summary_site_columns, TRACE_SUMMARY_SITE_COLUMNS),
    [TRACE_SUMMARY_PERCENTILES] =
        SUBJECT_TABLE("percentiles", "How long slices were", trace_summary_percentile_columns,
                      TRACE_SUMMARY_PERCENTILE_COLUMNS),
    [TRACE_SUMMARY_PATHS] =
        SUBJECT_TABLE("paths", "Paths", trace_summary_path_columns, TRACE_SUMMARY_PATH_COLUMNS),
    [TRACE_SUMMARY_CATEGORIES] = SUBJECT_TABLE(
        "categories", "Categories", trace_summary_category_columns, TRACE_SUMMARY_CATEGORY_COLUMNS),
    [TRACE_SUMMARY_UNIONS] =
        SUBJECT_TABLE("unions", "How much ran at the same time", trace_summary_union_columns,
                      TRACE_SUMMARY_UNION_COLUMNS),
    [TRACE_SUMMARY_COUNTERS] = SUBJECT_TABLE("counters", "Counters", trace_summary_counter_columns,
                                             TRACE_SUMMARY_COUNTER_COLUMNS),
    [TRACE_SUMMARY_GAUGES] =
        SUBJECT_TABLE("gauges", "Gauges", trace_summary_gauge_columns, TRACE_SUMMARY_GAUGE_COLUMNS),
    [TRACE_SUMMARY_MARKS] =
        SUBJECT_TABLE("marks", "Marks", trace_summary_mark_columns, TRACE_SUMMARY_MARK_COLUMNS),
    [TRACE_SUMMARY_FLOWS] =
        SUBJECT_TABLE("flows", "Flows", trace_summary_flow_columns, TRACE_SUMMARY_FLOW_COLUMNS),
    [TRACE_SUMMARY_TRACKS] = TRACE_TABLE("tracks", "Tracks", trace_summary_track_columns),
    [TRACE_SUMMARY_RUNNING] = {.name = "running",
                               .title = "Threads: on a processor, runnable, asleep",
                               .columns = trace_running_columns,
                               .column_count = TRACE_RUNNING_COLUMNS,
                               .is_detail = true},
    [TRACE_SUMMARY_MACHINE] = {.name = "machine",
                               .title = "The machine's processors",
                               .columns = trace_machine_columns,
                               .column_count = TRACE_MACHINE_COLUMNS,
                               .is_detail = true},
    [TRACE_SUMMARY_WINDOWS] =
        TRACE_TABLE("windows", "Inside and outside of frames", trace_summary_window_columns),
    [TRACE_SUMMARY_LOSSES] = TRACE_TABLE("losses", "Losses", trace_loss_columns),
};

const struct trace_report_type trace_report_summarize_type = {.name = "summarize",
                                                              .version = 2,
                                                              .tables = tables,
                                                              .table_count = TRACE_SUMMARY_TABLES,
                                                              .main_table = TRACE_SUMMARY_SITES,
                                                              .width = TRACE_SCREEN_WIDTH};

static enum ludus_status put_subjects(struct trace_summary *summary, struct ludus_error *error)
{
    switch (summary->options->by) {
    case TRACE_BY_SITE:
        return trace_summarize_subjects(summary, TRACE_SUBJECT_SITE, error);
    case TRACE_BY_PATH:
        return trace_summarize_subjects(summary, TRACE_SUBJECT_PATH, error);
    case TRACE_BY_CATEGORY:
        return trace_summarize_subjects(summary, TRACE_SUBJECT_CATEGORY, error);
    case TRACE_BY_COUNTER:
    case TRACE_BY_MARK:
        return trace_summarize_values(summary, summary->options->by == TRACE_BY_MARK, error);
    case TRACE_BY_FLOW:
        return trace_summarize_flows(summary, error);
    case TRACE_BY_GPU_PASS:
        return trace_summarize_gpu_passes(summary, error);
    case TRACE_BY_TRACK:
        break;
    }
    trace_report_set_main(summary->report, TRACE_SUMMARY_TRACKS);
    return LUDUS_OK;
}

static enum ludus_status put_tables(struct trace_summary *summary, struct ludus_error *error)
{
    const struct trace_model *model = summary->model;
    struct trace_report *report = summary->report;
    uint32_t top = summary->options->top;
    trace_put_session(report, TRACE_SUMMARY_SESSION, model, false);
    enum ludus_status status = trace_summarize_frames(summary, error);
    if (status == LUDUS_OK)
        status = trace_summarize_gpu(summary, error);
    if (status == LUDUS_OK)
        status = put_subjects(summary, error);
    if (status == LUDUS_OK)
        status = trace_summarize_tracks(summary, error);
    if (status == LUDUS_OK &&
        !trace_put_running(report, TRACE_SUMMARY_RUNNING, TRACE_SUMMARY_TRACKS, model,
                           &summary->chosen.plan, top == TRACE_TOP_SCREEN ? 0 : top))
        status = trace_fail_memory(error);
    trace_put_machine(report, TRACE_SUMMARY_MACHINE, TRACE_SUMMARY_TRACKS, model);
    trace_summarize_windows(summary);
    if (status == LUDUS_OK && !trace_put_loss_sums(report, TRACE_SUMMARY_LOSSES, model))
        status = trace_fail_memory(error);
    return status;
}

/* Makes the plan's statistics. */
static enum ludus_status run(struct trace_summary *summary, struct ludus_error *error)
{
    struct trace_pass_plan *plan = &summary->chosen.plan;
    enum trace_summarize_by by = summary->options->by;
    plan->has_path_rows = by == TRACE_BY_PATH || by == TRACE_BY_CATEGORY;
    plan->apart = by == TRACE_BY_TRACK ? TRACE_APART_ALL : TRACE_APART_LOSSES;
    summary->windows = plan->windows.count;
    enum ludus_status status = LUDUS_OK;
    if (by == TRACE_BY_FLOW) /* first, as its pass has a plan of its own */
        status = trace_flow_delays_create(summary->input, &summary->chosen, &summary->flows, error);
    if (status == LUDUS_OK)
        status = trace_input_statistics(summary->input, plan, &summary->model, error);
    if (status == LUDUS_OK)
        trace_choose_parts(summary->model, summary->parts);
    return status;
}

enum ludus_status trace_report_summarize(struct trace_input *input,
                                         const struct trace_summarize_options *options,
                                         struct trace_report **out, struct ludus_error *error)
{
    struct trace_summary summary = {.input = input, .options = options};
    *out = NULL;
    enum ludus_status status =
        trace_chosen_create(input, &options->selection, &summary.chosen, error);
    if (status != LUDUS_OK)
        return status;
    status = run(&summary, error);
    if (status == LUDUS_OK)
        status = trace_report_create(&trace_report_summarize_type, &summary.report, error);
    if (status == LUDUS_OK)
        status = trace_report_deliver(summary.report, put_tables(&summary, error), out, error);
    trace_flow_delays_destroy(&summary.flows);
    trace_chosen_destroy(&summary.chosen);
    return status;
}
