/* Feeds an export from a database: slices in the order in which they began, ends of flows between
 * them as they were recorded, then GPU samples, instants and counters. */
#include "database_connection.h"
#include "database_failure.h"
#include "database_gpu_rows.h"
#include "database_select.h"
#include "failure.h"
#include "perfetto.h"

/* A capture that is read. The first failure stops it: of SQLite in `select`, of memory here; the
 * writer and the samples of GPUs keep their own. */
struct feed {
    struct trace_select select;
    struct trace_select flows; /* `row`: the next end of a flow, when has_flow */
    struct trace_perfetto *perfetto;
    int64_t site_base;
    int64_t track_base;
    bool has_flow;
    bool has_no_memory;
};

static bool is_stopped(const struct feed *feed)
{
    return feed->select.status != SQLITE_OK || feed->flows.status != SQLITE_OK ||
           feed->has_no_memory || feed->perfetto->gpu.insert.status != SQLITE_OK ||
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

/* --- flows ----------------------------------------------------------------------------------- */

static const char flow_sql[] =
    "SELECT flow_in_id AS id, in_track_id, coalesce(in_slice_id, 0), in_ns, flow,"
    " coalesce(in_after_slice_id, 0), 1 FROM flow WHERE capture_id = ?1 "
    "UNION ALL SELECT flow_out_id, track_id, coalesce(slice_id, 0), time_ns, flow,"
    " coalesce(after_slice_id, 0), 0 FROM flow_out WHERE capture_id = ?1 ORDER BY id";

static void read_flow(struct feed *feed)
{
    if (!is_stopped(feed))
        feed->has_flow = sqlite3_step(feed->flows.row) == SQLITE_ROW;
}

static void open_flows(struct feed *feed)
{
    struct trace_select *flows = &feed->flows;

    if (is_stopped(feed))
        return;
    flows->status = sqlite3_prepare_v2(flows->connection, flow_sql, -1, &flows->row, NULL);
    if (flows->status == SQLITE_OK)
        flows->status = sqlite3_bind_int64(flows->row, 1, feed->select.capture);
    read_flow(feed);
}

static void close_flows(struct feed *feed)
{
    int status = sqlite3_finalize(feed->flows.row);

    if (feed->flows.status == SQLITE_OK)
        feed->flows.status = status;
}

static void feed_flow(struct feed *feed)
{
    struct trace_select *flows = &feed->flows;
    const struct trace_perfetto_flow flow = {.time_ns = trace_column_integer(flows, 3),
                                             .flow = trace_column_identity(flows, 4),
                                             .is_in = trace_column_integer(flows, 6) != 0};
    uint32_t track =
        trace_column_index(flows, 1, feed->track_base, feed->perfetto->model->track_count);

    if (track == TRACE_NONE && flows->status == SQLITE_OK)
        flows->status = SQLITE_CORRUPT;
    if (is_stopped(feed) || !trace_perfetto_shows_track(feed->perfetto, track) ||
        !end_until(feed, track, trace_column_count(flows, 2)))
        return;
    if (!trace_perfetto_flow(feed->perfetto, track, flow))
        feed->has_no_memory = true;
}

/* Those that were recorded before the slice began. */
static void feed_flows_before(struct feed *feed, uint64_t slice_id)
{
    while (feed->has_flow && !is_stopped(feed) && trace_column_count(&feed->flows, 5) < slice_id) {
        feed_flow(feed);
        read_flow(feed);
    }
}

/* --- slices and instants --------------------------------------------------------------------- */

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

    feed_flows_before(feed, trace_column_count(select, 2));
    if (is_stopped(feed) || !read_place(feed, 0, &track, &site) ||
        !trace_perfetto_shows_track(feed->perfetto, track) ||
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

/* --- GPU samples ------------------------------------------------------------------------------ */

static void feed_gpu(struct feed *feed)
{
    const struct trace_visitor visitor = {.context = feed->perfetto,
                                          .gpu_frame = trace_perfetto_gpu_frame,
                                          .gpu_pass = trace_perfetto_gpu_pass,
                                          .gpu_calibration = trace_perfetto_gpu_calibration};

    if (!is_stopped(feed) &&
        trace_database_show_gpu(&feed->select, feed->perfetto->model, &visitor, feed->track_base,
                                feed->site_base) == LUDUS_ERROR_MEMORY)
        feed->has_no_memory = true;
}

/* --- all of them ------------------------------------------------------------------------------ */

enum ludus_status trace_perfetto_read_database(struct trace_perfetto *perfetto,
                                               struct trace_database *database, uint32_t capture,
                                               struct ludus_error *error)
{
    struct feed feed = {.select.connection = trace_database_connection(database),
                        .flows.connection = trace_database_connection(database),
                        .perfetto = perfetto};
    enum ludus_status status =
        trace_database_choose(database, capture, &feed.select.capture, error);

    if (status != LUDUS_OK)
        return status;
    feed.site_base = trace_select_base(&feed.select, "site", "site_id");
    feed.track_base = trace_select_base(&feed.select, "track", "track_id");
    open_flows(&feed);
    feed_rows(&feed, slice_sql, feed_slice);
    feed_flows_before(&feed, UINT64_MAX);
    close_flows(&feed);
    feed_gpu(&feed);
    if (!is_stopped(&feed) && !trace_perfetto_end_all(perfetto))
        feed.has_no_memory = true;
    feed_rows(&feed, instant_sql, feed_instant);
    const struct trace_perfetto_rows rows = {feed.select.connection, feed.select.capture,
                                             feed.track_base, feed.site_base};
    if (!is_stopped(&feed))
        feed.select.status = trace_perfetto_put_counters(perfetto, &rows);
    if (feed.has_no_memory)
        return trace_fail_memory(error);
    if (feed.select.status == SQLITE_OK)
        feed.select.status = feed.flows.status;
    if (feed.select.status != SQLITE_OK)
        return trace_database_read_failure(feed.select.connection, feed.select.status,
                                           trace_database_path(database), error);
    return perfetto->writer.status;
}
