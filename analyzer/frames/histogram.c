/* Chooses and fills bins. */
#include "histogram.h"

#include <stdbool.h>
#include <stddef.h>

/* As many as fit on a screen beside what else is said of frames. */
#define WANTED_BINS 10

/* Bins of one width make up to this ratio of the largest value to the smallest. */
#define NEAR_RATIO 3

/* No bin is finer than this part of the largest value: edges must look different. */
#define FINEST_BIN 1000

/* Round numbers of a decade, in hundredths, finer to coarser. */
struct series {
    int64_t steps[10];
    uint32_t count;
};
static const struct series all_series[] = {
    {{100, 125, 160, 200, 250, 315, 400, 500, 630, 800}, 10},
    {{100, 160, 250, 400, 630}, 5},
    {{100, 200, 500}, 3},
    {{100}, 1},
};

/* The smallest round number that is not below `value`. */
static int64_t round_up(int64_t value)
{
    static const int64_t steps[] = {1, 2, 5};
    for (int64_t decade = 1;; decade *= 10) {
        for (size_t i = 0; i < 3; i++)
            if (steps[i] * decade >= value)
                return steps[i] * decade;
        if (decade > INT64_MAX / 100)
            return INT64_MAX / 2;
    }
}

static void set_even_edges(struct trace_histogram *histogram, int64_t min, int64_t max)
{
    int64_t width = round_up((max - min) / WANTED_BINS + max / FINEST_BIN + 1);
    histogram->edges[0] = min - min % width;
    do {
        int64_t *edges = &histogram->edges[histogram->count++];
        edges[1] = edges[0] > INT64_MAX - width ? INT64_MAX : edges[0] + width;
    } while (histogram->edges[histogram->count] <= max && histogram->count < TRACE_MAX_BINS);
}

/* False when they are too many. */
static bool set_series_edges(struct trace_histogram *histogram, const struct series *series,
                             int64_t min, int64_t max)
{
    int64_t decade = 1;
    histogram->edges[0] = 0;
    histogram->count = 0;
    for (;;) {
        for (uint32_t i = 0; i < series->count; i++) {
            /* Below 100 the edges of a fine series fall together. */
            int64_t edge =
                decade < 100 ? series->steps[i] * decade / 100 : series->steps[i] * (decade / 100);
            if (edge <= histogram->edges[histogram->count])
                continue;
            if (edge <= min) {
                histogram->edges[0] = edge;
                continue;
            }
            if (histogram->count == WANTED_BINS + 2)
                return false;
            histogram->edges[++histogram->count] = edge;
            if (edge > max)
                return true;
        }
        if (decade > INT64_MAX / 10000) {
            histogram->edges[++histogram->count] = INT64_MAX;
            return true;
        }
        decade *= 10;
    }
}

void trace_histogram_start(struct trace_histogram *histogram, int64_t min, int64_t max)
{
    *histogram = (struct trace_histogram){.count = 0};
    if (max / NEAR_RATIO < min || max < WANTED_BINS) {
        set_even_edges(histogram, min, max);
        return;
    }
    for (size_t i = 0; i < sizeof all_series / sizeof all_series[0]; i++)
        if (set_series_edges(histogram, &all_series[i], min, max))
            return;
}

void trace_histogram_add(struct trace_histogram *histogram, int64_t value)
{
    uint32_t bin = 0;
    while (bin + 1 < histogram->count && value >= histogram->edges[bin + 1])
        bin++;
    histogram->counts[bin]++;
}
