/* A sink that keeps what is written, for tests; it can fail after a number of bytes. */
#ifndef TEST_MEMORY_SINK_H
#define TEST_MEMORY_SINK_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

struct memory_sink {
    char *bytes; /* zero-terminated */
    size_t size;
    size_t limit; /* a write beyond it fails */
    bool has_failed;
};

static inline enum ludus_status memory_sink_write(void *context, const char *bytes, size_t size)
{
    struct memory_sink *sink = context;

    ck_assert_msg(!sink->has_failed, "a sink is not called again once it has failed");
    if (size > sink->limit - sink->size) {
        sink->has_failed = true;
        return LUDUS_ERROR_WRITE;
    }
    sink->bytes = realloc(sink->bytes, sink->size + size + 1);
    ck_assert_ptr_nonnull(sink->bytes);
    memcpy(sink->bytes + sink->size, bytes, size);
    sink->size += size;
    sink->bytes[sink->size] = '\0';
    return LUDUS_OK;
}

static inline struct memory_sink memory_sink_make(size_t limit)
{
    return (struct memory_sink){NULL, 0, limit, false};
}

static inline struct trace_output memory_sink_output(struct memory_sink *sink)
{
    return (struct trace_output){sink, memory_sink_write};
}

static inline void memory_sink_release(struct memory_sink *sink)
{
    free(sink->bytes);
    sink->bytes = NULL;
    sink->size = 0;
}

#endif
