/* Inserts rows into one table, column by column. */
#include "database_insert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static char *insert_sql(const char *table, const char *columns)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    const char *comma;

    sqlite3_str_appendf(sql, "INSERT INTO %s (%s) VALUES (?", table, columns);
    for (comma = strchr(columns, ','); comma != NULL; comma = strchr(comma + 1, ','))
        sqlite3_str_appendall(sql, ",?");
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

void trace_insert_open(struct trace_insert *insert, sqlite3 *connection, const char *table,
                       const char *columns)
{
    char *sql = insert_sql(table, columns);

    *insert = (struct trace_insert){0};
    if (sql == NULL)
        insert->status = SQLITE_NOMEM;
    else
        insert->status = sqlite3_prepare_v3(connection, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                            &insert->statement, NULL);
    sqlite3_free(sql);
}

static void keep_status(struct trace_insert *insert, int status)
{
    if (insert->status == SQLITE_OK)
        insert->status = status;
}

void trace_insert_null(struct trace_insert *insert)
{
    insert->parameter++;
    if (insert->status == SQLITE_OK)
        keep_status(insert, sqlite3_bind_null(insert->statement, insert->parameter));
}

void trace_insert_integer(struct trace_insert *insert, int64_t value)
{
    insert->parameter++;
    if (insert->status == SQLITE_OK)
        keep_status(insert, sqlite3_bind_int64(insert->statement, insert->parameter, value));
}

void trace_insert_real(struct trace_insert *insert, double value)
{
    insert->parameter++;
    if (insert->status == SQLITE_OK)
        keep_status(insert, sqlite3_bind_double(insert->statement, insert->parameter, value));
}

void trace_insert_count(struct trace_insert *insert, uint64_t value)
{
    trace_insert_integer(insert, (int64_t)value);
}

void trace_insert_id(struct trace_insert *insert, int64_t base, uint32_t index)
{
    if (index == TRACE_NONE)
        trace_insert_null(insert);
    else
        trace_insert_integer(insert, base + (int64_t)index + 1);
}

static void bind_text(struct trace_insert *insert, const char *bytes, size_t size,
                      sqlite3_destructor_type destructor)
{
    insert->parameter++;
    if (insert->status == SQLITE_OK)
        keep_status(insert, sqlite3_bind_text64(insert->statement, insert->parameter, bytes, size,
                                                destructor, SQLITE_UTF8));
}

void trace_insert_identity(struct trace_insert *insert, uint64_t identity)
{
    char digits[17];

    (void)snprintf(digits, sizeof digits, "%016" PRIx64, identity);
    bind_text(insert, digits, sizeof digits - 1, SQLITE_TRANSIENT);
}

/* At most three times as long as it was: one bad byte becomes three good ones. */
static size_t replace_invalid(const char *text, size_t size, char *valid)
{
    static const char replacement[] = TRACE_REPLACEMENT_UTF8;
    size_t used = 0;

    while (size > 0) {
        struct trace_code_point point = trace_utf8_next(text, size);
        const char *bytes = point.is_valid ? text : replacement;
        size_t bytes_size = point.is_valid ? point.size : sizeof replacement - 1;

        memcpy(valid + used, bytes, bytes_size);
        used += bytes_size;
        text += point.size;
        size -= point.size;
    }
    return used;
}

void trace_insert_text(struct trace_insert *insert, struct trace_text text, uint64_t *replaced)
{
    char *valid;

    if (text.size == 0) {
        bind_text(insert, "", 0, SQLITE_STATIC);
        return;
    }
    if (trace_utf8_is_valid(text.data, text.size)) {
        bind_text(insert, text.data, text.size, SQLITE_STATIC);
        return;
    }
    if (replaced != NULL)
        ++*replaced;
    valid = text.size > SIZE_MAX / 3 ? NULL : malloc(text.size * 3);
    if (valid == NULL) {
        keep_status(insert, SQLITE_NOMEM);
        insert->parameter++;
        return;
    }
    bind_text(insert, valid, replace_invalid(text.data, text.size, valid), SQLITE_TRANSIENT);
    free(valid);
}

void trace_insert_text_or_null(struct trace_insert *insert, struct trace_text text,
                               uint64_t *replaced)
{
    if (text.size == 0)
        trace_insert_null(insert);
    else
        trace_insert_text(insert, text, replaced);
}

void trace_insert_string(struct trace_insert *insert, const char *string)
{
    trace_insert_text(insert, (struct trace_text){string, strlen(string)}, NULL);
}

void trace_insert_name(struct trace_insert *insert, enum trace_name_kind kind, uint32_t number)
{
    char digits[TRACE_NAME_SIZE];
    const char *name = trace_name_of(kind, number, digits);

    /* Digits do not live until the row is inserted. */
    bind_text(insert, name, strlen(name), SQLITE_TRANSIENT);
}

void trace_insert_row(struct trace_insert *insert)
{
    insert->parameter = 0;
    if (insert->status != SQLITE_OK)
        return;
    (void)sqlite3_step(insert->statement);
    keep_status(insert, sqlite3_reset(insert->statement));
}

int trace_insert_close(struct trace_insert *insert)
{
    (void)sqlite3_finalize(insert->statement);
    insert->statement = NULL;
    return insert->status;
}
