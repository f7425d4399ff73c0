/* Whether two sides of runs differ by more than their runs do among themselves. */
#include "permutation_test.h"

#include <math.h>
#include <stdlib.h>

/* Statistics that differ by less are equal: sums in another order. */
#define TIE 1e-9

/* What does not depend on labels. */
struct quantity {
    double mean;    /* of all runs; also the scale */
    double squares; /* of the differences from it, summed */
};

struct test {
    const struct trace_family *family;
    struct quantity *quantities;
    double *sums;      /* by quantity: of the present labelling's candidates, less the mean */
    double *variances; /* by quantity: within the sides, relative */
    double *sorted;    /* room for the median */
    double *statistics;
    uint32_t *falling; /* quantities, by falling true statistic */
    uint32_t *counts;  /* by quantity: labellings that are at least as great; then as small */
    double *shifts;    /* by labelling */
};

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Of none: 0. Sorts them. */
static double median_of(double *values, uint32_t count)
{
    if (count == 0)
        return 0.0;
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2.0;
}

static void measure_quantities(struct test *test)
{
    const uint32_t runs = test->family->base_runs + test->family->candidate_runs;

    for (uint32_t k = 0; k < test->family->quantities; k++) {
        const double *values = &test->family->values[(size_t)k * runs];
        struct quantity *quantity = &test->quantities[k];
        double sum = 0.0;

        /* From the first one, so that the mean of what is all the same is just that. */
        for (uint32_t run = 1; run < runs; run++)
            sum += values[run] - values[0];
        quantity->mean = values[0] + sum / runs;
        quantity->squares = 0.0;
        for (uint32_t run = 0; run < runs; run++)
            quantity->squares += (values[run] - quantity->mean) * (values[run] - quantity->mean);
    }
}

static void add_up(struct test *test, uint64_t set)
{
    const uint32_t runs = test->family->base_runs + test->family->candidate_runs;

    for (uint32_t k = 0; k < test->family->quantities; k++) {
        const double *values = &test->family->values[(size_t)k * runs];
        double sum = 0.0;

        for (uint64_t rest = set; rest != 0; rest &= rest - 1)
            sum += values[__builtin_ctzll(rest)] - test->quantities[k].mean;
        test->sums[k] = sum;
    }
}

/* Every quantity's statistic with the candidate's label on the runs of `set`. */
static void find_statistics(struct test *test, uint64_t set)
{
    const double base = test->family->base_runs;
    const double candidate = test->family->candidate_runs;
    const double freedom = base + candidate - 2.0;
    uint32_t count = 0;

    add_up(test, set);
    for (uint32_t k = 0; k < test->family->quantities; k++) {
        const struct quantity *quantity = &test->quantities[k];
        const double between = test->sums[k] * test->sums[k] * (1.0 / base + 1.0 / candidate);
        const double within = fmax(quantity->squares - between, 0.0);

        test->variances[k] = 0.0;
        if (quantity->mean == 0.0)
            continue;
        test->variances[k] = within / freedom / (quantity->mean * quantity->mean);
        test->sorted[count++] = test->variances[k];
    }
    const double prior = median_of(test->sorted, count);
    for (uint32_t k = 0; k < test->family->quantities; k++) {
        const double difference = test->sums[k] * (1.0 / base + 1.0 / candidate);
        const double variance = (TRACE_PRIOR_FREEDOM * prior + freedom * test->variances[k]) /
                                (TRACE_PRIOR_FREEDOM + freedom);
        const double error =
            fabs(test->quantities[k].mean) * sqrt(variance * (1.0 / base + 1.0 / candidate));

        if (error > 0.0)
            test->statistics[k] = difference / error;
        else
            test->statistics[k] = difference == 0.0 ? 0.0 : copysign(HUGE_VAL, difference);
    }
}

/* Whether a statistic is at least as great as the true one. */
static bool reaches(double statistic, double truth)
{
    if (isinf(truth) || isinf(statistic))
        return statistic >= truth;
    return statistic >= truth - TIE * (1.0 + fabs(truth));
}

/* Counts a labelling for each quantity, from the least true statistic to the greatest (`sign` 1),
 * or the other way round and with the signs changed (-1). */
static void count_labelling(const struct test *test, const struct trace_family_finding *findings,
                            double sign, uint32_t *counts)
{
    const uint32_t count = test->family->quantities;
    double greatest = -HUGE_VAL;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = test->falling[sign > 0.0 ? count - 1 - i : i];

        greatest = fmax(greatest, sign * test->statistics[k]);
        counts[k] += reaches(greatest, sign * findings[k].statistic) ? 1 : 0;
    }
}

/* No quantity is surer than one with a greater statistic. */
static void adjust(const struct test *test, const struct trace_relabelings *relabelings,
                   struct trace_family_finding *findings)
{
    const uint32_t count = test->family->quantities;
    double greater = 0.0;
    double less = 0.0;

    for (uint32_t i = 0; i < count; i++) {
        struct trace_family_finding *first = &findings[test->falling[i]];
        struct trace_family_finding *last = &findings[test->falling[count - 1 - i]];

        greater = fmax(greater, (double)test->counts[test->falling[i]] / relabelings->count);
        first->p_greater = greater;
        less = fmax(less, (double)test->counts[count + test->falling[count - 1 - i]] /
                              relabelings->count);
        last->p_less = less;
    }
}

/* The shift from which on a labelling's difference of means is at least as great as the true one:
 * with a part `moved` of the shift in its own difference, d - moved * shift >= truth - shift. */
static double shift_of(const struct test *test, const double *values, double mean, uint64_t set,
                       uint64_t truth, double true_difference)
{
    const double base = test->family->base_runs;
    const double candidate = test->family->candidate_runs;
    const double kept = __builtin_popcountll(set & truth);
    const double moved = kept / candidate - (candidate - kept) / base;
    double sum = 0.0;

    for (uint64_t rest = set; rest != 0; rest &= rest - 1)
        sum += values[__builtin_ctzll(rest)] - mean;
    return (true_difference - sum * (1.0 / base + 1.0 / candidate)) / (1.0 - moved);
}

static void find_interval(const struct test *test, const struct trace_relabelings *relabelings,
                          uint32_t k, struct trace_family_finding *finding)
{
    const uint32_t runs = test->family->base_runs + test->family->candidate_runs;
    const double *values = &test->family->values[(size_t)k * runs];
    const uint64_t truth = relabelings->sets[0];
    const double difference = finding->candidate_mean - finding->base_mean;
    const uint32_t outside =
        (uint32_t)floor((1.0 - TRACE_CONFIDENCE) / 2.0 * relabelings->count + TIE);
    uint32_t count = 0;

    finding->low = -HUGE_VAL;
    finding->high = HUGE_VAL;
    for (uint32_t i = 0; i < relabelings->count; i++)
        if (relabelings->sets[i] != truth) /* which is drawn again at times */
            test->shifts[count++] = shift_of(test, values, test->quantities[k].mean,
                                             relabelings->sets[i], truth, difference);
    const uint32_t as_great = relabelings->count - count; /* at any shift: the truth itself */
    if (outside < as_great || outside - as_great >= count)
        return;
    qsort(test->shifts, count, sizeof *test->shifts, compare_doubles);
    finding->low = test->shifts[outside - as_great];
    finding->high = test->shifts[count - 1 - (outside - as_great)];
}

static void order_by_truth(struct test *test, const struct trace_family_finding *findings)
{
    /* Insertion keeps equal ones in their order; families are small. */
    for (uint32_t k = 0; k < test->family->quantities; k++) {
        uint32_t at = k;
        for (; at > 0 && findings[test->falling[at - 1]].statistic < findings[k].statistic; at--)
            test->falling[at] = test->falling[at - 1];
        test->falling[at] = k;
    }
}

static void run_test(struct test *test, const struct trace_relabelings *relabelings,
                     struct trace_family_finding *findings)
{
    const uint32_t count = test->family->quantities;

    measure_quantities(test);
    find_statistics(test, relabelings->sets[0]);
    for (uint32_t k = 0; k < count; k++) {
        findings[k] = (struct trace_family_finding){
            .base_mean = test->quantities[k].mean - test->sums[k] / test->family->base_runs,
            .candidate_mean =
                test->quantities[k].mean + test->sums[k] / test->family->candidate_runs,
            .statistic = test->statistics[k],
        };
    }
    order_by_truth(test, findings);
    for (uint32_t i = 0; i < relabelings->count; i++) {
        find_statistics(test, relabelings->sets[i]);
        count_labelling(test, findings, 1.0, test->counts);
        count_labelling(test, findings, -1.0, test->counts + count);
    }
    adjust(test, relabelings, findings);
    for (uint32_t k = 0; k < count; k++)
        find_interval(test, relabelings, k, &findings[k]);
}

bool trace_permutation_test(const struct trace_family *family,
                            const struct trace_relabelings *relabelings,
                            struct trace_family_finding *findings)
{
    const size_t count = family->quantities;
    struct test test = {
        .family = family,
        .quantities = calloc(count + 1, sizeof *test.quantities),
        .sums = calloc(count + 1, sizeof *test.sums),
        .variances = calloc(count + 1, sizeof *test.variances),
        .sorted = calloc(count + 1, sizeof *test.sorted),
        .statistics = calloc(count + 1, sizeof *test.statistics),
        .falling = calloc(count + 1, sizeof *test.falling),
        .counts = calloc(2 * count + 1, sizeof *test.counts),
        .shifts = calloc(relabelings->count, sizeof *test.shifts),
    };
    const bool is_done = test.quantities != NULL && test.sums != NULL && test.variances != NULL &&
                         test.sorted != NULL && test.statistics != NULL && test.falling != NULL &&
                         test.counts != NULL && test.shifts != NULL;

    if (is_done)
        run_test(&test, relabelings, findings);
    free(test.quantities);
    free(test.sums);
    free(test.variances);
    free(test.sorted);
    free(test.statistics);
    free(test.falling);
    free(test.counts);
    free(test.shifts);
    return is_done;
}
