/* The facts of a session. Private to the analyzer. */
#ifndef TRACE_MODEL_FACTS_H
#define TRACE_MODEL_FACTS_H

#include "model.h"

/* Of a capture that was cut out of another: which window, and the other's number. */
#define TRACE_FACT_TRIM_WINDOW  "trim.window"
#define TRACE_FACT_TRIM_CAPTURE "trim.capture_id"

/* The fact's value; NULL when there is none. */
const struct trace_text *trace_model_fact(const struct trace_model *model, const char *key);

/* The same when it is a number: 1 to 12 decimal digits and nothing else. */
bool trace_model_number_fact(const struct trace_model *model, const char *key, uint64_t *number);

#endif
