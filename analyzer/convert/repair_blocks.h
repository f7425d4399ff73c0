/* What a capture that is made of another one says of the other's damage. Private to the analyzer.
 */
#ifndef TRACE_REPAIR_BLOCKS_H
#define TRACE_REPAIR_BLOCKS_H

#include "capture_state.h"
#include "new_capture.h"

/* All that is left out of a copy of the capture, and what was before: nothing when it is whole. */
struct lcap_repair trace_repair_facts(const struct trace_capture *capture);

/* Writes them, when there are any. */
void trace_put_repair(struct trace_new_capture *writer, const struct lcap_repair *facts);

/* Writes what damage took between the two times, both inclusive: a record for each loss of it that
 * the capture's model has. */
void trace_put_lost(struct trace_new_capture *writer, const struct trace_model *model,
                    int64_t from_ns, int64_t to_ns);

#endif
