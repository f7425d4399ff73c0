/* What is missing in a capture, as rows of reports. Private to the analyzer. */
#ifndef TRACE_REPORT_LOSSES_H
#define TRACE_REPORT_LOSSES_H

#include "model.h"
#include "report.h"

#define TRACE_LOSS_COLUMNS 10
extern const struct trace_column trace_loss_columns[TRACE_LOSS_COLUMNS];

/* A row each, in the order of the model; or of the `top` largest (0: all) when there are more, and
 * a note of that. */
void trace_put_losses(struct trace_report *report, size_t table, const struct trace_model *model,
                      uint32_t top);

/* One of them. */
void trace_put_loss(struct trace_report *report, size_t table, const struct trace_model *model,
                    const struct trace_loss *loss);

/* The same added up for each track and cause, from the first to the last. False when there is no
 * memory. */
bool trace_put_loss_sums(struct trace_report *report, size_t table,
                         const struct trace_model *model);

#endif
