/* Holds the candidate of a comparison against the budgets of the configuration. */
#include <math.h>
#include <stdlib.h>

#include "comparison_parts.h"

/* Of a side's runs: the mean, or the greatest where a budget is of the longest frame. */
double trace_comparison_frames(const struct trace_comparison *comparison, enum trace_side side,
                               enum trace_frame_measure measure)
{
    uint32_t first = trace_comparison_first(comparison, side);
    uint32_t count = comparison->run_count[side];
    double sum = 0.0, greatest = 0.0;

    for (uint32_t i = 0; i < count; i++) {
        double value = trace_run_frame_measure(comparison, comparison->runs[first + i], measure);
        sum += value;
        greatest = fmax(greatest, value);
    }
    return measure == TRACE_FRAME_MEASURE_MAX ? greatest : sum / count;
}

/* Without what rounding of sums adds: a value that is equal to its budget is within it. */
static double rounded(double value, bool is_time)
{
    return is_time ? trace_whole_picoseconds(value) : nearbyint(value * 1e9) / 1e9;
}

static bool hold(struct trace_comparison *comparison, struct trace_budget budget)
{
    if (isnan(budget.budget))
        return true;
    budget.value = rounded(budget.value, budget.is_time);
    if (!trace_array_grow(&comparison->budgets, comparison->budget_count, sizeof budget))
        return false;
    comparison->budgets[comparison->budget_count++] = budget;
    return true;
}

static bool hold_frames(struct trace_comparison *comparison,
                        const struct trace_frame_limits *limits)
{
    const struct {
        enum trace_frame_measure measure;
        const char *what;
        double budget;
    } all[] = {
        {TRACE_FRAME_MEASURE_P50, "median frame", limits->budget_p50_ns},
        {TRACE_FRAME_MEASURE_P95, "95th percentile of frames", limits->budget_p95_ns},
        {TRACE_FRAME_MEASURE_P99, "99th percentile of frames", limits->budget_p99_ns},
        {TRACE_FRAME_MEASURE_MAX, "longest frame", limits->budget_max_ns},
        {TRACE_FRAME_MEASURE_HITCHES, "hitches per 1,000 frames", limits->budget_hitches_per_1000},
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!hold(comparison,
                  (struct trace_budget){
                      .key = TRACE_NONE,
                      .frame = all[i].measure,
                      .what = all[i].what,
                      .value = trace_comparison_frames(comparison, TRACE_CANDIDATE, all[i].measure),
                      .budget = all[i].budget,
                      .is_time = all[i].measure != TRACE_FRAME_MEASURE_HITCHES}))
            return false;
    return true;
}

/* What the candidate has of a scope, over all callers; items are over all tracks. */
struct scope_sums {
    const struct trace_limits *limits; /* NULL: there is none of it */
    double own_ns, inclusive_ns, calls;
};

/* Whether a caller is the scope itself, whose inclusive time holds this one's. */
static bool is_recursive(const struct trace_scope_keys *keys, uint32_t key)
{
    uint32_t scope = keys->items[key].scope;

    while ((key = keys->items[key].parent) != TRACE_NONE)
        if (keys->items[key].scope == scope)
            return true;
    return false;
}

static void add_to_sums(const struct trace_scope_keys *keys, const struct trace_compared *item,
                        struct scope_sums *sums)
{
    sums->limits = &item->limits;
    sums->own_ns += item->change.candidate_ns;
    sums->calls += item->change.candidate_calls;
    if (!is_recursive(keys, item->key))
        sums->inclusive_ns += item->inclusive_ns[TRACE_CANDIDATE];
}

static bool hold_scope(struct trace_comparison *comparison, uint32_t key,
                       const struct scope_sums *sums)
{
    const struct trace_limits *limits = sums->limits;

    return hold(comparison, (struct trace_budget){key, 0, "exclusive time per frame", sums->own_ns,
                                                  limits->budget_ns, true}) &&
           hold(comparison,
                (struct trace_budget){key, 0, "inclusive time per frame", sums->inclusive_ns,
                                      limits->budget_inclusive_ns, true}) &&
           hold(comparison, (struct trace_budget){key, 0, "calls per frame", sums->calls,
                                                  limits->budget_calls, false});
}

static bool hold_scopes(struct trace_comparison *comparison)
{
    const struct trace_scope_keys *keys = comparison->keys;
    struct scope_sums *sums = calloc((size_t)keys->count + 1, sizeof *sums);
    bool is_done = sums != NULL;

    for (uint32_t i = 0; is_done && i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        if (trace_compared_is_scope(item) && trace_limits_have_budget(&item->limits))
            add_to_sums(keys, item, &sums[keys->items[item->key].scope]);
    }
    for (uint32_t i = 0; is_done && i < keys->count; i++)
        if (sums[i].limits != NULL)
            is_done = hold_scope(comparison, i, &sums[i]);
    free(sums);
    return is_done;
}

/* A GPU pass or a counter. */
static bool hold_other(struct trace_comparison *comparison, const struct trace_compared *item)
{
    return hold(comparison, (struct trace_budget){item->key, 0, "time per frame",
                                                  item->inclusive_ns[TRACE_CANDIDATE],
                                                  item->limits.budget_inclusive_ns, true}) &&
           hold(comparison,
                (struct trace_budget){item->key, 0, "per frame", item->change.candidate_ns,
                                      item->limits.budget_value, false});
}

bool trace_comparison_find_budgets(struct trace_comparison *comparison,
                                   const struct trace_diff_config *config)
{
    bool is_done = hold_frames(comparison, &config->frame) && hold_scopes(comparison);

    for (uint32_t i = 0; is_done && i < comparison->count; i++)
        if (comparison->items[i].measure > TRACE_MEASURE_ALL_TRACKS)
            is_done = hold_other(comparison, &comparison->items[i]);
    return is_done;
}
