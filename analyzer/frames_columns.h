/* The columns of the report "frames". Private to the analyzer. */
#ifndef TRACE_FRAMES_COLUMNS_H
#define TRACE_FRAMES_COLUMNS_H

#include "report.h"

extern const struct trace_column trace_frames_domain_columns[11];
extern const struct trace_column trace_frames_percentile_columns[6];
extern const struct trace_column trace_frames_bin_columns[5];
extern const struct trace_column trace_frames_worst_columns[16];
extern const struct trace_column trace_frames_scope_columns[13];
extern const struct trace_column trace_frames_absent_columns[7];
extern const struct trace_column trace_frames_other_columns[6];
extern const struct trace_column trace_frames_overlap_columns[7];

#endif
