/* Shows the rows of a statement as aligned columns. Widths come from the first rows, which are kept
 * until then; later rows go out as they come, wider than their column when they must be. */
#include <stdlib.h>
#include <string.h>

#include "query_rows.h"
#include "utf8.h"

#define MEASURED_ROWS  1000u
#define MEASURED_BYTES 1048576u
#define MAX_WIDTH      60u /* that others are aligned to */
#define GAP            2u  /* before each column */

struct query_column {
    size_t width;
    bool has_numbers;
    bool has_words;
};

/* A table on its way out. `cells` holds the texts of the measured rows, one behind the other. */
struct query_page {
    struct trace_query_rows *rows;
    struct trace_writer *writer;
    struct query_column *columns;
    struct trace_text_buffer cells;
    struct trace_text_buffer sizes; /* of each cell: a size_t */
};

static void note_width(struct query_column *column, const char *text, size_t size)
{
    size_t width = trace_utf8_width(text, size);

    if (width > MAX_WIDTH)
        width = MAX_WIDTH;
    if (width > column->width)
        column->width = width;
}

static void keep_cell(struct query_page *page, int index)
{
    struct query_column *column = &page->columns[index];
    int type = sqlite3_column_type(page->rows->statement, index);
    size_t before = page->cells.size;
    size_t size;

    trace_query_append_value(page->rows, index, &page->cells);
    size = page->cells.size - before;
    trace_text_buffer_append(&page->sizes, (const char *)&size, sizeof size);
    if (page->cells.has_failed || page->sizes.has_failed)
        return;
    note_width(column, page->cells.data + before, size);
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        column->has_numbers = true;
    else if (type != SQLITE_NULL)
        column->has_words = true;
}

static void put_cell(struct query_page *page, int index, const char *text, size_t size)
{
    const struct query_column *column = &page->columns[index];
    size_t width = trace_utf8_width(text, size);
    size_t space = width < column->width ? column->width - width : 0;
    bool is_right = column->has_numbers && !column->has_words;

    trace_put_repeated(page->writer, ' ', index > 0 ? GAP : 0);
    if (is_right)
        trace_put_repeated(page->writer, ' ', space);
    trace_put(page->writer, text, size);
    if (!is_right && index + 1 < page->rows->count)
        trace_put_repeated(page->writer, ' ', space);
}

static void put_names(struct query_page *page)
{
    struct trace_text_buffer name = {0};

    for (int i = 0; i < page->rows->count; i++) {
        trace_text_buffer_clear(&name);
        trace_append_visible(&name, page->rows->names[i], strlen(page->rows->names[i]));
        note_width(&page->columns[i], name.data, name.size);
        put_cell(page, i, name.data, name.size);
    }
    trace_put_byte(page->writer, '\n');
    trace_text_buffer_release(&name);
}

static void put_kept_rows(struct query_page *page)
{
    const char *text = page->cells.data;
    int column = 0;

    for (size_t at = 0; at < page->sizes.size; at += sizeof(size_t)) {
        size_t size;

        memcpy(&size, page->sizes.data + at, sizeof size);
        put_cell(page, column, text, size);
        text += size;
        if (++column == page->rows->count) {
            column = 0;
            trace_put_byte(page->writer, '\n');
        }
    }
}

/* Reads rows until enough are kept; returns the status of the last step. */
static int keep_rows(struct query_page *page)
{
    unsigned count = 0;
    int status = SQLITE_ROW;

    while (count < MEASURED_ROWS && page->cells.size < MEASURED_BYTES && !page->cells.has_failed &&
           (status = sqlite3_step(page->rows->statement)) == SQLITE_ROW) {
        for (int i = 0; i < page->rows->count; i++)
            keep_cell(page, i);
        count++;
    }
    return status;
}

static int put_other_rows(struct query_page *page)
{
    int status;

    while ((status = sqlite3_step(page->rows->statement)) == SQLITE_ROW &&
           page->writer->status == LUDUS_OK && !page->cells.has_failed) {
        for (int i = 0; i < page->rows->count; i++) {
            trace_text_buffer_clear(&page->cells);
            trace_query_append_value(page->rows, i, &page->cells);
            put_cell(page, i, page->cells.data, page->cells.size);
        }
        trace_put_byte(page->writer, '\n');
    }
    return status;
}

int trace_query_table_put(struct trace_query_rows *rows, struct trace_writer *writer)
{
    struct query_page page = {.rows = rows, .writer = writer};
    int status = SQLITE_NOMEM;

    page.columns = calloc((size_t)rows->count + 1, sizeof *page.columns);
    if (page.columns != NULL)
        status = keep_rows(&page);
    if (status == SQLITE_ROW || status == SQLITE_DONE) {
        put_names(&page);
        put_kept_rows(&page);
        if (page.sizes.size == 0)
            trace_put_text(writer, "(no rows)\n");
    }
    if (status == SQLITE_ROW)
        status = put_other_rows(&page);
    if (page.cells.has_failed || page.sizes.has_failed)
        status = SQLITE_NOMEM;
    trace_text_buffer_release(&page.cells);
    trace_text_buffer_release(&page.sizes);
    free(page.columns);
    return status;
}
