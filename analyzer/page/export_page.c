/* Exports a page of HTML that stands on its own: the reports' tables as data, and what draws them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "failure.h"
#include "frame_bin.h"
#include "frames_part.h"
#include "page_document.h"
#include "page_writer.h"
#include "report_bins.h"
#include "selection.h"

#define WORST_FRAMES 10u
#define SCOPES_EACH  3u

static const struct trace_page_table summary_tables[] = {
    {.table = "session",
     .columns = "program build_commit build_flavor machine cores os started duration_ns "
                "window_begin_ns clock resolution_ns events finished capture_id"},
    {.table = "frames",
     .columns = "window domain frames frames_incomplete mean_ns p50_ns p50_frame p90_ns p90_frame "
                "p95_ns p95_frame p99_ns p99_frame p999_ns p999_frame max_ns max_frame "
                "frames_per_second marks_missing"},
    {.table = "gpu",
     .columns =
         "window part queue eligible coverage_percent sampled not_valid outside mean_ns p50_ns "
         "p90_ns p99_ns max_ns max_frame frame_mean_ns"},
    {.table = "sites",
     .columns =
         "window part site category calls calls_per_frame exclusive_ns exclusive_per_frame_ns "
         "frame_share_percent inclusive_ns inclusive_per_frame_ns exclusive_per_call_ns "
         "inclusive_per_call_ns recording_percent is_short incomplete children_lost "
         "is_waiting file line"},
    {.table = "tracks",
     .columns = "window track slices frames frames_lost covered_per_frame_ns "
                "unlogged_per_frame_ns unlogged_percent incomplete run_percent wait_percent kind"},
    {.table = "windows",
     .columns = "window part frames begin_ns end_ns slices exclusive_ns waiting_ns incomplete "
                "children_lost"},
    {.table = "losses",
     .columns = "track cause scopes instants frame_marks flows gauges events begin_ns end_ns"},
};

static const struct trace_page_table gpu_tables[] = {
    {.table = "gpu_passes",
     .columns = "window part pass operation queue category gpu_frames calls calls_per_frame "
                "sum_per_frame_ns mean_ns p50_ns p99_ns max_ns max_frame "
                "union_per_frame_ns not_valid outside"},
    {.table = "gpu_overlap",
     .columns = "window part queue calibrated calibrated_frames overlap sum_per_frame_ns "
                "union_per_frame_ns uncertainty_ns"},
    {.table = "gpu_coverage", .columns = "track subject outcome count share_percent"},
    {.table = "gpu_calibrations", .columns = "queue mapping frames share_percent uncertainty_ns"},
};

static const struct trace_page_table frame_tables[] = {
    {.table = "frames",
     .columns = "window domain frames frames_incomplete frames_lost budget_ns frames_over "
                "over_percent longest_run"},
    {.table = "histogram", .columns = "window from_ns until_ns frames"},
    {.table = "worst",
     .columns = "window rank frame begin_ns duration_ns times_median gpu_ns gpu_queue track "
                "working_ns waiting_ns has_loss site excess_ns cause"},
    {.table = "scopes",
     .columns = "window frame site category excess_ns own_ns median_ns calls median_calls cause"},
};

static const struct trace_page_table bin_tables[] = {
    {.table = "bins",
     .columns = "window first last frames begin_ns min_ns max_ns max_frame over lost gpu_ns "
                "gpu_frames"}};

static const struct trace_page_table tree_tables[] = {
    {.table = "windows",
     .columns = "window part domain begin_ns end_ns frames mean_frame_ns slices outside_slices"},
    {.table = "tree",
     .columns = "window node parent kind scope category inclusive_per_frame_ns "
                "exclusive_per_frame_ns calls calls_per_frame inclusive_ns exclusive_ns incomplete "
                "children_lost left_out file line"},
};

struct exporter {
    struct trace_page_writer page;
    struct trace_input *input;
    const struct trace_page_options *options;
    const struct trace_model *model;
    uint32_t windows;
    bool has_frames;
    struct ludus_error no_frames; /* why not */
};

/* --- reports --------------------------------------------------------------------------------- */

static enum ludus_status put_summary(struct exporter *exporter, struct ludus_error *error)
{
    struct trace_report *report;
    struct trace_summarize_options options = {.selection = exporter->options->selection,
                                              .top = TRACE_PAGE_SITES / exporter->windows};
    enum ludus_status status = trace_report_summarize(exporter->input, &options, &report, error);
    if (status != LUDUS_OK)
        return status;
    TRACE_PAGE_PUT_REPORT(&exporter->page, "summarize", report, summary_tables, TRACE_PAGE_ROWS);
    trace_report_destroy(report);
    return LUDUS_OK;
}

static enum ludus_status put_gpu(struct exporter *exporter, struct ludus_error *error)
{
    struct trace_report *report;
    struct trace_summarize_options options = {.selection = exporter->options->selection,
                                              .by = TRACE_BY_GPU_PASS};
    if (exporter->model->gpu_queue_count == 0)
        return LUDUS_OK;
    enum ludus_status status = trace_report_summarize(exporter->input, &options, &report, error);
    if (status != LUDUS_OK)
        return status;
    TRACE_PAGE_PUT_REPORT(&exporter->page, "gpu", report, gpu_tables, TRACE_PAGE_ROWS);
    trace_report_destroy(report);
    return LUDUS_OK;
}

static enum ludus_status put_frames(struct exporter *exporter, struct ludus_error *error)
{
    struct trace_report *report;
    struct trace_frames_options options = {.selection = exporter->options->selection,
                                           .budget_ns = exporter->options->budget_ns,
                                           .worst = WORST_FRAMES,
                                           .top = SCOPES_EACH};
    if (!exporter->has_frames) {
        trace_json_key(&exporter->page.json, "no_frames");
        trace_json_text(&exporter->page.json, exporter->no_frames.message);
        return LUDUS_OK;
    }
    enum ludus_status status = trace_report_frames(exporter->input, &options, &report, error);
    if (status != LUDUS_OK)
        return status;
    TRACE_PAGE_PUT_REPORT(&exporter->page, "frames", report, frame_tables, TRACE_PAGE_ROWS);
    trace_report_destroy(report);
    status = trace_report_bins(exporter->input, &exporter->options->selection,
                               exporter->options->budget_ns, &report, error);
    if (status != LUDUS_OK)
        return status;
    TRACE_PAGE_PUT_REPORT(&exporter->page, "bins", report, bin_tables, TRACE_PAGE_BINS);
    trace_report_destroy(report);
    return LUDUS_OK;
}

/* The whole tree when it is small; otherwise less and less of what takes little time, until so many
 * rows are left as a page can have. What is left out is counted in the tree. */
static enum ludus_status put_tree(struct exporter *exporter, struct ludus_error *error)
{
    double percent = 0.01;
    char minimum[32] = "0%";
    struct trace_report *report;
    struct trace_tree_options options = {
        .selection = exporter->options->selection, .depth = TRACE_PAGE_DEPTH, .minimum = minimum};
    for (;;) {
        enum ludus_status status = trace_report_tree(exporter->input, &options, &report, error);
        if (status != LUDUS_OK)
            return status;
        if (trace_report_row_count(report, trace_report_main(report)) <= TRACE_PAGE_TREE_ROWS ||
            percent > 1e8)
            break;
        trace_report_destroy(report);
        (void)snprintf(minimum, sizeof minimum, "%" PRIu64 ".%02u%%", (uint64_t)percent,
                       (unsigned)((uint64_t)(percent * 100 + 0.5) % 100));
        percent *= 2;
    }
    TRACE_PAGE_PUT_REPORT(&exporter->page, "tree", report, tree_tables, TRACE_PAGE_TREE_ROWS);
    trace_report_destroy(report);
    return LUDUS_OK;
}

/* --- the page -------------------------------------------------------------------------------- */

/* What a reader must know, without the name of the file: a capture and its database have one page.
 */
static void put_warnings(struct exporter *exporter)
{
    struct trace_json *json = &exporter->page.json;
    const char *warning;
    size_t skipped = strlen(trace_input_path(exporter->input)) + 2;
    trace_json_break(json, 0);
    trace_json_key(json, "has_loss");
    trace_json_bool(json, trace_has_loss(exporter->input));
    trace_json_key(json, "warnings");
    trace_json_begin_array(json);
    for (size_t i = 0; (warning = trace_warning(exporter->input, i)) != NULL; i++)
        trace_json_text(json, warning + skipped);
    trace_json_end_array(json);
}

static enum ludus_status put_data(struct exporter *exporter, struct ludus_error *error)
{
    struct trace_json *json = &exporter->page.json;
    trace_json_begin_object(json);
    trace_json_key(json, "version");
    trace_json_integer(json, 1);
    trace_json_key(json, "kind");
    trace_json_text(json, "capture");
    trace_json_key(json, "attribution");
    trace_json_text(
        json, exporter->options->selection.attribution == TRACE_ATTRIBUTE_CLIP ? "clip" : "begin");
    enum ludus_status status = put_summary(exporter, error);
    if (status == LUDUS_OK)
        status = put_frames(exporter, error);
    if (status == LUDUS_OK)
        status = put_gpu(exporter, error);
    if (status == LUDUS_OK)
        status = put_tree(exporter, error);
    if (status == LUDUS_OK) {
        put_warnings(exporter);
        trace_json_end_object(json);
    }
    return status;
}

/* Finds out what there is to be shown. */
static enum ludus_status look(struct exporter *exporter, struct ludus_error *error)
{
    struct trace_chosen chosen;
    enum ludus_status status =
        trace_chosen_create(exporter->input, &exporter->options->selection, &chosen, error);
    if (status != LUDUS_OK)
        return status;
    exporter->windows = chosen.plan.windows.count;
    status = trace_input_model(exporter->input, TRACE_DETAIL_FACTS, &exporter->model, error);
    if (status == LUDUS_OK)
        exporter->has_frames = trace_expect_frames(exporter->model, chosen.plan.domain,
                                                   &exporter->no_frames) == LUDUS_OK;
    trace_chosen_destroy(&chosen);
    return status;
}

enum ludus_status trace_export_page(struct trace_input *input,
                                    const struct trace_page_options *options,
                                    struct trace_output output, struct ludus_error *error)
{
    struct exporter *exporter = calloc(1, sizeof *exporter);
    if (exporter == NULL)
        return trace_fail_memory(error);
    exporter->input = input;
    exporter->options = options;
    enum ludus_status status = look(exporter, error);
    if (status == LUDUS_OK) {
        trace_page_begin(&exporter->page, ludus_page_head(), output);
        status = put_data(exporter, error);
        if (status == LUDUS_OK)
            status = trace_page_end(&exporter->page, ludus_page_tail(), error);
    }
    trace_page_release(&exporter->page);
    free(exporter);
    return status;
}
