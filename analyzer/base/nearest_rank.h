/* Percentiles by the nearest rank: always a value that was measured, and where it came from.
 * Private to the analyzer. */
#ifndef TRACE_NEAREST_RANK_H
#define TRACE_NEAREST_RANK_H

#include <stdint.h>

struct trace_ranked {
    int64_t value;
    uint64_t source; /* which frame or slice it came from */
};

/* Which of `count` values in rising order is the smallest that at least `per_mille` of all do not
 * exceed; the first one of 0. 0 when there are none. */
static inline uint64_t trace_nearest_index(uint64_t count, uint32_t per_mille)
{
    uint64_t whole = count / 1000 * per_mille;
    uint64_t rank = whole + (count % 1000 * per_mille + 999) / 1000;
    return rank == 0 ? 0 : rank - 1;
}

/* By value, equal ones by source. */
void trace_ranked_sort(struct trace_ranked *values, uint32_t count);

/* The value at a rank, without sorting all of them: they are put into another order. 0 of none. */
int64_t trace_rank_select(int64_t *values, uint32_t count, uint32_t per_mille);

/* Of `count` sorted values, at least one. Of its equals it is the one with the lowest source. */
struct trace_ranked trace_ranked_at(const struct trace_ranked *sorted, uint32_t count,
                                    uint32_t per_mille);

#endif
