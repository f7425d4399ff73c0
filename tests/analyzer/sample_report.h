/* A report of two tables, "losses" and "items", with a cell of every kind. It is the only one that
 * the program has. */
#ifndef SAMPLE_REPORT_H
#define SAMPLE_REPORT_H

#include "memory_sink.h"
#include "report.h"

extern const struct trace_column sample_report_items[5];

/* Without assertions, since those allocate. The caller destroys the report. */
enum ludus_status sample_report_make(struct trace_report **report, struct ludus_error *error);

/* The caller releases the sink. */
void sample_report_render(const struct trace_report *report, enum trace_format format,
                          const char *table, bool color, struct memory_sink *sink);

#endif
