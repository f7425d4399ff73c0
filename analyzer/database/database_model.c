/* Reads a capture's model back from a database: all that reports show, equal to what was imported.
 */
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "database_connection.h"
#include "database_failure.h"
#include "database_select.h"
#include "failure.h"
#include "frame_table.h"
#include "lcap_layout.h"
#include "path_sums.h"

/* What rows refer to by id. */
struct loader {
    struct trace_select select; /* first, so that a row's function finds the rest */
    int64_t category_base;
    int64_t site_base;
    int64_t track_base;
    int64_t path_base;
    int64_t domain_base;
    int64_t window_base;
    uint32_t *path_groups; /* by track, 0 of none: place in the model's path_sums, from 1 on */
};

static struct loader *loader_of(struct trace_select *select)
{
    return (struct loader *)(void *)select;
}

static void read_fact(struct trace_select *select, void *element)
{
    struct trace_fact *fact = element;

    fact->key = trace_column_text(select, 0);
    fact->value = trace_column_text(select, 1);
}

static void read_event_count(struct trace_select *select, void *element)
{
    struct trace_model *model = select->model;
    const char *outcome = trace_column_string(select, 0);
    bool is_recorded = outcome != NULL && strcmp(outcome, "recorded") == 0;
    struct lcap_counts *counts = is_recorded ? &model->recorded : &model->dropped;

    (void)element;
    model->has_counts = true;
    counts->scopes = trace_column_count(select, 1);
    counts->instants = trace_column_count(select, 2);
    counts->frames = trace_column_count(select, 3);
    counts->flows = trace_column_count(select, 4);
    counts->gauges = trace_column_count(select, 5);
}

/* -1 for NULL. */
static int64_t column_residual(struct trace_select *select, int column)
{
    if (sqlite3_column_type(select->row, column) == SQLITE_NULL)
        return -1;
    return (int64_t)trace_column_count(select, column);
}

static void read_clock(struct trace_select *select, void *element)
{
    struct trace_clock *clock = element;

    clock->id = trace_column_u32(select, 0);
    clock->source = trace_column_number(select, 1, TRACE_NAME_CLOCK_SOURCE);
    clock->reason = trace_column_text(select, 2);
    clock->ticks_per_second = trace_column_count(select, 3);
    clock->step = trace_column_count(select, 4);
    clock->calibrations = trace_column_u32(select, 5);
    clock->max_uncertainty_ns = trace_column_u32(select, 6);
    clock->max_residual_ns = column_residual(select, 7);
    clock->max_residual_ppb = column_residual(select, 8);
}

static void read_category(struct trace_select *select, void *element)
{
    struct trace_category *category = element;
    const char *colour = (const char *)sqlite3_column_text(select->row, 1);

    category->name = trace_column_text(select, 0);
    category->colour = LCAP_NO_COLOUR;
    if (colour != NULL && colour[0] == '#')
        category->colour = (uint32_t)strtoul(colour + 1, NULL, 16);
    category->is_waiting = trace_column_integer(select, 2) != 0;
}

static void read_site(struct trace_select *select, void *element)
{
    struct loader *loader = loader_of(select);
    struct trace_site *site = element;

    site->identity = trace_column_identity(select, 0);
    site->name = trace_column_text(select, 1);
    site->file = trace_column_text(select, 2);
    site->line = trace_column_u32(select, 3);
    site->function = trace_column_text(select, 4);
    site->category =
        trace_column_index(select, 5, loader->category_base, select->model->category_count);
    site->id = trace_column_u32(select, 6);
}

static void read_sched(struct trace_select *select, int first_column,
                       struct trace_sched_sums *sched)
{
    sched->sampled_ns = trace_column_integer(select, first_column);
    sched->run_ns = trace_column_integer(select, first_column + 1);
    sched->wait_ns = trace_column_integer(select, first_column + 2);
    if (sched->sampled_ns < 0 || sched->run_ns < 0 || sched->wait_ns < 0)
        select->status = SQLITE_CORRUPT;
}

static void read_track(struct trace_select *select, void *element)
{
    struct trace_track *track = element;

    track->name = trace_column_text(select, 0);
    track->kind = trace_column_number(select, 1, TRACE_NAME_TRACK_KIND);
    track->os_id = trace_column_count(select, 2);
    track->begin_ns = trace_column_time(select, 3);
    track->end_ns = trace_column_time(select, 4);
    track->has_ended = trace_column_integer(select, 5) != 0;
    track->is_defined = trace_column_integer(select, 6) != 0;
    track->id = trace_column_u32(select, 7);
    track->slices = trace_column_count(select, 8);
    track->instants = trace_column_count(select, 9);
    track->incomplete = trace_column_count(select, 10);
    read_sched(select, 11, &track->sched);
}

static void read_domain(struct trace_select *select, void *element)
{
    struct trace_domain *domain = element;

    domain->name = trace_column_text(select, 0);
    domain->id = trace_column_u32(select, 1);
    domain->frame_count = trace_column_u32(select, 2);
}

/* A frame, and the track of its mark. */
struct frame_row {
    int64_t begin_ns;
    uint64_t number;
    uint32_t track;
};

static void read_frame(struct trace_select *select, void *element)
{
    struct frame_row *row = element;

    row->begin_ns = trace_column_time(select, 0);
    row->number = trace_column_count(select, 1);
    row->track =
        trace_column_index(select, 2, loader_of(select)->track_base, select->model->track_count);
}

static void read_path(struct trace_select *select, void *element)
{
    struct loader *loader = loader_of(select);
    struct trace_path *path = element;
    uint32_t parent = trace_column_index(select, 0, loader->path_base, TRACE_NONE - 1);

    path->parent = parent == TRACE_NONE ? 0 : parent + 1;
    path->site = trace_column_index(select, 1, loader->site_base, select->model->site_count);
    path->depth = trace_column_u32(select, 2) & INT32_MAX;
    path->is_outermost = trace_column_integer(select, 3) != 0;
}

static void read_loss(struct trace_select *select, void *element)
{
    struct loader *loader = loader_of(select);
    struct trace_loss *loss = element;

    loss->track = trace_column_index(select, 0, loader->track_base, select->model->track_count);
    loss->cause = trace_column_number(select, 1, TRACE_NAME_LOSS_CAUSE);
    loss->begin_ns = trace_column_integer(select, 2);
    loss->end_ns = trace_column_integer(select, 3);
    loss->counts.scopes = trace_column_count(select, 4);
    loss->counts.instants = trace_column_count(select, 5);
    loss->counts.frames = trace_column_count(select, 6);
    loss->counts.flows = trace_column_count(select, 7);
    loss->counts.gauges = trace_column_count(select, 8);
    loss->events = trace_column_count(select, 9);
}

static void read_diagnostic(struct trace_select *select, void *element)
{
    struct loader *loader = loader_of(select);
    struct trace_diagnostic *diagnostic = element;

    diagnostic->code = trace_column_number(select, 0, TRACE_NAME_DIAGNOSTIC);
    diagnostic->track =
        trace_column_index(select, 1, loader->track_base, select->model->track_count);
    diagnostic->time_ns = trace_column_integer(select, 2);
    diagnostic->count = trace_column_count(select, 3);
    diagnostic->text = trace_column_text(select, 4);
}

static void read_damage(struct trace_select *select, void *element)
{
    struct trace_damage *damage = element;

    damage->offset = trace_column_count(select, 0);
    damage->size = trace_column_count(select, 1);
    damage->reason = trace_column_string(select, 2);
}

static void read_trigger(struct trace_select *select, void *element)
{
    struct loader *loader = loader_of(select);
    struct trace_trigger *trigger = element;

    trigger->cause = trace_column_number(select, 0, TRACE_NAME_TRIGGER_CAUSE);
    trigger->domain =
        trace_column_index(select, 1, loader->domain_base, select->model->domain_count);
    trigger->frame_number = trace_column_count(select, 2);
    trigger->duration_ns = trace_column_integer(select, 3);
    trigger->limit_ns = trace_column_integer(select, 4);
    trigger->time_ns = trace_column_integer(select, 5);
    trigger->text = trace_column_text(select, 6);
}

static uint32_t read_gpu_track(struct trace_select *select, int column)
{
    const uint32_t track = trace_column_index(select, column, loader_of(select)->track_base,
                                              select->model->track_count);

    if (track == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
    return track;
}

static void read_gpu_queue(struct trace_select *select, void *element)
{
    struct trace_gpu_queue *queue = element;

    queue->track = read_gpu_track(select, 0);
    queue->backend = trace_column_text(select, 1);
    queue->device = trace_column_text(select, 2);
    queue->name = trace_column_text(select, 3);
    queue->generation = trace_column_u32(select, 4);
    queue->valid_bits = trace_column_u32(select, 5);
    queue->period_fs = trace_column_count(select, 6);
    queue->pass_reason = trace_column_text(select, 7);
    queue->calibration_reason = trace_column_text(select, 8);
}

static void read_gpu_count(struct trace_select *select, void *element)
{
    struct trace_gpu_count *count = element;

    count->track = read_gpu_track(select, 0);
    count->subject = trace_column_number(select, 1, TRACE_NAME_GPU_SUBJECT);
    count->outcome = trace_column_number(select, 2, TRACE_NAME_GPU_OUTCOME);
    count->count = trace_column_count(select, 3);
}

static void read_window(struct trace_select *select, void *element)
{
    struct loader *loader = loader_of(select);
    struct trace_stat_window *window = element;
    const char *part;

    window->name = trace_column_text(select, 0);
    part = trace_column_string(select, 1);
    window->is_frames = part != NULL && strcmp(part, "frames") == 0;
    window->domain =
        trace_column_index(select, 2, loader->domain_base, select->model->domain_count);
    window->begin_ns = trace_column_time(select, 3);
    window->end_ns = trace_column_time(select, 4);
    window->frames = trace_column_integer(select, 5);
}

static void read_track_stats(struct trace_select *select, void *element)
{
    struct trace_track_stats *stats = element;

    stats->slices = trace_column_count(select, 0);
    stats->incomplete = trace_column_count(select, 1);
    stats->frames = trace_column_integer(select, 2);
    stats->frames_lost = trace_column_integer(select, 3);
    stats->frame_ns = trace_column_integer(select, 4);
    stats->covered_ns = trace_column_integer(select, 5);
}

static void read_stats(struct trace_select *select, struct trace_stats *stats)
{
    struct loader *loader = loader_of(select);

    stats->window = trace_column_index(select, 1, loader->window_base, select->model->window_count);
    stats->track = trace_column_index(select, 2, loader->track_base, select->model->track_count);
    stats->frames = trace_column_integer(select, 3);
    stats->sums.calls = trace_column_count(select, 4);
    stats->sums.outermost_calls = trace_column_count(select, 5);
    stats->sums.recursive_calls = trace_column_count(select, 6);
    stats->sums.exclusive_calls = trace_column_count(select, 7);
    stats->sums.incomplete = trace_column_count(select, 8);
    stats->sums.children_lost = trace_column_count(select, 9);
    stats->sums.inclusive_ns = trace_column_integer(select, 10);
    stats->sums.exclusive_ns = trace_column_integer(select, 11);
    if (stats->window == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
}

static void read_site_stats(struct trace_select *select, void *element)
{
    struct trace_stats *stats = element;

    read_stats(select, stats);
    stats->subject =
        trace_column_index(select, 0, loader_of(select)->site_base, select->model->site_count);
    if (stats->subject == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
    stats->nested_calls = trace_column_count(select, 12);
}

/* The sums of a track, or of TRACE_NONE. NULL when there is no memory. */
static struct trace_path_sums *path_sums_of(struct loader *loader, uint32_t track)
{
    struct trace_model *model = loader->select.model;
    uint32_t *place = &loader->path_groups[track == TRACE_NONE ? 0 : (size_t)track + 1];

    if (*place == 0) {
        if (trace_model_add_path_sums(model, track) == NULL)
            return NULL;
        *place = model->path_sums_count;
    }
    return &model->path_sums[*place - 1];
}

static void read_path_stats(struct trace_select *select, void *element)
{
    struct loader *loader = loader_of(select);
    struct trace_stats row = {0};

    (void)element;
    read_stats(select, &row);
    row.subject = trace_column_index(select, 0, loader->path_base, select->model->path_count - 1);
    if (row.subject == TRACE_NONE)
        select->status = SQLITE_CORRUPT;
    if (select->status != SQLITE_OK)
        return;
    row.subject++;
    struct trace_path_sums *sums = path_sums_of(loader, row.track);
    if (sums == NULL || !trace_path_sums_add_row(sums, &row))
        select->status = SQLITE_NOMEM;
}

static void load_path_stats(struct loader *loader, const char *columns)
{
    struct trace_select *select = &loader->select;
    uint32_t count;

    loader->path_groups = calloc((size_t)select->model->track_count + 1, sizeof(uint32_t));
    if (loader->path_groups == NULL)
        select->status = SQLITE_NOMEM;
    free(trace_select_rows(select, "path_stats", columns, "rowid", read_path_stats, 1, 0, &count));
    free(loader->path_groups);
    trace_model_sort_path_sums(select->model);
}

static void read_capture(struct trace_select *select, void *element)
{
    struct trace_model *model = select->model;

    (void)element;
    model->capture_id = trace_column_identity(select, 0);
    model->start_unix_ns = trace_column_integer(select, 1);
    model->end_ns = trace_column_time(select, 2);
    model->process_id = trace_column_u32(select, 3);
    model->is_finished = trace_column_integer(select, 4) != 0;
    model->unfinished_tail = trace_column_count(select, 5);
    model->file_bytes = trace_column_count(select, 6);
    model->blocks = trace_column_count(select, 7);
    model->blocks_skipped = trace_column_count(select, 8);
    model->events = trace_column_count(select, 9);
    model->slices = trace_column_count(select, 10);
    model->instants = trace_column_count(select, 11);
    model->names_replaced = trace_column_count(select, 12);
    read_sched(select, 13, &model->machine);
    model->has_window = sqlite3_column_type(select->row, 16) != SQLITE_NULL;
    if (model->has_window)
        model->window_begin_ns = trace_column_time(select, 16);
    model->slices_begun_before = trace_column_count(select, 17);
    model->sources = trace_column_u32(select, 18);
}

#define ROWS(table, columns, order, function, array, count)                                        \
    ((array) =                                                                                     \
         trace_select_rows(select, table, columns, order, function, sizeof *(array), 0, &(count)))

static void load_definitions(struct loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    uint32_t captures, counts;

    free(trace_select_rows(select, "capture",
                           "identity, start_unix_ns, end_ns, process_id, finished, "
                           "unfinished_tail_bytes, file_bytes, blocks, blocks_skipped, events, "
                           "slices, instants, names_replaced, machine_sampled_ns, machine_run_ns, "
                           "machine_stolen_ns, window_begin_ns, slices_begun_before, sources",
                           "capture_id", read_capture, 1, 0, &captures));
    free(trace_select_rows(select, "event_count",
                           "outcome, scopes, instants, frames, flows, gauges", "rowid",
                           read_event_count, 1, 0, &counts));
    model->has_statistics = true;
    loader->category_base = trace_select_base(select, "category", "category_id");
    loader->site_base = trace_select_base(select, "site", "site_id");
    loader->track_base = trace_select_base(select, "track", "track_id");
    loader->path_base = trace_select_base(select, "path", "path_id");
    loader->domain_base = trace_select_base(select, "domain", "domain_id");
    ROWS("fact", "key, value", "rowid", read_fact, model->facts, model->fact_count);
    ROWS("clock",
         "recorded_id, source, reason, ticks_per_second, step_ticks, calibrations, "
         "max_uncertainty_ns, max_residual_ns, max_residual_ppb",
         "clock_id", read_clock, model->clocks, model->clock_count);
    ROWS("category", "name, colour, waiting", "category_id", read_category, model->categories,
         model->category_count);
    ROWS("site", "identity, name, file, line, function, category_id, recorded_id", "site_id",
         read_site, model->sites, model->site_count);
    ROWS("track",
         "name, kind, os_id, begin_ns, end_ns, ended, defined, recorded_id, slices, instants, "
         "incomplete, sampled_ns, run_ns, wait_ns",
         "track_id", read_track, model->tracks, model->track_count);
}

/* Gives a domain its part of all frames. */
static void take_frames(struct trace_select *select, struct trace_domain *domain,
                        const struct frame_row *rows, uint32_t count)
{
    uint32_t wanted = domain->frame_count;

    domain->frame_count = 0;
    domain->track = TRACE_NONE;
    if (wanted > count)
        select->status = SQLITE_CORRUPT;
    for (uint32_t i = 0; select->status == SQLITE_OK && i < wanted; i++)
        if (!trace_frame_table_add(domain, rows[i].number, rows[i].begin_ns, rows[i].track))
            select->status = SQLITE_NOMEM;
}

/* Frames lie in the order of their domains. */
static void load_frames(struct loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    struct frame_row *rows;
    uint32_t count;
    uint32_t used = 0;

    ROWS("domain", "name, recorded_id, frames", "domain_id", read_domain, model->domains,
         model->domain_count);
    ROWS("frame", "begin_ns, number, track_id", "frame_id", read_frame, rows, count);
    for (uint32_t i = 0; i < model->domain_count; i++) {
        take_frames(select, &model->domains[i], rows == NULL ? NULL : rows + used, count - used);
        used += model->domains[i].frame_count;
        trace_frame_table_finish(&model->domains[i], model);
    }
    free(rows);
}

static void load_paths(struct loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    uint32_t i;

    model->paths =
        trace_select_rows(select, "path", "parent_path_id, site_id, depth, outermost", "path_id",
                          read_path, sizeof *model->paths, 1, &model->path_count);
    if (select->status != SQLITE_OK)
        return;
    model->paths[0].parent = TRACE_NONE;
    model->paths[0].site = TRACE_NONE;
    for (i = 1; i < model->path_count; i++) {
        uint32_t parent = model->paths[i].parent;
        uint32_t depth = parent == 0 || parent >= i ? 0 : model->paths[parent].depth + 1;
        if (parent >= i || model->paths[i].depth != depth || model->paths[i].site == TRACE_NONE)
            select->status = SQLITE_CORRUPT;
    }
}

#define STATS_COLUMNS                                                                              \
    ", window_id, track_id, frames, calls, outermost_calls, recursive_calls, exclusive_calls, "    \
    "incomplete, children_lost, inclusive_ns, exclusive_ns"

/* A row for each window and track, or it is not ours. */
static void load_track_stats(struct loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    uint32_t count;

    ROWS("track_stats", "slices, incomplete, frames, frames_lost, frame_ns, covered_ns",
         "window_id, track_id", read_track_stats, model->track_stats, count);
    if ((uint64_t)count != (uint64_t)(model->window_count / 2) * model->track_count)
        select->status = SQLITE_CORRUPT;
}

static bool has_both_parts(const struct trace_model *model)
{
    return model->window_count == 2 && model->windows[TRACE_WINDOW_FRAMES].is_frames &&
           !model->windows[TRACE_WINDOW_OUTSIDE].is_frames;
}

/* Those of the window "capture". Others that were named at import are for queries; a report that is
 * about some window finds it anew. */
static void load_statistics(struct loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;

    loader->window_base = trace_select_base(select, "stat_window", "window_id");
    select->condition = " AND window_id IN (SELECT window_id FROM stat_window WHERE "
                        "capture_id = ?1 AND name = 'capture')";
    ROWS("stat_window", "name, part, domain_id, begin_ns, end_ns, frames", "window_id", read_window,
         model->windows, model->window_count);
    if (select->status == SQLITE_OK && !has_both_parts(model))
        select->status = SQLITE_CORRUPT;
    load_track_stats(loader);
    ROWS("site_stats", "site_id" STATS_COLUMNS ", nested_calls", "rowid", read_site_stats,
         model->site_stats, model->site_stats_count);
    load_path_stats(loader, "path_id" STATS_COLUMNS);
    select->condition = NULL;
}

static void load_losses(struct loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;

    ROWS("loss",
         "track_id, cause, begin_ns, end_ns, scopes, instants, frames, flows, gauges, events",
         "loss_id", read_loss, model->losses, model->loss_count);
    ROWS("diagnostic", "code, track_id, time_ns, count, text", "diagnostic_id", read_diagnostic,
         model->diagnostics, model->diagnostic_count);
    ROWS("damage", "offset_bytes, size_bytes, reason", "damage_id", read_damage, model->damages,
         model->damage_count);
    ROWS("capture_trigger", "cause, domain_id, frame_number, duration_ns, limit_ns, time_ns, text",
         "trigger_id", read_trigger, model->triggers, model->trigger_count);
    ROWS("gpu_queue",
         "track_id, backend, device, name, generation, valid_bits, period_fs, pass_reason, "
         "calibration_reason",
         "gpu_queue_id", read_gpu_queue, model->gpu_queues, model->gpu_queue_count);
    ROWS("gpu_count", "track_id, subject, outcome, count", "rowid", read_gpu_count,
         model->gpu_counts, model->gpu_count_count);
}

enum ludus_status trace_database_model(struct trace_database *database, uint32_t capture,
                                       struct trace_model **model, struct ludus_error *error)
{
    struct loader loader = {.select.connection = trace_database_connection(database)};
    enum ludus_status status;

    *model = NULL;
    status = trace_database_choose(database, capture, &loader.select.capture, error);
    if (status != LUDUS_OK)
        return status;
    if (trace_model_create(&loader.select.model) != LUDUS_OK)
        return trace_fail_memory(error);
    load_definitions(&loader);
    load_frames(&loader);
    load_paths(&loader);
    load_statistics(&loader);
    load_losses(&loader);
    if (loader.select.status != SQLITE_OK) {
        trace_model_destroy(loader.select.model);
        return trace_database_read_failure(trace_database_connection(database),
                                           loader.select.status, trace_database_path(database),
                                           error);
    }
    if (!trace_model_mark_shared_names(loader.select.model)) {
        trace_model_destroy(loader.select.model);
        return trace_fail_memory(error);
    }
    *model = loader.select.model;
    return LUDUS_OK;
}
