/* Puts captures into a new database. */
#include "import.h"

#include "capture.h"
#include "database_writer.h"
#include "failure.h"
#include "input.h"
#include "selection.h"
#include "trace.h"
#include <stdlib.h>

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

/* What a window does not hold that was asked for. */
static bool warn_of_windows(const struct trace_chosen *chosen, const char *path,
                            struct trace_warnings *warnings)
{
    const struct trace_windows *windows = &chosen->plan.windows;

    for (uint32_t i = 0; chosen->notes != NULL && i < windows->count; i++) {
        const struct trace_text *name = &windows->items[i].name;

        if (chosen->notes[i][0] != '\0' &&
            !trace_warnings_add(warnings, "%s: window %.*s: %s", path, trace_text_shown(*name),
                                name->data, chosen->notes[i]))
            return false;
    }
    return true;
}

/* Says that numbers over all captures count one of them twice, when its file was given before. */
static bool warn_of_copy(const char *const *paths, const uint64_t *ids, size_t index,
                         struct trace_warnings *warnings)
{
    for (size_t i = 0; i < index; i++)
        if (ids[i] == ids[index])
            return trace_warnings_add(
                warnings, "%s: is the recording that %s is; the database holds it twice",
                paths[index], paths[i]);
    return true;
}

static enum ludus_status import_input(struct trace_database_writer *writer,
                                      struct trace_input *input, const char *path,
                                      const struct trace_import_options *options,
                                      struct trace_warnings *warnings, struct ludus_error *error)
{
    const struct trace_model *model = trace_capture_model(trace_input_capture(input));
    struct trace_chosen chosen;
    struct trace_visitor visitor;
    enum ludus_status status =
        trace_chosen_create_more(input, options->windows, options->window_count, &chosen, error);

    if (status != LUDUS_OK)
        return status;
    chosen.plan.apart = TRACE_APART_MARKER;
    chosen.plan.has_value_rows = true;
    trace_database_writer_begin(writer, &visitor, error);
    status = trace_input_run(input, &chosen.plan, &visitor, error);
    if (status == LUDUS_OK)
        status = trace_database_writer_end(writer, model, path, error);
    if (status == LUDUS_OK && (!trace_warnings_collect(warnings, path, model) ||
                               !warn_of_windows(&chosen, path, warnings)))
        status = trace_fail_memory(error);
    trace_chosen_destroy(&chosen);
    return status;
}

/* Fills `capture_id`. */
static enum ludus_status import_capture(struct trace_database_writer *writer, const char *path,
                                        const struct trace_watch *watch,
                                        const struct trace_import_options *options,
                                        uint64_t *capture_id, struct trace_warnings *warnings,
                                        struct ludus_error *error)
{
    struct trace_input *input = NULL;
    enum ludus_status status = trace_open_watched(path, 0, watch, &input, error);

    if (status == LUDUS_OK) {
        *capture_id = trace_capture_model(trace_input_capture(input))->capture_id;
        status = import_input(writer, input, path, options, warnings, error);
    }
    trace_close(input);
    return status;
}

enum ludus_status trace_import_captures(const char *const *capture_paths, size_t count,
                                        const struct trace_import_options *options,
                                        const char *path, const struct trace_watch *watch,
                                        struct trace_warnings *warnings, struct ludus_error *error)
{
    static const struct trace_import_options no_options;
    struct trace_database_writer *writer = NULL;
    enum ludus_status status;
    size_t i;

    if (count == 0)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT, "nothing to import; give a capture");
    /* A wrong name among several shall not cost the import of those before it. */
    status = check_captures(capture_paths, count, error);
    uint64_t *ids = calloc(count, sizeof *ids);
    if (status == LUDUS_OK && ids == NULL)
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        status = (options != NULL && options->is_of_statistics
                      ? trace_database_writer_open_small
                      : trace_database_writer_open)(path, watch, &writer, error);
    for (i = 0; i < count && status == LUDUS_OK; i++) {
        status = import_capture(writer, capture_paths[i], watch,
                                options == NULL ? &no_options : options, &ids[i], warnings, error);
        if (status == LUDUS_OK && !warn_of_copy(capture_paths, ids, i, warnings))
            status = trace_fail_memory(error);
    }
    if (status == LUDUS_OK)
        status = trace_database_writer_commit(writer, error);
    trace_database_writer_close(writer);
    free(ids);
    return status;
}

enum ludus_status trace_import(const char *const *capture_paths, size_t count,
                               const struct trace_import_options *options, const char *path,
                               struct trace_listener *listener, struct ludus_error *error)
{
    struct trace_warnings warnings = {0};
    enum ludus_status status =
        trace_import_captures(capture_paths, count, options, path,
                              listener == NULL ? NULL : listener->watch, &warnings, error);

    if (status == LUDUS_OK)
        trace_warnings_tell(&warnings, listener);
    trace_warnings_destroy(&warnings);
    return status;
}
