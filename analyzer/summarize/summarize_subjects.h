/* What the rows of sites, paths or categories are put with. Private to the files that do it. */
#ifndef TRACE_SUMMARIZE_SUBJECTS_H
#define TRACE_SUMMARIZE_SUBJECTS_H

#include "path_text.h"
#include "recording_cost.h"
#include "summarize.h"
#include "text_buffer.h"

struct subject_rows {
    struct trace_summary *summary;
    struct trace_subjects subjects;
    struct trace_recording_cost cost;
    size_t table;
    struct trace_path_texts texts; /* of paths */
    struct trace_text_buffer names;
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

/* Puts the name of a category that is a subject, or null for that of none. */
void trace_put_subject_category(struct trace_report *report, const struct trace_model *model,
                                uint32_t category);

/* Whether a track with slices lost frames of a window. */
bool trace_summary_has_lost_frames(const struct trace_summary *summary);

/* Sum and union of `count` subjects, told by their places in the order and by their indexes, and of
 * all scopes. Errors: those of trace_slice_unions. */
LUDUS_CHECKED enum ludus_status trace_summarize_unions(struct subject_rows *rows,
                                                       const uint32_t *listed,
                                                       const uint32_t *indexes, uint32_t count,
                                                       struct ludus_error *error);

/* Says which rows are listed, what they are of and divided by, and what is short. `work` and
 * `waits` are how many are shown. */
void trace_note_subjects(struct subject_rows *rows, uint32_t work, uint32_t waits);

#endif
