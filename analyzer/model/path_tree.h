/* The caller contexts of a model: finds the path of a site under a parent, entering it when it is
 * new. Private to the analyzer. */
#ifndef TRACE_PATH_TREE_H
#define TRACE_PATH_TREE_H

#include "model.h"

struct trace_path_tree {
    struct trace_model *model; /* owns the paths */
    uint32_t *slots;           /* indexes of paths; 0, the root: free */
    uint32_t capacity;         /* of slots, a power of two */
    uint32_t *marks;           /* by site: how often it is on the way to the path `marked` */
    uint32_t mark_count;
    uint32_t marked;
};

/* Enters the root into a model without paths. False when there is no memory. */
bool trace_path_tree_create(struct trace_path_tree *tree, struct trace_model *model);
void trace_path_tree_destroy(struct trace_path_tree *tree);

/* Enters a path that trace_path_tree_find did not find. TRACE_NONE when there is no memory. */
uint32_t trace_path_tree_enter(struct trace_path_tree *tree, uint32_t parent, uint32_t site);

static inline uint32_t trace_path_tree_slot(const struct trace_path_tree *tree, uint32_t parent,
                                            uint32_t site)
{
    uint64_t key = ((uint64_t)parent << 32 | site) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(key >> 32) & (tree->capacity - 1);
}

/* The path's index, or TRACE_NONE. */
static inline uint32_t trace_path_tree_find(const struct trace_path_tree *tree, uint32_t parent,
                                            uint32_t site)
{
    uint32_t slot = trace_path_tree_slot(tree, parent, site);
    for (;;) {
        uint32_t index = tree->slots[slot];
        const struct trace_path *path = &tree->model->paths[index];
        if (index == 0)
            return TRACE_NONE;
        if (path->parent == parent && path->site == site)
            return index;
        slot = (slot + 1) & (tree->capacity - 1);
    }
}

#endif
