/* The columns of the top report, in the order of its cells. Private to the analyzer. */
#ifndef TRACE_TOP_COLUMNS_H
#define TRACE_TOP_COLUMNS_H

#include "report.h"

extern const struct trace_column trace_top_look_columns[9];
extern const struct trace_column trace_top_frame_columns[5];
extern const struct trace_column trace_top_value_columns[6];
extern const struct trace_column trace_top_site_columns[11];

#endif
