/* What must be exceeded before a change between two sides of runs counts, and what must not be
 * exceeded at all. docs/diff.md gives the reason for each number. Private to the analyzer. */
#ifndef TRACE_CHANGE_LIMITS_H
#define TRACE_CHANGE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

/* Of one scope, GPU pass or counter. A change counts when it exceeds the relative and the absolute
 * limit and both sides together have min_calls (of a pass: samples); counters have budgets alone. A
 * budget is held against the candidate alone: what is greater exceeds it. NaN: there is none. */
struct trace_limits {
    double relative;            /* of the base's value: 0.03 is 3 % */
    double absolute_ns;         /* per frame; NaN: absolute_of_frame holds */
    double absolute_of_frame;   /* part of all runs' mean frame time: 0.001 is 0.1 % */
    uint64_t min_calls;         /* of both sides, in all their runs together */
    bool is_ignored;            /* shown, never judged */
    double budget_ns;           /* exclusive time per frame, over all tracks */
    double budget_inclusive_ns; /* inclusive time per frame, over all tracks; of a pass, its time */
    double budget_calls;        /* per frame, over all tracks */
    double budget_value;        /* of a counter: what is counted per frame, in its own unit */
};

/* Of the frames of the domain that is compared. */
struct trace_frame_limits {
    double relative;              /* of the base's p50: 0.02 is 2 % */
    double more_hitches_per_1000; /* frames: so many more than the base has */
    uint64_t more_hitches;        /* in all runs of the candidate, than the base's rate gives */
    double hitch_ns; /* a longer frame is a hitch; NaN: TRACE_HITCH_OF_MEDIAN decides */
    double budget_p50_ns, budget_p95_ns, budget_p99_ns, budget_max_ns; /* NaN: none */
    double budget_hitches_per_1000;                                    /* frames; NaN: none */
};

/* A change of less than 3 % of a scope is within what another layout of the code in memory makes of
 * the same source, however sure it is. */
#define TRACE_RELATIVE 0.03

/* A thousandth of a frame: 17 us at 60 frames a second. Nobody sees less, and a hundred scopes that
 * each gain so little show in the frame, which has a limit of its own. */
#define TRACE_ABSOLUTE_OF_FRAME 0.001

/* A mean of fewer calls is an anecdote: one interrupt decides it. */
#define TRACE_MIN_CALLS 20u

/* One false alarm in 50 comparisons of the same code, and the least that 4 runs a side can tell: of
 * their 70 labellings one is 1.4 %. */
#define TRACE_LEVEL 0.02

/* What was lost is of the busiest moments, not of any: beyond a thousandth, means are not of what
 * ran. */
#define TRACE_MAX_LOSS 0.001

/* A run of fewer frames says little of the frame's median, and its warm-up is a good part of it. */
#define TRACE_MIN_FRAMES 100u

/* The median frame of many is steadier than a scope, so less of a change is real. */
#define TRACE_FRAME_RELATIVE 0.02

/* Hitches come in bursts: one more in 1,000 frames is, at 60 frames a second, one in 17 seconds,
 * and three more in all are not one burst of the machine. */
#define TRACE_MORE_HITCHES_PER_1000 1.0
#define TRACE_MORE_HITCHES          3u

/* A frame of twice the median misses at least one more refresh of the screen, at any rate. The
 * median is that of all runs' medians. */
#define TRACE_HITCH_OF_MEDIAN 2.0

#endif
