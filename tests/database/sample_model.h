/* A small capture's model, made by hand, with something in every table, and the slices that a pass
 * over it would show. */
#ifndef SAMPLE_MODEL_H
#define SAMPLE_MODEL_H

#include "visitor.h"

#include <sqlite3.h>

#define SAMPLE_SLICES   6u
#define SAMPLE_INSTANTS 2u
#define SAMPLE_SCHED    2

extern const struct trace_slice sample_slices[SAMPLE_SLICES];
extern const struct trace_instant sample_instants[SAMPLE_INSTANTS];
extern const struct trace_sched_sample sample_sched[SAMPLE_SCHED];

/* Owned by the caller. Its names are valid UTF-8. */
struct trace_model *sample_model_create(void);

/* A capture in which nothing happened. */
struct trace_model *sample_empty_model_create(void);

struct trace_text sample_text(const char *text);

/* Imports models as captures: with the sample's slices when a model has them. */
void sample_import(struct trace_model *const *models, size_t count, const char *path);

/* A path in a new folder, and its removal with the folder; the caller frees nothing. */
const char *sample_path(const char *name);
void sample_remove(void);

/* How many files are in that folder. */
unsigned sample_file_count(void);

/* The first column of a query's only row, as text: "NULL" for null. */
const char *sample_ask(const char *path, const char *sql);

#endif
