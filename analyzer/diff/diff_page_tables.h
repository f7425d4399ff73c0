/* What a page shows of a comparison beside its report. The comparison was opened for a page.
 * Private to the analyzer. */
#ifndef TRACE_DIFF_PAGE_TABLES_H
#define TRACE_DIFF_PAGE_TABLES_H

#include "diff.h"
#include "report.h"

/* Whether a run has frames. */
bool trace_diff_has_frames(const struct trace_diff *diff);

/* Table "bins": the frames of each run in the order of time, TRACE_PAGE_BINS a side. */
LUDUS_CHECKED enum ludus_status trace_report_diff_bins(const struct trace_diff *diff,
                                                       struct trace_report **report,
                                                       struct ludus_error *error);

/* Table "histogram": how long the frames of both sides are; some run has frames. */
LUDUS_CHECKED enum ludus_status trace_report_diff_distribution(const struct trace_diff *diff,
                                                               struct trace_report **report,
                                                               struct ludus_error *error);

/* Table "contexts": the callers' contexts of both sides, the largest, which are a tree. */
LUDUS_CHECKED enum ludus_status trace_report_diff_contexts(const struct trace_diff *diff,
                                                           struct trace_report **report,
                                                           struct ludus_error *error);

#endif
