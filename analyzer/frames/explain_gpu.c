/* What a frame submitted to GPUs: how long that took, beside how long it usually takes. One look at
 * the samples also finds what GPUs worked on meanwhile (explain_gpu_work.h). */
#include <stdlib.h>

#include "column_kinds.h"
#include "explain_columns.h"
#include "explain_gpu_work.h"
#include "failure.h"
#include "frame_table.h"
#include "gpu_measure.h"
#include "lcap_decode.h"
#include "report_explain.h"
#include "report_gpu.h"
#include "report_parts.h"

/* A program that submits more than this in a frame is told that not all is shown. */
#define MOST_FRAMES 256u
#define MOST_PASSES 4096u

#define OUTCOME_COLUMN                                                                             \
    TRACE_TEXT_COLUMN("outcome", "outcome", .description = "valid, or why there is no duration.")
#define TIME_COLUMNS(what)                                                                         \
    TRACE_TIME_COLUMN("duration_ns", "duration",                                                   \
                      .description = "GPU time; a measured 0 is one; null when it is not valid."), \
        TRACE_TIME_COLUMN("median_ns", "median", .window = TRACE_GPU_WINDOW,                       \
                          .description = "The median of " what ", by their valid durations; null " \
                                         "when there is none."),                                   \
        TRACE_TIME_COLUMN("excess_ns", "excess", .description = "duration_ns less median_ns."),    \
        TRACE_POSITION_COLUMN("begin_ns", "begin",                                                 \
                              .description =                                                       \
                                  "When it began, from the session's start; null when its "        \
                                  "clock is not calibrated."),                                     \
        TRACE_TIME_COLUMN("uncertainty_ns", "+-", .description = "How far off that may be.",       \
                          .is_detail = true)
#define SUBMISSION_COLUMNS                                                                         \
    TRACE_POSITION_COLUMN("submitted_ns", "submitted",                                             \
                          .description = "When the program submitted it.", .is_detail = true),     \
        TRACE_POSITION_COLUMN("collected_ns", "collected",                                         \
                              .description = "When it took the result, or gave up.",               \
                              .is_detail = true)

const struct trace_column trace_explain_gpu_frame_columns[14] = {
    TRACE_TEXT_COLUMN("queue", "queue", .description = "The GPU's queue, by its track."),
    TRACE_NUMBER_COLUMN("number", "number",
                        .description = "Of the submitted frame, counted on the queue."),
    OUTCOME_COLUMN,
    TIME_COLUMNS("the submitted frames of the queue"),
    SUBMISSION_COLUMNS,
    TRACE_NUMBER_COLUMN("collected_frame", "collected in",
                        .description = "The number of the frame in which the result was taken; "
                                       "null after a missing mark."),
    TRACE_COUNT_COLUMN("latency_frames", "frames later",
                       .description = "How many frames after the one in which it was submitted."),
    TRACE_TEXT_COLUMN("method", "method",
                      .description = "timestamps, or command-buffer: the system's time of a whole "
                                     "one.",
                      .is_detail = true),
    TRACE_NUMBER_COLUMN("generation", "generation",
                        .description = "Sessions with devices before the queue's; null when the "
                                       "queue is not defined.",
                        .is_detail = true),
};

const struct trace_column trace_explain_gpu_pass_columns[15] = {
    TRACE_TEXT_COLUMN("pass", "pass", .description = "The name of the site."),
    TRACE_TEXT_COLUMN("operation", "kind",
                      .description = "render, compute, transfer, or mixed; or its number."),
    TRACE_TEXT_COLUMN("queue", "queue", .description = "The GPU's queue, by its track.",
                      .is_left_out_when_same = true),
    TRACE_NUMBER_COLUMN("number", "number",
                        .description = "Of the submitted frame, counted on the queue.",
                        .is_detail = true),
    TRACE_NUMBER_COLUMN("ordinal", "ordinal",
                        .description = "Passes of the site before it in that frame.",
                        .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("logical_passes", "logical",
                       .description = "Passes of the program that share its duration.",
                       .is_detail = true),
    OUTCOME_COLUMN,
    TIME_COLUMNS("the passes of the site and operation on the queue"),
    SUBMISSION_COLUMNS,
    TRACE_TEXT_COLUMN("category", "category", .description = "Its category; null when it has none.",
                      .is_detail = true),
};

/* --- what was submitted in the frame --------------------------------------------------------- */

struct pass_row {
    struct trace_gpu_pass pass;
    const struct trace_site *site;
    uint32_t subject;  /* index in the totals */
    uint32_t order;    /* in which it was shown */
    int64_t median_ns; /* -1: none */
};

struct frame_row {
    struct trace_gpu_frame frame;
    uint32_t subject;
    int64_t median_ns;
};

struct gpu_of_frame {
    const struct trace_explain *explain;
    struct frame_row *frames;
    uint32_t frame_count;
    struct pass_row *passes;
    uint32_t pass_count;
    struct trace_explain_gpu_work work;
    bool has_samples; /* of whichever frame */
    bool is_cut;
};

/* Whether the track's samples count; notes that there are some. */
static bool counts(struct gpu_of_frame *all, uint32_t track)
{
    const bool is_counted = trace_pass_plan_counts(&all->explain->chosen.plan, track);
    all->has_samples = all->has_samples || is_counted;
    return is_counted;
}

static bool is_in_frame(const struct trace_explain *explain, int64_t submit_ns)
{
    return submit_ns >= trace_frame_begin(&explain->list, explain->column) &&
           submit_ns < trace_frame_end(&explain->list, explain->column);
}

static enum ludus_status take_frame(void *context, const struct trace_model *model,
                                    const struct trace_gpu_frame *frame)
{
    struct gpu_of_frame *all = context;
    (void)model;
    if (!counts(all, frame->track) || !is_in_frame(all->explain, frame->time.submit_ns))
        return LUDUS_OK;
    all->is_cut = all->is_cut || all->frame_count == MOST_FRAMES;
    if (all->frame_count == MOST_FRAMES)
        return LUDUS_OK;
    if (!trace_array_grow(&all->frames, all->frame_count, sizeof *all->frames))
        return LUDUS_ERROR_MEMORY;
    all->frames[all->frame_count++] = (struct frame_row){.frame = *frame, .median_ns = -1};
    return LUDUS_OK;
}

static enum ludus_status take_pass(void *context, const struct trace_model *model,
                                   const struct trace_gpu_pass *pass)
{
    struct gpu_of_frame *all = context;
    if (!counts(all, pass->track))
        return LUDUS_OK;
    if (!trace_explain_gpu_work_take(&all->work, all->explain, pass))
        return LUDUS_ERROR_MEMORY;
    if (!is_in_frame(all->explain, pass->time.submit_ns) ||
        !trace_chosen_shows(&all->explain->chosen, pass->site))
        return LUDUS_OK;
    all->is_cut = all->is_cut || all->pass_count == MOST_PASSES;
    if (all->pass_count == MOST_PASSES)
        return LUDUS_OK;
    if (!trace_array_grow(&all->passes, all->pass_count, sizeof *all->passes))
        return LUDUS_ERROR_MEMORY;
    all->passes[all->pass_count] = (struct pass_row){.pass = *pass,
                                                     .site = &model->sites[pass->site],
                                                     .order = all->pass_count,
                                                     .median_ns = -1};
    all->pass_count++;
    return LUDUS_OK;
}

/* --- medians --------------------------------------------------------------------------------- */

/* Finds the medians of the subjects whose value is 0; -1: there is none. */
static enum ludus_status find_medians(struct trace_input *input, struct trace_gpu_totals *totals,
                                      int64_t *medians, struct ludus_error *error)
{
    uint32_t count = 0;
    uint32_t *subjects = calloc((size_t)totals->count + 1, sizeof *subjects);
    for (uint32_t i = 0; subjects != NULL && i < totals->count; i++)
        if (medians[i] == 0)
            subjects[count++] = i;
    struct trace_gpu_measure *measures = calloc((size_t)count + 1, sizeof *measures);
    enum ludus_status status = trace_fail_memory(error);
    if (subjects != NULL && measures != NULL)
        status = trace_gpu_measure(input, totals, subjects, count, TRACE_GPU_BUDGET_BYTES, measures,
                                   error);
    for (uint32_t i = 0; status == LUDUS_OK && i < count; i++)
        medians[subjects[i]] = measures[i].ranks.count == 0
                                   ? -1
                                   : measures[i].ranks.ranks[TRACE_DURATION_P50].duration_ns;
    free(subjects);
    free(measures);
    return status;
}

/* Notes the subjects of the rows, finds their medians, and gives them to the rows. */
static enum ludus_status give_medians(struct gpu_of_frame *all, struct trace_gpu_totals *totals,
                                      struct ludus_error *error)
{
    int64_t *medians = malloc(((size_t)totals->count + 1) * sizeof *medians);
    if (medians == NULL)
        return trace_fail_memory(error);
    for (uint32_t i = 0; i <= totals->count; i++)
        medians[i] = -1;
    for (uint32_t i = 0; i < all->frame_count; i++) {
        struct frame_row *row = &all->frames[i];
        row->subject = trace_gpu_find(totals, TRACE_GPU_FRAMES, row->frame.track, TRACE_NONE, 0);
        medians[row->subject < totals->count ? row->subject : totals->count] = 0;
    }
    for (uint32_t i = 0; i < all->pass_count; i++) {
        struct pass_row *row = &all->passes[i];
        row->subject = trace_gpu_subjects_of(totals, &row->pass).index[0];
        medians[row->subject < totals->count ? row->subject : totals->count] = 0;
    }
    const enum ludus_status status = find_medians(all->explain->input, totals, medians, error);
    for (uint32_t i = 0; i < all->frame_count; i++)
        if (all->frames[i].subject < totals->count)
            all->frames[i].median_ns = medians[all->frames[i].subject];
    for (uint32_t i = 0; i < all->pass_count; i++)
        if (all->passes[i].subject < totals->count)
            all->passes[i].median_ns = medians[all->passes[i].subject];
    free(medians);
    return status;
}

/* --- rows ------------------------------------------------------------------------------------ */

static void put_time(struct trace_report *report, const struct trace_gpu_time *time,
                     int64_t median_ns)
{
    const bool is_valid = time->duration_ns >= 0;
    trace_put_gpu_name(report, lcap_gpu_outcome_name(time->outcome), time->outcome);
    if (is_valid)
        trace_report_integer(report, time->duration_ns);
    else
        trace_report_null(report);
    if (median_ns >= 0)
        trace_report_integer(report, median_ns);
    else
        trace_report_null(report);
    if (is_valid && median_ns >= 0)
        trace_report_integer(report, time->duration_ns - median_ns);
    else
        trace_report_null(report);
    if (time->has_begin) {
        trace_report_integer(report, time->begin_ns);
        trace_report_integer(report, time->uncertainty_ns);
    } else {
        trace_report_null(report);
        trace_report_null(report);
    }
    trace_report_integer(report, time->submit_ns);
    trace_report_integer(report, time->collect_ns);
}

static void put_latency(const struct trace_explain *explain, int64_t collect_ns)
{
    const struct trace_domain *domain = explain->list.domain;
    const uint32_t from = explain->list.frames[explain->column];
    const uint32_t until = trace_frame_table_find(domain, collect_ns);
    if (until == TRACE_NONE || until < from ||
        domain->frames[until].number - domain->frames[from].number != until - from) {
        trace_report_null(explain->report);
        trace_report_null(explain->report);
        return;
    }
    trace_report_integer(explain->report, (int64_t)domain->frames[until].number);
    trace_report_integer(explain->report, until - from);
}

static void put_frame(const struct trace_explain *explain, const struct frame_row *row)
{
    struct trace_report *report = explain->report;
    const struct trace_gpu_frame *frame = &row->frame;
    trace_report_row(report, TRACE_EXPLAIN_GPU_FRAMES);
    trace_put_track_name(report, explain->model, frame->track);
    trace_report_integer(report, (int64_t)frame->number);
    put_time(report, &frame->time, row->median_ns);
    put_latency(explain, frame->time.collect_ns);
    trace_put_gpu_name(report, lcap_gpu_method_name(frame->method), frame->method);
    trace_put_gpu_generation(report, explain->model, frame->track);
}

static void put_pass(const struct trace_explain *explain, const struct pass_row *row)
{
    struct trace_report *report = explain->report;
    const struct trace_gpu_pass *pass = &row->pass;
    trace_report_row(report, TRACE_EXPLAIN_GPU_PASSES);
    trace_report_text(report, row->site->name.data, row->site->name.size);
    trace_put_gpu_name(report, lcap_gpu_operation_name(pass->operation), pass->operation);
    trace_put_track_name(report, explain->model, pass->track);
    trace_report_integer(report, (int64_t)pass->frame);
    trace_report_integer(report, pass->ordinal);
    trace_report_integer(report, pass->logical_passes);
    put_time(report, &pass->time, row->median_ns);
    trace_put_category(report, explain->model, row->site);
}

/* Those that exceed their median most come first, those without a duration last. */
static int compare_passes(const void *a, const void *b)
{
    const struct pass_row *left = a, *right = b;
    const bool is_left_valid = left->pass.time.duration_ns >= 0;
    const bool is_right_valid = right->pass.time.duration_ns >= 0;
    if (is_left_valid != is_right_valid)
        return is_left_valid ? -1 : 1;
    const int64_t x = left->pass.time.duration_ns - left->median_ns;
    const int64_t y = right->pass.time.duration_ns - right->median_ns;
    if (is_left_valid && x != y)
        return x > y ? -1 : 1;
    const int order = trace_text_compare(&left->site->name, &right->site->name);
    return order != 0 ? order : (left->order > right->order) - (left->order < right->order);
}

static void put_rows(struct gpu_of_frame *all)
{
    const struct trace_explain *explain = all->explain;
    const uint32_t top = explain->options->top;
    const uint32_t shown = top == 0 || all->pass_count < top ? all->pass_count : top;
    for (uint32_t i = 0; i < all->frame_count; i++)
        put_frame(explain, &all->frames[i]);
    if (all->pass_count > 1)
        qsort(all->passes, all->pass_count, sizeof *all->passes, compare_passes);
    for (uint32_t i = 0; i < shown; i++)
        put_pass(explain, &all->passes[i]);
    trace_report_note(explain->report, TRACE_EXPLAIN_GPU_FRAMES,
                      "What was submitted in the frame; the GPU worked on it later. Medians are of "
                      "valid durations in the window.");
    if (shown < all->pass_count)
        trace_report_note(explain->report, TRACE_EXPLAIN_GPU_PASSES,
                          "%u more passes; --top 0 shows all.", all->pass_count - shown);
    if (all->is_cut)
        trace_report_note(explain->report, TRACE_EXPLAIN_GPU_PASSES,
                          "The frame submitted more than is kept of one: some of it is left out "
                          "here.");
}

static void note_absence(const struct gpu_of_frame *all)
{
    const struct trace_explain *explain = all->explain;
    if (all->frame_count != 0 || all->pass_count != 0)
        return;
    if (all->has_samples)
        trace_report_note(explain->report, TRACE_EXPLAIN_FRAME,
                          "No GPU time of what was submitted in it was taken.");
    else if (explain->model->gpu_queue_count == 0 &&
             (explain->model->sources & TRACE_SOURCE_GPU) != 0)
        trace_report_note(explain->report, TRACE_EXPLAIN_FRAME,
                          "The capture has no GPU times, though they were asked for: nobody "
                          "offered any.");
    else
        trace_report_note(explain->report, TRACE_EXPLAIN_FRAME, "The capture has no GPU times.");
}

/* --- all ------------------------------------------------------------------------------------- */

static enum ludus_status show(struct gpu_of_frame *all, struct ludus_error *error)
{
    const struct trace_explain *explain = all->explain;
    struct trace_gpu_totals totals;
    if (all->frame_count == 0 && all->pass_count == 0)
        return LUDUS_OK;
    enum ludus_status status =
        trace_gpu_look(explain->input, explain->model, &explain->chosen.plan, true, &totals, error);
    if (status == LUDUS_OK)
        status = give_medians(all, &totals, error);
    trace_gpu_totals_destroy(&totals);
    if (status == LUDUS_OK)
        put_rows(all);
    return status;
}

enum ludus_status trace_explain_put_gpu(const struct trace_explain *explain,
                                        struct ludus_error *error)
{
    struct gpu_of_frame all = {.explain = explain};
    const struct trace_visitor visitor = {
        .context = &all, .gpu_frame = take_frame, .gpu_pass = take_pass};
    enum ludus_status status = trace_input_run_gpu(explain->input, &visitor, error);
    if (status == LUDUS_ERROR_MEMORY)
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        status = show(&all, error);
    if (status == LUDUS_OK)
        note_absence(&all);
    if (status == LUDUS_OK)
        trace_explain_gpu_work_put(&all.work, explain);
    trace_explain_gpu_work_destroy(&all.work);
    free(all.frames);
    free(all.passes);
    return status;
}
