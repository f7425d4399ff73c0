/* The pass over a capture's events. */
#include "capture_state.h"
#include "decode_ahead.h"
#include "failure.h"
#include "gpu_times.h"
#include "gpu_totals.h"
#include "nesting.h"
#include "sched_times.h"

/* Decodes blocks until one is faulty: its checksum, or what it holds, is not right. Those before it
 * are followed, unless `nesting` is NULL. */
static enum ludus_status follow_blocks(struct trace_capture *capture,
                                       struct trace_decode_ahead *ahead,
                                       struct trace_nesting *nesting, bool *is_faulty,
                                       struct ludus_error *error)
{
    struct lcap_item item;
    const struct lcap_events *events;
    enum ludus_status status;
    *is_faulty = false;
    while ((status = trace_decode_ahead_next(ahead, &item, &events)) == LUDUS_OK) {
        *is_faulty = events == NULL;
        if (*is_faulty)
            return LUDUS_OK;
        if (nesting != NULL)
            status = trace_nesting_add(nesting, events);
        if (status == LUDUS_ERROR_MEMORY)
            return trace_fail_memory(error);
        if (status != LUDUS_OK)
            return status;
    }
    return status == LUDUS_END ? LUDUS_OK : trace_capture_fail(capture, status, error);
}

static enum ludus_status run_blocks(struct trace_capture *capture, struct trace_nesting *nesting,
                                    bool *is_faulty, struct ludus_error *error)
{
    struct trace_decode_ahead *ahead;
    uint32_t helpers = trace_decode_ahead_helpers(capture->events.count);
    if (trace_decode_ahead_create(capture, helpers, &ahead) != LUDUS_OK)
        return trace_fail_memory(error);
    enum ludus_status status = follow_blocks(capture, ahead, nesting, is_faulty, error);
    trace_decode_ahead_destroy(ahead);
    return status;
}

static enum ludus_status run_once(struct trace_capture *capture, const struct trace_pass_plan *plan,
                                  const struct trace_visitor *visitor, bool *is_faulty,
                                  struct ludus_error *error)
{
    struct trace_nesting *nesting;
    trace_model_forget_statistics(capture->model);
    if (trace_nesting_create(capture, plan, visitor, &nesting) != LUDUS_OK)
        return trace_fail_memory(error);
    enum ludus_status status = run_blocks(capture, nesting, is_faulty, error);
    if (status == LUDUS_OK && !*is_faulty) {
        status = trace_nesting_finish(nesting);
        if (status == LUDUS_ERROR_MEMORY)
            status = trace_fail_memory(error);
    }
    trace_nesting_destroy(nesting);
    return status;
}

/* Makes the rows of GPU work that a plan asks for. */
static enum ludus_status fill_gpu(struct trace_capture *capture, const struct trace_pass_plan *plan,
                                  struct ludus_error *error)
{
    struct trace_gpu_totals totals;
    enum ludus_status status = LUDUS_ERROR_MEMORY;
    if (trace_gpu_totals_create(&totals, capture->model, plan)) {
        const struct trace_visitor visitor = trace_gpu_totals_visitor(&totals, true);
        status = trace_capture_show_gpu(capture, &visitor, error);
    }
    if (status == LUDUS_OK && !trace_gpu_totals_fill(&totals, capture->model))
        status = LUDUS_ERROR_MEMORY;
    trace_gpu_totals_destroy(&totals);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

/* Blocks that only decoding shows to be faulty are damage like any other, and what they cost must
 * be known before a pass. One without a visitor, or with one that can forget, finds them by itself
 * and starts again; others must not see anything twice, so that for them they are looked for first,
 * once. */
enum ludus_status trace_capture_run(struct trace_capture *capture,
                                    const struct trace_pass_plan *plan,
                                    const struct trace_visitor *visitor, struct ludus_error *error)
{
    bool is_faulty = false;
    bool is_to_look = visitor != NULL && visitor->restart == NULL && !capture->is_decoded;
    if (capture->is_unverified)
        return trace_fail(error, LUDUS_ERROR_STATE, "%s: was opened for info alone", capture->path);
    enum ludus_status status = is_to_look ? run_blocks(capture, NULL, &is_faulty, error)
                                          : run_once(capture, plan, visitor, &is_faulty, error);
    if (status == LUDUS_OK && is_faulty && !capture->is_decoded)
        status = trace_capture_find_losses(capture, error);
    capture->is_decoded = true;
    if (is_faulty && !is_to_look && visitor != NULL && visitor->restart != NULL)
        visitor->restart(visitor->context);
    if (status == LUDUS_OK && (is_to_look || is_faulty))
        status = run_once(capture, plan, visitor, &is_faulty, error);
    if (status == LUDUS_OK && is_faulty)
        status = trace_capture_fail(capture, LUDUS_ERROR_OPEN, error); /* it changes meanwhile */
    if (status == LUDUS_OK && plan != NULL && plan->has_value_rows)
        status = fill_gpu(capture, plan, error);
    if (status == LUDUS_OK && visitor != NULL && visitor->sched != NULL)
        status = trace_capture_show_sched(capture, visitor, error);
    if (status == LUDUS_OK && visitor != NULL)
        status = trace_capture_show_gpu(capture, visitor, error);
    return status;
}
