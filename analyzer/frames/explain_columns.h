/* The columns of the report "explain". Private to the analyzer. */
#ifndef TRACE_EXPLAIN_COLUMNS_H
#define TRACE_EXPLAIN_COLUMNS_H

#include "report.h"

extern const struct trace_column trace_explain_frame_columns[16];
extern const struct trace_column trace_explain_scope_columns[13];
extern const struct trace_column trace_explain_track_columns[9];
extern const struct trace_column trace_explain_chain_columns[9];
extern const struct trace_column trace_explain_gpu_frame_columns[14];
extern const struct trace_column trace_explain_gpu_pass_columns[15];
extern const struct trace_column trace_explain_gpu_work_columns[11];
extern const struct trace_column trace_explain_value_columns[6];
extern const struct trace_column trace_explain_mark_columns[4];
extern const struct trace_column trace_explain_diagnostic_columns[5];

#endif
