/* How the time of a scope changed, told apart into more work and slower work. Private to the
 * analyzer. */
#ifndef TRACE_CHANGE_H
#define TRACE_CHANGE_H

#include <stdbool.h>

/* Of one side, for each frame: means of its runs. */
struct trace_rate {
    double calls;
    double time_ns;
};

enum trace_change_kind {
    TRACE_CHANGE_NONE,
    TRACE_CHANGE_WORKLOAD, /* more or fewer calls */
    TRACE_CHANGE_COST,     /* each call takes longer or shorter */
    TRACE_CHANGE_BOTH
};

/* All but the calls are whole picoseconds, written as nanoseconds, so that what is printed with
 * three decimals adds up: base + total = candidate, workload + cost = total. */
struct trace_change {
    double base_ns, candidate_ns; /* of the rates */
    double base_calls, candidate_calls;
    double total_ns;
    double workload_ns; /* change of calls, times the mean of both costs of a call */
    double cost_ns;     /* change of the cost of a call, times the mean of both calls */
    enum trace_change_kind kind;
};

/* With c calls of the cost u = time / calls: c1 u1 - c0 u0 = (c1 - c0) (u0 + u1) / 2 +
 * (u1 - u0) (c0 + c1) / 2. Calls that a side does not have at all have no cost: then all of the
 * change is workload. */
struct trace_change trace_change_between(struct trace_rate base, struct trace_rate candidate);

/* A time in ns to the nearest picosecond: what is printed with three decimals, so that sums and
 * differences of such times are those of what is printed. */
double trace_whole_picoseconds(double time_ns);

/* The time of a call on a side; 0 where there is none. */
double trace_rate_cost(struct trace_rate rate);

#endif
