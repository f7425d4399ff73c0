/* Short forms of columns that reports often have. What follows the heading are further members of
 * struct trace_column, the description at least. Private to the analyzer. */
#ifndef TRACE_COLUMN_KINDS_H
#define TRACE_COLUMN_KINDS_H

#include "report.h"

#define TRACE_TEXT_COLUMN(column, heading, ...)                                                    \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_TEXT, __VA_ARGS__                     \
    }
/* A number that is no quantity, such as that of a frame. */
#define TRACE_NUMBER_COLUMN(column, heading, ...)                                                  \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER, __VA_ARGS__                  \
    }
#define TRACE_COUNT_COLUMN(column, heading, ...)                                                   \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER, .unit = TRACE_UNIT_COUNT,    \
        __VA_ARGS__                                                                                \
    }
#define TRACE_TIME_COLUMN(column, heading, ...)                                                    \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER,                              \
        .unit = TRACE_UNIT_NANOSECONDS, __VA_ARGS__                                                \
    }
/* When, from the session's start. */
#define TRACE_POSITION_COLUMN(column, heading, ...)                                                \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_INTEGER,                              \
        .unit = TRACE_UNIT_NANOSECONDS, .is_position = true, __VA_ARGS__                           \
    }
/* A time that was divided. */
#define TRACE_MEAN_COLUMN(column, heading, ...)                                                    \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .unit = TRACE_UNIT_NANOSECONDS, \
        .decimals = 1, __VA_ARGS__                                                                 \
    }
#define TRACE_PERCENT_COLUMN(column, heading, ...)                                                 \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .unit = TRACE_UNIT_PERCENT,     \
        .decimals = 1, __VA_ARGS__                                                                 \
    }

#endif
