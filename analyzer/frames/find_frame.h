/* Finds the frame that somebody asks for by its number. Private to the analyzer. */
#ifndef TRACE_FIND_FRAME_H
#define TRACE_FIND_FRAME_H

#include "model.h"

/* The index of a complete frame. Errors: ARGUMENT: there is no such frame, or it is not complete;
 * the message says why, and which there are. */
LUDUS_CHECKED enum ludus_status trace_find_frame(const struct trace_domain *domain, uint64_t number,
                                                 uint32_t *frame, struct ludus_error *error);

#endif
