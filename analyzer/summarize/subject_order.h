/* In which order subjects are listed. Private to the analyzer. */
#ifndef TRACE_SUBJECT_ORDER_H
#define TRACE_SUBJECT_ORDER_H

#include "subject_totals.h"

/* First those that work, then those that wait; each by the largest value in any window, falling,
 * then by name. The order is the same whatever order the paths of a model have. False when there is
 * no memory. */
bool trace_subjects_sort(struct trace_subjects *subjects, enum trace_summarize_sort sort);

#endif
