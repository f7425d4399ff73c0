/* How the time of a scope changed. */
#include "change.h"

#include <math.h>

/* The part of both changes from which on one of them is the kind of change. */
#define MOSTLY 0.75

double trace_whole_picoseconds(double time_ns)
{
    return nearbyint(time_ns * 1000.0) / 1000.0;
}

double trace_rate_cost(struct trace_rate rate)
{
    return rate.calls > 0.0 ? rate.time_ns / rate.calls : 0.0;
}

static double workload_of(struct trace_rate base, struct trace_rate candidate)
{
    if (base.calls == 0.0 || candidate.calls == 0.0)
        return candidate.time_ns - base.time_ns;
    return (candidate.calls - base.calls) * (trace_rate_cost(base) + trace_rate_cost(candidate)) /
           2.0;
}

static enum trace_change_kind kind_of(double workload_ns, double cost_ns)
{
    double both = fabs(workload_ns) + fabs(cost_ns);

    if (both == 0.0)
        return TRACE_CHANGE_NONE;
    if (fabs(workload_ns) >= MOSTLY * both)
        return TRACE_CHANGE_WORKLOAD;
    return fabs(cost_ns) >= MOSTLY * both ? TRACE_CHANGE_COST : TRACE_CHANGE_BOTH;
}

struct trace_change trace_change_between(struct trace_rate base, struct trace_rate candidate)
{
    struct trace_change change = {
        .base_ns = trace_whole_picoseconds(base.time_ns),
        .candidate_ns = trace_whole_picoseconds(candidate.time_ns),
        .base_calls = base.calls,
        .candidate_calls = candidate.calls,
        .workload_ns = trace_whole_picoseconds(workload_of(base, candidate)),
    };

    change.total_ns = trace_whole_picoseconds(change.candidate_ns - change.base_ns);
    change.cost_ns = trace_whole_picoseconds(change.total_ns - change.workload_ns);
    change.kind = kind_of(change.workload_ns, change.cost_ns);
    return change;
}
