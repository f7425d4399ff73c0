/* What a capture says of its sources and of GPUs, as tables: which queues there were, and what
 * became of all that there was to measure on them. Private to the analyzer. */
#ifndef TRACE_REPORT_GPU_H
#define TRACE_REPORT_GPU_H

#include "model.h"
#include "pass_plan.h"
#include "report.h"

/* What was asked for, and whether it came; no rows when nobody asked for GPU samples, and none are
 * there. */
#define TRACE_SOURCE_COLUMNS 3
extern const struct trace_column trace_source_columns[TRACE_SOURCE_COLUMNS];
void trace_put_sources(struct trace_report *report, size_t table, const struct trace_model *model);

/* The queues, a row each. */
#define TRACE_GPU_QUEUE_COLUMNS 9
extern const struct trace_column trace_gpu_queue_columns[TRACE_GPU_QUEUE_COLUMNS];
void trace_put_gpu_queues(struct trace_report *report, size_t table,
                          const struct trace_model *model);

/* Of each queue and subject, how many measurements there were to make, how many are valid, and how
 * many came out in each other way. `plan` says which tracks count; NULL: all. */
#define TRACE_GPU_COVERAGE_COLUMNS 5
extern const struct trace_column trace_gpu_coverage_columns[TRACE_GPU_COVERAGE_COLUMNS];
void trace_put_gpu_coverage(struct trace_report *report, size_t table,
                            const struct trace_model *model, const struct trace_pass_plan *plan);

/* The name of a number of the format; NULL: the number. */
void trace_put_gpu_name(struct trace_report *report, const char *name, uint32_t number);

/* How many sessions with devices there were before that of a track's queue; null when the queue is
 * not defined. */
void trace_put_gpu_generation(struct trace_report *report, const struct trace_model *model,
                              uint32_t track);

#endif
