/* From the text of a window to the capture that is cut out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "input_kind.h"
#include "input_warnings.h"
#include "trim.h"
#include "window.h"

_Static_assert(TRACE_TRIM_NOTE_SIZE == TRACE_WINDOW_NOTE_SIZE, "it is the window's note");

/* Instants of the sites that a window is named by. */
struct marks {
    const struct trace_window_spec *spec;
    struct trace_mark *items;
    uint32_t count;
    struct ludus_error *error;
};

static bool is_named(const struct trace_text *name, struct trace_text mark)
{
    return name->size == mark.size && memcmp(name->data, mark.data, mark.size) == 0;
}

static enum ludus_status take_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct marks *marks = context;
    for (size_t i = 0; i < count; i++) {
        const struct trace_text *name = &model->sites[instants[i].site].name;
        if (!is_named(name, marks->spec->begin_mark) && !is_named(name, marks->spec->end_mark))
            continue;
        if (!trace_array_grow(&marks->items, marks->count, sizeof *marks->items))
            return trace_fail_memory(marks->error);
        marks->items[marks->count] =
            (struct trace_mark){instants[i].time_ns, instants[i].site, marks->count};
        marks->count++;
    }
    return LUDUS_OK;
}

static int compare_marks(const void *a, const void *b)
{
    const struct trace_mark *left = a;
    const struct trace_mark *right = b;
    return (left->time_ns > right->time_ns) - (left->time_ns < right->time_ns);
}

static enum ludus_status find_marks(struct trace_capture *capture, struct marks *marks)
{
    const struct trace_visitor visitor = {.context = marks, .instants = take_instants};
    enum ludus_status status = trace_capture_run(capture, NULL, &visitor, marks->error);
    if (status == LUDUS_OK && marks->count > 1)
        qsort(marks->items, marks->count, sizeof *marks->items, compare_marks);
    return status;
}

static enum ludus_status find_domain(const struct trace_model *model, const char *name,
                                     uint32_t *domain, struct ludus_error *error)
{
    struct trace_nearest nearest;
    *domain = model->domain_count == 0 ? TRACE_NONE : 0;
    if (name == NULL)
        return LUDUS_OK;
    nearest = trace_nearest_start(name, strlen(name));
    for (uint32_t i = 0; i < model->domain_count; i++) {
        const struct trace_text *own = &model->domains[i].name;
        *domain = i;
        if (own->size == strlen(name) && memcmp(own->data, name, own->size) == 0)
            return LUDUS_OK;
    }
    for (uint32_t i = 0; i < model->domain_count; i++) {
        char text[128];
        const struct trace_text *own = &model->domains[i].name;
        snprintf(text, sizeof text, "%.*s", (int)(own->size < 127 ? own->size : 127), own->data);
        trace_nearest_consider(&nearest, text);
        if (nearest.name == text)
            return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                              "the capture has no frame domain %s; did you mean %s?", name, text);
    }
    return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                      "the capture has no frame domain %s; `ludus-trace info` lists them", name);
}

static enum ludus_status check_span(const struct trace_window *window, const char *text,
                                    struct ludus_error *error)
{
    if (window->spans.count == 1)
        return LUDUS_OK;
    return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                      "window %s: is %u spans of time, and a capture holds one; name the second "
                      "with #2 behind its first mark, for example",
                      text, window->spans.count);
}

enum ludus_status trace_trim_find(struct trace_capture *capture,
                                  const struct trace_trim_options *options, int64_t *from_ns,
                                  int64_t *to_ns, char note[TRACE_TRIM_NOTE_SIZE],
                                  struct ludus_error *error)
{
    const struct trace_model *model = trace_capture_model(capture);
    struct trace_windows windows = {.count = 0};
    struct trace_window_spec spec;
    struct marks marks = {.spec = &spec, .error = error};
    uint32_t domain;
    enum ludus_status status = trace_window_parse(options->window, &spec, error);
    if (status == LUDUS_OK)
        status = find_domain(model, options->domain, &domain, error);
    if (status == LUDUS_OK && spec.kind == TRACE_SPEC_MARKS)
        status = find_marks(capture, &marks);
    if (status == LUDUS_OK)
        status = trace_window_resolve(&spec, model, domain, marks.items, marks.count, &windows,
                                      note, error);
    if (status == LUDUS_OK)
        status = check_span(&windows.items[0], options->window, error);
    if (status == LUDUS_OK) {
        *from_ns = windows.items[0].spans.spans[0].begin_ns;
        *to_ns = windows.items[0].spans.spans[0].end_ns;
    }
    trace_windows_clear(&windows);
    free(marks.items);
    return status;
}

/* --- all of it ------------------------------------------------------------------------------- */

static void tell(struct trace_listener *listener, struct trace_warnings *warnings, const char *path,
                 const char *note)
{
    char line[TRACE_TRIM_NOTE_SIZE + 1024];
    trace_warnings_tell(warnings, listener);
    if (note[0] == '\0' || listener == NULL || listener->warn == NULL)
        return;
    snprintf(line, sizeof line, "%s: %s", path, note);
    listener->warn(listener->context, line);
}

enum ludus_status trace_trim(const char *path, const struct trace_trim_options *options,
                             struct trace_output output, struct trace_listener *listener,
                             struct ludus_error *error)
{
    struct trace_capture *capture = NULL;
    struct trace_warnings warnings = {0};
    char note[TRACE_TRIM_NOTE_SIZE];
    int64_t from_ns, to_ns;
    enum ludus_status status = trace_input_expect_capture(path, error);
    if (status == LUDUS_OK)
        status = trace_capture_open(path, &capture, error);
    if (status == LUDUS_OK)
        status = trace_trim_find(capture, options, &from_ns, &to_ns, note, error);
    if (status == LUDUS_OK)
        status = trace_trim_capture(capture, from_ns, to_ns, options->window, output, error);
    if (status == LUDUS_OK &&
        !trace_warnings_collect(&warnings, path, trace_capture_model(capture)))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        tell(listener, &warnings, path, note);
    trace_warnings_destroy(&warnings);
    trace_capture_close(capture);
    return status;
}
