/* The tree report: caller contexts, a row for each node and window. docs/numbers.md defines every
 * value. */
#include "report_tree.h"

#include <stdlib.h>

#include "failure.h"
#include "report_parts.h"
#include "tree_columns.h"

enum { WINDOWS, TREE };

#define ROUNDING 1e-9 /* of sums of quotients */

static const struct trace_table_type tables[] = {
    {.name = "windows",
     .title = "What the tree is of",
     .columns = trace_tree_window_columns,
     .column_count = TRACE_TREE_WINDOW_COLUMNS,
     .line_width = TRACE_SCREEN_WIDTH},
    {.name = "tree",
     .title = "Caller contexts",
     .columns = trace_tree_columns,
     .column_count = TRACE_TREE_COLUMNS,
     .line_width = TRACE_SCREEN_WIDTH},
};

const struct trace_report_type trace_report_tree_type = {
    .name = "tree", .version = 1, .tables = tables, .table_count = 2, .main_table = TREE};

/* --- windows --------------------------------------------------------------------------------- */

/* Its slices and their exclusive time. */
static void put_part(struct trace_report *report, const struct trace_model *model, uint32_t part)
{
    struct trace_sums sums = trace_model_total(model, part);
    trace_report_integer(report, (int64_t)sums.calls);
    if (trace_tree_knows_exclusive(&sums))
        trace_report_integer(report, sums.exclusive_ns);
    else
        trace_report_null(report);
}

static void put_window(struct trace_report *report, const struct trace_call_tree *tree,
                       uint32_t index)
{
    const struct trace_model *model = tree->model;
    const struct trace_tree_window *window = &tree->windows[index];
    const struct trace_stat_window *part = &model->windows[window->part];
    trace_report_row(report, WINDOWS);
    trace_report_text(report, part->name.data, part->name.size);
    trace_report_string(report, window->has_frames ? "frames" : "all");
    if (tree->plan->domain == TRACE_NONE)
        trace_report_null(report);
    else
        trace_put_known_text(report, model->domains[tree->plan->domain].name);
    trace_report_integer(report, part->begin_ns);
    trace_report_integer(report, part->end_ns);
    trace_report_integer(report, window->frames);
    trace_put_known(report, window->mean_frame_ns, (uint64_t)window->frames);
    put_part(report, model, window->part);
    if (window->has_frames)
        put_part(report, model, window->part + 1);
}

/* --- numbers --------------------------------------------------------------------------------- */

/* What a row shows. */
struct row_values {
    struct trace_tree_sums sums;
    bool has_inclusive, has_exclusive, has_calls;
};

static struct row_values values_of_root(const struct trace_call_tree *tree, uint32_t node,
                                        uint32_t window)
{
    const struct trace_tree_root *root =
        trace_call_tree_root(tree, trace_call_tree_place(tree, node), window);
    return (struct row_values){
        .sums = {.sums = {.inclusive_ns = root->frame_ns, .exclusive_ns = root->unlogged_ns},
                 .inclusive_per_frame_ns = root->per_frame_ns,
                 .exclusive_per_frame_ns = root->unlogged_each_ns},
        .has_inclusive = root->is_known,
        .has_exclusive = root->is_known};
}

static struct row_values values_of_node(const struct trace_call_tree *tree, uint32_t node,
                                        uint32_t window)
{
    if (tree->nodes[node].path == 0)
        return values_of_root(tree, node, window);
    struct row_values values = {.sums = trace_call_tree_sums(tree, node, window),
                                .has_calls = true};
    values.has_inclusive = trace_tree_knows_inclusive(&values.sums.sums);
    values.has_exclusive = trace_tree_knows_exclusive(&values.sums.sums);
    return values;
}

/* What of a node no child covers, as the time of a row. */
static struct row_values values_of_unlogged(const struct trace_call_tree *tree, uint32_t node,
                                            uint32_t window)
{
    struct row_values own = values_of_node(tree, node, window);
    return (struct row_values){.sums = {.sums = {.inclusive_ns = own.sums.sums.exclusive_ns},
                                        .inclusive_per_frame_ns = own.sums.exclusive_per_frame_ns},
                               .has_inclusive = own.has_exclusive};
}

static struct row_values values_of_more(const struct trace_tree_source *source, uint32_t node,
                                        uint32_t window)
{
    struct row_values values = {.sums = trace_tree_page_more(&source->page, node, window),
                                .has_calls = true};
    values.has_inclusive = trace_tree_knows_inclusive(&values.sums.sums);
    return values;
}

static void put_time(struct trace_report *report, bool is_known, double time_ns)
{
    trace_put_known(report, time_ns, is_known);
}

static void put_sum(struct trace_report *report, bool is_known, int64_t time_ns)
{
    if (is_known)
        trace_report_integer(report, time_ns);
    else
        trace_report_null(report);
}

/* Of the parent: of the node itself where the row is below it. More than all of it is no share:
 * then it is known of slices above which nothing is, as they began before a part of a recording,
 * begin outside, or have no end. */
static void put_parent_share(struct trace_report *report, const struct trace_call_tree *tree,
                             const struct trace_tree_row *row, const struct row_values *values,
                             bool has_frames)
{
    uint32_t parent = row->kind == TRACE_TREE_NODE ? tree->nodes[row->node].parent : row->node;
    if (parent == TRACE_NONE || !values->has_inclusive) {
        trace_report_null(report);
        return;
    }
    struct row_values whole = values_of_node(tree, parent, row->window);
    double part_ns =
        has_frames ? values->sums.inclusive_per_frame_ns : (double)values->sums.sums.inclusive_ns;
    double whole_ns =
        has_frames ? whole.sums.inclusive_per_frame_ns : (double)whole.sums.sums.inclusive_ns;
    if (part_ns > whole_ns * (1 + ROUNDING))
        trace_report_null(report);
    else
        trace_put_quotient(report, part_ns * 100, whole_ns);
}

static void put_values(struct trace_report *report, const struct trace_tree_source *source,
                       const struct trace_tree_row *row, const struct row_values *values)
{
    const struct trace_tree_window *window = &source->tree.windows[row->window];
    const struct trace_sums *sums = &values->sums.sums;
    bool has_frames = window->has_frames;
    put_time(report, has_frames && values->has_inclusive, values->sums.inclusive_per_frame_ns);
    put_time(report, has_frames && values->has_exclusive, values->sums.exclusive_per_frame_ns);
    put_sum(report, !has_frames && values->has_inclusive, sums->inclusive_ns);
    put_sum(report, !has_frames && values->has_exclusive, sums->exclusive_ns);
    put_sum(report, values->has_calls, (int64_t)sums->calls);
    put_time(report, has_frames && values->has_calls, values->sums.calls_per_frame);
    put_parent_share(report, &source->tree, row, values, has_frames);
    if (has_frames && values->has_inclusive)
        trace_put_quotient(report, values->sums.inclusive_per_frame_ns * 100,
                           window->mean_frame_ns);
    else
        trace_report_null(report);
    put_sum(report, values->has_inclusive, sums->inclusive_ns);
    put_sum(report, values->has_exclusive, sums->exclusive_ns);
    put_sum(report, values->has_calls, (int64_t)sums->incomplete);
    put_sum(report, values->has_calls, (int64_t)sums->children_lost);
}

static void make_row(void *context, struct trace_report *report, size_t index)
{
    const struct trace_tree_source *source = context;
    const struct trace_tree_row *row = &source->page.rows[index];
    const struct trace_tree_node *node = &source->tree.nodes[row->node];
    struct row_values values = row->kind == TRACE_TREE_MORE
                                   ? values_of_more(source, row->node, row->window)
                               : row->kind == TRACE_TREE_UNLOGGED
                                   ? values_of_unlogged(&source->tree, row->node, row->window)
                                   : values_of_node(&source->tree, row->node, row->window);
    trace_put_tree_names(report, source, row);
    put_values(report, source, row, &values);
    trace_report_integer(report, row->kind == TRACE_TREE_UNLOGGED
                                     ? 0
                                     : trace_tree_page_left_out(&source->page, row->node));
    if (row->kind == TRACE_TREE_NODE && node->path != 0)
        trace_put_place(report, trace_call_tree_site(&source->tree, row->node));
}

/* --- the report ------------------------------------------------------------------------------ */

static void destroy_source(void *context)
{
    struct trace_tree_source *source = context;
    trace_path_texts_destroy(&source->texts);
    trace_tree_page_destroy(&source->page);
    trace_call_tree_destroy(&source->tree);
    trace_chosen_destroy(&source->chosen);
    free(source);
}

static enum ludus_status make_source(struct trace_input *input,
                                     const struct trace_tree_options *options,
                                     struct trace_tree_source *source, struct ludus_error *error)
{
    const struct trace_model *model;
    struct trace_tree_limits limits = {.depth = options->depth, .top = options->top};
    enum ludus_status status = LUDUS_OK;
    if (options->minimum != NULL)
        status = trace_tree_limits_parse_min(options->minimum, &limits, error);
    if (status == LUDUS_OK)
        status = trace_chosen_create(input, &options->selection, &source->chosen, error);
    if (status != LUDUS_OK)
        return status;
    trace_chosen_set_tree(&source->chosen, options->are_tracks_apart);
    status = trace_input_statistics(input, &source->chosen.plan, &model, error);
    if (status == LUDUS_OK &&
        (!trace_call_tree_create(&source->tree, model, &source->chosen.plan) ||
         !trace_tree_page_create(&source->page, &source->tree, &source->chosen, &limits) ||
         !trace_path_texts_create(&source->texts, model)))
        status = trace_fail_memory(error);
    return status;
}

enum ludus_status trace_report_tree(struct trace_input *input,
                                    const struct trace_tree_options *options,
                                    struct trace_report **out, struct ludus_error *error)
{
    struct trace_report *report = NULL;
    struct trace_tree_source *source = calloc(1, sizeof *source);
    *out = NULL;
    enum ludus_status status =
        source == NULL ? trace_fail_memory(error) : make_source(input, options, source, error);
    if (status == LUDUS_OK)
        status = trace_report_create(&trace_report_tree_type, &report, error);
    if (status != LUDUS_OK) {
        if (source != NULL)
            destroy_source(source);
        return status;
    }
    for (uint32_t w = 0; w < source->tree.plan->windows.count; w++)
        put_window(report, &source->tree, w);
    trace_note_tree(report, TREE, source);
    trace_report_make_rows(report, TREE, source->page.row_count,
                           (struct trace_row_maker){source, make_row, destroy_source});
    return trace_report_deliver(report, status, out, error);
}
