/* Feeds an export from a database: slices in the order in which they began, then instants. */
#include "database_connection.h"
#include "database_failure.h"
#include "database_select.h"
#include "failure.h"
#include "perfetto.h"

/* A capture that is read. The first failure stops it: of SQLite in `select`, of memory here; the
 * writer keeps its own. */
struct feed {
    struct trace_select select;
    struct trace_perfetto *perfetto;
    int64_t site_base;
    int64_t track_base;
    bool has_no_memory;
};

static bool is_stopped(const struct feed *feed)
{
    return feed->select.status != SQLITE_OK || feed->has_no_memory ||
           feed->perfetto->writer.status != LUDUS_OK;
}

/* Indexes of the row's track and site. A row without one is not ours. */
static bool read_place(struct feed *feed, int column, uint32_t *track, uint32_t *site)
{
    const struct trace_model *model = feed->perfetto->model;

    *track = trace_column_index(&feed->select, column, feed->track_base, model->track_count);
    *site = trace_column_index(&feed->select, column + 1, feed->site_base, model->site_count);
    if ((*track == TRACE_NONE || *site == TRACE_NONE) && feed->select.status == SQLITE_OK)
        feed->select.status = SQLITE_CORRUPT;
    return feed->select.status == SQLITE_OK;
}

/* Ends what does not contain the slice. */
static bool end_until(struct feed *feed, uint32_t track, uint64_t parent_id)
{
    struct trace_perfetto_track *state = trace_perfetto_track(feed->perfetto, track);

    if (state == NULL) {
        feed->has_no_memory = true;
        return false;
    }
    while (state->open > 0 && state->scopes[state->open - 1].slice_id != parent_id)
        (void)trace_perfetto_end(state);
    if (state->open == 0 && parent_id != 0)
        feed->select.status = SQLITE_CORRUPT;
    return feed->select.status == SQLITE_OK;
}

static const char slice_sql[] =
    "SELECT track_id, site_id, slice_id, coalesce(parent_id, 0), begin_ns, known_ns, incomplete, "
    "children_lost FROM slice WHERE capture_id = ?1 ORDER BY slice_id";

static void feed_slice(struct feed *feed)
{
    struct trace_select *select = &feed->select;
    int64_t begin_ns = trace_column_integer(select, 4);
    struct trace_perfetto_scope *scope;
    uint32_t track;
    uint32_t site;

    if (!read_place(feed, 0, &track, &site) ||
        !end_until(feed, track, trace_column_count(select, 3)))
        return;
    scope = trace_perfetto_begin(feed->perfetto, track, site, begin_ns);
    if (scope == NULL) {
        feed->has_no_memory = true;
        return;
    }
    scope->slice_id = trace_column_count(select, 2);
    scope->end_ns = trace_perfetto_known_end(begin_ns, trace_column_integer(select, 5));
    scope->is_incomplete = trace_column_integer(select, 6) != 0;
    scope->has_children_lost = trace_column_integer(select, 7) != 0;
}

static const char instant_sql[] = "SELECT track_id, site_id, time_ns FROM instant "
                                  "WHERE capture_id = ?1 ORDER BY instant_id";

static void feed_instant(struct feed *feed)
{
    uint32_t track;
    uint32_t site;

    if (read_place(feed, 0, &track, &site) &&
        !trace_perfetto_instant(feed->perfetto, track, site,
                                trace_column_integer(&feed->select, 2)))
        feed->has_no_memory = true;
}

static void feed_rows(struct feed *feed, const char *sql, void (*feed_row)(struct feed *feed))
{
    struct trace_select *select = &feed->select;
    int status;

    if (is_stopped(feed))
        return;
    select->status = sqlite3_prepare_v2(select->connection, sql, -1, &select->row, NULL);
    if (select->status == SQLITE_OK)
        select->status = sqlite3_bind_int64(select->row, 1, select->capture);
    while (!is_stopped(feed) && sqlite3_step(select->row) == SQLITE_ROW)
        feed_row(feed);
    status = sqlite3_finalize(select->row);
    if (select->status == SQLITE_OK)
        select->status = status;
}

enum ludus_status trace_perfetto_read_database(struct trace_perfetto *perfetto,
                                               struct trace_database *database, uint32_t capture,
                                               struct ludus_error *error)
{
    struct feed feed = {.select.connection = trace_database_connection(database),
                        .perfetto = perfetto};
    enum ludus_status status =
        trace_database_choose(database, capture, &feed.select.capture, error);

    if (status != LUDUS_OK)
        return status;
    feed.site_base = trace_select_base(&feed.select, "site", "site_id");
    feed.track_base = trace_select_base(&feed.select, "track", "track_id");
    feed_rows(&feed, slice_sql, feed_slice);
    if (!is_stopped(&feed) && !trace_perfetto_end_all(perfetto))
        feed.has_no_memory = true;
    feed_rows(&feed, instant_sql, feed_instant);
    if (feed.has_no_memory)
        return trace_fail_memory(error);
    if (feed.select.status != SQLITE_OK)
        return trace_database_read_failure(feed.select.connection, feed.select.status,
                                           trace_database_path(database), error);
    return perfetto->writer.status;
}
