/* The columns of the tree report. Private to the analyzer. */
#ifndef TRACE_TREE_COLUMNS_H
#define TRACE_TREE_COLUMNS_H

#include "report.h"

#define TRACE_TREE_COLUMNS        28
#define TRACE_TREE_WINDOW_COLUMNS 11
extern const struct trace_column trace_tree_columns[TRACE_TREE_COLUMNS];
extern const struct trace_column trace_tree_window_columns[TRACE_TREE_WINDOW_COLUMNS];

#endif
