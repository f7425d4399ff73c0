/* A hash table over the model's paths, at most three quarters full. */
#include "path_tree.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 1024u
#define SHORT_CHAIN    64u /* is walked up */

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
    free(tree->marks);
    *tree = (struct trace_path_tree){0};
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

/* --- recursion ------------------------------------------------------------------------------- */

/* Has room for marks of all sites that the model has by now. */
static bool reserve_marks(struct trace_path_tree *tree)
{
    const uint32_t count = tree->model->site_count;
    if (count <= tree->mark_count)
        return true;
    uint32_t *marks = realloc(tree->marks, ((size_t)count + count / 2) * sizeof *marks);
    if (marks == NULL)
        return false;
    memset(marks + tree->mark_count, 0, (count + count / 2 - tree->mark_count) * sizeof *marks);
    tree->marks = marks;
    tree->mark_count = count + count / 2;
    return true;
}

static uint32_t depth_of(const struct trace_model *model, uint32_t path)
{
    return path == 0 ? 0 : model->paths[path].depth + 1;
}

/* Has the marks count the sites on the way from the root to a path. Of chains of tens of thousands
 * of scopes each path would walk all the way up otherwise; mostly the next one is near. */
static void move_marks(struct trace_path_tree *tree, uint32_t path)
{
    const struct trace_path *paths = tree->model->paths;
    uint32_t old = tree->marked, to = path;
    while (old != to) {
        const uint32_t old_depth = depth_of(tree->model, old), depth = depth_of(tree->model, to);
        if (old_depth >= depth) {
            tree->marks[paths[old].site]--;
            old = paths[old].parent;
        }
        if (depth >= old_depth) {
            tree->marks[paths[to].site]++;
            to = paths[to].parent;
        }
    }
    tree->marked = path;
}

/* False when there is no memory. */
static bool find_outermost(struct trace_path_tree *tree, uint32_t parent, uint32_t site,
                           bool *is_outermost)
{
    const struct trace_model *model = tree->model;
    if (depth_of(model, parent) > SHORT_CHAIN) {
        if (!reserve_marks(tree))
            return false;
        move_marks(tree, parent);
        *is_outermost = tree->marks[site] == 0;
        return true;
    }
    for (; parent != 0 && model->paths[parent].site != site; parent = model->paths[parent].parent)
        continue;
    *is_outermost = parent == 0;
    return true;
}

uint32_t trace_path_tree_enter(struct trace_path_tree *tree, uint32_t parent, uint32_t site)
{
    struct trace_model *model = tree->model;
    if (model->path_count >= tree->capacity / 4 * 3 && !enlarge(tree))
        return TRACE_NONE;
    if (!trace_array_grow(&model->paths, model->path_count, sizeof *model->paths))
        return TRACE_NONE;
    bool is_outermost;
    if (!find_outermost(tree, parent, site, &is_outermost))
        return TRACE_NONE;
    uint32_t index = model->path_count;
    model->paths[index] =
        (struct trace_path){.parent = parent,
                            .site = site,
                            .depth = (parent == 0 ? 0 : model->paths[parent].depth + 1) & INT32_MAX,
                            .is_outermost = is_outermost};
    model->path_count++;
    place(tree, index);
    return index;
}
