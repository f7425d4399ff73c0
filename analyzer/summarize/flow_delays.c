/* Has flows sorted and picks ranks. */
#include "flow_delays.h"

#include <stdlib.h>

#include "database_connection.h"
#include "database_failure.h"
#include "database_schema.h"
#include "database_select.h"
#include "database_values.h"
#include "failure.h"
#include "lcap_layout.h"
#include "nearest_rank.h"

/* One look at all flows. */
struct flow_reader {
    struct trace_select select; /* without a model: only numbers are read */
    const struct trace_model *model;
    const struct trace_chosen *chosen;
    struct trace_flow_delays *delays;
    int64_t site_base, track_base;
    struct trace_value_tables tables; /* of a temporary database */
    sqlite3 *temporary;
    bool has_memory;
};

/* A row of a query: the columns of flow_columns. */
struct flow_row {
    uint64_t flow;
    int64_t time_ns; /* of the in, or of an out without one */
    int64_t delay_ns;
    uint32_t site;
    bool is_clamped;
    bool is_bound;
};

/* By out, so that the ins of one stand together. */
static const char by_flow_sql[] =
    "SELECT out_site_id, flow, in_ns, max(in_ns - out_ns, 0), in_ns < out_ns, in_track_id,"
    " out_ns IS NOT NULL FROM flow WHERE capture_id = ?1 ORDER BY out_site_id, flow, flow_in_id";
static const char by_delay_sql[] =
    "SELECT out_site_id, flow, in_ns, max(in_ns - out_ns, 0), in_ns < out_ns, in_track_id, 1"
    " FROM flow WHERE capture_id = ?1 AND out_ns IS NOT NULL"
    " ORDER BY out_site_id, 4, flow, flow_in_id";
static const char unbound_sql[] =
    "SELECT site_id, flow, time_ns, 0, 0, track_id, 0, min(flow_out_id) FROM flow_out"
    " WHERE capture_id = ?1 AND flow NOT IN (SELECT flow FROM flow WHERE capture_id = ?1)"
    " GROUP BY flow";

/* --- sites ----------------------------------------------------------------------------------- */

static int compare_sites(const void *a, const void *b)
{
    const struct trace_flow_site *left = a;
    const struct trace_flow_site *right = b;
    return left->site < right->site ? -1 : left->site > right->site;
}

/* The row of a site, made when it is new: rows come ordered by site, so that it is mostly the last.
 * NULL when there is no memory. */
static struct trace_flow_site *site_of(struct trace_flow_delays *delays, uint32_t site)
{
    for (uint32_t i = delays->count; i-- > 0;)
        if (delays->sites[i].site == site)
            return &delays->sites[i];
    struct trace_flow_site row = {.site = site,
                                  .totals = calloc(delays->windows, sizeof *row.totals)};
    if (row.totals == NULL || !trace_array_grow(&delays->sites, delays->count, sizeof row)) {
        free(row.totals);
        return NULL;
    }
    delays->sites[delays->count++] = row;
    return &delays->sites[delays->count - 1];
}

/* --- rows ------------------------------------------------------------------------------------ */

static bool is_in(const struct flow_reader *reader, uint32_t window, int64_t time_ns)
{
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    const struct trace_window *item = &reader->chosen->plan.windows.items[window];
    return trace_span_list_contains(&item->spans, time_ns, &from_ns, &until_ns);
}

/* What the filters leave out is no row: false. */
static bool read_row(struct flow_reader *reader, struct flow_row *row)
{
    struct trace_select *select = &reader->select;
    uint32_t track = trace_column_index(select, 5, reader->track_base, reader->model->track_count);
    *row = (struct flow_row){
        .site = trace_column_index(select, 0, reader->site_base, reader->model->site_count),
        .flow = trace_column_identity(select, 1),
        .time_ns = trace_column_integer(select, 2),
        .delay_ns = trace_column_integer(select, 3),
        .is_clamped = trace_column_integer(select, 4) != 0,
        .is_bound = trace_column_integer(select, 6) != 0};
    if (select->status != SQLITE_OK || !trace_pass_plan_counts(&reader->chosen->plan, track))
        return false;
    return row->site == TRACE_NONE ? !trace_chosen_is_filtered(reader->chosen)
                                   : trace_chosen_shows(reader->chosen, row->site);
}

/* What came before of the same site, by window. */
struct seen_rows {
    uint64_t rows[TRACE_MAX_WINDOWS];
    uint64_t last_flow[TRACE_MAX_WINDOWS];
    uint32_t site;
    bool is_begun;
};

/* Calls `take` for each row of a query in each window that it lies in. */
static void read_rows(struct flow_reader *reader, const char *sql,
                      void (*take)(struct flow_reader *reader, struct trace_flow_total *total,
                                   const struct flow_row *row, struct seen_rows *seen,
                                   uint32_t window))
{
    struct trace_select *select = &reader->select;
    struct seen_rows seen = {0};
    struct flow_row row;
    if (select->status != SQLITE_OK || !reader->has_memory)
        return;
    select->status = sqlite3_prepare_v2(select->connection, sql, -1, &select->row, NULL);
    if (select->status == SQLITE_OK)
        select->status = sqlite3_bind_int64(select->row, 1, select->capture);
    while (select->status == SQLITE_OK && reader->has_memory &&
           sqlite3_step(select->row) == SQLITE_ROW) {
        if (!read_row(reader, &row))
            continue;
        if (!seen.is_begun || seen.site != row.site)
            seen = (struct seen_rows){.site = row.site, .is_begun = true};
        struct trace_flow_site *site = site_of(reader->delays, row.site);
        reader->has_memory = site != NULL;
        for (uint32_t w = 0; site != NULL && w < reader->delays->windows; w++)
            if (is_in(reader, w, row.time_ns))
                take(reader, &site->totals[w], &row, &seen, w);
    }
    int status = sqlite3_finalize(select->row);
    if (select->status == SQLITE_OK)
        select->status = status;
}

static void count_row(struct flow_reader *reader, struct trace_flow_total *total,
                      const struct flow_row *row, struct seen_rows *seen, uint32_t window)
{
    (void)reader;
    if (!row->is_bound) {
        total->ins_unbound++;
        return;
    }
    total->outs += total->ins == 0 || seen->last_flow[window] != row->flow;
    seen->last_flow[window] = row->flow;
    total->ins++;
    total->clamped += row->is_clamped;
}

static void count_unbound(struct flow_reader *reader, struct trace_flow_total *total,
                          const struct flow_row *row, struct seen_rows *seen, uint32_t window)
{
    (void)reader, (void)row, (void)seen, (void)window;
    total->outs_unbound++;
}

/* Rows of a site come by rising delay. Of equal ones, the first that was shown is kept. */
static void rank_row(struct flow_reader *reader, struct trace_flow_total *total,
                     const struct flow_row *row, struct seen_rows *seen, uint32_t window)
{
    static const uint32_t per_mille[TRACE_DELAY_RANKS] = {500, 900, 990, 1000};
    uint64_t number = seen->rows[window]++;
    (void)reader;
    for (int i = 0; i < TRACE_DELAY_RANKS; i++) {
        if (number > trace_nearest_index(total->ins, per_mille[i]) ||
            (number != 0 && total->delays[i] == row->delay_ns))
            continue;
        total->delays[i] = row->delay_ns;
        total->flows[i] = row->flow;
        total->arrivals[i] = row->time_ns;
    }
}

/* --- a capture's flows ----------------------------------------------------------------------- */

static enum ludus_status take_values(void *context, const struct trace_model *model,
                                     const struct trace_value *values, size_t count)
{
    static const struct trace_id_bases none = {0};
    struct flow_reader *reader = context;
    for (size_t i = 0; reader->select.status == SQLITE_OK && i < count; i++)
        if (values[i].kind == LCAP_EVENT_FLOW_OUT || values[i].kind == LCAP_EVENT_FLOW_IN)
            reader->select.status =
                trace_value_tables_add(&reader->tables, &none, model, &values[i]);
    return reader->select.status == SQLITE_OK ? LUDUS_OK : LUDUS_END;
}

/* Puts a capture's flows into tables like those of a database. */
static enum ludus_status fill_temporary(struct flow_reader *reader, struct trace_input *input,
                                        struct ludus_error *error)
{
    static const struct trace_id_bases none = {0};
    const struct trace_visitor visitor = {.context = reader, .values = take_values};
    struct trace_select *select = &reader->select;
    select->status = sqlite3_open("", &reader->temporary); /* a file that nobody else sees */
    select->connection = reader->temporary;
    select->capture = 1;
    if (select->status == SQLITE_OK)
        select->status = trace_database_create(reader->temporary, TRACE_SCHEMA_TABLES);
    if (select->status == SQLITE_OK)
        select->status = sqlite3_exec(reader->temporary, "BEGIN", NULL, NULL, NULL);
    if (select->status == SQLITE_OK)
        select->status = trace_value_tables_open(&reader->tables, reader->temporary);
    if (select->status != SQLITE_OK)
        return LUDUS_OK;
    enum ludus_status status = trace_input_run(input, NULL, &visitor, error);
    if (status == LUDUS_OK)
        select->status = trace_value_tables_finish(&reader->tables, &none, reader->model);
    return status == LUDUS_END ? LUDUS_OK : status; /* it is in select->status */
}

static enum ludus_status open_database(struct flow_reader *reader, struct trace_input *input,
                                       struct ludus_error *error)
{
    struct trace_database *database = trace_input_database(input);
    struct trace_select *select = &reader->select;
    enum ludus_status status = trace_input_expect_events(input, error);
    if (status == LUDUS_OK)
        status = trace_database_choose(database, trace_input_capture_number(input),
                                       &select->capture, error);
    if (status != LUDUS_OK)
        return status;
    select->connection = trace_database_connection(database);
    reader->site_base = trace_select_base(select, "site", "site_id");
    reader->track_base = trace_select_base(select, "track", "track_id");
    return LUDUS_OK;
}

/* --- all of them ----------------------------------------------------------------------------- */

static enum ludus_status conclude(struct flow_reader *reader, struct trace_input *input,
                                  enum ludus_status status, struct ludus_error *error)
{
    if (status == LUDUS_OK && !reader->has_memory)
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && reader->select.status != SQLITE_OK)
        status = reader->temporary != NULL
                     ? trace_database_write_failure(reader->temporary, reader->select.status,
                                                    "the temporary database of flows", error)
                     : trace_database_read_failure(reader->select.connection, reader->select.status,
                                                   trace_database_path(trace_input_database(input)),
                                                   error);
    trace_value_tables_close(&reader->tables);
    (void)sqlite3_close(reader->temporary);
    return status;
}

enum ludus_status trace_flow_delays_create(struct trace_input *input,
                                           const struct trace_chosen *chosen,
                                           struct trace_flow_delays *delays,
                                           struct ludus_error *error)
{
    const struct trace_model *model;
    *delays = (struct trace_flow_delays){.windows = chosen->plan.windows.count};
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status != LUDUS_OK)
        return status;
    struct flow_reader reader = {
        .model = model, .chosen = chosen, .delays = delays, .has_memory = true};
    status = trace_input_capture(input) != NULL ? fill_temporary(&reader, input, error)
                                                : open_database(&reader, input, error);
    if (status == LUDUS_OK) {
        read_rows(&reader, by_flow_sql, count_row);
        read_rows(&reader, unbound_sql, count_unbound);
        read_rows(&reader, by_delay_sql, rank_row);
    }
    status = conclude(&reader, input, status, error);
    if (delays->count > 1)
        qsort(delays->sites, delays->count, sizeof *delays->sites, compare_sites);
    return status;
}

void trace_flow_delays_destroy(struct trace_flow_delays *delays)
{
    for (uint32_t i = 0; i < delays->count; i++)
        free(delays->sites[i].totals);
    free(delays->sites);
    *delays = (struct trace_flow_delays){0};
}
