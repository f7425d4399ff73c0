/* A table of slices in a private temporary database: SQLite holds a few pages of it in memory, and
 * the rest in a file that has no name. */
#include "late_slices.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* Memory for pages, in KiB. */
#define SETTINGS                                                                                   \
    "PRAGMA cache_size = -2048; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"              \
    "CREATE TABLE late (slice_id INTEGER PRIMARY KEY, slice BLOB NOT NULL); BEGIN"

struct trace_late_slices {
    sqlite3 *connection; /* NULL: there are none */
    sqlite3_stmt *insert;
    sqlite3_stmt *select;
    struct trace_slice next;
    int status; /* of SQLite */
    bool has_next;
    bool is_read; /* the first was asked for */
};

enum ludus_status trace_late_slices_create(struct trace_late_slices **late,
                                           struct ludus_error *error)
{
    *late = calloc(1, sizeof **late);
    return *late == NULL ? trace_fail_memory(error) : LUDUS_OK;
}

void trace_late_slices_destroy(struct trace_late_slices *late)
{
    if (late == NULL)
        return;
    sqlite3_finalize(late->insert);
    sqlite3_finalize(late->select);
    sqlite3_close(late->connection);
    free(late);
}

static void open_table(struct trace_late_slices *late)
{
    late->status = sqlite3_open("", &late->connection);
    if (late->status == SQLITE_OK)
        late->status = sqlite3_exec(late->connection, SETTINGS, NULL, NULL, NULL);
    if (late->status == SQLITE_OK)
        late->status = sqlite3_prepare_v2(late->connection, "INSERT INTO late VALUES (?1, ?2)", -1,
                                          &late->insert, NULL);
}

bool trace_late_slices_add(struct trace_late_slices *late, const struct trace_slice *slice)
{
    if (late->status == SQLITE_OK && late->connection == NULL)
        open_table(late);
    if (late->status == SQLITE_OK)
        late->status = sqlite3_bind_int64(late->insert, 1, (int64_t)slice->slice_id);
    if (late->status == SQLITE_OK)
        late->status = sqlite3_bind_blob(late->insert, 2, slice, sizeof *slice, SQLITE_TRANSIENT);
    if (late->status == SQLITE_OK && sqlite3_step(late->insert) != SQLITE_DONE)
        late->status = sqlite3_errcode(late->connection);
    if (late->insert != NULL)
        (void)sqlite3_reset(late->insert);
    return late->status == SQLITE_OK;
}

static void read_next(struct trace_late_slices *late)
{
    late->has_next = false;
    int step = late->status == SQLITE_OK ? sqlite3_step(late->select) : SQLITE_DONE;
    if (step == SQLITE_ROW && sqlite3_column_bytes(late->select, 0) == (int)sizeof late->next) {
        memcpy(&late->next, sqlite3_column_blob(late->select, 0), sizeof late->next);
        late->has_next = true;
    } else if (step != SQLITE_DONE) {
        late->status = step == SQLITE_ROW ? SQLITE_CORRUPT : step;
    }
}

const struct trace_slice *trace_late_slices_next(struct trace_late_slices *late)
{
    if (!late->is_read && late->connection != NULL) {
        if (late->status == SQLITE_OK)
            late->status =
                sqlite3_prepare_v2(late->connection, "SELECT slice FROM late ORDER BY slice_id", -1,
                                   &late->select, NULL);
        read_next(late);
    }
    late->is_read = true;
    return late->has_next ? &late->next : NULL;
}

bool trace_late_slices_take(struct trace_late_slices *late)
{
    read_next(late);
    return late->status == SQLITE_OK;
}

enum ludus_status trace_late_slices_failure(struct trace_late_slices *late,
                                            struct ludus_error *error)
{
    if (late->status == SQLITE_OK)
        return LUDUS_OK;
    if (late->status == SQLITE_NOMEM)
        return trace_fail_memory(error);
    return trace_fail(
        error, LUDUS_ERROR_WRITE,
        "slices that outlast others cannot be kept in a temporary file: %s; make room "
        "in the folder for temporary files, or name another one in SQLITE_TMPDIR",
        sqlite3_errstr(late->status));
}
