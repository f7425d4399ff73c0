/* The one shape of every answer: rows of cells under the columns of a report's type. */
#include "report.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "report_texts.h"

struct report_table {
    struct trace_cell
        *cells; /* row by row; those of one row when rows are made as they are shown */
    const char **notes;
    size_t row_count;
    size_t row_capacity;
    size_t note_count;
    size_t note_capacity;
    struct trace_row_maker maker; /* `make` is NULL: rows are kept */
    size_t made_row;              /* which row is in `cells`; SIZE_MAX: none */
    struct trace_report_texts made_texts;
    struct trace_report *report; /* that it is of */
};

struct trace_report {
    const struct trace_report_type *type;
    struct report_table *tables;
    struct trace_report_texts texts;
    const char *headline; /* or NULL */
    size_t main_table;
    size_t current_table;
    size_t next_column;
    enum ludus_status status;
};

enum ludus_status trace_report_create(const struct trace_report_type *type,
                                      struct trace_report **report, struct ludus_error *error)
{
    struct trace_report *made = calloc(1, sizeof *made);

    *report = NULL;
    if (made != NULL)
        made->tables = calloc(type->table_count, sizeof *made->tables);
    if (made == NULL || made->tables == NULL) {
        free(made);
        return trace_fail_memory(error);
    }
    made->type = type;
    made->main_table = type->main_table;
    for (size_t i = 0; i < type->table_count; i++)
        made->tables[i].report = made;
    *report = made;
    return LUDUS_OK;
}

void trace_report_destroy(struct trace_report *report)
{
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->type->table_count; i++) {
        struct report_table *table = &report->tables[i];

        if (table->maker.destroy != NULL)
            table->maker.destroy(table->maker.context);
        trace_report_texts_release(&table->made_texts);
        free(table->cells);
        free(table->notes);
    }
    trace_report_texts_release(&report->texts);
    free(report->tables);
    free(report);
}

/* Doubles an array of `item_size` bytes each when it is full; returns false when it cannot. */
static bool grow(void **items, size_t *capacity, size_t count, size_t item_size)
{
    size_t wanted = *capacity == 0 ? 16 : *capacity * 2;
    void *grown;

    if (count < *capacity)
        return true;
    if (wanted > SIZE_MAX / 2 / item_size)
        return false;
    grown = realloc(*items, wanted * item_size);
    if (grown == NULL)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

void trace_report_row(struct trace_report *report, size_t table)
{
    struct report_table *rows = &report->tables[table];
    size_t column_count = report->type->tables[table].column_count;
    void *cells = rows->cells;

    assert(table < report->type->table_count);
    if (report->status != LUDUS_OK)
        return;
    if (!grow(&cells, &rows->row_capacity, rows->row_count, column_count * sizeof *rows->cells)) {
        report->status = LUDUS_ERROR_MEMORY;
        return;
    }
    rows->cells = cells;
    for (size_t i = 0; i < column_count; i++)
        rows->cells[rows->row_count * column_count + i].kind = TRACE_CELL_NULL;
    rows->row_count++;
    report->current_table = table;
    report->next_column = 0;
}

void trace_report_make_rows(struct trace_report *report, size_t table, size_t count,
                            struct trace_row_maker maker)
{
    struct report_table *rows = &report->tables[table];

    assert(table < report->type->table_count && rows->row_count == 0 && rows->maker.make == NULL);
    rows->maker = maker;
    rows->made_row = SIZE_MAX;
    rows->cells = calloc(report->type->tables[table].column_count, sizeof *rows->cells);
    if (rows->cells != NULL)
        rows->row_count = count;
    else if (report->status == LUDUS_OK)
        report->status = LUDUS_ERROR_MEMORY;
}

/* Makes the row that is to be shown. */
static void make_row(struct report_table *rows, size_t table, size_t row)
{
    struct trace_report *report = rows->report;

    for (size_t i = 0; i < report->type->tables[table].column_count; i++)
        rows->cells[i].kind = TRACE_CELL_NULL;
    trace_report_texts_reuse(&rows->made_texts);
    rows->made_row = row;
    report->current_table = table;
    report->next_column = 0;
    rows->maker.make(rows->maker.context, report, row);
}

/* The next cell of the row, or NULL after a failure. */
static struct trace_cell *next_cell(struct trace_report *report, const enum trace_type *type)
{
    const struct trace_table_type *table = &report->type->tables[report->current_table];
    struct report_table *rows = &report->tables[report->current_table];

    if (report->status != LUDUS_OK)
        return NULL;
    assert(rows->row_count > 0 && report->next_column < table->column_count);
    assert(type == NULL || table->columns[report->next_column].type == *type);
    (void)type; /* where assertions are off */
    size_t row = rows->maker.make != NULL ? 0 : rows->row_count - 1;
    return &rows->cells[row * table->column_count + report->next_column++];
}

void trace_report_text(struct trace_report *report, const char *text, size_t size)
{
    static const enum trace_type type = TRACE_TYPE_TEXT;
    struct trace_cell *cell = next_cell(report, &type);
    struct report_table *rows;
    char *copy;

    if (cell == NULL)
        return;
    rows = &report->tables[report->current_table];
    copy = trace_report_texts_allocate(
        rows->maker.make != NULL ? &rows->made_texts : &report->texts, size);
    if (copy == NULL) {
        report->status = LUDUS_ERROR_MEMORY;
        return;
    }
    if (size > 0)
        memcpy(copy, text, size);
    cell->kind = TRACE_CELL_TEXT;
    cell->as.text.data = copy;
    cell->as.text.size = size;
}

void trace_report_string(struct trace_report *report, const char *text)
{
    trace_report_text(report, text, strlen(text));
}

void trace_report_integer(struct trace_report *report, int64_t value)
{
    static const enum trace_type type = TRACE_TYPE_INTEGER;
    struct trace_cell *cell = next_cell(report, &type);

    if (cell == NULL)
        return;
    cell->kind = TRACE_CELL_INTEGER;
    cell->as.integer = value;
}

void trace_report_real(struct trace_report *report, double value)
{
    static const enum trace_type type = TRACE_TYPE_REAL;
    struct trace_cell *cell = next_cell(report, &type);

    if (cell == NULL)
        return;
    cell->kind = TRACE_CELL_REAL;
    cell->as.real = value;
}

void trace_report_null(struct trace_report *report)
{
    (void)next_cell(report, NULL);
}

void trace_report_fail(struct trace_report *report)
{
    if (report->status == LUDUS_OK)
        report->status = LUDUS_ERROR_MEMORY;
}

/* A copy of the formatted text that lives as long as the report; NULL when there is no memory. */
static const char *format_note(struct trace_report *report, const char *format, va_list arguments)
{
    va_list again;
    char *text = NULL;
    int size;

    va_copy(again, arguments);
    size = vsnprintf(NULL, 0, format, arguments);
    if (size >= 0)
        text = trace_report_texts_allocate(&report->texts, (size_t)size + 1);
    if (text != NULL)
        (void)vsnprintf(text, (size_t)size + 1, format, again);
    va_end(again);
    return text;
}

void trace_report_note(struct trace_report *report, size_t table, const char *format, ...)
{
    struct report_table *rows = &report->tables[table];
    void *notes = rows->notes;
    const char *text = NULL;
    va_list arguments;

    assert(table < report->type->table_count);
    if (report->status != LUDUS_OK)
        return;
    if (grow(&notes, &rows->note_capacity, rows->note_count, sizeof *rows->notes)) {
        rows->notes = notes;
        va_start(arguments, format);
        text = format_note(report, format, arguments);
        va_end(arguments);
    }
    if (text == NULL)
        report->status = LUDUS_ERROR_MEMORY;
    else
        rows->notes[rows->note_count++] = text;
}

void trace_report_set_headline(struct trace_report *report, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = trace_report_texts_allocate(&report->texts, size);

    if (copy == NULL)
        trace_report_fail(report);
    else
        report->headline = memcpy(copy, text, size);
}

const char *trace_report_headline(const struct trace_report *report)
{
    return report->headline;
}

void trace_report_set_main(struct trace_report *report, size_t table)
{
    assert(table < report->type->table_count);
    report->main_table = table;
}

enum ludus_status trace_report_finish(struct trace_report *report, struct ludus_error *error)
{
    return report->status == LUDUS_OK ? LUDUS_OK : trace_fail_memory(error);
}

enum ludus_status trace_report_deliver(struct trace_report *report, enum ludus_status status,
                                       struct trace_report **out, struct ludus_error *error)
{
    if (status == LUDUS_OK)
        status = trace_report_finish(report, error);
    if (status != LUDUS_OK) {
        trace_report_destroy(report);
        return status;
    }
    *out = report;
    return LUDUS_OK;
}

const struct trace_report_type *trace_report_get_type(const struct trace_report *report)
{
    return report->type;
}

size_t trace_report_main(const struct trace_report *report)
{
    return report->main_table;
}

size_t trace_report_row_count(const struct trace_report *report, size_t table)
{
    return report->tables[table].row_count;
}

struct trace_cell trace_report_cell(const struct trace_report *report, size_t table, size_t row,
                                    size_t column)
{
    struct report_table *rows = &report->tables[table];

    if (rows->maker.make == NULL)
        return rows->cells[row * report->type->tables[table].column_count + column];
    if (rows->made_row != row)
        make_row(rows, table, row);
    return rows->cells[column];
}

bool trace_report_is_whole(const struct trace_report *report)
{
    return report->status == LUDUS_OK;
}

size_t trace_report_note_count(const struct trace_report *report, size_t table)
{
    return report->tables[table].note_count;
}

const char *trace_report_get_note(const struct trace_report *report, size_t table, size_t index)
{
    return report->tables[table].notes[index];
}
