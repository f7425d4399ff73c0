/* Frames in the order of time, for a chart: many of them in bins, each with its shortest and its
 * longest, so that no hitch disappears. Private to the analyzer. */
#ifndef TRACE_REPORT_BINS_H
#define TRACE_REPORT_BINS_H

#include "input.h"
#include "report.h"

extern const struct trace_report_type trace_report_bins_type;

/* The frames of the selection's domain in its windows, which are there (trace_expect_frames).
 * Errors: those of trace_chosen_create, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_report_bins(struct trace_input *input,
                                                  const struct trace_selection *selection,
                                                  int64_t budget_ns, struct trace_report **report,
                                                  struct ludus_error *error);

#endif
