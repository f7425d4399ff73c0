/* What a reader of an answer must know about a capture, in lines. Private to the analyzer. */
#ifndef TRACE_INPUT_WARNINGS_H
#define TRACE_INPUT_WARNINGS_H

#include "model.h"
#include "trace.h"

/* All zero is empty. */
struct trace_warnings {
    char **lines;
    uint32_t count;
    bool has_loss; /* something is missing in the capture */
};

/* Adds a line. False when there is no memory. */
bool trace_warnings_add(struct trace_warnings *warnings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds what must be said about a capture. False when there is no memory. */
bool trace_warnings_collect(struct trace_warnings *warnings, const char *path,
                            const struct trace_model *model);
/* Tells a listener, if there is one. */
void trace_warnings_tell(const struct trace_warnings *warnings, struct trace_listener *listener);
void trace_warnings_destroy(struct trace_warnings *warnings);

#endif
