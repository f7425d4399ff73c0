/* Shows a report as Markdown tables, with everything in names that could be markup escaped. */
#include "render.h"

#include <assert.h>

#include "cell_text.h"
#include "markdown_text.h"

#define MAX_COLUMNS 48u

/* One table on its way out. */
struct markdown_table {
    const struct trace_report *report;
    const struct trace_table_type *type;
    struct trace_writer *writer;
    struct trace_text_buffer *text; /* the cell at hand */
    size_t table;
    bool shows[MAX_COLUMNS]; /* the column */
};

static void put_cell(const struct markdown_table *page, const char *text, size_t size)
{
    trace_put_byte(page->writer, ' ');
    trace_markdown_put(page->writer, text, size);
    trace_put_text(page->writer, " |");
}

/* The heading of a folded table is HTML, which wants a title without markup. */
static void put_title(const struct markdown_table *page)
{
    const char *title = page->type->title;

    trace_put_text(page->writer, page->type->is_folded ? "<details><summary>" : "### ");
    trace_markdown_put(page->writer, title, strlen(title));
    trace_put_text(page->writer, page->type->is_folded ? "</summary>\n\n" : "\n\n");
}

static void put_heading(const struct markdown_table *page)
{
    const struct trace_table_type *type = page->type;

    trace_put_text(page->writer, "|");
    for (size_t i = 0; i < type->column_count; i++)
        if (page->shows[i])
            put_cell(page, type->columns[i].title, strlen(type->columns[i].title));
    trace_put_text(page->writer, "\n|");
    for (size_t i = 0; i < type->column_count; i++)
        if (page->shows[i])
            trace_put_text(page->writer, trace_is_number(&type->columns[i]) ? "---:|" : ":---|");
    trace_put_byte(page->writer, '\n');
}

static void put_rows(const struct markdown_table *page)
{
    const struct trace_table_type *type = page->type;

    for (size_t row = 0; row < trace_report_row_count(page->report, page->table); row++) {
        trace_put_byte(page->writer, '|');
        for (size_t i = 0; i < type->column_count; i++) {
            struct trace_cell cell = trace_report_cell(page->report, page->table, row, i);

            if (!page->shows[i])
                continue;
            trace_text_buffer_clear(page->text);
            trace_append_cell(page->text, &type->columns[i], &cell);
            put_cell(page, page->text->data, page->text->size);
        }
        trace_put_byte(page->writer, '\n');
    }
}

static void put_list(const struct markdown_table *page)
{
    for (size_t row = 0; row < trace_report_row_count(page->report, page->table); row++) {
        trace_text_buffer_clear(page->text);
        trace_append_list_row(page->text, page->report, page->table, row);
        trace_put_text(page->writer, "- ");
        trace_markdown_put(page->writer, page->text->data, page->text->size);
        trace_put_byte(page->writer, '\n');
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

static void put_headline(const struct trace_report *report, struct trace_writer *writer,
                         struct trace_text_buffer *text)
{
    const char *headline = trace_report_headline(report);

    if (headline == NULL)
        return;
    trace_append_visible(text, headline, strlen(headline));
    trace_put_text(writer, "**");
    trace_markdown_put(writer, text->data, text->size);
    trace_put_text(writer, "**\n\n");
}

enum ludus_status trace_render_markdown(const struct trace_report *report,
                                        struct trace_writer *writer)
{
    const struct trace_report_type *type = trace_report_get_type(report);
    struct trace_text_buffer text = {NULL, 0, 0, false};
    bool has_failed;
    bool is_first = true;

    put_headline(report, writer, &text);
    for (size_t i = 0; i < type->table_count; i++) {
        struct markdown_table page = {report, &type->tables[i], writer, &text, i, {false}};

        if (!trace_report_shows_table(report, i))
            continue;
        assert(page.type->column_count <= MAX_COLUMNS);
        for (size_t column = 0; column < page.type->column_count; column++)
            page.shows[column] = trace_report_shows_column(report, i, column);
        if (!is_first)
            trace_put_byte(writer, '\n');
        is_first = false;
        put_title(&page);
        if (page.type->is_list) {
            put_list(&page);
        } else {
            put_heading(&page);
            put_rows(&page);
        }
        put_notes(report, i, writer, &text);
        if (page.type->is_folded)
            trace_put_text(writer, "\n</details>\n");
    }
    has_failed = text.has_failed;
    trace_text_buffer_release(&text);
    return has_failed ? LUDUS_ERROR_MEMORY : LUDUS_OK;
}
