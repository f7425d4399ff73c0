/* Short forms of columns that the tables of comparisons have. Private to the analyzer. */
#ifndef TRACE_DIFF_COLUMN_KINDS_H
#define TRACE_DIFF_COLUMN_KINDS_H

#include "column_kinds.h"

#define TRACE_OF_RUNS "the window's complete frames, of each run of the side"
#define TRACE_PER_RUN "runs of the side"

/* A time per frame as exact as comparisons have it: whole picoseconds. */
#define TRACE_PER_FRAME_COLUMN(column, heading, ...)                                               \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .unit = TRACE_UNIT_NANOSECONDS, \
        .decimals = 3, .window = TRACE_OF_RUNS, __VA_ARGS__                                        \
    }
#define TRACE_CALLS_COLUMN(column, heading, ...)                                                   \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .unit = TRACE_UNIT_PER_FRAME,   \
        .decimals = 4, .window = TRACE_OF_RUNS, .denominator = "complete frames", __VA_ARGS__      \
    }
#define TRACE_REAL_COLUMN(column, heading, digits, ...)                                            \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .decimals = digits, __VA_ARGS__ \
    }

#define TRACE_FINDING_COLUMN                                                                       \
    TRACE_TEXT_COLUMN(                                                                             \
        "finding", "finding",                                                                      \
        .description =                                                                             \
            "regression or improvement: evident and beyond every limit; suspected or "             \
            "maybe better: beyond every limit, with too few runs for evidence; noise: "            \
            "beyond every limit, and runs of one side differ as much; few calls: beyond the "      \
            "limits of time, with fewer calls than count; same: below a limit; null: "             \
            "shown, and not judged.")

#endif
