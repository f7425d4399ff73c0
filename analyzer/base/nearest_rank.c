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

static void swap(int64_t *a, int64_t *b)
{
    int64_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Hoare's way: halves what may hold the value. */
int64_t trace_rank_select(int64_t *values, uint32_t count, uint32_t per_mille)
{
    uint32_t low = 0, high = count == 0 ? 0 : count - 1;
    uint32_t rank = (uint32_t)trace_nearest_index(count, per_mille);
    while (low < high) {
        int64_t pivot = values[low + (high - low) / 2];
        uint32_t left = low, right = high;
        for (;;) {
            while (values[left] < pivot)
                left++;
            while (values[right] > pivot)
                right--;
            if (left >= right)
                break;
            swap(&values[left++], &values[right--]);
        }
        /* All up to `right` are at most the pivot, all behind it at least. */
        if (rank <= right)
            high = right;
        else
            low = right + 1;
    }
    return count == 0 ? 0 : values[low];
}
