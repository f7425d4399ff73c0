/* Tables of sources, of queues of GPUs, and of coverage. */
#include "report_gpu.h"

#include <inttypes.h>
#include <stdio.h>

#include "gpu_queues.h"
#include "report_parts.h"

const struct trace_column trace_source_columns[TRACE_SOURCE_COLUMNS] = {
    {.name = "source",
     .title = "source",
     .type = TRACE_TYPE_TEXT,
     .description = "cpu: what threads emitted; gpu: samples of GPUs."},
    {.name = "asked_for",
     .title = "asked for",
     .type = TRACE_TYPE_TEXT,
     .description = "yes when the recording was started for it."},
    {.name = "present",
     .title = "present",
     .type = TRACE_TYPE_TEXT,
     .description =
         "yes when there are events or threads, or a queue of a GPU; no of what was asked for: it "
         "never came."},
};

const struct trace_column trace_gpu_queue_columns[TRACE_GPU_QUEUE_COLUMNS] = {
    {.name = "track",
     .title = "queue",
     .type = TRACE_TYPE_TEXT,
     .description = "The name of its track."},
    {.name = "backend",
     .title = "backend",
     .type = TRACE_TYPE_TEXT,
     .description = "The graphics API."},
    {.name = "device", .title = "device", .type = TRACE_TYPE_TEXT, .description = "The GPU."},
    {.name = "generation",
     .title = "generation",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .description = "Sessions with devices before this one, such as before a device was lost."},
    {.name = "valid_bits",
     .title = "bits",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .description = "Valid bits of the device's timestamps; 0: it has none."},
    {.name = "resolution_ns",
     .title = "resolution",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_NANOSECONDS,
     .decimals = 3,
     .description = "How long a step of them is: no duration is more exact."},
    {.name = "queue",
     .title = "kind",
     .type = TRACE_TYPE_TEXT,
     .is_detail = true,
     .description = "The queue, as the program named it."},
    {.name = "no_passes",
     .title = "no passes",
     .type = TRACE_TYPE_TEXT,
     .description = "Why there is no timing of passes; null when there is."},
    {.name = "no_calibration",
     .title = "no calibration",
     .type = TRACE_TYPE_TEXT,
     .description = "Why its times are not tied to those of threads; null when they are."},
};

const struct trace_column trace_gpu_coverage_columns[TRACE_GPU_COVERAGE_COLUMNS] = {
    {.name = "track",
     .title = "queue",
     .type = TRACE_TYPE_TEXT,
     .description = "The queue's track."},
    {.name = "subject",
     .title = "of",
     .type = TRACE_TYPE_TEXT,
     .description = "What there was to measure: frame, pass or calibration."},
    {.name = "outcome",
     .title = "outcome",
     .type = TRACE_TYPE_TEXT,
     .description = "eligible: all that there was; valid: sampled; or why it was not, as in "
                    "format/FORMAT.md, section 2.21. unresolved: also what was still in flight at "
                    "the end."},
    {.name = "count",
     .title = "count",
     .type = TRACE_TYPE_INTEGER,
     .unit = TRACE_UNIT_COUNT,
     .window = "the recording",
     .description = "How many."},
    {.name = "share_percent",
     .title = "share",
     .type = TRACE_TYPE_REAL,
     .unit = TRACE_UNIT_PERCENT,
     .decimals = 1,
     .window = "the recording",
     .denominator = "the eligible ones of the queue and subject",
     .description = "How many of the eligible ones; null when none was counted as such."},
};

/* --- sources --------------------------------------------------------------------------------- */

/* Of a capture, only decoded events would name the tracks whose definitions are lost. */
static bool has_threads(const struct trace_model *model)
{
    if (model->events != 0)
        return true;
    for (uint32_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].is_defined && model->tracks[i].kind != LCAP_TRACK_GPU_QUEUE)
            return true;
    return false;
}

static void put_source(struct trace_report *report, size_t table, const char *name, bool is_asked,
                       bool is_present)
{
    trace_report_row(report, table);
    trace_report_string(report, name);
    trace_report_string(report, is_asked ? "yes" : "no");
    trace_report_string(report, is_present ? "yes" : "no");
}

void trace_put_sources(struct trace_report *report, size_t table, const struct trace_model *model)
{
    const bool has_gpu = model->gpu_queue_count != 0;
    if ((model->sources & TRACE_SOURCE_GPU) == 0 && !has_gpu)
        return;
    put_source(report, table, "cpu", (model->sources & TRACE_SOURCE_CPU) != 0, has_threads(model));
    put_source(report, table, "gpu", (model->sources & TRACE_SOURCE_GPU) != 0, has_gpu);
    if (!has_gpu)
        trace_report_note(report, table,
                          "GPU samples were asked for, and nobody offered any: nothing here is "
                          "time of a GPU.");
}

/* --- queues ---------------------------------------------------------------------------------- */

void trace_put_gpu_queues(struct trace_report *report, size_t table,
                          const struct trace_model *model)
{
    for (uint32_t i = 0; i < model->gpu_queue_count; i++) {
        const struct trace_gpu_queue *queue = &model->gpu_queues[i];
        trace_report_row(report, table);
        trace_put_track_name(report, model, queue->track);
        trace_put_known_text(report, queue->backend);
        trace_put_known_text(report, queue->device);
        trace_report_integer(report, queue->generation);
        trace_report_integer(report, queue->valid_bits);
        trace_report_real(report, (double)queue->period_fs / 1e6);
        trace_put_known_text(report, queue->name);
        trace_put_known_text(report, queue->pass_reason);
        trace_put_known_text(report, queue->calibration_reason);
    }
}

/* --- coverage -------------------------------------------------------------------------------- */

/* The counts of one queue and subject, which stand next to each other. */
struct coverage {
    const struct trace_model *model;
    const struct trace_gpu_count *counts;
    uint32_t count;
    uint64_t eligible;
    uint64_t known; /* outcomes of them */
};

static uint64_t limited_sum(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static struct coverage coverage_at(const struct trace_model *model, uint32_t first)
{
    struct coverage coverage = {.model = model, .counts = &model->gpu_counts[first]};
    while (first + coverage.count < model->gpu_count_count) {
        const struct trace_gpu_count *count = &coverage.counts[coverage.count];
        if (count->track != coverage.counts->track || count->subject != coverage.counts->subject)
            break;
        if (count->outcome == LCAP_GPU_ELIGIBLE)
            coverage.eligible = count->count;
        else
            coverage.known = limited_sum(coverage.known, count->count);
        coverage.count++;
    }
    return coverage;
}

void trace_put_gpu_name(struct trace_report *report, const char *name, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%" PRIu32, number);
    trace_report_string(report, name != NULL ? name : text);
}

void trace_put_gpu_generation(struct trace_report *report, const struct trace_model *model,
                              uint32_t track)
{
    const uint32_t queue = trace_gpu_queue_of(model, track);
    if (queue == TRACE_NONE)
        trace_report_null(report);
    else
        trace_report_integer(report, model->gpu_queues[queue].generation);
}

static void put_outcome(struct trace_report *report, size_t table, const struct coverage *coverage,
                        uint32_t outcome, uint64_t count)
{
    const uint32_t subject = coverage->counts->subject;
    trace_report_row(report, table);
    trace_put_track_name(report, coverage->model, coverage->counts->track);
    trace_put_gpu_name(report, lcap_gpu_subject_name(subject), subject);
    trace_put_gpu_name(report, lcap_gpu_outcome_name(outcome), outcome);
    trace_report_integer(report, count < INT64_MAX ? (int64_t)count : INT64_MAX);
    trace_put_quotient(report, 100.0 * (double)count, (double)coverage->eligible);
}

static void put_coverage(struct trace_report *report, size_t table, const struct coverage *coverage)
{
    const uint32_t track = coverage->counts->track, subject = coverage->counts->subject;
    const uint64_t in_flight =
        coverage->eligible > coverage->known ? coverage->eligible - coverage->known : 0;
    const uint64_t unresolved = limited_sum(
        in_flight, trace_gpu_count_of(coverage->model, track, subject, LCAP_GPU_UNRESOLVED));
    if (subject != LCAP_GPU_CALIBRATION) {
        put_outcome(report, table, coverage, LCAP_GPU_ELIGIBLE, coverage->eligible);
        put_outcome(report, table, coverage, LCAP_GPU_VALID,
                    trace_gpu_count_of(coverage->model, track, subject, LCAP_GPU_VALID));
    }
    for (uint32_t i = 0; i < coverage->count; i++) {
        const struct trace_gpu_count *count = &coverage->counts[i];
        if (count->outcome > LCAP_GPU_VALID && count->outcome != LCAP_GPU_UNRESOLVED)
            put_outcome(report, table, coverage, count->outcome, count->count);
    }
    if (unresolved != 0)
        put_outcome(report, table, coverage, LCAP_GPU_UNRESOLVED, unresolved);
}

void trace_put_gpu_coverage(struct trace_report *report, size_t table,
                            const struct trace_model *model, const struct trace_pass_plan *plan)
{
    bool has_rows = false;
    for (uint32_t i = 0; i < model->gpu_count_count;) {
        const struct coverage coverage = coverage_at(model, i);
        i += coverage.count;
        if (plan != NULL && !trace_pass_plan_counts(plan, coverage.counts->track))
            continue;
        put_coverage(report, table, &coverage);
        has_rows = true;
    }
    if (has_rows && model->has_window)
        trace_report_note(report, table,
                          "These are counts of the whole recording, of which the capture holds a "
                          "part.");
    if (has_rows && !model->is_finished)
        trace_report_note(report, table,
                          "The recording was not finished: counts are as they were when they were "
                          "told last.");
}
