/* Lets one statement read from a database, and do nothing else. Three locks, so that a gap in one
 * is none in all: the file is open for reading only, the authorizer allows what it knows to be
 * harmless, and SQLite must call the statement read-only. */
#include "query_guard.h"

#include <stdbool.h>
#include <string.h>

#include "failure.h"

/* Settings whose answers describe tables; also as table-valued functions: pragma_table_info(...).
 */
static bool describes_tables(const char *pragma)
{
    static const char *const names[] = {"table_info", "table_xinfo", "table_list", "index_list",
                                        "index_info"};
    size_t i;

    for (i = 0; i < sizeof names / sizeof *names; i++) {
        if (sqlite3_stricmp(pragma, names[i]) == 0)
            return true;
    }
    return false;
}

static int refuse(struct trace_query_guard *guard, const char *what, const char *word)
{
    if (guard->refused == NULL) {
        guard->refused = what;
        sqlite3_snprintf(sizeof guard->word, guard->word, "%s%s", word[0] != '\0' ? " " : "", word);
    }
    return SQLITE_DENY;
}

static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    struct trace_query_guard *guard = context;

    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        if (sqlite3_stricmp(second, "load_extension") == 0)
            return refuse(guard, "the function", second);
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        if (describes_tables(first))
            return SQLITE_OK;
        return refuse(guard, "PRAGMA", first);
    case SQLITE_ATTACH:
    case SQLITE_DETACH:
        return refuse(guard, "ATTACH or DETACH", "");
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
        return refuse(guard, "a transaction", "");
    default:
        return refuse(guard, "writing", "");
    }
}

/* SQLite makes the tables behind these functions when they are first named, in a way that the
 * authorizer cannot tell from the making of other tables. */
static void make_functions(sqlite3 *connection)
{
    static const char *const functions[] = {
        "pragma_table_info", "pragma_table_xinfo", "pragma_table_list", "pragma_index_list",
        "pragma_index_info", "json_each",          "json_tree"};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        char sql[64];
        sqlite3_stmt *statement = NULL;

        sqlite3_snprintf(sizeof sql, sql, "SELECT 1 FROM %s", functions[i]);
        /* One that this build of SQLite does not have is an error of the query that wants it. */
        (void)sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
        (void)sqlite3_finalize(statement);
    }
}

enum ludus_status trace_query_guard_start(struct trace_query_guard *guard, sqlite3 *connection,
                                          struct ludus_error *error)
{
    int status;

    *guard = (struct trace_query_guard){.connection = connection};
    make_functions(connection);
    status = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_set_authorizer(connection, authorize, guard);
    (void)sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
    if (status != SQLITE_OK)
        return trace_fail(error, LUDUS_ERROR_SQL,
                          "SQLite cannot be restricted to reading (%s); use another build of it",
                          sqlite3_errstr(status));
    return LUDUS_OK;
}

/* SQLite's message on one line. */
static void copy_message(const char *message, char *line, int size)
{
    char *byte;

    sqlite3_snprintf(size, line, "%s", message);
    for (byte = line; *byte != '\0'; byte++) {
        if ((unsigned char)*byte < ' ' || *byte == '\x7f')
            *byte = ' ';
    }
}

static enum ludus_status fail_statement(const struct trace_query_guard *guard, int status,
                                        const char *advice, struct ludus_error *error)
{
    char message[300];
    int offset = sqlite3_error_offset(guard->connection);

    if (guard->refused != NULL)
        return trace_fail(error, LUDUS_ERROR_SQL, "query: %s%s is not allowed; a query only reads",
                          guard->refused, guard->word);
    copy_message(sqlite3_errmsg(guard->connection), message, sizeof message);
    switch (status & 0xff) {
    case SQLITE_NOMEM:
        return trace_fail_memory(error);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_CORRUPT:
    case SQLITE_FULL:
        return trace_fail(error, LUDUS_ERROR_OPEN,
                          "query: the database cannot be read (%s); import the captures again",
                          message);
    default:
        break;
    }
    if (offset >= 0)
        return trace_fail(error, LUDUS_ERROR_SQL, "query: %s (at byte %d); %s", message, offset + 1,
                          advice);
    return trace_fail(error, LUDUS_ERROR_SQL, "query: %s; %s", message, advice);
}

enum ludus_status trace_query_guard_failure(struct trace_query_guard *guard, int status,
                                            struct ludus_error *error)
{
    return fail_statement(guard, status, "change the statement", error);
}

/* Whether nothing but space, comments and semicolons follows. */
static bool is_nothing(sqlite3 *connection, const char *sql)
{
    while (*sql != '\0') {
        sqlite3_stmt *statement = NULL;
        const char *tail = sql;
        int status = sqlite3_prepare_v2(connection, sql, -1, &statement, &tail);
        bool is_statement = status != SQLITE_OK || statement != NULL;

        (void)sqlite3_finalize(statement);
        if (is_statement)
            return false;
        if (tail == sql)
            break;
        sql = tail;
    }
    return true;
}

enum ludus_status trace_query_guard_prepare(struct trace_query_guard *guard, const char *sql,
                                            sqlite3_stmt **statement, struct ludus_error *error)
{
    const char *tail = sql;
    sqlite3_stmt *prepared = NULL;
    int status = SQLITE_OK;

    *statement = NULL;
    guard->refused = NULL;
    while (status == SQLITE_OK && prepared == NULL && *tail != '\0')
        status = sqlite3_prepare_v2(guard->connection, tail, -1, &prepared, &tail);
    if (status != SQLITE_OK)
        return fail_statement(guard, status, "'ludus-trace schema' shows the tables", error);
    if (prepared == NULL)
        return trace_fail(
            error, LUDUS_ERROR_SQL,
            "query: there is no statement; give one, such as \"SELECT * FROM track\"");
    if (!is_nothing(guard->connection, tail)) {
        (void)sqlite3_finalize(prepared);
        return trace_fail(error, LUDUS_ERROR_SQL,
                          "query: something follows the first statement; give one statement");
    }
    guard->refused = NULL;
    if (!sqlite3_stmt_readonly(prepared)) {
        (void)sqlite3_finalize(prepared);
        return trace_fail(error, LUDUS_ERROR_SQL,
                          "query: writing is not allowed; a query only reads");
    }
    *statement = prepared;
    return LUDUS_OK;
}
