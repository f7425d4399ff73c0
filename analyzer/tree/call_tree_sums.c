/* Adds up what is known of the nodes of call trees. */
#include <stdlib.h>

#include "call_tree_parts.h"

/* --- roots ----------------------------------------------------------------------------------- */

static void add_track(const struct trace_call_tree *tree, uint32_t window, uint32_t track,
                      struct trace_tree_root *sums)
{
    const struct trace_track_stats *stats = trace_model_track_stats(tree->model, window, track);
    if (tree->model->tracks[track].slices == 0 || stats->frames == 0)
        return;
    double frames = (double)stats->frames;
    int64_t unlogged_ns = stats->frame_ns - stats->covered_ns;
    sums->is_known = true;
    sums->frame_ns = trace_sum(sums->frame_ns, stats->frame_ns);
    sums->unlogged_ns = trace_sum(sums->unlogged_ns, unlogged_ns);
    sums->per_frame_ns += (double)stats->frame_ns / frames;
    sums->unlogged_each_ns += (double)unlogged_ns / frames;
}

static struct trace_tree_root *root_sums_of(struct trace_call_tree *tree, uint32_t node,
                                            uint32_t window)
{
    return &tree->root_sums[(size_t)tree->nodes[node].first_row * tree->plan->windows.count +
                            window];
}

static void add_tracks(struct trace_call_tree *tree, uint32_t root, uint32_t window)
{
    struct trace_tree_root *sums = root_sums_of(tree, root, window);
    uint32_t track = tree->nodes[root].track;
    if (!tree->windows[window].has_frames)
        return;
    if (track != TRACE_NONE) {
        add_track(tree, window, track, sums);
        return;
    }
    for (track = 0; track < tree->model->track_count; track++)
        add_track(tree, window, track, sums);
}

/* Roots are ordered by whole sums: those of quotients would depend on the order of paths. */
static void set_root_time(struct trace_call_tree *tree, uint32_t root, uint32_t window)
{
    const struct trace_tree_root *sums = root_sums_of(tree, root, window);
    struct trace_tree_node *node = &tree->nodes[root];
    double time_ns = (double)sums->top_level_ns;
    if (tree->windows[window].has_frames && node->track != TRACE_NONE) {
        int64_t frames = trace_model_track_stats(tree->model, window, node->track)->frames;
        time_ns = frames == 0 ? 0 : time_ns / (double)frames;
    }
    node->time_ns += time_ns;
}

bool trace_call_tree_sum_roots(struct trace_call_tree *tree)
{
    uint32_t windows = tree->plan->windows.count;
    tree->root_sums = calloc((size_t)tree->root_count * windows + 1, sizeof *tree->root_sums);
    tree->roots = malloc(((size_t)tree->root_count + 1) * sizeof *tree->roots);
    if (tree->root_sums == NULL || tree->roots == NULL)
        return false;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct trace_tree_node *node = &tree->nodes[i];
        bool is_top_level = node->parent != TRACE_NONE && tree->nodes[node->parent].path == 0;
        if (node->path == 0)
            tree->roots[node->first_row] = i;
        for (uint32_t w = 0; is_top_level && w < windows; w++) {
            struct trace_tree_root *sums = root_sums_of(tree, node->root, w);
            sums->top_level_ns =
                trace_sum(sums->top_level_ns, trace_call_tree_sums(tree, i, w).sums.inclusive_ns);
        }
    }
    for (uint32_t i = 0; i < tree->root_count; i++) {
        for (uint32_t w = 0; w < windows; w++) {
            add_tracks(tree, tree->roots[i], w);
            set_root_time(tree, tree->roots[i], w);
        }
    }
    return true;
}

/* --- nodes ----------------------------------------------------------------------------------- */

const struct trace_tree_root *trace_call_tree_root(const struct trace_call_tree *tree,
                                                   uint32_t node, uint32_t window)
{
    return &tree->root_sums[(size_t)tree->nodes[node].first_row * tree->plan->windows.count +
                            window];
}

static void add_row(struct trace_tree_sums *sums, const struct trace_stats *row)
{
    struct trace_tree_sums own = {.sums = row->sums};
    if (row->frames > 0) {
        double frames = (double)row->frames;
        own.calls_per_frame = (double)row->sums.calls / frames;
        own.inclusive_per_frame_ns = (double)row->sums.inclusive_ns / frames;
        own.exclusive_per_frame_ns = (double)row->sums.exclusive_ns / frames;
    }
    trace_tree_sums_add(sums, &own);
}

struct trace_tree_sums trace_call_tree_sums(const struct trace_call_tree *tree, uint32_t node,
                                            uint32_t window)
{
    const struct trace_tree_node *place = &tree->nodes[node];
    struct trace_tree_sums sums = {0};
    for (uint32_t i = 0; place->path != 0 && i < place->row_count; i++) {
        const struct trace_stats *row = &tree->model->path_stats[tree->rows[place->first_row + i]];
        if (row->window == tree->windows[window].part)
            add_row(&sums, row);
    }
    return sums;
}

void trace_tree_sums_add(struct trace_tree_sums *sums, const struct trace_tree_sums *other)
{
    trace_sums_add(&sums->sums, &other->sums);
    sums->calls_per_frame += other->calls_per_frame;
    sums->inclusive_per_frame_ns += other->inclusive_per_frame_ns;
    sums->exclusive_per_frame_ns += other->exclusive_per_frame_ns;
}
