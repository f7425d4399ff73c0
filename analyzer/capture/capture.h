/* An opened capture: its file, what can be said of it without decoding events, and the pass over
 * its events that derives the rest. Private to the analyzer. */
#ifndef TRACE_CAPTURE_H
#define TRACE_CAPTURE_H

#include "pass_plan.h"
#include "visitor.h"

struct trace_capture;

/* Opens and reads everything but events. Errors: those of trace_open. */
LUDUS_CHECKED enum ludus_status trace_capture_open(const char *path, struct trace_capture **capture,
                                                   struct ludus_error *error);

/* The same without the checksums of events blocks, of which no more than the fixed part is read, in
 * a capture of more than so many bytes that shows no other damage. Then it is not for
 * trace_capture_run. The watch, which may be NULL, must outlive the capture. */
LUDUS_CHECKED enum ludus_status trace_capture_open_unverified(const char *path,
                                                              const struct trace_watch *watch,
                                                              uint64_t max_verified_bytes,
                                                              struct trace_capture **capture,
                                                              struct ludus_error *error);
bool trace_capture_is_unverified(const struct trace_capture *capture);
void trace_capture_close(struct trace_capture *capture); /* NULL is allowed */

/* The model: complete after trace_capture_run, without statistics before. Owned by the capture. */
const struct trace_model *trace_capture_model(const struct trace_capture *capture);

/* One pass over the events of the plan's tracks (NULL: of all, and everything): fills the
 * statistics, and shows every slice and instant to `visitor` (may be NULL) on the way. A further
 * pass gives the same again. Errors: OPEN, MEMORY, DAMAGED, and whatever the visitor returns (which
 * must have filled its own error). */
LUDUS_CHECKED enum ludus_status trace_capture_run(struct trace_capture *capture,
                                                  const struct trace_pass_plan *plan,
                                                  const struct trace_visitor *visitor,
                                                  struct ludus_error *error);

#endif
