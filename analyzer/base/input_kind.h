/* Tells captures from databases by their first bytes. Private to the analyzer. */
#ifndef TRACE_INPUT_KIND_H
#define TRACE_INPUT_KIND_H

#include <ludus/status.h>

enum trace_input_kind { TRACE_INPUT_CAPTURE, TRACE_INPUT_DATABASE };

/* Errors: OPEN (missing, a directory, unreadable), FORMAT (empty, or neither of the two). */
LUDUS_CHECKED enum ludus_status trace_input_kind_of(const char *path, enum trace_input_kind *kind,
                                                    struct ludus_error *error);

/* The same for those who can use nothing but a capture. Errors: FORMAT for a database, too. */
LUDUS_CHECKED enum ludus_status trace_input_expect_capture(const char *path,
                                                           struct ludus_error *error);

#endif
