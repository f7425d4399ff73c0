/* Writes a page: a document with one place for data, and tables of reports as that data. Private to
 * the analyzer. */
#ifndef TRACE_PAGE_WRITER_H
#define TRACE_PAGE_WRITER_H

#include "json_writer.h"
#include "report.h"
#include "text_buffer.h"

/* What a page shows at most of all windows together, so that its size is bounded. */
#define TRACE_PAGE_TREE_ROWS 2500u /* a page of them is drawn at once */
#define TRACE_PAGE_DEPTH     100u  /* of the tree */
#define TRACE_PAGE_SITES     400u  /* of sites that work, and of those that wait */
#define TRACE_PAGE_ROWS                                                                            \
    (2 * TRACE_PAGE_SITES) /* of any other table: who wants more asks the command behind it */

#define TRACE_PAGE_NAME     160u  /* bytes of a name */
#define TRACE_PAGE_SENTENCE 1000u /* of a sentence, or a file's name */

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

/* A table of a report and those of its columns that are shown, spaces between, in the order of the
 * type; NULL: all but those for people. */
struct trace_page_table {
    const char *table;
    const char *columns;
    bool has_sentences; /* its texts are longer than names */
};

/* A member of the object at hand: an object of tables of a report, of which the first `most` rows
 * are put. */
void trace_page_put_report(struct trace_page_writer *page, const char *name,
                           const struct trace_report *report, const struct trace_page_table *tables,
                           size_t count, size_t most);

/* The same of an array in sight. */
#define TRACE_PAGE_PUT_REPORT(page, name, report, tables, most)                                    \
    trace_page_put_report(page, name, report, tables, sizeof(tables) / sizeof(tables)[0], most)

#endif
