/* Random but reproducible plans of passes: windows, tracks, attribution. */
#ifndef RANDOM_PLAN_H
#define RANDOM_PLAN_H

#include "capture_builder.h"
#include "model_reference.h"
#include "pass_plan.h"
#include "random_stream.h"

#define RANDOM_WINDOWS 5u

/* A plan, and the same for the reference. */
struct random_plan {
    struct trace_pass_plan plan;
    struct reference_window windows[RANDOM_WINDOWS];
    bool left_out[BUILDER_MAX_TRACKS + 1]; /* by id */
};

/* The caller clears the plan. */
void random_plan_choose(struct random *random, const struct trace_model *model,
                        struct random_plan *chosen);

/* What the reference is to look at for a plan. */
struct reference_view random_plan_view(const struct reference_view *whole,
                                       const struct trace_model *model,
                                       const struct random_plan *chosen);

#endif
