/* The frames report: how long frames were, the worst of them, and which scopes made them so.
 * docs/numbers.md, "Hitches", defines every value. */
#include <inttypes.h>
#include <stdlib.h>

#include "failure.h"
#include "frame_distribution.h"
#include "frame_excess.h"
#include "frames_columns.h"
#include "frames_part.h"
#include "gpu_in_frames.h"
#include "gpu_queues.h"
#include "number_runs.h"
#include "report_parts.h"
#include "worst_frames.h"

enum { DOMAINS, PERCENTILES, BINS, WORST, SCOPES, ABSENT, OTHERS, OVERLAP };

/* Rows of frames of other domains, which is a product of two counts, are put until there are so
 * many.
 */
#define MOST_OVERLAPS 100000u

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct trace_table_type tables[] = {
    TRACE_TABLE("frames", "Frame times", trace_frames_domain_columns),
    TRACE_TABLE("percentiles", "Percentiles", trace_frames_percentile_columns),
    TRACE_TABLE("histogram", "Histogram", trace_frames_bin_columns),
    {.name = "worst", /* none was asked for, or there are no frames, which the first table tells */
     .title = "The longest frames",
     .columns = trace_frames_worst_columns,
     .column_count = COUNT_OF(trace_frames_worst_columns),
     .is_left_out_when_empty = true},
    {.name = "scopes",
     .title = "What took longer in them than in the median frame",
     .columns = trace_frames_scope_columns,
     .column_count = COUNT_OF(trace_frames_scope_columns),
     .is_left_out_when_empty = true},
    {.name = "absent",
     .title = "Frames in which a scope did not run",
     .columns = trace_frames_absent_columns,
     .column_count = COUNT_OF(trace_frames_absent_columns),
     .is_left_out_when_empty = true},
    {.name = "others",
     .title = "Frames of other domains in a frame",
     .columns = trace_frames_other_columns,
     .column_count = COUNT_OF(trace_frames_other_columns),
     .is_left_out_when_empty = true},
    {.name = "overlap", /* people have it with --explain */
     .title = "Frames of other domains that overlap the longest frames",
     .columns = trace_frames_overlap_columns,
     .column_count = COUNT_OF(trace_frames_overlap_columns),
     .is_detail = true},
};

const struct trace_report_type trace_report_frames_type = {.name = "frames",
                                                           .version = 1,
                                                           .tables = tables,
                                                           .table_count = COUNT_OF(tables),
                                                           .main_table = WORST,
                                                           .width = TRACE_SCREEN_WIDTH};

/* The making of a report. */
struct maker {
    struct trace_report *report;
    struct trace_input *input;
    const struct trace_model *model;
    const struct trace_frames_options *options;
    struct trace_chosen chosen;
    struct trace_frame_list list;
    struct trace_worst_frames worst;
    struct trace_frame_absence absence;
    struct trace_frame_running running;
    struct trace_frame_scopes scopes;
    struct trace_gpu_in_frames gpu;
    struct trace_excess excess[TRACE_FRAME_SITES];
};

/* --- the worst frames ------------------------------------------------------------------------ */

static void put_own_times(const struct maker *maker, uint32_t asked, uint32_t window, bool is_known)
{
    struct trace_report *report = maker->report;
    const struct trace_frame_scopes *scopes = &maker->scopes;
    if (!is_known) {
        for (int i = 0; i < 3; i++)
            trace_report_null(report);
        return;
    }
    trace_report_integer(report, trace_scope_value(scopes, TRACE_SUBJECT_WORKING, asked)->own_ns);
    trace_report_integer(report, trace_scope_value(scopes, TRACE_SUBJECT_WAITING, asked)->own_ns);
    trace_put_median(report, scopes->medians_of[window] != 0,
                     trace_scope_median(scopes, TRACE_SUBJECT_WAITING, window)->own_ns);
}

static void put_running(const struct maker *maker, uint32_t asked)
{
    const struct trace_running running = trace_running_of_track(&maker->running.marking[asked]);
    if (running.sampled_ns == 0)
        trace_report_null(maker->report);
    else
        trace_report_integer(maker->report, running.wait_ns);
    trace_report_integer(maker->report, running.sampled_ns);
}

static void put_gpu(const struct maker *maker, uint32_t asked)
{
    const struct trace_gpu_in_frame *frame = &maker->gpu.frames[asked];
    if (frame->longest_ns < 0)
        trace_report_null(maker->report);
    else
        trace_report_integer(maker->report, frame->longest_ns);
    trace_put_track_name(maker->report, maker->model, frame->track);
}

/* `excess` is the first of the frame's list; NULL: it is empty, or has waits only. */
static void put_worst(const struct maker *maker, uint32_t window, uint32_t rank, int64_t median_ns,
                      const struct trace_excess *excess)
{
    struct trace_report *report = maker->report;
    const struct trace_frame_list *list = &maker->list;
    uint32_t column = trace_worst_column(&maker->worst, window, rank);
    uint32_t asked = trace_worst_index(&maker->worst, column);
    uint32_t track = trace_domain_mark_track(list->domain, list->frames[column]);
    bool is_lost = (list->flags[column] & TRACE_FRAME_LOST) != 0;
    const struct trace_text *name = &maker->chosen.plan.windows.items[window].name;
    trace_report_row(report, WORST);
    trace_report_text(report, name->data, name->size);
    trace_report_integer(report, (int64_t)rank + 1);
    trace_report_integer(report, (int64_t)trace_frame_number(list, column));
    trace_report_integer(report, trace_frame_begin(list, column));
    trace_report_integer(report, trace_frame_duration(list, column));
    trace_put_quotient(report, (double)trace_frame_duration(list, column), (double)median_ns);
    put_gpu(maker, asked);
    trace_put_track_name(report, maker->model, track);
    put_own_times(maker, asked, window,
                  track != TRACE_NONE && trace_pass_plan_counts(&maker->chosen.plan, track));
    put_running(maker, asked);
    trace_report_string(report, is_lost ? "yes" : "no");
    if (excess == NULL || !excess->has_median)
        return;
    trace_report_text(report, excess->facts->name.data, excess->facts->name.size);
    trace_report_integer(report, excess->excess_ns);
    trace_report_string(report, trace_excess_names[excess->cause]);
}

static void put_scope(const struct maker *maker, uint32_t window, uint32_t column,
                      const struct trace_excess *excess)
{
    struct trace_report *report = maker->report;
    const struct trace_text *name = &maker->chosen.plan.windows.items[window].name;
    trace_report_row(report, SCOPES);
    trace_report_text(report, name->data, name->size);
    trace_report_integer(report, (int64_t)trace_frame_number(&maker->list, column));
    trace_put_excess(report, maker->model, excess);
    trace_put_place(report, excess->facts);
}

/* The scopes of work, and the one of waiting that exceeds most. */
static void put_scopes(const struct maker *maker, uint32_t window, uint32_t column, uint32_t count,
                       uint32_t waits)
{
    uint32_t work = count - waits, top = maker->options->top;
    uint32_t shown = top == 0 || work < top ? work : top;
    for (uint32_t i = 0; i < shown; i++)
        put_scope(maker, window, column, &maker->excess[i]);
    for (uint32_t i = work; i < count && (top == 0 || i == work); i++)
        put_scope(maker, window, column, &maker->excess[i]);
}

/* False when there is no memory. */
static bool put_window_worst(struct maker *maker, uint32_t window)
{
    const struct trace_worst_frames *worst = &maker->worst;
    struct trace_frame_percentiles times;
    uint32_t overlaps_left_out = 0;
    const struct trace_window *facts = &maker->chosen.plan.windows.items[window];
    if (trace_frame_percentiles_of(maker->list.domain, &facts->spans, &times) != LUDUS_OK)
        return false;
    for (uint32_t rank = 0; rank < worst->counts[window]; rank++) {
        uint32_t column = trace_worst_column(worst, window, rank);
        uint32_t waits;
        uint32_t count =
            trace_frame_excess(maker->model, &maker->scopes, &maker->chosen,
                               trace_worst_index(worst, column), window, maker->excess, &waits);
        put_worst(maker, window, rank, times.ranks[TRACE_FRAME_P50].value,
                  count > waits ? maker->excess : NULL);
        put_scopes(maker, window, column, count, waits);
        if (trace_report_row_count(maker->report, OVERLAP) < MOST_OVERLAPS)
            trace_put_overlap(maker->report, OVERLAP, maker->model, maker->chosen.plan.domain,
                              maker->list.frames[column], &facts->name);
        else
            overlaps_left_out++;
    }
    if (overlaps_left_out != 0)
        trace_report_note(maker->report, OVERLAP,
                          "Of so many domains and frames some are left out: the last %" PRIu32
                          " frames of window %.*s.",
                          overlaps_left_out, trace_text_shown(facts->name), facts->name.data);
    return true;
}

/* How much of what was submitted has a GPU time, over the whole recording. */
static void note_gpu(const struct maker *maker)
{
    const struct trace_model *model = maker->model;
    if (!maker->gpu.has_samples || trace_report_row_count(maker->report, WORST) == 0)
        return;
    trace_report_note(maker->report, WORST,
                      "GPU: of what was submitted in the frame, on the queue that took longest; "
                      "nothing where it was not sampled.");
    for (uint32_t i = 0; i < model->gpu_queue_count; i++) {
        const uint32_t track = model->gpu_queues[i].track;
        const uint64_t eligible =
            trace_gpu_count_of(model, track, LCAP_GPU_FRAME, LCAP_GPU_ELIGIBLE);
        const uint64_t valid = trace_gpu_count_of(model, track, LCAP_GPU_FRAME, LCAP_GPU_VALID);
        const struct trace_text name = model->gpu_queues[i].name;
        if (eligible != 0 && trace_pass_plan_counts(&maker->chosen.plan, track))
            trace_report_note(maker->report, WORST,
                              "%.*s: %" PRIu64 " of %" PRIu64
                              " submitted frames of the recording were sampled (%.1f %%).",
                              trace_text_shown(name), name.data, valid, eligible,
                              100.0 * (double)valid / (double)eligible);
    }
}

/* --- frames without a scope ------------------------------------------------------------------ */

static void put_absent(const struct maker *maker, uint32_t window, uint32_t subject)
{
    struct trace_report *report = maker->report;
    const struct trace_frame_list *list = &maker->list;
    const struct trace_site *site = &maker->model->sites[maker->absence.sites[subject]];
    const struct trace_text *name = &maker->chosen.plan.windows.items[window].name;
    struct trace_number_runs runs = {.size = 0};
    int64_t frames = 0, lost = 0;
    for (uint32_t column = 0; column < list->count; column++) {
        if (!trace_frame_is_in(list, column, window))
            continue;
        frames++;
        if (trace_frame_absence_ran(&maker->absence, subject, list->frames[column]))
            continue;
        lost += (list->flags[column] & TRACE_FRAME_LOST) != 0;
        trace_number_runs_add(&runs, trace_frame_number(list, column));
    }
    trace_number_runs_end(&runs);
    trace_report_row(report, ABSENT);
    trace_report_text(report, name->data, name->size);
    trace_report_text(report, site->name.data, site->name.size);
    trace_report_integer(report, (int64_t)runs.count);
    trace_put_quotient(report, (double)runs.count * 100, (double)frames);
    trace_report_integer(report, lost);
    trace_report_string(report, runs.text);
    trace_report_integer(report, (int64_t)runs.listed);
}

static void put_all_absent(const struct maker *maker)
{
    for (uint32_t w = 0; w < maker->chosen.plan.windows.count; w++)
        for (uint32_t i = 0; i < maker->absence.site_count; i++)
            put_absent(maker, w, i);
    uint32_t chosen = 0;
    for (uint32_t i = 0; maker->absence.site_count != 0 && i < maker->chosen.site_count; i++)
        chosen += maker->chosen.sites[i];
    if (chosen > maker->absence.site_count)
        trace_report_note(maker->report, ABSENT, "Of %" PRIu32 " chosen sites the first %u.",
                          chosen, TRACE_MOST_ABSENT);
}

/* --- the report ------------------------------------------------------------------------------ */

static const struct trace_distribution_tables distribution = {
    .domains = DOMAINS, .percentiles = PERCENTILES, .bins = BINS, .others = OTHERS};

static enum ludus_status put_times(const struct maker *maker)
{
    const struct trace_pass_plan *plan = &maker->chosen.plan;
    struct trace_track_losses losses;
    if (!trace_track_losses_create_all(maker->model, plan->tracks, plan->track_count, &losses))
        return LUDUS_ERROR_MEMORY;
    enum ludus_status status = LUDUS_OK;
    for (uint32_t d = 0; d < maker->model->domain_count && status == LUDUS_OK; d++)
        if (maker->options->selection.domain == NULL || d == plan->domain)
            status = trace_put_frame_times(maker->report, distribution, maker->model, plan, &losses,
                                           d, maker->options->budget_ns);
    trace_track_losses_destroy(&losses);
    trace_note_windows(maker->report, DOMAINS, &maker->chosen);
    return status;
}

static bool put_frames(struct maker *maker)
{
    const struct trace_text *domain = &maker->list.domain->name;
    for (uint32_t w = 0; w < maker->chosen.plan.windows.count; w++) {
        trace_put_frame_bins(maker->report, distribution, &maker->chosen.plan, &maker->list, w);
        trace_put_other_domains(maker->report, distribution, maker->model, &maker->chosen.plan,
                                &maker->list, w);
        if (!put_window_worst(maker, w))
            return false;
    }
    put_all_absent(maker);
    note_gpu(maker);
    if (maker->model->domain_count > 1 && trace_report_row_count(maker->report, WORST) != 0)
        trace_report_note(maker->report, WORST,
                          "Frames of %.*s; --domain NAME shows those of another domain.",
                          trace_text_shown(*domain), domain->data);
    if (maker->worst.asked_count != 0) {
        trace_note_scopes(maker->report, SCOPES, maker->model, &maker->chosen, &maker->scopes);
        trace_report_note(maker->report, SCOPES,
                          "--worst N shows more frames, and --top N more scopes of each. --explain "
                          "N shows one of them on one screen: what it waited for, too.");
    }
    return true;
}

static void forget(void *context)
{
    struct maker *maker = context;
    trace_gpu_in_frames_destroy(&maker->gpu);
    trace_frame_scopes_destroy(&maker->scopes);
    trace_frame_running_destroy(&maker->running);
    trace_frame_absence_destroy(&maker->absence);
    trace_worst_frames_destroy(&maker->worst);
    trace_frame_list_destroy(&maker->list);
}

/* Finds out all that the report needs. */
static enum ludus_status ask(void *context, struct ludus_error *error)
{
    struct maker *maker = context;
    const struct trace_pass_plan *plan = &maker->chosen.plan;
    const struct trace_model *model = maker->model;
    bool has_absence = maker->options->selection.site_count != 0;
    if (!trace_frame_list_create(&maker->list, model, plan, TRACE_NONE) ||
        !trace_worst_frames_create(&maker->worst, &maker->list, plan, maker->options->worst) ||
        (has_absence && !trace_frame_absence_create(&maker->absence, model, maker->list.domain,
                                                    maker->chosen.sites)) ||
        !trace_frame_running_create(&maker->running, model, plan, &maker->list, maker->worst.asked,
                                    maker->worst.asked_count, false))
        return trace_fail_memory(error);
    const struct trace_frame_question question = {.input = maker->input,
                                                  .model = model,
                                                  .plan = plan,
                                                  .list = &maker->list,
                                                  .asked = maker->worst.asked,
                                                  .asked_count = maker->worst.asked_count,
                                                  .absence = has_absence ? &maker->absence : NULL,
                                                  .running = &maker->running,
                                                  .matrix_bytes = TRACE_FRAME_MATRIX_BYTES};
    enum ludus_status status = trace_frame_scopes_create(&maker->scopes, &question, error);
    if (status == LUDUS_OK)
        status = trace_gpu_in_frames_create(&maker->gpu, maker->input, plan, &maker->list,
                                            maker->worst.asked, maker->worst.asked_count, error);
    return status == LUDUS_OK ? trace_input_collect_warnings(maker->input, model, error) : status;
}

static enum ludus_status make(struct maker *maker, struct ludus_error *error)
{
    enum ludus_status status =
        trace_chosen_create(maker->input, &maker->options->selection, &maker->chosen, error);
    if (status == LUDUS_OK)
        status = trace_input_model(maker->input, TRACE_DETAIL_FACTS, &maker->model, error);
    if (status == LUDUS_OK)
        status = trace_expect_frames(maker->model, maker->chosen.plan.domain, error);
    if (status == LUDUS_OK)
        status = trace_ask_until_known(maker->model, maker, ask, forget, error);
    if (status == LUDUS_OK && (put_times(maker) != LUDUS_OK || !put_frames(maker)))
        status = trace_fail_memory(error);
    return status;
}

enum ludus_status trace_report_frames(struct trace_input *input,
                                      const struct trace_frames_options *options,
                                      struct trace_report **report, struct ludus_error *error)
{
    struct maker *maker = calloc(1, sizeof *maker);
    *report = NULL;
    if (maker == NULL)
        return trace_fail_memory(error);
    maker->input = input;
    maker->options = options;
    enum ludus_status status =
        trace_report_create(&trace_report_frames_type, &maker->report, error);
    if (status == LUDUS_OK)
        status = trace_report_deliver(maker->report, make(maker, error), report, error);
    forget(maker);
    trace_chosen_destroy(&maker->chosen);
    free(maker);
    return status;
}
