/* A database of captures: written by import, read by reports and queries. The tables are those of
 * schemas/capture.sql. Private to the analyzer. */
#ifndef TRACE_DATABASE_H
#define TRACE_DATABASE_H

#include "model.h"
#include "trace.h"

struct trace_database;

/* Opens an existing database, read-only. Errors: OPEN, FORMAT (not SQLite, or not one of ours),
 * VERSION (another schema version; the message says how to make a new one). */
LUDUS_CHECKED enum ludus_status
trace_database_open(const char *path, struct trace_database **database, struct ludus_error *error);
void trace_database_close(struct trace_database *database); /* NULL is allowed */

/* How many captures it holds, which are numbered from 1 on. Errors: SQL. */
LUDUS_CHECKED enum ludus_status trace_database_count(struct trace_database *database,
                                                     uint32_t *count, struct ludus_error *error);

/* The model of one capture in the database, statistics included, equal to the one that was
 * imported. `capture` is its number in the database from 1 on; 0 stands for the only one. Owned by
 * the caller. Errors: ARGUMENT (no such capture, or several and none named; the message lists
 * them), SQL, MEMORY. */
LUDUS_CHECKED enum ludus_status trace_database_model(struct trace_database *database,
                                                     uint32_t capture, struct trace_model **model,
                                                     struct ludus_error *error);

#endif
