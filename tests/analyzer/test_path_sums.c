/* Sums of paths by group of tracks, and the rows that are made of them, against plain arrays; and
 * what they take where tracks are many. */
#include <check.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "path_rows.h"

#define PATHS  700u
#define CELLS  4u
#define GROUPS 6u

struct random_numbers {
    uint64_t state;
};

static uint32_t random_below(struct random_numbers *random, uint32_t bound)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random->state >> 33) % bound;
}

static struct trace_model *make_model(uint32_t paths)
{
    struct trace_model *model;
    ck_assert_int_eq(trace_model_create(&model), LUDUS_OK);
    model->paths = calloc(paths, sizeof *model->paths);
    ck_assert_ptr_nonnull(model->paths);
    model->path_count = paths;
    model->window_count = CELLS;
    for (uint32_t path = 1; path < paths; path++)
        model->paths[path] = (struct trace_path){.is_outermost = path % 3 != 0};
    return model;
}

/* A row that could be: of all calls some have no end, some began before, some lost children. */
static struct trace_stats make_row(struct random_numbers *random, const struct trace_model *model,
                                   uint32_t path, uint32_t track, uint32_t cell)
{
    struct trace_stats row = {
        .subject = path, .track = track, .window = cell, .frames = 10 * cell + track % 7};
    bool is_plain = random_below(random, 3) != 0;
    row.sums.calls = 9 + random_below(random, 1000);
    row.sums.recursive_calls = model->paths[path].is_outermost ? 0 : row.sums.calls;
    row.sums.incomplete = is_plain ? 0 : random_below(random, 3);
    row.sums.children_lost = is_plain ? 0 : random_below(random, 3);
    row.sums.outermost_calls =
        row.sums.calls - row.sums.incomplete - (is_plain ? 0 : random_below(random, 3));
    row.sums.exclusive_calls = row.sums.calls - (is_plain ? 0 : random_below(random, 8));
    row.sums.inclusive_ns = random_below(random, 100000);
    row.sums.exclusive_ns = random_below(random, 100000);
    return row;
}

static void check_same(const struct trace_stats *a, const struct trace_stats *b)
{
    ck_assert_uint_eq(a->subject, b->subject);
    ck_assert_uint_eq(a->track, b->track);
    ck_assert_uint_eq(a->window, b->window);
    ck_assert_int_eq(a->frames, b->frames);
    ck_assert_mem_eq(&a->sums, &b->sums, sizeof a->sums);
}

/* Group 0 is the common one, the others are of tracks that come in falling order. */
static uint32_t track_of(uint32_t group)
{
    return group == 0 ? TRACE_NONE : 100 - 10 * group;
}

START_TEST(rows_come_back_in_order)
{
    struct random_numbers random = {(uint64_t)_i};
    struct trace_model *model = make_model(PATHS);
    uint32_t groups = 1 + (uint32_t)_i % GROUPS, expected_count = 0, count;
    size_t most = (size_t)PATHS * GROUPS * CELLS;
    struct trace_stats *expected = calloc(most, sizeof *expected);
    struct trace_stats *rows;
    ck_assert_ptr_nonnull(expected);
    for (uint32_t group = 0; group < groups; group++)
        ck_assert_ptr_nonnull(trace_model_add_path_sums(model, track_of(group)));
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t group = random_below(&random, groups), cell = random_below(&random, CELLS);
        uint32_t path = 1 + random_below(&random, PATHS - 1);
        struct trace_path_sums *sums = &model->path_sums[group];
        const struct trace_path_cell *found = trace_path_sums_find(sums, path, cell);
        if (found != NULL && found->calls != 0)
            continue; /* it has its row */
        expected[expected_count] = make_row(&random, model, path, track_of(group), cell);
        ck_assert(trace_path_sums_add_row(sums, &expected[expected_count]));
        ck_assert_uint_eq(trace_path_sums_find(sums, path, cell)->calls,
                          expected[expected_count].sums.calls);
        expected_count++;
    }
    trace_model_sort_path_sums(model);
    qsort(expected, expected_count, sizeof *expected, trace_stats_compare);
    ck_assert(trace_path_rows_list(model, &rows, &count));
    ck_assert_uint_eq(count, expected_count);
    for (uint32_t i = 0; i < count; i++)
        check_same(&rows[i], &expected[i]);
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        struct trace_sums right = {0}, total = trace_model_total(model, cell);
        for (uint32_t i = 0; i < count; i++)
            if (expected[i].window == cell)
                trace_sums_add(&right, &expected[i].sums);
        ck_assert_mem_eq(&total, &right, sizeof right);
    }
    free(rows);
    free(expected);
    trace_model_destroy(model);
}
END_TEST

START_TEST(a_model_without_sums_has_no_rows)
{
    struct trace_model *model = make_model(3);
    struct trace_stats *rows;
    uint32_t count;
    ck_assert(trace_path_rows_list(model, &rows, &count));
    ck_assert_uint_eq(count, 0);
    ck_assert_ptr_null(rows);
    ck_assert_uint_eq(trace_model_total(model, 1).calls, 0);
    trace_model_destroy(model);
}
END_TEST

/* 20,000 tracks of which each has seen 10 of 60,000 paths, far from each other: a pointer for each
 * page that there might be would be 300 MB. */
START_TEST(many_tracks_take_what_they_have_seen)
{
    const uint32_t tracks = 20000, paths = 60000, seen = 10;
    struct trace_model *model = make_model(paths);
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (uint32_t track = 0; track < tracks; track++) {
        struct trace_path_sums *sums = trace_model_add_path_sums(model, track);
        ck_assert_ptr_nonnull(sums);
        for (uint32_t i = 0; i < seen; i++) {
            uint32_t path = 1 + (track * 7 + i * 5987) % (paths - 1);
            struct trace_path_cell *cell = trace_path_sums_add(sums, path, 0);
            ck_assert_ptr_nonnull(cell);
            trace_path_cell_add(cell, 20, 10);
        }
    }
    size_t taken = mallinfo2().uordblks + mallinfo2().hblkhd - before;
    ck_assert_uint_lt(taken, (size_t)tracks * (512 + seen * 192)); /* 0 with another allocator */
    trace_model_sort_path_sums(model);
    ck_assert_uint_eq(trace_model_total(model, 0).calls, (uint64_t)tracks * seen);
    trace_model_destroy(model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("path sums");
    TCase *cases = tcase_create("path sums");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, rows_come_back_in_order, 0, 24 / TEST_SHARE);
    tcase_add_test(cases, a_model_without_sums_has_no_rows);
    tcase_add_test(cases, many_tracks_take_what_they_have_seen);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
