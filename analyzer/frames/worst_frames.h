/* The longest frames of each window. Private to the analyzer. */
#ifndef TRACE_WORST_FRAMES_H
#define TRACE_WORST_FRAMES_H

#include "frame_list.h"

/* All zero is none. */
struct trace_worst_frames {
    uint32_t *columns;                  /* by window and rank: of the list */
    uint32_t counts[TRACE_MAX_WINDOWS]; /* by window */
    uint32_t most;                      /* of a window */
    uint32_t *asked;                    /* all of them once: columns that rise */
    uint32_t asked_count;
};

/* The `most` longest of each of the plan's windows, the longest first, then by number. False when
 * there is no memory; release it all the same. */
bool trace_worst_frames_create(struct trace_worst_frames *worst,
                               const struct trace_frame_list *list,
                               const struct trace_pass_plan *plan, uint32_t most);
void trace_worst_frames_destroy(struct trace_worst_frames *worst);

static inline uint32_t trace_worst_column(const struct trace_worst_frames *worst, uint32_t window,
                                          uint32_t rank)
{
    return worst->columns[(size_t)window * worst->most + rank];
}

/* Where a column is among those asked for; it is. */
uint32_t trace_worst_index(const struct trace_worst_frames *worst, uint32_t column);

#endif
