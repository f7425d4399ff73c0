/* Makes trees of caller contexts of the sums that a pass left. */
#include "call_tree.h"

#include <stdlib.h>

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

static bool has_rows(const struct trace_model *model, uint32_t part)
{
    for (uint32_t i = 0; i < model->path_sums_count; i++) {
        struct trace_path_walk walk = {.sums = &model->path_sums[i], .cell = part};
        if (trace_path_walk_next(&walk))
            return true;
    }
    return false;
}

/* Of each window the complete frames, unless nothing begins in them. */
static void choose_parts(struct trace_call_tree *tree)
{
    const struct trace_model *model = tree->model;
    for (uint32_t w = 0; w < tree->plan->windows.count; w++) {
        struct trace_tree_window *window = &tree->windows[w];
        window->frames = model->windows[(size_t)2 * w].frames;
        window->has_frames =
            has_rows(model, 2 * w) || (window->frames != 0 && !has_rows(model, 2 * w + 1));
        window->part = 2 * w + (window->has_frames ? 0 : 1);
        window->mean_frame_ns = mean_frame_ns(tree, w);
    }
}

/* --- roots ----------------------------------------------------------------------------------- */

static bool add_root(struct trace_call_tree *tree, uint32_t track, uint32_t group)
{
    if (!trace_array_grow(&tree->roots, tree->root_count, sizeof *tree->roots))
        return false;
    tree->roots[tree->root_count++] = (struct trace_tree_place){.track = track, .group = group};
    return true;
}

/* With tracks apart each has a group of its own; they stand in the order of tracks. */
static bool add_roots(struct trace_call_tree *tree)
{
    const struct trace_model *model = tree->model;
    uint32_t group = 0;
    if (tree->plan->apart != TRACE_APART_ALL)
        return add_root(tree, TRACE_NONE, TRACE_NONE);
    for (uint32_t track = 0; track < model->track_count; track++) {
        while (group < model->path_sums_count && model->path_sums[group].track + 1 < track + 1)
            group++;
        bool is_own = group < model->path_sums_count && model->path_sums[group].track == track;
        if (model->tracks[track].slices != 0 && !add_root(tree, track, is_own ? group : TRACE_NONE))
            return false;
    }
    return true;
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* Of one tree on the way. Its paths are numbered from 1 on as they are met; 0 is the root. */
struct tree_build {
    struct trace_call_tree *tree;
    const struct trace_tree_place *place;
    uint32_t *numbers; /* by path; 0: it is not in this tree */
    uint32_t *paths;   /* by number */
    uint32_t *firsts;  /* by number: where its children begin; where they end, the next one's do */
    uint32_t *children;
    struct open_path *stack;
    uint32_t count; /* of numbers */
    uint32_t deepest, most_children;
    uint32_t room; /* nodes that there is memory for */
};

/* A path whose children are being placed. */
struct open_path {
    uint32_t node;
    uint32_t next; /* child */
    uint32_t end;
};

/* Takes a path and its callers as far as they are not. */
static void take(struct tree_build *build, uint32_t path)
{
    const struct trace_path *paths = build->tree->model->paths;
    for (; path != 0 && build->numbers[path] == 0; path = paths[path].parent) {
        build->paths[build->count] = path;
        build->numbers[path] = build->count++;
        uint32_t depth = paths[path].depth + 1u;
        if (depth > build->deepest)
            build->deepest = depth;
    }
}

static void take_group(struct tree_build *build, uint32_t group)
{
    const struct trace_call_tree *tree = build->tree;
    for (uint32_t w = 0; w < tree->plan->windows.count; w++) {
        struct trace_path_walk walk = {.sums = &tree->model->path_sums[group],
                                       .cell = tree->windows[w].part};
        while (trace_path_walk_next(&walk))
            take(build, walk.path);
    }
}

static void take_paths(struct tree_build *build)
{
    build->count = 1;
    build->paths[0] = 0;
    if (build->place->track == TRACE_NONE)
        for (uint32_t i = 0; i < build->tree->model->path_sums_count; i++)
            take_group(build, i);
    else if (build->place->group != TRACE_NONE)
        take_group(build, build->place->group);
}

static uint32_t parent_number(const struct tree_build *build, uint32_t number)
{
    return build->numbers[build->tree->model->paths[build->paths[number]].parent];
}

/* Puts the children of each path side by side. */
static void place_children(struct tree_build *build)
{
    uint32_t *firsts = build->firsts;
    build->most_children = 0;
    for (uint32_t number = 0; number <= build->count; number++)
        firsts[number] = 0;
    for (uint32_t number = 1; number < build->count; number++)
        firsts[parent_number(build, number) + 1]++;
    for (uint32_t number = 1; number <= build->count; number++) {
        if (firsts[number] > build->most_children)
            build->most_children = firsts[number];
        firsts[number] += firsts[number - 1];
    }
    /* Backwards, so that the begin of each moves from its end to where it belongs. */
    for (uint32_t number = build->count; number-- > 1;)
        build->children[--firsts[parent_number(build, number) + 1]] = number;
    for (uint32_t number = 0; number < build->count; number++)
        firsts[number] = firsts[number + 1];
    firsts[build->count] = build->count - 1;
}

static void sort_children(struct tree_build *build, uint32_t number,
                          struct trace_ordered_path *ordered)
{
    const struct trace_model *model = build->tree->model;
    uint32_t *children = build->children + build->firsts[number];
    uint32_t count = build->firsts[number + 1] - build->firsts[number];
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        uint32_t path = build->paths[children[i]];
        ordered[i] = (struct trace_ordered_path){
            .time_ns = trace_call_tree_time(build->tree, build->place, path),
            .site = &model->sites[model->paths[path].site],
            .number = children[i]};
    }
    if (count < 2)
        return;
    trace_call_tree_sort_paths(ordered, count);
    for (uint32_t i = 0; i < count; i++)
        children[i] = ordered[i].number;
}

/* Appends a node, whose children are next. */
static void append_node(struct tree_build *build, uint32_t number, uint32_t depth)
{
    struct trace_call_tree *tree = build->tree;
    uint32_t parent = depth == 0 ? TRACE_NONE : build->stack[depth - 1].node;
    build->stack[depth] =
        (struct open_path){tree->node_count, build->firsts[number], build->firsts[number + 1]};
    tree->nodes[tree->node_count++] =
        (struct trace_tree_node){.path = build->paths[number], .parent = parent};
}

/* From the root down: a node, then each child with all below it. */
static void append_nodes(struct tree_build *build)
{
    uint32_t depth = 0;
    append_node(build, 0, depth);
    for (;;) {
        struct open_path *open = &build->stack[depth];
        if (open->next != open->end) {
            append_node(build, build->children[open->next++], depth + 1);
            depth++;
            continue;
        }
        build->tree->nodes[open->node].end = build->tree->node_count;
        if (depth-- == 0)
            return;
    }
}

/* Memory for the nodes of this tree. The first one is mostly the only one: it gets no more. */
static bool make_room(struct tree_build *build)
{
    struct trace_call_tree *tree = build->tree;
    uint32_t needed = tree->node_count + build->count;
    if (needed < tree->node_count)
        return false;
    if (needed <= build->room)
        return true;
    uint32_t room = build->room / 2 + build->room;
    room = room < needed ? needed : room;
    struct trace_tree_node *larger = realloc(tree->nodes, (size_t)room * sizeof *larger);
    if (larger == NULL)
        return false;
    tree->nodes = larger;
    build->room = room;
    return true;
}

static bool add_tree(struct tree_build *build, struct trace_tree_place *place)
{
    build->place = place;
    build->deepest = 0;
    take_paths(build);
    place_children(build);
    place->node = build->tree->node_count;
    struct trace_ordered_path *ordered =
        malloc(((size_t)build->most_children + 1) * sizeof *ordered);
    bool is_done = ordered != NULL;
    for (uint32_t number = 0; is_done && number < build->count; number++)
        sort_children(build, number, ordered);
    free(ordered);
    build->stack = malloc(((size_t)build->deepest + 1) * sizeof *build->stack);
    is_done = is_done && build->stack != NULL && make_room(build);
    if (is_done)
        append_nodes(build);
    free(build->stack);
    for (uint32_t number = 1; number < build->count; number++)
        build->numbers[build->paths[number]] = 0;
    return is_done;
}

static bool build_nodes(struct trace_call_tree *tree)
{
    size_t paths = (size_t)tree->model->path_count + 2;
    struct tree_build build = {.tree = tree,
                               .numbers = calloc(paths, sizeof *build.numbers),
                               .paths = malloc(paths * sizeof *build.paths),
                               .firsts = malloc(paths * sizeof *build.firsts),
                               .children = malloc(paths * sizeof *build.children)};
    bool is_done = build.numbers != NULL && build.paths != NULL && build.firsts != NULL &&
                   build.children != NULL;
    for (uint32_t i = 0; is_done && i < tree->root_count; i++)
        is_done = add_tree(&build, &tree->roots[i]);
    free(build.numbers);
    free(build.paths);
    free(build.firsts);
    free(build.children);
    return is_done;
}

/* --- the tree ----------------------------------------------------------------------------------
 */

bool trace_call_tree_create(struct trace_call_tree *tree, const struct trace_model *model,
                            const struct trace_pass_plan *plan)
{
    *tree = (struct trace_call_tree){.model = model, .plan = plan};
    choose_parts(tree);
    return (plan->apart == TRACE_APART_ALL || trace_path_index_create(&tree->index, model)) &&
           add_roots(tree) && trace_call_tree_sum_roots(tree) && trace_call_tree_sort_roots(tree) &&
           build_nodes(tree);
}

void trace_call_tree_destroy(struct trace_call_tree *tree)
{
    trace_path_index_destroy(&tree->index);
    free(tree->nodes);
    free(tree->roots);
    free(tree->root_sums);
    *tree = (struct trace_call_tree){0};
}
