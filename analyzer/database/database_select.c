/* Reads the rows of one capture into arrays of a model. */
#include "database_select.h"

#include <stdlib.h>
#include <string.h>

#include "clock_map.h"

static void keep_status(struct trace_select *select, int status)
{
    if (select->status == SQLITE_OK)
        select->status = status;
}

/* Prepares `sql`, which is freed, for the capture. */
static sqlite3_stmt *prepare(struct trace_select *select, char *sql)
{
    sqlite3_stmt *statement = NULL;

    if (sql == NULL)
        keep_status(select, SQLITE_NOMEM);
    if (select->status == SQLITE_OK)
        select->status = sqlite3_prepare_v2(select->connection, sql, -1, &statement, NULL);
    if (select->status == SQLITE_OK)
        select->status = sqlite3_bind_int64(statement, 1, select->capture);
    sqlite3_free(sql);
    return statement;
}

/* The answer of a query that has one row of one number. */
static int64_t select_number(struct trace_select *select, char *sql)
{
    sqlite3_stmt *statement = prepare(select, sql);
    int64_t number = 0;

    if (select->status == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    keep_status(select, sqlite3_finalize(statement));
    return number;
}

int64_t trace_select_base(struct trace_select *select, const char *table, const char *id)
{
    return select_number(
        select, sqlite3_mprintf("SELECT coalesce(min(%s), 1) - 1 FROM %s WHERE capture_id = ?1", id,
                                table));
}

void *trace_select_rows(struct trace_select *select, const char *table, const char *columns,
                        const char *order, trace_read_row read, size_t element_size,
                        uint32_t reserved, uint32_t *count)
{
    const char *condition = select->condition == NULL ? "" : select->condition;
    int64_t rows =
        select_number(select, sqlite3_mprintf("SELECT count(*) FROM %s WHERE capture_id = ?1%s",
                                              table, condition));
    uint32_t read_count = 0;
    char *array;

    *count = 0;
    if (rows > (int64_t)(TRACE_NONE - 1 - reserved))
        keep_status(select, SQLITE_CORRUPT);
    if (select->status != SQLITE_OK || rows + reserved == 0)
        return NULL;
    array = calloc((size_t)(rows + reserved), element_size);
    if (array == NULL) {
        keep_status(select, SQLITE_NOMEM);
        return NULL;
    }
    select->row = prepare(select, sqlite3_mprintf("SELECT %s FROM %s WHERE capture_id = ?1%s "
                                                  "ORDER BY %s",
                                                  columns, table, condition, order));
    while (select->status == SQLITE_OK && read_count < rows &&
           sqlite3_step(select->row) == SQLITE_ROW) {
        read(select, array + (reserved + read_count) * element_size);
        read_count++;
    }
    keep_status(select, sqlite3_finalize(select->row));
    select->row = NULL;
    *count = read_count + reserved;
    return array;
}

int64_t trace_column_integer(struct trace_select *select, int column)
{
    return sqlite3_column_int64(select->row, column);
}

int64_t trace_column_time(struct trace_select *select, int column)
{
    int64_t time_ns = sqlite3_column_int64(select->row, column);

    if (time_ns < TRACE_FIRST_NS || time_ns > TRACE_LAST_NS)
        keep_status(select, SQLITE_CORRUPT);
    return time_ns;
}

uint64_t trace_column_count(struct trace_select *select, int column)
{
    return (uint64_t)sqlite3_column_int64(select->row, column);
}

uint32_t trace_column_u32(struct trace_select *select, int column)
{
    int64_t value = sqlite3_column_int64(select->row, column);

    if (value < 0 || value > UINT32_MAX)
        keep_status(select, SQLITE_CORRUPT);
    return (uint32_t)value;
}

const char *trace_column_string(struct trace_select *select, int column)
{
    struct trace_text text = {(const char *)sqlite3_column_text(select->row, column),
                              (size_t)sqlite3_column_bytes(select->row, column)};
    char *string = trace_model_allocate(select->model, text.size + 1);

    if (string == NULL) {
        keep_status(select, SQLITE_NOMEM);
        return "";
    }
    if (text.size > 0)
        memcpy(string, text.data, text.size);
    string[text.size] = '\0';
    return string;
}

struct trace_text trace_column_text(struct trace_select *select, int column)
{
    const void *bytes = sqlite3_column_text(select->row, column);
    size_t size = (size_t)sqlite3_column_bytes(select->row, column);
    struct trace_text text = {NULL, 0};

    if (trace_model_copy_text(select->model, bytes, size, &text) != LUDUS_OK)
        keep_status(select, SQLITE_NOMEM);
    return text;
}

uint64_t trace_column_identity(struct trace_select *select, int column)
{
    const char *digits = (const char *)sqlite3_column_text(select->row, column);
    char *end = NULL;
    uint64_t identity = digits == NULL ? 0 : strtoull(digits, &end, 16);

    if (end == NULL || end != digits + 16 || *end != '\0')
        keep_status(select, SQLITE_CORRUPT);
    return identity;
}

uint32_t trace_column_number(struct trace_select *select, int column, enum trace_name_kind kind)
{
    const char *name = (const char *)sqlite3_column_text(select->row, column);

    if (name == NULL) {
        keep_status(select, SQLITE_CORRUPT);
        return 0;
    }
    return trace_number_of(kind, name);
}

uint32_t trace_column_index(struct trace_select *select, int column, int64_t base, uint32_t count)
{
    int64_t id = sqlite3_column_int64(select->row, column);

    if (sqlite3_column_type(select->row, column) == SQLITE_NULL)
        return TRACE_NONE;
    if (id <= base || (uint64_t)id - (uint64_t)base > count) {
        keep_status(select, SQLITE_CORRUPT);
        return TRACE_NONE;
    }
    return (uint32_t)(id - base - 1);
}
