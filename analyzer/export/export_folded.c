/* Exports exclusive times as folded stacks, a line for each caller context: what flamegraph.pl,
 * inferno and speedscope read. */
#include <stdlib.h>
#include <string.h>

#include "byte_writer.h"
#include "call_tree.h"
#include "empty_export.h"
#include "failure.h"
#include "number_text.h"
#include "report_parts.h"
#include "selection.h"
#include "text_buffer.h"

#define NO_BREAK_SPACE "\xC2\xA0"

struct folded_export {
    struct trace_writer writer;
    const struct trace_chosen *chosen;
    struct trace_call_tree tree;
    size_t *sizes;                  /* by depth: how much of `stack` is above */
    struct trace_text_buffer stack; /* names, a semicolon behind each */
    struct trace_text_buffer name;  /* the one at hand, visible */
    uint64_t calls, lines;          /* what there was to write, and was written */
};

/* --- names ----------------------------------------------------------------------------------- */

/* Where the number that ends a name begins, such as the 2 of "Level 2"; the size when it ends with
 * none. */
static size_t last_number(const char *name, size_t size)
{
    size_t at = size;
    while (at > 0 && ((name[at - 1] >= '0' && name[at - 1] <= '9') || name[at - 1] == '.'))
        at--;
    return at;
}

/* A semicolon would end the name. The tools take a number behind a space for a value, and some cut
 * spaces off at the ends. */
static void append_name(struct folded_export *folded, const char *bytes, size_t size)
{
    struct trace_text_buffer *name = &folded->name;
    trace_text_buffer_clear(name);
    trace_append_visible(name, bytes, size);
    size_t number = last_number(name->data, name->size);
    for (size_t i = 0; i < name->size; i++) {
        bool is_at_end = i == 0 || i + 1 == name->size || i + 1 == number;
        if (name->data[i] == ';')
            trace_text_buffer_append(&folded->stack, "\\x3b", 4);
        else if (name->data[i] == ' ' && is_at_end)
            trace_text_buffer_append(&folded->stack, NO_BREAK_SPACE, 2);
        else
            trace_text_buffer_append(&folded->stack, &name->data[i], 1);
    }
    if (name->size == 0)
        trace_text_buffer_append(&folded->stack, "(no name)", 9);
    trace_text_buffer_append(&folded->stack, ";", 1);
    folded->stack.has_failed = folded->stack.has_failed || name->has_failed;
}

/* --- lines ----------------------------------------------------------------------------------- */

static void put_line(struct folded_export *folded, int64_t exclusive_ns)
{
    char digits[TRACE_NUMBER_SIZE];
    trace_put(&folded->writer, folded->stack.data, folded->stack.size - 1);
    trace_put_byte(&folded->writer, ' ');
    trace_put(&folded->writer, digits, trace_format_integer(exclusive_ns, digits));
    trace_put_byte(&folded->writer, '\n');
    folded->lines++;
}

/* Puts the name of a node behind those of its parents. */
static void enter(struct folded_export *folded, uint32_t node, uint32_t window)
{
    const struct trace_call_tree *tree = &folded->tree;
    uint32_t depth = trace_call_tree_depth(tree, node);
    folded->stack.size = depth == 0 ? 0 : folded->sizes[depth - 1];
    if (depth != 0) {
        const struct trace_text *name = &trace_call_tree_site(tree, node)->name;
        append_name(folded, name->data, name->size);
    } else {
        const struct trace_text *name = &tree->model->windows[2 * (size_t)window].name;
        char track[TRACE_TRACK_NAME_SIZE];
        if (tree->plan->windows.count > 1)
            append_name(folded, name->data, name->size);
        if (trace_call_tree_track(tree, node) != TRACE_NONE) {
            trace_track_name(tree->model, trace_call_tree_track(tree, node), track);
            append_name(folded, track, strlen(track));
        }
    }
    folded->sizes[depth] = folded->stack.size;
}

static void put_window(struct folded_export *folded, uint32_t window)
{
    const struct trace_call_tree *tree = &folded->tree;
    for (uint32_t node = 0;
         node < tree->node_count && !folded->stack.has_failed && folded->writer.status == LUDUS_OK;
         node++) {
        uint32_t path = tree->nodes[node].path;
        enter(folded, node, window);
        if (path == 0 || !trace_chosen_shows(folded->chosen, tree->model->paths[path].site))
            continue;
        struct trace_tree_sums sums = trace_call_tree_sums(tree, node, window);
        folded->calls += sums.sums.calls;
        if (sums.sums.exclusive_ns > 0)
            put_line(folded, sums.sums.exclusive_ns);
    }
}

/* False when there is no memory. */
static bool put_all(struct folded_export *folded)
{
    const struct trace_call_tree *tree = &folded->tree;
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (trace_call_tree_depth(tree, i) > deepest)
            deepest = trace_call_tree_depth(tree, i);
    folded->sizes = malloc(((size_t)deepest + 1) * sizeof *folded->sizes);
    if (folded->sizes == NULL)
        return false;
    for (uint32_t w = 0; w < tree->plan->windows.count; w++)
        put_window(folded, w);
    return !folded->stack.has_failed;
}

/* --- the export ------------------------------------------------------------------------------ */

static enum ludus_status export_tree(struct folded_export *folded, struct trace_input *input,
                                     const struct trace_selection *selection,
                                     const struct trace_pass_plan *plan, struct trace_output output,
                                     struct ludus_error *error)
{
    const struct trace_model *model;
    enum ludus_status status = trace_input_statistics(input, plan, &model, error);
    if (status != LUDUS_OK)
        return status;
    trace_writer_start(&folded->writer, output);
    if (!trace_call_tree_create(&folded->tree, model, plan) || !put_all(folded))
        return trace_fail_memory(error);
    if (trace_writer_flush(&folded->writer) != LUDUS_OK)
        return trace_fail(error, folded->writer.status, "the output cannot be written");
    if (folded->lines != 0)
        return LUDUS_OK;
    return trace_warn_of_empty_export(
        input, model, selection, folded->calls != 0 ? TRACE_EXPORT_OWN_TIMES : TRACE_EXPORT_SLICES,
        error);
}

enum ludus_status trace_export_folded(struct trace_input *input,
                                      const struct trace_selection *selection,
                                      bool are_tracks_apart, struct trace_output output,
                                      struct ludus_error *error)
{
    struct trace_chosen chosen;
    enum ludus_status status = trace_chosen_create(input, selection, &chosen, error);
    if (status != LUDUS_OK)
        return status;
    trace_chosen_set_tree(&chosen, are_tracks_apart);
    struct folded_export *folded = calloc(1, sizeof *folded);
    if (folded == NULL) {
        trace_chosen_destroy(&chosen);
        return trace_fail_memory(error);
    }
    folded->chosen = &chosen;
    status = export_tree(folded, input, selection, &chosen.plan, output, error);
    trace_call_tree_destroy(&folded->tree);
    trace_text_buffer_release(&folded->stack);
    trace_text_buffer_release(&folded->name);
    free(folded->sizes);
    free(folded);
    trace_chosen_destroy(&chosen);
    return status;
}
