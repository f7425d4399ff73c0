/* The sites of a model with their sums over all tracks, in the order in which reports list them.
 * Private to the analyzer. */
#ifndef TRACE_SITE_ORDER_H
#define TRACE_SITE_ORDER_H

#include "model.h"

struct trace_site_total {
    struct trace_sums sums;        /* over all rows of the site in the window */
    double calls_per_frame;        /* each row's calls divided by its frames, added up */
    double exclusive_per_frame_ns; /* likewise */
    double inclusive_per_frame_ns; /* likewise */
    uint64_t nested_calls;         /* of scopes directly inside its slices */
    uint32_t site;                 /* index */
    bool has_frames;
};

/* The sites that have calls in the window, by falling exclusive time (per frame where there are
 * frames), then by name. The caller frees `*totals`. False when there is no memory. */
bool trace_site_totals(const struct trace_model *model, uint32_t window,
                       struct trace_site_total **totals, uint32_t *count);

#endif
