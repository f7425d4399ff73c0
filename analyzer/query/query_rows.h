/* Shows the rows of a statement in any format while they come. Private to the analyzer's database
 * code. */
#ifndef TRACE_QUERY_ROWS_H
#define TRACE_QUERY_ROWS_H

#include <sqlite3.h>

#include "byte_writer.h"
#include "text_buffer.h"
#include "trace.h"

/* A statement that has been prepared, and the name of each of its columns, no two the same. */
struct trace_query_rows {
    sqlite3_stmt *statement;
    char **names;
    int count;
};

LUDUS_CHECKED enum ludus_status trace_query_rows_open(struct trace_query_rows *rows,
                                                      sqlite3_stmt *statement);
void trace_query_rows_close(struct trace_query_rows *rows);

/* Runs the statement. Returns SQLite's status: SQLITE_DONE when all went well; write failures stay
 * in the writer and end it early. */
int trace_query_rows_put(struct trace_query_rows *rows, enum trace_format format,
                         struct trace_writer *writer);

/* The part of it that is for people: aligned columns. */
int trace_query_table_put(struct trace_query_rows *rows, struct trace_writer *writer);

/* Appends a value of the present row as text: exact numbers, blobs in hexadecimal digits, control
 * characters made visible, null and numbers that are not finite as "-". */
void trace_query_append_value(struct trace_query_rows *rows, int column,
                              struct trace_text_buffer *text);

#endif
