/* A database of captures: written by import, read by reports and queries. The tables are those of
 * schemas/capture.sql. Private to the analyzer. */
#ifndef TRACE_DATABASE_H
#define TRACE_DATABASE_H

#include "model.h"
#include "pass_plan.h"
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

/* Which of the windows that the database has statistics of is the one of a plan, from 0 on
 * ("capture" is the first): the same domain, spans, tracks (all) and attribution. TRACE_NONE: none
 * is, or the plan has several. `model` is the capture's. Errors: SQL, FORMAT, MEMORY. */
LUDUS_CHECKED enum ludus_status
trace_database_find_window(struct trace_database *database, uint32_t capture,
                           struct trace_model *model, const struct trace_pass_plan *plan,
                           uint32_t *window, struct ludus_error *error);

/* Makes the statistics of one of those windows the model's: with rows of values and of GPU work,
 * and rows of their own for the tracks that lost something (LOSSES), or for the marking one, too
 * (MARKER). Counts and paths stay. Errors: the same. */
LUDUS_CHECKED enum ludus_status trace_database_load_window(struct trace_database *database,
                                                           uint32_t capture,
                                                           struct trace_model *model,
                                                           uint32_t window, enum trace_apart apart,
                                                           struct ludus_error *error);

/* The names of those windows, in an array to be freed; their texts belong to the model. Errors: the
 * same. */
LUDUS_CHECKED enum ludus_status
trace_database_window_names(struct trace_database *database, uint32_t capture,
                            struct trace_model *model, struct trace_text **names, uint32_t *count,
                            struct ludus_error *error);

#endif
