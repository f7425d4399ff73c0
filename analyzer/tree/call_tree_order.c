/* Orders what call trees are made of: by falling time, then by name, the same for a capture and for
 * a database that numbers paths in another way. */
#include "call_tree_parts.h"

#include <stdlib.h>
#include <string.h>

/* --- siblings -------------------------------------------------------------------------------- */

/* Nodes of one name are told apart by the index of the site, whose order is that of the facts. */
static int compare_paths(const void *a, const void *b)
{
    const struct trace_ordered_path *left = a;
    const struct trace_ordered_path *right = b;
    if (left->time_ns != right->time_ns)
        return left->time_ns < right->time_ns ? 1 : -1;
    int order = trace_text_compare(&left->site->name, &right->site->name);
    return order != 0 ? order : (left->site > right->site) - (left->site < right->site);
}

void trace_call_tree_sort_paths(struct trace_ordered_path *paths, uint32_t count)
{
    qsort(paths, count, sizeof *paths, compare_paths);
}

/* --- roots ----------------------------------------------------------------------------------- */

/* A tree on the way to its place. */
struct ordered_root {
    double time_ns;
    struct trace_tree_place place;
    uint32_t before; /* where it stood */
};

static int compare_roots(const void *a, const void *b)
{
    const struct ordered_root *left = a;
    const struct ordered_root *right = b;
    if (left->time_ns != right->time_ns)
        return left->time_ns < right->time_ns ? 1 : -1;
    return (left->place.track > right->place.track) - (left->place.track < right->place.track);
}

/* Roots are ordered by whole sums: those of quotients would depend on the order of paths. */
static double time_of(const struct trace_call_tree *tree, uint32_t root, uint32_t window)
{
    const struct trace_tree_place *place = &tree->roots[root];
    double time_ns = (double)trace_call_tree_root(tree, place, window)->top_level_ns;
    if (!tree->windows[window].has_frames || place->track == TRACE_NONE)
        return time_ns;
    int64_t frames = trace_model_track_stats(tree->model, window, place->track)->frames;
    return frames == 0 ? 0 : time_ns / (double)frames;
}

bool trace_call_tree_sort_roots(struct trace_call_tree *tree)
{
    uint32_t windows = tree->plan->windows.count;
    size_t size = (size_t)windows * sizeof *tree->root_sums;
    struct ordered_root *ordered = calloc((size_t)tree->root_count + 1, sizeof *ordered);
    struct trace_tree_root *sums = malloc((size_t)tree->root_count * size + 1);
    bool is_done = ordered != NULL && sums != NULL;
    for (uint32_t i = 0; is_done && i < tree->root_count; i++) {
        ordered[i] = (struct ordered_root){.place = tree->roots[i], .before = i};
        for (uint32_t w = 0; w < windows; w++)
            ordered[i].time_ns += time_of(tree, i, w);
    }
    if (is_done && tree->root_count > 1)
        qsort(ordered, tree->root_count, sizeof *ordered, compare_roots);
    for (uint32_t i = 0; is_done && i < tree->root_count; i++) {
        tree->roots[i] = ordered[i].place;
        memcpy(sums + (size_t)i * windows, tree->root_sums + (size_t)ordered[i].before * windows,
               size);
    }
    free(ordered);
    if (!is_done) {
        free(sums);
        return false;
    }
    free(tree->root_sums);
    tree->root_sums = sums;
    return true;
}
