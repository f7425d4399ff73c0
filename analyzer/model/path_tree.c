/* A hash table over the model's paths, at most three quarters full. */
#include "path_tree.h"

#include <stdlib.h>

#define FIRST_CAPACITY 1024u

bool trace_path_tree_create(struct trace_path_tree *tree, struct trace_model *model)
{
    *tree = (struct trace_path_tree){.model = model, .capacity = FIRST_CAPACITY};
    tree->slots = calloc(tree->capacity, sizeof *tree->slots);
    if (tree->slots == NULL || !trace_array_grow(&model->paths, 0, sizeof *model->paths))
        return false;
    model->paths[0] = (struct trace_path){.parent = TRACE_NONE, .site = TRACE_NONE};
    model->path_count = 1;
    return true;
}

void trace_path_tree_destroy(struct trace_path_tree *tree)
{
    free(tree->slots);
    tree->slots = NULL;
}

static void place(struct trace_path_tree *tree, uint32_t index)
{
    const struct trace_path *path = &tree->model->paths[index];
    uint32_t slot = trace_path_tree_slot(tree, path->parent, path->site);
    while (tree->slots[slot] != 0)
        slot = (slot + 1) & (tree->capacity - 1);
    tree->slots[slot] = index;
}

static bool enlarge(struct trace_path_tree *tree)
{
    if (tree->capacity > UINT32_MAX / 4)
        return false;
    uint32_t *slots = calloc((size_t)tree->capacity * 2, sizeof *slots);
    if (slots == NULL)
        return false;
    free(tree->slots);
    tree->slots = slots;
    tree->capacity *= 2;
    for (uint32_t index = 1; index < tree->model->path_count; index++)
        place(tree, index);
    return true;
}

static bool is_outermost(const struct trace_model *model, uint32_t parent, uint32_t site)
{
    for (; parent != 0; parent = model->paths[parent].parent)
        if (model->paths[parent].site == site)
            return false;
    return true;
}

uint32_t trace_path_tree_enter(struct trace_path_tree *tree, uint32_t parent, uint32_t site)
{
    struct trace_model *model = tree->model;
    if (model->path_count >= tree->capacity / 4 * 3 && !enlarge(tree))
        return TRACE_NONE;
    if (!trace_array_grow(&model->paths, model->path_count, sizeof *model->paths))
        return TRACE_NONE;
    uint32_t index = model->path_count;
    model->paths[index] =
        (struct trace_path){.parent = parent,
                            .site = site,
                            .depth = (parent == 0 ? 0 : model->paths[parent].depth + 1) & INT32_MAX,
                            .is_outermost = is_outermost(model, parent, site)};
    model->path_count++;
    place(tree, index);
    return index;
}
