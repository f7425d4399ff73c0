/* An opened input: a capture or a database, and the model of either. Private to the analyzer. */
#ifndef TRACE_INPUT_H
#define TRACE_INPUT_H

#include "capture.h"
#include "database.h"
#include "input_kind.h"
#include "pass_plan.h"
#include "trace.h"

enum trace_detail {
    TRACE_DETAIL_FACTS,     /* everything but statistics: no event is decoded */
    TRACE_DETAIL_STATISTICS /* everything */
};

/* The model, loaded as far as asked. Owned by the input. Errors: those of trace_capture_run and
 * trace_database_model. */
LUDUS_CHECKED enum ludus_status trace_input_model(struct trace_input *input,
                                                  enum trace_detail detail,
                                                  const struct trace_model **model,
                                                  struct ludus_error *error);

/* One pass over the input's events: see trace_capture_run and trace_database_run. The input's model
 * has the plan's statistics afterwards; NULL: of everything. Errors: theirs; UNAVAILABLE when a
 * database holds statistics alone. */
LUDUS_CHECKED enum ludus_status trace_input_run(struct trace_input *input,
                                                const struct trace_pass_plan *plan,
                                                const struct trace_visitor *visitor,
                                                struct ludus_error *error);

/* One pass over the GPU samples alone, for a visitor of them: no event is decoded, and the model's
 * statistics stay. Errors: those of trace_input_run. */
LUDUS_CHECKED enum ludus_status trace_input_run_gpu(struct trace_input *input,
                                                    const struct trace_visitor *visitor,
                                                    struct ludus_error *error);

/* The model with the statistics of a plan, and with the rows of values and of GPU work if it asks
 * for them; by one pass when it does not have them. A database has those of the window "capture",
 * and of the windows that it was imported with: they are taken from its tables when the plan's one
 * window is the same (trace_database_find_window). Owned by the input; valid until another plan's
 * are asked for. Errors: those of trace_input_run, as UNAVAILABLE (a database holds statistics
 * alone, and not these; the message says which). */
LUDUS_CHECKED enum ludus_status trace_input_statistics(struct trace_input *input,
                                                       const struct trace_pass_plan *plan,
                                                       const struct trace_model **model,
                                                       struct ludus_error *error);

/* UNAVAILABLE, with a message, for a database that holds statistics alone: for who reads its rows
 * of events by other ways than the functions above. */
LUDUS_CHECKED enum ludus_status trace_input_expect_events(struct trace_input *input,
                                                          struct ludus_error *error);

/* The same for who looks for marks, which such a database has not. */
LUDUS_CHECKED enum ludus_status trace_input_expect_marks(struct trace_input *input,
                                                         struct ludus_error *error);

/* The names of the windows of which a database holds statistics, as a text that is cut off where
 * it does not fit. For an input that is a database. Errors: those of trace_database_window_names.
 */
LUDUS_CHECKED enum ludus_status trace_input_list_windows(struct trace_input *input, char *list,
                                                         size_t size, struct ludus_error *error);

/* The capture or the database behind the input; the other one is NULL. */
struct trace_capture *trace_input_capture(struct trace_input *input);
struct trace_database *trace_input_database(struct trace_input *input);

/* As it was given. Owned by the input. */
const char *trace_input_path(const struct trace_input *input);

/* How many captures it holds: of a capture file 1. Errors: SQL. */
LUDUS_CHECKED enum ludus_status
trace_input_capture_count(struct trace_input *input, uint32_t *count, struct ludus_error *error);

/* Which capture of the database was asked for; 0: the only one. */
uint32_t trace_input_capture_number(const struct trace_input *input);

/* Takes what must be said of the model into the input's warnings. */
LUDUS_CHECKED enum ludus_status trace_input_collect_warnings(struct trace_input *input,
                                                             const struct trace_model *model,
                                                             struct ludus_error *error);

/* Adds a warning: what happened, and why. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status trace_input_warn(struct trace_input *input, const char *what,
                                                 const char *why, struct ludus_error *error);

#endif
