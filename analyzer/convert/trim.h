/* Cuts a span of time out of a capture. Private to the analyzer. */
#ifndef TRACE_TRIM_H
#define TRACE_TRIM_H

#include "capture.h"
#include "trace.h"

/* Writes what happened from `from_ns` on, before `to_ns`, as a capture of its own; what lies
 * outside the capture is nothing. `window` is told in it. `*has_any` is set to whether any event,
 * open scope or work of a GPU is in it. Errors: ARGUMENT (nothing is left),
 * OPEN, MEMORY, LIMIT (what no recorder makes), WRITE. */
LUDUS_CHECKED enum ludus_status trace_trim_capture(struct trace_capture *capture, int64_t from_ns,
                                                   int64_t to_ns, const char *window,
                                                   struct trace_output output, bool *has_any,
                                                   struct ludus_error *error);

#endif
