/* Answers one SQL statement from a database, or from a capture by way of a database of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "database.h"
#include "database_connection.h"
#include "database_schema.h"
#include "failure.h"
#include "import.h"
#include "input_kind.h"
#include "query_guard.h"
#include "query_rows.h"
#include "temporary.h"

struct query {
    const char *sql;
    enum trace_format format;
    struct trace_output output;
    const struct trace_watch *watch;
    struct trace_warnings *warnings; /* about the capture that was imported for it */
};

static enum ludus_status put_rows(struct trace_query_guard *guard, sqlite3_stmt *statement,
                                  const struct query *query, struct ludus_error *error)
{
    struct trace_query_rows rows;
    struct trace_writer writer;
    enum ludus_status status = trace_query_rows_open(&rows, statement);

    if (status != LUDUS_OK) {
        status = trace_fail_memory(error);
    } else {
        int sqlite_status;

        trace_writer_start(&writer, query->output);
        sqlite_status = trace_query_rows_put(&rows, query->format, &writer);
        if (sqlite_status != SQLITE_DONE && writer.status == LUDUS_OK)
            status = trace_query_guard_failure(guard, sqlite_status, error);
        else if (trace_writer_flush(&writer) != LUDUS_OK)
            status = trace_fail(error, LUDUS_ERROR_WRITE, "the answer cannot be written");
    }
    trace_query_rows_close(&rows);
    return status;
}

static enum ludus_status query_connection(sqlite3 *connection, const struct query *query,
                                          struct ludus_error *error)
{
    struct trace_query_guard guard;
    sqlite3_stmt *statement = NULL;
    enum ludus_status status = trace_query_guard_start(&guard, connection, error);

    if (status == LUDUS_OK)
        status = trace_query_guard_prepare(&guard, query->sql, &statement, error);
    if (status == LUDUS_OK)
        status = put_rows(&guard, statement, query, error);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_set_authorizer(connection, NULL, NULL);
    return status;
}

/* A wrong statement is told before a capture is imported for it: all tables are always there, so
 * empty ones do. */
static enum ludus_status check_statement(const char *sql, struct ludus_error *error)
{
    struct trace_query_guard guard;
    sqlite3 *connection = NULL;
    sqlite3_stmt *statement = NULL;
    enum ludus_status status = LUDUS_OK;

    if (sqlite3_open(":memory:", &connection) != SQLITE_OK ||
        trace_database_create(connection, TRACE_SCHEMA_TABLES) != SQLITE_OK ||
        trace_database_create(connection, TRACE_SCHEMA_INDEXES) != SQLITE_OK)
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        status = trace_query_guard_start(&guard, connection, error);
    if (status == LUDUS_OK)
        status = trace_query_guard_prepare(&guard, sql, &statement, error);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(connection);
    return status;
}

static enum ludus_status query_database(const char *path, const struct query *query,
                                        struct ludus_error *error)
{
    struct trace_database *database = NULL;
    enum ludus_status status = trace_database_open(path, &database, error);

    if (status == LUDUS_OK)
        status = query_connection(trace_database_connection(database), query, error);
    trace_database_close(database);
    return status;
}

/* A new folder for a temporary database; its name is the caller's. */
static enum ludus_status make_folder(const struct trace_watch *watch, char **folder,
                                     struct ludus_error *error)
{
    static const char name[] = "/ludus-trace-XXXXXX";
    const char *parent = getenv("TMPDIR");
    size_t size;

    if (parent == NULL || parent[0] == '\0')
        parent = "/tmp";
    size = strlen(parent) + sizeof name;
    *folder = malloc(size);
    if (*folder == NULL)
        return trace_fail_memory(error);
    (void)snprintf(*folder, size, "%s%s", parent, name);
    trace_temporary_tell(watch, TRACE_TEMPORARY_COMES, NULL);
    bool is_made = mkdtemp(*folder) != NULL;
    int code = errno;
    trace_temporary_tell(watch, is_made ? TRACE_TEMPORARY_IS_THERE : TRACE_TEMPORARY_IS_GONE,
                         *folder);
    if (is_made)
        return LUDUS_OK;
    free(*folder);
    *folder = NULL;
    return trace_fail(error, LUDUS_ERROR_WRITE,
                      "cannot create a temporary folder in '%s': %s; set TMPDIR to another one",
                      parent, strerror(code));
}

/* The database loses its name as soon as it is open, so that it vanishes with the process. */
static enum ludus_status query_temporary(const char *capture, const char *folder,
                                         const struct query *query, struct ludus_error *error)
{
    static const char name[] = "/capture.db";
    size_t size = strlen(folder) + sizeof name;
    char *path = malloc(size);
    struct trace_database *database = NULL;
    enum ludus_status status;

    if (path == NULL) {
        (void)rmdir(folder);
        return trace_fail_memory(error);
    }
    (void)snprintf(path, size, "%s%s", folder, name);
    status = trace_import_captures(&capture, 1, NULL, path, query->watch, query->warnings, error);
    if (status == LUDUS_ERROR_WRITE) {
        struct ludus_error reason = *error;

        status = trace_fail(error, LUDUS_ERROR_WRITE, "%s; TMPDIR chooses another place",
                            reason.message);
    }
    if (status == LUDUS_OK) {
        trace_temporary_tell(query->watch, TRACE_TEMPORARY_IS_THERE, path);
        status = trace_database_open(path, &database, error);
        (void)unlink(path);
        trace_temporary_tell(query->watch, TRACE_TEMPORARY_IS_GONE, path);
    }
    (void)rmdir(folder);
    if (status == LUDUS_OK)
        status = query_connection(trace_database_connection(database), query, error);
    trace_database_close(database);
    free(path);
    return status;
}

static enum ludus_status query_capture(const char *path, const char *keep_path,
                                       const struct query *query, struct ludus_error *error)
{
    enum ludus_status status = check_statement(query->sql, error);
    char *folder = NULL;

    if (status != LUDUS_OK)
        return status;
    if (keep_path != NULL) {
        status =
            trace_import_captures(&path, 1, NULL, keep_path, query->watch, query->warnings, error);
        return status == LUDUS_OK ? query_database(keep_path, query, error) : status;
    }
    status = make_folder(query->watch, &folder, error);
    if (status == LUDUS_OK) {
        status = query_temporary(path, folder, query, error);
        trace_temporary_tell(query->watch, TRACE_TEMPORARY_IS_GONE, folder);
    }
    free(folder);
    return status;
}

enum ludus_status trace_query(const char *path, const char *sql, const char *keep_path,
                              enum trace_format format, struct trace_output output,
                              struct trace_listener *listener, struct ludus_error *error)
{
    struct trace_warnings warnings = {0};
    struct query query = {sql, format, output, listener == NULL ? NULL : listener->watch,
                          &warnings};
    enum trace_input_kind kind;
    enum ludus_status status = trace_input_kind_of(path, &kind, error);

    if (status != LUDUS_OK)
        return status;
    if (kind == TRACE_INPUT_CAPTURE) {
        status = query_capture(path, keep_path, &query, error);
        if (status == LUDUS_OK)
            trace_warnings_tell(&warnings, listener);
        trace_warnings_destroy(&warnings);
        return status;
    }
    if (keep_path != NULL)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT, "%s: is a database already; leave out -o %s",
                          path, keep_path);
    return query_database(path, &query, error);
}
