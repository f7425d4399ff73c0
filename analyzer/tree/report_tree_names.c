/* What the rows of a tree are called, and where in it they are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_parts.h"
#include "report_tree.h"
#include "text_buffer.h"

#define DOTTED_LEVELS 12u /* deeper ones show their number */

/* What a row is called: a site's name is not copied. */
static struct trace_text name_of(const struct trace_tree_source *source,
                                 const struct trace_tree_row *row, char text[TRACE_TRACK_NAME_SIZE])
{
    const struct trace_tree_node *node = &source->tree.nodes[row->node];
    if (row->kind == TRACE_TREE_UNLOGGED)
        return (struct trace_text){"(unlogged)", 10};
    if (row->kind == TRACE_TREE_NODE && node->path != 0)
        return trace_call_tree_site(&source->tree, row->node)->name;
    if (row->kind == TRACE_TREE_MORE)
        (void)snprintf(text, TRACE_TRACK_NAME_SIZE, "(%" PRIu32 " more)",
                       trace_tree_page_left_out(&source->page, row->node));
    else if (trace_call_tree_track(&source->tree, row->node) == TRACE_NONE)
        (void)snprintf(text, TRACE_TRACK_NAME_SIZE, "(all tracks)");
    else
        trace_track_name(source->tree.model, trace_call_tree_track(&source->tree, row->node), text);
    return (struct trace_text){text, strlen(text)};
}

static void append(struct trace_text_buffer *buffer, const char *text)
{
    trace_text_buffer_append(buffer, text, strlen(text));
}

/* The name behind the dots of its level, with what must be known of the node. */
static void put_drawn_name(struct trace_report *report, const struct trace_tree_source *source,
                           const struct trace_tree_row *row, struct trace_text name,
                           uint32_t recursion)
{
    uint32_t depth =
        trace_call_tree_depth(&source->tree, row->node) + (row->kind != TRACE_TREE_NODE);
    struct trace_text_buffer text = {0};
    char mark[48];
    for (uint32_t level = 0; level < depth && level < DOTTED_LEVELS; level++)
        append(&text, ". ");
    if (depth > DOTTED_LEVELS) {
        (void)snprintf(mark, sizeof mark, "[%" PRIu32 "] ", depth - 1); /* scopes around it */
        append(&text, mark);
    }
    trace_text_buffer_append(&text, name.data, name.size);
    if (row->kind == TRACE_TREE_NODE && recursion != 0) {
        (void)snprintf(mark, sizeof mark, " (recursion %" PRIu32 ")", recursion);
        append(&text, mark);
    }
    bool tells_left_out =
        row->kind == TRACE_TREE_NODE && !trace_tree_page_has_more(&source->page, row->node);
    uint32_t left_out = tells_left_out ? trace_tree_page_left_out(&source->page, row->node) : 0;
    if (left_out != 0) {
        (void)snprintf(mark, sizeof mark, " (+%" PRIu32 ")", left_out);
        append(&text, mark);
    }
    trace_report_text(report, text.data, text.size);
    trace_text_buffer_release(&text);
}

static void put_path(struct trace_report *report, const struct trace_tree_source *source,
                     const struct trace_tree_row *row, struct trace_text name)
{
    uint32_t path = source->tree.nodes[row->node].path;
    struct trace_text_buffer text = {0};
    bool is_done = path == 0 || trace_append_path(&text, &source->texts, path);
    if (is_done && row->kind != TRACE_TREE_NODE) {
        append(&text, path == 0 ? "" : " > ");
        trace_text_buffer_append(&text, name.data, name.size);
    }
    if (!is_done || text.has_failed)
        trace_report_fail(report);
    else
        trace_put_known_text(report, (struct trace_text){text.data, text.size});
    trace_text_buffer_release(&text);
}

static const char *kind_name(const struct trace_call_tree *tree, const struct trace_tree_row *row)
{
    const struct trace_tree_node *node = &tree->nodes[row->node];
    if (row->kind != TRACE_TREE_NODE)
        return row->kind == TRACE_TREE_MORE ? "more" : "unlogged";
    if (node->path != 0)
        return "scope";
    return trace_call_tree_track(tree, row->node) == TRACE_NONE ? "tracks" : "track";
}

void trace_put_tree_names(struct trace_report *report, const struct trace_tree_source *source,
                          const struct trace_tree_row *row)
{
    const struct trace_call_tree *tree = &source->tree;
    const struct trace_tree_node *node = &tree->nodes[row->node];
    const struct trace_text *window = &tree->model->windows[2 * (size_t)row->window].name;
    bool is_node = row->kind == TRACE_TREE_NODE;
    char text[TRACE_TRACK_NAME_SIZE];
    struct trace_text name = name_of(source, row, text);
    uint32_t parent = is_node ? node->parent : row->node;
    trace_report_text(report, window->data, window->size);
    uint32_t recursion = is_node ? trace_call_tree_recursion(tree, row->node) : 0;
    trace_put_track_name(report, tree->model, trace_call_tree_track(tree, row->node));
    if (is_node)
        trace_report_integer(report, trace_call_tree_number(row->node));
    else
        trace_report_null(report);
    if (parent == TRACE_NONE)
        trace_report_null(report);
    else
        trace_report_integer(report, trace_call_tree_number(parent));
    trace_report_string(report, kind_name(tree, row));
    put_drawn_name(report, source, row, name, recursion);
    trace_report_text(report, name.data, name.size);
    if (is_node && node->path != 0)
        trace_put_category(report, tree->model, trace_call_tree_site(tree, row->node));
    else
        trace_report_null(report);
    put_path(report, source, row, name);
    if (parent == TRACE_NONE)
        trace_report_null(report);
    else
        trace_report_integer(report, trace_call_tree_depth(tree, parent));
    trace_report_integer(report, recursion);
    trace_report_string(report, trace_tree_page_is_chosen(&source->page, row->node) ? "yes" : "no");
}
