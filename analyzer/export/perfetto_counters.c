/* Counters of an export: of a count the running total over all threads, of a gauge its value. They
 * are put in the order of time, which is not that of the recording, by SQLite. */
#include <sqlite3.h>

#include "perfetto.h"

/* Viewers know a counter by its name: all counts of one name are one, wherever they stand in the
 * source, and so are all gauges. */
static const char group_sql[] =
    "DROP TABLE IF EXISTS temp.counter_group;"
    "CREATE TEMP TABLE counter_group (counter_id INTEGER PRIMARY KEY, site_id INTEGER,"
    " first_id INTEGER)";
static const char fill_sql[] =
    "INSERT INTO temp.counter_group SELECT counter_id, site_id, min(counter_id) OVER "
    "(PARTITION BY name, kind) FROM counter WHERE capture_id = ?1";
static const char sample_sql[] =
    "SELECT g.first_id, s.time_ns, s.value, s.track_id, g.site_id FROM counter_sample AS s "
    "JOIN temp.counter_group AS g USING (counter_id) WHERE s.capture_id = ?1 "
    "ORDER BY g.first_id, s.time_ns, s.sample_id";
static const char name_sql[] = "SELECT name, kind FROM counter WHERE counter_id = ?1";
static const char clear_sql[] = "DROP TABLE temp.counter_group";

/* A counter's value from a time on. */
struct value {
    int64_t time_ns;
    uint64_t total; /* of a count */
    double gauge;
    bool is_known; /* there was one */
    bool is_shown; /* its line is written */
};

struct counter {
    struct trace_perfetto *perfetto;
    sqlite3_stmt *name; /* its row */
    int64_t first_id;
    bool is_count;
    struct value value;
    uint32_t span; /* the present one, or the next */
};

static void put_line(const struct counter *counter, int64_t time_ns)
{
    struct trace_json json = trace_perfetto_start_event(counter->perfetto, "C");
    const char *name = (const char *)sqlite3_column_text(counter->name, 0);

    trace_perfetto_put_text(
        &json, "name", (struct trace_text){name, (size_t)sqlite3_column_bytes(counter->name, 0)});
    trace_perfetto_put_place(&json, counter->perfetto, 0, time_ns);
    trace_json_key(&json, "args");
    trace_json_begin_object(&json);
    trace_json_key(&json, counter->is_count ? "total" : "value");
    if (counter->is_count)
        trace_json_integer(&json, (int64_t)counter->value.total);
    else
        trace_json_real(&json, counter->value.gauge);
    trace_json_end_object(&json);
    trace_json_end_object(&json);
}

/* Shows the value that the counter has from its time on, until it changes at `until_ns`: where it
 * changed, or where a span begins. */
static void show_until(struct counter *counter, int64_t until_ns)
{
    const struct trace_perfetto_options *options = &counter->perfetto->options;
    const int64_t time_ns = counter->value.time_ns;

    if (!counter->value.is_known)
        return;
    if (options->spans.count == 0) {
        put_line(counter, time_ns);
        return;
    }
    while (counter->span < options->spans.count) {
        const struct trace_span *span = &options->spans.spans[counter->span];

        if (span->begin_ns >= until_ns)
            return;
        if (time_ns < span->end_ns)
            put_line(counter, time_ns > span->begin_ns ? time_ns : span->begin_ns);
        if (span->end_ns > until_ns)
            return;
        counter->span++;
    }
}

static int start_counter(struct counter *counter, int64_t first_id)
{
    int status = sqlite3_reset(counter->name);

    if (status == SQLITE_OK)
        status = sqlite3_bind_int64(counter->name, 1, first_id);
    if (status != SQLITE_OK)
        return status;
    if (sqlite3_step(counter->name) != SQLITE_ROW)
        return SQLITE_CORRUPT;
    counter->first_id = first_id;
    counter->is_count =
        sqlite3_stricmp((const char *)sqlite3_column_text(counter->name, 1), "count") == 0;
    counter->value = (struct value){.is_known = false};
    counter->span = 0;
    return SQLITE_OK;
}

static int add_sample(struct counter *counter, sqlite3_stmt *row)
{
    const int64_t first_id = sqlite3_column_int64(row, 0);
    const int64_t time_ns = sqlite3_column_int64(row, 1);

    if (counter->first_id != first_id) {
        show_until(counter, INT64_MAX);
        int status = start_counter(counter, first_id);
        if (status != SQLITE_OK)
            return status;
    }
    if (sqlite3_column_type(row, 2) == SQLITE_NULL) {
        counter->perfetto->gauges_not_finite++; /* the value before stays */
        return SQLITE_OK;
    }
    if (time_ns != counter->value.time_ns)
        show_until(counter, time_ns);
    counter->value.time_ns = time_ns;
    counter->value.is_known = true;
    if (counter->is_count)
        counter->value.total += (uint64_t)sqlite3_column_int64(row, 2);
    else
        counter->value.gauge = sqlite3_column_double(row, 2);
    return SQLITE_OK;
}

/* An id as an index; ids of a forged database may be anything. */
static uint32_t index_of(sqlite3_stmt *row, int column, int64_t base)
{
    const uint64_t index = (uint64_t)sqlite3_column_int64(row, column) - (uint64_t)base - 1;

    return index < TRACE_NONE ? (uint32_t)index : TRACE_NONE;
}

static int add_samples(struct counter *counter, const struct trace_perfetto_rows *rows,
                       sqlite3_stmt *row)
{
    const struct trace_perfetto *perfetto = counter->perfetto;
    int status = SQLITE_OK;

    while (status == SQLITE_OK && perfetto->writer.status == LUDUS_OK &&
           sqlite3_step(row) == SQLITE_ROW)
        if (trace_perfetto_shows_track(perfetto, index_of(row, 3, rows->track_base)) &&
            trace_perfetto_shows_site(perfetto, index_of(row, 4, rows->site_base)))
            status = add_sample(counter, row);
    if (status == SQLITE_OK)
        show_until(counter, INT64_MAX);
    return status;
}

static int run_for(sqlite3 *connection, const char *sql, int64_t capture, sqlite3_stmt **row)
{
    int status = sqlite3_prepare_v2(connection, sql, -1, row, NULL);

    return status == SQLITE_OK ? sqlite3_bind_int64(*row, 1, capture) : status;
}

static int group(sqlite3 *connection, int64_t capture)
{
    sqlite3_stmt *fill = NULL;
    int status = sqlite3_exec(connection, group_sql, NULL, NULL, NULL);

    if (status == SQLITE_OK)
        status = run_for(connection, fill_sql, capture, &fill);
    (void)sqlite3_step(fill);
    int end = sqlite3_finalize(fill);
    return status == SQLITE_OK ? end : status;
}

int trace_perfetto_put_counters(struct trace_perfetto *perfetto,
                                const struct trace_perfetto_rows *rows)
{
    sqlite3 *connection = rows->connection;
    struct counter counter = {.perfetto = perfetto};
    sqlite3_stmt *samples = NULL;
    int status = group(connection, rows->capture);

    if (status == SQLITE_OK)
        status = sqlite3_prepare_v2(connection, name_sql, -1, &counter.name, NULL);
    if (status == SQLITE_OK)
        status = run_for(connection, sample_sql, rows->capture, &samples);
    if (status == SQLITE_OK)
        status = add_samples(&counter, rows, samples);
    int end = sqlite3_finalize(samples);
    (void)sqlite3_finalize(counter.name);
    if (status == SQLITE_OK)
        status = end;
    if (status == SQLITE_OK)
        status = sqlite3_exec(connection, clear_sql, NULL, NULL, NULL);
    return status;
}
