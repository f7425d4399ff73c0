/* Sorts values and picks ranks. */
#include "nearest_rank.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const struct trace_ranked *a = left;
    const struct trace_ranked *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->source > b->source) - (a->source < b->source);
}

void trace_ranked_sort(struct trace_ranked *values, uint32_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, compare);
}

struct trace_ranked trace_ranked_at(const struct trace_ranked *sorted, uint32_t count,
                                    uint32_t per_mille)
{
    uint64_t index = trace_nearest_index(count, per_mille);
    while (index > 0 && sorted[index - 1].value == sorted[index].value)
        index--;
    return sorted[index];
}
