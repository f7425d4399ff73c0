/* Samples go straight into their table. The ends of flows wait in tables of their own until all are
 * there: an in may stand before its out in the file. */
#include "database_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "database_insert.h"
#include "lcap_layout.h"

static const char sample_sql[] =
    "INSERT INTO counter_sample (sample_id, capture_id, counter_id, track_id, frame_id, time_ns,"
    " value, time_known) VALUES (?1,?2,?3,?4,?5,?6,?7,?8)";

/* The first out of an id is the one that counts: a recorder gives an id once. */
static const char out_sql[] = "INSERT OR IGNORE INTO temp.first_out VALUES (?1,?2,?3,?4,?5)";
static const char in_sql[] = "INSERT INTO temp.flow_in VALUES (?6,?1,?2,?3,?4,?5,?7)";
static const char every_out_sql[] =
    "INSERT INTO flow_out (flow_out_id, capture_id, flow, site_id, track_id, slice_id, time_ns,"
    " after_slice_id) VALUES (?6,?8,printf('%016x', ?1),?2,?3,?4,?5,?7)";

static const char ends_sql[] =
    "CREATE TEMP TABLE first_out (flow INTEGER PRIMARY KEY, site, track, slice, ns);"
    "CREATE TEMP TABLE flow_in (id INTEGER PRIMARY KEY, flow, site, track, slice, ns, after)";

static const char join_sql[] =
    "INSERT INTO flow (flow_in_id, capture_id, flow, out_site_id, out_track_id, out_slice_id,"
    " out_ns, in_site_id, in_track_id, in_slice_id, in_ns, clamped, in_after_slice_id)"
    " SELECT i.id, ?1, printf('%016x', i.flow), o.site, o.track, o.slice, o.ns, i.site,"
    " i.track, i.slice, i.ns, coalesce(i.ns < o.ns, 0), i.after"
    " FROM temp.flow_in AS i LEFT JOIN temp.first_out AS o USING (flow) ORDER BY i.id";

static const char unbound_ins_sql[] =
    "SELECT count(*) FROM temp.flow_in WHERE flow NOT IN (SELECT flow FROM temp.first_out)";
static const char unbound_outs_sql[] =
    "SELECT count(*) FROM temp.first_out WHERE flow NOT IN (SELECT flow FROM temp.flow_in)";
static const char clear_sql[] = "DELETE FROM temp.flow_in; DELETE FROM temp.first_out";

static int prepare(sqlite3 *connection, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v3(connection, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
}

int trace_value_tables_open(struct trace_value_tables *tables, sqlite3 *connection)
{
    int status = sqlite3_exec(connection, ends_sql, NULL, NULL, NULL);

    tables->connection = connection;
    if (status == SQLITE_OK)
        status = prepare(connection, sample_sql, &tables->sample);
    if (status == SQLITE_OK)
        status = prepare(connection, out_sql, &tables->flow_out);
    if (status == SQLITE_OK)
        status = prepare(connection, every_out_sql, &tables->every_flow_out);
    if (status == SQLITE_OK)
        status = prepare(connection, in_sql, &tables->flow_in);
    return status;
}

void trace_value_tables_close(struct trace_value_tables *tables)
{
    (void)sqlite3_finalize(tables->sample);
    (void)sqlite3_finalize(tables->flow_out);
    (void)sqlite3_finalize(tables->every_flow_out);
    (void)sqlite3_finalize(tables->flow_in);
    free(tables->sites);
    *tables = (struct trace_value_tables){0};
}

/* Integers need no memory, and the parameters exist: nothing here can be refused. */
static void bind(sqlite3_stmt *row, int parameter, int64_t value)
{
    (void)sqlite3_bind_int64(row, parameter, value);
}

static void bind_optional(sqlite3_stmt *row, int parameter, bool is_present, int64_t value)
{
    if (is_present)
        (void)sqlite3_bind_int64(row, parameter, value);
    else
        (void)sqlite3_bind_null(row, parameter);
}

static int insert_bound(sqlite3_stmt *row)
{
    (void)sqlite3_step(row);
    return sqlite3_reset(row);
}

/* --- counters and gauges --------------------------------------------------------------------- */

/* Makes room for all sites that the model has by now. */
static bool reserve_sites(struct trace_value_tables *tables, uint32_t site_count)
{
    if (site_count <= tables->site_count)
        return true;
    uint32_t wanted = site_count < UINT32_MAX / 2 ? site_count * 2 : site_count;
    struct trace_site_counters *sites = realloc(tables->sites, wanted * sizeof *sites);

    if (sites == NULL)
        return false;
    memset(sites + tables->site_count, 0, (wanted - tables->site_count) * sizeof *sites);
    tables->sites = sites;
    tables->site_count = wanted;
    return true;
}

/* Binds what the column `value` holds. */
static void bind_value(struct trace_value_tables *tables, const struct trace_value *value)
{
    double number;

    if (value->kind == LCAP_EVENT_COUNT) {
        bind(tables->sample, 7, (int64_t)value->bits);
        return;
    }
    memcpy(&number, &value->bits, sizeof number);
    if (isfinite(number)) {
        (void)sqlite3_bind_double(tables->sample, 7, number);
        return;
    }
    (void)sqlite3_bind_null(tables->sample, 7);
}

static bool is_finite(const struct trace_value *value)
{
    double number;

    memcpy(&number, &value->bits, sizeof number);
    return isfinite(number);
}

static int add_sample(struct trace_value_tables *tables, const struct trace_id_bases *bases,
                      const struct trace_model *model, const struct trace_value *value)
{
    bool is_count = value->kind == LCAP_EVENT_COUNT;
    sqlite3_stmt *row = tables->sample;

    if (!reserve_sites(tables, model->site_count))
        return SQLITE_NOMEM;
    uint32_t *number =
        is_count ? &tables->sites[value->site].count : &tables->sites[value->site].gauge;
    if (*number == 0)
        *number = ++tables->counter_count;
    tables->totals.counts += is_count;
    tables->totals.gauges += !is_count;
    tables->totals.gauges_not_finite += !is_count && !is_finite(value);
    if (tables->totals.is_of_statistics)
        return SQLITE_OK;
    if (is_count && value->bits == 0)
        return SQLITE_OK; /* it only says from when on the next one adds up */
    bind(row, 1, tables->sample_base + ++tables->samples);
    bind(row, 2, bases->capture + 1);
    bind(row, 3, tables->counter_base + *number);
    bind(row, 4, bases->track + (int64_t)value->track + 1);
    bind_optional(row, 5, value->frame != TRACE_NONE, bases->frame + (int64_t)value->frame + 1);
    bind(row, 6, value->time_ns);
    bind_value(tables, value);
    bind(row, 8, value->is_time_known);
    return insert_bound(row);
}

static void insert_counter(struct trace_insert *insert, const struct trace_value_tables *tables,
                           const struct trace_id_bases *bases, const struct trace_model *model,
                           uint32_t site, uint32_t number, const char *kind)
{
    if (number == 0)
        return;
    trace_insert_integer(insert, tables->counter_base + number);
    trace_insert_integer(insert, bases->capture + 1);
    trace_insert_id(insert, bases->site, site);
    trace_insert_text(insert, model->sites[site].name, NULL); /* counted with the site's */
    trace_insert_string(insert, kind);
    trace_insert_row(insert);
}

static void insert_number(struct trace_insert *insert, bool is_known, double number)
{
    if (is_known && isfinite(number))
        trace_insert_real(insert, number);
    else
        trace_insert_null(insert);
}

static void insert_total(struct trace_insert *insert, bool is_gauge, int64_t total)
{
    if (is_gauge)
        trace_insert_null(insert);
    else
        trace_insert_integer(insert, total);
}

int trace_value_tables_insert_stats(const struct trace_value_tables *tables,
                                    const struct trace_id_bases *bases,
                                    const struct trace_model *model)
{
    struct trace_insert insert;

    trace_insert_open(&insert, tables->connection, "counter_stats",
                      "capture_id, window_id, counter_id, samples, not_finite, total, outside, "
                      "sum, min, max, last");
    for (uint32_t i = 0; i < model->value_stats_count; i++) {
        const struct trace_value_stats *row = &model->value_stats[i];
        const struct trace_site_counters *site = &tables->sites[row->site];
        bool is_known = row->is_gauge && row->count != row->not_finite;

        trace_insert_integer(&insert, bases->capture + 1);
        trace_insert_id(&insert, bases->window, 2 * row->window);
        trace_insert_integer(&insert,
                             tables->counter_base + (row->is_gauge ? site->gauge : site->count));
        trace_insert_count(&insert, row->count);
        trace_insert_count(&insert, row->not_finite);
        insert_total(&insert, row->is_gauge, row->total);
        insert_total(&insert, row->is_gauge, row->outside);
        insert_number(&insert, is_known, row->sum);
        insert_number(&insert, is_known, row->least);
        insert_number(&insert, is_known, row->most);
        insert_number(&insert, is_known, row->last);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_counters(const struct trace_value_tables *tables,
                           const struct trace_id_bases *bases, const struct trace_model *model)
{
    struct trace_insert insert;

    trace_insert_open(&insert, tables->connection, "counter",
                      "counter_id, capture_id, site_id, name, kind");
    for (uint32_t i = 0; i < tables->site_count && i < model->site_count; i++) {
        insert_counter(&insert, tables, bases, model, i, tables->sites[i].count, "count");
        insert_counter(&insert, tables, bases, model, i, tables->sites[i].gauge, "gauge");
    }
    return trace_insert_close(&insert);
}

/* --- flows ----------------------------------------------------------------------------------- */

/* Binds the end's own columns. */
static void bind_end(sqlite3_stmt *row, const struct trace_id_bases *bases,
                     const struct trace_value *value)
{
    bind(row, 1, (int64_t)value->bits);
    bind_optional(row, 2, value->site != TRACE_NONE, bases->site + (int64_t)value->site + 1);
    bind(row, 3, bases->track + (int64_t)value->track + 1);
    bind_optional(row, 4, value->slice_id != 0, bases->slice + (int64_t)value->slice_id);
    bind(row, 5, value->time_ns);
}

/* Binds its place in the order of the recording. */
static void bind_order(struct trace_value_tables *tables, sqlite3_stmt *row,
                       const struct trace_id_bases *bases, const struct trace_value *value)
{
    bind(row, 6, tables->flow_base + tables->totals.flow_outs + tables->totals.flow_ins);
    bind_optional(row, 7, value->after_slice_id != 0,
                  bases->slice + (int64_t)value->after_slice_id);
}

static int add_out(struct trace_value_tables *tables, const struct trace_id_bases *bases,
                   const struct trace_value *value)
{
    int status;

    tables->totals.flow_outs++;
    if (tables->totals.is_of_statistics)
        return SQLITE_OK;
    bind_end(tables->flow_out, bases, value);
    status = insert_bound(tables->flow_out);
    if (status != SQLITE_OK)
        return status;
    bind_end(tables->every_flow_out, bases, value);
    bind_order(tables, tables->every_flow_out, bases, value);
    bind(tables->every_flow_out, 8, bases->capture + 1);
    return insert_bound(tables->every_flow_out);
}

static int add_in(struct trace_value_tables *tables, const struct trace_id_bases *bases,
                  const struct trace_value *value)
{
    tables->totals.flow_ins++;
    if (tables->totals.is_of_statistics)
        return SQLITE_OK;
    bind_end(tables->flow_in, bases, value);
    bind_order(tables, tables->flow_in, bases, value);
    return insert_bound(tables->flow_in);
}

static int count_rows(sqlite3 *connection, const char *sql, int64_t *count)
{
    sqlite3_stmt *query = NULL;
    int status = sqlite3_prepare_v2(connection, sql, -1, &query, NULL);

    if (status == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW)
        *count = sqlite3_column_int64(query, 0);
    if (status == SQLITE_OK)
        status = sqlite3_reset(query);
    (void)sqlite3_finalize(query);
    return status;
}

static int join_flows(struct trace_value_tables *tables, const struct trace_id_bases *bases)
{
    sqlite3 *connection = tables->connection;
    sqlite3_stmt *join = NULL;
    int status = sqlite3_prepare_v2(connection, join_sql, -1, &join, NULL);

    if (status == SQLITE_OK) {
        bind(join, 1, bases->capture + 1);
        status = insert_bound(join);
    }
    (void)sqlite3_finalize(join);
    if (status == SQLITE_OK)
        status = count_rows(connection, unbound_ins_sql, &tables->totals.flow_ins_unbound);
    if (status == SQLITE_OK)
        status = count_rows(connection, unbound_outs_sql, &tables->totals.flow_outs_unbound);
    if (status == SQLITE_OK)
        status = sqlite3_exec(connection, clear_sql, NULL, NULL, NULL);
    return status;
}

/* --- all of them ----------------------------------------------------------------------------- */

int trace_value_tables_add(struct trace_value_tables *tables, const struct trace_id_bases *bases,
                           const struct trace_model *model, const struct trace_value *value)
{
    switch (value->kind) {
    case LCAP_EVENT_FLOW_OUT:
        return add_out(tables, bases, value);
    case LCAP_EVENT_FLOW_IN:
        return add_in(tables, bases, value);
    default:
        return add_sample(tables, bases, model, value);
    }
}

int trace_value_tables_finish(struct trace_value_tables *tables, const struct trace_id_bases *bases,
                              const struct trace_model *model)
{
    int status = insert_counters(tables, bases, model);

    return status == SQLITE_OK && !tables->totals.is_of_statistics ? join_flows(tables, bases)
                                                                   : status;
}

void trace_value_tables_leave_out(struct trace_value_tables *tables)
{
    tables->totals.is_of_statistics = true;
}

void trace_value_tables_advance(struct trace_value_tables *tables)
{
    tables->sample_base += tables->samples;
    tables->counter_base += tables->counter_count;
    tables->flow_base += tables->totals.flow_outs + tables->totals.flow_ins;
    trace_value_tables_restart(tables);
}

void trace_value_tables_restart(struct trace_value_tables *tables)
{
    tables->samples = 0;
    tables->counter_count = 0;
    tables->totals =
        (struct trace_value_totals){.is_of_statistics = tables->totals.is_of_statistics};
    if (tables->site_count != 0)
        memset(tables->sites, 0, tables->site_count * sizeof *tables->sites);
}
