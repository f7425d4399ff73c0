/* The steps in which a call tree is made. Private to the call_tree_ files. */
#ifndef TRACE_CALL_TREE_PARTS_H
#define TRACE_CALL_TREE_PARTS_H

#include "call_tree.h"

/* What siblings are ordered by: the inclusive time of a path in all windows together, for each
 * frame where there are frames. */
double trace_call_tree_time(const struct trace_call_tree *tree,
                            const struct trace_tree_place *place, uint32_t path);

/* Adds up what is known of the roots. False when there is no memory. */
bool trace_call_tree_sum_roots(struct trace_call_tree *tree);

/* Sorts the roots, with what is known of them. False when there is no memory. */
bool trace_call_tree_sort_roots(struct trace_call_tree *tree);

/* A path on the way to its place among its siblings. */
struct trace_ordered_path {
    double time_ns;
    const struct trace_site *site;
    uint32_t number; /* the caller's */
};

/* Sorts siblings: by falling time, then by name. */
void trace_call_tree_sort_paths(struct trace_ordered_path *paths, uint32_t count);

/* The groups of tracks that a tree has of a path: from `begin` to `end`. */
struct trace_group_range {
    uint32_t begin, end;
};

static inline struct trace_group_range trace_call_tree_groups(const struct trace_call_tree *tree,
                                                              const struct trace_tree_place *place,
                                                              uint32_t path)
{
    if (place->track == TRACE_NONE)
        return (struct trace_group_range){trace_path_index_begin(&tree->index, path),
                                          trace_path_index_end(&tree->index, path)};
    return (struct trace_group_range){place->group,
                                      place->group + (place->group == TRACE_NONE ? 0 : 1)};
}

static inline const struct trace_path_sums *
trace_call_tree_group(const struct trace_call_tree *tree, const struct trace_tree_place *place,
                      uint32_t at)
{
    return &tree->model
                ->path_sums[place->track == TRACE_NONE ? trace_path_index_group(&tree->index, at)
                                                       : at];
}

#endif
