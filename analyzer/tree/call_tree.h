/* The caller contexts that a pass has found, as trees with their sums: one tree over all tracks, or
 * one for each track. Private to the analyzer.
 *
 * Memory: 60 bytes a node and 4 a row of the model's path_stats. */
#ifndef TRACE_CALL_TREE_H
#define TRACE_CALL_TREE_H

#include "model.h"
#include "pass_plan.h"

/* What of a window the tree is about. */
struct trace_tree_window {
    uint32_t part;        /* index of the window's part: its complete frames, or the rest of it */
    bool has_frames;      /* it is the complete frames */
    int64_t frames;       /* complete ones in the window */
    double mean_frame_ns; /* of those frames */
};

/* What is known of a root's tracks in a window. */
struct trace_tree_root {
    int64_t top_level_ns;    /* inclusive, of the slices that are inside no other one */
    bool is_known;           /* there are frames in which the tracks lived: */
    int64_t frame_ns;        /* the time of these */
    int64_t unlogged_ns;     /* of it, what no top-level slice covers */
    double per_frame_ns;     /* each track's time divided by its frames, added up */
    double unlogged_each_ns; /* likewise */
};

struct trace_tree_node {
    double time_ns;       /* inclusive, of all windows together; for each frame where there are
                             frames: what siblings are ordered by */
    uint32_t path;        /* index; 0: a root */
    uint32_t parent;      /* index of the node; TRACE_NONE: a root */
    uint32_t track;       /* of a tree of one track: index; TRACE_NONE: of all tracks */
    uint32_t root;        /* index of the root's node */
    uint32_t recursion;   /* how many of the callers are the same site */
    uint32_t first_row;   /* in the tree's rows; of a root: how many roots there were before it */
    uint32_t row_count;   /* 0: nothing began here, only below */
    uint32_t first_child; /* in the tree's children */
    uint32_t child_count;
    uint32_t number; /* from 1 on, in the order in which the whole tree is shown */
};

struct trace_call_tree {
    const struct trace_model *model;
    const struct trace_pass_plan *plan;
    struct trace_tree_window windows[TRACE_MAX_WINDOWS];
    struct trace_tree_node *nodes;     /* parents come before children */
    uint32_t *children;                /* nodes, by falling time, then by name */
    uint32_t *rows;                    /* of the model's path_stats, those of a node together */
    uint32_t *roots;                   /* nodes, by falling time */
    struct trace_tree_root *root_sums; /* by root in the order of nodes, window */
    uint32_t node_count, root_count, row_count;
};

/* The sums of a node in a window. */
struct trace_tree_sums {
    struct trace_sums sums;
    double calls_per_frame;
    double inclusive_per_frame_ns;
    double exclusive_per_frame_ns;
};

/* Makes the tree of a model's path_stats. The model and the plan that they were made with must
 * outlive it. False when there is no memory; destroy it all the same. */
bool trace_call_tree_create(struct trace_call_tree *tree, const struct trace_model *model,
                            const struct trace_pass_plan *plan);
void trace_call_tree_destroy(struct trace_call_tree *tree);

/* All zero where the node has no slices. For a node that is no root. */
struct trace_tree_sums trace_call_tree_sums(const struct trace_call_tree *tree, uint32_t node,
                                            uint32_t window);

const struct trace_tree_root *trace_call_tree_root(const struct trace_call_tree *tree,
                                                   uint32_t node, uint32_t window);

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
