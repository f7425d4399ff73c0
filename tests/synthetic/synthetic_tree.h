/* The calls of a synthetic capture: a random tree of paths, in the order in which a walk of all of
 * it meets them. Node 0 is a thread's main scope, around all else; node 1 is its waiting. */
#ifndef SYNTHETIC_TREE_H
#define SYNTHETIC_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "synthetic_capture.h"

#define SYNTHETIC_MAIN_NODE    0u
#define SYNTHETIC_WAITING_NODE 1u
#define SYNTHETIC_FIRST_NODE   2u /* of the others */

struct synthetic_node {
    uint32_t parent;
    uint32_t depth; /* nodes around it */
    uint32_t site;
    uint32_t first_child; /* in the tree's children */
    uint32_t child_count; /* the waiting is among nobody's */
    uint32_t begin_scale; /* of the time before its begin and its end, ns */
    uint32_t end_scale;
    uint32_t repeats; /* calls by its parent, as a rule */
};

/* All zero is no tree. */
struct synthetic_tree {
    struct synthetic_node *nodes;
    uint32_t *children;
    uint32_t node_count;
};

/* False when there is no memory. `options` are in range, and `paths` is not 0. */
bool synthetic_tree_create(struct synthetic_tree *tree, const struct synthetic_options *options);
void synthetic_tree_destroy(struct synthetic_tree *tree);

#endif
