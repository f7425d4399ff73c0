/* Where the texts of a report's cells and notes live: chunks that are released at once. Private to
 * the analyzer. */
#ifndef TRACE_REPORT_TEXTS_H
#define TRACE_REPORT_TEXTS_H

#include <stddef.h>

struct trace_text_chunk;

/* All zero is none. */
struct trace_report_texts {
    struct trace_text_chunk *first;
};

/* Room for `size` bytes until the texts are released; NULL when there is none. */
char *trace_report_texts_allocate(struct trace_report_texts *texts, size_t size);

/* Forgets all texts and keeps a chunk for the next ones. */
void trace_report_texts_reuse(struct trace_report_texts *texts);

void trace_report_texts_release(struct trace_report_texts *texts);

#endif
