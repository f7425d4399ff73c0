/* Bins for durations, chosen so that the few long ones are seen beside the many short ones. Private
 * to the analyzer. */
#ifndef TRACE_HISTOGRAM_H
#define TRACE_HISTOGRAM_H

#include <stdint.h>

#define TRACE_MAX_BINS 40u

/* Bin i is from edges[i] on, and before edges[i + 1]. */
struct trace_histogram {
    int64_t edges[TRACE_MAX_BINS + 1];
    uint64_t counts[TRACE_MAX_BINS];
    uint32_t count; /* of bins */
};

/* Empty bins for values from min to max, not negative: of one width where the values are near each
 * other, else of one ratio; the edges are round numbers. */
void trace_histogram_start(struct trace_histogram *histogram, int64_t min, int64_t max);

/* Counts a value from min to max. */
void trace_histogram_add(struct trace_histogram *histogram, int64_t value);

#endif
