/* What would have kept what a recording lost: the setting, what it was, and what to try. Private to
 * the analyzer. */
#ifndef TRACE_LOSS_REMEDY_H
#define TRACE_LOSS_REMEDY_H

#include "lcap_records.h"
#include "model.h"

#define TRACE_REMEDY_SIZE 240u

/* The end of a line about events that were lost for a cause, all tracks together; empty when there
 * is nothing to advise. */
const char *trace_loss_remedy(uint32_t cause, const struct lcap_counts *counts,
                              const struct trace_model *model, char remedy[TRACE_REMEDY_SIZE]);

/* The end of a line about what the recorder saw: of a setting that its text names, what it was and
 * what to try. Empty when it names none, or the capture does not tell it. */
const char *trace_diagnostic_remedy(const struct trace_diagnostic *diagnostic,
                                    const struct trace_model *model,
                                    char remedy[TRACE_REMEDY_SIZE]);

/* So many bytes in whole MiB, at least as many. */
uint64_t trace_whole_mib(uint64_t bytes);

#endif
