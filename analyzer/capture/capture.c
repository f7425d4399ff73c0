/* Opens and closes captures. */
#include "capture.h"

#include <stdlib.h>
#include <string.h>

#include "capture_state.h"
#include "failure.h"

enum ludus_status trace_capture_fail(const struct trace_capture *capture, enum ludus_status status,
                                     struct ludus_error *error)
{
    if (status == LUDUS_ERROR_MEMORY)
        return trace_fail_memory(error);
    return trace_fail(error, LUDUS_ERROR_OPEN, "%s: cannot be read (was it cut meanwhile?)",
                      capture->path);
}

static enum ludus_status open_reader(struct trace_capture *capture, const struct trace_watch *watch,
                                     struct ludus_error *error)
{
    struct ludus_error reason = {0};
    enum ludus_status status = trace_capture_file_open(capture->path, watch, &capture->file, error);
    if (status != LUDUS_OK)
        return status;
    status = lcap_reader_open(trace_capture_file_source(capture->file), &capture->reader, &reason);
    if (status != LUDUS_OK)
        return trace_fail(error, status, "%s: %s", capture->path, reason.message);
    return LUDUS_OK;
}

enum ludus_status trace_capture_prepare(const char *path, const struct trace_watch *watch,
                                        struct trace_capture **out, struct ludus_error *error)
{
    *out = NULL;
    struct trace_capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL)
        return trace_fail_memory(error);
    capture->path = strdup(path);
    capture->clocks = trace_clock_map_create();
    enum ludus_status status = LUDUS_OK;
    if (capture->path == NULL || capture->clocks == NULL ||
        trace_model_create(&capture->model) != LUDUS_OK)
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        status = open_reader(capture, watch, error);
    if (status != LUDUS_OK) {
        trace_capture_close(capture);
        return status;
    }
    *out = capture;
    return LUDUS_OK;
}

enum ludus_status trace_capture_open(const char *path, struct trace_capture **out,
                                     struct ludus_error *error)
{
    enum ludus_status status = trace_capture_prepare(path, NULL, out, error);
    if (status == LUDUS_OK)
        status = trace_capture_load(*out, error);
    if (status != LUDUS_OK) {
        trace_capture_close(*out);
        *out = NULL;
    }
    return status;
}

enum ludus_status trace_capture_open_unverified(const char *path, const struct trace_watch *watch,
                                                uint64_t max_verified_bytes,
                                                struct trace_capture **out,
                                                struct ludus_error *error)
{
    enum ludus_status status = trace_capture_prepare(path, watch, out, error);
    if (status != LUDUS_OK)
        return status;
    if (trace_capture_file_source((*out)->file).size > max_verified_bytes) {
        lcap_reader_skim_events((*out)->reader);
        (*out)->is_unverified = true;
    }
    status = trace_capture_load(*out, error);
    bool is_damaged = (*out)->is_unverified && (*out)->model->damage_count != 0;
    if (status == LUDUS_OK && !is_damaged)
        return LUDUS_OK;
    trace_capture_close(*out);
    *out = NULL;
    /* What damage cost is known only when all blocks have been decoded. */
    return status == LUDUS_OK ? trace_capture_open(path, out, error) : status;
}

bool trace_capture_is_unverified(const struct trace_capture *capture)
{
    return capture->is_unverified;
}

void trace_capture_close(struct trace_capture *capture)
{
    if (capture == NULL)
        return;
    trace_id_map_clear(&capture->string_ids);
    trace_id_map_clear(&capture->category_ids);
    trace_id_map_clear(&capture->site_ids);
    trace_id_map_clear(&capture->track_ids);
    trace_id_map_clear(&capture->domain_ids);
    trace_clock_map_destroy(capture->clocks);
    trace_model_destroy(capture->model);
    lcap_reader_close(capture->reader);
    trace_capture_file_close(capture->file);
    free(capture->strings);
    free(capture->events.items);
    free(capture->timed.items);
    free(capture->sched.items);
    free(capture->gpu_facts.items);
    free(capture->gpu.items);
    free(capture->lost.items);
    free(capture->ranges);
    free(capture->path);
    free(capture);
}

const struct trace_model *trace_capture_model(const struct trace_capture *capture)
{
    return capture->model;
}
