/* The explain report: one frame on one screen. docs/numbers.md, "Hitches", defines every value. */
#include "report_explain.h"

#include <inttypes.h>
#include <stdlib.h>

#include "explain_columns.h"
#include "failure.h"
#include "find_frame.h"
#include "frame_distribution.h"
#include "frame_percentiles.h"
#include "frames_columns.h"
#include "frames_part.h"
#include "report_losses.h"
#include "report_parts.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define EXPLAIN_TABLE(table_name, table_title, table_columns, is_left_out)                         \
    {                                                                                              \
        .name = table_name, .title = table_title, .columns = table_columns,                        \
        .column_count = sizeof(table_columns) / sizeof(table_columns)[0],                          \
        .line_width = TRACE_SCREEN_WIDTH, .is_left_out_when_empty = is_left_out                    \
    }

static const struct trace_table_type tables[] = {
    EXPLAIN_TABLE("frame", "The frame", trace_explain_frame_columns, false),
    EXPLAIN_TABLE("scopes", "Longer than in the median frame", trace_explain_scope_columns, false),
    EXPLAIN_TABLE("tracks", "What the tracks did in it", trace_explain_track_columns, false),
    EXPLAIN_TABLE("chain", "What it waited for, from its begin to its end",
                  trace_explain_chain_columns, false),
    EXPLAIN_TABLE("gpu_frames", "What the GPU did for it", trace_explain_gpu_frame_columns, true),
    EXPLAIN_TABLE("gpu_passes", "GPU passes, those longer than their median first",
                  trace_explain_gpu_pass_columns, true),
    EXPLAIN_TABLE("gpu_work", "What the GPU worked on during it, whichever frame submitted that",
                  trace_explain_gpu_work_columns, true),
    EXPLAIN_TABLE("values", "Counters and gauges", trace_explain_value_columns, true),
    EXPLAIN_TABLE("marks", "Marks in it", trace_explain_mark_columns, true),
    EXPLAIN_TABLE("overlap", "Frames of other domains that overlap it",
                  trace_frames_overlap_columns, true),
    {.name = "losses",
     .title = "Losses that overlap it",
     .columns = trace_loss_columns,
     .column_count = TRACE_LOSS_COLUMNS,
     .line_width = TRACE_SCREEN_WIDTH,
     .is_left_out_when_empty = true},
    EXPLAIN_TABLE("diagnostics", "Diagnostics of the recorder in it",
                  trace_explain_diagnostic_columns, true),
};

const struct trace_report_type trace_report_explain_type = {.name = "explain",
                                                            .version = 1,
                                                            .tables = tables,
                                                            .table_count = COUNT_OF(tables),
                                                            .main_table = TRACE_EXPLAIN_SCOPES};

/* --- the frame ------------------------------------------------------------------------------- */

static void put_rank(const struct trace_explain *explain)
{
    const struct trace_frame_list *list = &explain->list;
    int64_t duration_ns = trace_frame_duration(list, explain->column), rank = 1, frames = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!trace_frame_is_in(list, i, 0))
            continue;
        frames++;
        rank += trace_frame_duration(list, i) > duration_ns;
    }
    if (trace_frame_is_in(list, explain->column, 0))
        trace_report_integer(explain->report, rank);
    else
        trace_report_null(explain->report);
    trace_report_integer(explain->report, frames);
}

static void put_machine(const struct trace_explain *explain)
{
    struct trace_report *report = explain->report;
    const struct trace_running *machine = &explain->running.machine[0];
    int64_t longest_ns = machine->longest_ns;
    trace_report_integer(report, machine->sampled_ns);
    if (machine->sampled_ns != 0) {
        trace_report_integer(report, machine->run_ns);
        trace_report_integer(report, machine->wait_ns);
    } else {
        trace_report_null(report);
        trace_report_null(report);
    }
    for (uint32_t i = 0; i < explain->model->track_count; i++)
        if (explain->running.tracks[i].longest_ns > longest_ns)
            longest_ns = explain->running.tracks[i].longest_ns;
    if (longest_ns != 0)
        trace_report_integer(report, longest_ns);
    else
        trace_report_null(report);
}

static enum ludus_status put_frame(const struct trace_explain *explain)
{
    struct trace_report *report = explain->report;
    const struct trace_frame_list *list = &explain->list;
    const struct trace_text *domain = &list->domain->name;
    int64_t duration_ns = trace_frame_duration(list, explain->column);
    bool is_lost = (list->flags[explain->column] & TRACE_FRAME_LOST) != 0;
    struct trace_frame_percentiles times;
    if (trace_frame_percentiles_of(list->domain, &explain->chosen.plan.windows.items[0].spans,
                                   &times) != LUDUS_OK)
        return LUDUS_ERROR_MEMORY;
    trace_report_row(report, TRACE_EXPLAIN_FRAME);
    trace_report_text(report, domain->data, domain->size);
    trace_report_integer(report, (int64_t)trace_frame_number(list, explain->column));
    trace_report_integer(report, trace_frame_begin(list, explain->column));
    trace_report_integer(report, duration_ns);
    if (times.count != 0)
        trace_report_integer(report, times.ranks[TRACE_FRAME_P50].value);
    else
        trace_report_null(report);
    trace_put_quotient(report, (double)duration_ns, (double)times.ranks[TRACE_FRAME_P50].value);
    put_rank(explain);
    if (explain->options->budget_ns != 0) {
        trace_report_integer(report, explain->options->budget_ns);
        trace_report_integer(report, duration_ns - explain->options->budget_ns);
    } else {
        trace_report_null(report);
        trace_report_null(report);
    }
    trace_put_track_name(report, explain->model, explain->track);
    put_machine(explain);
    trace_report_string(report, is_lost ? "yes" : "no");
    trace_note_windows(report, TRACE_EXPLAIN_FRAME, &explain->chosen);
    if (is_lost)
        trace_report_note(report, TRACE_EXPLAIN_FRAME,
                          "Events were lost in this frame: what is said of its scopes is too "
                          "little.");
    return LUDUS_OK;
}

/* --- scopes ---------------------------------------------------------------------------------- */

/* What is shown of `count` rows. */
static uint32_t limit(uint32_t count, uint32_t top)
{
    return top == 0 || count < top ? count : top;
}

static void put_scope(const struct trace_explain *explain, const struct trace_excess *excess)
{
    struct trace_report *report = explain->report;
    uint32_t track, others;
    trace_report_row(report, TRACE_EXPLAIN_SCOPES);
    trace_put_excess(report, explain->model, excess);
    trace_site_tracks(&explain->moments, excess->site, &track, &others);
    trace_put_track_name(report, explain->model, track);
    trace_report_integer(report, others);
    trace_put_place(report, excess->facts);
}

static void put_scopes(struct trace_explain *explain)
{
    uint32_t waits, top = explain->options->top;
    uint32_t count = trace_frame_excess(explain->model, &explain->scopes, &explain->chosen, 0, 0,
                                        explain->excess, &waits);
    uint32_t work = limit(count - waits, top), waits_shown = limit(waits, top / 4);
    if (top != 0 && waits_shown == 0 && waits != 0)
        waits_shown = 1;
    for (uint32_t i = 0; i < work; i++)
        put_scope(explain, &explain->excess[i]);
    for (uint32_t i = 0; i < waits_shown; i++)
        put_scope(explain, &explain->excess[count - waits + i]);
    if (work + waits_shown < count)
        trace_report_note(explain->report, TRACE_EXPLAIN_SCOPES,
                          "%" PRIu32 " more took longer than usual; --top 0 shows all.",
                          count - work - waits_shown);
    trace_note_scopes(explain->report, TRACE_EXPLAIN_SCOPES, explain->model, &explain->chosen,
                      &explain->scopes);
}

/* --- all of it ------------------------------------------------------------------------------- */

static void put_rest(const struct trace_explain *explain)
{
    const struct trace_model *model = explain->model;
    const struct trace_frame_moments *moments = &explain->moments;
    trace_put_overlap(explain->report, TRACE_EXPLAIN_OVERLAP, model, explain->chosen.plan.domain,
                      explain->list.frames[explain->column],
                      &explain->chosen.plan.windows.items[0].name);
    for (uint32_t i = 0; i < model->loss_count; i++)
        if (model->losses[i].begin_ns < moments->end_ns &&
            model->losses[i].end_ns >= moments->begin_ns)
            trace_put_loss(explain->report, TRACE_EXPLAIN_LOSSES, model, &model->losses[i]);
    for (uint32_t i = 0; i < model->diagnostic_count; i++)
        if (model->diagnostics[i].time_ns >= moments->begin_ns &&
            model->diagnostics[i].time_ns < moments->end_ns)
            trace_put_diagnostic(explain->report, TRACE_EXPLAIN_DIAGNOSTICS, model,
                                 &model->diagnostics[i]);
    if (moments->is_cut)
        trace_report_note(explain->report, TRACE_EXPLAIN_CHAIN,
                          "The frame holds more than is kept of one: some of it is left out here.");
}

static void forget(void *context)
{
    struct trace_explain *explain = context;
    trace_frame_chain_destroy(&explain->chain);
    trace_frame_moments_destroy(&explain->moments);
    trace_frame_scopes_destroy(&explain->scopes);
    trace_frame_running_destroy(&explain->running);
    trace_frame_list_destroy(&explain->list);
}

/* Finds the frame and makes the passes. */
static enum ludus_status ask(void *context, struct ludus_error *error)
{
    struct trace_explain *explain = context;
    const struct trace_pass_plan *plan = &explain->chosen.plan;
    const struct trace_model *model = explain->model;
    const struct trace_domain *domain = &model->domains[plan->domain];
    uint32_t frame;
    enum ludus_status status = trace_find_frame(domain, explain->options->frame, &frame, error);
    if (status != LUDUS_OK)
        return trace_fail_in(error, trace_input_path(explain->input));
    if (!trace_frame_list_create(&explain->list, model, plan, frame))
        return trace_fail_memory(error);
    explain->column = explain->list.columns[frame];
    explain->track = trace_domain_mark_track(domain, frame);
    if (!trace_frame_running_create(&explain->running, model, plan, &explain->list,
                                    &explain->column, 1, true))
        return trace_fail_memory(error);
    const struct trace_frame_question question = {.input = explain->input,
                                                  .model = model,
                                                  .plan = plan,
                                                  .list = &explain->list,
                                                  .asked = &explain->column,
                                                  .asked_count = 1,
                                                  .running = &explain->running,
                                                  .matrix_bytes = TRACE_FRAME_MATRIX_BYTES};
    status = trace_frame_scopes_create(&explain->scopes, &question, error);
    if (status == LUDUS_OK)
        status = trace_frame_moments_create(&explain->moments, explain->input, model, plan,
                                            &explain->list, explain->column, error);
    if (status == LUDUS_OK)
        status = trace_frame_chain_create(&explain->chain, explain->input, model, plan,
                                          &explain->moments,
                                          trace_domain_mark_track(domain, frame + 1), error);
    return status == LUDUS_OK ? trace_input_collect_warnings(explain->input, model, error) : status;
}

static enum ludus_status make(struct trace_explain *explain, struct ludus_error *error)
{
    const struct trace_selection *selection = &explain->options->selection;
    if (selection->window_count > 1)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "a frame is explained against one window; %zu were given",
                          selection->window_count);
    enum ludus_status status =
        trace_chosen_create(explain->input, selection, &explain->chosen, error);
    if (status == LUDUS_OK)
        status = trace_input_model(explain->input, TRACE_DETAIL_FACTS, &explain->model, error);
    if (status == LUDUS_OK)
        status = trace_expect_frames(explain->model, explain->chosen.plan.domain, error);
    if (status == LUDUS_OK)
        status = trace_ask_until_known(explain->model, explain, ask, forget, error);
    if (status != LUDUS_OK)
        return status;
    if (put_frame(explain) != LUDUS_OK || !trace_explain_put_tracks(explain))
        return trace_fail_memory(error);
    put_scopes(explain);
    trace_explain_put_chain(explain);
    trace_explain_put_values(explain);
    trace_explain_put_marks(explain);
    put_rest(explain);
    return trace_explain_put_gpu(explain, error);
}

enum ludus_status trace_report_explain(struct trace_input *input,
                                       const struct trace_explain_options *options,
                                       struct trace_report **report, struct ludus_error *error)
{
    struct trace_explain *explain = calloc(1, sizeof *explain);
    *report = NULL;
    if (explain == NULL)
        return trace_fail_memory(error);
    explain->input = input;
    explain->options = options;
    enum ludus_status status =
        trace_report_create(&trace_report_explain_type, &explain->report, error);
    if (status == LUDUS_OK)
        status = trace_report_deliver(explain->report, make(explain, error), report, error);
    forget(explain);
    trace_chosen_destroy(&explain->chosen);
    free(explain);
    return status;
}
