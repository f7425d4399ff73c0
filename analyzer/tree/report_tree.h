/* What the files of the tree report share. Private to them. */
#ifndef TRACE_REPORT_TREE_H
#define TRACE_REPORT_TREE_H

#include "call_tree_page.h"
#include "path_text.h"
#include "report.h"

/* What the rows of a report are made of; it belongs to the report. */
struct trace_tree_source {
    struct trace_chosen chosen;
    struct trace_call_tree tree;
    struct trace_tree_page page;
    struct trace_path_texts texts;
};

/* Puts the cells of a row up to its numbers. */
void trace_put_tree_names(struct trace_report *report, const struct trace_tree_source *source,
                          const struct trace_tree_row *row);

/* Says below a table what the numbers are about, and what is not shown. */
void trace_note_tree(struct trace_report *report, size_t table,
                     const struct trace_tree_source *source);

#endif
