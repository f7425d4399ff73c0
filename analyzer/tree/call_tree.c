/* Makes trees of caller contexts of the rows that a pass left. */
#include "call_tree.h"

#include <stdlib.h>
#include <string.h>

#include "call_tree_parts.h"
#include "frame_percentiles.h"

/* --- windows --------------------------------------------------------------------------------- */

static double mean_frame_ns(const struct trace_call_tree *tree, uint32_t window)
{
    const struct trace_span_list *spans = &tree->plan->windows.items[window].spans;
    int64_t total_ns = 0, count = 0;
    if (tree->plan->domain == TRACE_NONE)
        return 0;
    const struct trace_domain *domain = &tree->model->domains[tree->plan->domain];
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        if (!trace_frame_is_complete_in(domain, i, spans))
            continue;
        total_ns = trace_sum(total_ns, domain->frames[i + 1].begin_ns - domain->frames[i].begin_ns);
        count++;
    }
    return count == 0 ? 0 : (double)total_ns / (double)count;
}

/* Of each window the complete frames, unless nothing begins in them. */
static void choose_parts(struct trace_call_tree *tree)
{
    const struct trace_model *model = tree->model;
    bool has_rows[2 * TRACE_MAX_WINDOWS] = {false};
    for (uint32_t i = 0; i < model->path_stats_count; i++)
        has_rows[model->path_stats[i].window] = true;
    for (uint32_t w = 0; w < tree->plan->windows.count; w++) {
        struct trace_tree_window *window = &tree->windows[w];
        window->frames = model->windows[(size_t)2 * w].frames;
        window->has_frames =
            has_rows[(size_t)2 * w] || (window->frames != 0 && !has_rows[(size_t)2 * w + 1]);
        window->part = 2 * w + (window->has_frames ? 0 : 1);
        window->mean_frame_ns = mean_frame_ns(tree, w);
    }
}

static bool is_counted(const struct trace_call_tree *tree, const struct trace_stats *row)
{
    return tree->windows[row->window / 2].part == row->window;
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* Of one tree on the way: where each path's node is, and which paths it has. */
struct tree_build {
    struct trace_call_tree *tree;
    uint32_t *node_of; /* by path; TRACE_NONE: none in this tree */
    uint32_t *wanted;  /* paths of this tree */
    uint32_t wanted_count;
};

static struct trace_tree_node *add_node(struct trace_call_tree *tree)
{
    if (!trace_array_grow(&tree->nodes, tree->node_count, sizeof *tree->nodes))
        return NULL;
    struct trace_tree_node *node = &tree->nodes[tree->node_count++];
    *node = (struct trace_tree_node){.parent = TRACE_NONE, .track = TRACE_NONE};
    return node;
}

/* How many callers are the same site: one more than of the nearest that is. */
static uint32_t recursion_of(const struct trace_call_tree *tree, uint32_t path, uint32_t parent)
{
    const struct trace_path *paths = tree->model->paths;
    if (paths[path].is_outermost)
        return 0;
    while (tree->nodes[parent].path != 0 &&
           paths[tree->nodes[parent].path].site != paths[path].site)
        parent = tree->nodes[parent].parent;
    return tree->nodes[parent].path == 0 ? 0 : tree->nodes[parent].recursion + 1;
}

static int compare_indexes(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Marks the path and its callers as far as they are not. */
static void want(struct tree_build *build, uint32_t path)
{
    for (; path != 0 && build->node_of[path] == TRACE_NONE;
         path = build->tree->model->paths[path].parent) {
        build->node_of[path] = 0;
        build->wanted[build->wanted_count++] = path;
    }
}

static bool add_paths(struct tree_build *build, uint32_t root)
{
    struct trace_call_tree *tree = build->tree;
    qsort(build->wanted, build->wanted_count, sizeof *build->wanted, compare_indexes);
    for (uint32_t i = 0; i < build->wanted_count; i++) {
        uint32_t path = build->wanted[i];
        uint32_t parent_path = tree->model->paths[path].parent;
        uint32_t parent = parent_path == 0 ? root : build->node_of[parent_path];
        struct trace_tree_node *node = add_node(tree);
        if (node == NULL)
            return false;
        node->path = path;
        node->parent = parent;
        node->root = root;
        node->track = tree->nodes[root].track;
        node->recursion = recursion_of(tree, path, parent);
        tree->nodes[parent].child_count++;
        build->node_of[path] = tree->node_count - 1;
    }
    return true;
}

/* Gives the nodes the rows [first, end), which stand in the order of paths. */
static void give_rows(struct tree_build *build, uint32_t first, uint32_t end)
{
    struct trace_call_tree *tree = build->tree;
    for (uint32_t i = first; i < end; i++) {
        const struct trace_stats *row = &tree->model->path_stats[tree->rows[i]];
        struct trace_tree_node *node = &tree->nodes[build->node_of[row->subject]];
        const struct trace_tree_window *window = &tree->windows[row->window / 2];
        double time_ns = (double)row->sums.inclusive_ns;
        if (window->has_frames)
            time_ns = row->frames == 0 ? 0 : time_ns / (double)row->frames;
        if (node->row_count++ == 0)
            node->first_row = i;
        node->time_ns += time_ns;
    }
}

/* Makes the tree of the rows [first, end). */
static bool add_tree(struct tree_build *build, uint32_t first, uint32_t end, uint32_t track)
{
    struct trace_call_tree *tree = build->tree;
    struct trace_tree_node *node = add_node(tree);
    if (node == NULL)
        return false;
    uint32_t root = tree->node_count - 1;
    node->track = track;
    node->root = root;
    node->first_row = tree->root_count++;
    build->wanted_count = 0;
    for (uint32_t i = first; i < end; i++)
        want(build, tree->model->path_stats[tree->rows[i]].subject);
    bool is_done = add_paths(build, root);
    if (is_done)
        give_rows(build, first, end);
    for (uint32_t i = 0; i < build->wanted_count; i++)
        build->node_of[build->wanted[i]] = TRACE_NONE;
    return is_done;
}

/* Trees of tracks are made one after the other, each of its rows. */
static bool add_trees(struct tree_build *build)
{
    struct trace_call_tree *tree = build->tree;
    const struct trace_model *model = tree->model;
    if (!tree->plan->are_tracks_apart)
        return add_tree(build, 0, tree->row_count, TRACE_NONE);
    uint32_t first = 0;
    for (uint32_t track = 0; track < model->track_count; track++) {
        uint32_t end = first;
        while (end < tree->row_count && model->path_stats[tree->rows[end]].track == track)
            end++;
        if (model->tracks[track].slices != 0 && !add_tree(build, first, end, track))
            return false;
        first = end;
    }
    return true;
}

/* Those of the chosen parts; with tracks apart by track, then as they are. */
static bool collect_rows(struct trace_call_tree *tree)
{
    const struct trace_model *model = tree->model;
    tree->rows = malloc(((size_t)model->path_stats_count + 1) * sizeof *tree->rows);
    if (tree->rows == NULL)
        return false;
    for (uint32_t i = 0; i < model->path_stats_count; i++)
        if (is_counted(tree, &model->path_stats[i]))
            tree->rows[tree->row_count++] = i;
    return !tree->plan->are_tracks_apart || trace_call_tree_sort_rows(tree);
}

static bool build_nodes(struct trace_call_tree *tree)
{
    uint32_t paths = tree->model->path_count;
    struct tree_build build = {.tree = tree,
                               .node_of = malloc(((size_t)paths + 1) * sizeof *build.node_of),
                               .wanted = malloc(((size_t)paths + 1) * sizeof *build.wanted)};
    bool is_done = build.node_of != NULL && build.wanted != NULL;
    for (uint32_t path = 0; is_done && path < paths; path++)
        build.node_of[path] = TRACE_NONE;
    is_done = is_done && add_trees(&build);
    free(build.node_of);
    free(build.wanted);
    return is_done;
}

/* --- the tree ----------------------------------------------------------------------------------
 */

bool trace_call_tree_create(struct trace_call_tree *tree, const struct trace_model *model,
                            const struct trace_pass_plan *plan)
{
    *tree = (struct trace_call_tree){.model = model, .plan = plan};
    choose_parts(tree);
    return collect_rows(tree) && build_nodes(tree) && trace_call_tree_sum_roots(tree) &&
           trace_call_tree_order(tree);
}

void trace_call_tree_destroy(struct trace_call_tree *tree)
{
    free(tree->nodes);
    free(tree->children);
    free(tree->rows);
    free(tree->roots);
    free(tree->root_sums);
    *tree = (struct trace_call_tree){0};
}
