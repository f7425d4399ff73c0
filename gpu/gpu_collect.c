/* Takes the results of frames that are over, judges them, and tells each of them once. */
#include "gpu_session.h"

#define MOST_RESULTS (LUDUS_GPU_FRAME_OPERATIONS + 1)

/* What became of a pair of slots. */
struct result {
    uint32_t outcome;
    uint64_t duration_ns;
    int64_t begin_ns; /* when the batch is mapped */
};

/* All that a batch tells: the frame's result first, when it has one, then its operations'. */
struct results {
    uint32_t frames; /* 0 or 1 */
    uint32_t count;
    uint32_t mapping; /* of the batch; 0: there is none */
    uint64_t collect_tick;
    int64_t collect_ns;
    uint64_t residual_ns; /* of both, submission and collection */
    struct result of[MOST_RESULTS];
};

static void open_results(const struct ludus_gpu_session *session,
                         const struct ludus_gpu_batch *batch, struct results *results)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    uint64_t residual_ns = 0;
    results->frames = batch->has_probe;
    results->count = results->frames + batch->count;
    results->mapping = 0;
    results->collect_ns = sink->clock_ns(sink->context, &residual_ns);
    results->collect_tick = sink->tick(sink->context);
    if (results->collect_tick < batch->submit_tick)
        results->collect_tick = batch->submit_tick;
    results->residual_ns = residual_ns + batch->submit_residual_ns;
    for (uint32_t i = 0; i < results->count; i++)
        results->of[i] = (struct result){0, 0, 0};
}

static bool has_end(const struct ludus_gpu_batch *batch, const struct results *results, uint32_t i)
{
    return i < results->frames || batch->operations[i - results->frames].is_ended;
}

/* How long something can have taken that was submitted and collected in between: the clocks may
 * differ by 1/1000, and times are known to a step. */
static uint64_t longest_ns(const struct ludus_gpu_session *session,
                           const struct ludus_gpu_batch *batch, const struct results *results)
{
    const uint64_t elapsed_ns = results->collect_ns > batch->submit_ns
                                    ? (uint64_t)results->collect_ns - (uint64_t)batch->submit_ns
                                    : 0;
    return elapsed_ns + elapsed_ns / 1000 + ludus_gpu_counter_step_ns(session->capability.counter) +
           results->residual_ns;
}

static void judge(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                  const struct ludus_gpu_reading *readings, struct results *results)
{
    const uint64_t longest = longest_ns(session, batch, results);
    for (uint32_t i = 0; i < results->count; i++) {
        const struct ludus_gpu_reading *pair = &readings[(size_t)2 * i];
        struct result *result = &results->of[i];
        if (!has_end(batch, results, i))
            result->outcome = LUDUS_GPU_NO_END;
        else if (pair[0].is_available == 0 || pair[1].is_available == 0)
            result->outcome = LUDUS_GPU_UNAVAILABLE;
        else
            result->outcome = ludus_gpu_duration(session->capability.counter, pair[0].tick,
                                                 pair[1].tick, longest, &result->duration_ns);
    }
}

/* Whether a result is tied to the recorder's clock: system times of command buffers are not. */
static bool is_mappable(const struct ludus_gpu_session *session, const struct results *results,
                        uint32_t i)
{
    return results->of[i].outcome == LUDUS_GPU_VALID &&
           (i >= results->frames || session->frame_method == LUDUS_GPU_TIMESTAMPS);
}

/* Whether both times are in the window, and neither before the submission nor behind the
 * collection by more than may be. */
static bool map_pair(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                     const struct ludus_gpu_reading *pair, const struct results *results,
                     int64_t *begin_ns)
{
    const uint64_t slack = batch->window.uncertainty_ns + results->residual_ns +
                           ludus_gpu_counter_step_ns(session->capability.counter);
    int64_t end_ns;
    if (!ludus_gpu_window_map(&batch->window, pair[0].tick, begin_ns) ||
        !ludus_gpu_window_map(&batch->window, pair[1].tick, &end_ns))
        return false;
    const bool is_early =
        *begin_ns < batch->submit_ns && (uint64_t)(batch->submit_ns - *begin_ns) > slack;
    const bool is_late =
        end_ns > results->collect_ns && (uint64_t)(end_ns - results->collect_ns) > slack;
    return *begin_ns <= end_ns && !is_early && !is_late;
}

/* One time that cannot be says that the mapping is wrong, and so the others may be, too. */
static void map_all(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                    const struct ludus_gpu_reading *readings, struct results *results)
{
    if (session->capability.policy == LUDUS_GPU_UNCALIBRATED)
        return;
    results->mapping = batch->window.mapping;
    for (uint32_t i = 0; i < results->count && results->mapping == LUDUS_GPU_MAPPED; i++) {
        if (is_mappable(session, results, i) &&
            !map_pair(session, batch, &readings[(size_t)2 * i], results, &results->of[i].begin_ns))
            results->mapping = LUDUS_GPU_OUTSIDE;
    }
}

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
                       const struct results *results)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    const struct result *result = &results->of[0];
    const bool is_mapped = results->mapping == LUDUS_GPU_MAPPED && is_mappable(session, results, 0);
    const struct ludus_gpu_frame frame = {.queue = batch->queue,
                                          .method = session->frame_method,
                                          .outcome = result->outcome,
                                          .uncertainty_ns = is_mapped ? batch->window.uncertainty_ns
                                                                      : LUDUS_GPU_UNMAPPED,
                                          .number = batch->number,
                                          .duration_ns = result->duration_ns,
                                          .begin_ns = is_mapped ? result->begin_ns : 0,
                                          .submit_tick = batch->submit_tick,
                                          .collect_tick = results->collect_tick};
    ludus_gpu_probe_resolve(&session->probe, &frame);
    if (batch->admission != 0 && sink->put_frame(sink->context, batch->admission, &frame) != 0)
        sink->count(sink->context, batch->admission, batch->queue, LUDUS_GPU_FRAME, result->outcome,
                    1);
}

static void tell_pass(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                      const struct results *results, uint32_t index)
{
    const struct ludus_gpu_sink *sink = &session->sink;
    const struct ludus_gpu_operation_record *operation = &batch->operations[index];
    const uint32_t i = results->frames + index;
    const struct result *result = &results->of[i];
    const bool is_mapped = results->mapping == LUDUS_GPU_MAPPED && is_mappable(session, results, i);
    const struct ludus_gpu_pass pass = {.queue = batch->queue,
                                        .site = operation->site,
                                        .ordinal = operation->ordinal,
                                        .operation = operation->operation,
                                        .logical_passes = operation->logical_passes,
                                        .outcome = result->outcome,
                                        .uncertainty_ns = is_mapped ? batch->window.uncertainty_ns
                                                                    : LUDUS_GPU_UNMAPPED,
                                        .frame = batch->number,
                                        .duration_ns = result->duration_ns,
                                        .begin_ns = is_mapped ? result->begin_ns : 0,
                                        .submit_tick = batch->submit_tick,
                                        .collect_tick = results->collect_tick};
    if (sink->put_pass(sink->context, batch->admission, &pass) != 0)
        sink->count(sink->context, batch->admission, batch->queue, LUDUS_GPU_PASS, result->outcome,
                    1);
}

/* To the recording that the frame was submitted in, to the latest frame's copy, and never again. */
static void tell_all(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch,
                     const struct results *results)
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
    struct results results;
    open_results(session, batch, &results);
    for (uint32_t i = 0; i < results.count; i++)
        results.of[i].outcome = outcome;
    tell_all(session, batch, &results);
}

static bool all_available(const struct ludus_gpu_batch *batch,
                          const struct ludus_gpu_reading *readings, const struct results *results)
{
    for (uint32_t i = 0; i < results->count; i++) {
        const struct ludus_gpu_reading *pair = &readings[(size_t)2 * i];
        if (has_end(batch, results, i) && (pair[0].is_available == 0 || pair[1].is_available == 0))
            return false;
    }
    return true;
}

static void collect(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch)
{
    struct ludus_gpu_reading readings[2 * MOST_RESULTS];
    struct results results;
    open_results(session, batch, &results);
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
    if (!all_available(batch, readings, &results) &&
        session->frames_begun - batch->complete_frame < session->patience_frames)
        return;
    judge(session, batch, readings, &results);
    map_all(session, batch, readings, &results);
    tell_all(session, batch, &results);
}

static void close_window(struct ludus_gpu_session *session, struct ludus_gpu_batch *batch)
{
    struct ludus_gpu_point behind = ludus_gpu_point_failed();
    if (batch->before.mapping == LUDUS_GPU_MAPPED) {
        behind = ludus_gpu_session_read_point(session);
        /* Between frames, the next one's window may begin where this one ends. */
        session->point = behind;
        session->has_point = !session->frame.is_begun;
    }
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
