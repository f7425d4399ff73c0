/* Cuts texts of a column to a width, so that those that differ still do. Private to the analyzer.
 */
#ifndef TRACE_TEXT_CUT_H
#define TRACE_TEXT_CUT_H

#include <stdbool.h>
#include <stddef.h>

#include "byte_writer.h"

/* More texts than these, as in a long table, are cut in their middles, whatever becomes of them. */
#define TRACE_MOST_TOLD_APART 32u

/* The different texts of a column. All zero is none. */
struct trace_cut_texts {
    char *texts[TRACE_MOST_TOLD_APART];
    size_t sizes[TRACE_MOST_TOLD_APART];
    size_t count;
    bool has_more; /* or there was no memory: they are not told apart */
};

/* Takes a copy of a text that is not there yet. */
void trace_cut_texts_add(struct trace_cut_texts *texts, const char *text, size_t size);
void trace_cut_texts_clear(struct trace_cut_texts *texts);

/* The least width, `least` or more and at most `most`, in which they differ. */
size_t trace_cut_texts_width(const struct trace_cut_texts *texts, size_t least, size_t most);

/* How much of a text is kept in front of what is left out, for the width: half of it, or what is
 * next to that and lets the texts differ. */
size_t trace_cut_texts_head(const struct trace_cut_texts *texts, size_t width);

/* The half of it. */
size_t trace_cut_middle(size_t width);

/* Puts the text, what follows its first `head` columns left out when it is wider than `width`;
 * returns the columns used. */
size_t trace_put_cut(struct trace_writer *writer, const char *text, size_t size, size_t width,
                     size_t head);

#endif
