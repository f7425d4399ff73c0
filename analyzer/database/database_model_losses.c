/* Reads back from a database what is missing from a capture, and what else was seen in it. */
#include "database_model_loader.h"

static void read_loss(struct trace_select *select, void *element)
{
    struct trace_model_loader *loader = trace_model_loader_of(select);
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
    struct trace_model_loader *loader = trace_model_loader_of(select);
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
    struct trace_model_loader *loader = trace_model_loader_of(select);
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

void trace_model_load_losses(struct trace_model_loader *loader)
{
    struct trace_select *select = &loader->select;
    struct trace_model *model = select->model;

    TRACE_LOAD_ROWS(
        "loss",
        "track_id, cause, begin_ns, end_ns, scopes, instants, frames, flows, gauges, events",
        "loss_id", read_loss, model->losses, model->loss_count);
    TRACE_LOAD_ROWS("diagnostic", "code, track_id, time_ns, count, text", "diagnostic_id",
                    read_diagnostic, model->diagnostics, model->diagnostic_count);
    TRACE_LOAD_ROWS("damage", "offset_bytes, size_bytes, reason", "damage_id", read_damage,
                    model->damages, model->damage_count);
    TRACE_LOAD_ROWS("capture_trigger",
                    "cause, domain_id, frame_number, duration_ns, limit_ns, time_ns, text",
                    "trigger_id", read_trigger, model->triggers, model->trigger_count);
}
