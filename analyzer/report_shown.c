/* What of a report people are shown: not what says the same of all, or nothing of any. */
#include <assert.h>
#include <string.h>

#include "report.h"

bool trace_report_shows_table(const struct trace_report *report, size_t table)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    return !type->is_detail &&
           (!type->is_left_out_when_empty || trace_report_row_count(report, table) != 0 ||
            trace_report_note_count(report, table) != 0);
}

static bool is_same_text(struct trace_cell a, struct trace_cell b)
{
    if (a.kind != TRACE_CELL_TEXT || b.kind != TRACE_CELL_TEXT)
        return a.kind == b.kind;
    return a.as.text.size == b.as.text.size &&
           (a.as.text.size == 0 || memcmp(a.as.text.data, b.as.text.data, a.as.text.size) == 0);
}

/* Whether all rows have the same text, or none has one. */
static bool is_same(const struct trace_report *report, size_t table, size_t column)
{
    for (size_t row = 1; row < trace_report_row_count(report, table); row++)
        if (!is_same_text(trace_report_cell(report, table, 0, column),
                          trace_report_cell(report, table, row, column)))
            return false;
    return true;
}

/* Whether no row has a number other than 0. */
static bool is_zero(const struct trace_report *report, size_t table, size_t column)
{
    for (size_t row = 0; row < trace_report_row_count(report, table); row++) {
        struct trace_cell cell = trace_report_cell(report, table, row, column);
        if ((cell.kind == TRACE_CELL_INTEGER && cell.as.integer != 0) ||
            (cell.kind == TRACE_CELL_REAL && cell.as.real != 0))
            return false;
    }
    return true;
}

/* Whether a word stands in a list of words with spaces between. */
static bool is_in_list(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += size)
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0'))
            return true;
    return false;
}

static size_t find_column(const struct trace_table_type *type, const char *name)
{
    size_t column = 0;
    while (column < type->column_count && strcmp(type->columns[column].name, name) != 0)
        column++;
    assert(column < type->column_count);
    return column;
}

bool trace_report_shows_column(const struct trace_report *report, size_t table, size_t column)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    const struct trace_column *facts = &type->columns[column];
    if (type->shown != NULL)
        return is_in_list(type->shown, facts->name);
    if (facts->is_detail || (facts->is_left_out_when_same && is_same(report, table, column)) ||
        (facts->is_left_out_when_zero && is_zero(report, table, column)))
        return false;
    return facts->stands_in_for == NULL ||
           is_zero(report, table, find_column(type, facts->stands_in_for));
}
