/* The columns of the report "frames". Private to the analyzer. */
#ifndef TRACE_FRAMES_COLUMNS_H
#define TRACE_FRAMES_COLUMNS_H

#include "report.h"

/* What statistics of one frame, and what those beside them, are of. */
#define TRACE_OF_FRAME "the frame"
#define TRACE_OF_USUAL "complete frames of the window, without those that a loss overlaps"

/* A scope in a frame beside its median, in the reports "frames" and "explain". */
#define TRACE_EXCESS_COLUMNS                                                                       \
    {.name = "excess_ns",                                                                          \
     .title = "excess",                                                                            \
     .type = TRACE_TYPE_INTEGER,                                                                   \
     .unit = TRACE_UNIT_NANOSECONDS,                                                               \
     .window = TRACE_OF_FRAME,                                                                     \
     .description = "own_ns less median_ns; null without a median."},                              \
        {.name = "own_ns",                                                                         \
         .title = "own time",                                                                      \
         .type = TRACE_TYPE_INTEGER,                                                               \
         .unit = TRACE_UNIT_NANOSECONDS,                                                           \
         .window = TRACE_OF_FRAME,                                                                 \
         .description = "Exclusive time of the scope in the frame, summed over tracks."},          \
        {.name = "median_ns",                                                                      \
         .title = "median",                                                                        \
         .type = TRACE_TYPE_INTEGER,                                                               \
         .unit = TRACE_UNIT_NANOSECONDS,                                                           \
         .window = TRACE_OF_USUAL,                                                                 \
         .description =                                                                            \
             "The median of its own time per frame, frames without it counted as 0; null "         \
             "when there are no such frames."},                                                    \
        {.name = "calls",                                                                          \
         .title = "calls",                                                                         \
         .type = TRACE_TYPE_INTEGER,                                                               \
         .unit = TRACE_UNIT_COUNT,                                                                 \
         .window = TRACE_OF_FRAME,                                                                 \
         .description = "Slices that begin in the frame."},                                        \
        {.name = "median_calls",                                                                   \
         .title = "median",                                                                        \
         .type = TRACE_TYPE_INTEGER,                                                               \
         .unit = TRACE_UNIT_COUNT,                                                                 \
         .window = TRACE_OF_USUAL,                                                                 \
         .description = "The median of its calls per frame, likewise."},                           \
    {                                                                                              \
        .name = "cause", .title = "cause", .type = TRACE_TYPE_TEXT,                                \
        .description =                                                                             \
            "more work: at least three quarters of the excess are more calls of the usual "        \
            "length; slower work: at least three quarters are not; both; or waiting; null "        \
            "without a median, but for waiting."                                                   \
    }

extern const struct trace_column trace_frames_domain_columns[11];
extern const struct trace_column trace_frames_percentile_columns[6];
extern const struct trace_column trace_frames_bin_columns[5];
extern const struct trace_column trace_frames_worst_columns[18];
extern const struct trace_column trace_frames_scope_columns[13];
extern const struct trace_column trace_frames_absent_columns[7];
extern const struct trace_column trace_frames_other_columns[6];
extern const struct trace_column trace_frames_overlap_columns[7];

#endif
