/* Copies what is whole of a capture. Private to the analyzer. */
#ifndef TRACE_REPAIR_H
#define TRACE_REPAIR_H

#include "capture_state.h"
#include "new_capture.h"

/* What was copied. */
struct trace_repair_counts {
    uint64_t blocks;  /* of kinds that this program knows */
    uint64_t skipped; /* of others */
    uint64_t events;
};

/* Walks over all of the file that `reader` begins to read, and writes its good blocks; `capture` is
 * the same file, of which all losses are known by a pass. Shows everything else to `fault`. Errors:
 * those of lcap_reader_next. What failed in writing is kept by the writer. */
LUDUS_CHECKED enum ludus_status
trace_repair_copy(const struct trace_capture *capture, struct lcap_reader *reader,
                  struct trace_new_capture *writer, struct trace_repair_counts *counts,
                  void (*fault)(void *context, const struct lcap_item *item), void *context);

#endif
