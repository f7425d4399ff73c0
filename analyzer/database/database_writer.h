/* Makes a new database of captures. It appears under its name only when it is complete. Private to
 * the analyzer.
 *
 * For each capture: begin, the pass over its events with the visitor, end. Then commit, and in any
 * case close. After a failure only close is of use. */
#ifndef TRACE_DATABASE_WRITER_H
#define TRACE_DATABASE_WRITER_H

#include "trace.h"
#include "visitor.h"

/* SQL that makes a new database fast to fill; for the bench, whose floor has the same. */
extern const char trace_database_bulk_settings[];

struct trace_database_writer;

/* `watch`, which may be NULL, must outlive it. Errors, here and below: WRITE (the message names
 * `path`), MEMORY. */
LUDUS_CHECKED enum ludus_status trace_database_writer_open(const char *path,
                                                           const struct trace_watch *watch,
                                                           struct trace_database_writer **writer,
                                                           struct ludus_error *error);

/* The same for a database of statistics alone, without the rows of events, which are counted. */
LUDUS_CHECKED enum ludus_status
trace_database_writer_open_small(const char *path, const struct trace_watch *watch,
                                 struct trace_database_writer **writer, struct ludus_error *error);

/* `visitor` inserts what it is shown; it fills the `error` given here, which must outlive the pass.
 */
void trace_database_writer_begin(struct trace_database_writer *writer,
                                 struct trace_visitor *visitor, struct ludus_error *error);

/* `model` after the pass; `file` is the capture's name. */
LUDUS_CHECKED enum ludus_status trace_database_writer_end(struct trace_database_writer *writer,
                                                          const struct trace_model *model,
                                                          const char *file,
                                                          struct ludus_error *error);

LUDUS_CHECKED enum ludus_status trace_database_writer_commit(struct trace_database_writer *writer,
                                                             struct ludus_error *error);

/* Removes what was written unless it was committed. NULL is allowed. */
void trace_database_writer_close(struct trace_database_writer *writer);

#endif
