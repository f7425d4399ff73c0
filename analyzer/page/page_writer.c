/* Writes the document, and tables into it. */
#include "page_writer.h"

#include "failure.h"
#include "render.h"
#include "utf8.h"
#include "word_list.h"

/* JSON has this letter only in strings, where it may be written so. Then no text ends the element,
 * or begins a comment in it. */
static enum ludus_status put_data(void *context, const char *bytes, size_t size)
{
    struct trace_writer *document = context;
    while (size > 0) {
        const char *mark = memchr(bytes, '<', size);
        size_t plain = mark == NULL ? size : (size_t)(mark - bytes);
        trace_put(document, bytes, plain);
        bytes += plain;
        size -= plain;
        if (mark != NULL) {
            trace_put_text(document, "\\u003c");
            bytes++;
            size--;
        }
    }
    return document->status;
}

void trace_page_begin(struct trace_page_writer *page, const char *head, struct trace_output output)
{
    trace_writer_start(&page->document, output);
    trace_put_text(&page->document, head);
    trace_writer_start(&page->data, (struct trace_output){&page->document, put_data});
    trace_json_start(&page->json, &page->data);
}

enum ludus_status trace_page_end(struct trace_page_writer *page, const char *tail,
                                 struct ludus_error *error)
{
    if (page->visible.has_failed)
        return trace_fail_memory(error);
    (void)!trace_writer_flush(&page->data); /* its failure is the document's */
    trace_put_text(&page->document, tail);
    if (trace_writer_flush(&page->document) != LUDUS_OK)
        return trace_fail(error, page->document.status, "the output cannot be written");
    return LUDUS_OK;
}

/* --- texts ----------------------------------------------------------------------------------- */

/* Where a text of so many bytes may end: between code points. */
static size_t end_within(const struct trace_text_buffer *text, size_t most)
{
    size_t end = 0;
    for (size_t next = 0; next <= most;
         next += trace_utf8_next(text->data + next, text->size - next).size)
        end = next;
    return end;
}

/* Where the last so many bytes of a text may begin. */
static size_t begin_within(const struct trace_text_buffer *text, size_t most)
{
    size_t begin = 0;
    while (begin + most < text->size)
        begin += trace_utf8_next(text->data + begin, text->size - begin).size;
    return begin;
}

/* The bytes that a name of so many may have. What one has beyond others is taken from what all may
 * have. */
static size_t room_for_name(struct trace_page_writer *page, size_t size)
{
    size_t wanted = size < TRACE_PAGE_SENTENCE ? size : TRACE_PAGE_SENTENCE;
    if (wanted <= TRACE_PAGE_NAME || wanted - TRACE_PAGE_NAME > page->spare_bytes)
        return TRACE_PAGE_NAME;
    page->spare_bytes -= wanted - TRACE_PAGE_NAME;
    return TRACE_PAGE_SENTENCE;
}

/* A text that may hold any bytes: what would not be seen is shown as an escape, and a long one has
 * its beginning and its end, where this makes it shorter. */
static void put_text(struct trace_page_writer *page, const char *text, size_t size,
                     bool is_sentence)
{
    static const char more[] = "\xE2\x80\xA6";
    struct trace_text_buffer *visible = &page->visible;
    trace_text_buffer_clear(visible);
    trace_append_visible(visible, text, size);
    size_t most = is_sentence ? TRACE_PAGE_SENTENCE : room_for_name(page, visible->size);
    if (visible->size >= most + sizeof more) {
        size_t end = end_within(visible, most / 2);
        size_t begin = begin_within(visible, most / 2);
        memcpy(visible->data + end, more, sizeof more - 1);
        end += sizeof more - 1;
        memmove(visible->data + end, visible->data + begin, visible->size - begin);
        visible->size = end + visible->size - begin;
    }
    trace_json_bytes(&page->json, visible->data, visible->size);
}

/* --- tables ---------------------------------------------------------------------------------- */

static bool is_shown(const struct trace_column *column, const char *columns)
{
    return !column->is_for_people && (columns == NULL || trace_is_listed(columns, column->name));
}

static size_t find_table(const struct trace_report_type *type, const char *name)
{
    size_t table = 0;
    while (strcmp(type->tables[table].name, name) != 0)
        table++;
    return table;
}

static void put_row(struct trace_page_writer *page, const struct trace_report *report, size_t index,
                    size_t row, const struct trace_page_table *table)
{
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[index];
    trace_json_break(&page->json, 1);
    trace_json_begin_array(&page->json);
    for (size_t i = 0; i < type->column_count; i++) {
        if (!is_shown(&type->columns[i], table->columns))
            continue;
        struct trace_cell cell = trace_report_cell(report, index, row, i);
        if (cell.kind == TRACE_CELL_TEXT)
            put_text(page, cell.as.text.data, cell.as.text.size, table->has_sentences);
        else
            trace_put_json_cell(&page->json, &type->columns[i], &cell);
    }
    trace_json_end_array(&page->json);
}

/* A member: title, columns, rows as arrays of the columns' values, how many rows there are of which
 * the first `most` are put, and notes. */
static void put_table(struct trace_page_writer *page, const struct trace_report *report,
                      const struct trace_page_table *table, size_t most)
{
    struct trace_json *json = &page->json;
    const char *columns = table->columns;
    size_t index = find_table(trace_report_get_type(report), table->table);
    const struct trace_table_type *type = &trace_report_get_type(report)->tables[index];
    size_t row_count = trace_report_row_count(report, index);
    trace_json_break(json, 0);
    trace_json_key(json, table->table);
    trace_json_begin_object(json);
    trace_json_key(json, "title");
    trace_json_text(json, type->title);
    trace_json_key(json, "titles");
    trace_json_begin_array(json);
    for (size_t i = 0; i < type->column_count; i++)
        if (is_shown(&type->columns[i], columns))
            trace_json_text(json, type->columns[i].title);
    trace_json_end_array(json);
    trace_json_key(json, "columns");
    trace_json_begin_array(json);
    for (size_t i = 0; i < type->column_count; i++)
        if (is_shown(&type->columns[i], columns))
            trace_put_json_column(json, &type->columns[i]);
    trace_json_end_array(json);
    trace_json_key(json, "row_count");
    trace_json_unsigned(json, row_count);
    trace_json_key(json, "rows");
    trace_json_begin_array(json);
    for (size_t row = 0; row < row_count && row < most; row++)
        put_row(page, report, index, row, table);
    trace_json_end_array(json);
    trace_json_key(json, "notes");
    trace_json_begin_array(json);
    for (size_t i = 0; i < trace_report_note_count(report, index); i++)
        trace_json_text(json, trace_report_get_note(report, index, i));
    trace_json_end_array(json);
    trace_json_end_object(json);
}

void trace_page_put_report(struct trace_page_writer *page, const char *name,
                           const struct trace_report *report, const struct trace_page_table *tables,
                           size_t count, size_t most)
{
    struct trace_json *json = &page->json;
    trace_json_break(json, 0);
    trace_json_key(json, name);
    trace_json_begin_object(json);
    for (size_t i = 0; i < count; i++)
        put_table(page, report, &tables[i], most);
    trace_json_end_object(json);
    page->visible.has_failed |= !trace_report_is_whole(report);
}
