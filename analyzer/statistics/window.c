/* Finds the spans of windows in a capture. */
#include "window.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "frame_percentiles.h"
#include "frame_table.h"
#include "number_text.h"

bool trace_windows_set_whole(struct trace_windows *windows)
{
    *windows = (struct trace_windows){.items = {{.name = {"capture", 7}}}, .count = 1};
    return trace_span_list_add_all_time(&windows->items[0].spans);
}

void trace_windows_clear(struct trace_windows *windows)
{
    for (uint32_t i = 0; i < windows->count; i++)
        trace_span_list_clear(&windows->items[i].spans);
    windows->count = 0;
}

/* What is known while a window is found. */
struct finder {
    const struct trace_window_spec *spec;
    const struct trace_model *model;
    const struct trace_domain *domain; /* or NULL */
    struct trace_span_list spans;
    char *note;
    struct ludus_error *error;
};

static enum ludus_status refuse(const struct finder *finder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The name of the window comes first. */
static enum ludus_status refuse(const struct finder *finder, const char *format, ...)
{
    char reason[384];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return trace_fail(finder->error, LUDUS_ERROR_ARGUMENT, "window %.*s: %s",
                      trace_text_shown(finder->spec->name), finder->spec->name.data, reason);
}

static enum ludus_status add(struct finder *finder, int64_t begin_ns, int64_t end_ns)
{
    return trace_span_list_add(&finder->spans, begin_ns, end_ns) ? LUDUS_OK
                                                                 : trace_fail_memory(finder->error);
}

/* --- frames ---------------------------------------------------------------------------------- */

static enum ludus_status check_domain(const struct finder *finder)
{
    if (finder->domain == NULL)
        return refuse(finder, "the capture has no frame marks; name a time, such as time:2s..5s");
    if (finder->domain->complete_count == 0)
        return refuse(finder,
                      "the capture has no complete frame of %.*s; name a time, such as "
                      "time:2s..5s",
                      trace_text_shown(finder->domain->name), finder->domain->name.data);
    return LUDUS_OK;
}

/* From frame `first` to the end of the frame before `end`, indexes: where the marks end, so does
 * what is known of frames. */
static enum ludus_status add_frames(struct finder *finder, uint32_t first, uint32_t end)
{
    const struct trace_domain *domain = finder->domain;
    int64_t end_ns =
        end < domain->frame_count ? domain->frames[end].begin_ns : finder->model->end_ns;
    return add(finder, domain->frames[first].begin_ns, end_ns);
}

static enum ludus_status find_frames(struct finder *finder)
{
    const struct trace_window_spec *spec = finder->spec;
    const struct trace_domain *domain = finder->domain;
    enum ludus_status status = check_domain(finder);
    if (status != LUDUS_OK)
        return status;
    uint64_t lowest = domain->frames[0].number;
    uint64_t highest = domain->frames[domain->frame_count - 1].number;
    uint32_t first = spec->has_begin ? trace_frame_table_search(domain, spec->first) : 0;
    uint32_t end = domain->frame_count;
    if (spec->has_end && spec->last < highest)
        end = trace_frame_table_search(domain, spec->last + 1);
    if (first >= end)
        return refuse(finder, "%s; %.*s has the frames %" PRIu64 "..%" PRIu64,
                      spec->first > lowest && spec->first < highest
                          ? "the marks of these frames are missing"
                          : "no such frame",
                      trace_text_shown(domain->name), domain->name.data, lowest, highest);
    if ((spec->has_begin && spec->first < lowest) || (spec->has_end && spec->last > highest))
        (void)snprintf(finder->note, TRACE_WINDOW_NOTE_SIZE,
                       "not all of it is in the capture, which has the frames %" PRIu64 "..%" PRIu64
                       " of %.*s",
                       lowest, highest, trace_text_shown(domain->name), domain->name.data);
    return add_frames(finder, first, end);
}

static enum ludus_status find_last_frames(struct finder *finder)
{
    const struct trace_domain *domain = finder->domain;
    enum ludus_status status = check_domain(finder);
    if (status != LUDUS_OK)
        return status;
    /* From the last complete frame back to a complete one; what lies behind has no end yet. */
    uint32_t end = domain->frame_count;
    while (end != 0 && !trace_frame_is_complete(domain, end - 1))
        end--;
    uint64_t left = finder->spec->first;
    uint32_t first = end;
    for (uint32_t i = end; i != 0 && left != 0; i--) {
        if (!trace_frame_is_complete(domain, i - 1))
            continue;
        first = i - 1;
        left--;
    }
    if (left != 0)
        (void)snprintf(finder->note, TRACE_WINDOW_NOTE_SIZE,
                       "complete frames of %.*s in the capture: only %" PRIu32,
                       trace_text_shown(domain->name), domain->name.data, domain->complete_count);
    return add_frames(finder, first, end);
}

/* --- times ----------------------------------------------------------------------------------- */

static enum ludus_status find_times(struct finder *finder, int64_t begin_ns, int64_t end_ns)
{
    const struct trace_model *model = finder->model;
    int64_t lowest_ns = model->window_begin_ns, highest_ns = model->end_ns;
    char from[TRACE_SECONDS_SIZE], until[TRACE_SECONDS_SIZE];
    trace_format_seconds(lowest_ns, from);
    trace_format_seconds(highest_ns, until);
    if (highest_ns <= lowest_ns && model->clock_count == 0)
        return refuse(finder,
                      "cannot be found: the capture has no clock, so that nothing in it has "
                      "a time");
    if (highest_ns <= lowest_ns)
        return refuse(finder,
                      "cannot be found: the capture has no length, it begins and ends at %s", from);
    if (begin_ns >= highest_ns || end_ns <= lowest_ns)
        return refuse(finder, "lies outside the capture, which is from %s to %s", from, until);
    if (begin_ns < lowest_ns || end_ns > highest_ns)
        (void)snprintf(finder->note, TRACE_WINDOW_NOTE_SIZE,
                       "not all of it is in the capture, which is from %s to %s", from, until);
    return add(finder, begin_ns < lowest_ns ? lowest_ns : begin_ns,
               end_ns > highest_ns ? highest_ns : end_ns);
}

static enum ludus_status find_time(struct finder *finder)
{
    const struct trace_window_spec *spec = finder->spec;
    return find_times(finder, spec->has_begin ? spec->begin_ns : finder->model->window_begin_ns,
                      spec->has_end ? spec->end_ns : finder->model->end_ns);
}

static enum ludus_status find_last_time(struct finder *finder)
{
    int64_t end_ns = finder->model->end_ns;
    return find_times(finder, end_ns - finder->spec->end_ns, end_ns);
}

/* --- marks ----------------------------------------------------------------------------------- */

static int compare_marks(const void *a, const void *b)
{
    const struct trace_mark *left = a;
    const struct trace_mark *right = b;
    if (left->time_ns != right->time_ns)
        return left->time_ns < right->time_ns ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

void trace_marks_sort(struct trace_mark *marks, size_t count)
{
    if (count > 1)
        qsort(marks, count, sizeof *marks, compare_marks);
}

/* How many pairs of marks there are. */
struct pairs {
    uint64_t begun;                /* an A that is in no pair before it */
    uint64_t ended;                /* and its B */
    const struct trace_mark *open; /* the last A, when no B follows it */
};

/* Every A to the next B; an A inside is none of its own. */
static enum ludus_status pair_marks(struct finder *finder, const struct trace_mark *marks,
                                    size_t count, struct pairs *pairs)
{
    const struct trace_window_spec *spec = finder->spec;
    *pairs = (struct pairs){0};
    for (size_t i = 0; i < count; i++) {
        struct trace_text name = finder->model->sites[marks[i].site].name;
        if (pairs->open != NULL && trace_text_equals(name, spec->end_mark)) {
            enum ludus_status status = LUDUS_OK;
            if (spec->occurrence == 0 || spec->occurrence == pairs->begun)
                status = add(finder, pairs->open->time_ns, marks[i].time_ns);
            if (status != LUDUS_OK)
                return status;
            pairs->open = NULL;
            pairs->ended++;
        }
        if (pairs->open == NULL && trace_text_equals(name, spec->begin_mark)) {
            pairs->open = &marks[i];
            pairs->begun++;
        }
    }
    return LUDUS_OK;
}

static enum ludus_status find_marks(struct finder *finder, const struct trace_mark *marks,
                                    size_t count)
{
    const struct trace_window_spec *spec = finder->spec;
    const int begin_shown = trace_text_shown(spec->begin_mark);
    const int end_shown = trace_text_shown(spec->end_mark);
    struct pairs pairs;
    enum ludus_status status = pair_marks(finder, marks, count, &pairs);
    if (status != LUDUS_OK)
        return status;
    if (spec->occurrence > pairs.begun)
        return refuse(finder,
                      "there is no %.*s#%" PRIu64 "; the capture has %" PRIu64
                      ", each up to the next %.*s",
                      begin_shown, spec->begin_mark.data, spec->occurrence, pairs.begun, end_shown,
                      spec->end_mark.data);
    bool is_last_meant = spec->occurrence == 0 || spec->occurrence == pairs.begun;
    if (pairs.open == NULL || !is_last_meant)
        return LUDUS_OK;
    if (spec->occurrence != 0 || pairs.ended == 0)
        return refuse(finder, "no mark %.*s follows %.*s", end_shown, spec->end_mark.data,
                      begin_shown, spec->begin_mark.data);
    (void)snprintf(finder->note, TRACE_WINDOW_NOTE_SIZE,
                   "the last %.*s is followed by no %.*s and left out", begin_shown,
                   spec->begin_mark.data, end_shown, spec->end_mark.data);
    return LUDUS_OK;
}

/* A name stands for one window in every row. */
static enum ludus_status check_place(const struct finder *finder,
                                     const struct trace_windows *windows)
{
    if (windows->count == TRACE_MAX_WINDOWS)
        return refuse(finder, "is one too many; at most %u are told apart", TRACE_MAX_WINDOWS);
    for (uint32_t i = 0; i < windows->count; i++) {
        if (!trace_text_equals(windows->items[i].name, finder->spec->name))
            continue;
        if (windows->items[i].spans.spans[0].begin_ns == INT64_MIN)
            return refuse(finder,
                          "this is the name of all of the capture; give the window another");
        return refuse(finder, "another window has this name; give one of its own, such as "
                              "NAME=time:2s..5s");
    }
    return LUDUS_OK;
}

enum ludus_status trace_window_resolve(const struct trace_window_spec *spec,
                                       const struct trace_model *model, uint32_t domain,
                                       const struct trace_mark *marks, size_t mark_count,
                                       struct trace_windows *windows,
                                       char note[TRACE_WINDOW_NOTE_SIZE], struct ludus_error *error)
{
    struct finder finder = {.spec = spec,
                            .model = model,
                            .domain = domain == TRACE_NONE ? NULL : &model->domains[domain],
                            .note = note,
                            .error = error};
    note[0] = '\0';
    enum ludus_status status = check_place(&finder, windows);
    if (status != LUDUS_OK)
        return status;
    switch (spec->kind) {
    case TRACE_SPEC_FRAMES:
        status = find_frames(&finder);
        break;
    case TRACE_SPEC_TIME:
        status = find_time(&finder);
        break;
    case TRACE_SPEC_MARKS:
        status = find_marks(&finder, marks, mark_count);
        break;
    case TRACE_SPEC_LAST:
        status = spec->first != 0 ? find_last_frames(&finder) : find_last_time(&finder);
        break;
    }
    if (status == LUDUS_OK && finder.spans.count == 0)
        status = refuse(&finder, "is empty: no time lies in it");
    if (status != LUDUS_OK) {
        trace_span_list_clear(&finder.spans);
        return status;
    }
    windows->items[windows->count++] = (struct trace_window){spec->name, finder.spans};
    return LUDUS_OK;
}
