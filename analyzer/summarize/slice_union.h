/* How long at least one track was in a site, a path, a category, or in any scope: the union of
 * their slices over tracks, beside the sum of the same slices. Private to the analyzer. */
#ifndef TRACE_SLICE_UNION_H
#define TRACE_SLICE_UNION_H

#include "subject_totals.h"
#include "time_union.h"

/* Of a subject in a part of a window. Of slices inside one of the same subject only the outer one
 * is meant. */
struct trace_slice_union {
    uint64_t slices;     /* complete ones that begin there */
    uint64_t incomplete; /* others that do: in no time */
    int64_t sum_ns;      /* of the times that are attributed to the part */
    int64_t union_ns;    /* the time in which at least one of them runs */
};

/* What comes behind the subjects: slices that are shown, inside no other one that is; and the same
 * of scopes that do not wait. */
enum trace_union_total { TRACE_UNION_ALL, TRACE_UNION_WORK };
#define TRACE_UNION_TOTALS 2u

/* A budget of 12 MiB; a block of a file has at most 32,768 slices. */
#define TRACE_SLICE_UNION_LIMITS                                                                   \
    (struct trace_union_limits)                                                                    \
    {                                                                                              \
        .budget_bytes = (size_t)12 << 20, .stride = 2048                                           \
    }

/* Fills unions[subject * windows + window] for `count` subjects of a kind, whose indexes are given,
 * and for the totals behind them. `parts` says which part of each window is meant. What does not
 * fit into the budget is done in rounds, and in more passes; `*passes`, which may be NULL, receives
 * how many it took. The input's model has the plan's statistics afterwards. Errors: MEMORY, those
 * of trace_input_run. */
LUDUS_CHECKED enum ludus_status
trace_slice_unions(struct trace_input *input, const struct trace_chosen *chosen,
                   const uint32_t parts[TRACE_MAX_WINDOWS], enum trace_subject_kind kind,
                   const uint32_t *subjects, uint32_t count, struct trace_union_limits limits,
                   struct trace_slice_union *unions, uint32_t *passes, struct ludus_error *error);

#endif
