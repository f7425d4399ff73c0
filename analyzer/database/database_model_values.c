/* Reads what counters, gauges and GPU work add up to in a window back from a database. */
#include <math.h>
#include <stdlib.h>

#include "database_model_loader.h"

/* NULL where it is not known: `absent` stands for it. */
static double column_number(struct trace_select *select, int column, double absent)
{
    return sqlite3_column_type(select->row, column) == SQLITE_NULL
               ? absent
               : sqlite3_column_double(select->row, column);
}

static void read_value_stats(struct trace_select *select, void *element)
{
    struct trace_value_stats *row = element;
    const char *kind = trace_column_string(select, 1);

    row->site = trace_column_index(select, 0, trace_model_loader_of(select)->site_base,
                                   select->model->site_count);
    row->is_gauge = kind != NULL && strcmp(kind, "gauge") == 0;
    row->count = trace_column_count(select, 2);
    row->not_finite = trace_column_count(select, 3);
    if (row->site == TRACE_NONE || row->not_finite > row->count)
        select->status = SQLITE_CORRUPT;
    if (!row->is_gauge) {
        row->total = trace_column_integer(select, 4);
        row->outside = trace_column_integer(select, 5);
    } else if (row->count != row->not_finite) {
        row->sum = column_number(select, 6, (double)NAN);
        row->least = column_number(select, 7, 0);
        row->most = column_number(select, 8, 0);
        row->last = column_number(select, 9, 0);
    }
}

static void read_gpu_stats(struct trace_select *select, void *element)
{
    struct trace_model_loader *loader = trace_model_loader_of(select);
    struct trace_gpu_stats *row = element;

    row->track = trace_column_index(select, 0, loader->track_base, select->model->track_count);
    row->site = trace_column_index(select, 1, loader->site_base, select->model->site_count);
    if (row->site != TRACE_NONE)
        row->operation = trace_column_number(select, 2, TRACE_NAME_GPU_OPERATION);
    row->frames = trace_column_count(select, 3);
    row->valid = trace_column_count(select, 4);
    row->not_valid = trace_column_count(select, 5);
    row->outside = trace_column_count(select, 6);
    row->logical = trace_column_count(select, 7);
    row->sum_ns = trace_column_integer(select, 8);
    row->min_ns = trace_column_integer(select, 9);
    row->max_ns = trace_column_integer(select, 10);
    if (row->track == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
}

void trace_model_load_value_rows(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;

    TRACE_LOAD_ROWS("counter_stats JOIN counter USING (capture_id, counter_id)",
                    "site_id, kind, samples, not_finite, total, outside, sum, min, max, last",
                    "site_id, kind", read_value_stats, model->value_stats,
                    model->value_stats_count);
    TRACE_LOAD_ROWS("gpu_stats",
                    "track_id, site_id, operation, frames, valid, not_valid, outside, "
                    "logical_passes, sum_ns, min_ns, max_ns",
                    "gpu_stats.rowid", read_gpu_stats, model->gpu_stats, model->gpu_stats_count);
}
