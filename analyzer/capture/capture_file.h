/* A capture's file as a source of bytes. Private to the analyzer. */
#ifndef TRACE_CAPTURE_FILE_H
#define TRACE_CAPTURE_FILE_H

#include "lcap_decode.h"
#include "trace.h"

struct trace_capture_file;

/* Opens for reading; path and watch, which may be NULL, must outlive it. Errors: OPEN, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_capture_file_open(const char *path,
                                                        const struct trace_watch *watch,
                                                        struct trace_capture_file **file,
                                                        struct ludus_error *error);
void trace_capture_file_close(struct trace_capture_file *file); /* NULL is allowed */

/* Looks how long the file is by now, and whether the path still names it: false when it has been
 * replaced or removed, or cannot be looked at. `*size_bytes` is not set then. */
bool trace_capture_file_measure(struct trace_capture_file *file, const char *path,
                                uint64_t *size_bytes);

/* Tells the watch, if there is one, that all before the offset has been read. */
void trace_capture_file_tell(const struct trace_capture_file *file, uint64_t offset);

/* Valid as long as the file is open; its size is the one at opening. */
struct lcap_source trace_capture_file_source(struct trace_capture_file *file);

#endif
