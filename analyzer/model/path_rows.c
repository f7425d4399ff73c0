/* Makes rows of the sums of paths. */
#include "path_rows.h"

#include <stdlib.h>

/* --- which groups have a path ---------------------------------------------------------------- */

/* Calls of `take` for each path in each cell of each group; the same path and group may come
 * several times, one after the other for a group. */
static void for_all(const struct trace_model *model, struct trace_path_index *index,
                    void (*take)(struct trace_path_index *index, uint32_t path, uint32_t group))
{
    for (uint32_t group = 0; group < model->path_sums_count; group++) {
        for (uint32_t cell = 0; cell < model->window_count; cell++) {
            struct trace_path_walk walk = {.sums = &model->path_sums[group], .cell = cell};
            while (trace_path_walk_next(&walk))
                take(index, walk.path, group);
        }
    }
}

static void count_group(struct trace_path_index *index, uint32_t path, uint32_t group)
{
    (void)group;
    index->ends[path]++;
}

static void add_group(struct trace_path_index *index, uint32_t path, uint32_t group)
{
    uint32_t end = index->ends[path];
    if (end == index->begins[path] || index->groups[end - 1] != group)
        index->groups[index->ends[path]++] = group;
}

bool trace_path_index_create(struct trace_path_index *index, const struct trace_model *model)
{
    *index = (struct trace_path_index){.all = model->path_sums_count};
    if (index->all < 2)
        return true;
    index->begins = calloc((size_t)model->path_count + 1, sizeof *index->begins);
    index->ends = calloc((size_t)model->path_count + 1, sizeof *index->ends);
    if (index->begins == NULL || index->ends == NULL)
        return false;
    for_all(model, index, count_group);
    uint32_t next = 0;
    for (uint32_t path = 0; path < model->path_count; path++) {
        uint32_t count = index->ends[path];
        index->begins[path] = index->ends[path] = next;
        if (count > UINT32_MAX - 1 - next)
            return false;
        next += count;
    }
    index->groups = malloc(((size_t)next + 1) * sizeof *index->groups);
    if (index->groups == NULL)
        return false;
    for_all(model, index, add_group);
    return true;
}

void trace_path_index_destroy(struct trace_path_index *index)
{
    free(index->groups);
    free(index->begins);
    free(index->ends);
    *index = (struct trace_path_index){0};
}

/* --- rows ------------------------------------------------------------------------------------ */

bool trace_path_rows_open(struct trace_path_rows *rows, const struct trace_model *model)
{
    *rows = (struct trace_path_rows){.model = model, .path = 1};
    bool is_done = trace_path_index_create(&rows->index, model);
    rows->place = trace_path_index_begin(&rows->index, 1);
    return is_done;
}

void trace_path_rows_close(struct trace_path_rows *rows)
{
    trace_path_index_destroy(&rows->index);
}

/* Goes to the next window, group or path. */
static void move_on(struct trace_path_rows *rows)
{
    if (++rows->window < rows->model->window_count)
        return;
    rows->window = 0;
    if (++rows->place < trace_path_index_end(&rows->index, rows->path))
        return;
    rows->path++;
    rows->place =
        rows->path < rows->model->path_count ? trace_path_index_begin(&rows->index, rows->path) : 0;
}

bool trace_path_rows_next(struct trace_path_rows *rows)
{
    const struct trace_model *model = rows->model;
    while (rows->path < model->path_count) {
        if (rows->place >= trace_path_index_end(&rows->index, rows->path)) {
            rows->window = model->window_count - 1; /* nothing of this path */
            move_on(rows);
            continue;
        }
        const struct trace_path_sums *group =
            &model->path_sums[trace_path_index_group(&rows->index, rows->place)];
        rows->row = (struct trace_stats){
            .subject = rows->path,
            .track = group->track,
            .window = rows->window,
            .frames = group->frames[rows->window],
            .sums = trace_path_sums_of(group, model, rows->path, rows->window)};
        const struct trace_sums *sums = &rows->row.sums;
        move_on(rows);
        if (sums->calls != 0 || sums->inclusive_ns != 0 || sums->exclusive_ns != 0)
            return true;
    }
    return false;
}

bool trace_path_rows_list(const struct trace_model *model, struct trace_stats **list,
                          uint32_t *count)
{
    struct trace_path_rows rows;
    bool is_done = trace_path_rows_open(&rows, model);
    *list = NULL;
    *count = 0;
    while (is_done && trace_path_rows_next(&rows)) {
        is_done = trace_array_grow(list, *count, sizeof **list);
        if (is_done)
            (*list)[(*count)++] = rows.row;
    }
    trace_path_rows_close(&rows);
    if (!is_done) {
        free(*list);
        *list = NULL;
    }
    return is_done;
}
