/* Takes the results of frames that are over, and tells each of them once. */
#include "gpu_results.h"

static void tell_calibration(const struct ludus_gpu_session *session,
                             const struct ludus_gpu_batch *batch, uint32_t mapping)
{
    const struct ludus_gpu_point *points = batch->window.points;
    const struct ludus_gpu_calibration calibration = {
        .queue = batch->queue,
        .mapping = mapping,
        .uncertainty_ns = batch->window.uncertainty_ns,
        .frame = batch->number,
        .device_ticks = {points[0].device_tick, points[1].device_tick},
        .host_ns = {points[0].host_ns, points[1].host_ns}};
    (void)session->sink.put_calibration(session->sink.context, batch->admission, &calibration);
}

static void tell_frame(struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                       const struct ludus_gpu_results *results)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    const struct ludus_gpu_result *result = &results->of[0];
    const struct ludus_gpu_frame frame = {
        .queue = batch->queue,
        .method = session->frame_method,
        .outcome = result->outcome,
        .uncertainty_ns = result->is_mapped ? batch->window.uncertainty_ns : LUDUS_GPU_UNMAPPED,
        .number = batch->number,
        .duration_ns = result->duration_ns,
        .begin_ns = result->is_mapped ? result->begin_ns : 0,
        .submit_tick = batch->submit_tick,
        .collect_tick = results->collect_tick};
    ludus_gpu_probe_resolve(&session->probe, &frame);
    if (batch->admission != 0 && sink->put_frame(sink->context, batch->admission, &frame) != 0)
        sink->count(sink->context, batch->admission, batch->queue, LUDUS_GPU_FRAME, result->outcome,
                    1);
}

static void tell_pass(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                      const struct ludus_gpu_results *results, uint32_t index)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    const struct ludus_gpu_operation_record *operation = &batch->operations[index];
    const struct ludus_gpu_result *result = &results->of[results->frames + index];
    const struct ludus_gpu_pass pass = {
        .queue = batch->queue,
        .site = operation->site,
        .ordinal = operation->ordinal,
        .operation = operation->operation,
        .logical_passes = operation->logical_passes,
        .outcome = result->outcome,
        .uncertainty_ns = result->is_mapped ? batch->window.uncertainty_ns : LUDUS_GPU_UNMAPPED,
        .frame = batch->number,
        .duration_ns = result->duration_ns,
        .begin_ns = result->is_mapped ? result->begin_ns : 0,
        .submit_tick = batch->submit_tick,
        .collect_tick = results->collect_tick};
    if (sink->put_pass(sink->context, batch->admission, &pass) != 0)
        sink->count(sink->context, batch->admission, batch->queue, LUDUS_GPU_PASS, result->outcome,
                    1);
}

/* To the recording that the frame was submitted in, to the latest frame's copy, and never again. */
static void tell_all(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch,
                     const struct ludus_gpu_results *results)
{
    if (results->frames > 0)
        tell_frame(session, batch, results);
    if (batch->admission != 0) {
        if (results->mapping != 0)
            tell_calibration(session, batch, results->mapping);
        for (uint32_t i = 0; i < batch->count; i++)
            tell_pass(session, batch, results, i);
    }
    ludus_gpu_batch_take(batch);
}

void ludus_gpu_session_give_up(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch,
                               enum ludus_gpu_outcome outcome)
{
    struct ludus_gpu_results results;
    ludus_gpu_results_open(&results, session, batch);
    ludus_gpu_results_set(&results, outcome);
    tell_all(session, batch, &results);
}

static void collect(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch)
{
    struct ludus_gpu_reading readings[2 * LUDUS_GPU_MOST_RESULTS];
    struct ludus_gpu_results results;
    ludus_gpu_results_open(&results, session, batch);
    enum ludus_gpu_answer answer = LUDUS_GPU_ANSWERED;
    if (results.count > 0)
        answer = session->device.read_slots(session->device.context,
                                            batch->first_slot + (batch->has_probe ? 0 : 2),
                                            2 * results.count, readings);
    if (answer == LUDUS_GPU_ANSWER_LOST) {
        ludus_gpu_session_lose(session);
        return;
    }
    if (answer != LUDUS_GPU_ANSWERED) {
        ludus_gpu_session_give_up(session, batch,
                                  answer == LUDUS_GPU_ANSWER_DISJOINT ? LUDUS_GPU_DISJOINT
                                                                      : LUDUS_GPU_FAILED);
        return;
    }
    if (!ludus_gpu_results_are_there(&results, batch, readings) &&
        session->frames_begun - batch->complete_frame < session->patience_frames)
        return;
    ludus_gpu_results_judge(&results, session, batch, readings);
    tell_all(session, batch, &results);
}

static void close_window(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch)
{
    struct ludus_gpu_point behind = ludus_gpu_point_failed();
    if (batch->before.mapping == LUDUS_GPU_MAPPED)
        session->point = behind = ludus_gpu_session_read_point(session);
    batch->window = ludus_gpu_window_make(session->capability.counter, &batch->before, &behind);
}

void ludus_gpu_session_complete_frame(struct ludus_gpu_session *session, uint64_t number)
{
    for (uint32_t i = 0; i < session->batch_count; i++) {
        struct ludus_gpu_batch *batch = &session->batches[i];
        if (batch->number != number ||
            (batch->state != LUDUS_GPU_BATCH_PENDING && batch->state != LUDUS_GPU_BATCH_HELD))
            continue;
        ludus_gpu_batch_complete(batch);
        if (batch->state != LUDUS_GPU_BATCH_COMPLETE)
            return;
        batch->complete_frame = session->frames_begun;
        if (session->capability.policy != LUDUS_GPU_UNCALIBRATED)
            close_window(session, batch);
        collect(session, batch);
        return;
    }
}

void ludus_gpu_session_poll(struct ludus_gpu_session *session)
{
    for (uint32_t i = 0; i < session->batch_count; i++) {
        if (session->batches[i].state == LUDUS_GPU_BATCH_COMPLETE)
            collect(session, &session->batches[i]);
    }
}
