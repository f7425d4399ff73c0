/* What reports say of a capture that holds a part of its recording: which part, why it was kept,
 * and whether it reaches as far back as was asked for; and of a window that holds nothing. Private
 * to the analyzer. */
#ifndef TRACE_REPORT_WINDOW_H
#define TRACE_REPORT_WINDOW_H

#include "model.h"
#include "report.h"
#include "selection.h"

/* Notes below a table: nothing when the capture holds its whole recording. `has_list`: the report
 * lists the triggers itself. */
void trace_note_window(struct trace_report *report, size_t table, const struct trace_model *model,
                       bool has_list);

/* Likewise: when less was kept before the first trigger, or the frame that it is about, than was
 * asked for, and how to keep more. */
void trace_note_short_window(struct trace_report *report, size_t table,
                             const struct trace_model *model);

/* The triggers, a row each. */
#define TRACE_TRIGGER_COLUMNS 7
extern const struct trace_column trace_trigger_columns[TRACE_TRIGGER_COLUMNS];
void trace_put_triggers(struct trace_report *report, size_t table, const struct trace_model *model);

/* Why a table about slices is empty. */
void trace_note_no_slices(struct trace_report *report, size_t table,
                          const struct trace_model *model, const struct trace_chosen *chosen);

#endif
