/* Puts into tables how long the frames of domains were. Private to the analyzer. */
#ifndef TRACE_FRAME_DISTRIBUTION_H
#define TRACE_FRAME_DISTRIBUTION_H

#include "frame_list.h"
#include "frame_percentiles.h"
#include "report.h"

/* The tables that are filled, by index. */
struct trace_distribution_tables {
    size_t domains, percentiles, bins, others;
};

/* A row for each window of a domain, and seven for its percentiles. `budget_ns` 0: none was given;
 * `losses` are those of all tracks that count.
 * Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status
trace_put_frame_times(struct trace_report *report, struct trace_distribution_tables tables,
                      const struct trace_model *model, const struct trace_pass_plan *plan,
                      const struct trace_track_losses *losses, uint32_t domain, int64_t budget_ns);

/* The bins of a window of the plan's domain. */
void trace_put_frame_bins(struct trace_report *report, struct trace_distribution_tables tables,
                          const struct trace_pass_plan *plan, const struct trace_frame_list *list,
                          uint32_t window);

/* How many frames of each other domain begin in a frame of the plan's domain in a window. */
void trace_put_other_domains(struct trace_report *report, struct trace_distribution_tables tables,
                             const struct trace_model *model, const struct trace_pass_plan *plan,
                             const struct trace_frame_list *list, uint32_t window);

/* The frames of other domains that overlap one, a row for each domain. `window` is the name of a
 * window that stands first; NULL: there is no such column. */
void trace_put_overlap(struct trace_report *report, size_t table, const struct trace_model *model,
                       uint32_t domain, uint32_t frame, const struct trace_text *window);

#endif
