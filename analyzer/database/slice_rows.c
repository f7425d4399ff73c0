/* A virtual table of one connection, which is in no file: its rows are slices in memory. */
#include "slice_rows.h"

#include <stdlib.h>

#define TABLE "trace_slice_rows"
#define COLUMNS                                                                                    \
    "slice_id, capture_id, track_id, site_id, path_id, parent_id, frame_id, depth, begin_ns,"      \
    " duration_ns, known_ns, exclusive_ns, outermost, incomplete, children_lost"

enum column {
    SLICE_ID,
    CAPTURE_ID,
    TRACK_ID,
    SITE_ID,
    PATH_ID,
    PARENT_ID,
    FRAME_ID,
    DEPTH,
    BEGIN_NS,
    DURATION_NS,
    KNOWN_NS,
    EXCLUSIVE_NS,
    OUTERMOST,
    INCOMPLETE,
    CHILDREN_LOST
};

struct source {
    const struct trace_slice_rows *rows;
    const struct trace_id_bases *bases;
};

struct table {
    sqlite3_vtab base; /* first, as SQLite wants it */
    struct source source;
};

struct cursor {
    sqlite3_vtab_cursor base; /* likewise */
    size_t row;
};

static const struct source *source_of(const sqlite3_vtab_cursor *base)
{
    return &((const struct table *)base->pVtab)->source;
}

static int connect_table(sqlite3 *connection, void *context, int count, const char *const *words,
                         sqlite3_vtab **base, char **message)
{
    struct table *table = sqlite3_malloc(sizeof *table);

    (void)count;
    (void)words;
    (void)message;
    if (table == NULL)
        return SQLITE_NOMEM;
    *table = (struct table){.source = *(const struct source *)context};
    *base = &table->base;
    return sqlite3_declare_vtab(connection, "CREATE TABLE x(" COLUMNS ")");
}

static int disconnect_table(sqlite3_vtab *base)
{
    sqlite3_free(base);
    return SQLITE_OK;
}

/* There is one way to read it: all of it. */
static int plan(sqlite3_vtab *base, sqlite3_index_info *index)
{
    (void)base;
    (void)index;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **opened)
{
    struct cursor *cursor = sqlite3_malloc(sizeof *cursor);

    (void)base;
    if (cursor == NULL)
        return SQLITE_NOMEM;
    *cursor = (struct cursor){.row = 0};
    *opened = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    sqlite3_free(base);
    return SQLITE_OK;
}

static int rewind_cursor(sqlite3_vtab_cursor *base, int number, const char *name, int count,
                         sqlite3_value **values)
{
    (void)number;
    (void)name;
    (void)count;
    (void)values;
    ((struct cursor *)base)->row = 0;
    return SQLITE_OK;
}

static int advance(sqlite3_vtab_cursor *base)
{
    ((struct cursor *)base)->row++;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((const struct cursor *)base)->row >= source_of(base)->rows->count;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    *id = (sqlite3_int64)((const struct cursor *)base)->row;
    return SQLITE_OK;
}

/* A value that is not there is NULL, which is what a column has without a result. */
static void show_optional(sqlite3_context *result, bool is_present, int64_t value)
{
    if (is_present)
        sqlite3_result_int64(result, value);
}

static void show_slice(sqlite3_context *result, const struct trace_id_bases *bases,
                       const struct trace_slice *slice, const struct trace_path *path, int column)
{
    switch (column) {
    case SLICE_ID:
        sqlite3_result_int64(result, bases->slice + (int64_t)slice->slice_id);
        break;
    case CAPTURE_ID:
        sqlite3_result_int64(result, bases->capture + 1);
        break;
    case TRACK_ID:
        sqlite3_result_int64(result, bases->track + (int64_t)slice->track + 1);
        break;
    case SITE_ID:
        sqlite3_result_int64(result, bases->site + (int64_t)path->site + 1);
        break;
    case PATH_ID:
        sqlite3_result_int64(result, bases->path + (int64_t)slice->path);
        break;
    case PARENT_ID:
        show_optional(result, slice->parent_id != 0, bases->slice + (int64_t)slice->parent_id);
        break;
    case FRAME_ID:
        show_optional(result, slice->frame != TRACE_NONE, bases->frame + (int64_t)slice->frame + 1);
        break;
    case DEPTH:
        sqlite3_result_int64(result, path->depth);
        break;
    case BEGIN_NS:
        sqlite3_result_int64(result, slice->begin_ns);
        break;
    case DURATION_NS:
        show_optional(result, !slice->is_incomplete, slice->duration_ns);
        break;
    case KNOWN_NS:
        sqlite3_result_int64(result, slice->known_ns);
        break;
    case EXCLUSIVE_NS:
        show_optional(result, slice->exclusive_ns >= 0, slice->exclusive_ns);
        break;
    case OUTERMOST:
        sqlite3_result_int64(result, path->is_outermost);
        break;
    case INCOMPLETE:
        sqlite3_result_int64(result, slice->is_incomplete);
        break;
    case CHILDREN_LOST:
        sqlite3_result_int64(result, slice->has_children_lost);
        break;
    default:
        break;
    }
}

static int show_column(sqlite3_vtab_cursor *base, sqlite3_context *result, int column)
{
    const struct source *source = source_of(base);
    const struct trace_slice *slice = &source->rows->slices[((const struct cursor *)base)->row];

    show_slice(result, source->bases, slice, &source->rows->model->paths[slice->path], column);
    return SQLITE_OK;
}

/* Without xCreate the table exists once, under the name of its module. */
static const sqlite3_module module = {.xConnect = connect_table,
                                      .xBestIndex = plan,
                                      .xDisconnect = disconnect_table,
                                      .xOpen = open_cursor,
                                      .xClose = close_cursor,
                                      .xFilter = rewind_cursor,
                                      .xNext = advance,
                                      .xEof = is_at_end,
                                      .xColumn = show_column,
                                      .xRowid = row_id};

int trace_slice_rows_prepare(sqlite3 *connection, struct trace_slice_rows *rows,
                             const struct trace_id_bases *bases, sqlite3_stmt **insert)
{
    struct source *source = malloc(sizeof *source);
    int status;

    if (source == NULL)
        return SQLITE_NOMEM;
    *source = (struct source){rows, bases};
    status = sqlite3_create_module_v2(connection, TABLE, &module, source, free);
    if (status == SQLITE_OK)
        status = sqlite3_prepare_v3(
            connection, "INSERT INTO slice (" COLUMNS ") SELECT " COLUMNS " FROM " TABLE, -1,
            SQLITE_PREPARE_PERSISTENT, insert, NULL);
    return status;
}
