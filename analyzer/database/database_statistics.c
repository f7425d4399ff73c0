/* Fills the tables of statistics from a model: windows, sums of sites and paths, frame times. */
#include "database_insert.h"
#include "database_tables.h"
#include "frame_percentiles.h"
#include "path_rows.h"
#include "span_list.h"

static int insert_windows(sqlite3 *connection, const struct trace_id_bases *bases,
                          const struct trace_model *model)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, connection, "stat_window",
                      "window_id, capture_id, name, part, domain_id, domain, begin_ns, end_ns, "
                      "frames");
    for (i = 0; i < model->window_count; i++) {
        const struct trace_stat_window *window = &model->windows[i];

        trace_insert_id(&insert, bases->window, i);
        trace_insert_integer(&insert, bases->capture + 1);
        trace_insert_text(&insert, window->name, NULL);
        trace_insert_string(&insert, window->is_frames ? "frames" : "outside");
        trace_insert_id(&insert, bases->domain, window->domain);
        if (window->domain == TRACE_NONE)
            trace_insert_null(&insert);
        else
            trace_insert_text(&insert, model->domains[window->domain].name, NULL);
        trace_insert_integer(&insert, window->begin_ns);
        trace_insert_integer(&insert, window->end_ns);
        trace_insert_integer(&insert, window->frames);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_spans(sqlite3 *connection, const struct trace_id_bases *bases,
                        const struct trace_model *model)
{
    struct trace_insert insert;

    trace_insert_open(&insert, connection, "window_span",
                      "capture_id, window_id, begin_ns, end_ns");
    for (uint32_t window = 0; window < model->window_count; window += 2) {
        for (uint32_t i = 0; i < model->windows[window].span_count; i++) {
            trace_insert_integer(&insert, bases->capture + 1);
            trace_insert_id(&insert, bases->window, window);
            trace_insert_integer(&insert, model->windows[window].spans[i].begin_ns);
            trace_insert_integer(&insert, model->windows[window].spans[i].end_ns);
            trace_insert_row(&insert);
        }
    }
    return trace_insert_close(&insert);
}

static int insert_track_stats(sqlite3 *connection, const struct trace_id_bases *bases,
                              const struct trace_model *model)
{
    struct trace_insert insert;
    uint32_t window;
    uint32_t track;

    trace_insert_open(&insert, connection, "track_stats",
                      "capture_id, window_id, track_id, slices, incomplete, frames, frames_lost, "
                      "frame_ns, covered_ns");
    for (window = 0; window < model->window_count / 2; window++) {
        for (track = 0; track < model->track_count; track++) {
            const struct trace_track_stats *stats = trace_model_track_stats(model, window, track);

            trace_insert_integer(&insert, bases->capture + 1);
            trace_insert_id(&insert, bases->window, 2 * window);
            trace_insert_id(&insert, bases->track, track);
            trace_insert_count(&insert, stats->slices);
            trace_insert_count(&insert, stats->incomplete);
            trace_insert_integer(&insert, stats->frames);
            trace_insert_integer(&insert, stats->frames_lost);
            trace_insert_integer(&insert, stats->frame_ns);
            trace_insert_integer(&insert, stats->covered_ns);
            trace_insert_row(&insert);
        }
    }
    return trace_insert_close(&insert);
}

static void insert_stats(struct trace_insert *insert, const struct trace_id_bases *bases,
                         const struct trace_stats *stats, int64_t subject_id)
{
    trace_insert_integer(insert, bases->capture + 1);
    trace_insert_id(insert, bases->window, stats->window);
    trace_insert_integer(insert, subject_id);
    trace_insert_id(insert, bases->track, stats->track);
    trace_insert_integer(insert, stats->frames);
    trace_insert_count(insert, stats->sums.calls);
    trace_insert_count(insert, stats->sums.outermost_calls);
    trace_insert_count(insert, stats->sums.recursive_calls);
    trace_insert_count(insert, stats->sums.exclusive_calls);
    trace_insert_count(insert, stats->sums.incomplete);
    trace_insert_count(insert, stats->sums.children_lost);
    trace_insert_integer(insert, stats->sums.inclusive_ns);
    trace_insert_integer(insert, stats->sums.exclusive_ns);
}

#define SUM_COLUMNS                                                                                \
    "track_id, frames, calls, outermost_calls, recursive_calls, exclusive_calls, incomplete, "     \
    "children_lost, inclusive_ns, exclusive_ns"

static int insert_site_stats(sqlite3 *connection, const struct trace_id_bases *bases,
                             const struct trace_model *model)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, connection, "site_stats",
                      "capture_id, window_id, site_id, " SUM_COLUMNS ", nested_calls");
    for (i = 0; i < model->site_stats_count; i++) {
        insert_stats(&insert, bases, &model->site_stats[i],
                     bases->site + (int64_t)model->site_stats[i].subject + 1);
        trace_insert_count(&insert, model->site_stats[i].nested_calls);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_path_stats(sqlite3 *connection, const struct trace_id_bases *bases,
                             const struct trace_model *model)
{
    struct trace_insert insert;
    struct trace_path_rows rows;

    trace_insert_open(&insert, connection, "path_stats",
                      "capture_id, window_id, path_id, " SUM_COLUMNS);
    if (!trace_path_rows_open(&rows, model))
        insert.status = SQLITE_NOMEM;
    while (insert.status == SQLITE_OK && trace_path_rows_next(&rows)) {
        insert_stats(&insert, bases, &rows.row, bases->path + (int64_t)rows.row.subject);
        trace_insert_row(&insert);
    }
    trace_path_rows_close(&rows);
    return trace_insert_close(&insert);
}

static int insert_gpu_stats(sqlite3 *connection, const struct trace_id_bases *bases,
                            const struct trace_model *model)
{
    struct trace_insert insert;

    trace_insert_open(&insert, connection, "gpu_stats",
                      "capture_id, window_id, track_id, site_id, operation, frames, valid, "
                      "not_valid, outside, logical_passes, sum_ns, min_ns, max_ns");
    for (uint32_t i = 0; i < model->gpu_stats_count; i++) {
        const struct trace_gpu_stats *row = &model->gpu_stats[i];

        trace_insert_integer(&insert, bases->capture + 1);
        trace_insert_id(&insert, bases->window, 2 * row->window);
        trace_insert_id(&insert, bases->track, row->track);
        trace_insert_id(&insert, bases->site, row->site);
        if (row->site == TRACE_NONE)
            trace_insert_null(&insert);
        else
            trace_insert_name(&insert, TRACE_NAME_GPU_OPERATION, row->operation);
        trace_insert_count(&insert, row->frames);
        trace_insert_count(&insert, row->valid);
        trace_insert_count(&insert, row->not_valid);
        trace_insert_count(&insert, row->outside);
        trace_insert_count(&insert, row->logical);
        trace_insert_integer(&insert, row->sum_ns);
        if (row->valid == 0) {
            trace_insert_null(&insert);
            trace_insert_null(&insert);
        } else {
            trace_insert_integer(&insert, row->min_ns);
            trace_insert_integer(&insert, row->max_ns);
        }
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static void insert_percentiles(struct trace_insert *insert,
                               const struct trace_frame_percentiles *percentiles)
{
    size_t rank;

    trace_insert_integer(insert, percentiles->count);
    trace_insert_integer(insert, percentiles->total_ns);
    for (rank = 0; rank < TRACE_FRAME_RANKS; rank++) {
        if (percentiles->count == 0) {
            trace_insert_null(insert);
            trace_insert_null(insert);
        } else {
            trace_insert_integer(insert, percentiles->ranks[rank].value);
            trace_insert_count(insert, percentiles->ranks[rank].source);
        }
    }
}

static int insert_frame_stats(sqlite3 *connection, const struct trace_id_bases *bases,
                              const struct trace_model *model)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, connection, "frame_stats",
                      "capture_id, domain_id, domain, n, total_ns, min_ns, min_frame, p50_ns, "
                      "p50_frame, p90_ns, p90_frame, p95_ns, p95_frame, p99_ns, p99_frame, "
                      "p999_ns, p999_frame, max_ns, max_frame");
    for (i = 0; i < model->domain_count; i++) {
        struct trace_frame_percentiles percentiles;

        if (trace_frame_percentiles_of(&model->domains[i], NULL, &percentiles) != LUDUS_OK)
            insert.status = SQLITE_NOMEM;
        trace_insert_integer(&insert, bases->capture + 1);
        trace_insert_id(&insert, bases->domain, i);
        trace_insert_text(&insert, model->domains[i].name, NULL);
        insert_percentiles(&insert, &percentiles);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

int trace_insert_statistics(sqlite3 *connection, const struct trace_id_bases *bases,
                            const struct trace_model *model,
                            const struct trace_frames_with_calls *frames, bool is_of_statistics)
{
    int status = insert_windows(connection, bases, model);

    if (status == SQLITE_OK)
        status = insert_spans(connection, bases, model);
    if (status == SQLITE_OK)
        status = insert_track_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = insert_site_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = insert_path_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = insert_gpu_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = insert_frame_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = trace_insert_calls_per_frame(connection, bases, model, frames, is_of_statistics);
    return status;
}
