/* Rebuilds the nesting of every track from the order of its begins and ends, and adds up what the
 * model says of sites, paths and tracks. Private to the analyzer.
 *
 * Fed with decoded events blocks in file order. A track's open scopes are carried from block to
 * block; where events are missing, the open scopes that the next segment names put it right. */
#ifndef TRACE_NESTING_H
#define TRACE_NESTING_H

#include "capture.h"
#include "lcap_decode.h"
#include "pass_plan.h"
#include "path_tree.h"

struct trace_nesting;

/* `plan`, which must outlive it, may be NULL for that of everything. */
LUDUS_CHECKED enum ludus_status trace_nesting_create(struct trace_capture *capture,
                                                     const struct trace_pass_plan *plan,
                                                     const struct trace_visitor *visitor,
                                                     struct trace_nesting **nesting);
void trace_nesting_destroy(struct trace_nesting *nesting); /* NULL is allowed */

/* Follows one block, and shows the visitor what ended in it. Errors: MEMORY, the visitor's. */
LUDUS_CHECKED enum ludus_status trace_nesting_add(struct trace_nesting *nesting,
                                                  const struct lcap_events *events);

/* Ends every track: what is still open is incomplete. Fills the model's statistics. */
LUDUS_CHECKED enum ludus_status trace_nesting_finish(struct trace_nesting *nesting);

#endif
