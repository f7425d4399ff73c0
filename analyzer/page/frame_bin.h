/* A bin of frames in the order of time: how many they are, and which of them is the longest.
 * Private to the analyzer. */
#ifndef TRACE_FRAME_BIN_H
#define TRACE_FRAME_BIN_H

#include "column_kinds.h"

/* Bins of a chart's line, of all windows together: more than a screen has columns. */
#define TRACE_PAGE_BINS 1600u

/* A frame with its duration. */
struct trace_timed_frame {
    uint64_t number;
    int64_t begin_ns, duration_ns;
};

/* All zero is empty. */
struct trace_frame_bin {
    uint64_t first, last, longest; /* numbers of frames; the first one of several as long */
    int64_t frames, begin_ns, min_ns, max_ns;
    int64_t over; /* frames that are longer than the limit */
};

void trace_frame_bin_add(struct trace_frame_bin *bin, const struct trace_timed_frame *frame,
                         int64_t limit_ns);

/* The bin of a frame, which is the index-th of `count`. Bins, of which there are no more than
 * frames, differ by one frame at most in how many they hold. */
static inline uint64_t trace_frame_bin_of(uint64_t index, uint64_t count, uint64_t bins)
{
    return index * bins / count;
}

#define TRACE_OF_BIN "the complete frames of the bin"

/* The columns of a bin, and a row's cells in them; without a limit none is over it. */
#define TRACE_FRAME_BIN_COLUMNS(over_title, over_description)                                      \
    TRACE_NUMBER_COLUMN("first", "first", .description = "The number of the first frame."),        \
        TRACE_NUMBER_COLUMN("last", "last", .description = "The number of the last frame."),       \
        TRACE_COUNT_COLUMN("frames", "frames", .window = TRACE_OF_BIN,                             \
                           .description = "How many they are."),                                   \
        TRACE_POSITION_COLUMN("begin_ns", "begin",                                                 \
                              .description =                                                       \
                                  "When the first one begins, from the start of the recording."),  \
        TRACE_TIME_COLUMN("min_ns", "shortest", .window = TRACE_OF_BIN,                            \
                          .description = "The shortest one."),                                     \
        TRACE_TIME_COLUMN("max_ns", "longest", .window = TRACE_OF_BIN,                             \
                          .description = "The longest one."),                                      \
        TRACE_NUMBER_COLUMN("max_frame", "its number", .window = TRACE_OF_BIN,                     \
                            .description = "The number of the longest one; of the first one when " \
                                           "several are as long."),                                \
        TRACE_COUNT_COLUMN("over", over_title, .window = TRACE_OF_BIN,                             \
                           .description = over_description)
void trace_frame_bin_put(struct trace_report *report, const struct trace_frame_bin *bin,
                         bool has_limit);

#endif
