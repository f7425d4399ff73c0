/* Judges what is in the slots of a batch. */
#include "gpu_results.h"

void ludus_gpu_results_open(struct ludus_gpu_results *results,
                            const struct ludus_gpu_session *session,
                            const struct ludus_gpu_batch *batch)
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
}

void ludus_gpu_results_set(struct ludus_gpu_results *results, enum ludus_gpu_outcome outcome)
{
    for (uint32_t i = 0; i < results->count; i++)
        results->of[i] = (struct ludus_gpu_result){.outcome = outcome};
}

static bool has_end(const struct ludus_gpu_batch *batch, const struct ludus_gpu_results *results,
                    uint32_t i)
{
    return i < results->frames || batch->operations[i - results->frames].is_ended;
}

bool ludus_gpu_results_are_there(const struct ludus_gpu_results *results,
                                 const struct ludus_gpu_batch *batch,
                                 const struct ludus_gpu_reading *readings)
{
    for (uint32_t i = 0; i < results->count; i++) {
        const struct ludus_gpu_reading *pair = &readings[(size_t)2 * i];
        if (has_end(batch, results, i) && (pair[0].is_available == 0 || pair[1].is_available == 0))
            return false;
    }
    return true;
}

/* How long something can have taken that was submitted and collected in between: the clocks may
 * differ by 1/1000, and times are known to a step. */
static uint64_t longest_ns(const struct ludus_gpu_session *session,
                           const struct ludus_gpu_batch *batch,
                           const struct ludus_gpu_results *results)
{
    const uint64_t elapsed_ns = results->collect_ns > batch->submit_ns
                                    ? (uint64_t)results->collect_ns - (uint64_t)batch->submit_ns
                                    : 0;
    return elapsed_ns + elapsed_ns / 1000 + ludus_gpu_counter_step_ns(session->capability.counter) +
           results->residual_ns;
}

static void judge(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                  const struct ludus_gpu_reading *readings, struct ludus_gpu_results *results)
{
    const uint64_t longest = longest_ns(session, batch, results);
    for (uint32_t i = 0; i < results->count; i++) {
        const struct ludus_gpu_reading *pair = &readings[(size_t)2 * i];
        struct ludus_gpu_result *result = &results->of[i];
        *result = (struct ludus_gpu_result){0};
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
static bool is_mappable(const struct ludus_gpu_session *session,
                        const struct ludus_gpu_results *results, uint32_t i)
{
    return results->of[i].outcome == LUDUS_GPU_VALID &&
           (i >= results->frames || session->frame_method == LUDUS_GPU_TIMESTAMPS);
}

/* Whether both times are in the window, in their order, and not before the submission by more than
 * may be. (The window ends before the collection.) */
static bool map_pair(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                     const struct ludus_gpu_reading *pair, const struct ludus_gpu_results *results,
                     int64_t *begin_ns)
{
    const uint64_t slack_ns = batch->window.uncertainty_ns + results->residual_ns +
                              ludus_gpu_counter_step_ns(session->capability.counter);
    int64_t end_ns;
    if (!ludus_gpu_window_map(&batch->window, pair[0].tick, begin_ns) ||
        !ludus_gpu_window_map(&batch->window, pair[1].tick, &end_ns))
        return false;
    const bool is_early =
        *begin_ns < batch->submit_ns && (uint64_t)(batch->submit_ns - *begin_ns) > slack_ns;
    return *begin_ns <= end_ns && !is_early;
}

/* One time that cannot be says that the mapping is wrong, and so the others may be, too. */
static void map_all(const struct ludus_gpu_session *session, const struct ludus_gpu_batch *batch,
                    const struct ludus_gpu_reading *readings, struct ludus_gpu_results *results)
{
    results->mapping = batch->window.mapping;
    for (uint32_t i = 0; i < results->count && results->mapping == LUDUS_GPU_MAPPED; i++) {
        struct ludus_gpu_result *result = &results->of[i];
        result->is_mapped = is_mappable(session, results, i);
        if (result->is_mapped &&
            !map_pair(session, batch, &readings[(size_t)2 * i], results, &result->begin_ns))
            results->mapping = LUDUS_GPU_OUTSIDE;
    }
    for (uint32_t i = 0; i < results->count && results->mapping != LUDUS_GPU_MAPPED; i++)
        results->of[i].is_mapped = false;
}

void ludus_gpu_results_judge(struct ludus_gpu_results *results,
                             const struct ludus_gpu_session *session,
                             const struct ludus_gpu_batch *batch,
                             const struct ludus_gpu_reading *readings)
{
    judge(session, batch, readings, results);
    if (session->capability.policy != LUDUS_GPU_UNCALIBRATED)
        map_all(session, batch, readings, results);
}
