/* Since when each counter of each track adds up: what its next event tells was counted from there
 * on. Private to the analyzer. */
#ifndef TRACE_COUNTER_TIMES_H
#define TRACE_COUNTER_TIMES_H

#include <stdint.h>

/* Of one counter on one track. */
struct trace_counter_time {
    uint64_t key;     /* the track's index and the site's, + 1; 0: the place is free */
    int64_t since_ns; /* of its last event */
    uint32_t gaps;    /* of its track, at that event */
};

/* All zero is an empty map. */
struct trace_counter_times {
    struct trace_counter_time *entries;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t count;
};

/* The entry of a counter, made with `fresh` when it is the first time. NULL when there is no
 * memory. Valid until the next call. */
struct trace_counter_time *trace_counter_times_get(struct trace_counter_times *times,
                                                   uint32_t track, uint32_t site,
                                                   struct trace_counter_time fresh);

/* Releases the memory and leaves an empty map. */
void trace_counter_times_clear(struct trace_counter_times *times);

#endif
