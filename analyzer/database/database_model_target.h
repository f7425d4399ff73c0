/* Where the rows of one model go, and the tables that are filled in files of their own. Each
 * function returns a status of SQLite's. */
#ifndef TRACE_DATABASE_MODEL_TARGET_H
#define TRACE_DATABASE_MODEL_TARGET_H

#include "database_tables.h"

struct trace_insert;

struct trace_model_target {
    sqlite3 *connection;
    const struct trace_id_bases *bases;
    const struct trace_model *model;
    const char *file;
    const struct trace_value_totals *values;
    int64_t capture;
    uint64_t replaced; /* texts, so far */
};

void trace_insert_sched(struct trace_insert *insert, const struct trace_sched_sums *sched);

int trace_insert_categories(struct trace_model_target *target);
int trace_insert_sites(struct trace_model_target *target);
int trace_insert_tracks(struct trace_model_target *target);
int trace_insert_domains(struct trace_model_target *target);
int trace_insert_frames(struct trace_model_target *target);
int trace_insert_paths(struct trace_model_target *target);
int trace_insert_losses(struct trace_model_target *target);
int trace_insert_diagnostics(struct trace_model_target *target);
int trace_insert_damages(struct trace_model_target *target);
int trace_insert_triggers(struct trace_model_target *target);
int trace_insert_gpu_queues(struct trace_model_target *target);
int trace_insert_gpu_counts(struct trace_model_target *target);

#endif
