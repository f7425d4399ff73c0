/* Lets one statement read from a database, and do nothing else. Private to the analyzer's database
 * code. */
#ifndef TRACE_QUERY_GUARD_H
#define TRACE_QUERY_GUARD_H

#include <sqlite3.h>

#include <ludus/status.h>

#define TRACE_GUARD_WORD_SIZE 64

/* Guards a connection; must outlive its use. */
struct trace_query_guard {
    sqlite3 *connection;
    const char *refused;              /* what the statement wanted and may not; NULL: nothing */
    char word[TRACE_GUARD_WORD_SIZE]; /* the function or setting */
};

/* From now on the connection prepares only what reads. */
LUDUS_CHECKED enum ludus_status trace_query_guard_start(struct trace_query_guard *guard,
                                                        sqlite3 *connection,
                                                        struct ludus_error *error);

/* Prepares the one statement in `sql`. Errors: SQL, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_query_guard_prepare(struct trace_query_guard *guard,
                                                          const char *sql, sqlite3_stmt **statement,
                                                          struct ludus_error *error);

/* The error of a statement that failed while it ran: SQL, MEMORY, OPEN. */
LUDUS_CHECKED enum ludus_status trace_query_guard_failure(struct trace_query_guard *guard,
                                                          int status, struct ludus_error *error);

#endif
