/* The pass over a capture's events. */
#include "capture_state.h"
#include "failure.h"
#include "nesting.h"

static enum ludus_status run_blocks(struct trace_capture *capture, struct trace_nesting *nesting,
                                    struct ludus_error *error)
{
    for (uint32_t i = 0; i < capture->events.count; i++) {
        struct lcap_item item;
        enum ludus_status status =
            lcap_reader_read(capture->reader, capture->events.items[i], &item);
        if (status != LUDUS_OK)
            return trace_capture_fail(capture, status, error);
        const struct lcap_events *events = lcap_reader_events(capture->reader);
        if (events == NULL)
            /* Damage that only decoding shows was sorted out when the capture was opened, if there
             * was any other; alone it is a faulty writer's, with a right checksum. */
            return trace_fail(error, LUDUS_ERROR_DAMAGED,
                              "%s: the events block at offset %llu is not as the format demands "
                              "(%s), though its checksum is right; report its recorder",
                              capture->path, (unsigned long long)item.offset,
                              lcap_damage_name(item.reason));
        status = trace_nesting_add(nesting, events);
        if (status == LUDUS_ERROR_MEMORY)
            return trace_fail_memory(error);
        if (status != LUDUS_OK)
            return status;
    }
    enum ludus_status status = trace_nesting_finish(nesting);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

/* A pass adds to what is there. */
static void forget_statistics(struct trace_model *model)
{
    model->site_stats_count = 0;
    model->path_stats_count = 0;
    model->slices = 0;
    model->instants = 0;
    model->has_statistics = false;
    for (uint32_t i = 0; i < model->track_count; i++) {
        struct trace_track *track = &model->tracks[i];
        track->slices = 0;
        track->instants = 0;
        track->incomplete = 0;
        track->covered_ns = 0;
    }
}

enum ludus_status trace_capture_run(struct trace_capture *capture,
                                    const struct trace_visitor *visitor, struct ludus_error *error)
{
    struct trace_nesting *nesting;
    forget_statistics(capture->model);
    if (trace_nesting_create(capture, visitor, &nesting) != LUDUS_OK)
        return trace_fail_memory(error);
    enum ludus_status status = run_blocks(capture, nesting, error);
    trace_nesting_destroy(nesting);
    return status;
}
