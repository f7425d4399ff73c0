/* Slices in memory as a table that SQLite reads, so that one statement inserts a whole batch of
 * them: binding and running a statement for each takes half as long again. Private to the
 * analyzer's database code. */
#ifndef TRACE_SLICE_ROWS_H
#define TRACE_SLICE_ROWS_H

#include "database_tables.h"
#include "visitor.h"

/* What the statement reads when it runs; set by the caller before. */
struct trace_slice_rows {
    const struct trace_model *model;
    const struct trace_slice *slices;
    size_t count;
};

/* The statement that inserts the rows into slice. `rows` and `bases` must outlive the connection.
 * Returns SQLite's status code. */
int trace_slice_rows_prepare(sqlite3 *connection, struct trace_slice_rows *rows,
                             const struct trace_id_bases *bases, sqlite3_stmt **insert);

#endif
