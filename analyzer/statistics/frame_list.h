/* The complete frames of a domain that an answer is about, as the columns of a table. Private to
 * the analyzer. */
#ifndef TRACE_FRAME_LIST_H
#define TRACE_FRAME_LIST_H

#include "pass_plan.h"
#include "track_losses.h"

/* Columns are numbered from 0 in the order of time. */
struct trace_frame_list {
    const struct trace_domain *domain;
    uint32_t *frames;  /* by column: index of the frame in its domain */
    uint32_t *columns; /* by frame: its column, or TRACE_NONE */
    uint32_t *flags;   /* by column: bit w: lies in window w as a whole; and those below */
    uint32_t count;
    uint32_t lossless; /* bit w: window w has a frame without a loss */
};
#define TRACE_FRAME_LOST  (1u << 30) /* a loss of a track that counts overlaps it */
#define TRACE_FRAME_ASKED (1u << 31) /* it was asked for, whether it lies in a window or not */

/* The frames of the plan's domain that lie in its windows; and the frame with the index `asked`,
 * which is complete, unless that is TRACE_NONE. The model must outlive the list. False when there
 * is no memory; release it all the same. */
bool trace_frame_list_create(struct trace_frame_list *list, const struct trace_model *model,
                             const struct trace_pass_plan *plan, uint32_t asked);
/* The same, with the losses of all tracks that count, which are one for all domains. */
bool trace_frame_list_create_of(struct trace_frame_list *list, const struct trace_model *model,
                                const struct trace_pass_plan *plan,
                                const struct trace_track_losses *losses, uint32_t asked);
void trace_frame_list_destroy(struct trace_frame_list *list);

/* The column of a frame of the domain, or TRACE_NONE, also for TRACE_NONE. */
static inline uint32_t trace_frame_column(const struct trace_frame_list *list, uint32_t frame)
{
    return frame == TRACE_NONE ? TRACE_NONE : list->columns[frame];
}

static inline int64_t trace_frame_begin(const struct trace_frame_list *list, uint32_t column)
{
    return list->domain->frames[list->frames[column]].begin_ns;
}

static inline int64_t trace_frame_end(const struct trace_frame_list *list, uint32_t column)
{
    return list->domain->frames[list->frames[column] + 1].begin_ns;
}

static inline int64_t trace_frame_duration(const struct trace_frame_list *list, uint32_t column)
{
    return trace_frame_end(list, column) - trace_frame_begin(list, column);
}

static inline uint64_t trace_frame_number(const struct trace_frame_list *list, uint32_t column)
{
    return list->domain->frames[list->frames[column]].number;
}

static inline bool trace_frame_is_in(const struct trace_frame_list *list, uint32_t column,
                                     uint32_t window)
{
    return (list->flags[column] >> window & 1u) != 0;
}

/* Whether the frame counts for what is usual in a window: it lies in it, and nothing was lost in
 * it, unless something was in all of them. */
static inline bool trace_frame_is_usual(const struct trace_frame_list *list, uint32_t column,
                                        uint32_t window)
{
    uint32_t looked_at = 1u << window | (list->lossless >> window & 1u ? TRACE_FRAME_LOST : 0);
    return (list->flags[column] & looked_at) == 1u << window;
}

#endif
