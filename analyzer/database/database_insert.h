/* Inserts rows into one table, column by column from the left; the first failure is kept, so that
 * a row is checked once. Private to the analyzer's database code, which passes SQLite's status
 * codes on and turns them into errors at its border (database_failure.h). */
#ifndef TRACE_DATABASE_INSERT_H
#define TRACE_DATABASE_INSERT_H

#include <sqlite3.h>

#include "database_names.h"
#include "model.h"

struct trace_insert {
    sqlite3_stmt *statement;
    int parameter; /* last one that was set in this row */
    int status;    /* SQLite's; the first that was not SQLITE_OK */
};

/* `columns`: their names, comma-separated; the same number of values makes a row. */
void trace_insert_open(struct trace_insert *insert, sqlite3 *connection, const char *table,
                       const char *columns);
void trace_insert_null(struct trace_insert *insert);
void trace_insert_integer(struct trace_insert *insert, int64_t value);
void trace_insert_real(struct trace_insert *insert, double value);

/* Counts and ticks; beyond INT64_MAX they are stored as two's complement. */
void trace_insert_count(struct trace_insert *insert, uint64_t value);

/* Ids: an index behind those given out before; TRACE_NONE is NULL. */
void trace_insert_id(struct trace_insert *insert, int64_t base, uint32_t index);

/* 64-bit identities, as 16 hexadecimal digits. */
void trace_insert_identity(struct trace_insert *insert, uint64_t identity);

/* Text of any bytes: those that are not UTF-8 become U+FFFD, which adds 1 to `*replaced` (may be
 * NULL). It must live until the row is inserted. */
void trace_insert_text(struct trace_insert *insert, struct trace_text text, uint64_t *replaced);
void trace_insert_text_or_null(struct trace_insert *insert, struct trace_text text,
                               uint64_t *replaced); /* NULL when empty */
void trace_insert_string(struct trace_insert *insert, const char *string);

/* The word that stands for a number of the format. */
void trace_insert_name(struct trace_insert *insert, enum trace_name_kind kind, uint32_t number);

void trace_insert_row(struct trace_insert *insert);
int trace_insert_close(struct trace_insert *insert); /* the first failure */

#endif
