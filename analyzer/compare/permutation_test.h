/* Whether two sides of runs differ by more than their runs do among themselves: a permutation test
 * over the labels of runs, for a family of quantities at once. Private to the analyzer.
 *
 * The statistic of a quantity is the difference of the sides' means over its standard error,
 * t = (mean of candidate - mean of base) / (scale * sqrt(v * (1 / n0 + 1 / n1))), where v is the
 * variance within the sides relative to the quantity's own scale (its mean over all runs),
 * moderated towards the family's median v0 with TRACE_PRIOR_FREEDOM degrees of freedom, as if so
 * many more runs had been seen: v = (d0 v0 + d s^2 / scale^2) / (d0 + d), d = n0 + n1 - 2 (Smyth
 * 2004, with the median in place of the fitted prior). Without it, of many quantities with few runs
 * one that by chance hardly varied would decide.
 *
 * Adjusted p-values are Westfall and Young's step-down maxT (1993, algorithm 2.8): the part of all
 * labellings in which the greatest statistic among those that are not greater than this one is at
 * least as great. They hold the rate of any false alarm in the family, whatever depends on what.
 *
 * An interval is of those shifts of the candidate's runs that the plain test of the difference of
 * means does not reject: for each labelling there is a shift from which on it counts as at least as
 * great, and the bounds are order statistics of these. */
#ifndef TRACE_PERMUTATION_TEST_H
#define TRACE_PERMUTATION_TEST_H

#include "relabelings.h"

#define TRACE_PRIOR_FREEDOM 4.0

/* A family of quantities, each with a value for each run: first those of the base. */
struct trace_family {
    const double *values; /* by quantity, run; finite */
    uint32_t quantities;
    uint32_t base_runs; /* at least 2 */
    uint32_t candidate_runs;
};

/* What was found of a quantity. */
struct trace_family_finding {
    double base_mean, candidate_mean;
    double statistic; /* 0 when it never varies; positive: the candidate's are greater */
    double p_greater; /* adjusted: that the candidate's are not greater */
    double p_less;    /* adjusted: that they are not less */
    double low, high; /* of candidate_mean - base_mean, with TRACE_CONFIDENCE for each alone;
                         infinite when there are too few runs to say */
};

#define TRACE_CONFIDENCE 0.95

/* Fills a finding for each quantity. False when there is no memory. */
bool trace_permutation_test(const struct trace_family *family,
                            const struct trace_relabelings *relabelings,
                            struct trace_family_finding *findings);

#endif
