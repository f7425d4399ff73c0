/* Fills the tables of what a capture says of itself: session, sites, tracks, frames, paths, losses,
 * damage, triggers, and queues of GPUs. */
#include "database_tables.h"

#include <stdio.h>

#include "database_insert.h"
#include "database_names.h"
#include "database_values.h"
#include "frame_percentiles.h"
#include "lcap_layout.h"

/* Where the rows of one model go. */
struct target {
    sqlite3 *connection;
    const struct trace_id_bases *bases;
    const struct trace_model *model;
    const char *file;
    const struct trace_value_totals *values;
    int64_t capture;
    uint64_t replaced; /* texts, so far */
};

static void insert_name(struct trace_insert *insert, enum trace_name_kind kind, uint32_t number)
{
    char digits[TRACE_NAME_SIZE];
    const char *name = trace_name_of(kind, number, digits);

    /* Digits do not live until the row is inserted, and are valid as they are. */
    insert->parameter++;
    if (insert->status == SQLITE_OK)
        insert->status =
            sqlite3_bind_text(insert->statement, insert->parameter, name, -1, SQLITE_TRANSIENT);
}

static int insert_facts(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "fact", "capture_id, key, value");
    for (i = 0; i < target->model->fact_count; i++) {
        trace_insert_integer(&insert, target->capture);
        trace_insert_text(&insert, target->model->facts[i].key, &target->replaced);
        trace_insert_text(&insert, target->model->facts[i].value, &target->replaced);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static void insert_count_row(struct trace_insert *insert, int64_t capture, const char *outcome,
                             const struct lcap_counts *counts)
{
    trace_insert_integer(insert, capture);
    trace_insert_string(insert, outcome);
    trace_insert_count(insert, counts->scopes);
    trace_insert_count(insert, counts->instants);
    trace_insert_count(insert, counts->frames);
    trace_insert_count(insert, counts->flows);
    trace_insert_count(insert, counts->gauges);
    trace_insert_row(insert);
}

static int insert_event_counts(struct target *target)
{
    const struct trace_model *model = target->model;
    struct trace_insert insert;

    trace_insert_open(&insert, target->connection, "event_count",
                      "capture_id, outcome, scopes, instants, frames, flows, gauges");
    if (model->has_counts) {
        insert_count_row(&insert, target->capture, "recorded", &model->recorded);
        insert_count_row(&insert, target->capture, "dropped", &model->dropped);
    }
    return trace_insert_close(&insert);
}

static void insert_residual(struct trace_insert *insert, int64_t residual)
{
    if (residual < 0)
        trace_insert_null(insert);
    else
        trace_insert_integer(insert, residual);
}

static int insert_clocks(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(
        &insert, target->connection, "clock",
        "clock_id, capture_id, recorded_id, source, reason, ticks_per_second, "
        "step_ticks, calibrations, max_uncertainty_ns, max_residual_ns, max_residual_ppb");
    for (i = 0; i < target->model->clock_count; i++) {
        const struct trace_clock *clock = &target->model->clocks[i];

        trace_insert_id(&insert, target->bases->clock, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_integer(&insert, clock->id);
        insert_name(&insert, TRACE_NAME_CLOCK_SOURCE, clock->source);
        trace_insert_text(&insert, clock->reason, &target->replaced);
        trace_insert_count(&insert, clock->ticks_per_second);
        trace_insert_count(&insert, clock->step);
        trace_insert_integer(&insert, clock->calibrations);
        trace_insert_integer(&insert, clock->max_uncertainty_ns);
        insert_residual(&insert, clock->max_residual_ns);
        insert_residual(&insert, clock->max_residual_ppb);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_calibrations(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "calibration",
                      "calibration_id, capture_id, clock_id, tick, time_ns, uncertainty_ns");
    for (i = 0; i < target->model->calibration_count; i++) {
        const struct trace_calibration *calibration = &target->model->calibrations[i];

        trace_insert_id(&insert, target->bases->calibration, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_id(&insert, target->bases->clock, calibration->clock);
        trace_insert_count(&insert, calibration->tick);
        trace_insert_integer(&insert, calibration->time_ns);
        trace_insert_integer(&insert, calibration->uncertainty_ns);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_categories(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "category",
                      "category_id, capture_id, name, colour, waiting");
    for (i = 0; i < target->model->category_count; i++) {
        const struct trace_category *category = &target->model->categories[i];
        char colour[16];

        trace_insert_id(&insert, target->bases->category, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_text(&insert, category->name, &target->replaced);
        (void)snprintf(colour, sizeof colour, "#%06x", (unsigned)category->colour);
        if (category->colour == LCAP_NO_COLOUR)
            trace_insert_null(&insert);
        else
            trace_insert_string(&insert, colour);
        trace_insert_integer(&insert, category->is_waiting);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_sites(struct target *target)
{
    const struct trace_model *model = target->model;
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "site",
                      "site_id, capture_id, identity, name, file, line, function, category, "
                      "category_id, recorded_id");
    for (i = 0; i < model->site_count; i++) {
        const struct trace_site *site = &model->sites[i];

        trace_insert_id(&insert, target->bases->site, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_identity(&insert, site->identity);
        trace_insert_text(&insert, site->name, &target->replaced);
        trace_insert_text_or_null(&insert, site->file, &target->replaced);
        trace_insert_integer(&insert, site->line);
        trace_insert_text_or_null(&insert, site->function, &target->replaced);
        if (site->category == TRACE_NONE)
            trace_insert_null(&insert);
        else
            trace_insert_text(&insert, model->categories[site->category].name, NULL);
        trace_insert_id(&insert, target->bases->category, site->category);
        trace_insert_integer(&insert, site->id);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static void insert_sched(struct trace_insert *insert, const struct trace_sched_sums *sched)
{
    trace_insert_integer(insert, sched->sampled_ns);
    trace_insert_integer(insert, sched->run_ns);
    trace_insert_integer(insert, sched->wait_ns);
}

static int insert_tracks(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "track",
                      "track_id, capture_id, name, kind, os_id, begin_ns, end_ns, ended, defined, "
                      "recorded_id, slices, instants, incomplete, sampled_ns, run_ns, wait_ns");
    for (i = 0; i < target->model->track_count; i++) {
        const struct trace_track *track = &target->model->tracks[i];

        trace_insert_id(&insert, target->bases->track, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_text_or_null(&insert, track->name, &target->replaced);
        insert_name(&insert, TRACE_NAME_TRACK_KIND, track->kind);
        trace_insert_count(&insert, track->os_id);
        trace_insert_integer(&insert, track->begin_ns);
        trace_insert_integer(&insert, track->end_ns);
        trace_insert_integer(&insert, track->has_ended);
        trace_insert_integer(&insert, track->is_defined);
        trace_insert_integer(&insert, track->id);
        trace_insert_count(&insert, track->slices);
        trace_insert_count(&insert, track->instants);
        trace_insert_count(&insert, track->incomplete);
        insert_sched(&insert, &track->sched);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_domains(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "domain",
                      "domain_id, capture_id, name, recorded_id, frames, complete_frames, "
                      "marks_missing");
    for (i = 0; i < target->model->domain_count; i++) {
        const struct trace_domain *domain = &target->model->domains[i];

        trace_insert_id(&insert, target->bases->domain, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_text(&insert, domain->name, &target->replaced);
        trace_insert_integer(&insert, domain->id);
        trace_insert_integer(&insert, domain->frame_count);
        trace_insert_integer(&insert, domain->complete_count);
        trace_insert_count(&insert, domain->marks_missing);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static void insert_domain_frames(struct target *target, struct trace_insert *insert,
                                 uint32_t domain_index, int64_t *frame_id)
{
    const struct trace_domain *domain = &target->model->domains[domain_index];
    uint32_t i;

    for (i = 0; i < domain->frame_count; i++) {
        bool is_complete = trace_frame_is_complete(domain, i);

        trace_insert_integer(insert, ++*frame_id);
        trace_insert_integer(insert, target->capture);
        trace_insert_id(insert, target->bases->domain, domain_index);
        trace_insert_text(insert, domain->name, NULL);
        trace_insert_count(insert, domain->frames[i].number);
        trace_insert_integer(insert, domain->frames[i].begin_ns);
        if (is_complete)
            trace_insert_integer(insert,
                                 domain->frames[i + 1].begin_ns - domain->frames[i].begin_ns);
        else
            trace_insert_null(insert);
        trace_insert_integer(insert, is_complete);
        trace_insert_id(insert, target->bases->track, trace_domain_mark_track(domain, i));
        trace_insert_row(insert);
    }
}

static int insert_frames(struct target *target)
{
    struct trace_insert insert;
    int64_t frame_id = target->bases->frame;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "frame",
                      "frame_id, capture_id, domain_id, domain, number, begin_ns, duration_ns, "
                      "complete, track_id");
    for (i = 0; i < target->model->domain_count; i++)
        insert_domain_frames(target, &insert, i, &frame_id);
    return trace_insert_close(&insert);
}

static int insert_paths(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "path",
                      "path_id, capture_id, parent_path_id, site_id, depth, outermost");
    for (i = 1; i < target->model->path_count; i++) {
        const struct trace_path *path = &target->model->paths[i];

        trace_insert_integer(&insert, target->bases->path + (int64_t)i);
        trace_insert_integer(&insert, target->capture);
        if (path->parent == 0)
            trace_insert_null(&insert);
        else
            trace_insert_integer(&insert, target->bases->path + (int64_t)path->parent);
        trace_insert_id(&insert, target->bases->site, path->site);
        trace_insert_integer(&insert, path->depth);
        trace_insert_integer(&insert, path->is_outermost);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_losses(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "loss",
                      "loss_id, capture_id, track_id, cause, begin_ns, end_ns, scopes, instants, "
                      "frames, flows, gauges, events");
    for (i = 0; i < target->model->loss_count; i++) {
        const struct trace_loss *loss = &target->model->losses[i];

        trace_insert_id(&insert, target->bases->loss, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_id(&insert, target->bases->track, loss->track);
        insert_name(&insert, TRACE_NAME_LOSS_CAUSE, loss->cause);
        trace_insert_integer(&insert, loss->begin_ns);
        trace_insert_integer(&insert, loss->end_ns);
        trace_insert_count(&insert, loss->counts.scopes);
        trace_insert_count(&insert, loss->counts.instants);
        trace_insert_count(&insert, loss->counts.frames);
        trace_insert_count(&insert, loss->counts.flows);
        trace_insert_count(&insert, loss->counts.gauges);
        trace_insert_count(&insert, loss->events);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_diagnostics(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "diagnostic",
                      "diagnostic_id, capture_id, code, track_id, time_ns, count, text");
    for (i = 0; i < target->model->diagnostic_count; i++) {
        const struct trace_diagnostic *diagnostic = &target->model->diagnostics[i];

        trace_insert_id(&insert, target->bases->diagnostic, i);
        trace_insert_integer(&insert, target->capture);
        insert_name(&insert, TRACE_NAME_DIAGNOSTIC, diagnostic->code);
        trace_insert_id(&insert, target->bases->track, diagnostic->track);
        trace_insert_integer(&insert, diagnostic->time_ns);
        trace_insert_count(&insert, diagnostic->count);
        trace_insert_text(&insert, diagnostic->text, &target->replaced);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_damages(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "damage",
                      "damage_id, capture_id, offset_bytes, size_bytes, reason");
    for (i = 0; i < target->model->damage_count; i++) {
        const struct trace_damage *damage = &target->model->damages[i];

        trace_insert_id(&insert, target->bases->damage, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_count(&insert, damage->offset);
        trace_insert_count(&insert, damage->size);
        trace_insert_string(&insert, damage->reason);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_triggers(struct target *target)
{
    const struct trace_model *model = target->model;
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "capture_trigger",
                      "trigger_id, capture_id, cause, domain_id, domain, frame_number, "
                      "duration_ns, limit_ns, time_ns, text");
    for (i = 0; i < model->trigger_count; i++) {
        const struct trace_trigger *trigger = &model->triggers[i];

        trace_insert_id(&insert, target->bases->trigger, i);
        trace_insert_integer(&insert, target->capture);
        insert_name(&insert, TRACE_NAME_TRIGGER_CAUSE, trigger->cause);
        trace_insert_id(&insert, target->bases->domain, trigger->domain);
        if (trigger->domain != TRACE_NONE) {
            trace_insert_text(&insert, model->domains[trigger->domain].name, NULL);
            trace_insert_count(&insert, trigger->frame_number);
            trace_insert_integer(&insert, trigger->duration_ns);
            trace_insert_integer(&insert, trigger->limit_ns);
        } else {
            for (int column = 0; column < 4; column++)
                trace_insert_null(&insert);
        }
        trace_insert_integer(&insert, trigger->time_ns);
        trace_insert_text(&insert, trigger->text, &target->replaced);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_gpu_queues(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "gpu_queue",
                      "gpu_queue_id, capture_id, track_id, backend, device, name, generation, "
                      "valid_bits, period_fs, pass_reason, calibration_reason");
    for (i = 0; i < target->model->gpu_queue_count; i++) {
        const struct trace_gpu_queue *queue = &target->model->gpu_queues[i];

        trace_insert_id(&insert, target->bases->gpu_queue, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_id(&insert, target->bases->track, queue->track);
        trace_insert_text(&insert, queue->backend, &target->replaced);
        trace_insert_text(&insert, queue->device, &target->replaced);
        trace_insert_text(&insert, queue->name, &target->replaced);
        trace_insert_integer(&insert, queue->generation);
        trace_insert_integer(&insert, queue->valid_bits);
        trace_insert_count(&insert, queue->period_fs);
        trace_insert_text(&insert, queue->pass_reason, &target->replaced);
        trace_insert_text(&insert, queue->calibration_reason, &target->replaced);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static int insert_gpu_counts(struct target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "gpu_count",
                      "capture_id, track_id, subject, outcome, count");
    for (i = 0; i < target->model->gpu_count_count; i++) {
        const struct trace_gpu_count *count = &target->model->gpu_counts[i];

        trace_insert_integer(&insert, target->capture);
        trace_insert_id(&insert, target->bases->track, count->track);
        insert_name(&insert, TRACE_NAME_GPU_SUBJECT, count->subject);
        insert_name(&insert, TRACE_NAME_GPU_OUTCOME, count->outcome);
        trace_insert_count(&insert, count->count);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

static void insert_value_totals(struct trace_insert *insert,
                                const struct trace_value_totals *values)
{
    trace_insert_integer(insert, values->counts);
    trace_insert_integer(insert, values->gauges);
    trace_insert_integer(insert, values->gauges_not_finite);
    trace_insert_integer(insert, values->flow_outs);
    trace_insert_integer(insert, values->flow_outs_unbound);
    trace_insert_integer(insert, values->flow_ins);
    trace_insert_integer(insert, values->flow_ins_unbound);
}

static int insert_capture(struct target *target)
{
    const struct trace_model *model = target->model;
    struct trace_insert insert;

    trace_insert_open(
        &insert, target->connection, "capture",
        "capture_id, file, identity, start_unix_ns, window_begin_ns, end_ns, process_id, "
        "sources, default_domain, finished, unfinished_tail_bytes, file_bytes, blocks, "
        "blocks_skipped, events, slices, slices_begun_before, instants, counts, gauges, "
        "gauges_not_finite, flow_outs, flow_outs_unbound, flow_ins, flow_ins_unbound, "
        "machine_sampled_ns, machine_run_ns, machine_stolen_ns, names_replaced");
    trace_insert_integer(&insert, target->capture);
    trace_insert_string(&insert, target->file);
    trace_insert_identity(&insert, model->capture_id);
    trace_insert_integer(&insert, model->start_unix_ns);
    if (model->has_window)
        trace_insert_integer(&insert, model->window_begin_ns);
    else
        trace_insert_null(&insert);
    trace_insert_integer(&insert, model->end_ns);
    trace_insert_integer(&insert, model->process_id);
    trace_insert_integer(&insert, model->sources);
    if (model->domain_count == 0)
        trace_insert_null(&insert);
    else
        trace_insert_text(&insert, model->domains[0].name, NULL);
    trace_insert_integer(&insert, model->is_finished);
    trace_insert_count(&insert, model->unfinished_tail);
    trace_insert_count(&insert, model->file_bytes);
    trace_insert_count(&insert, model->blocks);
    trace_insert_count(&insert, model->blocks_skipped);
    trace_insert_count(&insert, model->events);
    trace_insert_count(&insert, model->slices);
    trace_insert_count(&insert, model->slices_begun_before);
    trace_insert_count(&insert, model->instants);
    insert_value_totals(&insert, target->values);
    insert_sched(&insert, &model->machine);
    trace_insert_count(&insert, target->replaced);
    trace_insert_row(&insert);
    return trace_insert_close(&insert);
}

int trace_insert_model(sqlite3 *connection, const struct trace_id_bases *bases,
                       const struct trace_model *model, const char *file,
                       const struct trace_value_totals *values)
{
    /* The capture's row comes last, when it is known how many texts were replaced. */
    static int (*const inserts[])(struct target *) = {
        insert_facts,      insert_event_counts, insert_clocks,     insert_calibrations,
        insert_categories, insert_sites,        insert_tracks,     insert_domains,
        insert_frames,     insert_paths,        insert_losses,     insert_diagnostics,
        insert_damages,    insert_triggers,     insert_gpu_queues, insert_gpu_counts,
        insert_capture,
    };
    struct target target = {connection, bases, model, file, values, bases->capture + 1, 0};
    size_t i;

    for (i = 0; i < sizeof inserts / sizeof *inserts; i++) {
        int status = inserts[i](&target);

        if (status != SQLITE_OK)
            return status;
    }
    return SQLITE_OK;
}
