/* Feeds an export from a capture: scopes and flows as the pass shows them, behind them GPU samples,
 * then instants and counters. */
#include <sqlite3.h>

#include "capture.h"
#include "database_schema.h"
#include "database_values.h"
#include "failure.h"
#include "perfetto.h"

struct feed {
    struct trace_perfetto *perfetto;
    bool has_samples; /* of counters */
    sqlite3 *connection;
    struct trace_value_tables tables;
    int status; /* SQLite's; the first that was not SQLITE_OK */
};

/* --- scopes and flows ------------------------------------------------------------------------ */

static enum ludus_status show_begin(void *context, const struct trace_model *model, uint32_t track,
                                    uint32_t site, int64_t begin_ns)
{
    struct trace_perfetto *perfetto = ((struct feed *)context)->perfetto;

    (void)model;
    if (!trace_perfetto_shows_track(perfetto, track))
        return LUDUS_OK;
    if (trace_perfetto_begin(perfetto, track, site, begin_ns) == NULL)
        return LUDUS_ERROR_MEMORY;
    return perfetto->writer.status;
}

static enum ludus_status show_end(void *context, const struct trace_model *model,
                                  const struct trace_slice *slice)
{
    struct trace_perfetto *perfetto = ((struct feed *)context)->perfetto;
    struct trace_perfetto_scope *scope;

    (void)model;
    if (!trace_perfetto_shows_track(perfetto, slice->track))
        return LUDUS_OK;
    scope = trace_perfetto_end(&perfetto->tracks[slice->track]);
    scope->end_ns = trace_perfetto_known_end(slice->begin_ns, slice->known_ns);
    scope->is_incomplete = slice->is_incomplete;
    scope->has_children_lost = slice->has_children_lost;
    return LUDUS_OK;
}

static enum ludus_status show_value(void *context, const struct trace_model *model,
                                    const struct trace_value *value)
{
    struct feed *feed = context;
    const bool is_in = value->kind == LCAP_EVENT_FLOW_IN;

    (void)model;
    if (!is_in && value->kind != LCAP_EVENT_FLOW_OUT) {
        feed->has_samples = true;
        return LUDUS_OK;
    }
    if (!trace_perfetto_shows_track(feed->perfetto, value->track))
        return LUDUS_OK;
    if (!trace_perfetto_flow(feed->perfetto, value->track,
                             (struct trace_perfetto_flow){value->time_ns, value->bits, is_in}))
        return LUDUS_ERROR_MEMORY;
    return feed->perfetto->writer.status;
}

/* --- GPU samples ------------------------------------------------------------------------------ */

static enum ludus_status take_gpu_frame(void *context, const struct trace_model *model,
                                        const struct trace_gpu_frame *frame)
{
    return trace_perfetto_gpu_frame(((struct feed *)context)->perfetto, model, frame);
}

static enum ludus_status take_gpu_pass(void *context, const struct trace_model *model,
                                       const struct trace_gpu_pass *pass)
{
    return trace_perfetto_gpu_pass(((struct feed *)context)->perfetto, model, pass);
}

static enum ludus_status take_gpu_calibration(void *context, const struct trace_model *model,
                                              const struct trace_gpu_calibration *calibration)
{
    return trace_perfetto_gpu_calibration(((struct feed *)context)->perfetto, model, calibration);
}

/* --- instants and counters ------------------------------------------------------------------- */

static enum ludus_status show_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct trace_perfetto *perfetto = ((struct feed *)context)->perfetto;

    (void)model;
    for (size_t i = 0; i < count; i++)
        if (!trace_perfetto_instant(perfetto, instants[i].track, instants[i].site,
                                    instants[i].time_ns))
            return LUDUS_ERROR_MEMORY;
    return perfetto->writer.status;
}

/* Ids are those of a database's first capture. */
static const struct trace_id_bases bases;

static enum ludus_status keep_values(void *context, const struct trace_model *model,
                                     const struct trace_value *values, size_t count)
{
    struct feed *feed = context;

    for (size_t i = 0; i < count && feed->status == SQLITE_OK; i++)
        if (values[i].kind == LCAP_EVENT_COUNT || values[i].kind == LCAP_EVENT_GAUGE)
            feed->status = trace_value_tables_add(&feed->tables, &bases, model, &values[i]);
    return feed->status == SQLITE_OK ? LUDUS_OK : LUDUS_ERROR_WRITE;
}

/* A database without a name: a file that nobody sees, of which no more than the cache is in memory.
 * It has the tables of an import, so that one piece of code reads both. */
static int open_tables(struct feed *feed)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int status = sqlite3_open_v2("", &feed->connection, flags, NULL);

    if (status == SQLITE_OK)
        status = sqlite3_exec(feed->connection,
                              "PRAGMA journal_mode = OFF; PRAGMA temp_store = FILE; BEGIN", NULL,
                              NULL, NULL);
    if (status == SQLITE_OK)
        status = trace_database_create(feed->connection, TRACE_SCHEMA_TABLES);
    if (status == SQLITE_OK)
        status = trace_value_tables_open(&feed->tables, feed->connection);
    return status;
}

static enum ludus_status put_instants_and_counters(struct feed *feed, struct trace_capture *capture,
                                                   struct ludus_error *error)
{
    const struct trace_visitor visitor = {.context = feed,
                                          .instants = show_instants,
                                          .values = feed->has_samples ? keep_values : NULL};
    enum ludus_status status = LUDUS_OK;

    if (feed->has_samples)
        feed->status = open_tables(feed);
    if (feed->status == SQLITE_OK)
        status = trace_capture_run(capture, NULL, &visitor, error);
    if (feed->has_samples && feed->status == SQLITE_OK && status == LUDUS_OK) {
        feed->status = trace_value_tables_finish(&feed->tables, &bases, feed->perfetto->model);
        const struct trace_perfetto_rows rows = {.connection = feed->connection,
                                                 .capture = bases.capture + 1};
        if (feed->status == SQLITE_OK)
            feed->status = trace_perfetto_put_counters(feed->perfetto, &rows);
    }
    if (feed->status != SQLITE_OK && feed->perfetto->writer.status == LUDUS_OK)
        return trace_fail(error, LUDUS_ERROR_WRITE, "counters cannot be sorted: %s",
                          sqlite3_errstr(feed->status));
    return status == LUDUS_OK ? feed->perfetto->writer.status : status;
}

enum ludus_status trace_perfetto_read_capture(struct trace_perfetto *perfetto,
                                              struct trace_capture *capture,
                                              struct ludus_error *error)
{
    struct feed feed = {.perfetto = perfetto, .status = SQLITE_OK};
    const struct trace_visitor scopes = {.context = &feed,
                                         .begin = show_begin,
                                         .end = show_end,
                                         .value = show_value,
                                         .gpu_frame = take_gpu_frame,
                                         .gpu_pass = take_gpu_pass,
                                         .gpu_calibration = take_gpu_calibration};
    enum ludus_status status = trace_capture_run(capture, NULL, &scopes, error);

    if (status == LUDUS_OK && !trace_perfetto_end_all(perfetto))
        status = trace_fail_memory(error);
    /* These lie behind all slices, as a database gives them; the second pass costs less than
     * keeping them would. */
    if (status == LUDUS_OK && (perfetto->model->instants != 0 || feed.has_samples))
        status = put_instants_and_counters(&feed, capture, error);
    trace_value_tables_close(&feed.tables);
    (void)sqlite3_close(feed.connection);
    return status;
}
