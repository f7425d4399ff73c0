/* Caller contexts as texts. Private to the analyzer. */
#ifndef TRACE_PATH_TEXT_H
#define TRACE_PATH_TEXT_H

#include "model.h"
#include "text_buffer.h"

/* Appends the names from the outermost site to the path's own, " > " between them; of more than
 * 200, which only a runaway recursion has, the first and the last hundred. `path` is no root. False
 * when there is no memory. */
bool trace_append_path(struct trace_text_buffer *text, const struct trace_model *model,
                       uint32_t path);

#endif
