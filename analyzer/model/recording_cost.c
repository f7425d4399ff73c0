/* Reads the recorder's own cost from the facts. */
#include "recording_cost.h"

#include "model_facts.h"

/* 0 for anything that is not a number of picoseconds. */
static double nanoseconds_of(const struct trace_model *model, const char *key)
{
    uint64_t picoseconds;
    return trace_model_number_fact(model, key, &picoseconds) ? (double)picoseconds / 1000 : 0;
}

struct trace_recording_cost trace_recording_cost_of(const struct trace_model *model)
{
    struct trace_recording_cost cost = {.scope_ns = nanoseconds_of(model, "recorder.scope_cost_ps"),
                                        .inner_ns =
                                            nanoseconds_of(model, "recorder.scope_inner_cost_ps")};
    cost.is_known = cost.scope_ns > 0 && cost.inner_ns <= cost.scope_ns;
    return cost;
}
