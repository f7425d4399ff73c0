/* GPU passes: which took how long, how much they overlap, and how far that is known. */
#include <stdlib.h>

#include "column_kinds.h"
#include "failure.h"
#include "gpu_measure.h"
#include "lcap_decode.h"
#include "report_gpu.h"
#include "report_parts.h"
#include "summarize.h"

#define SCREENFUL      20u /* rows that fit on a screen beside all else */
#define PER_FRAME      "gpu_frames"
#define PER_CALIBRATED "calibrated_frames"
#define TIME_COLUMN(column, heading, words, hidden)                                                \
    TRACE_TIME_COLUMN(column, heading, .window = TRACE_GPU_WINDOW, .description = words,           \
                      .is_detail = hidden)
#define MEAN_COLUMN(column, heading, by, words, hidden)                                            \
    TRACE_MEAN_COLUMN(column, heading, .window = TRACE_GPU_WINDOW, .denominator = by,              \
                      .description = words, .is_detail = hidden)
#define COUNT_COLUMN(column, heading, words, hidden)                                               \
    TRACE_COUNT_COLUMN(column, heading, .window = TRACE_GPU_WINDOW, .description = words,          \
                       .is_detail = hidden)

const struct trace_column trace_summary_gpu_pass_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_SUMMARY_GPU_PART,
    TRACE_TEXT_COLUMN("pass", "pass", .description = "The name of the site."),
    TRACE_TEXT_COLUMN("operation", "kind",
                      .description = "render, compute, transfer, or mixed; unknown for one that "
                                     "this version does not know."),
    TRACE_TEXT_COLUMN("queue", "queue", .description = "The GPU's queue, by its track.",
                      .is_left_out_when_same = true),
    TRACE_TEXT_COLUMN("category", "category", .description = "Its category; null when it has none.",
                      .is_detail = true),
    COUNT_COLUMN("gpu_frames", "frames",
                 "Submitted frames of the queue with a valid pass, of whatever name.", true),
    COUNT_COLUMN("calls", "calls",
                 "Valid passes of this site and operation, those of one frame each by itself.",
                 true),
    {.name = "calls_per_frame",
     .title = "calls/frame",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_PER_FRAME,
     .decimals = 2,
     .window = TRACE_GPU_WINDOW,
     .denominator = PER_FRAME,
     .description = "Those in a measured frame."},
    COUNT_COLUMN("logical_passes", "logical",
                 "Passes of the program in these calls: several may share one duration.", true),
    TIME_COLUMN("sum_ns", "sum", "The durations of the calls, added up: work of the GPU.", true),
    MEAN_COLUMN("sum_per_frame_ns", "sum/frame", PER_FRAME, "The same in a measured frame.", false),
    MEAN_COLUMN("mean_ns", "mean", "calls", "The same of a call.", true),
    TIME_COLUMN("p50_ns", "p50", "The median call (nearest rank, as all percentiles).", false),
    TIME_COLUMN("p99_ns", "p99", "99 % of the calls took no longer.", false),
    TIME_COLUMN("max_ns", "max", "The longest call.", false),
    TRACE_NUMBER_COLUMN("max_frame", "frame", .window = TRACE_GPU_WINDOW,
                        .description = "The number of the frame in which it was submitted; null "
                                       "before the first mark."),
    COUNT_COLUMN("calibrated", "calibrated", "Calls of which it is known when they began.", true),
    COUNT_COLUMN("calibrated_frames", "frames",
                 "Submitted frames of the queue with a calibrated pass, of whatever name.", true),
    MEAN_COLUMN("calibrated_per_frame_ns", "calibrated/frame", PER_CALIBRATED,
                "The durations of the calibrated calls, added up, in such a frame.", true),
    MEAN_COLUMN("union_per_frame_ns", "union/frame", PER_CALIBRATED,
                "The time in which at least one of the calibrated calls ran, in such a frame; null "
                "when none is calibrated.",
                false),
    TRACE_COUNT_COLUMN("not_valid", "not valid", .window = TRACE_GPU_WINDOW,
                       .description = "Measured without a valid duration: in no time here.",
                       .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("outside", "outside", .window = "the window",
                       .description = "Measured, and submitted in none of its complete frames: in "
                                      "no time here.",
                       .is_left_out_when_same = true),
    TRACE_PLACE_COLUMNS("pass"),
    TRACE_NUMBER_COLUMN("generation", "generation",
                        .description = "Sessions with devices before the queue's; null when the "
                                       "queue is not defined.",
                        .is_detail = true),
};

const struct trace_column trace_summary_gpu_overlap_columns[] = {
    TRACE_WINDOW_COLUMN,
    TRACE_SUMMARY_GPU_PART,
    TRACE_TEXT_COLUMN("queue", "queue",
                      .description = "The GPU's queue, by its track; or (all queues)."),
    COUNT_COLUMN("calibrated", "passes", "Calibrated passes, of whatever name.", false),
    COUNT_COLUMN("calibrated_frames", "frames",
                 "Submitted frames with one; null for several queues, whose frames are numbered "
                 "apart.",
                 false),
    TIME_COLUMN("sum_ns", "sum", "Their durations, added up: work of the GPU.", false),
    TIME_COLUMN("union_ns", "union",
                "The time in which at least one of them ran: counted once however many did.",
                false),
    {.name = "overlap",
     .title = "sum/union",
     .type = TRACE_TYPE_REAL,
     .decimals = 2,
     .window = TRACE_GPU_WINDOW,
     .denominator = "union_ns",
     .description =
         "The sum divided by the union: how many ran at the same time in the mean, while "
         "one did."},
    MEAN_COLUMN("sum_per_frame_ns", "sum/frame", PER_CALIBRATED, "The sum in such a frame.", false),
    MEAN_COLUMN("union_per_frame_ns", "union/frame", PER_CALIBRATED, "The union in such a frame.",
                false),
    TIME_COLUMN("uncertainty_ns", "uncertainty",
                "The largest uncertainty of when one of them began.", false),
};

const struct trace_column trace_summary_gpu_calibration_columns[] = {
    TRACE_TEXT_COLUMN("queue", "queue", .description = "The GPU's queue, by its track."),
    TRACE_TEXT_COLUMN("mapping", "mapping",
                      .description = "mapped: the frame's times were tied to the host's; or why "
                                     "not, as in format/FORMAT.md, section 2.24."),
    TRACE_COUNT_COLUMN("frames", "frames", .window = "the whole capture",
                       .description = "Submitted frames that came out so."),
    TRACE_PERCENT_COLUMN("share_percent", "share", .window = "the whole capture",
                         .denominator = "calibrations of the queue",
                         .description = "The same as a share."),
    TRACE_TIME_COLUMN("uncertainty_ns", "uncertainty", .window = "the whole capture",
                      .description = "The largest one; of those that are not mapped the larger "
                                     "deviation of the two readings."),
};

/* --- order ----------------------------------------------------------------------------------- */

struct ordered_pass {
    uint32_t index; /* of the subject */
    double key;     /* the largest sum per frame of the windows, or the largest sum */
    const struct trace_gpu_subject *subject;
    const struct trace_site *site;
};

static int compare_passes(const void *a, const void *b)
{
    const struct ordered_pass *left = a, *right = b;
    if (left->key != right->key)
        return left->key > right->key ? -1 : 1;
    const int order = trace_text_compare(&left->site->name, &right->site->name);
    if (order != 0)
        return order;
    const struct trace_gpu_subject *x = left->subject, *y = right->subject;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->operation != y->operation)
        return x->operation < y->operation ? -1 : 1;
    return (x->track > y->track) - (x->track < y->track);
}

static const struct trace_gpu_sums *queue_sums(const struct trace_gpu_totals *totals,
                                               uint32_t track, uint32_t window)
{
    const uint32_t queue = trace_gpu_find(totals, TRACE_GPU_QUEUE_PASSES, track, TRACE_NONE, 0);
    return &totals->subjects[queue].sums[window];
}

static double key_of(const struct trace_gpu_totals *totals, const struct trace_gpu_subject *subject)
{
    double key = 0;
    for (uint32_t w = 0; w < totals->windows; w++) {
        const uint64_t frames = queue_sums(totals, subject->track, w)->frames;
        const double value = frames == 0 ? 0 : (double)subject->sums[w].sum_ns / (double)frames;
        key = value > key ? value : key;
    }
    return key;
}

/* The subjects of passes that are shown, the longest first. NULL when there is no memory. */
static uint32_t *order_passes(const struct trace_summary *summary,
                              const struct trace_gpu_totals *totals, uint32_t *count)
{
    struct ordered_pass *order = calloc((size_t)totals->count + 1, sizeof *order);
    uint32_t *indexes = calloc((size_t)totals->count + 1, sizeof *indexes);
    *count = 0;
    for (uint32_t i = 0; order != NULL && i < totals->count; i++) {
        const struct trace_gpu_subject *subject = &totals->subjects[i];
        if (subject->kind == TRACE_GPU_PASSES &&
            trace_chosen_shows(&summary->chosen, subject->site))
            order[(*count)++] = (struct ordered_pass){i, key_of(totals, subject), subject,
                                                      &summary->model->sites[subject->site]};
    }
    if (order != NULL && *count > 1)
        qsort(order, *count, sizeof *order, compare_passes);
    for (uint32_t i = 0; order != NULL && indexes != NULL && i < *count; i++)
        indexes[i] = order[i].index;
    if (order == NULL) {
        free(indexes);
        indexes = NULL;
    }
    free(order);
    return indexes;
}

/* --- passes ---------------------------------------------------------------------------------- */

static void put_part(struct trace_summary *summary, const struct trace_gpu_totals *totals,
                     enum trace_summary_table table, uint32_t window)
{
    trace_report_row(summary->report, table);
    trace_put_window(summary, window);
    trace_report_string(summary->report,
                        trace_gpu_has_frames(&totals->places, window) ? "frames" : "all");
}

static void put_ranks(struct trace_summary *summary, const struct trace_duration_ranks *ranks)
{
    struct trace_report *report = summary->report;
    for (int cell = 0; ranks->count == 0 && cell < 4; cell++)
        trace_report_null(report);
    if (ranks->count == 0)
        return;
    trace_report_integer(report, ranks->ranks[TRACE_DURATION_P50].duration_ns);
    trace_report_integer(report, ranks->ranks[TRACE_DURATION_P99].duration_ns);
    trace_report_integer(report, ranks->ranks[TRACE_DURATION_MAX].duration_ns);
    trace_put_frame_number(summary, ranks->ranks[TRACE_DURATION_MAX].frame);
}

static void put_pass(struct trace_summary *summary, const struct trace_gpu_totals *totals,
                     const struct trace_gpu_subject *subject, uint32_t window,
                     const struct trace_gpu_measure *measure)
{
    struct trace_report *report = summary->report;
    const struct trace_model *model = summary->model;
    const struct trace_site *site = &model->sites[subject->site];
    const struct trace_gpu_sums *sums = &subject->sums[window];
    const struct trace_gpu_sums *queue = queue_sums(totals, subject->track, window);
    const char *operation = lcap_gpu_operation_name(subject->operation);
    const double calibrated_frames = sums->calibrated == 0 ? 0 : (double)queue->calibrated_frames;
    put_part(summary, totals, TRACE_SUMMARY_GPU_PASSES, window);
    trace_report_text(report, site->name.data, site->name.size);
    trace_report_string(report, operation == NULL ? "unknown" : operation);
    trace_put_track_name(report, model, subject->track);
    trace_put_category(report, model, site);
    trace_report_integer(report, (int64_t)queue->frames);
    trace_report_integer(report, (int64_t)sums->valid);
    trace_put_quotient(report, (double)sums->valid, (double)queue->frames);
    trace_report_integer(report, (int64_t)sums->logical);
    if (sums->valid != 0)
        trace_report_integer(report, sums->sum_ns);
    else
        trace_report_null(report);
    trace_put_quotient(report, (double)sums->sum_ns, sums->valid == 0 ? 0 : (double)queue->frames);
    trace_put_quotient(report, (double)sums->sum_ns, (double)sums->valid);
    put_ranks(summary, &measure->ranks);
    trace_report_integer(report, (int64_t)sums->calibrated);
    trace_report_integer(report, (int64_t)queue->calibrated_frames);
    trace_put_quotient(report, (double)sums->calibrated_ns, calibrated_frames);
    trace_put_quotient(report, (double)measure->union_ns, calibrated_frames);
    trace_report_integer(report, (int64_t)sums->not_valid);
    trace_report_integer(report, (int64_t)sums->outside);
    trace_put_place(report, site);
    trace_put_gpu_generation(report, model, subject->track);
}

static enum ludus_status put_passes(struct trace_summary *summary, struct trace_gpu_totals *totals,
                                    struct ludus_error *error)
{
    uint32_t count;
    uint32_t *indexes = order_passes(summary, totals, &count);
    const uint32_t shown = trace_summary_shown(summary, count, SCREENFUL);
    struct trace_gpu_measure *measures =
        calloc((size_t)shown * totals->windows + 1, sizeof *measures);
    enum ludus_status status = trace_fail_memory(error);
    if (indexes != NULL && measures != NULL)
        status = trace_gpu_measure(summary->input, totals, indexes, shown, TRACE_GPU_BUDGET_BYTES,
                                   measures, error);
    for (uint32_t i = 0; status == LUDUS_OK && i < shown; i++)
        for (uint32_t w = 0; w < totals->windows; w++)
            put_pass(summary, totals, &totals->subjects[indexes[i]], w,
                     &measures[(size_t)i * totals->windows + w]);
    if (shown < count)
        trace_report_note(summary->report, TRACE_SUMMARY_GPU_PASSES,
                          "The first %u of %u passes are shown; --top 0 lists all.", shown, count);
    free(indexes);
    free(measures);
    return status;
}

/* --- overlap --------------------------------------------------------------------------------- */

static void put_overlap_row(struct trace_summary *summary, const struct trace_gpu_totals *totals,
                            const struct trace_gpu_subject *subject, uint32_t window,
                            const struct trace_gpu_measure *measure)
{
    struct trace_report *report = summary->report;
    const struct trace_gpu_sums *sums = &subject->sums[window];
    const bool is_queue = subject->kind == TRACE_GPU_QUEUE_PASSES;
    put_part(summary, totals, TRACE_SUMMARY_GPU_OVERLAP, window);
    if (is_queue) {
        trace_put_track_name(report, summary->model, subject->track);
        trace_report_integer(report, (int64_t)sums->calibrated);
        trace_report_integer(report, (int64_t)sums->calibrated_frames);
    } else {
        trace_report_string(report, "(all queues)");
        trace_report_integer(report, (int64_t)sums->calibrated);
        trace_report_null(report);
    }
    if (sums->calibrated == 0)
        return;
    trace_report_integer(report, sums->calibrated_ns);
    trace_report_integer(report, measure->union_ns);
    trace_put_quotient(report, (double)sums->calibrated_ns, (double)measure->union_ns);
    trace_put_quotient(report, (double)sums->calibrated_ns,
                       is_queue ? (double)sums->calibrated_frames : 0);
    trace_put_quotient(report, (double)measure->union_ns,
                       is_queue ? (double)sums->calibrated_frames : 0);
    trace_report_integer(report, sums->most_uncertainty_ns);
}

/* The queues with passes, in the order of their tracks, and behind several of them all. */
static uint32_t choose_queues(const struct trace_gpu_totals *totals, uint32_t *indexes)
{
    uint32_t count = 0;
    for (uint32_t track = 0; track < totals->run_count; track++) {
        const uint32_t queue = trace_gpu_find(totals, TRACE_GPU_QUEUE_PASSES, track, TRACE_NONE, 0);
        if (queue != TRACE_NONE)
            indexes[count++] = queue;
    }
    if (count > 1) {
        indexes[count] = trace_gpu_find(totals, TRACE_GPU_ALL_PASSES, TRACE_NONE, TRACE_NONE, 0);
        count++;
    }
    return count;
}

static enum ludus_status put_overlap(struct trace_summary *summary, struct trace_gpu_totals *totals,
                                     struct ludus_error *error)
{
    const size_t most = (size_t)summary->model->track_count + 2;
    uint32_t *indexes = calloc(most, sizeof *indexes);
    const uint32_t count = indexes == NULL ? 0 : choose_queues(totals, indexes);
    struct trace_gpu_measure *measures =
        calloc((size_t)count * totals->windows + 1, sizeof *measures);
    enum ludus_status status = trace_fail_memory(error);
    if (indexes != NULL && measures != NULL)
        status = trace_gpu_measure(summary->input, totals, indexes, count, TRACE_GPU_BUDGET_BYTES,
                                   measures, error);
    for (uint32_t i = 0; status == LUDUS_OK && i < count; i++)
        for (uint32_t w = 0; w < totals->windows; w++)
            put_overlap_row(summary, totals, &totals->subjects[indexes[i]], w,
                            &measures[(size_t)i * totals->windows + w]);
    free(indexes);
    free(measures);
    return status;
}

/* --- reasons --------------------------------------------------------------------------------- */

/* How many bytes of a reason a note shows. */
static int shown_reason(struct trace_text reason)
{
    return (int)(reason.size < 256 ? reason.size : 256);
}

/* --- calibrations ---------------------------------------------------------------------------- */

static void put_readings(struct trace_summary *summary, const struct trace_gpu_readings *readings)
{
    struct trace_report *report = summary->report;
    uint64_t all = 0;
    for (uint32_t mapping = 0; mapping < TRACE_GPU_MAPPINGS; mapping++)
        all += readings->counts[mapping];
    for (uint32_t at = 1; at <= TRACE_GPU_MAPPINGS; at++) {
        const uint32_t mapping = at % TRACE_GPU_MAPPINGS; /* what is not known comes last */
        const char *name = lcap_gpu_mapping_name(mapping);
        if (readings->counts[mapping] == 0)
            continue;
        trace_report_row(report, TRACE_SUMMARY_GPU_CALIBRATIONS);
        trace_put_track_name(report, summary->model, readings->track);
        trace_report_string(report, name == NULL ? "unknown" : name);
        trace_report_integer(report, (int64_t)readings->counts[mapping]);
        trace_put_quotient(report, 100.0 * (double)readings->counts[mapping], (double)all);
        trace_report_integer(report, readings->most_uncertainty_ns[mapping]);
    }
}

static void put_calibrations(struct trace_summary *summary, const struct trace_gpu_totals *totals)
{
    for (uint32_t i = 0; i < totals->reading_count; i++)
        put_readings(summary, &totals->readings[i]);
    for (uint32_t i = 0; i < summary->model->gpu_queue_count; i++) {
        const struct trace_gpu_queue *queue = &summary->model->gpu_queues[i];
        if (queue->calibration_reason.size != 0 &&
            trace_pass_plan_counts(&summary->chosen.plan, queue->track))
            trace_report_note(summary->report, TRACE_SUMMARY_GPU_CALIBRATIONS,
                              "The times of the queue %.*s are not tied to those of threads: %.*s",
                              trace_text_shown(queue->name), queue->name.data,
                              shown_reason(queue->calibration_reason),
                              queue->calibration_reason.data);
    }
}

/* --- all ------------------------------------------------------------------------------------- */

static void put_notes(struct trace_summary *summary, const struct trace_gpu_totals *totals)
{
    struct trace_report *report = summary->report;
    const bool has_passes =
        trace_gpu_find(totals, TRACE_GPU_ALL_PASSES, TRACE_NONE, TRACE_NONE, 0) != TRACE_NONE;
    if (has_passes)
        trace_report_note(report, TRACE_SUMMARY_GPU_PASSES,
                          "Passes count where their frame was submitted; per frame: of the frames "
                          "with a valid pass on the queue. sum: durations added up; union: the "
                          "time in which one of the calibrated ones ran. A pass is between two "
                          "timestamps of the device, and may have waited in between.");
    if (has_passes && trace_chosen_is_filtered(&summary->chosen))
        trace_report_note(report, TRACE_SUMMARY_GPU_OVERLAP,
                          "These are of all passes, those that are not shown above as well.");
    for (uint32_t i = 0; i < summary->model->gpu_queue_count; i++) {
        const struct trace_gpu_queue *queue = &summary->model->gpu_queues[i];
        if (queue->pass_reason.size != 0 &&
            trace_pass_plan_counts(&summary->chosen.plan, queue->track))
            trace_report_note(report, TRACE_SUMMARY_GPU_PASSES,
                              "The queue %.*s has no timing of passes: %.*s",
                              trace_text_shown(queue->name), queue->name.data,
                              shown_reason(queue->pass_reason), queue->pass_reason.data);
    }
}

enum ludus_status trace_summarize_gpu_passes(struct trace_summary *summary,
                                             struct ludus_error *error)
{
    struct trace_gpu_totals totals;
    trace_report_set_main(summary->report, TRACE_SUMMARY_GPU_PASSES);
    enum ludus_status status =
        trace_gpu_look(summary->input, summary->model, &summary->chosen.plan, true, &totals, error);
    if (status == LUDUS_OK)
        status = put_passes(summary, &totals, error);
    if (status == LUDUS_OK)
        status = put_overlap(summary, &totals, error);
    if (status == LUDUS_OK) {
        put_notes(summary, &totals);
        put_calibrations(summary, &totals);
        trace_put_gpu_coverage(summary->report, TRACE_SUMMARY_GPU_COVERAGE, summary->model,
                               &summary->chosen.plan);
    }
    trace_gpu_totals_destroy(&totals);
    return status;
}
