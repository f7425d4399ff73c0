/* What must be said of a clock that was not the one that was wanted. Private to the analyzer. */
#ifndef TRACE_CLOCK_WARNING_H
#define TRACE_CLOCK_WARNING_H

#include "model.h"

#define TRACE_CLOCK_WARNING_SIZE 640u

/* Whether the recorder looked at the processor's counter and refused it. */
bool trace_clock_fell_back(const struct trace_model *model);

/* Why it did, what that means for the numbers, and what to do. */
const char *trace_clock_warning(const struct trace_model *model,
                                char text[TRACE_CLOCK_WARNING_SIZE]);

#endif
