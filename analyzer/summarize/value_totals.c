/* Takes counters, gauges and marks that are shown, and counters by frame. */
#include "value_totals.h"

#include "failure.h"

/* The subject of a site; a new counter takes a row of the matrix. NULL when there is no memory. */
static struct trace_value_subject *subject_of(struct trace_value_totals *totals,
                                              const struct trace_model *model, uint32_t site,
                                              enum trace_value_kind kind)
{
    uint32_t count = totals->sums.count;
    struct trace_value_subject *subject =
        trace_value_sums_subject(&totals->sums, model, site, kind);
    if (subject == NULL || totals->sums.count == count || kind != TRACE_VALUE_COUNTER)
        return subject;
    if (totals->rows < totals->matrix.subjects)
        subject->row = totals->rows++;
    else
        totals->has_all_rows = false;
    return subject;
}

static enum ludus_status take_value(struct trace_value_totals *totals,
                                    const struct trace_model *model,
                                    const struct trace_value *value)
{
    bool is_count = value->kind == LCAP_EVENT_COUNT;
    if (!trace_value_counts(value) || !trace_chosen_shows(totals->chosen, value->site))
        return LUDUS_OK;
    struct trace_value_subject *subject =
        subject_of(totals, model, value->site, is_count ? TRACE_VALUE_COUNTER : TRACE_VALUE_GAUGE);
    if (subject == NULL)
        return LUDUS_ERROR_MEMORY;
    if (!totals->is_again)
        trace_value_sums_add(&totals->sums, subject, value);
    if (is_count && value->frame != TRACE_NONE && subject->row != TRACE_NONE)
        trace_frame_matrix_add(&totals->matrix, subject->row, value->frame, (int64_t)value->bits);
    return LUDUS_OK;
}

static enum ludus_status take_values(void *context, const struct trace_model *model,
                                     const struct trace_value *values, size_t count)
{
    enum ludus_status status = LUDUS_OK;
    for (size_t i = 0; status == LUDUS_OK && i < count; i++)
        status = take_value(context, model, &values[i]);
    return status;
}

static enum ludus_status take_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct trace_value_totals *totals = context;
    for (size_t i = 0; i < count; i++) {
        const struct trace_instant *instant = &instants[i];
        if (!trace_chosen_shows(totals->chosen, instant->site))
            continue;
        struct trace_value_subject *subject =
            subject_of(totals, model, instant->site, TRACE_VALUE_MARK);
        if (subject == NULL)
            return LUDUS_ERROR_MEMORY;
        trace_value_sums_add_instant(&totals->sums, subject, instant);
    }
    return LUDUS_OK;
}

/* --- all of them ----------------------------------------------------------------------------- */

static enum ludus_status run(struct trace_value_totals *totals, struct trace_input *input,
                             struct ludus_error *error)
{
    const struct trace_visitor visitor = {.context = totals,
                                          .values = take_values,
                                          .instants = totals->is_again ? NULL : take_instants};
    enum ludus_status status = trace_input_run(input, &totals->chosen->plan, &visitor, error);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

enum ludus_status trace_value_totals_create(struct trace_input *input,
                                            const struct trace_chosen *chosen, size_t budget_bytes,
                                            struct trace_value_totals *totals,
                                            struct ludus_error *error)
{
    const struct trace_model *model;
    *totals = (struct trace_value_totals){.chosen = chosen, .has_all_rows = true};
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status != LUDUS_OK)
        return status;
    if (!trace_value_sums_create(&totals->sums, model, &chosen->plan))
        return trace_fail_memory(error);
    const struct trace_domain *domain = totals->sums.domain;
    uint32_t frames = domain == NULL ? 0 : domain->frame_count;
    uint32_t room = trace_frame_matrix_room(frames, budget_bytes);
    /* A pass may enter sites whose definitions are lost, but hardly more than as many again. */
    uint32_t most = model->site_count < UINT32_MAX / 2 - 8 ? model->site_count * 2 + 8 : UINT32_MAX;
    if (!trace_frame_matrix_create(&totals->matrix, room < most ? room : most, frames))
        return trace_fail_memory(error);
    return run(totals, input, error);
}

void trace_value_totals_destroy(struct trace_value_totals *totals)
{
    trace_value_sums_destroy(&totals->sums);
    trace_frame_matrix_destroy(&totals->matrix);
    *totals = (struct trace_value_totals){0};
}

enum ludus_status trace_value_totals_hold(struct trace_value_totals *totals,
                                          struct trace_input *input, const uint32_t *indexes,
                                          uint32_t count, struct ludus_error *error)
{
    trace_frame_matrix_clear(&totals->matrix);
    for (uint32_t i = 0; i < totals->sums.count; i++)
        totals->sums.subjects[i].row = TRACE_NONE;
    for (uint32_t i = 0; i < count; i++)
        totals->sums.subjects[indexes[i]].row = i;
    totals->is_again = true;
    return run(totals, input, error);
}
