/* Samples go straight into their tables. A pass may stand before its frame in the file, so that it
 * gets to know it when all are there. */
#include "database_gpu.h"

#include "frame_table.h"
#include "gpu_queues.h"

/* A recorder tells a frame of a queue once; of a forged capture the first counts. */
static const char frames_sql[] = "CREATE TEMP TABLE measured_frame (track INTEGER, number INTEGER, "
                                 "id INTEGER, PRIMARY KEY (track, number)) WITHOUT ROWID";
static const char note_sql[] =
    "INSERT OR IGNORE INTO temp.measured_frame SELECT track_id, number, gpu_frame_id"
    " FROM main.gpu_frame WHERE gpu_frame_id > ?1 ORDER BY gpu_frame_id";
static const char join_sql[] =
    "UPDATE main.gpu_pass SET gpu_frame_id = (SELECT id FROM temp.measured_frame"
    " WHERE track = track_id AND number = frame_number) WHERE gpu_pass_id > ?1";
static const char clear_sql[] = "DELETE FROM temp.measured_frame";

int trace_gpu_tables_open(struct trace_gpu_tables *tables, sqlite3 *connection)
{
    tables->connection = connection;
    trace_insert_open(&tables->frame, connection, "gpu_frame",
                      "gpu_frame_id, capture_id, track_id, generation, number, frame_id, method, "
                      "validity, duration_ns, begin_ns, uncertainty_ns, submitted_ns, "
                      "collected_ns");
    trace_insert_open(&tables->pass, connection, "gpu_pass",
                      "gpu_pass_id, capture_id, track_id, generation, frame_number, frame_id, "
                      "site_id, name, ordinal, operation, logical_passes, validity, duration_ns, "
                      "begin_ns, uncertainty_ns, submitted_ns, collected_ns");
    trace_insert_open(&tables->calibration, connection, "gpu_calibration",
                      "gpu_calibration_id, capture_id, track_id, generation, frame_number, "
                      "mapping, uncertainty_ns, begin_tick, end_tick, begin_ns, end_ns");
    if (tables->frame.status != SQLITE_OK)
        return tables->frame.status;
    if (tables->pass.status != SQLITE_OK)
        return tables->pass.status;
    if (tables->calibration.status != SQLITE_OK)
        return tables->calibration.status;
    return sqlite3_exec(connection, frames_sql, NULL, NULL, NULL);
}

void trace_gpu_tables_close(struct trace_gpu_tables *tables)
{
    (void)trace_insert_close(&tables->frame);
    (void)trace_insert_close(&tables->pass);
    (void)trace_insert_close(&tables->calibration);
}

/* --- samples --------------------------------------------------------------------------------- */

static void put_queue(struct trace_insert *row, const struct trace_id_bases *bases,
                      const struct trace_model *model, uint32_t track)
{
    const uint32_t queue = trace_gpu_queue_of(model, track);

    trace_insert_integer(row, bases->capture + 1);
    trace_insert_id(row, bases->track, track);
    if (queue == TRACE_NONE)
        trace_insert_null(row);
    else
        trace_insert_integer(row, model->gpu_queues[queue].generation);
}

/* The frame of the default domain in which it was submitted. */
static void put_frame(struct trace_insert *row, const struct trace_id_bases *bases,
                      const struct trace_model *model, int64_t submit_ns)
{
    trace_insert_id(row, bases->frame,
                    model->domain_count == 0
                        ? TRACE_NONE
                        : trace_frame_table_find(&model->domains[0], submit_ns));
}

/* What the rows of frames and passes end with. */
static void put_time(struct trace_insert *row, const struct trace_gpu_time *time)
{
    trace_insert_name(row, TRACE_NAME_GPU_OUTCOME, time->outcome);
    if (time->duration_ns < 0)
        trace_insert_null(row);
    else
        trace_insert_integer(row, time->duration_ns);
    if (time->has_begin) {
        trace_insert_integer(row, time->begin_ns);
        trace_insert_integer(row, time->uncertainty_ns);
    } else {
        trace_insert_null(row);
        trace_insert_null(row);
    }
    trace_insert_integer(row, time->submit_ns);
    trace_insert_integer(row, time->collect_ns);
    trace_insert_row(row);
}

int trace_gpu_tables_add_frame(struct trace_gpu_tables *tables, const struct trace_id_bases *bases,
                               const struct trace_model *model, const struct trace_gpu_frame *frame)
{
    struct trace_insert *row = &tables->frame;

    trace_insert_integer(row, bases->gpu_frame + ++tables->frames);
    put_queue(row, bases, model, frame->track);
    trace_insert_count(row, frame->number);
    put_frame(row, bases, model, frame->time.submit_ns);
    trace_insert_name(row, TRACE_NAME_GPU_METHOD, frame->method);
    put_time(row, &frame->time);
    return row->status;
}

int trace_gpu_tables_add_pass(struct trace_gpu_tables *tables, const struct trace_id_bases *bases,
                              const struct trace_model *model, const struct trace_gpu_pass *pass)
{
    struct trace_insert *row = &tables->pass;

    trace_insert_integer(row, bases->gpu_pass + ++tables->passes);
    put_queue(row, bases, model, pass->track);
    trace_insert_count(row, pass->frame);
    put_frame(row, bases, model, pass->time.submit_ns);
    trace_insert_id(row, bases->site, pass->site);
    trace_insert_text(row, model->sites[pass->site].name, NULL); /* counted with the site's */
    trace_insert_integer(row, pass->ordinal);
    trace_insert_name(row, TRACE_NAME_GPU_OPERATION, pass->operation);
    trace_insert_integer(row, pass->logical_passes);
    put_time(row, &pass->time);
    return row->status;
}

int trace_gpu_tables_add_calibration(struct trace_gpu_tables *tables,
                                     const struct trace_id_bases *bases,
                                     const struct trace_model *model,
                                     const struct trace_gpu_calibration *calibration)
{
    struct trace_insert *row = &tables->calibration;

    trace_insert_integer(row, bases->gpu_calibration + ++tables->calibrations);
    put_queue(row, bases, model, calibration->track);
    trace_insert_count(row, calibration->frame);
    trace_insert_name(row, TRACE_NAME_GPU_MAPPING, calibration->mapping);
    trace_insert_integer(row, calibration->uncertainty_ns);
    trace_insert_count(row, calibration->device_ticks[0]);
    trace_insert_count(row, calibration->device_ticks[1]);
    trace_insert_integer(row, calibration->host_ns[0]);
    trace_insert_integer(row, calibration->host_ns[1]);
    trace_insert_row(row);
    return row->status;
}

/* --- frames of passes ------------------------------------------------------------------------ */

/* Runs a statement whose one parameter is the last id of the captures before. */
static int run_behind(sqlite3 *connection, const char *sql, int64_t last_id)
{
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);

    if (status == SQLITE_OK)
        status = sqlite3_bind_int64(statement, 1, last_id);
    if (status == SQLITE_OK) {
        (void)sqlite3_step(statement);
        status = sqlite3_reset(statement);
    }
    (void)sqlite3_finalize(statement);
    return status;
}

int trace_gpu_tables_finish(struct trace_gpu_tables *tables, const struct trace_id_bases *bases)
{
    if (tables->frames == 0 || tables->passes == 0)
        return SQLITE_OK;
    int status = run_behind(tables->connection, note_sql, bases->gpu_frame);
    if (status == SQLITE_OK)
        status = run_behind(tables->connection, join_sql, bases->gpu_pass);
    if (status == SQLITE_OK)
        status = sqlite3_exec(tables->connection, clear_sql, NULL, NULL, NULL);
    return status;
}

void trace_gpu_tables_advance(struct trace_gpu_tables *tables, struct trace_id_bases *bases)
{
    bases->gpu_frame += tables->frames;
    bases->gpu_pass += tables->passes;
    bases->gpu_calibration += tables->calibrations;
    tables->frames = 0;
    tables->passes = 0;
    tables->calibrations = 0;
}
