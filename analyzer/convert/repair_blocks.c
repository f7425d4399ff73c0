/* Adds up the damage of a capture, and writes it into one that is made of it. */
#include "repair_blocks.h"

struct lcap_repair trace_repair_facts(const struct trace_capture *capture)
{
    const struct trace_model *model = capture->model;
    struct lcap_repair facts = capture->repair;
    if (!capture->has_repair)
        facts.capture_id = model->capture_id;
    for (uint32_t i = 0; i < model->damage_count; i++) {
        if (trace_damage_is_repaired(&model->damages[i]))
            continue;
        facts.places++;
        facts.bytes += model->damages[i].size;
    }
    facts.is_not_finished = !model->is_finished;
    facts.tail_bytes = model->unfinished_tail;
    return facts;
}

void trace_put_repair(struct trace_new_capture *writer, const struct lcap_repair *facts)
{
    struct lcap_bytes block = {0};
    if (facts->places == 0 && !facts->is_not_finished)
        return;
    const enum ludus_status status = lcap_encode_repair(writer->encoder, facts, &block);
    trace_new_capture_put(writer, status, block);
}

static void put_records(struct trace_new_capture *writer, const struct lcap_lost *lost,
                        size_t count)
{
    struct lcap_bytes block = {0};
    if (count == 0)
        return;
    const enum ludus_status status = lcap_encode_lost(writer->encoder, lost, count, &block);
    trace_new_capture_put(writer, status, block);
}

void trace_put_lost(struct trace_new_capture *writer, const struct trace_model *model,
                    int64_t from_ns, int64_t to_ns)
{
    struct lcap_lost lost[256];
    size_t count = 0;
    for (uint32_t i = 0; i < model->loss_count; i++) {
        const struct trace_loss *loss = &model->losses[i];
        if (loss->cause != TRACE_LOSS_DAMAGE || loss->end_ns < from_ns || loss->begin_ns > to_ns)
            continue;
        lost[count++] = (struct lcap_lost){
            .events = loss->events,
            .begin_ns = loss->begin_ns,
            .end_ns = loss->end_ns,
            .track = loss->track == TRACE_NONE ? 0 : model->tracks[loss->track].id};
        if (count == sizeof lost / sizeof lost[0]) {
            put_records(writer, lost, count);
            count = 0;
        }
    }
    put_records(writer, lost, count);
}
