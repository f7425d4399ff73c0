/* Opens a capture to walk over all of its blocks, good and damaged. Private to the analyzer. */
#ifndef TRACE_CAPTURE_WALK_H
#define TRACE_CAPTURE_WALK_H

#include "capture_file.h"

struct trace_capture_walk {
    const char *path; /* the caller's */
    struct trace_capture_file *file;
    struct lcap_reader *reader;
    uint64_t file_size;
};

/* Path and watch, which may be NULL, must outlive it. Errors: OPEN, FORMAT (no capture; a database
 * is none), VERSION, MEMORY, after which nothing is to be closed. */
LUDUS_CHECKED enum ludus_status trace_capture_walk_open(const char *path,
                                                        const struct trace_watch *watch,
                                                        struct trace_capture_walk *walk,
                                                        struct ludus_error *error);
void trace_capture_walk_close(struct trace_capture_walk *walk);

/* Fills the error for a status that lcap_reader_next gave. */
LUDUS_CHECKED enum ludus_status trace_capture_walk_fail(const struct trace_capture_walk *walk,
                                                        enum ludus_status status,
                                                        struct ludus_error *error);

#endif
