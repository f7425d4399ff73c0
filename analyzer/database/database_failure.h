/* Turns SQLite's status codes into errors for people. Private to the analyzer's database code. */
#ifndef TRACE_DATABASE_FAILURE_H
#define TRACE_DATABASE_FAILURE_H

#include <sqlite3.h>

#include <ludus/status.h>

/* A failure to write the database that shall appear at `path`: WRITE, or MEMORY. `connection` may
 * be NULL. */
LUDUS_CHECKED enum ludus_status trace_database_write_failure(sqlite3 *connection, int status,
                                                             const char *path,
                                                             struct ludus_error *error);

/* A failure to read the database at `path`: OPEN, FORMAT, or MEMORY. */
LUDUS_CHECKED enum ludus_status trace_database_read_failure(sqlite3 *connection, int status,
                                                            const char *path,
                                                            struct ludus_error *error);

#endif
