/* Which differences between two sides of runs count. */
#include "judgement.h"

#include <math.h>
#include <stdlib.h>

static double mean_of(const double *values, uint32_t count)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

static void find_means(const struct trace_judgement *judgement, struct trace_judged *item)
{
    item->base = mean_of(item->values, judgement->base_runs);
    item->candidate = mean_of(item->values + judgement->base_runs, judgement->candidate_runs);
}

/* Whether it could change by as much as counts: labels do not matter for it, so that the choice of
 * the family says nothing about them. */
static bool is_of_family(const struct trace_judgement *judgement, const struct trace_judged *item)
{
    uint32_t runs = judgement->base_runs + judgement->candidate_runs;

    return !item->is_shown_only && fabs(mean_of(item->values, runs)) >= item->least_change;
}

static void gather(const struct trace_judgement *judgement, double *values)
{
    uint32_t runs = judgement->base_runs + judgement->candidate_runs;

    for (uint32_t i = 0; i < judgement->count; i++) {
        const struct trace_judged *item = &judgement->items[i];

        if (!item->is_tested)
            continue;
        for (uint32_t run = 0; run < runs; run++)
            *values++ = item->values[run];
    }
}

static bool run_test(struct trace_judgement *judgement)
{
    size_t runs = judgement->base_runs + judgement->candidate_runs;
    double *values = calloc(judgement->family * runs + 1, sizeof *values);
    struct trace_family_finding *findings = calloc(judgement->family + 1u, sizeof *findings);
    struct trace_family family = {values, judgement->family, judgement->base_runs,
                                  judgement->candidate_runs};
    struct trace_relabelings relabelings;
    bool is_done =
        trace_relabelings_create(&relabelings, judgement->base_runs, judgement->candidate_runs) &&
        values != NULL && findings != NULL;
    uint32_t next = 0;

    if (is_done) {
        gather(judgement, values);
        is_done = trace_permutation_test(&family, &relabelings, findings);
    }
    for (uint32_t i = 0; is_done && i < judgement->count; i++)
        if (judgement->items[i].is_tested)
            judgement->items[i].test = findings[next++];
    judgement->relabelings = relabelings.count;
    judgement->are_all_relabelings = relabelings.are_all;
    trace_relabelings_destroy(&relabelings);
    free(findings);
    free(values);
    return is_done;
}

/* Whether a change of the item counts by its size alone. */
static bool is_large(const struct trace_judged *item, double change)
{
    return fabs(change) >= item->least_change &&
           fabs(change) >= item->least_relative * fabs(item->base) && change != 0.0;
}

/* Whether exact counts alone make a change in the direction of the whole one that counts. */
static bool counts_tell(const struct trace_judged *item, double change)
{
    return !isnan(item->exact_change) && is_large(item, item->exact_change) &&
           signbit(item->exact_change) == signbit(change);
}

static enum trace_finding find_of(const struct trace_judgement *judgement,
                                  struct trace_judged *item)
{
    double change = item->candidate - item->base;
    bool is_worse = change > 0.0;

    if (item->is_shown_only)
        return TRACE_FOUND_SHOWN;
    if (!is_large(item, change))
        return TRACE_FOUND_SAME;
    if (item->count < item->least_count)
        return TRACE_FOUND_FEW;
    item->is_by_counts = counts_tell(item, change);
    double p = is_worse ? item->test.p_greater : item->test.p_less;
    if (item->is_by_counts || (item->is_tested && p <= judgement->level))
        return is_worse ? TRACE_FOUND_WORSE : TRACE_FOUND_BETTER;
    if (judgement->is_tested)
        return TRACE_FOUND_NOISE;
    return is_worse ? TRACE_FOUND_SUSPECTED_WORSE : TRACE_FOUND_SUSPECTED_BETTER;
}

bool trace_judge(struct trace_judgement *judgement)
{
    judgement->is_tested =
        judgement->base_runs >= TRACE_LEAST_RUNS && judgement->candidate_runs >= TRACE_LEAST_RUNS;
    judgement->family = 0;
    for (uint32_t i = 0; i < judgement->count; i++) {
        struct trace_judged *item = &judgement->items[i];

        find_means(judgement, item);
        item->is_tested = judgement->is_tested && is_of_family(judgement, item);
        judgement->family += item->is_tested;
    }
    if (judgement->is_tested && !run_test(judgement))
        return false;
    for (uint32_t i = 0; i < judgement->count; i++)
        judgement->items[i].finding = find_of(judgement, &judgement->items[i]);
    return true;
}
