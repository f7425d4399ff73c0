/* Text inside Markdown. Private to the analyzer. */
#ifndef TRACE_MARKDOWN_TEXT_H
#define TRACE_MARKDOWN_TEXT_H

#include "byte_writer.h"

/* Puts a text without line ends so that Markdown shows all of it and takes nothing of it for
 * markup.
 */
void trace_markdown_put(struct trace_writer *writer, const char *text, size_t size);

#endif
