/* Reads the rows of one capture into arrays of a model. Private to the analyzer's database code. */
#ifndef TRACE_DATABASE_SELECT_H
#define TRACE_DATABASE_SELECT_H

#include <sqlite3.h>

#include "database_names.h"
#include "model.h"

/* A capture that is read. Nothing in a database is believed: the first value that cannot be right
 * sets `status`. */
struct trace_select {
    sqlite3 *connection;
    struct trace_model *model;
    sqlite3_stmt *row;     /* that is read now */
    const char *condition; /* " AND ...", what else is asked of rows; NULL: nothing */
    int64_t capture;
    int status; /* SQLite's; the first that was not SQLITE_OK */
};

/* Puts what the row holds into an element of the array. */
typedef void (*trace_read_row)(struct trace_select *select, void *element);

/* Reads all rows of the capture. `order` is a column. The array begins with `reserved` elements
 * that are zeros, which count. */
void *trace_select_rows(struct trace_select *select, const char *table, const char *columns,
                        const char *order, trace_read_row read, size_t element_size,
                        uint32_t reserved, uint32_t *count);

/* The id before the capture's first one in a table; 0 when it has none. */
int64_t trace_select_base(struct trace_select *select, const char *table, const char *id);

/* Columns of the row, from 0 on. */
int64_t trace_column_integer(struct trace_select *select, int column);
int64_t trace_column_time(struct trace_select *select,
                          int column); /* ns, as clock_map.h bounds it */
uint64_t trace_column_count(struct trace_select *select, int column);
uint32_t trace_column_u32(struct trace_select *select, int column);
uint64_t trace_column_identity(struct trace_select *select, int column);
uint32_t trace_column_number(struct trace_select *select, int column, enum trace_name_kind kind);
struct trace_text trace_column_text(struct trace_select *select, int column); /* NULL: empty */
const char *trace_column_string(struct trace_select *select, int column);

/* The index that an id stands for, below `count`; TRACE_NONE for NULL. */
uint32_t trace_column_index(struct trace_select *select, int column, int64_t base, uint32_t count);

#endif
