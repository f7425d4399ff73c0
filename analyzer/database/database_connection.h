/* The connection behind an opened database. Private to the analyzer's database code. */
#ifndef TRACE_DATABASE_CONNECTION_H
#define TRACE_DATABASE_CONNECTION_H

#include <sqlite3.h>

#include "database.h"

sqlite3 *trace_database_connection(struct trace_database *database);
const char *trace_database_path(const struct trace_database *database);

/* The number of the capture that `capture` means: see trace_database_model. */
LUDUS_CHECKED enum ludus_status trace_database_choose(struct trace_database *database,
                                                      uint32_t capture, int64_t *chosen,
                                                      struct ludus_error *error);

#endif
