/* How well the calibrations of a clock fit each other. Private to the analyzer. */
#ifndef TRACE_CLOCK_RESIDUALS_H
#define TRACE_CLOCK_RESIDUALS_H

#include "model.h"

/* Sets max_residual_ns and max_residual_ppb of every clock that has three calibrations or more. The
 * residual of one is how far it is from the line through the two before it. False when there is no
 * memory. */
bool trace_clock_residuals_find(struct trace_model *model);

/* How far times of the clock can be trusted, in a word: "exact" (it is the time), "calibrated",
 * "nominal" (one calibration, or none: at the rate that was measured at start) or "uneven" (it did
 * not keep its rate). */
const char *trace_clock_quality(const struct trace_clock *clock);

#endif
