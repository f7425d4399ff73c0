/* Holds the candidate of a comparison against the budgets of the configuration. */
#include <math.h>
#include <stdlib.h>

#include "comparison_parts.h"

/* Of a side's runs: the mean, or the greatest where a budget is of the longest frame. */
double trace_comparison_frames(const struct trace_comparison *comparison, enum trace_side side,
                               enum trace_frame_measure measure)
{
    uint32_t first = side == TRACE_BASE ? 0 : comparison->run_count[TRACE_BASE];
    uint32_t count = comparison->run_count[side];
    double sum = 0.0, greatest = 0.0;

    for (uint32_t i = 0; i < count; i++) {
        double value = trace_run_frame_measure(comparison, comparison->runs[first + i], measure);
        sum += value;
        greatest = fmax(greatest, value);
    }
    return measure == TRACE_FRAME_MEASURE_MAX ? greatest : sum / count;
}

static bool hold(struct trace_comparison *comparison, struct trace_budget budget)
{
    if (isnan(budget.budget))
        return true;
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

/* Whether both are of one scope, pass or counter, whoever called it. */
static bool is_same_scope(const struct trace_comparison *comparison, const struct trace_compared *a,
                          const struct trace_compared *b)
{
    return trace_compared_is_scope(a) == trace_compared_is_scope(b) &&
           (trace_compared_is_scope(a) || a->measure == b->measure) &&
           trace_scope_keys_are_one(comparison->keys, a->key, b->key);
}

/* What a budget is held against. */
struct held {
    double own_ns, inclusive_ns, calls;
};

/* Of the candidate: by path, all callers of a scope together, or a budget would be looser the more
 * of them there are. A scope that is inside itself has its inclusive time once. */
static struct held add_up(const struct trace_comparison *comparison, uint32_t index, bool *is_held)
{
    struct held sum = {0.0, 0.0, 0.0};

    for (uint32_t i = index; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        if (item->is_part || !is_same_scope(comparison, &comparison->items[index], item))
            continue;
        is_held[i] = true;
        sum.own_ns += item->change.candidate_ns;
        sum.calls += item->change.candidate_calls;
        if (!trace_scope_keys_recur(comparison->keys, item->key))
            sum.inclusive_ns += item->inclusive_ns[TRACE_CANDIDATE];
    }
    return sum;
}

/* Budgets of scopes are over all tracks. */
static bool hold_item(struct trace_comparison *comparison, uint32_t index, bool *is_held)
{
    const struct trace_compared *item = &comparison->items[index];
    const struct trace_limits *limits = &item->limits;
    const char *time =
        trace_compared_is_scope(item) ? "inclusive time per frame" : "time per frame";
    struct held sum = add_up(comparison, index, is_held);
    const struct trace_budget budgets[] = {
        {item->key, 0, "exclusive time per frame", sum.own_ns, limits->budget_ns, true},
        {item->key, 0, time, sum.inclusive_ns, limits->budget_inclusive_ns, true},
        {item->key, 0, "calls per frame", sum.calls, limits->budget_calls, false},
        {item->key, 0, "per frame", sum.own_ns, limits->budget_value, false},
    };

    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++)
        if (!hold(comparison, budgets[i]))
            return false;
    return true;
}

bool trace_comparison_find_budgets(struct trace_comparison *comparison,
                                   const struct trace_diff_config *config)
{
    bool *is_held = calloc((size_t)comparison->count + 1, sizeof *is_held);
    bool is_done = is_held != NULL && hold_frames(comparison, &config->frame);

    for (uint32_t i = 0; is_done && i < comparison->count; i++)
        if (trace_limits_have_budget(&comparison->items[i].limits) &&
            !comparison->items[i].is_part && !is_held[i])
            is_done = hold_item(comparison, i, is_held);
    free(is_held);
    return is_done;
}
