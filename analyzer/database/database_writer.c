/* Makes a new database of captures: the connection, the bulk tables slice and instant, and what
 * happens when a capture begins and ends. */
#include "database_writer.h"

#include <stdlib.h>

#include <sqlite3.h>

#include "database_failure.h"
#include "database_file.h"
#include "database_gpu.h"
#include "database_schema.h"
#include "database_tables.h"
#include "database_values.h"
#include "failure.h"
#include "frame_percentiles.h"
#include "slice_rows.h"

/* Nobody else sees the file before it is complete, so nothing of it needs to survive a crash. The
 * cache bounds memory, twice: SQLite sorts an index in pieces of its size. */
const char trace_database_bulk_settings[] = "PRAGMA page_size = 16384;"
                                            "PRAGMA journal_mode = OFF;"
                                            "PRAGMA synchronous = OFF;"
                                            "PRAGMA locking_mode = EXCLUSIVE;"
                                            "PRAGMA temp_store = FILE;"
                                            "PRAGMA cache_size = -65536;"; /* KiB */

/* Every table and index takes a page at least; a few rows of statistics need no more than this. */
static const char statistics_settings[] = "PRAGMA page_size = 1024;";

struct trace_database_writer {
    sqlite3 *connection;
    struct trace_database_file file;
    struct ludus_error *error; /* of the pass that runs */
    sqlite3_stmt *slice;       /* inserts the rows */
    struct trace_slice_rows slice_rows;
    sqlite3_stmt *instant;
    sqlite3_stmt *sched;
    struct trace_id_bases bases;
    struct trace_frames_with_calls frames_with_calls;
    struct trace_value_tables values;
    struct trace_gpu_tables gpu;
    int64_t last_slice;   /* largest id of the capture */
    int64_t last_instant; /* likewise */
    uint32_t last_frame;  /* looked up last, and whether it is complete */
    bool is_last_frame_complete;
    bool is_of_statistics; /* rows of events are left out */
};

static enum ludus_status fail_write(struct trace_database_writer *writer, int status,
                                    struct ludus_error *error)
{
    return trace_database_write_failure(writer->connection, status, writer->file.path, error);
}

/* --- slices and instants --------------------------------------------------------------------- */

static const char instant_sql[] =
    "INSERT INTO instant (instant_id, capture_id, track_id, site_id, slice_id, frame_id, time_ns)"
    " VALUES (?1,?2,?3,?4,?5,?6,?7)";

static const char sched_sql[] =
    "INSERT INTO sched_sample (capture_id, track_id, begin_ns, end_ns, processors, run_ns, wait_ns)"
    " VALUES (?1,?2,?3,?4,?5,?6,?7)";

/* Values cannot be refused: the parameters exist, and integers need no memory. */
static void bind_integer(sqlite3_stmt *statement, int parameter, int64_t value)
{
    (void)sqlite3_bind_int64(statement, parameter, value);
}

static void bind_optional(sqlite3_stmt *statement, int parameter, bool is_present, int64_t value)
{
    if (is_present)
        (void)sqlite3_bind_int64(statement, parameter, value);
    else
        (void)sqlite3_bind_null(statement, parameter);
}

static int insert_bound(sqlite3_stmt *statement)
{
    (void)sqlite3_step(statement);
    return sqlite3_reset(statement);
}

static bool is_frame_complete(struct trace_database_writer *writer, const struct trace_model *model,
                              uint32_t frame)
{
    if (frame != writer->last_frame) {
        writer->last_frame = frame;
        writer->is_last_frame_complete = trace_frame_is_complete(&model->domains[0], frame);
    }
    return writer->is_last_frame_complete;
}

/* What is kept of the slices besides their rows. */
static void note_slices(struct trace_database_writer *writer, const struct trace_model *model,
                        const struct trace_slice *slices, size_t count)
{
    struct trace_site_frames *sites = writer->frames_with_calls.sites;
    size_t i;

    for (i = 0; i < count; i++) {
        const struct trace_slice *slice = &slices[i];
        int64_t slice_id = writer->bases.slice + (int64_t)slice->slice_id;

        if (slice_id > writer->last_slice)
            writer->last_slice = slice_id;
        if (slice->frame != TRACE_NONE && is_frame_complete(writer, model, slice->frame))
            trace_site_frames_add(&sites[model->paths[slice->path].site], slice->frame);
    }
}

static enum ludus_status insert_slices(void *context, const struct trace_model *model,
                                       const struct trace_slice *slices, size_t count)
{
    struct trace_database_writer *writer = context;
    int status;

    if (trace_frames_with_calls_reserve(&writer->frames_with_calls, model->site_count) != LUDUS_OK)
        return trace_fail_memory(writer->error);
    note_slices(writer, model, slices, count);
    if (writer->is_of_statistics)
        return LUDUS_OK;
    writer->slice_rows = (struct trace_slice_rows){model, slices, count};
    status = insert_bound(writer->slice);
    return status == SQLITE_OK ? LUDUS_OK : fail_write(writer, status, writer->error);
}

static enum ludus_status insert_instants(void *context, const struct trace_model *model,
                                         const struct trace_instant *instants, size_t count)
{
    struct trace_database_writer *writer = context;
    const struct trace_id_bases *bases = &writer->bases;
    size_t i;

    (void)model;
    for (i = 0; i < count; i++) {
        const struct trace_instant *instant = &instants[i];
        sqlite3_stmt *row = writer->instant;
        int status;

        bind_integer(row, 1, ++writer->last_instant);
        bind_integer(row, 3, bases->track + (int64_t)instant->track + 1);
        bind_integer(row, 4, bases->site + (int64_t)instant->site + 1);
        bind_optional(row, 5, instant->slice_id != 0, bases->slice + (int64_t)instant->slice_id);
        bind_optional(row, 6, instant->frame != TRACE_NONE,
                      bases->frame + (int64_t)instant->frame + 1);
        bind_integer(row, 7, instant->time_ns);
        status = insert_bound(row);
        if (status != SQLITE_OK)
            return fail_write(writer, status, writer->error);
    }
    return LUDUS_OK;
}

static enum ludus_status insert_values(void *context, const struct trace_model *model,
                                       const struct trace_value *values, size_t count)
{
    struct trace_database_writer *writer = context;
    size_t i;

    for (i = 0; i < count; i++) {
        int status = trace_value_tables_add(&writer->values, &writer->bases, model, &values[i]);

        if (status != SQLITE_OK)
            return fail_write(writer, status, writer->error);
    }
    return LUDUS_OK;
}

static enum ludus_status insert_sample(void *context, const struct trace_model *model,
                                       const struct trace_sched_sample *sample)
{
    struct trace_database_writer *writer = context;
    sqlite3_stmt *row = writer->sched;
    int status;

    (void)model;
    bind_optional(row, 2, sample->track != TRACE_NONE,
                  writer->bases.track + (int64_t)sample->track + 1);
    bind_integer(row, 3, sample->begin_ns);
    bind_integer(row, 4, sample->end_ns);
    bind_integer(row, 5, sample->processors);
    bind_integer(row, 6, sample->run_ns);
    bind_integer(row, 7, sample->wait_ns);
    status = insert_bound(row);
    return status == SQLITE_OK ? LUDUS_OK : fail_write(writer, status, writer->error);
}

static enum ludus_status insert_gpu_frame(void *context, const struct trace_model *model,
                                          const struct trace_gpu_frame *frame)
{
    struct trace_database_writer *writer = context;
    int status = trace_gpu_tables_add_frame(&writer->gpu, &writer->bases, model, frame);

    return status == SQLITE_OK ? LUDUS_OK : fail_write(writer, status, writer->error);
}

static enum ludus_status insert_gpu_pass(void *context, const struct trace_model *model,
                                         const struct trace_gpu_pass *pass)
{
    struct trace_database_writer *writer = context;
    int status = trace_gpu_tables_add_pass(&writer->gpu, &writer->bases, model, pass);

    return status == SQLITE_OK ? LUDUS_OK : fail_write(writer, status, writer->error);
}

static enum ludus_status insert_gpu_calibration(void *context, const struct trace_model *model,
                                                const struct trace_gpu_calibration *calibration)
{
    struct trace_database_writer *writer = context;
    int status = trace_gpu_tables_add_calibration(&writer->gpu, &writer->bases, model, calibration);

    return status == SQLITE_OK ? LUDUS_OK : fail_write(writer, status, writer->error);
}

/* A pass without rows may begin anew. */
static void forget(void *context)
{
    struct trace_database_writer *writer = context;

    trace_frames_with_calls_clear(&writer->frames_with_calls);
    trace_value_tables_restart(&writer->values);
    writer->last_slice = writer->bases.slice;
}

/* --- captures -------------------------------------------------------------------------------- */

void trace_database_writer_begin(struct trace_database_writer *writer,
                                 struct trace_visitor *visitor, struct ludus_error *error)
{
    writer->error = error;
    writer->last_frame = TRACE_NONE;
    bind_integer(writer->instant, 2, writer->bases.capture + 1);
    bind_integer(writer->sched, 1, writer->bases.capture + 1);
    *visitor = (struct trace_visitor){.context = writer,
                                      .slices = insert_slices,
                                      .instants = insert_instants,
                                      .values = insert_values,
                                      .sched = insert_sample,
                                      .gpu_frame = insert_gpu_frame,
                                      .gpu_pass = insert_gpu_pass,
                                      .gpu_calibration = insert_gpu_calibration};
    if (writer->is_of_statistics)
        *visitor = (struct trace_visitor){
            .context = writer, .slices = insert_slices, .values = insert_values, .restart = forget};
}

/* The next capture's ids begin behind this one's. */
static void advance_bases(struct trace_database_writer *writer, const struct trace_model *model)
{
    struct trace_id_bases *bases = &writer->bases;
    uint32_t i;

    bases->capture++;
    bases->clock += model->clock_count;
    bases->calibration += model->calibration_count;
    bases->category += model->category_count;
    bases->site += model->site_count;
    bases->track += model->track_count;
    bases->domain += model->domain_count;
    for (i = 0; i < model->domain_count; i++)
        bases->frame += model->domains[i].frame_count;
    bases->path += model->path_count > 0 ? model->path_count - 1 : 0;
    bases->slice = writer->last_slice;
    bases->instant = writer->last_instant;
    bases->loss += model->loss_count;
    bases->diagnostic += model->diagnostic_count;
    bases->damage += model->damage_count;
    bases->trigger += model->trigger_count;
    bases->window += model->window_count;
    bases->gpu_queue += model->gpu_queue_count;
}

enum ludus_status trace_database_writer_end(struct trace_database_writer *writer,
                                            const struct trace_model *model, const char *file,
                                            struct ludus_error *error)
{
    int status = trace_value_tables_finish(&writer->values, &writer->bases, model);

    if (status == SQLITE_OK)
        status = trace_gpu_tables_finish(&writer->gpu, &writer->bases);
    if (status == SQLITE_OK)
        status = trace_insert_model(writer->connection, &writer->bases, model, file,
                                    &writer->values.totals);
    if (status == SQLITE_OK)
        status = trace_insert_statistics(writer->connection, &writer->bases, model,
                                         &writer->frames_with_calls, writer->is_of_statistics);
    if (status == SQLITE_OK)
        status = trace_value_tables_insert_stats(&writer->values, &writer->bases, model);
    if (status != SQLITE_OK)
        return fail_write(writer, status, error);
    trace_frames_with_calls_clear(&writer->frames_with_calls);
    trace_value_tables_advance(&writer->values);
    trace_gpu_tables_advance(&writer->gpu, &writer->bases);
    advance_bases(writer, model);
    return LUDUS_OK;
}

/* --- the file -------------------------------------------------------------------------------- */

static int open_connection(struct trace_database_writer *writer)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int status = sqlite3_open_v2(writer->file.temporary, &writer->connection, flags, NULL);

    if (status == SQLITE_OK)
        status = sqlite3_exec(writer->connection, trace_database_bulk_settings, NULL, NULL, NULL);
    if (status == SQLITE_OK && writer->is_of_statistics)
        status = sqlite3_exec(writer->connection, statistics_settings, NULL, NULL, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_exec(writer->connection, "BEGIN", NULL, NULL, NULL);
    if (status == SQLITE_OK)
        status = trace_database_create(writer->connection, TRACE_SCHEMA_TABLES);
    if (status == SQLITE_OK)
        status = trace_slice_rows_prepare(writer->connection, &writer->slice_rows, &writer->bases,
                                          &writer->slice);
    if (status == SQLITE_OK)
        status = sqlite3_prepare_v3(writer->connection, instant_sql, -1, SQLITE_PREPARE_PERSISTENT,
                                    &writer->instant, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_prepare_v3(writer->connection, sched_sql, -1, SQLITE_PREPARE_PERSISTENT,
                                    &writer->sched, NULL);
    if (status == SQLITE_OK)
        status = trace_value_tables_open(&writer->values, writer->connection);
    if (status == SQLITE_OK)
        status = trace_gpu_tables_open(&writer->gpu, writer->connection);
    return status;
}

static enum ludus_status open_writer(const char *path, const struct trace_watch *watch,
                                     bool is_of_statistics, struct trace_database_writer **writer,
                                     struct ludus_error *error)
{
    struct trace_database_writer *new_writer = calloc(1, sizeof *new_writer);
    enum ludus_status status;
    int sqlite_status;

    *writer = NULL;
    if (new_writer == NULL)
        return trace_fail_memory(error);
    new_writer->is_of_statistics = is_of_statistics;
    if (is_of_statistics)
        trace_value_tables_leave_out(&new_writer->values);
    status = trace_database_file_open(&new_writer->file, path, watch, error);
    if (status == LUDUS_OK) {
        sqlite_status = open_connection(new_writer);
        if (sqlite_status != SQLITE_OK)
            status = fail_write(new_writer, sqlite_status, error);
    }
    if (status != LUDUS_OK) {
        trace_database_writer_close(new_writer);
        return status;
    }
    *writer = new_writer;
    return LUDUS_OK;
}

enum ludus_status trace_database_writer_open(const char *path, const struct trace_watch *watch,
                                             struct trace_database_writer **writer,
                                             struct ludus_error *error)
{
    return open_writer(path, watch, false, writer, error);
}

enum ludus_status trace_database_writer_open_small(const char *path,
                                                   const struct trace_watch *watch,
                                                   struct trace_database_writer **writer,
                                                   struct ludus_error *error)
{
    return open_writer(path, watch, true, writer, error);
}

static int close_connection(struct trace_database_writer *writer)
{
    int status;

    trace_value_tables_close(&writer->values);
    trace_gpu_tables_close(&writer->gpu);
    (void)sqlite3_finalize(writer->slice);
    (void)sqlite3_finalize(writer->instant);
    (void)sqlite3_finalize(writer->sched);
    writer->slice = NULL;
    writer->instant = NULL;
    writer->sched = NULL;
    status = sqlite3_close(writer->connection);
    writer->connection = NULL;
    return status;
}

enum ludus_status trace_database_writer_commit(struct trace_database_writer *writer,
                                               struct ludus_error *error)
{
    int status = trace_database_create(writer->connection, TRACE_SCHEMA_INDEXES);

    if (status == SQLITE_OK)
        status = sqlite3_exec(writer->connection, "COMMIT", NULL, NULL, NULL);
    if (status == SQLITE_OK)
        status = close_connection(writer);
    if (status != SQLITE_OK)
        return fail_write(writer, status, error);
    return trace_database_file_commit(&writer->file, error);
}

void trace_database_writer_close(struct trace_database_writer *writer)
{
    if (writer == NULL)
        return;
    (void)close_connection(writer);
    trace_database_file_close(&writer->file);
    trace_frames_with_calls_clear(&writer->frames_with_calls);
    free(writer);
}
