/* The caller contexts that a pass has found, as trees with their sums: one tree over all tracks, or
 * one for each track. Private to the analyzer.
 *
 * Memory: 12 bytes a node; while it is made 28, and 24 for each child of the node that has most.
 * With several groups of tracks 8 bytes a path and 4 for each of its groups more. */
#ifndef TRACE_CALL_TREE_H
#define TRACE_CALL_TREE_H

#include "model.h"
#include "pass_plan.h"
#include "path_rows.h"

/* What of a window the tree is about. */
struct trace_tree_window {
    uint32_t part;        /* index of the window's part: its complete frames, or the rest of it */
    bool has_frames;      /* it is the complete frames */
    int64_t frames;       /* complete ones in the window */
    double mean_frame_ns; /* of those frames */
};

/* What is known of a tree's tracks in a window. */
struct trace_tree_root {
    int64_t top_level_ns;    /* inclusive, of the slices that are inside no other one */
    bool is_known;           /* there are frames in which the tracks lived: */
    int64_t frame_ns;        /* the time of these */
    int64_t unlogged_ns;     /* of it, what no top-level slice covers */
    double per_frame_ns;     /* each track's time divided by its frames, added up */
    double unlogged_each_ns; /* likewise */
};

/* A node's children lie behind it, each with all that is below it: the first one at the next index,
 * another one where the one before ends. So a node's index is its place in the whole tree. */
struct trace_tree_node {
    uint32_t path;   /* index; 0: a root */
    uint32_t parent; /* index of the node; TRACE_NONE: a root */
    uint32_t end;    /* index behind the last node below it */
};

/* A tree: of all tracks, or of one. */
struct trace_tree_place {
    uint32_t node;  /* its root */
    uint32_t track; /* index, or TRACE_NONE: all */
    uint32_t group; /* of one track: index in the model's path_sums; TRACE_NONE: it has none */
};

struct trace_call_tree {
    const struct trace_model *model;
    const struct trace_pass_plan *plan;
    struct trace_path_index index; /* of a tree of all tracks */
    struct trace_tree_window windows[TRACE_MAX_WINDOWS];
    struct trace_tree_node *nodes;     /* in the order in which the whole tree is shown: children by
                                          falling time, then by name */
    struct trace_tree_place *roots;    /* by falling time */
    struct trace_tree_root *root_sums; /* by root, window */
    uint32_t node_count, root_count;
};

/* The sums of a node in a window. */
struct trace_tree_sums {
    struct trace_sums sums;
    double calls_per_frame;
    double inclusive_per_frame_ns;
    double exclusive_per_frame_ns;
};

/* Makes the tree of a model's sums of paths. The model and the plan that they were made with must
 * outlive it. False when there is no memory; destroy it all the same. */
bool trace_call_tree_create(struct trace_call_tree *tree, const struct trace_model *model,
                            const struct trace_pass_plan *plan);
void trace_call_tree_destroy(struct trace_call_tree *tree);

/* All zero where the node has no slices. For a node that is no root. */
struct trace_tree_sums trace_call_tree_sums(const struct trace_call_tree *tree, uint32_t node,
                                            uint32_t window);

/* The tree in which a node is. */
const struct trace_tree_place *trace_call_tree_place(const struct trace_call_tree *tree,
                                                     uint32_t node);

/* What is known of a tree in a window. */
static inline const struct trace_tree_root *
trace_call_tree_root(const struct trace_call_tree *tree, const struct trace_tree_place *place,
                     uint32_t window)
{
    return &tree->root_sums[(size_t)(place - tree->roots) * tree->plan->windows.count + window];
}

/* How many of the callers are the same site. */
uint32_t trace_call_tree_recursion(const struct trace_call_tree *tree, uint32_t node);

/* Adds what another node has to the sums. */
void trace_tree_sums_add(struct trace_tree_sums *sums, const struct trace_tree_sums *other);

/* Whether times are known: nothing was called, or a call of which the time is known. */
static inline bool trace_tree_knows_inclusive(const struct trace_sums *sums)
{
    return sums->calls == 0 || sums->outermost_calls != 0 || sums->inclusive_ns != 0;
}

static inline bool trace_tree_knows_exclusive(const struct trace_sums *sums)
{
    return sums->calls == 0 || sums->exclusive_calls != 0 || sums->exclusive_ns != 0;
}

/* The number of a node, from 1 on. */
static inline uint32_t trace_call_tree_number(uint32_t node)
{
    return node + 1;
}

/* The track of a node: index; TRACE_NONE: of all tracks. */
static inline uint32_t trace_call_tree_track(const struct trace_call_tree *tree, uint32_t node)
{
    return trace_call_tree_place(tree, node)->track;
}

/* The site of a node that is no root. */
static inline const struct trace_site *trace_call_tree_site(const struct trace_call_tree *tree,
                                                            uint32_t node)
{
    return &tree->model->sites[tree->model->paths[tree->nodes[node].path].site];
}

static inline uint32_t trace_call_tree_depth(const struct trace_call_tree *tree, uint32_t node)
{
    uint32_t path = tree->nodes[node].path;
    return path == 0 ? 0 : tree->model->paths[path].depth + 1;
}

#endif
