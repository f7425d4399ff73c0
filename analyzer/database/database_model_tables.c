/* Fills the tables of what a capture says of itself: here the session, its clocks and its counts.
 */
#include "database_insert.h"
#include "database_model_target.h"
#include "database_tables.h"
#include "database_values.h"

static int insert_facts(struct trace_model_target *target)
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

static int insert_event_counts(struct trace_model_target *target)
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

static int insert_clocks(struct trace_model_target *target)
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
        trace_insert_name(&insert, TRACE_NAME_CLOCK_SOURCE, clock->source);
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

static int insert_calibrations(struct trace_model_target *target)
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

static void insert_unbound(struct trace_insert *insert, const struct trace_value_totals *values,
                           int64_t unbound)
{
    if (values->is_of_statistics)
        trace_insert_null(insert);
    else
        trace_insert_integer(insert, unbound);
}

static void insert_value_totals(struct trace_insert *insert,
                                const struct trace_value_totals *values)
{
    trace_insert_integer(insert, values->counts);
    trace_insert_integer(insert, values->gauges);
    trace_insert_integer(insert, values->gauges_not_finite);
    trace_insert_integer(insert, values->flow_outs);
    insert_unbound(insert, values, values->flow_outs_unbound);
    trace_insert_integer(insert, values->flow_ins);
    insert_unbound(insert, values, values->flow_ins_unbound);
}

static int insert_capture(struct trace_model_target *target)
{
    const struct trace_model *model = target->model;
    struct trace_insert insert;

    trace_insert_open(
        &insert, target->connection, "capture",
        "capture_id, file, identity, start_unix_ns, window_begin_ns, end_ns, process_id, "
        "sources, stats_only, default_domain, finished, unfinished_tail_bytes, file_bytes, blocks, "
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
    trace_insert_integer(&insert, target->values->is_of_statistics);
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
    trace_insert_sched(&insert, &model->machine);
    trace_insert_count(&insert, target->replaced);
    trace_insert_row(&insert);
    return trace_insert_close(&insert);
}

int trace_insert_model(sqlite3 *connection, const struct trace_id_bases *bases,
                       const struct trace_model *model, const char *file,
                       const struct trace_value_totals *values)
{
    /* The capture's row comes last, when it is known how many texts were replaced. */
    static int (*const inserts[])(struct trace_model_target *) = {
        insert_facts,
        insert_event_counts,
        insert_clocks,
        insert_calibrations,
        trace_insert_categories,
        trace_insert_sites,
        trace_insert_tracks,
        trace_insert_domains,
        trace_insert_frames,
        trace_insert_paths,
        trace_insert_losses,
        trace_insert_diagnostics,
        trace_insert_damages,
        trace_insert_triggers,
        trace_insert_gpu_queues,
        trace_insert_gpu_counts,
        insert_capture,
    };
    struct trace_model_target target = {connection,         bases, model, file, values,
                                        bases->capture + 1, 0};
    size_t i;

    for (i = 0; i < sizeof inserts / sizeof *inserts; i++) {
        int status = inserts[i](&target);

        if (status != SQLITE_OK)
            return status;
    }
    return SQLITE_OK;
}
