/* What a comparison found, in words. Private to the analyzer. */
#ifndef TRACE_DIFF_WORDS_H
#define TRACE_DIFF_WORDS_H

#include "comparison.h"
#include "text_buffer.h"

/* "base" or "candidate", static. */
const char *trace_side_word(enum trace_side side);

/* Such as "regression", static; NULL of what is not judged. */
const char *trace_finding_word(enum trace_finding finding);

/* The names of a key from the outermost caller in, " > " between them. */
void trace_append_names(struct trace_text_buffer *text, const struct trace_scope_keys *keys,
                        uint32_t key);

/* The same, and file and category behind names that do not tell keys apart: "Step (b.c, Sim)". */
void trace_append_key(struct trace_text_buffer *text, const struct trace_scope_keys *keys,
                      uint32_t key);

/* The key, and of what it is where that is not the track that marks frames: "GPU pass Shadow". */
void trace_append_compared(struct trace_text_buffer *text,
                           const struct trace_comparison *comparison,
                           const struct trace_compared *item);

/* Why the time changed: "more calls: 3.00 -> 4.00", "5.0 % slower calls", or both. Nothing when it
 * did not. GPU work has passes or frames, and no calls. */
void trace_append_why(struct trace_text_buffer *text, const struct trace_compared *item);

/* The same of hitches: "0.20 -> 3.40 in 1,000" frames. */
void trace_append_hitches(struct trace_text_buffer *text,
                          const struct trace_comparison *comparison);

/* "8.20 ms -> 8.61 ms (+5.0 %)". */
void trace_append_change(struct trace_text_buffer *text, double base_ns, double candidate_ns);

/* The value and the budget that it exceeds or holds: "2.31 ms of 2.00 ms". */
void trace_append_budget(struct trace_text_buffer *text, const struct trace_budget *budget);

/* A time, as tables show it. */
void trace_append_time(struct trace_text_buffer *text, double time_ns);

#endif
