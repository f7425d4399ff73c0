/* Shows one table of a report as comma-separated values: RFC 4180, the header line always, exact
 * numbers in base units, null as an empty field. */
#include "render.h"

#include <math.h>

#include "csv_text.h"
#include "number_text.h"

static void put_cell(struct trace_writer *writer, const struct trace_column *column,
                     const struct trace_cell *cell)
{
    char text[TRACE_NUMBER_SIZE];

    switch (cell->kind) {
    case TRACE_CELL_NULL:
        break;
    case TRACE_CELL_TEXT:
        trace_csv_put_field(writer, cell->as.text.data, cell->as.text.size);
        break;
    case TRACE_CELL_INTEGER:
        trace_put(writer, text, trace_format_integer(cell->as.integer, text));
        break;
    case TRACE_CELL_REAL:
        if (isfinite(cell->as.real))
            trace_put(writer, text,
                      trace_format_fixed(cell->as.real,
                                         trace_decimals_of(cell->as.real, column->decimals), text));
        break;
    }
}

void trace_render_csv(const struct trace_report *report, size_t table, struct trace_writer *writer)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];
    const char *separator = "";

    for (size_t i = 0; i < type->column_count; i++) {
        if (type->columns[i].is_for_people)
            continue;
        trace_put_text(writer, separator);
        separator = ",";
        trace_csv_put_field(writer, type->columns[i].name, strlen(type->columns[i].name));
    }
    trace_put_text(writer, TRACE_CSV_LINE_END);
    for (size_t row = 0; row < trace_report_row_count(report, table); row++) {
        separator = "";
        for (size_t i = 0; i < type->column_count; i++) {
            struct trace_cell cell = trace_report_cell(report, table, row, i);

            if (type->columns[i].is_for_people)
                continue;
            trace_put_text(writer, separator);
            separator = ",";
            put_cell(writer, &type->columns[i], &cell);
        }
        trace_put_text(writer, TRACE_CSV_LINE_END);
    }
}
