/* From the text of a window to the capture that is cut out. */
#include <stdio.h>

#include "failure.h"
#include "input.h"
#include "selection.h"
#include "trim.h"

static enum ludus_status check_span(const struct trace_window *window, const char *path,
                                    const char *text, struct ludus_error *error)
{
    if (window->spans.count == 1)
        return LUDUS_OK;
    return trace_fail(
        error, LUDUS_ERROR_ARGUMENT,
        "%s: window %s: is %u spans of time, and a capture holds one; name the second "
        "with #2 behind its first mark, for example",
        path, text, window->spans.count);
}

/* The one span of the one window. */
static enum ludus_status find_span(struct trace_input *input,
                                   const struct trace_trim_options *options,
                                   struct trace_chosen *chosen, struct trace_span *span,
                                   struct ludus_error *error)
{
    const struct trace_selection selection = {
        .windows = &options->window, .window_count = 1, .domain = options->domain};
    enum ludus_status status = trace_chosen_create(input, &selection, chosen, error);
    if (status == LUDUS_OK)
        status = check_span(&chosen->plan.windows.items[0], trace_input_path(input),
                            options->window, error);
    if (status == LUDUS_OK)
        *span = chosen->plan.windows.items[0].spans.spans[0];
    return status;
}

/* What must be known of the capture, and of the window when it is not quite the one asked for, or
 * nothing happened in it. */
static enum ludus_status tell(struct trace_input *input, const char *path, const char *note,
                              bool has_events, struct trace_listener *listener,
                              struct ludus_error *error)
{
    char line[TRACE_WINDOW_NOTE_SIZE + 1024];
    /* Damage may have been found since the input was opened. */
    enum ludus_status status =
        trace_input_collect_warnings(input, trace_capture_model(trace_input_capture(input)), error);
    if (status != LUDUS_OK || listener == NULL)
        return status;
    listener->has_loss = listener->has_loss || trace_has_loss(input);
    if (listener->warn == NULL)
        return LUDUS_OK;
    for (size_t i = 0; trace_warning(input, i) != NULL; i++)
        listener->warn(listener->context, trace_warning(input, i));
    if (note[0] != '\0') {
        snprintf(line, sizeof line, "%s: %s", path, note);
        listener->warn(listener->context, line);
    }
    if (!has_events) {
        snprintf(line, sizeof line, "%s: no event lies in the window, and no scope is open in it",
                 path);
        listener->warn(listener->context, line);
    }
    return LUDUS_OK;
}

enum ludus_status trace_trim(const char *path, const struct trace_trim_options *options,
                             struct trace_output output, struct trace_listener *listener,
                             struct ludus_error *error)
{
    struct trace_input *input = NULL;
    struct trace_chosen chosen = {0};
    struct trace_span span;
    bool has_events = false;
    enum ludus_status status = trace_input_expect_capture(path, error);
    if (status == LUDUS_OK)
        status =
            trace_open_watched(path, 0, listener == NULL ? NULL : listener->watch, &input, error);
    if (status == LUDUS_OK)
        status = find_span(input, options, &chosen, &span, error);
    if (status == LUDUS_OK)
        status = trace_trim_capture(trace_input_capture(input), span.begin_ns, span.end_ns,
                                    options->window, output, &has_events, error);
    if (status == LUDUS_OK)
        status = tell(input, path, chosen.notes[0], has_events, listener, error);
    trace_chosen_destroy(&chosen);
    trace_close(input);
    return status;
}
