/* How well the calibrations of a clock fit each other. */
#include "clock_residuals.h"

#include <stddef.h>
#include <stdlib.h>

#include "lcap_layout.h"

#define MAX_EVEN_PPB 50000 /* what a clock is trusted for: the recorder tells of more, too */

static int64_t round_up(double value)
{
    return value < 9e18 ? (int64_t)value + ((double)(int64_t)value < value) : INT64_MAX;
}

/* `third` against the line through the two before. */
static void find_residual(struct trace_clock *clock, const struct trace_calibration *first,
                          const struct trace_calibration *second,
                          const struct trace_calibration *third)
{
    const double base_ticks = (double)(second->tick - first->tick);
    const double ticks = (double)(third->tick - second->tick);
    const double elapsed_ns = (double)third->time_ns - (double)second->time_ns;
    const double expected_ns =
        ticks * ((double)second->time_ns - (double)first->time_ns) / base_ticks;
    const double base_uncertain_ns = (double)first->uncertainty_ns + second->uncertainty_ns;
    const double uncertain_ns = (double)second->uncertainty_ns + third->uncertainty_ns +
                                base_uncertain_ns * ticks / base_ticks;
    const double off_ns =
        elapsed_ns > expected_ns ? elapsed_ns - expected_ns : expected_ns - elapsed_ns;
    const double beyond_ns = off_ns > uncertain_ns ? off_ns - uncertain_ns : 0;
    const int64_t residual_ns = round_up(off_ns);
    const int64_t residual_ppb = round_up(beyond_ns / elapsed_ns * 1e9);
    if (residual_ns > clock->max_residual_ns)
        clock->max_residual_ns = residual_ns;
    if (residual_ppb > clock->max_residual_ppb)
        clock->max_residual_ppb = residual_ppb;
}

/* The last two calibrations of a clock. */
struct baseline {
    const struct trace_calibration *first;
    const struct trace_calibration *second;
};

static void follow(struct trace_clock *clock, struct baseline *last,
                   const struct trace_calibration *next)
{
    const struct trace_calibration *before = last->second;
    /* Others have no effect: FORMAT.md, section 2.3. */
    if (before != NULL && (next->tick <= before->tick || next->time_ns <= before->time_ns))
        return;
    if (last->first != NULL)
        find_residual(clock, last->first, before, next);
    *last = (struct baseline){before, next};
}

bool trace_clock_residuals_find(struct trace_model *model)
{
    struct baseline *last = calloc((size_t)model->clock_count + 1, sizeof *last);
    if (last == NULL)
        return false;
    for (uint32_t i = 0; i < model->calibration_count; i++) {
        const struct trace_calibration *next = &model->calibrations[i];
        follow(&model->clocks[next->clock], &last[next->clock], next);
    }
    free(last);
    return true;
}

const char *trace_clock_quality(const struct trace_clock *clock)
{
    if (clock->source == LCAP_CLOCK_MONOTONIC)
        return "exact";
    if (clock->calibrations < 2)
        return "nominal";
    return clock->max_residual_ppb > MAX_EVEN_PPB ? "uneven" : "calibrated";
}
