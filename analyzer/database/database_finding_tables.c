/* Fills the tables of what is missing from a capture, of what else was seen in it, and of queues of
 * GPUs. */
#include "database_model_target.h"

#include "database_insert.h"

int trace_insert_losses(struct trace_model_target *target)
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
        trace_insert_name(&insert, TRACE_NAME_LOSS_CAUSE, loss->cause);
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

int trace_insert_diagnostics(struct trace_model_target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "diagnostic",
                      "diagnostic_id, capture_id, code, track_id, time_ns, count, text");
    for (i = 0; i < target->model->diagnostic_count; i++) {
        const struct trace_diagnostic *diagnostic = &target->model->diagnostics[i];

        trace_insert_id(&insert, target->bases->diagnostic, i);
        trace_insert_integer(&insert, target->capture);
        trace_insert_name(&insert, TRACE_NAME_DIAGNOSTIC, diagnostic->code);
        trace_insert_id(&insert, target->bases->track, diagnostic->track);
        trace_insert_integer(&insert, diagnostic->time_ns);
        trace_insert_count(&insert, diagnostic->count);
        trace_insert_text(&insert, diagnostic->text, &target->replaced);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}

int trace_insert_damages(struct trace_model_target *target)
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

int trace_insert_triggers(struct trace_model_target *target)
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
        trace_insert_name(&insert, TRACE_NAME_TRIGGER_CAUSE, trigger->cause);
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

int trace_insert_gpu_queues(struct trace_model_target *target)
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

int trace_insert_gpu_counts(struct trace_model_target *target)
{
    struct trace_insert insert;
    uint32_t i;

    trace_insert_open(&insert, target->connection, "gpu_count",
                      "capture_id, track_id, subject, outcome, count");
    for (i = 0; i < target->model->gpu_count_count; i++) {
        const struct trace_gpu_count *count = &target->model->gpu_counts[i];

        trace_insert_integer(&insert, target->capture);
        trace_insert_id(&insert, target->bases->track, count->track);
        trace_insert_name(&insert, TRACE_NAME_GPU_SUBJECT, count->subject);
        trace_insert_name(&insert, TRACE_NAME_GPU_OUTCOME, count->outcome);
        trace_insert_count(&insert, count->count);
        trace_insert_row(&insert);
    }
    return trace_insert_close(&insert);
}
