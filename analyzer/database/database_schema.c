/* Runs schemas/capture.sql on a connection. */
#include "database_schema.h"

#include <stdlib.h>
#include <string.h>

#include "schemas.h"

/* The first word of a statement, behind comments and space. */
static const char *skip_comments(const char *sql)
{
    for (;;) {
        sql += strspn(sql, " \t\r\n");
        if (sql[0] != '-' || sql[1] != '-')
            return sql;
        sql += strcspn(sql, "\n");
    }
}

static int run_statement(sqlite3 *connection, const char *sql, const char **tail)
{
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(connection, sql, -1, &statement, tail);

    if (status != SQLITE_OK)
        return status;
    (void)sqlite3_step(statement);
    return sqlite3_finalize(statement);
}

/* The indexes stand last in the schema. */
int trace_database_create(sqlite3 *connection, enum trace_schema_part part)
{
    const char *sql = ludus_schema_capture_sql();
    const char *indexes = strstr(sql, "\nCREATE INDEX");
    const char *end = part == TRACE_SCHEMA_TABLES ? indexes : sql + strlen(sql);

    if (part == TRACE_SCHEMA_INDEXES)
        sql = indexes;
    for (sql = skip_comments(sql); sql < end; sql = skip_comments(sql)) {
        int status = run_statement(connection, sql, &sql);

        if (status != SQLITE_OK)
            return status;
    }
    return SQLITE_OK;
}

int trace_schema_setting(const char *name)
{
    char *words = sqlite3_mprintf("\nPRAGMA %s = ", name);
    const char *found = words == NULL ? NULL : strstr(ludus_schema_capture_sql(), words);
    int value = found == NULL ? 0 : (int)strtol(found + strlen(words), NULL, 10);

    sqlite3_free(words);
    return value;
}

int trace_database_setting(sqlite3 *connection, const char *name, int *value)
{
    char *sql = sqlite3_mprintf("PRAGMA %s", name);
    sqlite3_stmt *statement = NULL;
    int status = SQLITE_NOMEM;

    if (sql != NULL)
        status = sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    if (status != SQLITE_OK)
        return status;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *value = sqlite3_column_int(statement, 0);
    return sqlite3_finalize(statement);
}
