/* Shows a report as Markdown tables, with everything in names that could be markup escaped. */
#include "render.h"

#include "cell_text.h"
#include "markdown_text.h"

static void put_heading(struct trace_writer *writer, const struct trace_table_type *type)
{
    trace_put_text(writer, "### ");
    trace_markdown_put(writer, type->title, strlen(type->title));
    trace_put_text(writer, "\n\n|");
    for (size_t i = 0; i < type->column_count; i++) {
        if (type->columns[i].is_detail)
            continue;
        trace_put_byte(writer, ' ');
        trace_markdown_put(writer, type->columns[i].title, strlen(type->columns[i].title));
        trace_put_text(writer, " |");
    }
    trace_put_text(writer, "\n|");
    for (size_t i = 0; i < type->column_count; i++)
        if (!type->columns[i].is_detail)
            trace_put_text(writer, trace_is_number(&type->columns[i]) ? "---:|" : ":---|");
    trace_put_byte(writer, '\n');
}

static void put_rows(const struct trace_report *report, size_t table, struct trace_writer *writer,
                     struct trace_text_buffer *text)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[table];

    for (size_t row = 0; row < trace_report_row_count(report, table); row++) {
        trace_put_byte(writer, '|');
        for (size_t i = 0; i < type->column_count; i++) {
            struct trace_cell cell = trace_report_cell(report, table, row, i);

            if (type->columns[i].is_detail)
                continue;
            trace_text_buffer_clear(text);
            trace_append_cell(text, &type->columns[i], &cell);
            trace_put_byte(writer, ' ');
            trace_markdown_put(writer, text->data, text->size);
            trace_put_text(writer, " |");
        }
        trace_put_byte(writer, '\n');
    }
}

static void put_notes(const struct trace_report *report, size_t table, struct trace_writer *writer,
                      struct trace_text_buffer *text)
{
    size_t count = trace_report_note_count(report, table);

    if (count > 0)
        trace_put_byte(writer, '\n');
    for (size_t i = 0; i < count; i++) {
        const char *note = trace_report_get_note(report, table, i);

        trace_text_buffer_clear(text);
        trace_append_visible(text, note, strlen(note));
        trace_put_text(writer, "- ");
        trace_markdown_put(writer, text->data, text->size);
        trace_put_byte(writer, '\n');
    }
}

enum ludus_status trace_render_markdown(const struct trace_report *report,
                                        struct trace_writer *writer)
{
    const struct trace_report_type *type = trace_report_get_type(report);
    struct trace_text_buffer text = {NULL, 0, 0, false};
    bool has_failed;

    for (size_t i = 0; i < type->table_count; i++) {
        if (i > 0)
            trace_put_byte(writer, '\n');
        put_heading(writer, &type->tables[i]);
        put_rows(report, i, writer, &text);
        put_notes(report, i, writer, &text);
    }
    has_failed = text.has_failed;
    trace_text_buffer_release(&text);
    return has_failed ? LUDUS_ERROR_MEMORY : LUDUS_OK;
}
