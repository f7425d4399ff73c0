/* The columns of the diff report. Private to the analyzer. */
#ifndef TRACE_DIFF_COLUMNS_H
#define TRACE_DIFF_COLUMNS_H

#include "report.h"

#define TRACE_DIFF_CHANGE_COLUMNS 10
extern const struct trace_column trace_diff_change_columns[TRACE_DIFF_CHANGE_COLUMNS];
#define TRACE_DIFF_BUDGET_COLUMNS 8
extern const struct trace_column trace_diff_budget_columns[TRACE_DIFF_BUDGET_COLUMNS];
#define TRACE_DIFF_REMARK_COLUMNS 2
extern const struct trace_column trace_diff_remark_columns[TRACE_DIFF_REMARK_COLUMNS];
#define TRACE_DIFF_FRAME_COLUMNS 9
extern const struct trace_column trace_diff_frame_columns[TRACE_DIFF_FRAME_COLUMNS];
#define TRACE_DIFF_HITCH_COLUMNS 10
extern const struct trace_column trace_diff_hitch_columns[TRACE_DIFF_HITCH_COLUMNS];
#define TRACE_DIFF_SCOPE_COLUMNS 23
extern const struct trace_column trace_diff_scope_columns[TRACE_DIFF_SCOPE_COLUMNS];
#define TRACE_DIFF_UNPAIRED_COLUMNS 10
extern const struct trace_column trace_diff_unpaired_columns[TRACE_DIFF_UNPAIRED_COLUMNS];
#define TRACE_DIFF_COUNTER_COLUMNS 10
extern const struct trace_column trace_diff_counter_columns[TRACE_DIFF_COUNTER_COLUMNS];
#define TRACE_DIFF_RUN_COLUMNS 14
extern const struct trace_column trace_diff_run_columns[TRACE_DIFF_RUN_COLUMNS];
#define TRACE_DIFF_VERDICT_COLUMNS 18
extern const struct trace_column trace_diff_verdict_columns[TRACE_DIFF_VERDICT_COLUMNS];

#endif
