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

static void add_tracks(const struct trace_call_tree *tree, uint32_t track, uint32_t window,
                       struct trace_tree_root *sums)
{
    if (!tree->windows[window].has_frames)
        return;
    if (track != TRACE_NONE) {
        add_track(tree, window, track, sums);
        return;
    }
    for (track = 0; track < tree->model->track_count; track++)
        add_track(tree, window, track, sums);
}

static void add_top_level(const struct trace_call_tree *tree, uint32_t group, uint32_t window,
                          struct trace_tree_root *sums)
{
    const struct trace_model *model = tree->model;
    struct trace_path_walk walk = {.sums = &model->path_sums[group],
                                   .cell = tree->windows[window].part};
    while (trace_path_walk_next(&walk))
        if (model->paths[walk.path].parent == 0)
            sums->top_level_ns =
                trace_sum(sums->top_level_ns, trace_path_walk_sums(&walk, model).inclusive_ns);
}

bool trace_call_tree_sum_roots(struct trace_call_tree *tree)
{
    uint32_t windows = tree->plan->windows.count;
    tree->root_sums = calloc((size_t)tree->root_count * windows + 1, sizeof *tree->root_sums);
    if (tree->root_sums == NULL)
        return false;
    for (uint32_t i = 0; i < tree->root_count; i++) {
        const struct trace_tree_place *place = &tree->roots[i];
        bool is_of_all = place->track == TRACE_NONE;
        for (uint32_t w = 0; w < windows; w++) {
            struct trace_tree_root *sums = &tree->root_sums[(size_t)i * windows + w];
            for (uint32_t g = 0; is_of_all && g < tree->model->path_sums_count; g++)
                add_top_level(tree, g, w, sums);
            if (place->group != TRACE_NONE)
                add_top_level(tree, place->group, w, sums);
            add_tracks(tree, place->track, w, sums);
        }
    }
    return true;
}

/* --- nodes ----------------------------------------------------------------------------------- */

const struct trace_tree_place *trace_call_tree_place(const struct trace_call_tree *tree,
                                                     uint32_t node)
{
    uint32_t low = 0, high = tree->root_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (tree->roots[middle].node <= node)
            low = middle;
        else
            high = middle;
    }
    return &tree->roots[low];
}

uint32_t trace_call_tree_recursion(const struct trace_call_tree *tree, uint32_t node)
{
    const struct trace_path *paths = tree->model->paths;
    uint32_t path = tree->nodes[node].path, count = 0;
    if (path == 0 || paths[path].is_outermost)
        return 0;
    for (uint32_t up = paths[path].parent; up != 0; up = paths[up].parent)
        count += paths[up].site == paths[path].site;
    return count;
}

static void add_sums(struct trace_tree_sums *sums, const struct trace_sums *group, int64_t of)
{
    struct trace_tree_sums own = {.sums = *group};
    if (of > 0) {
        double frames = (double)of;
        own.calls_per_frame = (double)group->calls / frames;
        own.inclusive_per_frame_ns = (double)group->inclusive_ns / frames;
        own.exclusive_per_frame_ns = (double)group->exclusive_ns / frames;
    }
    trace_tree_sums_add(sums, &own);
}

struct trace_tree_sums trace_call_tree_sums(const struct trace_call_tree *tree, uint32_t node,
                                            uint32_t window)
{
    uint32_t path = tree->nodes[node].path, part = tree->windows[window].part;
    struct trace_tree_sums sums = {0};
    if (path == 0)
        return sums;
    const struct trace_tree_place *place = trace_call_tree_place(tree, node);
    struct trace_group_range range = trace_call_tree_groups(tree, place, path);
    for (uint32_t i = range.begin; i < range.end; i++) {
        const struct trace_path_sums *group = trace_call_tree_group(tree, place, i);
        struct trace_sums own = trace_path_sums_of(group, tree->model, path, part);
        add_sums(&sums, &own, group->frames[part]);
    }
    return sums;
}

double trace_call_tree_time(const struct trace_call_tree *tree,
                            const struct trace_tree_place *place, uint32_t path)
{
    struct trace_group_range range = trace_call_tree_groups(tree, place, path);
    double time_ns = 0;
    for (uint32_t i = range.begin; i < range.end; i++) {
        const struct trace_path_sums *group = trace_call_tree_group(tree, place, i);
        for (uint32_t w = 0; w < tree->plan->windows.count; w++) {
            const struct trace_tree_window *window = &tree->windows[w];
            int64_t frames = group->frames[window->part];
            double own_ns =
                (double)trace_path_sums_of(group, tree->model, path, window->part).inclusive_ns;
            if (window->has_frames)
                own_ns = frames == 0 ? 0 : own_ns / (double)frames;
            time_ns += own_ns;
        }
    }
    return time_ns;
}

void trace_tree_sums_add(struct trace_tree_sums *sums, const struct trace_tree_sums *other)
{
    trace_sums_add(&sums->sums, &other->sums);
    sums->calls_per_frame += other->calls_per_frame;
    sums->inclusive_per_frame_ns += other->inclusive_per_frame_ns;
    sums->exclusive_per_frame_ns += other->exclusive_per_frame_ns;
}
