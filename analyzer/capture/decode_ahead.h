/* Decodes the events blocks of a capture in file order, on more than one processor when there is
 * one: threads decode blocks ahead of the one who takes them. Private to the analyzer. */
#ifndef TRACE_DECODE_AHEAD_H
#define TRACE_DECODE_AHEAD_H

#include "capture_state.h"

struct trace_decode_ahead;

/* How many threads beside the caller are worth their while for so many blocks: one for each other
 * processor that the calling thread may use, at most 3; none for a few blocks. */
uint32_t trace_decode_ahead_helpers(uint32_t block_count);

/* Begins with the first events block that the capture has now. With a thread that cannot be started
 * it goes on without it. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status trace_decode_ahead_create(const struct trace_capture *capture,
                                                          uint32_t helpers,
                                                          struct trace_decode_ahead **ahead);

/* Ends the threads, wherever they are; NULL is allowed. */
void trace_decode_ahead_destroy(struct trace_decode_ahead *ahead);

/* The next block, with its events, or NULL for them when it is damage. Both are valid until the
 * next call. LUDUS_END behind the last one. Errors: those of lcap_reader_read for this block. */
LUDUS_CHECKED enum ludus_status trace_decode_ahead_next(struct trace_decode_ahead *ahead,
                                                        struct lcap_item *item,
                                                        const struct lcap_events **events);

#endif
