/* Opens captures for those who look at every block. */
#include "capture_walk.h"

#include "failure.h"
#include "input_kind.h"

static enum ludus_status open_reader(struct trace_capture_walk *walk, struct ludus_error *error)
{
    struct ludus_error reason = {0};
    struct lcap_source source = trace_capture_file_source(walk->file);
    enum ludus_status status = lcap_reader_open(source, &walk->reader, &reason);
    walk->file_size = source.size;
    if (status != LUDUS_OK)
        return trace_fail(error, status, "%s: %s", walk->path, reason.message);
    return LUDUS_OK;
}

enum ludus_status trace_capture_walk_open(const char *path, const struct trace_watch *watch,
                                          struct trace_capture_walk *walk,
                                          struct ludus_error *error)
{
    *walk = (struct trace_capture_walk){.path = path};
    enum ludus_status status = trace_input_expect_capture(path, error);
    if (status != LUDUS_OK)
        return status;
    status = trace_capture_file_open(path, watch, &walk->file, error);
    if (status == LUDUS_OK)
        status = open_reader(walk, error);
    if (status != LUDUS_OK)
        trace_capture_walk_close(walk);
    return status;
}

void trace_capture_walk_close(struct trace_capture_walk *walk)
{
    lcap_reader_close(walk->reader);
    trace_capture_file_close(walk->file);
    *walk = (struct trace_capture_walk){0};
}

enum ludus_status trace_capture_walk_fail(const struct trace_capture_walk *walk,
                                          enum ludus_status status, struct ludus_error *error)
{
    if (status == LUDUS_ERROR_MEMORY)
        return trace_fail_memory(error);
    return trace_fail(error, status, "%s: cannot be read (was it cut meanwhile?)", walk->path);
}
