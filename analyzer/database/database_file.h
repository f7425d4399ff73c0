/* The name under which a new database grows, and its change into the name that was asked for: the
 * rule of trace_output_file, for a file that SQLite writes. Private to the analyzer's database
 * code.
 */
#ifndef TRACE_DATABASE_FILE_H
#define TRACE_DATABASE_FILE_H

#include "trace.h"

struct trace_database_file {
    char *path;      /* as the caller names it, for messages */
    char *target;    /* where it goes: `path` with its links followed */
    char *temporary; /* an empty file beside it; NULL when there is none to remove */
    const struct trace_watch *watch;
};

/* Creates the temporary file. A database of captures, or an empty file, at `path` is replaced
 * later, anything else is refused now. `watch` must outlive it. Closed in any case. Errors: WRITE,
 * EXISTS, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_database_file_open(struct trace_database_file *file,
                                                         const char *path,
                                                         const struct trace_watch *watch,
                                                         struct ludus_error *error);

/* Gives the complete file its name. Errors: WRITE. */
LUDUS_CHECKED enum ludus_status trace_database_file_commit(struct trace_database_file *file,
                                                           struct ludus_error *error);

/* Removes the file unless it was committed. */
void trace_database_file_close(struct trace_database_file *file);

#endif
