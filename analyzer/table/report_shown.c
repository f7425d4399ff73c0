/* What of a report people are shown: not what says the same of all, or nothing of any. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

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
    if (facts->is_detail ||
        (facts->is_left_out_when_same && !says_something(report, table, column)))
        return false;
    return facts->stands_in_for == NULL ||
           !has_number(report, table, find_column(type, facts->stands_in_for));
}
