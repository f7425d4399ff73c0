/* Windows: the named parts of a capture that an answer is about. Private to the analyzer.
 *
 * Statistics are made of each window twice: of what begins in its complete frames, which have a
 * number per frame, and of what begins elsewhere in it. Both are its "parts". */
#ifndef TRACE_WINDOW_H
#define TRACE_WINDOW_H

#include "span_list.h"

/* Windows of one answer; each has two bits of a word of 32. */
#define TRACE_MAX_WINDOWS 16u

struct trace_window {
    struct trace_text name; /* belongs to the model that it is of */
    struct trace_span_list spans;
};

/* All zero is none. */
struct trace_windows {
    struct trace_window items[TRACE_MAX_WINDOWS];
    uint32_t count;
};

/* The one window "capture", of all time. False when there is no memory. */
bool trace_windows_set_whole(struct trace_windows *windows);

/* What one of the options says, such as "load=marks:LevelLoad..LevelReady"; the name before the
 * first '=' may be missing. Needs marks (instants) to be known only for "marks:". */
struct trace_window_spec {
    struct trace_text name;
    enum { TRACE_SPEC_FRAMES, TRACE_SPEC_TIME, TRACE_SPEC_MARKS, TRACE_SPEC_LAST } kind;
    bool has_begin, has_end;      /* what is missing is the capture's */
    uint64_t first, last;         /* FRAMES: numbers, both inside; LAST: count of frames, or 0 */
    int64_t begin_ns, end_ns;     /* TIME; LAST: end_ns is the length, or 0 */
    struct trace_text begin_mark; /* MARKS: names; they point into the text */
    struct trace_text end_mark;
    uint64_t occurrence; /* MARKS: which A, from 1 on; 0: each */
};

/* Takes a text apart; it must outlive the result. Errors: ARGUMENT. */
LUDUS_CHECKED enum ludus_status trace_window_parse(const char *text, struct trace_window_spec *spec,
                                                   struct ludus_error *error);

/* A mark that was found: an instant of one of the sites that a spec names. */
struct trace_mark {
    int64_t time_ns;
    uint32_t site;
    uint32_t order; /* in which the pass showed it */
};

/* Sorts marks by time, and those of one time in their order. */
void trace_marks_sort(struct trace_mark *marks, size_t count);

/* Finds the spans of a spec and appends the window. `domain` is the index of the frame domain, or
 * TRACE_NONE; `marks` are sorted and are those of all sites whose names a spec names. Times that
 * the capture does not reach are cut off; `note` tells of it (empty otherwise). Errors: ARGUMENT
 * (nothing of it is in the capture, and why; or the name is another window's), MEMORY. */
#define TRACE_WINDOW_NOTE_SIZE 256u
LUDUS_CHECKED enum ludus_status
trace_window_resolve(const struct trace_window_spec *spec, const struct trace_model *model,
                     uint32_t domain, const struct trace_mark *marks, size_t mark_count,
                     struct trace_windows *windows, char note[TRACE_WINDOW_NOTE_SIZE],
                     struct ludus_error *error);

/* Releases the memory and leaves none. */
void trace_windows_clear(struct trace_windows *windows);

#endif
