/* A table for people on its way out: which columns it shows and how wide they are. Private to the
 * analyzer. */
#ifndef TRACE_TABLE_PAGE_H
#define TRACE_TABLE_PAGE_H

#include "byte_writer.h"
#include "report.h"
#include "text_buffer.h"

#define TRACE_TABLE_MAX_COLUMNS 48u
#define TRACE_TABLE_MIN_CUT     16u /* no text is cut below it, */
#define TRACE_TABLE_LEAST_CUT   8u  /* nor below this where lines must fit */
#define TRACE_TABLE_GAP         2u  /* before each column */

/* One table on its way out. */
struct trace_table_page {
    const struct trace_report *report;
    const struct trace_table_type *type;
    struct trace_writer *writer;
    struct trace_text_buffer text; /* the cell at hand */
    size_t table;
    bool shows[TRACE_TABLE_MAX_COLUMNS]; /* the column */
    size_t widths[TRACE_TABLE_MAX_COLUMNS];
    size_t least[TRACE_TABLE_MAX_COLUMNS]; /* in which its texts differ */
    size_t heads[TRACE_TABLE_MAX_COLUMNS]; /* of its texts when they are cut */
    size_t line_width;                     /* at most, where texts can be cut */
    size_t note_width;
    size_t cut_width; /* no text is cut below it */
    size_t gap;       /* before each column but the first */
    bool has_color;
    bool is_terse;
};

/* Puts the cell's text into the page's. */
void trace_table_load_cell(struct trace_table_page *page, size_t row, size_t column);

/* Makes columns as wide as what they show. */
void trace_table_measure(struct trace_table_page *page);
size_t trace_table_line_width(const struct trace_table_page *page);

/* Cuts texts until lines are at most so wide, but not below `cut_width`. False when they are wider
 * all the same. */
bool trace_table_cut_texts(struct trace_table_page *page, size_t most, size_t cut_width);

/* Finds where texts are cut. */
void trace_table_find_heads(struct trace_table_page *page);

/* Makes lines at most so wide, with texts that can be told apart. Wide gaps are given up before
 * names become too short to tell. False when lines are too long all the same. */
bool trace_table_fit(struct trace_table_page *page, size_t most);

#endif
