/* What a comparison asks for is the same from a capture, from the tables of its database, from a
 * pass over that, and from a database of statistics alone: for golden recordings. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path_rows.h"
#include "selection.h"

#define COUNT(set) (sizeof(set) / sizeof(set)[0])

/* And a window of each. */
static const struct recording {
    const char *name, *window;
} recordings[] = {
    {"example", "two=frames:1..2"},       {"example-next", "two=frames:3..9"},
    {"game", "two=frames:1..2"},          {"gpu-game", "two=frames:2..3"},
    {"gpu", "two=frames:0..0"},           {"everything", "two=last:1frames"},
    {"overlap", "two=frames:0..0"},       {"times", "two=time:0ns..1ms"},
    {"hitch", "two=frames:3702..3704"},   {"names", "two=last:1us"},
    {"gpu-kinds", "two=time:0ns..500ns"},
};

/* A copy of what a model's statistics are, in order. */
struct kept {
    struct trace_stats *sites, *paths;
    struct trace_value_stats *values;
    struct trace_gpu_stats *gpu;
    uint32_t site_count, path_count, value_count, gpu_count;
    struct trace_stat_window windows[2];
    uint64_t slices;
};

static void *copy(const void *rows, uint32_t count, size_t size)
{
    void *kept = malloc((size_t)count * size + 1);
    ck_assert_ptr_nonnull(kept);
    if (count != 0)
        memcpy(kept, rows, (size_t)count * size);
    return kept;
}

static struct kept keep(const struct trace_model *model)
{
    struct kept kept = {.site_count = model->site_stats_count,
                        .value_count = model->value_stats_count,
                        .gpu_count = model->gpu_stats_count,
                        .slices = model->slices};
    ck_assert_uint_eq(model->window_count, 2);
    memcpy(kept.windows, model->windows, sizeof kept.windows);
    kept.sites = copy(model->site_stats, kept.site_count, sizeof *kept.sites);
    kept.values = copy(model->value_stats, kept.value_count, sizeof *kept.values);
    kept.gpu = copy(model->gpu_stats, kept.gpu_count, sizeof *kept.gpu);
    ck_assert(trace_path_rows_list(model, &kept.paths, &kept.path_count));
    return kept;
}

static void drop(struct kept *kept)
{
    free(kept->sites);
    free(kept->paths);
    free(kept->values);
    free(kept->gpu);
}

static void check_stats(const struct trace_stats *a, const struct trace_stats *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_int_eq(trace_stats_compare(&a[i], &b[i]), 0);
        ck_assert_int_eq(a[i].frames, b[i].frames);
        ck_assert_uint_eq(a[i].nested_calls, b[i].nested_calls);
        ck_assert_int_eq(memcmp(&a[i].sums, &b[i].sums, sizeof a[i].sums), 0);
    }
}

static bool is_same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_values(const struct kept *a, const struct kept *b)
{
    ck_assert_uint_eq(a->value_count, b->value_count);
    for (uint32_t i = 0; i < a->value_count; i++) {
        const struct trace_value_stats *x = &a->values[i], *y = &b->values[i];
        ck_assert_uint_eq(x->site, y->site);
        ck_assert_uint_eq(x->window, y->window);
        ck_assert_int_eq(x->is_gauge, y->is_gauge);
        ck_assert_uint_eq(x->count, y->count);
        ck_assert_uint_eq(x->not_finite, y->not_finite);
        ck_assert_int_eq(x->total, y->total);
        ck_assert_int_eq(x->outside, y->outside);
        ck_assert(is_same_number(x->sum, y->sum) && is_same_number(x->least, y->least) &&
                  is_same_number(x->most, y->most) && is_same_number(x->last, y->last));
    }
}

static void check_gpu(const struct kept *a, const struct kept *b)
{
    ck_assert_uint_eq(a->gpu_count, b->gpu_count);
    for (uint32_t i = 0; i < a->gpu_count; i++) {
        const struct trace_gpu_stats *x = &a->gpu[i], *y = &b->gpu[i];
        ck_assert(x->track == y->track && x->site == y->site && x->operation == y->operation &&
                  x->window == y->window);
        ck_assert(x->valid == y->valid && x->not_valid == y->not_valid &&
                  x->outside == y->outside && x->logical == y->logical && x->frames == y->frames);
        ck_assert(x->sum_ns == y->sum_ns && x->min_ns == y->min_ns && x->max_ns == y->max_ns);
    }
}

static void check_same(const struct kept *a, const struct kept *b)
{
    ck_assert_uint_eq(a->site_count, b->site_count);
    check_stats(a->sites, b->sites, a->site_count);
    ck_assert_uint_eq(a->path_count, b->path_count);
    check_stats(a->paths, b->paths, a->path_count);
    check_values(a, b);
    check_gpu(a, b);
    for (uint32_t part = 0; part < 2; part++) {
        ck_assert_int_eq(a->windows[part].begin_ns, b->windows[part].begin_ns);
        ck_assert_int_eq(a->windows[part].end_ns, b->windows[part].end_ns);
        ck_assert_int_eq(a->windows[part].frames, b->windows[part].frames);
    }
    ck_assert_uint_eq(a->slices, b->slices);
}

/* --- the four ways --------------------------------------------------------------------------- */

struct ways {
    char capture[256], whole[64], small[64];
};

static void import(const char *capture, const char *window, char *database, bool is_of_statistics)
{
    const struct trace_import_options options = {
        .windows = &window, .window_count = 1, .is_of_statistics = is_of_statistics};
    struct ludus_error error = {0};
    int file = mkstemp(database);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(close(file), 0);
    ck_assert_int_eq(unlink(database), 0);
    ck_assert_msg(trace_import(&capture, 1, &options, database, NULL, &error) == LUDUS_OK, "%s",
                  error.message);
}

static struct ways make_ways(const struct recording *recording)
{
    struct ways ways = {.whole = "/tmp/ludus-whole-XXXXXX", .small = "/tmp/ludus-small-XXXXXX"};
    (void)snprintf(ways.capture, sizeof ways.capture, TEST_GOLDEN_DIR "/valid/%s.lcap",
                   recording->name);
    import(ways.capture, recording->window, ways.whole, false);
    import(ways.capture, recording->window, ways.small, true);
    return ways;
}

static void remove_ways(const struct ways *ways)
{
    (void)unlink(ways->whole);
    (void)unlink(ways->small);
}

static struct trace_input *open_input(const char *path)
{
    struct trace_input *input;
    struct ludus_error error = {0};
    ck_assert_msg(trace_open(path, 0, &input, &error) == LUDUS_OK, "%s", error.message);
    return input;
}

/* Statistics of an input, as a comparison asks for them. */
static enum ludus_status ask(struct trace_input *input, const char *window, enum trace_apart apart,
                             struct kept *kept, struct ludus_error *error)
{
    const struct trace_selection selection = {.windows = &window,
                                              .window_count = window == NULL ? 0 : 1};
    struct trace_chosen chosen;
    const struct trace_model *model;
    *error = (struct ludus_error){0};
    ck_assert_msg(trace_chosen_create(input, &selection, &chosen, error) == LUDUS_OK, "%s",
                  error->message);
    chosen.plan.apart = apart;
    chosen.plan.has_path_rows = true;
    chosen.plan.has_value_rows = true;
    enum ludus_status status = trace_input_statistics(input, &chosen.plan, &model, error);
    if (status == LUDUS_OK)
        *kept = keep(model);
    trace_chosen_destroy(&chosen);
    return status;
}

static struct kept ask_file(const char *path, const char *window, enum trace_apart apart,
                            bool is_pass)
{
    struct trace_input *input = open_input(path);
    struct ludus_error error = {0};
    struct kept kept;
    if (is_pass) /* from then on a database is not asked for what it holds */
        ck_assert_int_eq(trace_input_run(input, NULL, NULL, &error), LUDUS_OK);
    ck_assert_msg(ask(input, window, apart, &kept, &error) == LUDUS_OK, "%s", error.message);
    trace_close(input);
    return kept;
}

START_TEST(all_ways_lead_to_the_same_statistics)
{
    const char *const windows[] = {NULL, recordings[_i].window};
    static const enum trace_apart aparts[] = {TRACE_APART_LOSSES, TRACE_APART_MARKER};
    struct ways ways = make_ways(&recordings[_i]);
    for (size_t w = 0; w < COUNT(windows); w++) {
        for (size_t a = 0; a < COUNT(aparts); a++) {
            struct kept kept[] = {ask_file(ways.capture, windows[w], aparts[a], false),
                                  ask_file(ways.whole, windows[w], aparts[a], false),
                                  ask_file(ways.whole, windows[w], aparts[a], true),
                                  ask_file(ways.small, windows[w], aparts[a], false)};
            for (size_t i = 1; i < COUNT(kept); i++) {
                check_same(&kept[0], &kept[i]);
                drop(&kept[i]);
            }
            drop(&kept[0]);
        }
    }
    remove_ways(&ways);
}
END_TEST

/* One after the other, from one input: what is asked for replaces what was. */
START_TEST(an_input_answers_one_plan_after_another)
{
    struct ways ways = make_ways(&recordings[0]);
    struct ludus_error error;
    struct kept first, second, again;
    struct trace_input *input = open_input(ways.small);
    ck_assert_int_eq(ask(input, NULL, TRACE_APART_MARKER, &first, &error), LUDUS_OK);
    ck_assert_int_eq(ask(input, recordings[0].window, TRACE_APART_MARKER, &second, &error),
                     LUDUS_OK);
    ck_assert_int_eq(ask(input, NULL, TRACE_APART_MARKER, &again, &error), LUDUS_OK);
    check_same(&first, &again);
    ck_assert_int_ne(first.windows[0].frames, second.windows[0].frames);
    drop(&first);
    drop(&second);
    drop(&again);
    trace_close(input);
    remove_ways(&ways);
}
END_TEST

START_TEST(what_is_not_held_is_refused_in_one_line)
{
    static const char *const others[] = {"frames:1..1", "time:0..1ms"};
    struct ways ways = make_ways(&recordings[0]);
    struct trace_input *input = open_input(ways.small);
    const struct trace_visitor nobody = {0};
    struct ludus_error error;
    struct kept kept;
    for (size_t i = 0; i < COUNT(others); i++) {
        ck_assert_int_eq(ask(input, others[i], TRACE_APART_MARKER, &kept, &error),
                         LUDUS_ERROR_UNAVAILABLE);
        ck_assert_ptr_nonnull(strstr(error.message, "of the windows: capture, two;"));
        ck_assert_ptr_null(strchr(error.message, '\n'));
    }
    ck_assert_int_eq(ask(input, NULL, TRACE_APART_ALL, &kept, &error), LUDUS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(trace_input_run(input, NULL, &nobody, &error), LUDUS_ERROR_UNAVAILABLE);
    /* What it holds is there all the same. */
    ck_assert_int_eq(ask(input, "frames:1..2", TRACE_APART_MARKER, &kept, &error), LUDUS_OK);
    drop(&kept);
    trace_close(input);
    remove_ways(&ways);
}
END_TEST

/* --- worked out by hand ---------------------------------------------------------------------- */

/* The recording whose times tests/golden/golden_gpu_game.c works out, in ms: five frames were
 * sampled, one is not valid. */
START_TEST(gpu_work_adds_up_to_what_its_maker_worked_out)
{
    static const struct trace_gpu_stats expected[] = {
        {1, TRACE_NONE, 0, 0, 4, 1, 1, 0, 4, 33500000, 6000000, 14000000},
        {1, 0, 1, 0, 3, 2, 1, 3, 4, 3000000, 1000000, 1000000},
        {1, 1, 1, 0, 8, 1, 0, 16, 4, 25500000, 0, 10500000},
        {1, 2, 2, 0, 3, 1, 0, 3, 4, 1500000, 500000, 500000},
        {2, TRACE_NONE, 0, 0, 2, 0, 0, 0, 2, 400000, 150000, 250000},
        {2, 3, 3, 0, 2, 0, 0, 2, 2, 400000, 150000, 250000},
        {3, TRACE_NONE, 0, 0, 2, 0, 1, 0, 2, 5000000, 0, 5000000},
        {3, 0, 1, 0, 1, 0, 0, 1, 1, 900000, 900000, 900000},
        {3, 1, 1, 0, 1, 0, 0, 3, 1, 2500000, 2500000, 2500000},
    };
    struct kept wanted = {.gpu = copy(expected, COUNT(expected), sizeof *expected),
                          .gpu_count = COUNT(expected)};
    struct kept kept =
        ask_file(TEST_GOLDEN_DIR "/valid/gpu-game.lcap", NULL, TRACE_APART_MARKER, false);
    check_gpu(&kept, &wanted);
    drop(&wanted);
    drop(&kept);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stored statistics");
    TCase *cases = tcase_create("stored statistics");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, all_ways_lead_to_the_same_statistics, 0, (int)COUNT(recordings));
    tcase_add_test(cases, an_input_answers_one_plan_after_another);
    tcase_add_test(cases, what_is_not_held_is_refused_in_one_line);
    tcase_add_test(cases, gpu_work_adds_up_to_what_its_maker_worked_out);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
