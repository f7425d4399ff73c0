/* Orders the nodes of call trees: by falling time, then by name, the same for a capture and for a
 * database that numbers paths in another way. */
#include "call_tree_parts.h"

#include <stdlib.h>

/* --- rows ------------------------------------------------------------------------------------ */

bool trace_call_tree_sort_rows(struct trace_call_tree *tree)
{
    const struct trace_stats *rows = tree->model->path_stats;
    size_t tracks = (size_t)tree->model->track_count + 1;
    uint32_t *places = calloc(tracks + 1, sizeof *places);
    uint32_t *sorted = malloc(((size_t)tree->row_count + 1) * sizeof *sorted);
    bool is_done = places != NULL && sorted != NULL;
    for (uint32_t i = 0; is_done && i < tree->row_count; i++)
        places[(size_t)rows[tree->rows[i]].track + 1]++;
    for (size_t track = 1; is_done && track <= tracks; track++)
        places[track] += places[track - 1];
    for (uint32_t i = 0; is_done && i < tree->row_count; i++)
        sorted[places[rows[tree->rows[i]].track]++] = tree->rows[i];
    free(places);
    if (!is_done) {
        free(sorted);
        return false;
    }
    free(tree->rows);
    tree->rows = sorted;
    return true;
}

/* --- siblings -------------------------------------------------------------------------------- */

/* A node on the way to its place. */
struct ordered_node {
    double time_ns;
    const struct trace_site *site; /* of a root: NULL */
    uint32_t node;
    uint32_t last; /* what tells nodes of one name apart: the site's index, or the track's */
};

static int compare_nodes(const void *a, const void *b)
{
    const struct ordered_node *left = a;
    const struct ordered_node *right = b;
    if (left->time_ns != right->time_ns)
        return left->time_ns < right->time_ns ? 1 : -1;
    int order = left->site == NULL ? 0 : trace_text_compare(&left->site->name, &right->site->name);
    return order != 0 ? order : (left->last > right->last) - (left->last < right->last);
}

/* Sorts nodes of one parent, or roots. */
static void sort_nodes(const struct trace_call_tree *tree, uint32_t *nodes, uint32_t count,
                       struct ordered_node *ordered)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_tree_node *node = &tree->nodes[nodes[i]];
        bool is_root = node->path == 0;
        ordered[i] = (struct ordered_node){
            .time_ns = node->time_ns,
            .site = is_root ? NULL : trace_call_tree_site(tree, nodes[i]),
            .node = nodes[i],
            .last = is_root ? node->track : tree->model->paths[node->path].site};
    }
    if (count > 1)
        qsort(ordered, count, sizeof *ordered, compare_nodes);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = ordered[i].node;
}

/* Puts the children of each node side by side; returns how many one node has at most. */
static uint32_t place_children(struct trace_call_tree *tree)
{
    uint32_t next = 0, most = tree->root_count;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct trace_tree_node *node = &tree->nodes[i];
        node->first_child = next;
        next += node->child_count;
        if (node->child_count > most)
            most = node->child_count;
        node->child_count = 0;
    }
    for (uint32_t i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].parent == TRACE_NONE)
            continue;
        struct trace_tree_node *parent = &tree->nodes[tree->nodes[i].parent];
        tree->children[parent->first_child + parent->child_count++] = i;
    }
    return most;
}

/* Numbers a root and all below it; `number` is the last one given. */
static uint32_t number_tree(struct trace_call_tree *tree, uint32_t root, uint32_t number,
                            uint32_t *stack)
{
    uint32_t depth = 0;
    stack[depth++] = root;
    while (depth != 0) {
        struct trace_tree_node *node = &tree->nodes[stack[--depth]];
        node->number = ++number;
        for (uint32_t i = node->child_count; i-- > 0;)
            stack[depth++] = tree->children[node->first_child + i];
    }
    return number;
}

bool trace_call_tree_order(struct trace_call_tree *tree)
{
    tree->children = malloc(((size_t)tree->node_count + 1) * sizeof *tree->children);
    if (tree->children == NULL)
        return false;
    uint32_t most = place_children(tree);
    struct ordered_node *ordered = malloc(((size_t)most + 1) * sizeof *ordered);
    uint32_t *stack = malloc(((size_t)tree->node_count + 1) * sizeof *stack);
    bool is_done = ordered != NULL && stack != NULL;
    if (is_done)
        sort_nodes(tree, tree->roots, tree->root_count, ordered);
    for (uint32_t i = 0; is_done && i < tree->node_count; i++)
        sort_nodes(tree, tree->children + tree->nodes[i].first_child, tree->nodes[i].child_count,
                   ordered);
    uint32_t number = 0;
    for (uint32_t i = 0; is_done && i < tree->root_count; i++)
        number = number_tree(tree, tree->roots[i], number, stack);
    free(ordered);
    free(stack);
    return is_done;
}
