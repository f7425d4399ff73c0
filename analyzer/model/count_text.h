/* Counts of events as text. Private to the analyzer. */
#ifndef TRACE_COUNT_TEXT_H
#define TRACE_COUNT_TEXT_H

#include "lcap_records.h"

#define TRACE_COUNTS_SIZE 192 /* bytes, terminating zero included */

/* Writes those that are not 0, such as "scopes 3, frame marks 1", and returns `text`. */
const char *trace_format_counts(const struct lcap_counts *counts, char text[TRACE_COUNTS_SIZE]);

/* The sorts of events that are counted, below TRACE_COUNT_SORTS: the name of one, and its count. */
#define TRACE_COUNT_SORTS 5u
const char *trace_count_name(size_t sort);
uint64_t trace_count_of(const struct lcap_counts *counts, size_t sort);

#endif
