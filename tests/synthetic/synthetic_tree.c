/* Grows the random tree of calls. */
#include "synthetic_tree.h"

#include <stdlib.h>

#include "synthetic_random.h"

#define TREE_STREAM UINT64_C(0x74726565)

/* Times between events are spread over five octaves around the mean asked for. */
#define SCALE_OCTAVES 5u

/* Where the tree grows: the last node on each level, how many more calls it will have, and which
 * sites its calls have: siblings of one site would be one path. */
struct frontier {
    struct synthetic_random random;
    uint32_t *last_of;  /* by depth */
    uint32_t *left;     /* of it, by depth */
    uint32_t *taken_by; /* by depth and site: the last node that calls that site */
    uint32_t sites;
    uint32_t deepest;
    uint32_t most_calls; /* of a node that calls any */
};

/* The mean number of calls of a node with which a tree of so many levels has so many nodes. */
static double branching(double nodes, uint32_t levels)
{
    double low = 0, high = nodes;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, sum = 1;
        for (uint32_t level = 1; level < levels && sum < nodes; level++)
            sum = 1 + middle * sum;
        if (sum < nodes)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A main scope calls one in eight of all nodes itself, unless there are too few sites for that. One
 * node in three calls nothing. */
static uint32_t most_calls(const struct synthetic_options *options)
{
    uint32_t sites = options->sites - SYNTHETIC_FIRST_NODE;
    uint32_t of_main = options->paths / 8 < sites ? options->paths / 8 + 1 : sites;
    double mean = branching(1.5 * options->paths / of_main, options->depth - 1);
    uint32_t most = (uint32_t)(3 * mean);
    return most < 1 ? 1 : most < sites ? most : sites;
}

static uint32_t draw_calls(struct frontier *frontier)
{
    return synthetic_random_below(&frontier->random, 3) == 0
               ? 0
               : 1 + synthetic_random_below(&frontier->random, frontier->most_calls);
}

/* The depth of the node behind one of `depth`: a call of the innermost that has any left. */
static uint32_t next_depth(struct frontier *frontier, uint32_t depth)
{
    while (depth != 0 && (depth == frontier->deepest || frontier->left[depth] == 0))
        depth--;
    frontier->left[depth] -= depth != 0;
    return depth + 1;
}

static uint32_t draw_scale(struct synthetic_random *random, uint32_t mean_ns)
{
    uint32_t octave = synthetic_random_below(random, SCALE_OCTAVES);
    uint32_t within = 1024 + synthetic_random_below(random, 1024);
    uint64_t scale = ((uint64_t)mean_ns * within << octave) >> (10 + SCALE_OCTAVES - 2);
    return scale != 0 ? (uint32_t)scale : 1;
}

/* Mostly once; some calls are loops. */
static uint32_t draw_repeats(struct synthetic_random *random)
{
    uint32_t drawn = synthetic_random_below(random, 32);
    return drawn < 26 ? 1 : drawn < 31 ? 2 + synthetic_random_below(random, 4) : 16;
}

/* The first nodes have one site each; of the others the first sites are the most frequent. */
static uint32_t draw_site(struct frontier *frontier, uint32_t node, uint32_t depth)
{
    uint32_t parent = depth == 0 ? 0 : frontier->last_of[depth - 1];
    uint32_t *taken_by = frontier->taken_by + (size_t)depth * frontier->sites;
    uint32_t count = frontier->sites - SYNTHETIC_FIRST_NODE;
    uint32_t index = node - SYNTHETIC_FIRST_NODE;
    if (node >= frontier->sites) {
        index = synthetic_random_early(&frontier->random, count);
        if (taken_by[index] == parent)
            index = synthetic_random_below(&frontier->random, count);
        for (uint32_t tries = 0; tries < count && taken_by[index] == parent; tries++)
            index = (index + 1) % count;
    }
    if (node >= SYNTHETIC_FIRST_NODE)
        taken_by[index] = parent;
    return index + SYNTHETIC_FIRST_NODE + 1;
}

static void add_node(struct synthetic_tree *tree, struct frontier *frontier, uint32_t number,
                     uint32_t depth, uint32_t mean_ns)
{
    tree->nodes[number] =
        (struct synthetic_node){.parent = depth == 0 ? 0 : frontier->last_of[depth - 1],
                                .depth = depth,
                                .site = draw_site(frontier, number, depth),
                                .begin_scale = draw_scale(&frontier->random, mean_ns),
                                .end_scale = draw_scale(&frontier->random, mean_ns),
                                .repeats = draw_repeats(&frontier->random)};
    frontier->last_of[depth] = number;
    frontier->left[depth] = draw_calls(frontier);
}

/* Each node behind its parent and the nodes inside it behind itself: its parent is the last node
 * one level up. */
static bool grow_nodes(struct synthetic_tree *tree, const struct synthetic_options *options)
{
    struct frontier frontier = {.random = synthetic_random_start(options->seed, TREE_STREAM),
                                .last_of = calloc(options->depth, sizeof(uint32_t)),
                                .left = calloc(options->depth, sizeof(uint32_t)),
                                .sites = options->sites,
                                .deepest = options->depth - 1,
                                .most_calls = most_calls(options)};
    size_t cells = (size_t)options->depth * options->sites;
    uint32_t depth = 1;
    frontier.taken_by = malloc(cells * sizeof(uint32_t));
    bool is_made = frontier.last_of != NULL && frontier.left != NULL && frontier.taken_by != NULL;
    for (size_t i = 0; i < cells && is_made; i++)
        frontier.taken_by[i] = UINT32_MAX;
    for (uint32_t i = 0; i < tree->node_count && is_made; i++) {
        if (i > SYNTHETIC_FIRST_NODE)
            depth = next_depth(&frontier, depth);
        add_node(tree, &frontier, i, i == SYNTHETIC_MAIN_NODE ? 0 : depth, options->mean_ns);
    }
    free(frontier.last_of);
    free(frontier.left);
    free(frontier.taken_by);
    return is_made;
}

static void gather_children(struct synthetic_tree *tree)
{
    uint32_t used = 0;
    for (uint32_t i = SYNTHETIC_FIRST_NODE; i < tree->node_count; i++)
        tree->nodes[tree->nodes[i].parent].child_count++;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        tree->nodes[i].first_child = used;
        used += tree->nodes[i].child_count;
        tree->nodes[i].child_count = 0;
    }
    for (uint32_t i = SYNTHETIC_FIRST_NODE; i < tree->node_count; i++) {
        struct synthetic_node *parent = &tree->nodes[tree->nodes[i].parent];
        tree->children[parent->first_child + parent->child_count++] = i;
    }
}

bool synthetic_tree_create(struct synthetic_tree *tree, const struct synthetic_options *options)
{
    *tree = (struct synthetic_tree){.node_count = options->paths};
    tree->nodes = calloc(tree->node_count, sizeof *tree->nodes);
    tree->children = calloc(tree->node_count, sizeof *tree->children);
    if (tree->nodes == NULL || tree->children == NULL || !grow_nodes(tree, options)) {
        synthetic_tree_destroy(tree);
        return false;
    }
    gather_children(tree);
    return true;
}

void synthetic_tree_destroy(struct synthetic_tree *tree)
{
    free(tree->nodes);
    free(tree->children);
    *tree = (struct synthetic_tree){0};
}
