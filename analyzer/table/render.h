/* The renderers behind trace_render, and the names that they share. Private to the analyzer. */
#ifndef TRACE_RENDER_H
#define TRACE_RENDER_H

#include "byte_writer.h"
#include "json_writer.h"
#include "report.h"

/* The name of a unit in JSON and schemas; NULL for TRACE_UNIT_NONE. */
const char *trace_unit_name(enum trace_unit unit);

/* What JSON says of a column, and the value of a cell in it. */
void trace_put_json_column(struct trace_json *json, const struct trace_column *column);
void trace_put_json_cell(struct trace_json *json, const struct trace_column *column,
                         const struct trace_cell *cell);

/* Each puts a whole report, or one table of it; write failures stay in the writer. Errors of those
 * that have a status: MEMORY. */
void trace_render_json(const struct trace_report *report, struct trace_writer *writer);
void trace_render_csv(const struct trace_report *report, size_t table, struct trace_writer *writer);
LUDUS_CHECKED enum ludus_status trace_render_table(const struct trace_report *report,
                                                   const struct trace_render_options *options,
                                                   struct trace_writer *writer);
LUDUS_CHECKED enum ludus_status trace_render_markdown(const struct trace_report *report,
                                                      struct trace_writer *writer);

#endif
