/* Comparisons of simulated runs. */
#include "simulated_comparison.h"

#include "bench_tools.h"

static void play(struct simulated_random *random, const struct simulated_setup *setup,
                 struct simulated_comparison *result)
{
    double factors[SIMULATED_MAX_RUNS];

    simulated_session(random, setup->machine, factors, 2 * setup->runs);
    for (uint32_t i = 0; i < 2 * setup->runs; i++) {
        bool is_candidate = i % 2 == 1;
        struct trace_run *run = &result->runs[i / 2 + (is_candidate ? setup->runs : 0)];
        if (!simulated_run_play(random, setup->game, setup->machine,
                                is_candidate ? setup->plant : NULL, factors[i], setup->frames, run))
            bench_fail("not enough memory");
    }
}

void simulated_compare(struct simulated_random *random, const struct simulated_setup *setup,
                       struct simulated_comparison *result)
{
    const struct trace_run *runs[SIMULATED_MAX_RUNS];

    *result = (struct simulated_comparison){0};
    play(random, setup, result);
    for (uint32_t i = 0; i < 2 * setup->runs; i++)
        runs[i] = &result->runs[i];
    trace_diff_config_set_default(&result->config);
    if (!simulated_keys_create(&result->keys) ||
        !trace_compare(&result->keys, runs, setup->runs, setup->runs, &result->config,
                       &result->comparison))
        bench_fail("not enough memory");
}

void simulated_comparison_destroy(struct simulated_comparison *result)
{
    trace_comparison_destroy(&result->comparison);
    for (uint32_t i = 0; i < SIMULATED_MAX_RUNS; i++)
        trace_run_destroy(&result->runs[i]);
    trace_scope_keys_destroy(&result->keys);
}

const struct trace_compared *simulated_scope_find(const struct simulated_comparison *result,
                                                  uint32_t scope)
{
    for (uint32_t i = 0; i < result->comparison.count; i++)
        if (result->comparison.items[i].key == scope)
            return &result->comparison.items[i];
    return NULL;
}
