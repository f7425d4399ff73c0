/* What of a report people are shown: not what says the same of all, or nothing of any. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "word_list.h"

bool trace_report_shows_table(const struct trace_report *report, size_t table)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    return !type->is_detail &&
           (!type->is_left_out_when_empty || trace_report_row_count(report, table) != 0 ||
            trace_report_note_count(report, table) != 0);
}

/* Whether the cell is that text; NULL: null. */
static bool is_text(struct trace_cell cell, const char *text, size_t size)
{
    if (cell.kind != TRACE_CELL_TEXT || text == NULL)
        return cell.kind != TRACE_CELL_TEXT && text == NULL;
    return cell.as.text.size == size && (size == 0 || memcmp(cell.as.text.data, text, size) == 0);
}

/* Whether rows differ; also when there is no memory for the first one's text, which does not
 * outlast the making of another row. */
static bool has_texts(const struct trace_report *report, size_t table, size_t column)
{
    size_t rows = trace_report_row_count(report, table);
    bool is_same = true;
    char *text = NULL;
    size_t size = 0;
    struct trace_cell first = rows == 0 ? (struct trace_cell){.kind = TRACE_CELL_NULL}
                                        : trace_report_cell(report, table, 0, column);

    if (first.kind == TRACE_CELL_TEXT) {
        size = first.as.text.size;
        text = malloc(size + 1);
        if (text == NULL)
            return true;
        if (size > 0)
            memcpy(text, first.as.text.data, size);
    }
    for (size_t row = 1; is_same && row < rows; row++)
        is_same = is_text(trace_report_cell(report, table, row, column), text, size);
    free(text);
    return !is_same;
}

/* Whether a row has a number that is not 0. */
static bool has_number(const struct trace_report *report, size_t table, size_t column)
{
    for (size_t row = 0; row < trace_report_row_count(report, table); row++) {
        struct trace_cell cell = trace_report_cell(report, table, row, column);

        if (cell.kind == TRACE_CELL_INTEGER ? cell.as.integer != 0
                                            : cell.kind == TRACE_CELL_REAL && cell.as.real != 0)
            return true;
    }
    return false;
}

static bool says_something(const struct trace_report *report, size_t table, size_t column)
{
    const struct trace_column *facts =
        &trace_report_get_type(report)->tables[table].columns[column];

    return facts->type == TRACE_TYPE_TEXT ? has_texts(report, table, column)
                                          : has_number(report, table, column);
}

static size_t find_column(const struct trace_table_type *type, const char *name)
{
    size_t column = 0;
    while (column < type->column_count && strcmp(type->columns[column].name, name) != 0)
        column++;
    assert(column < type->column_count);
    return column;
}

/* --- rows that would look alike --------------------------------------------------------------- */

#define MOST_ROWS 4096u            /* of a table that somebody looks at */
#define PLACES    (MOST_ROWS * 2u) /* for them */

/* What rows of the same names have in a column, by hashes; 0 is a free place. */
struct alike {
    uint64_t names, value;
};

/* 64-bit FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static uint64_t hash_cell(uint64_t hash, struct trace_cell cell)
{
    const unsigned char kind = (unsigned char)cell.kind;
    hash = hash_bytes(hash, &kind, sizeof kind);
    if (cell.kind == TRACE_CELL_TEXT)
        return hash_bytes(hash, cell.as.text.data, cell.as.text.size);
    return cell.kind == TRACE_CELL_INTEGER
               ? hash_bytes(hash, &cell.as.integer, sizeof cell.as.integer)
               : hash;
}

/* Enters the row. Whether another one has its names and differs in the column. */
static bool differs_from_alike(struct alike *rows, uint64_t names, uint64_t value)
{
    size_t place = names % PLACES;
    while (rows[place].names != 0 && rows[place].names != names)
        place = (place + 1) % PLACES;
    if (rows[place].names == names)
        return rows[place].value != value;
    rows[place] = (struct alike){names, value};
    return false;
}

/* Whether rows that are the same in the columns `names` differ in this one. */
static bool tells_apart(const struct trace_report *report, size_t table, size_t column,
                        const char *names)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    const uint64_t basis = UINT64_C(0xCBF29CE484222325);
    size_t rows = trace_report_row_count(report, table);
    struct alike *seen = calloc(PLACES, sizeof *seen);
    bool is_found = false;
    for (size_t row = 0; seen != NULL && !is_found && row < rows && row < MOST_ROWS; row++) {
        uint64_t hash = basis;
        for (size_t i = 0; i < type->column_count; i++)
            if (trace_is_listed(names, type->columns[i].name))
                hash = hash_cell(hash, trace_report_cell(report, table, row, i));
        is_found = differs_from_alike(
            seen, hash | 1, hash_cell(basis, trace_report_cell(report, table, row, column)));
    }
    free(seen);
    return is_found;
}

bool trace_report_shows_column(const struct trace_report *report, size_t table, size_t column)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    const struct trace_column *facts = &type->columns[column];
    if (type->shown != NULL)
        return trace_is_listed(type->shown, facts->name);
    if (facts->is_detail ||
        (facts->is_left_out_when_same && !says_something(report, table, column)))
        return false;
    if (facts->tells_apart != NULL && !tells_apart(report, table, column, facts->tells_apart))
        return false;
    return facts->stands_in_for == NULL ||
           !has_number(report, table, find_column(type, facts->stands_in_for));
}
