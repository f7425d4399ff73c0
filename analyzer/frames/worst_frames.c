/* Finds the longest frames of each window. */
#include "worst_frames.h"

#include <stdlib.h>

/* A frame on its way to the list of the worst. */
struct candidate {
    int64_t duration_ns;
    uint32_t column;
};

static bool is_worse(const struct candidate *a, const struct candidate *b)
{
    if (a->duration_ns != b->duration_ns)
        return a->duration_ns > b->duration_ns;
    return a->column < b->column;
}

static int compare_worse(const void *a, const void *b)
{
    return is_worse(a, b) ? -1 : is_worse(b, a) ? 1 : 0;
}

/* Lets the candidate on top of a heap, of which the least bad one is on top, sink. */
static void sink(struct candidate *heap, uint32_t count)
{
    uint32_t at = 0;
    for (uint32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_worse(&heap[child], &heap[child + 1]))
            child++;
        if (!is_worse(&heap[at], &heap[child]))
            return;
        struct candidate kept = heap[at];
        heap[at] = heap[child];
        heap[child] = kept;
        at = child;
    }
}

/* Keeps the worst ones in a heap while it looks at all; returns how many there are, sorted. */
static uint32_t find_worst(const struct trace_frame_list *list, uint32_t window, uint32_t most,
                           struct candidate *heap)
{
    uint32_t count = 0;
    for (uint32_t column = 0; column < list->count; column++) {
        struct candidate candidate = {trace_frame_duration(list, column), column};
        if (!trace_frame_is_in(list, column, window))
            continue;
        if (count < most) {
            heap[count] = candidate;
            for (uint32_t at = count++; at != 0 && is_worse(&heap[(at - 1) / 2], &heap[at]);
                 at = (at - 1) / 2) {
                struct candidate kept = heap[at];
                heap[at] = heap[(at - 1) / 2];
                heap[(at - 1) / 2] = kept;
            }
        } else if (is_worse(&candidate, &heap[0])) {
            heap[0] = candidate;
            sink(heap, count);
        }
    }
    if (count > 1)
        qsort(heap, count, sizeof *heap, compare_worse);
    return count;
}

static int compare_columns(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Each column once, in order. */
static void collect_asked(struct trace_worst_frames *worst, uint32_t windows)
{
    uint32_t count = 0, kept = 0;
    for (uint32_t w = 0; w < windows; w++)
        for (uint32_t rank = 0; rank < worst->counts[w]; rank++)
            worst->asked[count++] = trace_worst_column(worst, w, rank);
    if (count > 1)
        qsort(worst->asked, count, sizeof *worst->asked, compare_columns);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || worst->asked[i] != worst->asked[kept - 1])
            worst->asked[kept++] = worst->asked[i];
    worst->asked_count = kept;
}

bool trace_worst_frames_create(struct trace_worst_frames *worst,
                               const struct trace_frame_list *list,
                               const struct trace_pass_plan *plan, uint32_t most)
{
    most = most < list->count ? most : list->count;
    size_t all = (size_t)most * plan->windows.count + 1;
    *worst = (struct trace_worst_frames){.most = most};
    worst->columns = malloc(all * sizeof *worst->columns);
    worst->asked = malloc(all * sizeof *worst->asked);
    struct candidate *heap = malloc(((size_t)most + 1) * sizeof *heap);
    bool is_done = worst->columns != NULL && worst->asked != NULL && heap != NULL;
    for (uint32_t w = 0; is_done && most != 0 && w < plan->windows.count; w++) {
        worst->counts[w] = find_worst(list, w, most, heap);
        for (uint32_t rank = 0; rank < worst->counts[w]; rank++)
            worst->columns[(size_t)w * most + rank] = heap[rank].column;
    }
    if (is_done)
        collect_asked(worst, plan->windows.count);
    free(heap);
    return is_done;
}

void trace_worst_frames_destroy(struct trace_worst_frames *worst)
{
    free(worst->columns);
    free(worst->asked);
    *worst = (struct trace_worst_frames){0};
}

uint32_t trace_worst_index(const struct trace_worst_frames *worst, uint32_t column)
{
    uint32_t low = 0, high = worst->asked_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (worst->asked[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
