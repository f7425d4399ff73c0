/* The columns of the summarize report, in the order of its cells. Private to the analyzer. */
#ifndef TRACE_SUMMARIZE_COLUMNS_H
#define TRACE_SUMMARIZE_COLUMNS_H

#include "report.h"

extern const struct trace_column trace_summarize_frame_columns[11];
extern const struct trace_column trace_summarize_site_columns[18];
extern const struct trace_column trace_summarize_track_columns[9];
extern const struct trace_column trace_summarize_window_columns[5];

#endif
