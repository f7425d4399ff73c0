/* Reads the statistics of a window back from a database. */
#include "database_model_loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path_sums.h"
#include "track_losses.h"

static void read_window(struct trace_select *select, void *element)
{
    struct trace_model_loader *loader = trace_model_loader_of(select);
    struct trace_stat_window *window = element;
    const char *part;

    window->name = trace_column_text(select, 0);
    part = trace_column_string(select, 1);
    window->is_frames = part != NULL && strcmp(part, "frames") == 0;
    window->domain =
        trace_column_index(select, 2, loader->domain_base, select->model->domain_count);
    window->begin_ns = trace_column_time(select, 3);
    window->end_ns = trace_column_time(select, 4);
    window->frames = trace_column_integer(select, 5);
}

static void read_track_stats(struct trace_select *select, void *element)
{
    struct trace_track_stats *stats = element;

    stats->slices = trace_column_count(select, 0);
    stats->incomplete = trace_column_count(select, 1);
    stats->frames = trace_column_integer(select, 2);
    stats->frames_lost = trace_column_integer(select, 3);
    stats->frame_ns = trace_column_integer(select, 4);
    stats->covered_ns = trace_column_integer(select, 5);
}

static void read_stats(struct trace_select *select, struct trace_stats *stats)
{
    struct trace_model_loader *loader = trace_model_loader_of(select);

    stats->window = trace_column_index(select, 1, loader->window_base, select->model->window_count);
    stats->track = trace_column_index(select, 2, loader->track_base, select->model->track_count);
    if (stats->track == loader->joined)
        stats->track = TRACE_NONE;
    stats->frames = trace_column_integer(select, 3);
    stats->sums.calls = trace_column_count(select, 4);
    stats->sums.outermost_calls = trace_column_count(select, 5);
    stats->sums.recursive_calls = trace_column_count(select, 6);
    stats->sums.exclusive_calls = trace_column_count(select, 7);
    stats->sums.incomplete = trace_column_count(select, 8);
    stats->sums.children_lost = trace_column_count(select, 9);
    stats->sums.inclusive_ns = trace_column_integer(select, 10);
    stats->sums.exclusive_ns = trace_column_integer(select, 11);
    if (stats->window == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
}

static void read_site_stats(struct trace_select *select, void *element)
{
    struct trace_stats *stats = element;

    read_stats(select, stats);
    stats->subject = trace_column_index(select, 0, trace_model_loader_of(select)->site_base,
                                        select->model->site_count);
    if (stats->subject == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
    stats->nested_calls = trace_column_count(select, 12);
}

/* The sums of a track, or of TRACE_NONE. NULL when there is no memory. */
static struct trace_path_sums *path_sums_of(struct trace_model_loader *loader, uint32_t track)
{
    struct trace_model *model = loader->select.model;
    uint32_t *place = &loader->path_groups[track == TRACE_NONE ? 0 : (size_t)track + 1];

    if (*place == 0) {
        if (trace_model_add_path_sums(model, track) == NULL)
            return NULL;
        *place = model->path_sums_count;
    }
    return &model->path_sums[*place - 1];
}

static void read_path_stats(struct trace_select *select, void *element)
{
    struct trace_model_loader *loader = trace_model_loader_of(select);
    struct trace_stats row = {0};

    (void)element;
    read_stats(select, &row);
    row.subject = trace_column_index(select, 0, loader->path_base, select->model->path_count - 1);
    if (row.subject == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
    if (select->status != SQLITE_OK)
        return;
    row.subject++;
    struct trace_path_sums *sums = path_sums_of(loader, row.track);
    if (sums == NULL || !trace_path_sums_add_row(sums, &row))
        select->status = SQLITE_NOMEM;
}

static void load_path_stats(struct trace_model_loader *loader, const char *columns)
{
    struct trace_select *select = &loader->select;
    uint32_t count;

    loader->path_groups = calloc((size_t)select->model->track_count + 1, sizeof(uint32_t));
    if (loader->path_groups == NULL)
        select->status = SQLITE_NOMEM;
    free(trace_select_rows(select, "path_stats", columns, "rowid", read_path_stats, 1, 0, &count));
    free(loader->path_groups);
    trace_model_sort_path_sums(select->model);
}

#define STATS_COLUMNS                                                                              \
    ", window_id, track_id, frames, calls, outermost_calls, recursive_calls, exclusive_calls, "    \
    "incomplete, children_lost, inclusive_ns, exclusive_ns"

/* A row for each window and track, or it is not ours. */
static void load_track_stats(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    uint32_t count;

    TRACE_LOAD_ROWS("track_stats", "slices, incomplete, frames, frames_lost, frame_ns, covered_ns",
                    "window_id, track_id", read_track_stats, model->track_stats, count);
    if ((uint64_t)count != (uint64_t)(model->window_count / 2) * model->track_count)
        select->status = SQLITE_CORRUPT;
}

static bool has_both_parts(const struct trace_model *model)
{
    return model->window_count == 2 && model->windows[TRACE_WINDOW_FRAMES].is_frames &&
           !model->windows[TRACE_WINDOW_OUTSIDE].is_frames;
}

/* Of the two rows of a window. */
static void load_window(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;

    TRACE_LOAD_ROWS("stat_window", "name, part, domain_id, begin_ns, end_ns, frames", "window_id",
                    read_window, model->windows, model->window_count);
    if (select->status == SQLITE_OK && !has_both_parts(model))
        select->status = SQLITE_CORRUPT;
    loader->joined = TRACE_NONE;
    if (select->status == SQLITE_OK && loader->apart == TRACE_APART_LOSSES &&
        !trace_find_lossless_marker(model, model->windows[0].domain, &loader->joined))
        select->status = SQLITE_NOMEM;
}

void trace_model_load_statistics(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    char condition[96];

    loader->window_base =
        trace_select_base(select, "stat_window", "window_id") + 2 * (int64_t)loader->window;
    (void)snprintf(condition, sizeof condition, " AND window_id BETWEEN %lld AND %lld",
                   (long long)loader->window_base + 1, (long long)loader->window_base + 2);
    select->condition = condition;
    load_window(loader);
    load_track_stats(loader);
    TRACE_LOAD_ROWS("site_stats", "site_id" STATS_COLUMNS ", nested_calls", "rowid",
                    read_site_stats, model->site_stats, model->site_stats_count);
    if (loader->joined != TRACE_NONE)
        model->site_stats_count = trace_stats_merge(model->site_stats, model->site_stats_count);
    load_path_stats(loader, "path_id" STATS_COLUMNS);
    trace_model_load_value_rows(loader);
    select->condition = NULL;
}
