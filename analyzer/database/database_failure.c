/* Turns SQLite's status codes into errors for people. */
#include "database_failure.h"

#include <stdbool.h>
#include <string.h>

#include "failure.h"

/* What the system said, or else SQLite. */
static const char *reason_of(sqlite3 *connection, int status)
{
    int system_error = connection == NULL ? 0 : sqlite3_system_errno(connection);

    return system_error != 0 ? strerror(system_error) : sqlite3_errstr(status);
}

enum ludus_status trace_database_write_failure(sqlite3 *connection, int status, const char *path,
                                               struct ludus_error *error)
{
    switch (status & 0xff) {
    case SQLITE_NOMEM:
        return trace_fail_memory(error);
    case SQLITE_FULL:
        return trace_fail(error, LUDUS_ERROR_WRITE,
                          "cannot write '%s': the disk is full; free some space, or choose another "
                          "place; nothing was left behind",
                          path);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
        return trace_fail(error, LUDUS_ERROR_WRITE,
                          "cannot write '%s': %s; choose another place; nothing was left behind",
                          path, reason_of(connection, status));
    default:
        return trace_fail(error, LUDUS_ERROR_WRITE,
                          "cannot write '%s': SQLite says: %s; nothing was left behind", path,
                          connection == NULL ? sqlite3_errstr(status) : sqlite3_errmsg(connection));
    }
}

/* What is damaged. SQLite knows nothing of rows that are well stored and cannot be right. */
static const char *fault_of(sqlite3 *connection)
{
    int status = sqlite3_errcode(connection) & 0xff;
    bool is_sound = status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE;
    return is_sound ? "its rows do not fit together" : sqlite3_errmsg(connection);
}

enum ludus_status trace_database_read_failure(sqlite3 *connection, int status, const char *path,
                                              struct ludus_error *error)
{
    switch (status & 0xff) {
    case SQLITE_NOMEM:
        return trace_fail_memory(error);
    case SQLITE_NOTADB:
        return trace_fail(error, LUDUS_ERROR_FORMAT,
                          "%s: not a database that ludus-trace import made; give a capture or such "
                          "a database",
                          path);
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* tables are not as they should be */
        return trace_fail(error, LUDUS_ERROR_FORMAT,
                          "%s: the database is damaged (%s); import the captures again", path,
                          fault_of(connection));
    default:
        return trace_fail(error, LUDUS_ERROR_OPEN, "%s: cannot be read (%s)", path,
                          reason_of(connection, status));
    }
}
