/* A pass over a capture in a database. Private to the analyzer. */
#ifndef TRACE_DATABASE_PASS_H
#define TRACE_DATABASE_PASS_H

#include "database.h"
#include "pass_plan.h"
#include "visitor.h"

/* Shows the visitor (may be NULL) what trace_capture_run shows, in an order of its rows: all
 * slices, each when it begins, its end when the next one of the track begins behind it; then
 * instants; then values, of which counts of nothing are not in the database; then samples. Fills
 * the statistics of the plan into `model`, which is that of the capture from trace_database_model.
 * Errors: those of trace_database_model, and the visitor's. */
LUDUS_CHECKED enum ludus_status trace_database_run(struct trace_database *database,
                                                   uint32_t capture, struct trace_model *model,
                                                   const struct trace_pass_plan *plan,
                                                   const struct trace_visitor *visitor,
                                                   struct ludus_error *error);

/* A pass over the GPU samples alone. Errors: as above. */
LUDUS_CHECKED enum ludus_status trace_database_run_gpu(struct trace_database *database,
                                                       uint32_t capture, struct trace_model *model,
                                                       const struct trace_visitor *visitor,
                                                       struct ludus_error *error);

#endif
