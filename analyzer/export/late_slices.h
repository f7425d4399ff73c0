/* Slices that a pass shows behind ones that began later, since they outlast a block of the file:
 * kept in order, in a temporary file when they are many. Private to the analyzer. */
#ifndef TRACE_LATE_SLICES_H
#define TRACE_LATE_SLICES_H

#include "visitor.h"

struct trace_late_slices;

/* Makes the list empty; nothing is opened before the first one is put in. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status trace_late_slices_create(struct trace_late_slices **late,
                                                         struct ludus_error *error);
void trace_late_slices_destroy(struct trace_late_slices *late); /* NULL is allowed */

/* Puts one in, in any order. False when it fails: trace_late_slices_failure says why. */
bool trace_late_slices_add(struct trace_late_slices *late, const struct trace_slice *slice);

/* The next slice in order of id, once all are in, without taking it; NULL behind the last, and when
 * it fails. */
const struct trace_slice *trace_late_slices_next(struct trace_late_slices *late);
bool trace_late_slices_take(struct trace_late_slices *late);

/* LUDUS_OK, or what failed first. */
LUDUS_CHECKED enum ludus_status trace_late_slices_failure(struct trace_late_slices *late,
                                                          struct ludus_error *error);

#endif
