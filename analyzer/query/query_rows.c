/* Shows the rows of a statement in any format while they come. */
#include "query_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"
#include "json_writer.h"
#include "markdown_text.h"
#include "number_text.h"

static bool is_taken(char *const *names, int count, const char *name)
{
    int i;

    for (i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

/* "name", or "name_2" and so on when another column has that name. */
static char *make_name(const struct trace_query_rows *rows, const char *name)
{
    char *unique = sqlite3_mprintf("%s", name);
    int number;

    for (number = 2; unique != NULL && is_taken(rows->names, rows->count, unique); number++) {
        sqlite3_free(unique);
        unique = sqlite3_mprintf("%s_%d", name, number);
    }
    return unique;
}

enum ludus_status trace_query_rows_open(struct trace_query_rows *rows, sqlite3_stmt *statement)
{
    int count = sqlite3_column_count(statement);

    *rows = (struct trace_query_rows){.statement = statement};
    rows->names = calloc((size_t)count + 1, sizeof *rows->names);
    if (rows->names == NULL)
        return LUDUS_ERROR_MEMORY;
    while (rows->count < count) {
        const char *name = sqlite3_column_name(statement, rows->count);
        char *unique = name == NULL ? NULL : make_name(rows, name);

        if (unique == NULL)
            return LUDUS_ERROR_MEMORY;
        rows->names[rows->count++] = unique;
    }
    return LUDUS_OK;
}

void trace_query_rows_close(struct trace_query_rows *rows)
{
    int i;

    for (i = 0; i < rows->count; i++)
        sqlite3_free(rows->names[i]);
    free(rows->names);
    *rows = (struct trace_query_rows){0};
}

/* --- values ---------------------------------------------------------------------------------- */

static const char *value_bytes(struct trace_query_rows *rows, int column, size_t *size)
{
    const char *bytes = sqlite3_column_type(rows->statement, column) == SQLITE_BLOB
                            ? sqlite3_column_blob(rows->statement, column)
                            : (const char *)sqlite3_column_text(rows->statement, column);

    *size = (size_t)sqlite3_column_bytes(rows->statement, column);
    return bytes;
}

static void hex_digits(char byte, char digits[2])
{
    static const char all[] = "0123456789abcdef";

    digits[0] = all[((unsigned char)byte >> 4) & 15];
    digits[1] = all[(unsigned char)byte & 15];
}

void trace_query_append_value(struct trace_query_rows *rows, int column,
                              struct trace_text_buffer *text)
{
    char number[TRACE_NUMBER_SIZE];
    size_t size;
    const char *bytes;
    double real;

    switch (sqlite3_column_type(rows->statement, column)) {
    case SQLITE_INTEGER:
        size = trace_format_integer(sqlite3_column_int64(rows->statement, column), number);
        trace_text_buffer_append(text, number, size);
        return;
    case SQLITE_FLOAT:
        real = sqlite3_column_double(rows->statement, column);
        if (!isfinite(real))
            break;
        trace_text_buffer_append(text, number, trace_format_shortest(real, number));
        return;
    case SQLITE_TEXT:
        bytes = value_bytes(rows, column, &size);
        trace_append_visible(text, bytes, size);
        return;
    case SQLITE_BLOB:
        bytes = value_bytes(rows, column, &size);
        for (size_t i = 0; i < size; i++) {
            hex_digits(bytes[i], number);
            trace_text_buffer_append(text, number, 2);
        }
        return;
    default:
        break;
    }
    trace_text_buffer_append(text, "-", 1);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_json_value(struct trace_query_rows *rows, int column, struct trace_json *json)
{
    sqlite3_stmt *statement = rows->statement;
    struct trace_text_buffer digits = {0};
    size_t size;
    const char *bytes;

    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        trace_json_integer(json, sqlite3_column_int64(statement, column));
        break;
    case SQLITE_FLOAT:
        trace_json_real(json, sqlite3_column_double(statement, column));
        break;
    case SQLITE_TEXT:
        bytes = value_bytes(rows, column, &size);
        trace_json_bytes(json, bytes, size);
        break;
    case SQLITE_BLOB:
        trace_query_append_value(rows, column, &digits);
        trace_json_bytes(json, digits.data, digits.size);
        trace_text_buffer_release(&digits);
        break;
    default:
        trace_json_null(json);
        break;
    }
}

static int put_json(struct trace_query_rows *rows, struct trace_writer *writer)
{
    struct trace_json json;
    bool has_rows = false;
    int status;

    trace_json_start(&json, writer);
    trace_json_begin_object(&json);
    trace_json_break(&json, 1);
    trace_json_key(&json, "report");
    trace_json_text(&json, "query");
    trace_json_break(&json, 1);
    trace_json_key(&json, "version");
    trace_json_integer(&json, 1);
    trace_json_break(&json, 1);
    trace_json_key(&json, "columns");
    trace_json_begin_array(&json);
    for (int i = 0; i < rows->count; i++)
        trace_json_text(&json, rows->names[i]);
    trace_json_end_array(&json);
    trace_json_break(&json, 1);
    trace_json_key(&json, "rows");
    trace_json_begin_array(&json);
    while ((status = sqlite3_step(rows->statement)) == SQLITE_ROW && writer->status == LUDUS_OK) {
        has_rows = true;
        trace_json_break(&json, 2);
        trace_json_begin_object(&json);
        for (int i = 0; i < rows->count; i++) {
            trace_json_key_bytes(&json, rows->names[i], strlen(rows->names[i]));
            put_json_value(rows, i, &json);
        }
        trace_json_end_object(&json);
    }
    if (has_rows)
        trace_json_break(&json, 1);
    trace_json_end_array(&json);
    trace_json_break(&json, 0);
    trace_json_end_object(&json);
    trace_put_byte(writer, '\n');
    return status;
}

/* --- CSV -------------------------------------------------------------------------------------- */

/* Text as it is; null, and numbers that are not finite, as an empty field. */
static void put_csv_value(struct trace_query_rows *rows, int column, struct trace_writer *writer,
                          struct trace_text_buffer *text)
{
    int type = sqlite3_column_type(rows->statement, column);
    size_t size;
    const char *bytes;

    if (type == SQLITE_TEXT) {
        bytes = value_bytes(rows, column, &size);
        trace_csv_put_field(writer, bytes, size);
        return;
    }
    if (type == SQLITE_NULL ||
        (type == SQLITE_FLOAT && !isfinite(sqlite3_column_double(rows->statement, column))))
        return;
    trace_text_buffer_clear(text);
    trace_query_append_value(rows, column, text);
    if (type == SQLITE_BLOB)
        trace_csv_put_field(writer, text->data, text->size);
    else
        trace_put(writer, text->data, text->size);
}

static int put_csv(struct trace_query_rows *rows, struct trace_writer *writer,
                   struct trace_text_buffer *text)
{
    int status;

    for (int i = 0; i < rows->count; i++) {
        if (i > 0)
            trace_put_byte(writer, ',');
        trace_csv_put_field(writer, rows->names[i], strlen(rows->names[i]));
    }
    trace_put_text(writer, TRACE_CSV_LINE_END);
    while ((status = sqlite3_step(rows->statement)) == SQLITE_ROW && writer->status == LUDUS_OK) {
        for (int i = 0; i < rows->count; i++) {
            if (i > 0)
                trace_put_byte(writer, ',');
            put_csv_value(rows, i, writer, text);
        }
        trace_put_text(writer, TRACE_CSV_LINE_END);
    }
    return status;
}

/* --- Markdown --------------------------------------------------------------------------------- */

static void put_markdown_field(struct trace_writer *writer, struct trace_text_buffer *text)
{
    trace_put_byte(writer, ' ');
    trace_markdown_put(writer, text->data, text->size);
    trace_put_text(writer, " |");
}

static int put_markdown(struct trace_query_rows *rows, struct trace_writer *writer,
                        struct trace_text_buffer *text)
{
    int status;

    trace_put_byte(writer, '|');
    for (int i = 0; i < rows->count; i++) {
        trace_text_buffer_clear(text);
        trace_append_visible(text, rows->names[i], strlen(rows->names[i]));
        put_markdown_field(writer, text);
    }
    trace_put_text(writer, "\n|");
    for (int i = 0; i < rows->count; i++)
        trace_put_text(writer, "---|");
    trace_put_byte(writer, '\n');
    while ((status = sqlite3_step(rows->statement)) == SQLITE_ROW && writer->status == LUDUS_OK) {
        trace_put_byte(writer, '|');
        for (int i = 0; i < rows->count; i++) {
            trace_text_buffer_clear(text);
            trace_query_append_value(rows, i, text);
            put_markdown_field(writer, text);
        }
        trace_put_byte(writer, '\n');
    }
    return status;
}

int trace_query_rows_put(struct trace_query_rows *rows, enum trace_format format,
                         struct trace_writer *writer)
{
    struct trace_text_buffer text = {0};
    int status = SQLITE_ERROR;

    switch (format) {
    case TRACE_FORMAT_TABLE:
        return trace_query_table_put(rows, writer);
    case TRACE_FORMAT_JSON:
        return put_json(rows, writer);
    case TRACE_FORMAT_CSV:
        status = put_csv(rows, writer, &text);
        break;
    case TRACE_FORMAT_MARKDOWN:
        status = put_markdown(rows, writer, &text);
        break;
    }
    if (text.has_failed)
        status = SQLITE_NOMEM;
    trace_text_buffer_release(&text);
    return status;
}
