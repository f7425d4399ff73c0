/* Runs schemas/capture.sql on a connection, and knows its version. Private to the analyzer's
 * database code. */
#ifndef TRACE_DATABASE_SCHEMA_H
#define TRACE_DATABASE_SCHEMA_H

#include <sqlite3.h>

enum trace_schema_part {
    TRACE_SCHEMA_TABLES, /* settings, tables and views */
    TRACE_SCHEMA_INDEXES /* which are made faster when all rows are in */
};

/* Returns SQLite's status. */
int trace_database_create(sqlite3 *connection, enum trace_schema_part part);

/* What the schema sets "application_id" or "user_version" to. */
int trace_schema_setting(const char *name);

/* What a database has for it. Returns SQLite's status. */
int trace_database_setting(sqlite3 *connection, const char *name, int *value);

#endif
