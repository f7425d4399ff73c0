/* Writes a page: a document with one place for data, and tables of reports as that data. Private to
 * the analyzer. */
#ifndef TRACE_PAGE_WRITER_H
#define TRACE_PAGE_WRITER_H

#include "json_writer.h"
#include "report.h"
#include "text_buffer.h"

/* Too large for a stack. All zero is one that was not begun. */
struct trace_page_writer {
    struct trace_writer document;
    struct trace_writer data; /* into the document, as text that ends no element of it */
    struct trace_json json;   /* into the data */
    struct trace_text_buffer visible;
};

/* Puts what comes before the data. */
void trace_page_begin(struct trace_page_writer *page, const char *head, struct trace_output output);

/* Puts what comes behind them. Errors: MEMORY, WRITE. */
LUDUS_CHECKED enum ludus_status trace_page_end(struct trace_page_writer *page, const char *tail,
                                               struct ludus_error *error);

static inline void trace_page_release(struct trace_page_writer *page)
{
    trace_text_buffer_release(&page->visible);
}

/* A text that may hold any bytes: what would not be seen is shown as an escape, and a long one is
 * cut. */
void trace_page_text(struct trace_page_writer *page, const char *text, size_t size);

/* A member of the object at hand: title, columns, rows as arrays of the columns' values, how many
 * rows there are of which the first `most` are put, and notes. `table` is a table of the report and
 * `columns` some of its columns, spaces between, in the order of the type. */
void trace_page_put_table(struct trace_page_writer *page, const struct trace_report *report,
                          const char *table, const char *columns, size_t most);

#endif
