/* A pass over a capture in a database: shows its rows as the pass over the capture itself did, and
 * fills the statistics of a plan with them. */
#include "database_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock_map.h"
#include "database_connection.h"
#include "database_failure.h"
#include "database_gpu_rows.h"
#include "database_select.h"
#include "failure.h"
#include "gpu_totals.h"
#include "lcap_layout.h"
#include "statistics.h"

/* A slice whose end was not shown yet. */
struct open_row {
    struct trace_slice slice;
    struct trace_placed placed;
};

struct row_stack {
    struct open_row *rows;
    uint32_t depth;
    uint32_t most; /* so far */
};

/* What stops a pass first: of SQLite in `select`, of memory and the visitor in `status`. */
struct database_pass {
    struct trace_select select; /* first, so that a row's function finds the rest */
    struct trace_statistics statistics;
    const struct trace_pass_plan *plan;
    const struct trace_visitor *visitor;
    struct row_stack *stacks; /* by track */
    enum ludus_status status;
    int64_t site_base, track_base, path_base, slice_base;
};

static bool is_stopped(const struct database_pass *pass)
{
    return pass->select.status != SQLITE_OK || pass->status != LUDUS_OK;
}

/* Keeps what a visitor returned. */
static void shown(struct database_pass *pass, enum ludus_status status)
{
    if (pass->status == LUDUS_OK)
        pass->status = status;
}

static void refuse_row(struct database_pass *pass)
{
    if (pass->select.status == SQLITE_OK)
        pass->select.status = SQLITE_CORRUPT;
}

/* The track of a row, TRACE_NONE when its events do not count. */
static uint32_t read_track(struct database_pass *pass, int column)
{
    uint32_t track = trace_column_index(&pass->select, column, pass->track_base,
                                        pass->select.model->track_count);
    if (track == TRACE_NONE)
        refuse_row(pass);
    if (track == TRACE_NONE || !trace_pass_plan_counts(pass->plan, track))
        return TRACE_NONE;
    if (trace_statistics_track(&pass->statistics, track) == NULL)
        pass->status = LUDUS_ERROR_MEMORY;
    return track;
}

static uint32_t read_site(struct database_pass *pass, int column)
{
    return trace_column_index(&pass->select, column, pass->site_base,
                              pass->select.model->site_count);
}

static uint64_t read_slice_id(struct database_pass *pass, int column)
{
    int64_t id = trace_column_integer(&pass->select, column);
    return id > pass->slice_base ? (uint64_t)(id - pass->slice_base) : 0;
}

/* The frame of a time, of the plan's domain. */
static uint32_t frame_of(struct database_pass *pass, uint32_t track, int64_t time_ns)
{
    struct trace_track_counts *counts = &pass->statistics.tracks[track];
    trace_statistics_go(&pass->statistics, counts, time_ns);
    return counts->frame;
}

/* --- slices ---------------------------------------------------------------------------------- */

/* Counts a slice that has ended. */
static void count_slice(struct database_pass *pass, const struct open_row *row, bool is_top_level)
{
    const struct trace_slice *slice = &row->slice;
    struct trace_model *model = pass->select.model;
    struct trace_closed closed = {.begin_ns = slice->begin_ns,
                                  .known_ns = slice->known_ns,
                                  .exclusive_ns = slice->exclusive_ns,
                                  .track = slice->track,
                                  .path = slice->path,
                                  .is_incomplete = slice->is_incomplete,
                                  .is_top_level = is_top_level};
    bool is_done;
    (void)trace_statistics_close(&pass->statistics, &pass->statistics.tracks[slice->track],
                                 &row->placed, &closed, &is_done);
    model->slices_begun_before += model->has_window && slice->begin_ns < model->window_begin_ns;
    if (!is_done)
        pass->status = LUDUS_ERROR_MEMORY;
}

/* Ends the innermost slice of a track. */
static void end_slice(struct database_pass *pass, uint32_t track)
{
    struct row_stack *stack = &pass->stacks[track];
    struct trace_model *model = pass->select.model;
    const struct open_row *row = &stack->rows[--stack->depth];
    const struct trace_slice *slice = &row->slice;
    model->tracks[track].incomplete += slice->is_incomplete;
    if (!pass->plan->is_without_sums)
        count_slice(pass, row, stack->depth == 0);
    if (pass->visitor != NULL && pass->visitor->end != NULL)
        shown(pass, pass->visitor->end(pass->visitor->context, model, slice));
}

/* Ends what does not contain the next slice of the track. */
static void end_until(struct database_pass *pass, uint32_t track, uint64_t parent_id)
{
    struct row_stack *stack = &pass->stacks[track];
    while (!is_stopped(pass) && stack->depth != 0 &&
           stack->rows[stack->depth - 1].slice.slice_id != parent_id)
        end_slice(pass, track);
    if (stack->depth == 0 && parent_id != 0)
        refuse_row(pass);
}

static void begin_slice(struct database_pass *pass, struct trace_slice *slice)
{
    struct row_stack *stack = &pass->stacks[slice->track];
    struct trace_model *model = pass->select.model;
    struct trace_track_counts *counts = &pass->statistics.tracks[slice->track];
    const struct trace_visitor *visitor = pass->visitor;
    struct trace_placed placed = {0};
    if (stack->depth == stack->most &&
        !trace_array_grow(&stack->rows, stack->most++, sizeof *stack->rows)) {
        pass->status = LUDUS_ERROR_MEMORY;
        return;
    }
    if (!trace_statistics_place(&pass->statistics, counts, slice->path, slice->begin_ns, &placed)) {
        pass->status = LUDUS_ERROR_MEMORY;
        return;
    }
    slice->frame = counts->frame;
    stack->rows[stack->depth++] = (struct open_row){*slice, placed};
    if (visitor != NULL && visitor->begin != NULL)
        shown(pass, visitor->begin(visitor->context, model, slice->track,
                                   model->paths[slice->path].site, slice->begin_ns));
    if (visitor != NULL && visitor->slices != NULL)
        shown(pass, visitor->slices(visitor->context, model, slice, 1));
}

static const char slice_sql[] =
    "SELECT track_id, slice_id, parent_id, path_id, begin_ns, known_ns, exclusive_ns,"
    " incomplete, children_lost FROM slice WHERE capture_id = ?1 ORDER BY slice_id";

static void read_slice(struct database_pass *pass)
{
    struct trace_select *select = &pass->select;
    uint32_t track = read_track(pass, 0);
    if (track == TRACE_NONE || is_stopped(pass))
        return;
    struct trace_slice slice = {.slice_id = read_slice_id(pass, 1),
                                .parent_id = read_slice_id(pass, 2),
                                .begin_ns = trace_column_time(select, 4),
                                .duration_ns = -1,
                                .known_ns = trace_column_integer(select, 5),
                                .exclusive_ns = -1,
                                .track = track,
                                .is_incomplete = trace_column_integer(select, 7) != 0,
                                .has_children_lost = trace_column_integer(select, 8) != 0};
    if (is_stopped(pass))
        return;
    uint32_t path = trace_column_index(select, 3, pass->path_base, select->model->path_count - 1);
    if (path == TRACE_NONE || slice.slice_id == 0 || slice.known_ns < 0 ||
        slice.known_ns > TRACE_LAST_NS - slice.begin_ns)
        refuse_row(pass);
    slice.path = path + 1;
    if (!slice.is_incomplete)
        slice.duration_ns = slice.known_ns;
    if (!slice.is_incomplete && !slice.has_children_lost)
        slice.exclusive_ns = trace_column_integer(select, 6);
    if (!is_stopped(pass))
        end_until(pass, track, slice.parent_id);
    if (!is_stopped(pass))
        begin_slice(pass, &slice);
}

static void end_all(struct database_pass *pass)
{
    struct trace_model *model = pass->select.model;
    for (uint32_t track = 0; track < model->track_count; track++) {
        while (!is_stopped(pass) && pass->stacks[track].depth != 0)
            end_slice(pass, track);
    }
}

/* --- everything else ------------------------------------------------------------------------- */

static const char instant_sql[] = "SELECT track_id, site_id, slice_id, time_ns FROM instant "
                                  "WHERE capture_id = ?1 ORDER BY instant_id";

static void read_instant(struct database_pass *pass)
{
    struct trace_instant instant = {.track = read_track(pass, 0)};
    if (instant.track == TRACE_NONE || is_stopped(pass))
        return;
    instant.site = read_site(pass, 1);
    instant.slice_id = read_slice_id(pass, 2);
    instant.time_ns = trace_column_integer(&pass->select, 3);
    instant.frame = frame_of(pass, instant.track, instant.time_ns);
    pass->select.model->tracks[instant.track].instants++;
    pass->select.model->instants++;
    if (instant.site == TRACE_NONE)
        refuse_row(pass);
    else if (pass->visitor != NULL && pass->visitor->instants != NULL)
        shown(pass,
              pass->visitor->instants(pass->visitor->context, pass->select.model, &instant, 1));
}

/* Samples, in their order, which CROSS keeps whatever the planner thinks; and the ends of flows. */
static const char value_sql[] =
    "SELECT counter_sample.track_id, counter.site_id, NULL, time_ns, value,"
    " CASE kind WHEN 'count' THEN 5 ELSE 6 END, time_known, NULL"
    " FROM counter_sample CROSS JOIN counter USING (counter_id)"
    " WHERE counter_sample.capture_id = ?1"
    " UNION ALL SELECT track_id, site_id, slice_id, time_ns, NULL, 3, 1, flow"
    " FROM flow_out WHERE capture_id = ?1"
    " UNION ALL SELECT in_track_id, in_site_id, in_slice_id, in_ns, NULL, 4, 1, flow"
    " FROM flow WHERE capture_id = ?1";

static uint64_t read_value_bits(struct database_pass *pass, uint32_t kind)
{
    struct trace_select *select = &pass->select;
    if (kind == LCAP_EVENT_COUNT)
        return (uint64_t)trace_column_integer(select, 4);
    if (kind != LCAP_EVENT_GAUGE)
        return trace_column_identity(select, 7);
    double number = sqlite3_column_type(select->row, 4) == SQLITE_NULL
                        ? (double)NAN
                        : sqlite3_column_double(select->row, 4);
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void read_value(struct database_pass *pass)
{
    struct trace_select *select = &pass->select;
    struct trace_value value = {.track = read_track(pass, 0), .frame = TRACE_NONE};
    if (value.track == TRACE_NONE || is_stopped(pass))
        return;
    value.site = read_site(pass, 1);
    value.slice_id = read_slice_id(pass, 2);
    value.time_ns = trace_column_integer(select, 3);
    value.kind = (uint32_t)trace_column_integer(select, 5);
    value.bits = read_value_bits(pass, value.kind);
    value.is_time_known = trace_column_integer(select, 6) != 0;
    if (value.is_time_known)
        value.frame = frame_of(pass, value.track, value.time_ns);
    if (is_stopped(pass))
        return;
    if (pass->plan->has_value_rows &&
        !trace_value_sums_take(&pass->statistics.values, select->model, &value))
        pass->status = LUDUS_ERROR_MEMORY;
    if (pass->visitor != NULL && pass->visitor->values != NULL)
        shown(pass, pass->visitor->values(pass->visitor->context, select->model, &value, 1));
}

static const char sched_sql[] = "SELECT track_id, begin_ns, end_ns, run_ns, wait_ns, processors "
                                "FROM sched_sample WHERE capture_id = ?1 ORDER BY rowid";

static void read_sample(struct database_pass *pass)
{
    struct trace_select *select = &pass->select;
    struct trace_sched_sample sample = {
        .begin_ns = trace_column_integer(select, 1),
        .end_ns = trace_column_integer(select, 2),
        .run_ns = trace_column_integer(select, 3),
        .wait_ns = trace_column_integer(select, 4),
        .track = trace_column_index(select, 0, pass->track_base, select->model->track_count),
        .processors = trace_column_u32(select, 5)};
    if (!is_stopped(pass))
        shown(pass, pass->visitor->sched(pass->visitor->context, select->model, &sample));
}

/* --- the pass -------------------------------------------------------------------------------- */

static void read_rows(struct database_pass *pass, const char *sql,
                      void (*read_row)(struct database_pass *pass))
{
    struct trace_select *select = &pass->select;
    if (is_stopped(pass))
        return;
    select->status = sqlite3_prepare_v2(select->connection, sql, -1, &select->row, NULL);
    if (select->status == SQLITE_OK)
        select->status = sqlite3_bind_int64(select->row, 1, select->capture);
    while (!is_stopped(pass) && sqlite3_step(select->row) == SQLITE_ROW)
        read_row(pass);
    int status = sqlite3_finalize(select->row);
    if (select->status == SQLITE_OK && pass->status == LUDUS_OK)
        select->status = status;
}

static void set_bases(struct database_pass *pass)
{
    struct trace_select *select = &pass->select;
    pass->site_base = trace_select_base(select, "site", "site_id");
    pass->track_base = trace_select_base(select, "track", "track_id");
    pass->path_base = trace_select_base(select, "path", "path_id");
    pass->slice_base = trace_select_base(select, "slice", "slice_id");
}

static void show_gpu(struct database_pass *pass, const struct trace_visitor *visitor)
{
    if (!is_stopped(pass))
        shown(pass, trace_database_show_gpu(&pass->select, pass->select.model, visitor,
                                            pass->track_base, pass->site_base));
}

/* Makes the rows of GPU work. */
static void fill_gpu(struct database_pass *pass)
{
    struct trace_model *model = pass->select.model;
    struct trace_gpu_totals totals;
    if (trace_gpu_totals_create(&totals, model, pass->plan)) {
        const struct trace_visitor visitor = trace_gpu_totals_visitor(&totals, true);
        show_gpu(pass, &visitor);
    } else {
        pass->status = LUDUS_ERROR_MEMORY;
    }
    if (!is_stopped(pass) && !trace_gpu_totals_fill(&totals, model))
        pass->status = LUDUS_ERROR_MEMORY;
    trace_gpu_totals_destroy(&totals);
}

static void run(struct database_pass *pass)
{
    const struct trace_visitor *visitor = pass->visitor;
    set_bases(pass);
    read_rows(pass, slice_sql, read_slice);
    end_all(pass);
    read_rows(pass, instant_sql, read_instant);
    if (pass->plan->has_value_rows || (visitor != NULL && visitor->values != NULL))
        read_rows(pass, value_sql, read_value);
    if (visitor != NULL && visitor->sched != NULL)
        read_rows(pass, sched_sql, read_sample);
    if (pass->plan->has_value_rows && !is_stopped(pass))
        fill_gpu(pass);
    if (visitor != NULL)
        show_gpu(pass, visitor);
    if (!is_stopped(pass) && !trace_statistics_fill(&pass->statistics, pass->select.model))
        pass->status = LUDUS_ERROR_MEMORY;
}

static enum ludus_status finish(const struct database_pass *pass, struct trace_database *database,
                                struct ludus_error *error)
{
    if (pass->status == LUDUS_ERROR_MEMORY)
        return trace_fail_memory(error);
    if (pass->select.status != SQLITE_OK)
        return trace_database_read_failure(pass->select.connection, pass->select.status,
                                           trace_database_path(database), error);
    return pass->status;
}

enum ludus_status trace_database_run(struct trace_database *database, uint32_t capture,
                                     struct trace_model *model, const struct trace_pass_plan *plan,
                                     const struct trace_visitor *visitor, struct ludus_error *error)
{
    struct database_pass pass = {
        .select = {.connection = trace_database_connection(database), .model = model},
        .plan = plan,
        .visitor = visitor};
    enum ludus_status status =
        trace_database_choose(database, capture, &pass.select.capture, error);
    if (status != LUDUS_OK)
        return status;
    trace_model_forget_statistics(model);
    pass.stacks = calloc((size_t)model->track_count + 1, sizeof *pass.stacks);
    if (pass.stacks != NULL && trace_statistics_create(&pass.statistics, model, plan))
        run(&pass);
    else
        pass.status = LUDUS_ERROR_MEMORY;
    for (uint32_t i = 0; pass.stacks != NULL && i < model->track_count; i++)
        free(pass.stacks[i].rows);
    free(pass.stacks);
    trace_statistics_destroy(&pass.statistics);
    return finish(&pass, database, error);
}

enum ludus_status trace_database_run_gpu(struct trace_database *database, uint32_t capture,
                                         struct trace_model *model,
                                         const struct trace_visitor *visitor,
                                         struct ludus_error *error)
{
    struct database_pass pass = {
        .select = {.connection = trace_database_connection(database), .model = model}};
    enum ludus_status status =
        trace_database_choose(database, capture, &pass.select.capture, error);
    if (status != LUDUS_OK)
        return status;
    set_bases(&pass);
    show_gpu(&pass, visitor);
    return finish(&pass, database, error);
}
