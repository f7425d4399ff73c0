/* The pass over a capture's events. */
#include "capture_state.h"
#include "failure.h"
#include "nesting.h"
#include "sched_times.h"

/* `*is_faulty`: a block's checksum is right, and its content is not; the pass ended there. */
static enum ludus_status run_blocks(struct trace_capture *capture, struct trace_nesting *nesting,
                                    bool *is_faulty, struct ludus_error *error)
{
    for (uint32_t i = 0; i < capture->events.count; i++) {
        struct lcap_item item;
        enum ludus_status status =
            lcap_reader_read(capture->reader, capture->events.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        const struct lcap_events *events = lcap_reader_events(capture->reader);
        *is_faulty = events == NULL;
        if (*is_faulty)
            return LUDUS_OK;
        status = trace_nesting_add(nesting, events);
        if (status == LUDUS_ERROR_MEMORY)
            return trace_fail_memory(error);
        if (status != LUDUS_OK)
            return status;
    }
    enum ludus_status status = trace_nesting_finish(nesting);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

static enum ludus_status run_once(struct trace_capture *capture, const struct trace_pass_plan *plan,
                                  const struct trace_visitor *visitor, bool *is_faulty,
                                  struct ludus_error *error)
{
    struct trace_nesting *nesting;
    *is_faulty = false;
    trace_model_forget_statistics(capture->model);
    if (trace_nesting_create(capture, plan, visitor, &nesting) != LUDUS_OK)
        return trace_fail_memory(error);
    enum ludus_status status = run_blocks(capture, nesting, is_faulty, error);
    trace_nesting_destroy(nesting);
    return status;
}

/* Decodes blocks until one is faulty. */
static enum ludus_status find_faulty(struct trace_capture *capture, bool *is_faulty,
                                     struct ludus_error *error)
{
    *is_faulty = false;
    for (uint32_t i = 0; i < capture->events.count && !*is_faulty; i++) {
        struct lcap_item item;
        enum ludus_status status =
            lcap_reader_read(capture->reader, capture->events.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        *is_faulty = lcap_reader_events(capture->reader) == NULL;
    }
    return LUDUS_OK;
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
    enum ludus_status status = is_to_look ? find_faulty(capture, &is_faulty, error)
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
    if (status == LUDUS_OK && visitor != NULL && visitor->sched != NULL)
        status = trace_capture_show_sched(capture, visitor, error);
    return status;
}
