/* Call trees that are large, deep or wide: their memory grows with the number of contexts, and no
 * stack is in the way. */
#include <check.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "call_tree_page.h"

/* A sanitizer takes ten times as long. */
#if defined(__SANITIZE_ADDRESS__)
#define CONTEXTS 200000u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONTEXTS 200000u
#endif
#endif
#ifndef CONTEXTS
#define CONTEXTS 1000000u
#endif

/* A model of which only paths and their sums are known: each has one call of 10 ns. `parent_of`
 * says where a path belongs; all are of one site. */
static struct trace_model *make_model(uint32_t (*parent_of)(uint32_t path))
{
    struct trace_model *model;
    ck_assert_int_eq(trace_model_create(&model), LUDUS_OK);
    model->sites = calloc(1, sizeof *model->sites);
    model->tracks = calloc(1, sizeof *model->tracks);
    model->windows = calloc(2, sizeof *model->windows);
    model->track_stats = calloc(1, sizeof *model->track_stats);
    model->paths = calloc(CONTEXTS + 1, sizeof *model->paths);
    ck_assert(model->sites != NULL && model->tracks != NULL && model->windows != NULL &&
              model->track_stats != NULL && model->paths != NULL);
    model->site_count = model->track_count = 1;
    model->window_count = 2;
    model->path_count = CONTEXTS + 1;
    model->tracks[0].slices = CONTEXTS;
    model->sites[0].name = (struct trace_text){"site", 4};
    model->sites[0].category = TRACE_NONE;
    struct trace_path_sums *sums = trace_model_add_path_sums(model, TRACE_NONE);
    ck_assert_ptr_nonnull(sums);
    for (uint32_t path = 1; path <= CONTEXTS; path++) {
        uint32_t parent = parent_of(path);
        model->paths[path] =
            (struct trace_path){.parent = parent,
                                .depth = parent == 0 ? 0 : model->paths[parent].depth + 1,
                                .is_outermost = parent == 0};
        const struct trace_stats row = {
            .subject = path,
            .track = TRACE_NONE,
            .window = TRACE_WINDOW_OUTSIDE,
            .sums = {.calls = 1, .outermost_calls = 1, .exclusive_calls = 1, .inclusive_ns = 10}};
        ck_assert(trace_path_sums_add_row(sums, &row));
    }
    trace_model_sort_path_sums(model);
    return model;
}

static uint32_t in_tens(uint32_t path)
{
    return (path - 1) / 10;
}

static uint32_t in_a_chain(uint32_t path)
{
    return path - 1;
}

static uint32_t side_by_side(uint32_t path)
{
    (void)path;
    return 0;
}

/* Makes the tree and its page, with all rows; of them as many as `parents` are unlogged time. */
static void check_tree(uint32_t (*parent_of)(uint32_t path), uint32_t parents, uint32_t recursion)
{
    struct trace_model *model = make_model(parent_of);
    struct trace_chosen chosen = {.plan = {.domain = TRACE_NONE}};
    struct trace_tree_limits limits = {0};
    struct trace_call_tree tree;
    struct trace_tree_page page;
    ck_assert(trace_windows_set_whole(&chosen.plan.windows));
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    ck_assert(trace_call_tree_create(&tree, model, &chosen.plan));
    size_t taken = mallinfo2().uordblks + mallinfo2().hblkhd - before;
    ck_assert_uint_eq(tree.node_count, CONTEXTS + 1);
    uint32_t last = 0;
    while (tree.nodes[last].path != CONTEXTS)
        last++;
    ck_assert_uint_eq(trace_call_tree_recursion(&tree, last), recursion);
    /* 0 where another allocator takes its place. */
    ck_assert_uint_lt(taken, 13 * (size_t)CONTEXTS);
    ck_assert(trace_tree_page_create(&page, &tree, &chosen, &limits));
    ck_assert_uint_eq(page.nodes_shown, CONTEXTS);
    ck_assert_uint_eq(page.row_count, CONTEXTS + 1 + parents);
    trace_tree_page_destroy(&page);
    trace_call_tree_destroy(&tree);
    trace_pass_plan_clear(&chosen.plan);
    trace_model_destroy(model);
}

START_TEST(many_contexts_are_a_tree)
{
    check_tree(in_tens, CONTEXTS / 10 - 1, 5);
}
END_TEST

START_TEST(a_long_chain_needs_no_stack)
{
    check_tree(in_a_chain, CONTEXTS - 1, CONTEXTS - 1);
}
END_TEST

START_TEST(many_siblings_are_sorted)
{
    check_tree(side_by_side, 0, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("call tree");
    TCase *cases = tcase_create("call tree");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, many_contexts_are_a_tree);
    tcase_add_test(cases, a_long_chain_needs_no_stack);
    tcase_add_test(cases, many_siblings_are_sorted);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
