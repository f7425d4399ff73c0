/* Chooses which nodes of a call tree are shown. */
#include "call_tree_page.h"

#include <stdlib.h>

/* What is known of a node. */
#define CHOSEN     1u /* its site was asked for */
#define HAS_CHOSEN 2u /* its own, or that of a node below it */
#define HAS_LARGE  4u /* it, or a node below it, was asked for and is not too small */
#define SHOWN      8u
#define OPEN       16u /* a child is shown */
#define HAS_MORE   32u /* those that are not have a line */

/* --- limits ---------------------------------------------------------------------------------- */

/* The least time of a window that is not too small. */
static double least_ns(const struct trace_tree_page *page, uint32_t window)
{
    const struct trace_call_tree *tree = page->tree;
    double whole_ns = tree->windows[window].mean_frame_ns;
    if (page->limits.min_percent <= 0)
        return (double)page->limits.min_ns;
    if (!tree->windows[window].has_frames) {
        whole_ns = 0;
        for (uint32_t i = 0; i < tree->root_count; i++)
            whole_ns += (double)trace_call_tree_root(tree, &tree->roots[i], window)->top_level_ns;
    }
    return whole_ns * page->limits.min_percent / 100;
}

/* What is compared with it. */
static double time_of(const struct trace_tree_page *page, const struct trace_tree_sums *sums,
                      uint32_t window)
{
    return page->tree->windows[window].has_frames ? sums->inclusive_per_frame_ns
                                                  : (double)sums->sums.inclusive_ns;
}

/* --- marks ----------------------------------------------------------------------------------- */

static bool is_large(const struct trace_tree_page *page, uint32_t node)
{
    const struct trace_call_tree *tree = page->tree;
    for (uint32_t w = 0; w < tree->plan->windows.count; w++) {
        struct trace_tree_sums sums = trace_call_tree_sums(tree, node, w);
        if (time_of(page, &sums, w) >= page->least_ns[w])
            return true;
    }
    return false;
}

/* From the leaves to the roots: children come behind their parents. */
static void mark_nodes(struct trace_tree_page *page)
{
    const struct trace_call_tree *tree = page->tree;
    bool is_filtered = trace_chosen_is_filtered(page->chosen);
    bool is_limited = page->limits.min_ns > 0 || page->limits.min_percent > 0;
    for (uint32_t w = 0; w < tree->plan->windows.count; w++)
        page->least_ns[w] = least_ns(page, w);
    for (uint32_t i = tree->node_count; i-- > 0;) {
        const struct trace_tree_node *node = &tree->nodes[i];
        bool is_root = node->path == 0;
        bool is_chosen =
            is_root ? !is_filtered
                    : trace_chosen_shows(page->chosen, tree->model->paths[node->path].site);
        if (is_chosen)
            page->marks[i] |= CHOSEN | HAS_CHOSEN;
        page->nodes_chosen += is_chosen && !is_root;
        if (is_chosen && (is_root || !is_limited || is_large(page, i)))
            page->marks[i] |= HAS_LARGE;
        if (!is_root)
            page->marks[node->parent] |= page->marks[i] & (HAS_CHOSEN | HAS_LARGE);
    }
}

bool trace_tree_page_is_chosen(const struct trace_tree_page *page, uint32_t node)
{
    return (page->marks[node] & CHOSEN) != 0;
}

/* Whether a node would be shown, and is too small, too deep or one too many. */
static bool leaves_out(const struct trace_tree_page *page, uint32_t child)
{
    return (page->marks[child] & (HAS_CHOSEN | SHOWN)) == HAS_CHOSEN;
}

uint32_t trace_tree_page_left_out(const struct trace_tree_page *page, uint32_t node)
{
    const struct trace_tree_node *nodes = page->tree->nodes;
    uint32_t count = 0;
    for (uint32_t child = node + 1; child < nodes[node].end; child = nodes[child].end)
        count += leaves_out(page, child);
    return count;
}

bool trace_tree_page_has_more(const struct trace_tree_page *page, uint32_t node)
{
    return (page->marks[node] & HAS_MORE) != 0;
}

struct trace_tree_sums trace_tree_page_more(const struct trace_tree_page *page, uint32_t node,
                                            uint32_t window)
{
    const struct trace_tree_node *nodes = page->tree->nodes;
    struct trace_tree_sums sums = {0};
    for (uint32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        if (!leaves_out(page, child))
            continue;
        struct trace_tree_sums own = trace_call_tree_sums(page->tree, child, window);
        trace_tree_sums_add(&sums, &own);
    }
    return sums;
}

/* --- rows ------------------------------------------------------------------------------------ */

/* A node whose children are being shown. */
struct open_node {
    uint32_t node;
    uint32_t next; /* child to be looked at, or the end */
};

static bool add_row(struct trace_tree_page *page, enum trace_tree_row_kind kind, uint32_t node,
                    uint32_t window)
{
    if (!trace_array_grow(&page->rows, page->row_count, sizeof *page->rows))
        return false;
    page->rows[page->row_count++] = (struct trace_tree_row){node, (uint8_t)kind, (uint8_t)window};
    return true;
}

/* Whether it is known what no child covers; of a node that was not called there is nothing. */
static bool has_unlogged(const struct trace_call_tree *tree, uint32_t node, uint32_t window)
{
    if (tree->nodes[node].path == 0)
        return trace_call_tree_root(tree, trace_call_tree_place(tree, node), window)->is_known;
    struct trace_tree_sums sums = trace_call_tree_sums(tree, node, window);
    return sums.sums.exclusive_calls != 0 || sums.sums.exclusive_ns != 0;
}

/* Whether a row below the children is large in a window. What no scope covers of the frames always
 * is. */
static bool is_row_large(const struct trace_tree_page *page, enum trace_tree_row_kind kind,
                         uint32_t node, uint32_t window)
{
    const struct trace_call_tree *tree = page->tree;
    struct trace_tree_sums sums;
    if (kind == TRACE_TREE_UNLOGGED && tree->nodes[node].path == 0)
        return true;
    sums = kind == TRACE_TREE_MORE ? trace_tree_page_more(page, node, window)
                                   : trace_call_tree_sums(tree, node, window);
    if (kind == TRACE_TREE_UNLOGGED) {
        sums.inclusive_per_frame_ns = sums.exclusive_per_frame_ns;
        sums.sums.inclusive_ns = sums.sums.exclusive_ns;
    }
    return time_of(page, &sums, window) >= page->least_ns[window];
}

/* One row below the other for each window. */
static bool add_rows(struct trace_tree_page *page, enum trace_tree_row_kind kind, uint32_t node)
{
    bool is_done = true;
    for (uint32_t w = 0; is_done && w < page->tree->plan->windows.count; w++)
        if (kind != TRACE_TREE_UNLOGGED || has_unlogged(page->tree, node, w))
            is_done = add_row(page, kind, node, w);
    return is_done;
}

/* Rows below the children, unless they are too small in all windows: of what no child covers the
 * node's exclusive time says the same, and of children that are left out the node tells how many
 * they are. */
static bool add_rows_if_large(struct trace_tree_page *page, enum trace_tree_row_kind kind,
                              uint32_t node)
{
    bool is_large = false;
    for (uint32_t w = 0; w < page->tree->plan->windows.count; w++)
        is_large = is_large || is_row_large(page, kind, node, w);
    if (!is_large)
        return true;
    if (kind == TRACE_TREE_MORE)
        page->marks[node] |= HAS_MORE;
    return add_rows(page, kind, node);
}

static bool show_node(struct trace_tree_page *page, uint32_t node)
{
    const struct trace_tree_node *nodes = page->tree->nodes;
    uint32_t depth = trace_call_tree_depth(page->tree, node);
    uint32_t shown = 0;
    bool is_too_deep = page->limits.depth != 0 && depth >= page->limits.depth;
    page->marks[node] |= SHOWN;
    page->nodes_shown += nodes[node].path != 0 && trace_tree_page_is_chosen(page, node);
    uint32_t end = is_too_deep ? 0 : nodes[node].end;
    for (uint32_t child = node + 1; child < end; child = nodes[child].end) {
        if ((page->marks[child] & HAS_LARGE) == 0 ||
            (page->limits.top != 0 && shown == page->limits.top))
            continue;
        page->marks[child] |= SHOWN;
        shown++;
    }
    if (shown != 0)
        page->marks[node] |= OPEN;
    return add_rows(page, TRACE_TREE_NODE, node);
}

/* What stands below a node's children. */
static bool end_node(struct trace_tree_page *page, uint32_t node)
{
    if ((page->marks[node] & OPEN) == 0)
        return true;
    if (trace_tree_page_left_out(page, node) != 0 &&
        !add_rows_if_large(page, TRACE_TREE_MORE, node))
        return false;
    return !trace_tree_page_is_chosen(page, node) ||
           add_rows_if_large(page, TRACE_TREE_UNLOGGED, node);
}

/* The next child that is shown, or TRACE_NONE. */
static uint32_t next_child(const struct trace_tree_page *page, struct open_node *open)
{
    const struct trace_tree_node *nodes = page->tree->nodes;
    while (open->next < nodes[open->node].end) {
        uint32_t child = open->next;
        open->next = nodes[child].end;
        if ((page->marks[child] & SHOWN) != 0)
            return child;
    }
    return TRACE_NONE;
}

static bool show_tree(struct trace_tree_page *page, uint32_t root)
{
    struct open_node *stack = NULL;
    uint32_t depth = 0, most = 0, node = root;
    bool is_done = true;
    for (;;) {
        if (node != TRACE_NONE) {
            is_done = show_node(page, node) &&
                      (depth < most || trace_array_grow(&stack, most++, sizeof *stack));
            if (!is_done)
                break;
            stack[depth++] = (struct open_node){node, node + 1};
        } else {
            is_done = end_node(page, stack[--depth].node);
            if (!is_done || depth == 0)
                break;
        }
        node = next_child(page, &stack[depth - 1]);
    }
    free(stack);
    return is_done;
}

bool trace_tree_page_create(struct trace_tree_page *page, const struct trace_call_tree *tree,
                            const struct trace_chosen *chosen,
                            const struct trace_tree_limits *limits)
{
    *page = (struct trace_tree_page){.tree = tree, .chosen = chosen, .limits = *limits};
    page->marks = calloc((size_t)tree->node_count + 1, sizeof *page->marks);
    if (page->marks == NULL)
        return false;
    mark_nodes(page);
    bool is_done = true;
    for (uint32_t i = 0; is_done && i < tree->root_count; i++) {
        uint32_t root = tree->roots[i].node;
        if ((page->marks[root] & HAS_LARGE) == 0 || tree->node_count == tree->root_count ||
            (limits->top != 0 && page->roots_shown == limits->top))
            continue;
        page->roots_shown++;
        is_done = show_tree(page, root);
    }
    return is_done;
}

void trace_tree_page_destroy(struct trace_tree_page *page)
{
    free(page->marks);
    free(page->rows);
    *page = (struct trace_tree_page){0};
}
