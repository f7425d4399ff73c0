/* Collects the marks of a frame domain into its frames. Private to the analyzer. */
#ifndef TRACE_FRAME_TABLE_H
#define TRACE_FRAME_TABLE_H

#include "model.h"

/* Adds a mark, in any order, that was set on a track, or on one that is not known. False when there
 * is no memory. */
bool trace_frame_table_add(struct trace_domain *domain, uint64_t number, int64_t begin_ns,
                           uint32_t track);

/* Sorts the frames by number, drops a number that came twice, makes the times rise, and counts.
 * Frames that the model's window does not hold as a whole are not complete. */
void trace_frame_table_finish(struct trace_domain *domain, const struct trace_model *model);

/* The index of the first frame whose number is not below `number`; that behind the last one when
 * there is none. */
uint32_t trace_frame_table_search(const struct trace_domain *domain, uint64_t number);

/* The index of the frame in which a time lies, also of the last, incomplete one; TRACE_NONE before
 * the first mark. */
uint32_t trace_frame_table_find(const struct trace_domain *domain, int64_t time_ns);

/* The track that set most of the domain's marks, of several the one with the lowest index;
 * TRACE_NONE when it is known of none. False when there is no memory. */
bool trace_domain_find_marker(const struct trace_domain *domain, uint32_t *track);

#endif
