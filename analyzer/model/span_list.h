/* Disjoint spans of time in rising order, and how much time lies in them. Private to the analyzer.
 */
#ifndef TRACE_SPAN_LIST_H
#define TRACE_SPAN_LIST_H

#include "model.h"

/* From begin on, before end. */
struct trace_span {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t before_ns; /* time in the spans before this one */
};

/* All zero is the empty list. Adjoining spans are one. */
struct trace_span_list {
    struct trace_span *spans;
    uint32_t count;
};

/* Appends a span that begins no earlier than the last one ends. One without time adds nothing.
 * False when there is no memory. */
bool trace_span_list_add(struct trace_span_list *list, int64_t begin_ns, int64_t end_ns);

/* Makes it the list of all time. False when there is no memory. */
bool trace_span_list_add_all_time(struct trace_span_list *list);

bool trace_span_list_copy(const struct trace_span_list *list, struct trace_span_list *copy);

/* Releases the memory and leaves an empty list. */
void trace_span_list_clear(struct trace_span_list *list);

/* Whether a time lies in a span. `*from_ns` and `*until_ns`, the bounds of a span of time around
 * it, are drawn in so far that the answer is the same for all of it. */
bool trace_span_list_contains(const struct trace_span_list *list, int64_t time_ns, int64_t *from_ns,
                              int64_t *until_ns);

/* How much time before `time_ns` lies in the spans. */
int64_t trace_span_list_measure(const struct trace_span_list *list, int64_t time_ns);

/* The part of [begin, end) that lies in the spans. */
int64_t trace_span_list_overlap(const struct trace_span_list *list, int64_t begin_ns,
                                int64_t end_ns);

/* Whether all of [begin, end) lies in one span; when that is no time, whether `begin_ns` does. */
bool trace_span_list_covers(const struct trace_span_list *list, int64_t begin_ns, int64_t end_ns);

#endif
