/* Shows a report as JSON: exact numbers in base units, one row a line. */
#include "render.h"

#include <math.h>

#include "number_text.h"

void trace_put_json_column(struct trace_json *json, const struct trace_column *column)
{
    trace_json_begin_object(json);
    trace_json_key(json, "name");
    trace_json_text(json, column->name);
    trace_json_key(json, "unit");
    trace_json_text(json, trace_unit_name(column->unit));
    trace_json_key(json, "window");
    trace_json_text(json, column->window);
    trace_json_key(json, "denominator");
    trace_json_text(json, column->denominator);
    trace_json_key(json, "description");
    trace_json_text(json, column->description);
    trace_json_end_object(json);
}

void trace_put_json_cell(struct trace_json *json, const struct trace_column *column,
                         const struct trace_cell *cell)
{
    switch (cell->kind) {
    case TRACE_CELL_NULL:
        trace_json_null(json);
        break;
    case TRACE_CELL_TEXT:
        trace_json_bytes(json, cell->as.text.data, cell->as.text.size);
        break;
    case TRACE_CELL_INTEGER:
        trace_json_integer(json, cell->as.integer);
        break;
    case TRACE_CELL_REAL:
        trace_json_fixed(json, cell->as.real,
                         isfinite(cell->as.real)
                             ? trace_decimals_of(cell->as.real, column->decimals)
                             : column->decimals);
        break;
    }
}

static void put_row(struct trace_json *json, const struct trace_report *report, size_t table,
                    size_t row)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];

    trace_json_begin_object(json);
    for (size_t i = 0; i < type->column_count; i++) {
        struct trace_cell cell = trace_report_cell(report, table, row, i);

        if (type->columns[i].is_for_people)
            continue;
        trace_json_key(json, type->columns[i].name);
        trace_put_json_cell(json, &type->columns[i], &cell);
    }
    trace_json_end_object(json);
}

/* Ends an array whose items have lines of their own; an empty one stays on its line. */
static void end_lines(struct trace_json *json, size_t count, int indent)
{
    if (count > 0)
        trace_json_break(json, indent);
    trace_json_end_array(json);
}

static void put_table(struct trace_json *json, const struct trace_report *report, size_t table)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    size_t row_count = trace_report_row_count(report, table);
    size_t note_count = trace_report_note_count(report, table);

    trace_json_break(json, 2);
    trace_json_key(json, type->name);
    trace_json_begin_object(json);
    trace_json_break(json, 3);
    trace_json_key(json, "title");
    trace_json_text(json, type->title);
    trace_json_break(json, 3);
    trace_json_key(json, "columns");
    trace_json_begin_array(json);
    for (size_t i = 0; i < type->column_count; i++) {
        if (type->columns[i].is_for_people)
            continue;
        trace_json_break(json, 4);
        trace_put_json_column(json, &type->columns[i]);
    }
    end_lines(json, type->column_count, 3);
    trace_json_break(json, 3);
    trace_json_key(json, "rows");
    trace_json_begin_array(json);
    for (size_t i = 0; i < row_count; i++) {
        trace_json_break(json, 4);
        put_row(json, report, table, i);
    }
    end_lines(json, row_count, 3);
    trace_json_break(json, 3);
    trace_json_key(json, "notes");
    trace_json_begin_array(json);
    for (size_t i = 0; i < note_count; i++) {
        trace_json_break(json, 4);
        trace_json_text(json, trace_report_get_note(report, table, i));
    }
    end_lines(json, note_count, 3);
    trace_json_break(json, 2);
    trace_json_end_object(json);
}

void trace_render_json(const struct trace_report *report, struct trace_writer *writer)
{
    const struct trace_report_type *type = trace_report_get_type(report);
    struct trace_json json;

    trace_json_start(&json, writer);
    trace_json_begin_object(&json);
    trace_json_break(&json, 1);
    trace_json_key(&json, "report");
    trace_json_text(&json, type->name);
    trace_json_break(&json, 1);
    trace_json_key(&json, "version");
    trace_json_integer(&json, type->version);
    trace_json_break(&json, 1);
    trace_json_key(&json, "tables");
    trace_json_begin_object(&json);
    for (size_t i = 0; i < type->table_count; i++)
        put_table(&json, report, i);
    trace_json_break(&json, 1);
    trace_json_end_object(&json);
    trace_json_break(&json, 0);
    trace_json_end_object(&json);
    trace_put_byte(writer, '\n');
}
