/* Test cases written as JUnit XML. Private to the analyzer. */
#ifndef TRACE_JUNIT_CASE_H
#define TRACE_JUNIT_CASE_H

#include "byte_writer.h"
#include "model.h"
#include "text_buffer.h"

enum trace_junit_outcome {
    TRACE_JUNIT_PASSED,
    TRACE_JUNIT_FAILED,
    TRACE_JUNIT_SKIPPED,
    TRACE_JUNIT_BROKEN, /* could not be tried: what JUnit calls an error */
    TRACE_JUNIT_OUTCOMES
};

struct trace_junit_case {
    const char *group;
    struct trace_text_buffer name;
    struct trace_text file; /* of the source; empty when there is none */
    enum trace_junit_outcome outcome;
    const char *type;               /* of a failure or an error */
    struct trace_text_buffer words; /* what was found; empty when there is nothing to say */
};

/* The attributes that say how many cases ended how, and the end of the element's start. */
void trace_junit_put_counts(struct trace_writer *writer,
                            const uint64_t counts[TRACE_JUNIT_OUTCOMES]);

void trace_junit_put_case(struct trace_writer *writer, const struct trace_junit_case *it);

#endif
