/* The categories of a capture, as a table of a report. Private to the analyzer. */
#ifndef TRACE_REPORT_CATEGORIES_H
#define TRACE_REPORT_CATEGORIES_H

#include "model.h"
#include "report.h"

#define TRACE_CATEGORY_COLUMNS 3
extern const struct trace_column trace_category_columns[TRACE_CATEGORY_COLUMNS];

/* A row each; in a note, those that were switched at the start and that no site has. False when
 * there is no memory. */
bool trace_put_categories(struct trace_report *report, size_t table,
                          const struct trace_model *model);

#endif
