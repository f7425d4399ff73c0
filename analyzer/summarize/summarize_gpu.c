/* GPU times of whole frames, beside those of the frames in which they were submitted. */
#include <stdlib.h>

#include "column_kinds.h"
#include "failure.h"
#include "gpu_measure.h"
#include "gpu_queues.h"
#include "report_gpu.h"
#include "report_parts.h"
#include "summarize.h"

#define OF_SAMPLED "sampled"
#define RECORDING  "the recording"

#define RANK(column, heading, words, hidden)                                                       \
    TRACE_TIME_COLUMN(column "_ns", heading, .window = TRACE_GPU_WINDOW, .description = words,     \
                      .is_detail = hidden)
#define RANK_FRAME(column, hidden)                                                                 \
    TRACE_NUMBER_COLUMN(column "_frame", "frame", .window = TRACE_GPU_WINDOW,                      \
                        .description = "The number of the frame in which the one of " column       \
                                       "_ns was submitted; null before the first mark.",           \
                        .is_detail = hidden)

const struct trace_column trace_summary_gpu_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_SUMMARY_GPU_PART,
    TRACE_TEXT_COLUMN("queue", "queue", .description = "The GPU's queue, by its track."),
    TRACE_COUNT_COLUMN("eligible", "eligible", .window = RECORDING,
                       .description = "Frames that were submitted and could have been measured."),
    TRACE_PERCENT_COLUMN("coverage_percent", "coverage", .window = RECORDING,
                         .denominator = "eligible",
                         .description = "How many of them were: have a valid duration."),
    TRACE_COUNT_COLUMN("sampled", "sampled", .window = TRACE_GPU_WINDOW,
                       .description = "Submitted frames with a valid duration; a measured 0 is "
                                      "one."),
    TRACE_COUNT_COLUMN("not_valid", "not valid", .window = TRACE_GPU_WINDOW,
                       .description = "Measured without a valid duration: in no time here.",
                       .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("outside", "outside", .window = "the window",
                       .description = "Measured, and submitted in none of its complete frames: in "
                                      "no time here.",
                       .is_left_out_when_same = true),
    TRACE_MEAN_COLUMN("mean_ns", "mean", .window = TRACE_GPU_WINDOW, .denominator = OF_SAMPLED,
                      .description = "GPU time of a submitted frame: between two timestamps of the "
                                     "device. The GPU may have waited in between."),
    RANK("p50", "p50", "The median (nearest rank, as all percentiles).", false),
    RANK_FRAME("p50", true),
    RANK("p90", "p90", "90 % of the sampled ones took no longer.", true),
    RANK_FRAME("p90", true),
    RANK("p99", "p99", "99 % of the sampled ones took no longer.", false),
    RANK_FRAME("p99", true),
    RANK("max", "max", "The longest one.", false),
    RANK_FRAME("max", false),
    TRACE_MEAN_COLUMN("frame_mean_ns", "CPU frame", .window = TRACE_SUMMARY_FRAME_WINDOW,
                      .denominator = TRACE_SUMMARY_PER_FRAME,
                      .description = "The mean of the window's frames, for comparison: a frame "
                                     "lasts from mark to mark, whatever the GPU does."),
    TRACE_NUMBER_COLUMN("generation", "generation",
                        .description = "Sessions with devices before the queue's; null when the "
                                       "queue is not defined.",
                        .is_detail = true),
};

/* A queue's rows: of its samples, or of none. */
struct gpu_queue_row {
    uint32_t track;
    uint32_t subject; /* index, or TRACE_NONE */
    uint32_t place;   /* of its measures */
};

static void put_rank(struct trace_summary *summary, const struct trace_duration_ranks *ranks,
                     enum trace_duration_rank rank)
{
    const struct trace_duration_sample *sample = &ranks->ranks[rank];
    trace_report_integer(summary->report, sample->duration_ns);
    trace_put_frame_number(summary, sample->frame);
}

static void put_times(struct trace_summary *summary, const struct trace_gpu_sums *sums,
                      const struct trace_duration_ranks *ranks)
{
    struct trace_report *report = summary->report;
    trace_put_quotient(report, (double)sums->sum_ns, (double)sums->valid);
    if (ranks->count == 0) {
        for (int cell = 0; cell < 8; cell++)
            trace_report_null(report);
        return;
    }
    put_rank(summary, ranks, TRACE_DURATION_P50);
    put_rank(summary, ranks, TRACE_DURATION_P90);
    put_rank(summary, ranks, TRACE_DURATION_P99);
    put_rank(summary, ranks, TRACE_DURATION_MAX);
}

static void put_row(struct trace_summary *summary, const struct trace_gpu_totals *totals,
                    const struct gpu_queue_row *row, uint32_t window,
                    const struct trace_gpu_measure *measures)
{
    static const struct trace_gpu_sums no_sums;
    static const struct trace_duration_ranks no_ranks;
    struct trace_report *report = summary->report;
    const struct trace_model *model = summary->model;
    const bool has_samples = row->subject != TRACE_NONE;
    const struct trace_gpu_sums *sums =
        has_samples ? &totals->subjects[row->subject].sums[window] : &no_sums;
    const uint64_t eligible =
        trace_gpu_count_of(model, row->track, LCAP_GPU_FRAME, LCAP_GPU_ELIGIBLE);
    trace_report_row(report, TRACE_SUMMARY_GPU);
    trace_put_window(summary, window);
    trace_report_string(report, trace_gpu_has_frames(&totals->places, window) ? "frames" : "all");
    trace_put_track_name(report, model, row->track);
    trace_report_integer(report, eligible < INT64_MAX ? (int64_t)eligible : INT64_MAX);
    trace_put_quotient(
        report,
        100.0 * (double)trace_gpu_count_of(model, row->track, LCAP_GPU_FRAME, LCAP_GPU_VALID),
        (double)eligible);
    trace_report_integer(report, (int64_t)sums->valid);
    trace_report_integer(report, (int64_t)sums->not_valid);
    trace_report_integer(report, (int64_t)sums->outside);
    put_times(summary, sums,
              has_samples ? &measures[(size_t)row->place * totals->windows + window].ranks
                          : &no_ranks);
    trace_put_quotient(report, (double)summary->frames[window].total_ns,
                       summary->frames[window].count);
    trace_put_gpu_generation(report, model, row->track);
}

/* --- notes ----------------------------------------------------------------------------------- */

static void put_notes(struct trace_summary *summary)
{
    struct trace_report *report = summary->report;
    const struct trace_model *model = summary->model;
    trace_report_note(report, TRACE_SUMMARY_GPU,
                      "A submitted frame counts where it was submitted, whatever --attribute says. "
                      "Times are of the sampled ones; eligible and coverage are of the whole "
                      "recording. --gpu shows passes, and why what is missing is.");
    if (model->has_window)
        trace_report_note(report, TRACE_SUMMARY_GPU,
                          "The capture holds a part of the recording, which eligible and coverage "
                          "reach beyond.");
    for (uint32_t i = 0; i < model->gpu_queue_count; i++)
        if (model->gpu_queues[i].valid_bits == 0 &&
            trace_pass_plan_counts(&summary->chosen.plan, model->gpu_queues[i].track))
            trace_report_note(report, TRACE_SUMMARY_GPU,
                              "The queue %.*s has no timestamps: nothing can be measured on it.",
                              trace_text_shown(model->gpu_queues[i].name),
                              model->gpu_queues[i].name.data);
}

static void put_absence(struct trace_summary *summary)
{
    if ((summary->model->sources & TRACE_SOURCE_GPU) != 0)
        trace_report_note(summary->report, TRACE_SUMMARY_GPU,
                          "GPU samples were asked for, and nobody offered any: nothing here is "
                          "time of a GPU.");
    else if (summary->options->by == TRACE_BY_GPU_PASS)
        trace_report_note(summary->report, TRACE_SUMMARY_GPU,
                          "The capture has no GPU samples: the recording was not started for "
                          "them.");
}

/* --- all ------------------------------------------------------------------------------------- */

static bool is_shown(const struct trace_summary *summary, const struct trace_gpu_totals *totals,
                     uint32_t track)
{
    const struct trace_model *model = summary->model;
    return trace_pass_plan_counts(&summary->chosen.plan, track) &&
           (trace_gpu_queue_of(model, track) != TRACE_NONE ||
            trace_gpu_count_of(model, track, LCAP_GPU_FRAME, LCAP_GPU_ELIGIBLE) != 0 ||
            trace_gpu_find(totals, TRACE_GPU_FRAMES, track, TRACE_NONE, 0) != TRACE_NONE);
}

/* The queues that are shown, and the subjects of those that have samples. */
static void choose_rows(const struct trace_summary *summary, const struct trace_gpu_totals *totals,
                        struct gpu_queue_row *rows, uint32_t *row_count, uint32_t *subjects,
                        uint32_t *subject_count)
{
    for (uint32_t track = 0; track < summary->model->track_count; track++) {
        if (!is_shown(summary, totals, track))
            continue;
        const uint32_t subject = trace_gpu_find(totals, TRACE_GPU_FRAMES, track, TRACE_NONE, 0);
        rows[(*row_count)++] = (struct gpu_queue_row){track, subject, *subject_count};
        if (subject != TRACE_NONE)
            subjects[(*subject_count)++] = subject;
    }
}

static enum ludus_status put_rows(struct trace_summary *summary, struct trace_gpu_totals *totals,
                                  struct ludus_error *error)
{
    uint32_t row_count = 0, subject_count = 0;
    const size_t tracks = summary->model->track_count;
    struct gpu_queue_row *rows = calloc(tracks + 1, sizeof *rows);
    uint32_t *subjects = calloc(tracks + 1, sizeof *subjects);
    struct trace_gpu_measure *measures = NULL;
    enum ludus_status status = trace_fail_memory(error);
    if (rows != NULL && subjects != NULL) {
        choose_rows(summary, totals, rows, &row_count, subjects, &subject_count);
        measures = calloc((size_t)subject_count * totals->windows + 1, sizeof *measures);
    }
    if (measures != NULL)
        status = trace_gpu_measure(summary->input, totals, subjects, subject_count,
                                   TRACE_GPU_BUDGET_BYTES, measures, error);
    for (uint32_t i = 0; status == LUDUS_OK && i < row_count; i++)
        for (uint32_t w = 0; w < totals->windows; w++)
            put_row(summary, totals, &rows[i], w, measures);
    if (status == LUDUS_OK && row_count != 0)
        put_notes(summary);
    else if (status == LUDUS_OK && summary->model->gpu_queue_count == 0)
        put_absence(summary);
    free(rows);
    free(subjects);
    free(measures);
    return status;
}

enum ludus_status trace_summarize_gpu(struct trace_summary *summary, struct ludus_error *error)
{
    struct trace_gpu_totals totals;
    enum ludus_status status = trace_gpu_look(summary->input, summary->model, &summary->chosen.plan,
                                              false, &totals, error);
    if (status == LUDUS_OK)
        status = put_rows(summary, &totals, error);
    trace_gpu_totals_destroy(&totals);
    return status;
}
