/* Reading a model back from a database, in parts: each fills the model with the rows of some
 * tables. What goes wrong stays in select.status, and nothing more is read then. */
#ifndef TRACE_MODEL_LOADER_H
#define TRACE_MODEL_LOADER_H

#include "database_select.h"
#include "pass_plan.h"

/* What rows refer to by id. */
struct trace_model_loader {
    struct trace_select select; /* first, so that a row's function finds the rest */
    int64_t category_base;
    int64_t site_base;
    int64_t track_base;
    int64_t path_base;
    int64_t domain_base;
    int64_t window_base;
    uint32_t window;        /* whose statistics are read: which of the capture's, from 0 on */
    enum trace_apart apart; /* which tracks keep the rows of their own: LOSSES or MARKER */
    uint32_t joined;        /* index of the track whose rows add up with the common ones, or none */
    uint32_t *path_groups;  /* by track, 0 of none: place in the model's path_sums, from 1 on */
};

static inline struct trace_model_loader *trace_model_loader_of(struct trace_select *select)
{
    return (struct trace_model_loader *)(void *)select;
}

/* Reads a table's rows into an array of the model. */
#define TRACE_LOAD_ROWS(table, columns, order, function, array, count)                             \
    ((array) =                                                                                     \
         trace_select_rows(select, table, columns, order, function, sizeof *(array), 0, &(count)))

/* The session, clocks, categories, sites and tracks; and where the ids of these begin. First. */
void trace_model_load_definitions(struct trace_model_loader *loader);

/* The statistics of a window. Behind frames, paths and losses. */
void trace_model_load_statistics(struct trace_model_loader *loader);

/* The rows of values and of GPU work of the window that select.condition names. */
void trace_model_load_value_rows(struct trace_model_loader *loader);

/* What was lost, seen, damaged, and why the capture was made. */
void trace_model_load_losses(struct trace_model_loader *loader);

/* Queues of GPUs, and how their measurements came out. */
void trace_model_load_gpu(struct trace_model_loader *loader);

#endif
