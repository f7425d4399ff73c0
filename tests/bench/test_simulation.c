/* What the simulated comparisons rest on: bounds of rates, and runs that vary as is said. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "binomial_bounds.h"
#include "simulated_game.h"

START_TEST(bounds_are_the_exact_ones)
{
    /* Of none in n: (1 - p)^n = 0.05. */
    ck_assert_double_eq_tol(binomial_upper(0, 300), 1.0 - pow(0.05, 1.0 / 300.0), 1e-12);
    /* Of one in two: (1 - p)^2 + 2 p (1 - p) = 1 - p^2 = 0.05. */
    ck_assert_double_eq_tol(binomial_upper(1, 2), sqrt(0.95), 1e-12);
    ck_assert_double_eq(binomial_upper(7, 7), 1.0);
    ck_assert_double_eq_tol(binomial_lower(7, 7), pow(0.05, 1.0 / 7.0), 1e-12);
    ck_assert_double_eq(binomial_lower(0, 7), 0.0);
}
END_TEST

static struct simulated_game game_of_one_size(void)
{
    struct simulated_game game = {.frame_ns = 10e6};

    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++)
        simulated_game_set(&game, i, SIMULATED_CALLS_FIXED, 4, 0.02);
    return game;
}

/* The standard deviation among runs of one scope's time, as a part of its mean. */
static double variation_among_runs(const struct simulated_machine *machine, uint32_t frames)
{
    enum { RUNS = 400 };
    const struct simulated_game game = game_of_one_size();
    struct simulated_random random = {5};
    double sum = 0.0, squares = 0.0;

    for (uint32_t i = 0; i < RUNS; i++) {
        struct trace_run run;
        double factor;
        simulated_session(&random, machine, &factor, 1);
        ck_assert(simulated_run_play(&random, &game, machine, NULL, factor, frames, &run));
        ck_assert_uint_eq(run.cell_count, SIMULATED_SCOPES);
        sum += run.cells[3].rate.time_ns;
        squares += run.cells[3].rate.time_ns * run.cells[3].rate.time_ns;
        trace_run_destroy(&run);
    }
    return sqrt(squares / RUNS - sum * sum / RUNS / RUNS) / (sum / RUNS);
}

/* With 400 runs a standard deviation is known to 3.5 %: a tenth is nearly three of that. */
START_TEST(runs_vary_as_much_as_is_said)
{
    const struct simulated_machine frames_alone = {.frame_part = 0.02, .scope_frame_part = 0.08};
    const struct simulated_machine runs_alone = {.run_part = 0.008, .scope_part = 0.006};
    double part = simulated_frames_part(&frames_alone, 500);

    ck_assert_double_eq_tol(variation_among_runs(&frames_alone, 500), part, 0.1 * part);
    ck_assert_double_eq_tol(variation_among_runs(&runs_alone, 10), 0.01, 0.001);
}
END_TEST

START_TEST(a_plant_is_in_its_scope_alone)
{
    const struct simulated_game game = game_of_one_size();
    const struct simulated_machine still = {0};
    const struct simulated_plant plant = {7, 1.05, 2, 10};
    struct simulated_random random = {1}, same = {1};
    struct trace_run run, planted;

    ck_assert(simulated_run_play(&random, &game, &still, NULL, 1.0, 100, &run));
    ck_assert(simulated_run_play(&same, &game, &still, &plant, 1.0, 100, &planted));
    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++) {
        double time_ns = run.cells[i].rate.time_ns;
        double hitches_ns = 2.0 * game.frame_ns / 10.0;
        ck_assert_double_eq_tol(time_ns, 0.02 * game.frame_ns, 1.0);
        ck_assert_double_eq_tol(planted.cells[i].rate.time_ns,
                                i == 7 ? 1.05 * 1.5 * time_ns + hitches_ns : time_ns, 1.0);
        ck_assert_uint_eq(planted.cells[i].calls, i == 7 ? 600 : 400);
    }
    ck_assert_int_gt(planted.frame_ns[90], 2 * planted.frame_ns[89]);
    trace_run_destroy(&run);
    trace_run_destroy(&planted);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("simulation");
    TCase *test_case = tcase_create("all");

    tcase_add_test(test_case, bounds_are_the_exact_ones);
    tcase_add_test(test_case, runs_vary_as_much_as_is_said);
    tcase_add_test(test_case, a_plant_is_in_its_scope_alone);
    suite_add_tcase(suite, test_case);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
