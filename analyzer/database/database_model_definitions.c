/* Reads what a capture says of itself back from a database: session, clocks, sites, tracks. */
#include "database_model_loader.h"

#include <stdlib.h>
#include <string.h>

#include "lcap_layout.h"

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
    struct trace_model_loader *loader = trace_model_loader_of(select);
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
    model->is_of_statistics = trace_column_integer(select, 19) != 0;
}

void trace_model_load_definitions(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;
    uint32_t captures, counts;

    free(trace_select_rows(
        select, "capture",
        "identity, start_unix_ns, end_ns, process_id, finished, "
        "unfinished_tail_bytes, file_bytes, blocks, blocks_skipped, events, "
        "slices, instants, names_replaced, machine_sampled_ns, machine_run_ns, "
        "machine_stolen_ns, window_begin_ns, slices_begun_before, sources, stats_only",
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
    TRACE_LOAD_ROWS("fact", "key, value", "rowid", read_fact, model->facts, model->fact_count);
    TRACE_LOAD_ROWS("clock",
                    "recorded_id, source, reason, ticks_per_second, step_ticks, calibrations, "
                    "max_uncertainty_ns, max_residual_ns, max_residual_ppb",
                    "clock_id", read_clock, model->clocks, model->clock_count);
    TRACE_LOAD_ROWS("category", "name, colour, waiting", "category_id", read_category,
                    model->categories, model->category_count);
    TRACE_LOAD_ROWS("site", "identity, name, file, line, function, category_id, recorded_id",
                    "site_id", read_site, model->sites, model->site_count);
    TRACE_LOAD_ROWS(
        "track",
        "name, kind, os_id, begin_ns, end_ns, ended, defined, recorded_id, slices, instants, "
        "incomplete, sampled_ns, run_ns, wait_ns",
        "track_id", read_track, model->tracks, model->track_count);
}
