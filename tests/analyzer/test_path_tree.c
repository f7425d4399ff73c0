/* Caller contexts of deep chains: whether a path's site is also above it. */
#include <check.h>
#include <stdlib.h>

#include "path_tree.h"
#include "random_stream.h"

#define SITES 400u
#define STEPS 20000u

static bool is_above(const struct trace_model *model, uint32_t path, uint32_t site)
{
    for (; path != 0; path = model->paths[path].parent)
        if (model->paths[path].site == site)
            return true;
    return false;
}

/* Down and up a tree of several hundred levels, with leaps to other chains. */
START_TEST(a_path_is_outermost_when_its_site_is_not_above)
{
    struct trace_model *model;
    struct trace_path_tree tree;
    struct random random = {(uint64_t)_i + 5};
    uint32_t path = 0, deepest = 0;
    ck_assert_int_eq(trace_model_create(&model), LUDUS_OK);
    ck_assert(trace_path_tree_create(&tree, model));
    for (uint32_t i = 0; i < STEPS; i++) {
        if (i % 50 == 0) /* sites come while paths do */
            model->site_count = 1 + i * SITES / STEPS;
        const uint32_t site = random_below(&random, model->site_count);
        uint32_t next = trace_path_tree_find(&tree, path, site);
        if (next == TRACE_NONE) {
            next = trace_path_tree_enter(&tree, path, site);
            ck_assert_uint_ne(next, TRACE_NONE);
            ck_assert_int_eq(model->paths[next].is_outermost, !is_above(model, path, site));
        }
        deepest = model->paths[next].depth > deepest ? model->paths[next].depth : deepest;
        if (random_below(&random, 300) == 0)
            path = random_below(&random, model->path_count);
        else if (random_below(&random, 3) != 0)
            path = next;
    }
    ck_assert_uint_gt(deepest, 300);
    model->site_count = 0; /* they have no names */
    trace_path_tree_destroy(&tree);
    trace_model_destroy(model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("path tree");
    TCase *cases = tcase_create("paths");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, a_path_is_outermost_when_its_site_is_not_above, 0, 5);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
