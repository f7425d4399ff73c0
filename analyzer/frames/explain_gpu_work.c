/* What GPUs worked on while a frame lasted, whichever frame had submitted it. */
#include "explain_gpu_work.h"

#include <stdlib.h>

#include "column_kinds.h"
#include "explain_columns.h"
#include "frame_table.h"
#include "lcap_decode.h"
#include "report_gpu.h"
#include "report_parts.h"

/* A GPU that does more than this in a frame is told not to be shown whole. */
#define MOST_PASSES 4096u

const struct trace_column trace_explain_gpu_work_columns[11] = {
    TRACE_TEXT_COLUMN("pass", "pass", .description = "The name of the site."),
    TRACE_TEXT_COLUMN("operation", "kind",
                      .description = "render, compute, transfer, or mixed; or its number."),
    TRACE_TEXT_COLUMN("queue", "queue", .description = "The GPU's queue, by its track.",
                      .is_left_out_when_same = true),
    TRACE_TIME_COLUMN("in_frame_ns", "in the frame",
                      .description = "How much of its duration lies in the frame."),
    TRACE_TIME_COLUMN("duration_ns", "duration", .description = "GPU time."),
    TRACE_TIME_COLUMN("begin_ns", "begin",
                      .description = "When it began, from the session's start."),
    TRACE_NUMBER_COLUMN("submitted_frame", "submitted in",
                        .description = "The number of the frame in which it was submitted; null "
                                       "before the first mark."),
    TRACE_TIME_COLUMN("uncertainty_ns", "+-", .description = "How far off its begin may be.",
                      .is_detail = true),
    TRACE_NUMBER_COLUMN("number", "number",
                        .description = "Of the submitted frame, counted on the queue.",
                        .is_detail = true),
    TRACE_NUMBER_COLUMN("ordinal", "ordinal",
                        .description = "Passes of the site before it in that frame.",
                        .is_detail = true),
    TRACE_TEXT_COLUMN("category", "category", .description = "Its category; null when it has none.",
                      .is_detail = true),
};

/* How much of the pass lies in the frame; 0 when it is not known when it began. */
static int64_t length_in_frame(const struct trace_explain *explain,
                               const struct trace_gpu_time *time)
{
    const int64_t from_ns = trace_frame_begin(&explain->list, explain->column);
    const int64_t until_ns = trace_frame_end(&explain->list, explain->column);
    int64_t end_ns;
    if (!time->has_begin || time->duration_ns <= 0)
        return 0;
    if (__builtin_add_overflow(time->begin_ns, time->duration_ns, &end_ns)) /* of a forged file */
        end_ns = INT64_MAX;
    const int64_t begin_ns = time->begin_ns > from_ns ? time->begin_ns : from_ns;
    end_ns = end_ns < until_ns ? end_ns : until_ns;
    return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

bool trace_explain_gpu_work_take(struct trace_explain_gpu_work *work,
                                 const struct trace_explain *explain,
                                 const struct trace_gpu_pass *pass)
{
    const int64_t in_frame_ns = length_in_frame(explain, &pass->time);
    if (in_frame_ns == 0 || !trace_chosen_shows(&explain->chosen, pass->site))
        return true;
    work->is_cut = work->is_cut || work->count == MOST_PASSES;
    if (work->count == MOST_PASSES)
        return true;
    if (!trace_array_grow(&work->rows, work->count, sizeof *work->rows))
        return false;
    work->rows[work->count] = (struct trace_gpu_work_row){
        .pass = *pass,
        .site = &explain->model->sites[pass->site],
        .in_frame_ns = in_frame_ns,
        .order = work->count,
    };
    work->count++;
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct trace_gpu_work_row *left = a, *right = b;
    if (left->in_frame_ns != right->in_frame_ns)
        return left->in_frame_ns > right->in_frame_ns ? -1 : 1;
    if (left->pass.time.begin_ns != right->pass.time.begin_ns)
        return left->pass.time.begin_ns < right->pass.time.begin_ns ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

static void put_row(const struct trace_explain *explain, const struct trace_gpu_work_row *row)
{
    struct trace_report *report = explain->report;
    const struct trace_gpu_pass *pass = &row->pass;
    const struct trace_domain *domain = explain->list.domain;
    const uint32_t frame = trace_frame_table_find(domain, pass->time.submit_ns);
    trace_report_row(report, TRACE_EXPLAIN_GPU_WORK);
    trace_report_text(report, row->site->name.data, row->site->name.size);
    trace_put_gpu_name(report, lcap_gpu_operation_name(pass->operation), pass->operation);
    trace_put_track_name(report, explain->model, pass->track);
    trace_report_integer(report, row->in_frame_ns);
    trace_report_integer(report, pass->time.duration_ns);
    trace_report_integer(report, pass->time.begin_ns);
    if (frame != TRACE_NONE)
        trace_report_integer(report, (int64_t)domain->frames[frame].number);
    else
        trace_report_null(report);
    trace_report_integer(report, pass->time.uncertainty_ns);
    trace_report_integer(report, (int64_t)pass->frame);
    trace_report_integer(report, pass->ordinal);
    trace_put_category(report, explain->model, row->site);
}

void trace_explain_gpu_work_put(struct trace_explain_gpu_work *work,
                                const struct trace_explain *explain)
{
    const uint32_t top = explain->options->top;
    const uint32_t shown = top == 0 || work->count < top ? work->count : top;
    if (work->count == 0)
        return;
    qsort(work->rows, work->count, sizeof *work->rows, compare);
    for (uint32_t i = 0; i < shown; i++)
        put_row(explain, &work->rows[i]);
    trace_report_note(explain->report, TRACE_EXPLAIN_GPU_WORK,
                      "Passes of which it is known when they ran. --explain the frame in which one "
                      "was submitted shows how long it usually takes.");
    if (shown < work->count)
        trace_report_note(explain->report, TRACE_EXPLAIN_GPU_WORK,
                          "%u more passes; --top 0 shows all.", work->count - shown);
    if (work->is_cut)
        trace_report_note(explain->report, TRACE_EXPLAIN_GPU_WORK,
                          "The GPU did more in it than is kept of a frame: some is left out here.");
}

void trace_explain_gpu_work_destroy(struct trace_explain_gpu_work *work)
{
    free(work->rows);
    *work = (struct trace_explain_gpu_work){0};
}
