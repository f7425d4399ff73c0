/* Disjoint spans of time in rising order. */
#include "span_list.h"

#include <stdlib.h>
#include <string.h>

/* What lies between two times; of all time it is more than a signed number holds, and right again
 * as a difference of two. */
static int64_t between(int64_t begin_ns, int64_t end_ns)
{
    return (int64_t)((uint64_t)end_ns - (uint64_t)begin_ns);
}

bool trace_span_list_add(struct trace_span_list *list, int64_t begin_ns, int64_t end_ns)
{
    struct trace_span *last = list->count == 0 ? NULL : &list->spans[list->count - 1];
    if (begin_ns >= end_ns)
        return true;
    if (last != NULL && last->end_ns == begin_ns) {
        last->end_ns = end_ns;
        return true;
    }
    int64_t before_ns = last == NULL ? 0 : last->before_ns + between(last->begin_ns, last->end_ns);
    if (!trace_array_grow(&list->spans, list->count, sizeof *list->spans))
        return false;
    list->spans[list->count++] = (struct trace_span){begin_ns, end_ns, before_ns};
    return true;
}

bool trace_span_list_add_all_time(struct trace_span_list *list)
{
    return trace_span_list_add(list, INT64_MIN, INT64_MAX);
}

bool trace_span_list_copy(const struct trace_span_list *list, struct trace_span_list *copy)
{
    *copy = (struct trace_span_list){0};
    for (uint32_t i = 0; i < list->count; i++) {
        if (!trace_span_list_add(copy, list->spans[i].begin_ns, list->spans[i].end_ns)) {
            trace_span_list_clear(copy);
            return false;
        }
    }
    return true;
}

void trace_span_list_clear(struct trace_span_list *list)
{
    free(list->spans);
    *list = (struct trace_span_list){0};
}

/* How many spans begin at or before the time. */
static uint32_t count_begun(const struct trace_span_list *list, int64_t time_ns)
{
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->spans[middle].begin_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void draw_in(int64_t begin_ns, int64_t end_ns, int64_t *from_ns, int64_t *until_ns)
{
    if (begin_ns > *from_ns)
        *from_ns = begin_ns;
    if (end_ns < *until_ns)
        *until_ns = end_ns;
}

bool trace_span_list_contains(const struct trace_span_list *list, int64_t time_ns, int64_t *from_ns,
                              int64_t *until_ns)
{
    uint32_t begun = count_begun(list, time_ns);
    if (begun != 0 && (time_ns < list->spans[begun - 1].end_ns ||
                       list->spans[begun - 1].end_ns == INT64_MAX)) { /* no time is behind it */
        draw_in(list->spans[begun - 1].begin_ns, list->spans[begun - 1].end_ns, from_ns, until_ns);
        return true;
    }
    draw_in(begun == 0 ? INT64_MIN : list->spans[begun - 1].end_ns,
            begun == list->count ? INT64_MAX : list->spans[begun].begin_ns, from_ns, until_ns);
    return false;
}

int64_t trace_span_list_measure(const struct trace_span_list *list, int64_t time_ns)
{
    uint32_t begun = count_begun(list, time_ns);
    if (begun == 0)
        return 0;
    const struct trace_span *span = &list->spans[begun - 1];
    int64_t end_ns = time_ns < span->end_ns ? time_ns : span->end_ns;
    return (int64_t)((uint64_t)span->before_ns + (uint64_t)between(span->begin_ns, end_ns));
}

int64_t trace_span_list_overlap(const struct trace_span_list *list, int64_t begin_ns,
                                int64_t end_ns)
{
    if (begin_ns >= end_ns)
        return 0;
    return between(trace_span_list_measure(list, begin_ns), trace_span_list_measure(list, end_ns));
}

bool trace_span_list_covers(const struct trace_span_list *list, int64_t begin_ns, int64_t end_ns)
{
    uint32_t begun = count_begun(list, begin_ns);
    return begun != 0 && begin_ns < list->spans[begun - 1].end_ns &&
           end_ns <= list->spans[begun - 1].end_ns;
}
