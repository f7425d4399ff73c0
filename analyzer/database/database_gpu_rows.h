/* Shows the GPU samples of a capture in a database as a pass over the capture itself does. Private
 * to the analyzer's database code. */
#ifndef TRACE_DATABASE_GPU_ROWS_H
#define TRACE_DATABASE_GPU_ROWS_H

#include "database_select.h"
#include "visitor.h"

/* `model` is that of the capture, the bases are those of its tracks and sites; select->model is not
 * looked at. What SQLite refuses, and rows that cannot
 * be right, are left in `select`. Errors: what the visitor returns. */
LUDUS_CHECKED enum ludus_status trace_database_show_gpu(struct trace_select *select,
                                                        const struct trace_model *model,
                                                        const struct trace_visitor *visitor,
                                                        int64_t track_base, int64_t site_base);

#endif
