/* The member gpu of otherData: what is drawn of GPUs, what is not and why, and what there was to
 * measure. */
#include "database_names.h"
#include "gpu_queues.h"
#include "perfetto.h"

/* Counts that are not 0, by name. */
static void put_named(struct trace_json *json, const char *key, enum trace_name_kind kind,
                      const uint64_t counts[TRACE_PERFETTO_OUTCOMES])
{
    char digits[TRACE_NAME_SIZE];

    trace_json_key(json, key);
    trace_json_begin_object(json);
    for (uint32_t i = 0; i < TRACE_PERFETTO_OUTCOMES; i++)
        if (counts[i] != 0)
            trace_perfetto_put_count(
                json, i == TRACE_PERFETTO_OUTCOMES - 1 ? "others" : trace_name_of(kind, i, digits),
                counts[i]);
    trace_json_end_object(json);
}

static void put_shown(struct trace_json *json, const struct trace_perfetto_gpu *gpu)
{
    trace_perfetto_put_count(json, "frame_samples", gpu->frame_samples);
    trace_perfetto_put_count(json, "pass_samples", gpu->pass_samples);
    trace_perfetto_put_count(json, "passes_not_calibrated", gpu->passes_without_time);
    trace_perfetto_put_count(json, "slices", gpu->slices);
    trace_perfetto_put_count(json, "slices_without_lane", gpu->slices_without_lane);
    trace_perfetto_put_count(json, "lanes", gpu->lanes);
    trace_json_key(json, "largest_uncertainty_ns");
    if (gpu->slices != 0)
        trace_json_unsigned(json, gpu->largest_uncertainty_ns);
    else
        trace_json_null(json);
    put_named(json, "frames_not_valid", TRACE_NAME_GPU_OUTCOME, gpu->outcomes[0]);
    put_named(json, "passes_not_valid", TRACE_NAME_GPU_OUTCOME, gpu->outcomes[1]);
    put_named(json, "calibrations", TRACE_NAME_GPU_MAPPING, gpu->mappings);
}

/* --- queues ---------------------------------------------------------------------------------- */

/* The counts of a queue, which stand next to each other, by subject; returns the index behind them.
 * What of the eligible ones has no outcome was in flight at the end. */
static uint32_t put_subject(struct trace_json *json, const struct trace_model *model, uint32_t at)
{
    const struct trace_gpu_count *first = &model->gpu_counts[at];
    char digits[TRACE_NAME_SIZE];
    uint64_t eligible = 0;
    uint64_t known = 0;

    trace_json_key(json, trace_name_of(TRACE_NAME_GPU_SUBJECT, first->subject, digits));
    trace_json_begin_object(json);
    for (; at < model->gpu_count_count; at++) {
        const struct trace_gpu_count *count = &model->gpu_counts[at];

        if (count->track != first->track || count->subject != first->subject)
            break;
        trace_perfetto_put_count(
            json, trace_name_of(TRACE_NAME_GPU_OUTCOME, count->outcome, digits), count->count);
        if (count->outcome == LCAP_GPU_ELIGIBLE)
            eligible = count->count;
        else if (__builtin_add_overflow(known, count->count, &known))
            known = UINT64_MAX;
    }
    if (eligible > known)
        trace_perfetto_put_count(json, "in-flight", eligible - known);
    trace_json_end_object(json);
    return at;
}

static void put_coverage(struct trace_json *json, const struct trace_model *model, uint32_t track)
{
    trace_json_key(json, "coverage");
    trace_json_begin_object(json);
    for (uint32_t i = 0; i < model->gpu_count_count;)
        if (model->gpu_counts[i].track == track)
            i = put_subject(json, model, i);
        else
            i++;
    trace_json_end_object(json);
}

static void put_queue(struct trace_json *json, const struct trace_perfetto *perfetto,
                      const struct trace_gpu_queue *queue)
{
    const uint32_t track = queue->track;

    trace_json_break(json, 1);
    trace_json_begin_object(json);
    trace_json_key(json, "pid");
    if (track < perfetto->track_count && perfetto->tracks[track].is_gpu_queue)
        trace_json_unsigned(json, trace_perfetto_gpu_pid(perfetto, track));
    else
        trace_json_null(json); /* it has no samples */
    trace_perfetto_put_text(json, "track", perfetto->model->tracks[track].name);
    trace_perfetto_put_text(json, "backend", queue->backend);
    trace_perfetto_put_text(json, "device", queue->device);
    trace_perfetto_put_text(json, "queue", queue->name);
    trace_perfetto_put_count(json, "generation", queue->generation);
    trace_perfetto_put_count(json, "valid_bits", queue->valid_bits);
    trace_perfetto_put_count(json, "period_fs", queue->period_fs);
    trace_perfetto_put_text(json, "pass_reason", queue->pass_reason);
    trace_perfetto_put_text(json, "calibration_reason", queue->calibration_reason);
    put_coverage(json, perfetto->model, track);
    trace_json_end_object(json);
}

void trace_perfetto_put_gpu_facts(struct trace_json *json, const struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;

    if (model->gpu_queue_count == 0 && perfetto->gpu.processes == 0)
        return;
    trace_json_key(json, "gpu");
    trace_json_begin_object(json);
    put_shown(json, &perfetto->gpu);
    trace_json_key(json, "queues");
    trace_json_begin_array(json);
    for (uint32_t i = 0; i < model->gpu_queue_count; i++)
        if (trace_perfetto_shows_track(perfetto, model->gpu_queues[i].track))
            put_queue(json, perfetto, &model->gpu_queues[i]);
    trace_json_end_array(json);
    trace_json_end_object(json);
}
