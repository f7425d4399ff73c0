/* Fills the tables of what was measured of GPUs: gpu_frame, gpu_pass and gpu_calibration. Private
 * to the analyzer's database code; functions return SQLite's status codes. */
#ifndef TRACE_DATABASE_GPU_H
#define TRACE_DATABASE_GPU_H

#include "database_insert.h"
#include "database_tables.h"
#include "visitor.h"

/* All zero before it is opened. */
struct trace_gpu_tables {
    sqlite3 *connection;
    struct trace_insert frame;
    struct trace_insert pass;
    struct trace_insert calibration;
    int64_t frames, passes, calibrations; /* rows of the present capture */
};

/* Prepares what the samples of all captures need. */
int trace_gpu_tables_open(struct trace_gpu_tables *tables, sqlite3 *connection);
void trace_gpu_tables_close(struct trace_gpu_tables *tables);

/* One sample of the present capture. */
int trace_gpu_tables_add_frame(struct trace_gpu_tables *tables, const struct trace_id_bases *bases,
                               const struct trace_model *model,
                               const struct trace_gpu_frame *frame);
int trace_gpu_tables_add_pass(struct trace_gpu_tables *tables, const struct trace_id_bases *bases,
                              const struct trace_model *model, const struct trace_gpu_pass *pass);
int trace_gpu_tables_add_calibration(struct trace_gpu_tables *tables,
                                     const struct trace_id_bases *bases,
                                     const struct trace_model *model,
                                     const struct trace_gpu_calibration *calibration);

/* When all of them were added: finds the frames of passes. */
int trace_gpu_tables_finish(struct trace_gpu_tables *tables, const struct trace_id_bases *bases);

/* Begins the next capture: moves its samples' bases. */
void trace_gpu_tables_advance(struct trace_gpu_tables *tables, struct trace_id_bases *bases);

#endif
