/* Collects small writes into large ones on their way to a sink, and keeps the first failure, so
 * that those who write check once. Private to the analyzer. */
#ifndef TRACE_BYTE_WRITER_H
#define TRACE_BYTE_WRITER_H

#include <string.h>

#include "trace.h"

#define TRACE_WRITER_BYTES 65536u

/* 64 KiB: one on the stack of a call that makes an answer, never in a recursive one. */
struct trace_writer {
    struct trace_output output;
    enum ludus_status status; /* the first failure; nothing is written after it */
    size_t used;
    char buffer[TRACE_WRITER_BYTES];
};

void trace_writer_start(struct trace_writer *writer, struct trace_output output);

/* Sends what is collected; returns the first failure there was. Called once more at the end. */
LUDUS_CHECKED enum ludus_status trace_writer_flush(struct trace_writer *writer);

void trace_writer_put_large(struct trace_writer *writer, const char *bytes, size_t size);

static inline void trace_put(struct trace_writer *writer, const char *bytes, size_t size)
{
    if (size > sizeof writer->buffer - writer->used) {
        trace_writer_put_large(writer, bytes, size);
        return;
    }
    if (size > 0)
        memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
}

static inline void trace_put_byte(struct trace_writer *writer, char byte)
{
    trace_put(writer, &byte, 1);
}

static inline void trace_put_text(struct trace_writer *writer, const char *text)
{
    trace_put(writer, text, strlen(text));
}

/* Room for `size` bytes (at most TRACE_WRITER_BYTES) that the caller writes in place;
 * trace_writer_advance takes what it wrote, up to `end`. */
static inline char *trace_writer_room(struct trace_writer *writer, size_t size)
{
    if (size > sizeof writer->buffer - writer->used)
        (void)!trace_writer_flush(writer); /* its failure is kept */
    return writer->buffer + writer->used;
}

static inline void trace_writer_advance(struct trace_writer *writer, const char *end)
{
    writer->used = (size_t)(end - writer->buffer);
}

/* `count` times the byte. */
void trace_put_repeated(struct trace_writer *writer, char byte, size_t count);

#endif
