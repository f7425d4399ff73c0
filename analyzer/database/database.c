/* Opens databases of captures, and only those, for reading. */
#include "database.h"

#include <stdlib.h>
#include <string.h>

#include "database_connection.h"
#include "database_failure.h"
#include "database_schema.h"
#include "failure.h"

struct trace_database {
    sqlite3 *connection;
    char *path;
};

static enum ludus_status check_version(struct trace_database *database, struct ludus_error *error)
{
    int expected = trace_schema_setting("user_version");
    int application = 0;
    int version = 0;
    int status = trace_database_setting(database->connection, "application_id", &application);

    if (status == SQLITE_OK && application != trace_schema_setting("application_id"))
        status = SQLITE_NOTADB;
    if (status == SQLITE_OK)
        status = trace_database_setting(database->connection, "user_version", &version);
    if (status != SQLITE_OK)
        return trace_database_read_failure(database->connection, status, database->path, error);
    if (version > expected)
        return trace_fail(
            error, LUDUS_ERROR_VERSION,
            "%s: was made by a newer ludus-trace: its tables have version %d, and this "
            "one reads version %d; use a newer ludus-trace, or import the captures "
            "again with this one",
            database->path, version, expected);
    if (version < expected)
        return trace_fail(error, LUDUS_ERROR_VERSION,
                          "%s: was made by an older ludus-trace: its tables have version %d, and "
                          "this one reads version %d; import the captures again",
                          database->path, version, expected);
    return LUDUS_OK;
}

static enum ludus_status open_connection(struct trace_database *database, struct ludus_error *error)
{
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int status = sqlite3_open_v2(database->path, &database->connection, flags, NULL);

    if (status != SQLITE_OK)
        return trace_database_read_failure(database->connection, status, database->path, error);
    return check_version(database, error);
}

enum ludus_status trace_database_open(const char *path, struct trace_database **database,
                                      struct ludus_error *error)
{
    struct trace_database *new_database = calloc(1, sizeof *new_database);
    enum ludus_status status;

    *database = NULL;
    if (new_database == NULL)
        return trace_fail_memory(error);
    new_database->path = strdup(path);
    if (new_database->path == NULL)
        status = trace_fail_memory(error);
    else
        status = open_connection(new_database, error);
    if (status != LUDUS_OK) {
        trace_database_close(new_database);
        return status;
    }
    *database = new_database;
    return LUDUS_OK;
}

void trace_database_close(struct trace_database *database)
{
    if (database == NULL)
        return;
    (void)sqlite3_close(database->connection);
    free(database->path);
    free(database);
}

sqlite3 *trace_database_connection(struct trace_database *database)
{
    return database->connection;
}

const char *trace_database_path(const struct trace_database *database)
{
    return database->path;
}

/* --- which capture --------------------------------------------------------------------------- */

enum ludus_status trace_database_count(struct trace_database *database, uint32_t *count,
                                       struct ludus_error *error)
{
    sqlite3 *connection = trace_database_connection(database);
    sqlite3_stmt *statement = NULL;
    int status =
        sqlite3_prepare_v2(connection, "SELECT count(*) FROM capture", -1, &statement, NULL);

    *count = 0;
    if (status == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        *count = (uint32_t)sqlite3_column_int64(statement, 0);
    int end = sqlite3_finalize(statement);
    status = status == SQLITE_OK ? end : status;
    return status == SQLITE_OK ? LUDUS_OK
                               : trace_database_read_failure(connection, status,
                                                             trace_database_path(database), error);
}

/* "1 (a.lcap), 2 (b.lcap)", as many as fit. */
static int list_captures(sqlite3 *connection, char *list, int size)
{
    sqlite3_stmt *statement = NULL;
    sqlite3_str *text = sqlite3_str_new(connection);
    int status = sqlite3_prepare_v2(connection, "SELECT capture_id, file FROM capture", -1,
                                    &statement, NULL);

    while (status == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW &&
           sqlite3_str_length(text) < size)
        sqlite3_str_appendf(text, "%s%lld (%s)", sqlite3_str_length(text) > 0 ? ", " : "",
                            sqlite3_column_int64(statement, 0), sqlite3_column_text(statement, 1));
    (void)sqlite3_finalize(statement);
    sqlite3_snprintf(size, list, "%s", sqlite3_str_value(text));
    sqlite3_free(sqlite3_str_finish(text));
    return status;
}

enum ludus_status trace_database_choose(struct trace_database *database, uint32_t capture,
                                        int64_t *chosen, struct ludus_error *error)
{
    sqlite3 *connection = trace_database_connection(database);
    const char *path = trace_database_path(database);
    sqlite3_stmt *statement = NULL;
    char list[256] = "";
    int64_t count = 0;
    int status = sqlite3_prepare_v2(
        connection, "SELECT count(*), min(capture_id) FROM capture WHERE ?1 IN (0, capture_id)", -1,
        &statement, NULL);

    if (status == SQLITE_OK)
        status = sqlite3_bind_int64(statement, 1, capture);
    if (status == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        count = sqlite3_column_int64(statement, 0);
        *chosen = sqlite3_column_int64(statement, 1);
    }
    if (status == SQLITE_OK)
        status = sqlite3_finalize(statement);
    else
        (void)sqlite3_finalize(statement);
    if (status == SQLITE_OK && count != 1)
        status = list_captures(connection, list, sizeof list);
    if (status != SQLITE_OK)
        return trace_database_read_failure(connection, status, path, error);
    if (count == 1)
        return LUDUS_OK;
    if (count > 1)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "%s: holds several captures; choose one with --capture: %s", path, list);
    if (list[0] == '\0')
        return trace_fail(error, LUDUS_ERROR_FORMAT,
                          "%s: holds no capture; import the captures again", path);
    return trace_fail(error, LUDUS_ERROR_ARGUMENT, "%s: has no capture %u; there are: %s", path,
                      (unsigned)capture, list);
}
