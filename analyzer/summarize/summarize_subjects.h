/* What the rows of sites, paths or categories are put with. Private to the files that do it. */
#ifndef TRACE_SUMMARIZE_SUBJECTS_H
#define TRACE_SUMMARIZE_SUBJECTS_H

#include "recording_cost.h"
#include "summarize.h"
#include "text_buffer.h"

struct subject_rows {
    struct trace_summary *summary;
    struct trace_subjects subjects;
    struct trace_recording_cost cost;
    size_t table;
    struct trace_text_buffer names; /* of a path */
};

/* Whether the mean of the calls says more about recording than about the scope. */
static inline bool trace_is_short(const struct subject_rows *rows, const struct trace_total *total)
{
    const struct trace_sums *sums = &total->sums;
    return rows->cost.is_known && sums->outermost_calls != 0 &&
           (double)sums->inclusive_ns / (double)sums->outermost_calls <
               TRACE_SHORT_FACTOR * rows->cost.scope_ns;
}

static inline bool trace_is_clipped(const struct trace_summary *summary)
{
    return summary->chosen.plan.attribution == TRACE_ATTRIBUTE_CLIP;
}

/* Says which rows are listed, what they are of and divided by, and what is short. `work` and
 * `waits` are how many are shown. */
void trace_note_subjects(struct subject_rows *rows, uint32_t work, uint32_t waits);

#endif
