/* Puts the names of a path together. */
#include "path_text.h"

#include <stdlib.h>

#define AT_EACH_END 100u

bool trace_path_texts_create(struct trace_path_texts *texts, const struct trace_model *model)
{
    bool has_long = false;
    *texts = (struct trace_path_texts){.model = model};
    for (uint32_t path = 1; path < model->path_count && !has_long; path++)
        has_long = model->paths[path].depth >= 2 * AT_EACH_END;
    if (has_long)
        texts->heads = calloc(model->path_count, sizeof *texts->heads);
    return !has_long || texts->heads != NULL;
}

void trace_path_texts_destroy(struct trace_path_texts *texts)
{
    free(texts->heads);
    *texts = (struct trace_path_texts){0};
}

/* The one of a path's callers that is the last of the first hundred. Where a chain is walked up, it
 * is noted: each path of a deep one would walk all of it otherwise. */
static uint32_t head_of(const struct trace_path_texts *texts, uint32_t path)
{
    const struct trace_path *paths = texts->model->paths;
    uint32_t head = path;
    while (paths[head].depth >= AT_EACH_END && texts->heads[head] == 0)
        head = paths[head].parent;
    if (paths[head].depth >= AT_EACH_END)
        head = texts->heads[head];
    for (; paths[path].depth >= AT_EACH_END && texts->heads[path] == 0; path = paths[path].parent)
        texts->heads[path] = head;
    return head;
}

/* Appends the names of `count` paths, the last of which is `path`. */
static void append_names(struct trace_text_buffer *text, const struct trace_model *model,
                         uint32_t path, uint32_t count)
{
    const struct trace_text *names[2 * AT_EACH_END];
    for (uint32_t i = count; i-- > 0; path = model->paths[path].parent)
        names[i] = &model->sites[model->paths[path].site].name;
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0)
            trace_text_buffer_append(text, " > ", 3);
        trace_text_buffer_append(text, names[i]->data, names[i]->size);
    }
}

bool trace_append_path(struct trace_text_buffer *text, const struct trace_path_texts *texts,
                       uint32_t path)
{
    const uint32_t count = texts->model->paths[path].depth + 1;
    if (count <= 2 * AT_EACH_END) {
        append_names(text, texts->model, path, count);
    } else {
        append_names(text, texts->model, head_of(texts, path), AT_EACH_END);
        trace_text_buffer_append(text, " > ... > ", 9);
        append_names(text, texts->model, path, AT_EACH_END);
    }
    return !text->has_failed;
}
