/* Caller contexts as texts. Private to the analyzer. */
#ifndef TRACE_PATH_TEXT_H
#define TRACE_PATH_TEXT_H

#include "model.h"
#include "text_buffer.h"

/* What texts of paths need. All zero: there are none. */
struct trace_path_texts {
    const struct trace_model *model;
    uint32_t *heads; /* by path: the last of its first hundred; 0: not looked up yet. NULL: no path
                        of the model is so long that it matters */
};

/* Of the model's paths as they are now. False when there is no memory. */
bool trace_path_texts_create(struct trace_path_texts *texts, const struct trace_model *model);
void trace_path_texts_destroy(struct trace_path_texts *texts);

/* Appends the names from the outermost site to the path's own, " > " between them; of more than
 * 200, which only a runaway recursion has, the first and the last hundred. `path` is no root. False
 * when there is no memory. */
bool trace_append_path(struct trace_text_buffer *text, const struct trace_path_texts *texts,
                       uint32_t path);

#endif
