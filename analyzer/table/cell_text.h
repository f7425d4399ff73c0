/* How one cell of a report looks to people. Private to the analyzer. */
#ifndef TRACE_CELL_TEXT_H
#define TRACE_CELL_TEXT_H

#include "report.h"
#include "text_buffer.h"

/* Appends the cell: durations and sizes with four significant digits and a unit chosen for each,
 * positions with all,
 * counts with a comma at the thousands, percentages with their sign, names with control characters
 * made visible, null as "-". */
void trace_append_cell(struct trace_text_buffer *buffer, const struct trace_column *column,
                       const struct trace_cell *cell);

/* Appends the cells of a row that people are shown, ": " between them. */
void trace_append_list_row(struct trace_text_buffer *buffer, const struct trace_report *report,
                           size_t table, size_t row);

/* Whether cells of the column stand at its right side. */
bool trace_is_number(const struct trace_column *column);

#endif
