/* Text that grows while it is put together, with a failure that is checked once. Private to the
 * analyzer. */
#ifndef TRACE_TEXT_BUFFER_H
#define TRACE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Starts zeroed. `data` is not zero-terminated, and NULL while nothing was added. */
struct trace_text_buffer {
    char *data;
    size_t size;
    size_t capacity;
    bool has_failed; /* memory was short: the text is not complete */
};

void trace_text_buffer_append(struct trace_text_buffer *buffer, const char *bytes, size_t size);

/* Appends a short text: what is longer than 255 bytes is cut. */
void trace_append_format(struct trace_text_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Empties it and keeps its memory. A failure stays. */
void trace_text_buffer_clear(struct trace_text_buffer *buffer);
void trace_text_buffer_release(struct trace_text_buffer *buffer);

/* Appends a text of any bytes so that a terminal shows all of it and obeys none of it: control
 * characters become \n, \t, \xHH, those that reorder or hide text \uHHHH, bytes that are not UTF-8
 * U+FFFD. For people: a backslash stands for itself, so it is not to be read back. */
void trace_append_visible(struct trace_text_buffer *buffer, const char *bytes, size_t size);

#endif
