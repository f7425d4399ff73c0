/* Whether threads ran: the tables about samples of the scheduler. Private to the analyzer. */
#ifndef TRACE_REPORT_RUNNING_H
#define TRACE_REPORT_RUNNING_H

#include "model.h"
#include "pass_plan.h"
#include "report.h"

#define TRACE_RUNNING_COLUMNS 8
extern const struct trace_column trace_running_columns[TRACE_RUNNING_COLUMNS];
#define TRACE_MACHINE_COLUMNS 5
extern const struct trace_column trace_machine_columns[TRACE_MACHINE_COLUMNS];

/* A row for each of the `top` sampled tracks (0: all) of those that count and were kept waiting
 * longest, these first; and in the table `notes`, which people see, notes about those that waited
 * notably. False when there is no memory. */
bool trace_put_running(struct trace_report *report, size_t table, size_t notes,
                       const struct trace_model *model, const struct trace_pass_plan *plan,
                       uint32_t top);

/* The machine's row, if it was sampled, and a note of it. */
void trace_put_machine(struct trace_report *report, size_t table, size_t notes,
                       const struct trace_model *model);

/* Notes why there are no samples of threads, when there are none. */
void trace_note_not_sampled(struct trace_report *report, size_t table,
                            const struct trace_model *model);

#endif
