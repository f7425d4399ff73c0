/* Encodes the blocks of records: everything but events, the index and the trailer. */
#include "encode_fields.h"

static void put_counts(struct field_writer *writer, const struct lcap_counts *counts)
{
    put_u64(writer, counts->scopes);
    put_u64(writer, counts->instants);
    put_u64(writer, counts->frames);
    put_u64(writer, counts->flows);
    put_u64(writer, counts->gauges);
}

enum ludus_status lcap_encode_session(struct lcap_encoder *encoder,
                                      const struct lcap_session *session,
                                      const struct lcap_fact *facts, size_t count,
                                      struct lcap_bytes *block)
{
    if (session->clock == 0 || session->sources > 3 || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    size_t size = 32;
    for (size_t i = 0; i < count; i++) {
        if (facts[i].key.size > encoder->scratch_capacity ||
            facts[i].value.size > encoder->scratch_capacity)
            return LUDUS_ERROR_LIMIT;
        size += 8 + facts[i].key.size + facts[i].value.size;
        if (size > encoder->scratch_capacity)
            return LUDUS_ERROR_LIMIT;
    }
    struct field_writer writer = {encoder->scratch};
    put_u64(&writer, session->start_tick);
    put_u32(&writer, session->clock);
    put_u32(&writer, session->process_id);
    put_u64(&writer, (uint64_t)session->start_unix_ns);
    put_u32(&writer, session->sources);
    put_u32(&writer, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        put_u32(&writer, (uint32_t)facts[i].key.size);
        put_u32(&writer, (uint32_t)facts[i].value.size);
        put_bytes(&writer, facts[i].key);
        put_bytes(&writer, facts[i].value);
    }
    return finish(encoder, LCAP_KIND_session, &writer, block);
}

enum ludus_status lcap_encode_clock(struct lcap_encoder *encoder, const struct lcap_clock *clock,
                                    struct lcap_bytes reason, struct lcap_bytes *block)
{
    if (clock->clock == 0 || clock->step == 0 || clock->offset >= clock->step ||
        clock->ticks_per_second == 0 || clock->source < LCAP_CLOCK_MONOTONIC ||
        clock->source > LCAP_CLOCK_GENERIC_TIMER || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    if (clock->source == LCAP_CLOCK_MONOTONIC && clock->ticks_per_second != 1000000000u)
        return LUDUS_ERROR_ARGUMENT;
    if (reason.size > LCAP_ENCODE_MAX_STRING)
        return LUDUS_ERROR_LIMIT;
    struct field_writer writer = {encoder->scratch};
    put_u32(&writer, clock->clock);
    put_u32(&writer, clock->source);
    put_u64(&writer, clock->ticks_per_second);
    put_u64(&writer, clock->step);
    put_u64(&writer, clock->offset);
    put_u32(&writer, (uint32_t)reason.size);
    put_u32(&writer, 0);
    put_bytes(&writer, reason);
    return finish(encoder, LCAP_KIND_clock, &writer, block);
}

enum ludus_status lcap_encode_calibrations(struct lcap_encoder *encoder, uint32_t clock,
                                           const struct lcap_calibration *calibrations,
                                           size_t count, struct lcap_bytes *block)
{
    enum ludus_status status = check_count_and_clock(encoder, count, clock);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, clock);
    for (size_t i = 0; i < count; i++) {
        if (i != 0 && (calibrations[i].tick <= calibrations[i - 1].tick ||
                       calibrations[i].ns <= calibrations[i - 1].ns))
            return LUDUS_ERROR_ARGUMENT;
        put_u64(&writer, calibrations[i].tick);
        put_u64(&writer, (uint64_t)calibrations[i].ns);
        put_u32(&writer, calibrations[i].uncertainty_ns);
        put_u32(&writer, 0);
    }
    return finish(encoder, LCAP_KIND_calibrations, &writer, block);
}

enum ludus_status lcap_encode_strings(struct lcap_encoder *encoder,
                                      const struct lcap_string *strings, size_t count,
                                      size_t *taken, struct lcap_bytes *block)
{
    *taken = 0;
    if (count == 0 || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    struct field_writer writer = {encoder->scratch + 8};
    const uint8_t *end = encoder->scratch + encoder->scratch_capacity;
    size_t fitting = 0;
    for (; fitting < count && fitting < LCAP_ENCODE_MAX_RECORDS; fitting++) {
        const struct lcap_string *string = &strings[fitting];
        if (string->string == 0)
            return LUDUS_ERROR_ARGUMENT;
        if (string->bytes.size > LCAP_ENCODE_MAX_STRING)
            return LUDUS_ERROR_LIMIT;
        if ((size_t)(end - writer.at) < 8 + string->bytes.size)
            break;
        put_u32(&writer, string->string);
        put_u32(&writer, (uint32_t)string->bytes.size);
        put_bytes(&writer, string->bytes);
    }
    lcap_store_u32(encoder->scratch, (uint32_t)fitting);
    lcap_store_u32(encoder->scratch + 4, 0);
    *taken = fitting;
    return finish(encoder, LCAP_KIND_strings, &writer, block);
}

enum ludus_status lcap_encode_categories(struct lcap_encoder *encoder,
                                         const struct lcap_category *categories, size_t count,
                                         struct lcap_bytes *block)
{
    enum ludus_status status = check_count(encoder, count);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, 0);
    for (size_t i = 0; i < count; i++) {
        const struct lcap_category *category = &categories[i];
        if (category->category == 0 || category->name == 0 || category->flags > 1 ||
            (category->colour > 0xFFFFFFu && category->colour != LCAP_NO_COLOUR))
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, category->category);
        put_u32(&writer, category->name);
        put_u32(&writer, category->colour);
        put_u32(&writer, category->flags);
    }
    return finish(encoder, LCAP_KIND_categories, &writer, block);
}

enum ludus_status lcap_encode_sites(struct lcap_encoder *encoder, const struct lcap_site *sites,
                                    size_t count, struct lcap_bytes *block)
{
    enum ludus_status status = check_count(encoder, count);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, 0);
    for (size_t i = 0; i < count; i++) {
        if (sites[i].site == 0 || sites[i].name == 0)
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, sites[i].site);
        put_u32(&writer, sites[i].name);
        put_u32(&writer, sites[i].file);
        put_u32(&writer, sites[i].function);
        put_u32(&writer, sites[i].line);
        put_u32(&writer, sites[i].category);
    }
    return finish(encoder, LCAP_KIND_sites, &writer, block);
}

enum ludus_status lcap_encode_tracks(struct lcap_encoder *encoder, uint32_t clock,
                                     const struct lcap_track *tracks, size_t count,
                                     struct lcap_bytes *block)
{
    enum ludus_status status = check_count_and_clock(encoder, count, clock);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, clock);
    for (size_t i = 0; i < count; i++) {
        if (tracks[i].track == 0 || tracks[i].kind < LCAP_TRACK_THREAD ||
            tracks[i].kind > LCAP_TRACK_GPU_QUEUE)
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, tracks[i].track);
        put_u32(&writer, tracks[i].kind);
        put_u64(&writer, tracks[i].os_id);
        put_u64(&writer, tracks[i].begin_tick);
        put_u64(&writer, tracks[i].end_tick);
        put_u32(&writer, tracks[i].name);
        put_u32(&writer, 0);
    }
    return finish(encoder, LCAP_KIND_tracks, &writer, block);
}

enum ludus_status lcap_encode_domains(struct lcap_encoder *encoder,
                                      const struct lcap_domain *domains, size_t count,
                                      struct lcap_bytes *block)
{
    enum ludus_status status = check_count(encoder, count);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, 0);
    for (size_t i = 0; i < count; i++) {
        if (domains[i].domain == 0 || domains[i].name == 0)
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, domains[i].domain);
        put_u32(&writer, domains[i].name);
    }
    return finish(encoder, LCAP_KIND_domains, &writer, block);
}

enum ludus_status lcap_encode_frames(struct lcap_encoder *encoder, uint32_t clock,
                                     const struct lcap_frame_mark *marks, size_t count,
                                     struct lcap_bytes *block)
{
    enum ludus_status status = check_count_and_clock(encoder, count, clock);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, clock);
    for (size_t i = 0; i < count; i++) {
        if (marks[i].domain == 0)
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, marks[i].domain);
        put_u32(&writer, marks[i].track);
        put_u64(&writer, marks[i].ordinal);
        put_u64(&writer, marks[i].tick);
    }
    return finish(encoder, LCAP_KIND_frames, &writer, block);
}

enum ludus_status lcap_encode_losses(struct lcap_encoder *encoder, uint32_t clock,
                                     const struct lcap_loss *losses, size_t count,
                                     struct lcap_bytes *block)
{
    enum ludus_status status = check_count_and_clock(encoder, count, clock);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, clock);
    for (size_t i = 0; i < count; i++) {
        if (losses[i].last_tick < losses[i].first_tick || losses[i].cause == 0)
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, losses[i].track);
        put_u32(&writer, losses[i].cause);
        put_counts(&writer, &losses[i].counts);
        put_u64(&writer, losses[i].first_tick);
        put_u64(&writer, losses[i].last_tick);
    }
    return finish(encoder, LCAP_KIND_losses, &writer, block);
}

enum ludus_status lcap_encode_sched(struct lcap_encoder *encoder, uint32_t clock,
                                    const struct lcap_sched *samples, size_t count,
                                    struct lcap_bytes *block)
{
    enum ludus_status status = check_count_and_clock(encoder, count, clock);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, clock);
    for (size_t i = 0; i < count; i++) {
        const struct lcap_sched *sample = &samples[i];
        if (sample->to_tick <= sample->from_tick || sample->processors == 0 ||
            (sample->track != 0 && sample->processors != 1))
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, sample->track);
        put_u32(&writer, sample->processors);
        put_u64(&writer, sample->from_tick);
        put_u64(&writer, sample->to_tick);
        put_u64(&writer, sample->run_ns);
        put_u64(&writer, sample->wait_ns);
    }
    return finish(encoder, LCAP_KIND_sched, &writer, block);
}

enum ludus_status lcap_encode_diagnostic(struct lcap_encoder *encoder, uint32_t clock,
                                         const struct lcap_diagnostic *diagnostic,
                                         struct lcap_bytes *block)
{
    if (diagnostic->code == 0 || clock == 0 || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    if (diagnostic->text.size > LCAP_ENCODE_MAX_STRING)
        return LUDUS_ERROR_LIMIT;
    struct field_writer writer = records_start(encoder, 1, clock);
    put_u32(&writer, diagnostic->code);
    put_u32(&writer, diagnostic->track);
    put_u64(&writer, diagnostic->tick);
    put_u64(&writer, diagnostic->count);
    put_u32(&writer, (uint32_t)diagnostic->text.size);
    put_u32(&writer, 0);
    put_bytes(&writer, diagnostic->text);
    return finish(encoder, LCAP_KIND_diagnostics, &writer, block);
}

enum ludus_status lcap_encode_window(struct lcap_encoder *encoder, const struct lcap_window *window,
                                     struct lcap_bytes *block)
{
    if (window->clock == 0 || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    struct field_writer writer = {encoder->scratch};
    put_u64(&writer, window->from_tick);
    put_u32(&writer, window->clock);
    put_u32(&writer, 0);
    return finish(encoder, LCAP_KIND_window, &writer, block);
}

enum ludus_status lcap_encode_trigger(struct lcap_encoder *encoder, uint32_t clock,
                                      const struct lcap_trigger *trigger, struct lcap_bytes *block)
{
    if (trigger->cause == 0 || clock == 0 || encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    if (trigger->text.size > LCAP_ENCODE_MAX_STRING)
        return LUDUS_ERROR_LIMIT;
    struct field_writer writer = records_start(encoder, 1, clock);
    put_u32(&writer, trigger->cause);
    put_u32(&writer, trigger->domain);
    put_u64(&writer, trigger->tick);
    put_u64(&writer, trigger->ordinal);
    put_u64(&writer, trigger->duration_ticks);
    put_u64(&writer, trigger->limit_ticks);
    put_u32(&writer, (uint32_t)trigger->text.size);
    put_u32(&writer, 0);
    put_bytes(&writer, trigger->text);
    return finish(encoder, LCAP_KIND_triggers, &writer, block);
}

enum ludus_status lcap_encode_repair(struct lcap_encoder *encoder, const struct lcap_repair *repair,
                                     struct lcap_bytes *block)
{
    if (encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    struct field_writer writer = {encoder->scratch};
    put_u64(&writer, repair->capture_id);
    put_u64(&writer, repair->places);
    put_u64(&writer, repair->bytes);
    put_u64(&writer, repair->tail_bytes);
    put_u32(&writer, repair->is_not_finished);
    put_u32(&writer, 0);
    return finish(encoder, LCAP_KIND_repair, &writer, block);
}

enum ludus_status lcap_encode_lost(struct lcap_encoder *encoder, const struct lcap_lost *lost,
                                   size_t count, struct lcap_bytes *block)
{
    enum ludus_status status = check_count(encoder, count);
    if (status != LUDUS_OK)
        return status;
    struct field_writer writer = records_start(encoder, count, 0);
    for (size_t i = 0; i < count; i++) {
        if (lost[i].end_ns < lost[i].begin_ns)
            return LUDUS_ERROR_ARGUMENT;
        put_u32(&writer, lost[i].track);
        put_u32(&writer, 0);
        put_u64(&writer, lost[i].events);
        put_u64(&writer, (uint64_t)lost[i].begin_ns);
        put_u64(&writer, (uint64_t)lost[i].end_ns);
    }
    return finish(encoder, LCAP_KIND_lost, &writer, block);
}

enum ludus_status lcap_encode_end(struct lcap_encoder *encoder, const struct lcap_end *end,
                                  struct lcap_bytes *block)
{
    if (end->clock == 0 || end->reason < LCAP_END_STOPPED || end->reason > LCAP_END_WINDOW_OVER ||
        encoder->events.is_active)
        return LUDUS_ERROR_ARGUMENT;
    struct field_writer writer = {encoder->scratch};
    put_u64(&writer, end->stop_tick);
    put_u32(&writer, end->clock);
    put_u32(&writer, end->reason);
    put_counts(&writer, &end->recorded);
    put_counts(&writer, &end->dropped);
    return finish(encoder, LCAP_KIND_end, &writer, block);
}
