/* The sites, paths or categories of a model with their sums in each window, in the order in which
 * reports list them. Private to the analyzer. */
#ifndef TRACE_SUBJECT_TOTALS_H
#define TRACE_SUBJECT_TOTALS_H

#include "selection.h"

/* Over all rows of a subject in a window. */
struct trace_total {
    struct trace_sums sums;
    double calls_per_frame;        /* each row's calls divided by its frames, added up */
    double exclusive_per_frame_ns; /* likewise */
    double inclusive_per_frame_ns; /* likewise */
    uint64_t nested_calls;         /* of scopes directly inside its slices */
    bool has_frames;
};

struct trace_subject {
    uint32_t index; /* of the site, path or category; of no category: their number */
    bool is_waiting;
    uint32_t sites; /* of a category: those that are shown and have slices */
    uint32_t first; /* of its totals, one for each window */
};

/* What the rows are of: sites, or ... */
enum trace_subject_kind { TRACE_SUBJECT_SITE, TRACE_SUBJECT_PATH, TRACE_SUBJECT_CATEGORY };

/* All zero is none. */
struct trace_subjects {
    const struct trace_model *model;
    enum trace_subject_kind kind;
    struct trace_subject *items;
    struct trace_total *totals;
    uint32_t count;
    uint32_t waiting; /* how many of them wait: the last ones */
    uint32_t windows;
    bool is_by_frame; /* all windows have frames: what is per frame decides the order */
    uint32_t parts[TRACE_MAX_WINDOWS]; /* which index of model->windows a window's sums are of */
};

/* The category that a site's time is in: its index, or the number of categories for none. */
uint32_t trace_subject_category(const struct trace_model *model, uint32_t site);

/* Whether no site of the path's category that is shown is among its ancestors. */
bool trace_is_outermost_in_category(const struct trace_model *model,
                                    const struct trace_chosen *chosen, uint32_t path);

/* Which part of each window reports show: its complete frames, or the rest of it when nothing
 * begins in such a frame. */
void trace_choose_parts(const struct trace_model *model, uint32_t parts[TRACE_MAX_WINDOWS]);

/* Those that are shown and have slices in a window. First those that work and then those that wait,
 * each by what `sort` says; equal ones by name. Paths and categories need the model's rows of
 * paths. False when there is no memory; release it all the same. */
bool trace_subjects_create(const struct trace_model *model, const struct trace_chosen *chosen,
                           enum trace_subject_kind kind, enum trace_summarize_sort sort,
                           struct trace_subjects *subjects);
void trace_subjects_destroy(struct trace_subjects *subjects);

static inline const struct trace_total *trace_subject_total(const struct trace_subjects *subjects,
                                                            const struct trace_subject *subject,
                                                            uint32_t window)
{
    return &subjects->totals[(size_t)subject->first + window];
}

#endif
