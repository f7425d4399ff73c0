/* The rows of paths that a model's sums are: made one by one, since there may be millions of them.
 * Private to the analyzer. */
#ifndef TRACE_PATH_ROWS_H
#define TRACE_PATH_ROWS_H

#include "path_sums.h"

/* Which groups of tracks have a path. Where there is only one, it has every path. */
struct trace_path_index {
    uint32_t *groups; /* indexes, rising, those of a path together; NULL: there is only one */
    uint32_t *begins; /* by path, in `groups` */
    uint32_t *ends;
    uint32_t all; /* groups that there are */
};

/* False when there is no memory; destroy it all the same. */
bool trace_path_index_create(struct trace_path_index *index, const struct trace_model *model);
void trace_path_index_destroy(struct trace_path_index *index);

static inline uint32_t trace_path_index_begin(const struct trace_path_index *index, uint32_t path)
{
    return index->groups == NULL ? 0 : index->begins[path];
}

static inline uint32_t trace_path_index_end(const struct trace_path_index *index, uint32_t path)
{
    return index->groups == NULL ? index->all : index->ends[path];
}

static inline uint32_t trace_path_index_group(const struct trace_path_index *index, uint32_t place)
{
    return index->groups == NULL ? place : index->groups[place];
}

/* Goes through all rows by path, track (the common row first) and window. */
struct trace_path_rows {
    const struct trace_model *model;
    struct trace_path_index index;
    uint32_t path, place, window; /* of the next one */
    struct trace_stats row;       /* the one it has come to */
};

/* False when there is no memory; close it all the same. */
bool trace_path_rows_open(struct trace_path_rows *rows, const struct trace_model *model);
bool trace_path_rows_next(struct trace_path_rows *rows);
void trace_path_rows_close(struct trace_path_rows *rows);

/* All of them at once, to be freed. False when there is no memory. */
bool trace_path_rows_list(const struct trace_model *model, struct trace_stats **rows,
                          uint32_t *count);

#endif
