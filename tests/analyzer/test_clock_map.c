/* Ticks become nanoseconds exactly, also many at a time, at the ends of all numbers, and with
 * calibrations that contradict each other. */
#include <check.h>
#include <stdlib.h>

#include "clock_map.h"
#include "random_stream.h"

#define CLOCKS (2000u / TEST_SHARE)
#define TICKS  200u

__extension__ typedef __int128 wide;

static const uint64_t magnitudes[] = {1u << 10, 1u << 30, UINT64_C(1) << 47, UINT64_C(1) << 53,
                                      UINT64_C(1) << 63};

static uint64_t some_number(struct random *random)
{
    return random_next(random) % (magnitudes[random_below(random, 5)]);
}

static int compare(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;
    return (*left > *right) - (*left < *right);
}

/* Rising ticks around the calibrations of a recorder, as its blocks hold them: of the last line,
 * which has no end, too. Between two calibrations are up to 2^32. */
static void fill_rising_ticks(struct random *random, uint64_t last_tick, uint64_t *ticks)
{
    uint64_t step = 1 + (random_next(random) >> (28 + random_below(random, 36)));
    ticks[0] = last_tick - (random_next(random) >> (29 + random_below(random, 3)));
    for (size_t i = 1; i < TICKS; i++)
        ticks[i] = ticks[i - 1] + random_next(random) % step;
}

static void fill_ticks(struct random *random, uint64_t *ticks)
{
    uint64_t base = some_number(random);
    for (size_t i = 0; i < TICKS; i++)
        ticks[i] = i % 4 == 0 ? random_next(random) : base + some_number(random);
}

/* A clock with `count` calibrations: as a recorder writes them, or any. */
static struct trace_clock_map *make_map(struct random *random, uint32_t count, bool is_forged,
                                        uint64_t *last_tick)
{
    struct trace_clock_map *map = trace_clock_map_create();
    struct lcap_clock clock = {.ticks_per_second = 1 + some_number(random),
                               .step = 1,
                               .clock = 1,
                               .source = LCAP_CLOCK_TSC};
    struct lcap_calibration calibration = {.clock = 1, .tick = random_next(random) >> 8};
    ck_assert_ptr_nonnull(map);
    ck_assert(trace_clock_map_add_clock(map, &clock));
    for (uint32_t i = 0; i < count; i++) {
        if (is_forged) {
            calibration.tick = random_next(random);
            calibration.ns = (int64_t)random_next(random);
        } else {
            calibration.tick += 1 + random_below(random, UINT32_MAX);
            calibration.ns += 1 + (int64_t)random_below(random, UINT32_MAX);
        }
        ck_assert(trace_clock_map_add_calibration(map, &calibration));
    }
    trace_clock_map_finish(map, 1, is_forged ? random_next(random) : calibration.tick);
    *last_tick = calibration.tick;
    return map;
}

START_TEST(many_ticks_at_once_are_as_exact_as_one)
{
    struct random random = {7};
    for (uint32_t n = 0; n < CLOCKS; n++) {
        uint64_t ticks[TICKS];
        int64_t all[TICKS];
        uint64_t last_tick;
        struct trace_clock_map *map = make_map(&random, n % 6, n % 2 == 0, &last_tick);
        if (n % 4 < 2)
            fill_ticks(&random, ticks);
        else
            fill_rising_ticks(&random, last_tick, ticks);
        trace_clock_map_all_ns(map, 1, ticks, all, TICKS);
        for (size_t i = 0; i < TICKS; i++)
            ck_assert_int_eq(all[i], trace_clock_map_ns(map, 1, ticks[i]));
        trace_clock_map_destroy(map);
    }
}
END_TEST

START_TEST(time_never_runs_backwards)
{
    struct random random = {8};
    for (uint32_t n = 0; n < CLOCKS; n++) {
        uint64_t ticks[TICKS];
        int64_t all[TICKS];
        uint64_t last_tick;
        struct trace_clock_map *map = make_map(&random, n % 6, n % 2 == 0, &last_tick);
        fill_ticks(&random, ticks);
        qsort(ticks, TICKS, sizeof *ticks, compare);
        trace_clock_map_all_ns(map, 1, ticks, all, TICKS);
        for (size_t i = 1; i < TICKS; i++) {
            int64_t difference;
            ck_assert_int_le(all[i - 1], all[i]);
            ck_assert(!__builtin_sub_overflow(all[i], all[i - 1], &difference));
        }
        trace_clock_map_destroy(map);
    }
}
END_TEST

START_TEST(the_nominal_rate_is_rounded_down)
{
    /* Ticks of 3 GHz from tick 0 on, and the session's start at tick 1: 0.33 ns, which is 0. */
    struct trace_clock_map *map = trace_clock_map_create();
    struct lcap_clock clock = {
        .ticks_per_second = 3000000000, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC};
    struct random random = {9};
    ck_assert(trace_clock_map_add_clock(map, &clock));
    trace_clock_map_finish(map, 1, 1);
    for (uint32_t n = 0; n < 100000 / TEST_SHARE; n++) {
        uint64_t tick = some_number(&random) % (UINT64_C(1) << 62);
        int64_t ns;
        trace_clock_map_all_ns(map, 1, &tick, &ns, 1);
        ck_assert_int_eq(ns, (int64_t)(tick / 3));
        ck_assert_int_eq(ns, (int64_t)((wide)tick * 1000000000 / 3000000000));
    }
    trace_clock_map_destroy(map);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock map");
    TCase *cases = tcase_create("clock map");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, many_ticks_at_once_are_as_exact_as_one);
    tcase_add_test(cases, time_never_runs_backwards);
    tcase_add_test(cases, the_nominal_rate_is_rounded_down);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
