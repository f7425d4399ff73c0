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
    if (version != expected)
        return trace_fail(error, LUDUS_ERROR_VERSION,
                          "%s: has version %d of the tables, this program needs version %d; import "
                          "the captures again with this program",
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
