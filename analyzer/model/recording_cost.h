/* What recording itself costs in a capture, as the recorder measured it at its start. Private to
 * the analyzer. */
#ifndef TRACE_RECORDING_COST_H
#define TRACE_RECORDING_COST_H

#include "model.h"

struct trace_recording_cost {
    bool is_known;
    double scope_ns; /* of a scope, begin and end */
    double inner_ns; /* the part of it that lies inside the slice */
};

/* From the capture's facts. */
struct trace_recording_cost trace_recording_cost_of(const struct trace_model *model);

/* Below so many times the cost of a scope, the mean of a site tells little about it. */
#define TRACE_SHORT_FACTOR 20

#endif
