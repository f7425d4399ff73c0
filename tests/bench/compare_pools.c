/* How often `diff` finds a regression in real runs, where there is none and where one was planted:
 * reads the captures of a session of the arena (diff_power.sh records them) once each, and compares
 * sides that are drawn from them.
 *
 *     compare_pools FOLDER SPLITS
 *
 * base-*.lcap are of one build that has no fault, cost-*, calls-* and hitch-*.lcap of one that has
 * one. Disjoint sides of 5 runs are drawn from the base SPLITS times. For the power, sides are
 * drawn from the base and from the runs of a fault. */
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_tools.h"
#include "binomial_bounds.h"
#include "comparison.h"
#include "simulated_random.h"

#define MAX_SIDE    20u
#define MANY_SPLITS 100u /* where 10,000 labellings are looked at for each */

struct pool {
    struct trace_run *runs;
    uint32_t count;
};

struct fault {
    const char *pool;
    const char *name;
    const char *scopes; /* that have it: their names begin so; NULL: found in hitches */
    enum trace_change_kind change;
};

static const struct fault faults[] = {
    {"cost", "Tile/Ground does 5 % more", "Tile/Ground", TRACE_CHANGE_COST},
    {"calls", "4 of 42 tiles drawn twice", "Tile/", TRACE_CHANGE_WORKLOAD},
    {"hitch", "a level loaded again at times", NULL, TRACE_CHANGE_NONE},
};
enum { FAULTS = sizeof faults / sizeof faults[0] };

static const uint32_t sides[] = {5, 10, MAX_SIDE};
enum { SIDES = sizeof sides / sizeof sides[0] };

/* How many comparisons found: */
struct tally {
    uint32_t any;
    uint32_t frames; /* p50 or hitches */
    uint32_t scopes;
    uint32_t named;  /* the fault, as what it is */
    uint32_t others; /* a scope that has no fault */
};

/* --- reading ---------------------------------------------------------------------------------- */

static void read_run(const char *path, struct trace_scope_keys *keys, struct trace_run *run)
{
    static const struct trace_selection all = {0};
    const struct trace_digest_options options = {.selection = &all};
    struct trace_input *input = NULL;
    struct ludus_error error;

    if (trace_open(path, 0, &input, &error) != LUDUS_OK ||
        trace_run_read(input, path, TRACE_BASE, &options, keys, run, &error) != LUDUS_OK)
        bench_fail("%s", error.message);
    if (run->frames == 0)
        bench_fail("%s: has no frames", path);
    trace_close(input);
}

static struct pool read_pool(const char *folder, const char *name, struct trace_scope_keys *keys)
{
    char pattern[4096];
    glob_t found;
    int length = snprintf(pattern, sizeof pattern, "%s/%s-*.lcap", folder, name);

    if (length < 0 || (size_t)length >= sizeof pattern || glob(pattern, 0, NULL, &found) != 0)
        bench_fail("%s: has no %s-*.lcap", folder, name);
    struct pool pool = {calloc(found.gl_pathc, sizeof *pool.runs), (uint32_t)found.gl_pathc};
    if (pool.runs == NULL)
        bench_fail("not enough memory");
    for (uint32_t i = 0; i < pool.count; i++)
        read_run(found.gl_pathv[i], keys, &pool.runs[i]);
    globfree(&found);
    return pool;
}

static void destroy_pool(struct pool *pool)
{
    for (uint32_t i = 0; i < pool->count; i++)
        trace_run_destroy(&pool->runs[i]);
    free(pool->runs);
}

/* --- comparing -------------------------------------------------------------------------------- */

/* The first `count` of `chosen` become runs of the pool, each at most once. */
static void draw_runs(struct simulated_random *random, const struct pool *pool, uint32_t count,
                      const struct trace_run **chosen)
{
    uint32_t taken = 0;

    for (uint32_t i = 0; i < pool->count && taken < count; i++)
        if (simulated_below(random, pool->count - i) < count - taken)
            chosen[taken++] = &pool->runs[i];
    /* In the order of the pool: which of them are of which side is drawn, too. */
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = simulated_below(random, i);
        const struct trace_run *run = chosen[i - 1];
        chosen[i - 1] = chosen[other];
        chosen[other] = run;
    }
}

static bool is_worse(const struct trace_judged *item)
{
    return item->finding == TRACE_FOUND_WORSE;
}

static void look_at(const struct trace_comparison *comparison, const struct fault *fault,
                    struct tally *tally)
{
    const struct trace_judged *frames = comparison->judgement.items;
    bool is_hitches = is_worse(&frames[TRACE_FRAME_MEASURE_HITCHES]);
    bool is_median = is_worse(&frames[TRACE_FRAME_MEASURE_P50]);
    bool has_scope = false, has_other = false;
    bool is_named = fault != NULL && fault->scopes == NULL && is_hitches;

    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        struct trace_text name = comparison->keys->items[item->key].name;
        if (!is_worse(trace_comparison_judged(comparison, item)))
            continue;
        has_scope = true;
        bool has_fault = fault != NULL && fault->scopes != NULL &&
                         name.size >= strlen(fault->scopes) &&
                         memcmp(name.data, fault->scopes, strlen(fault->scopes)) == 0;
        is_named |= has_fault && item->change.kind == fault->change;
        has_other |= !has_fault;
    }
    tally->any += has_scope || is_hitches || is_median;
    tally->frames += is_hitches || is_median;
    tally->scopes += has_scope;
    tally->named += is_named;
    tally->others += has_other;
}

static void compare(const struct trace_scope_keys *keys, const struct trace_run *const *runs,
                    uint32_t side, const struct fault *fault, struct tally *tally)
{
    struct trace_diff_config config;
    struct trace_comparison comparison;

    trace_diff_config_set_default(&config);
    if (!trace_compare(keys, runs, side, side, &config, &comparison))
        bench_fail("not enough memory");
    look_at(&comparison, fault, tally);
    trace_comparison_destroy(&comparison);
}

/* The standard deviation of the runs' median frames, per cent of their mean. */
static double variation_percent(const struct pool *pool)
{
    double sum = 0.0, squares = 0.0;

    for (uint32_t i = 0; i < pool->count; i++)
        sum += (double)trace_run_percentile(&pool->runs[i], 500) / pool->count;
    for (uint32_t i = 0; i < pool->count; i++)
        squares += pow((double)trace_run_percentile(&pool->runs[i], 500) / sum - 1.0, 2.0);
    return 100.0 * sqrt(squares / (pool->count - 1));
}

/* Of a pool whose runs differ by far more than the limits the rate is just below the level, and a
 * count of it is as likely above. */
static void print_gate(uint32_t count, uint32_t splits)
{
    static const char name[] = "false alarms, arena";
    static const char text[] =
        "%" PRIu32 " of %" PRIu32 " splits of one pool: %.2f to %.2f %% with "
        "95 %% confidence each (at most %.0f %%)";
    double low = binomial_lower(count, splits), high = binomial_upper(count, splits);

    if (low <= TRACE_LEVEL && high > TRACE_LEVEL)
        bench_unsure(name, text, count, splits, 100.0 * low, 100.0 * high, 100.0 * TRACE_LEVEL);
    else
        bench_gate(high <= TRACE_LEVEL, name, text, count, splits, 100.0 * low, 100.0 * high,
                   100.0 * TRACE_LEVEL);
}

static void find_false_alarms(const struct trace_scope_keys *keys, const struct pool *base,
                              uint32_t splits)
{
    const uint32_t side = sides[0];
    struct simulated_random random = {1};
    struct tally tally = {0};

    if (base->count < 2 * side)
        bench_fail("there are less than %" PRIu32 " runs without a fault", 2 * side);
    for (uint32_t i = 0; i < splits; i++) {
        const struct trace_run *runs[2 * MAX_SIDE];
        draw_runs(&random, base, 2 * side, runs);
        compare(keys, runs, side, NULL, &tally);
    }
    printf("arena: %" PRIu32 " runs of %" PRIu32 " frames without a fault; %" PRIu32
           " splits into %" PRIu32 " against %" PRIu32 "\n",
           base->count, base->runs[0].frames, splits, side, side);
    printf("  their median frames vary by %.1f %% (standard deviation)\n", variation_percent(base));
    printf("  regressions in %.2f %%: of frames in %.2f %%, of scopes in %.2f %%\n",
           100.0 * tally.any / splits, 100.0 * tally.frames / splits,
           100.0 * tally.scopes / splits);
    print_gate(tally.any, splits);
}

static void find_power(const struct trace_scope_keys *keys, const struct pool *base,
                       const struct pool *pool, const struct fault *fault, uint32_t splits)
{
    for (uint32_t i = 0; i < SIDES; i++) {
        const uint32_t side = sides[i];
        const uint32_t count = side == sides[0] || splits < MANY_SPLITS ? splits : MANY_SPLITS;
        struct simulated_random random = {side};
        struct tally tally = {0};

        if (side > base->count || side > pool->count)
            continue;
        for (uint32_t split = 0; split < count; split++) {
            const struct trace_run *runs[2 * MAX_SIDE];
            draw_runs(&random, base, side, runs);
            draw_runs(&random, pool, side, runs + side);
            compare(keys, runs, side, fault, &tally);
        }
        printf("  %-32s %6" PRIu32 " %9" PRIu32 " %7.1f %% %7.1f %% %7.1f %%\n", fault->name, side,
               count, 100.0 * tally.any / count, 100.0 * tally.named / count,
               100.0 * tally.others / count);
    }
}

int main(int argc, char **argv)
{
    static const char usage[] = "compare_pools FOLDER SPLITS";
    struct trace_scope_keys keys;

    if (argc != 3)
        bench_fail("usage: %s", usage);
    uint32_t splits = bench_count_read(usage, argc, argv, 2, 1);
    if (!trace_scope_keys_create(&keys))
        bench_fail("not enough memory");
    struct pool base = read_pool(argv[1], "base", &keys);
    find_false_alarms(&keys, &base, splits);
    printf("  %-32s %6s %9s %9s %9s %9s\n", "fault", "a side", "splits", "found", "named",
           "others");
    for (uint32_t i = 0; i < FAULTS; i++) {
        struct pool pool = read_pool(argv[1], faults[i].pool, &keys);
        find_power(&keys, &base, &pool, &faults[i], splits);
        destroy_pool(&pool);
    }
    destroy_pool(&base);
    trace_scope_keys_destroy(&keys);
    return EXIT_SUCCESS;
}
