/* Takes GPU samples into a table, and has them put in the order of time. */
#include "perfetto_gpu.h"

#include "perfetto.h"

/* Memory for pages, in KiB; more is in the file. Samples of frames have no site. */
static const char settings_sql[] =
    "PRAGMA cache_size = -2048; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA temp_store = FILE;"
    "CREATE TABLE sample (sample_id INTEGER PRIMARY KEY, track, site, identity, ordinal, operation,"
    " logical_passes, frame, duration_ns, submit_ns, collect_ns, begin_ns, uncertainty_ns); BEGIN";

#define COLUMNS                                                                                    \
    "track, site, ordinal, operation, logical_passes, frame, duration_ns, submit_ns, collect_ns, " \
    "begin_ns, uncertainty_ns"

/* A frame's site is NULL, which comes first. */
static const char counters_sql[] = "SELECT " COLUMNS " FROM sample "
                                   "ORDER BY track, site, ordinal, operation, submit_ns, sample_id";
static const char slices_sql[] =
    "SELECT " COLUMNS " FROM sample WHERE site IS NOT NULL AND begin_ns IS NOT NULL "
    "ORDER BY track, begin_ns, duration_ns DESC, identity, ordinal, sample_id";

static int open_table(struct trace_perfetto_gpu *gpu)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int status = sqlite3_open_v2("", &gpu->connection, flags, NULL);

    if (status == SQLITE_OK)
        status = sqlite3_exec(gpu->connection, settings_sql, NULL, NULL, NULL);
    if (status != SQLITE_OK)
        return status;
    trace_insert_open(&gpu->insert, gpu->connection, "sample",
                      "track, site, identity, ordinal, operation, logical_passes, frame, "
                      "duration_ns, submit_ns, collect_ns, begin_ns, uncertainty_ns");
    return gpu->insert.status;
}

void trace_perfetto_gpu_close(struct trace_perfetto_gpu *gpu)
{
    (void)trace_insert_close(&gpu->insert);
    (void)sqlite3_close(gpu->connection);
    gpu->connection = NULL;
}

/* --- taken ----------------------------------------------------------------------------------- */

static bool is_drawn(const struct trace_perfetto *perfetto,
                     const struct trace_perfetto_sample *sample)
{
    return trace_perfetto_shows(perfetto, sample->begin_ns) ||
           trace_span_list_overlap(&perfetto->options.spans, sample->begin_ns,
                                   trace_perfetto_sample_end(sample)) > 0;
}

static void insert_sample(struct trace_insert *insert, const struct trace_model *model,
                          const struct trace_perfetto_sample *sample, bool has_begin)
{
    trace_insert_integer(insert, sample->track);
    if (sample->site == TRACE_NONE) {
        trace_insert_null(insert);
        trace_insert_null(insert);
    } else {
        trace_insert_integer(insert, sample->site);
        trace_insert_integer(insert, model->sites[sample->site].id);
    }
    trace_insert_integer(insert, sample->ordinal);
    trace_insert_integer(insert, sample->operation);
    trace_insert_integer(insert, sample->logical_passes);
    trace_insert_count(insert, sample->frame);
    trace_insert_integer(insert, sample->duration_ns);
    trace_insert_integer(insert, sample->submit_ns);
    trace_insert_integer(insert, sample->collect_ns);
    if (has_begin) {
        trace_insert_integer(insert, sample->begin_ns);
        trace_insert_integer(insert, sample->uncertainty_ns);
    } else {
        trace_insert_null(insert);
        trace_insert_null(insert);
    }
    trace_insert_row(insert);
}

/* Takes a sample whose track is shown; `time` gives the rest of it. */
static enum ludus_status take_sample(struct trace_perfetto *perfetto,
                                     const struct trace_gpu_time *time,
                                     struct trace_perfetto_sample sample)
{
    struct trace_perfetto_gpu *gpu = &perfetto->gpu;
    struct trace_perfetto_track *track = trace_perfetto_track(perfetto, sample.track);
    const bool is_counted = trace_perfetto_shows(perfetto, time->submit_ns);

    if (track == NULL)
        return LUDUS_ERROR_MEMORY;
    track->is_gpu_queue = true;
    if (time->outcome != LCAP_GPU_VALID) {
        uint64_t *outcomes = gpu->outcomes[sample.site == TRACE_NONE ? 0 : 1];

        outcomes[time->outcome < TRACE_PERFETTO_OUTCOMES ? time->outcome
                                                         : TRACE_PERFETTO_OUTCOMES - 1] +=
            is_counted;
        return LUDUS_OK;
    }
    sample.duration_ns = time->duration_ns;
    sample.begin_ns = time->begin_ns;
    sample.submit_ns = time->submit_ns;
    sample.collect_ns = time->collect_ns;
    sample.uncertainty_ns = time->uncertainty_ns;
    if (!is_counted &&
        (sample.site == TRACE_NONE || !time->has_begin || !is_drawn(perfetto, &sample)))
        return LUDUS_OK;
    if (gpu->connection == NULL && gpu->insert.status == SQLITE_OK)
        gpu->insert.status = open_table(gpu);
    insert_sample(&gpu->insert, perfetto->model, &sample, time->has_begin);
    return gpu->insert.status == SQLITE_OK ? LUDUS_OK : LUDUS_ERROR_WRITE;
}

enum ludus_status trace_perfetto_gpu_frame(void *context, const struct trace_model *model,
                                           const struct trace_gpu_frame *frame)
{
    const struct trace_perfetto_sample sample = {
        .frame = frame->number, .track = frame->track, .site = TRACE_NONE};

    (void)model;
    return trace_perfetto_shows_track(context, frame->track)
               ? take_sample(context, &frame->time, sample)
               : LUDUS_OK;
}

enum ludus_status trace_perfetto_gpu_pass(void *context, const struct trace_model *model,
                                          const struct trace_gpu_pass *pass)
{
    const struct trace_perfetto_sample sample = {.frame = pass->frame,
                                                 .track = pass->track,
                                                 .site = pass->site,
                                                 .ordinal = pass->ordinal,
                                                 .operation = pass->operation,
                                                 .logical_passes = pass->logical_passes};

    (void)model;
    return trace_perfetto_shows_track(context, pass->track) &&
                   trace_perfetto_shows_site(context, pass->site)
               ? take_sample(context, &pass->time, sample)
               : LUDUS_OK;
}

enum ludus_status trace_perfetto_gpu_calibration(void *context, const struct trace_model *model,
                                                 const struct trace_gpu_calibration *calibration)
{
    struct trace_perfetto *perfetto = context;
    const uint32_t mapping = calibration->mapping < TRACE_PERFETTO_OUTCOMES
                                 ? calibration->mapping
                                 : TRACE_PERFETTO_OUTCOMES - 1;

    (void)model;
    perfetto->gpu.mappings[mapping] += trace_perfetto_shows_track(perfetto, calibration->track);
    return LUDUS_OK;
}

/* --- shown ----------------------------------------------------------------------------------- */

static struct trace_perfetto_sample read_sample(sqlite3_stmt *row)
{
    return (struct trace_perfetto_sample){
        .track = (uint32_t)sqlite3_column_int64(row, 0),
        .site = sqlite3_column_type(row, 1) == SQLITE_NULL ? TRACE_NONE
                                                           : (uint32_t)sqlite3_column_int64(row, 1),
        .ordinal = (uint32_t)sqlite3_column_int64(row, 2),
        .operation = (uint32_t)sqlite3_column_int64(row, 3),
        .logical_passes = (uint32_t)sqlite3_column_int64(row, 4),
        .frame = (uint64_t)sqlite3_column_int64(row, 5),
        .duration_ns = sqlite3_column_int64(row, 6),
        .submit_ns = sqlite3_column_int64(row, 7),
        .collect_ns = sqlite3_column_int64(row, 8),
        .begin_ns = sqlite3_column_int64(row, 9),
        .uncertainty_ns = (uint32_t)sqlite3_column_int64(row, 10)};
}

static void put_counters(struct trace_perfetto *perfetto, sqlite3_stmt *row)
{
    struct trace_perfetto_gpu *gpu = &perfetto->gpu;

    while (perfetto->writer.status == LUDUS_OK && sqlite3_step(row) == SQLITE_ROW) {
        const struct trace_perfetto_sample sample = read_sample(row);

        if (!trace_perfetto_shows(perfetto, sample.submit_ns))
            continue;
        if (sample.site == TRACE_NONE) {
            gpu->frame_samples++;
        } else {
            gpu->pass_samples++;
            gpu->passes_without_time += sqlite3_column_type(row, 9) == SQLITE_NULL;
        }
        trace_perfetto_put_gpu_counter(perfetto, &sample);
    }
}

static void put_slices(struct trace_perfetto *perfetto, sqlite3_stmt *row)
{
    struct trace_perfetto_lanes lanes = {.track = TRACE_NONE};

    while (perfetto->writer.status == LUDUS_OK && sqlite3_step(row) == SQLITE_ROW) {
        const struct trace_perfetto_sample sample = read_sample(row);

        trace_perfetto_put_gpu_slice(perfetto, &lanes, &sample);
    }
}

static void put_rows(struct trace_perfetto *perfetto, const char *sql,
                     void (*put)(struct trace_perfetto *perfetto, sqlite3_stmt *row))
{
    struct trace_perfetto_gpu *gpu = &perfetto->gpu;
    sqlite3_stmt *row = NULL;

    if (gpu->insert.status != SQLITE_OK)
        return;
    gpu->insert.status = sqlite3_prepare_v2(gpu->connection, sql, -1, &row, NULL);
    if (gpu->insert.status != SQLITE_OK)
        return;
    put(perfetto, row);
    gpu->insert.status = sqlite3_finalize(row);
}

static void put_processes(struct trace_perfetto *perfetto)
{
    struct trace_perfetto_gpu *gpu = &perfetto->gpu;

    for (uint32_t track = 0; track < perfetto->track_count; track++)
        if (perfetto->tracks[track].is_gpu_queue)
            perfetto->tracks[track].gpu_process = gpu->processes++;
    gpu->first_tid = trace_perfetto_domain_tid(perfetto->model, perfetto->model->domain_count);
    for (uint32_t track = 0; track < perfetto->track_count; track++)
        if (perfetto->tracks[track].is_gpu_queue)
            trace_perfetto_put_gpu_process(perfetto, track);
}

int trace_perfetto_put_gpu(struct trace_perfetto *perfetto)
{
    put_processes(perfetto);
    if (perfetto->gpu.connection != NULL) {
        put_rows(perfetto, counters_sql, put_counters);
        put_rows(perfetto, slices_sql, put_slices);
    }
    return perfetto->gpu.insert.status;
}
