/* Puts the names of a path together. */
#include "path_text.h"

#include <stdlib.h>

#define NAMES_AT_EACH_END 100u

bool trace_append_path(struct trace_text_buffer *text, const struct trace_model *model,
                       uint32_t path)
{
    uint32_t count = model->paths[path].depth + 1;
    const struct trace_text **names = malloc(count * sizeof *names);
    if (names == NULL)
        return false;
    for (uint32_t i = count; i-- > 0; path = model->paths[path].parent)
        names[i] = &model->sites[model->paths[path].site].name;
    for (uint32_t i = 0; i < count; i++) {
        bool is_end = i < NAMES_AT_EACH_END || i >= count - NAMES_AT_EACH_END;
        if (is_end && i != 0)
            trace_text_buffer_append(text, " > ", 3);
        if (is_end)
            trace_text_buffer_append(text, names[i]->data, names[i]->size);
        else if (i == NAMES_AT_EACH_END)
            trace_text_buffer_append(text, " > ...", 6);
    }
    free(names);
    return !text->has_failed;
}
