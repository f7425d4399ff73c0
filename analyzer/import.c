/* Puts captures into a new database. */
#include "import.h"
#include "capture.h"
#include "database_writer.h"
#include "failure.h"
#include "input_kind.h"
#include "trace.h"

static enum ludus_status check_captures(const char *const *paths, size_t count,
                                        struct ludus_error *error)
{
    size_t i;

    for (i = 0; i < count; i++) {
        enum trace_input_kind kind;
        enum ludus_status status = trace_input_kind_of(paths[i], &kind, error);

        if (status != LUDUS_OK)
            return status;
        if (kind != TRACE_INPUT_CAPTURE)
            return trace_fail(error, LUDUS_ERROR_FORMAT,
                              "%s: is a database; give the captures that it was made of", paths[i]);
    }
    return LUDUS_OK;
}

static enum ludus_status import_capture(struct trace_database_writer *writer, const char *path,
                                        struct trace_warnings *warnings, struct ludus_error *error)
{
    struct trace_capture *capture = NULL;
    struct trace_visitor visitor;
    enum ludus_status status = trace_capture_open(path, &capture, error);

    if (status == LUDUS_OK) {
        trace_database_writer_begin(writer, &visitor, error);
        status = trace_capture_run(capture, NULL, &visitor, error);
    }
    if (status == LUDUS_OK)
        status = trace_database_writer_end(writer, trace_capture_model(capture), path, error);
    if (status == LUDUS_OK && !trace_warnings_collect(warnings, path, trace_capture_model(capture)))
        status = trace_fail_memory(error);
    trace_capture_close(capture);
    return status;
}

enum ludus_status trace_import_captures(const char *const *capture_paths, size_t count,
                                        const char *path, struct trace_warnings *warnings,
                                        struct ludus_error *error)
{
    struct trace_database_writer *writer = NULL;
    enum ludus_status status;
    size_t i;

    if (count == 0)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT, "nothing to import; give a capture");
    /* A wrong name among several shall not cost the import of those before it. */
    status = check_captures(capture_paths, count, error);
    if (status == LUDUS_OK)
        status = trace_database_writer_open(path, &writer, error);
    for (i = 0; i < count && status == LUDUS_OK; i++)
        status = import_capture(writer, capture_paths[i], warnings, error);
    if (status == LUDUS_OK)
        status = trace_database_writer_commit(writer, error);
    trace_database_writer_close(writer);
    return status;
}

enum ludus_status trace_import(const char *const *capture_paths, size_t count, const char *path,
                               struct trace_listener *listener, struct ludus_error *error)
{
    struct trace_warnings warnings = {0};
    enum ludus_status status = trace_import_captures(capture_paths, count, path, &warnings, error);

    if (status == LUDUS_OK)
        trace_warnings_tell(&warnings, listener);
    trace_warnings_destroy(&warnings);
    return status;
}
