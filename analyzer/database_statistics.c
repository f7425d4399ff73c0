/* Fills the tables of statistics from a model: windows, sums of sites and paths, frame times. */
#include "database_insert.h"
#include "database_names.h"
#include "database_tables.h"
#include "frame_percentiles.h"

/* From the first complete frame of the default domain to the end of the last. */
static void find_frames_window(const struct trace_model *model, int64_t *begin_ns, int64_t *end_ns)
{
    const struct trace_domain *domain = model->domains;
    uint32_t i;

    *begin_ns = 0;
    *end_ns = 0;
    if (model->domain_count == 0)
        return;
    for (i = domain->frame_count; i-- > 0;) {
        if (!trace_frame_is_complete(domain, i))
            continue;
        *begin_ns = domain->frames[i].begin_ns;
        if (*end_ns < domain->frames[i + 1].begin_ns)
            *end_ns = domain->frames[i + 1].begin_ns;
    }
}

static int insert_windows(sqlite3 *connection, const struct trace_id_bases *bases,
                          const struct trace_model *model)
{
    struct trace_insert insert;
    char digits[TRACE_NAME_SIZE];
    uint32_t window;

    trace_insert_open(&insert, connection, "stat_window",
                      "window_id, capture_id, name, domain, begin_ns, end_ns, frames");
    for (window = 0; window < TRACE_WINDOW_COUNT; window++) {
        int64_t begin_ns = model->window_begin_ns;
        int64_t end_ns = model->end_ns;
        bool is_frames = window == TRACE_WINDOW_FRAMES;

        if (is_frames)
            find_frames_window(model, &begin_ns, &end_ns);
        trace_insert_id(&insert, bases->window, window);
        trace_insert_integer(&insert, bases->capture + 1);
        trace_insert_string(&insert, trace_name_of(TRACE_NAME_WINDOW, window, digits));
        if (model->domain_count == 0)
            trace_insert_null(&insert);
        else
            trace_insert_text(&insert, model->domains[0].name, NULL);
        trace_insert_integer(&insert, begin_ns);
        trace_insert_integer(&insert, end_ns);
        trace_insert_integer(
            &insert, is_frames && model->domain_count > 0 ? model->domains[0].complete_count : 0);
        trace_insert_row(&insert);
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
    trace_insert_row(insert);
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
                      "capture_id, window_id, site_id, " SUM_COLUMNS);
    for (i = 0; i < model->site_stats_count; i++)
        insert_stats(&insert, bases, &model->site_stats[i],
                     bases->site + (int64_t)model->site_stats[i].subject + 1);
    return trace_insert_close(&insert);
}

static int insert_path_stats(sqlite3 *connection, const struct trace_id_bases *bases,
                             const struct trace_model *model)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, connection, "path_stats",
                      "capture_id, window_id, path_id, " SUM_COLUMNS);
    for (i = 0; i < model->path_stats_count; i++)
        insert_stats(&insert, bases, &model->path_stats[i],
                     bases->path + (int64_t)model->path_stats[i].subject);
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
            trace_insert_integer(insert, percentiles->ranks[rank].duration_ns);
            trace_insert_count(insert, percentiles->ranks[rank].number);
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

        if (trace_frame_percentiles_of(&model->domains[i], &percentiles) != LUDUS_OK)
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
                            const struct trace_frames_with_calls *frames)
{
    int status = insert_windows(connection, bases, model);

    if (status == SQLITE_OK)
        status = insert_site_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = insert_path_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = insert_frame_stats(connection, bases, model);
    if (status == SQLITE_OK)
        status = trace_insert_calls_per_frame(connection, bases, model, frames);
    return status;
}
