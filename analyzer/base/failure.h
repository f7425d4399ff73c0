/* Fills the error of a failed call, so that every failure is reported in one line of code. Private
 * to the analyzer. */
#ifndef TRACE_FAILURE_H
#define TRACE_FAILURE_H

#include <ludus/status.h>

/* Fills `*error` and returns `status`. A message that is too long is cut between characters. */
LUDUS_CHECKED enum ludus_status trace_fail(struct ludus_error *error, enum ludus_status status,
                                           const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for memory that could not be allocated. */
LUDUS_CHECKED enum ludus_status trace_fail_memory(struct ludus_error *error);

/* Puts the file in front of the message of an error that is about what is in it; returns the
 * error's status. */
LUDUS_CHECKED enum ludus_status trace_fail_in(struct ludus_error *error, const char *path);

/* What somebody can do when a file could not be written for the reason `code`, an errno. */
const char *trace_write_advice(int code);

#endif
