/* How long scopes took in frames, beside how long they usually take: the frames that were asked for
 * against the median of all. What is counted is docs/numbers.md, "Hitches". Private to the
 * analyzer. */
#ifndef TRACE_FRAME_SCOPES_H
#define TRACE_FRAME_SCOPES_H

#include "frame_absence.h"
#include "frame_running.h"
#include "input.h"

/* Of how many sites medians are made: those that are largest in the frames that were asked for. */
#define TRACE_FRAME_SITES 200u

/* What that is for a report. */
#define TRACE_FRAME_MATRIX_BYTES ((size_t)16 << 20)

/* Of a scope, in one frame or in the median one. */
struct trace_scope_value {
    int64_t own_ns; /* exclusive time */
    int64_t calls;
};

/* Subjects before the sites: own times on the track that set the frame's mark. */
enum trace_frame_subject {
    TRACE_SUBJECT_WAITING, /* in scopes of a category of waiting */
    TRACE_SUBJECT_WORKING, /* in all others */
    TRACE_FIXED_SUBJECTS
};

struct trace_frame_scopes {
    uint32_t subject_count; /* with the fixed ones */
    uint32_t window_count;
    uint32_t asked_count;
    uint32_t *sites;                   /* by subject: index; TRACE_NONE of the fixed ones */
    struct trace_scope_value *medians; /* by subject, window */
    struct trace_scope_value *values;  /* by subject, frame asked for */
    uint32_t *medians_of;              /* by window: of how many frames they are */
    uint32_t left_out; /* bit w: in window w they are not of the frames that a loss overlaps */
    bool is_limited;   /* more than TRACE_FRAME_SITES sites ran in the frames asked for */
};

/* What is to be found out. */
struct trace_frame_question {
    struct trace_input *input;
    const struct trace_model *model;
    const struct trace_pass_plan *plan;
    const struct trace_frame_list *list;
    const uint32_t *asked; /* columns of the list, rising */
    uint32_t asked_count;
    struct trace_frame_absence *absence; /* filled on the way; or NULL */
    struct trace_frame_running *running; /* likewise */
    size_t matrix_bytes;                 /* what a matrix of values by scope and frame may take */
};

/* Makes the passes that it takes over the input. Errors: those of trace_input_run. */
LUDUS_CHECKED enum ludus_status
trace_frame_scopes_create(struct trace_frame_scopes *scopes,
                          const struct trace_frame_question *question, struct ludus_error *error);
void trace_frame_scopes_destroy(struct trace_frame_scopes *scopes);

static inline const struct trace_scope_value *
trace_scope_median(const struct trace_frame_scopes *scopes, uint32_t subject, uint32_t window)
{
    return &scopes->medians[(size_t)subject * scopes->window_count + window];
}

static inline const struct trace_scope_value *
trace_scope_value(const struct trace_frame_scopes *scopes, uint32_t subject, uint32_t asked)
{
    return &scopes->values[(size_t)subject * scopes->asked_count + asked];
}

#endif
