/* Adds up counters, gauges and marks. */
#include "value_totals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "frame_percentiles.h"
#include "lcap_layout.h"

#define KINDS 3u

/* --- subjects -------------------------------------------------------------------------------- */

/* Makes room for all sites that the model has by now. */
static bool reserve_sites(struct trace_value_totals *totals, uint32_t site_count)
{
    if (site_count <= totals->site_most)
        return true;
    size_t most = (size_t)site_count * 2;
    uint32_t *places = calloc(most * KINDS, sizeof *places);
    if (places == NULL)
        return false;
    if (totals->places != NULL)
        memcpy(places, totals->places, (size_t)totals->site_most * KINDS * sizeof *places);
    free(totals->places);
    totals->places = places;
    totals->site_most = (uint32_t)most;
    return true;
}

/* The subject of a site, made when it is new; NULL when there is no memory. */
static struct trace_value_subject *subject_of(struct trace_value_totals *totals,
                                              const struct trace_model *model, uint32_t site,
                                              enum trace_value_kind kind)
{
    if (!reserve_sites(totals, model->site_count))
        return NULL;
    uint32_t *place = &totals->places[(size_t)site * KINDS + kind];
    if (*place != 0)
        return &totals->subjects[*place - 1];
    struct trace_value_subject subject = {.site = site,
                                          .kind = kind,
                                          .totals = calloc(totals->windows, sizeof *subject.totals),
                                          .row = TRACE_NONE};
    if (subject.totals == NULL ||
        !trace_array_grow(&totals->subjects, totals->count, sizeof subject)) {
        free(subject.totals);
        return NULL;
    }
    if (kind == TRACE_VALUE_COUNTER && totals->rows < totals->matrix.subjects)
        subject.row = totals->rows++;
    else if (kind == TRACE_VALUE_COUNTER)
        totals->has_all_rows = false;
    totals->subjects[totals->count++] = subject;
    *place = totals->count;
    return &totals->subjects[totals->count - 1];
}

/* --- values ---------------------------------------------------------------------------------- */

static bool is_in(const struct trace_value_totals *totals, uint32_t window, int64_t time_ns)
{
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    const struct trace_window *item = &totals->chosen->plan.windows.items[window];
    return trace_span_list_contains(&item->spans, time_ns, &from_ns, &until_ns);
}

static bool is_in_frames(const struct trace_value_totals *totals, uint32_t window, uint32_t frame)
{
    return frame != TRACE_NONE && trace_value_frames(totals, window)[frame];
}

/* Keeps what addition rounds off, so that the order of the values does not show. */
static void add_number(struct trace_value_total *total, double number)
{
    double sum = total->sum + number;
    total->rest += fabs(total->sum) >= fabs(number) ? (total->sum - sum) + number
                                                    : (number - sum) + total->sum;
    total->sum = sum;
}

static void add_gauge(struct trace_value_total *total, const struct trace_value *value)
{
    double number;
    memcpy(&number, &value->bits, sizeof number);
    if (!isfinite(number)) {
        total->not_finite++;
        return;
    }
    bool is_first = total->count == total->not_finite;
    if (is_first || number < total->least)
        total->least = number;
    if (is_first || number > total->most)
        total->most = number;
    if (is_first || value->time_ns > total->last_ns ||
        (value->time_ns == total->last_ns && value->track >= total->last_track)) {
        total->last = number;
        total->last_ns = value->time_ns;
        total->last_track = value->track;
    }
    add_number(total, number);
}

static void add_count(struct trace_value_total *total, int64_t amount, bool is_in_frame)
{
    total->total = trace_sum(total->total, amount);
    if (!is_in_frame)
        total->outside = trace_sum(total->outside, amount);
}

static void add_value(struct trace_value_totals *totals, struct trace_value_subject *subject,
                      const struct trace_value *value)
{
    for (uint32_t w = 0; w < totals->windows; w++) {
        struct trace_value_total *total = &subject->totals[w];
        if (!is_in(totals, w, value->time_ns))
            continue;
        if (subject->kind == TRACE_VALUE_GAUGE)
            add_gauge(total, value);
        else
            add_count(total, (int64_t)value->bits, is_in_frames(totals, w, value->frame));
        total->count++;
    }
}

static enum ludus_status take_value(struct trace_value_totals *totals,
                                    const struct trace_model *model,
                                    const struct trace_value *value)
{
    bool is_count = value->kind == LCAP_EVENT_COUNT;
    if ((!is_count && value->kind != LCAP_EVENT_GAUGE) || value->site == TRACE_NONE ||
        !trace_chosen_shows(totals->chosen, value->site) || (is_count && value->bits == 0))
        return LUDUS_OK;
    struct trace_value_subject *subject =
        subject_of(totals, model, value->site, is_count ? TRACE_VALUE_COUNTER : TRACE_VALUE_GAUGE);
    if (subject == NULL)
        return LUDUS_ERROR_MEMORY;
    if (!totals->is_again)
        add_value(totals, subject, value);
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
        for (uint32_t w = 0; w < totals->windows; w++) {
            struct trace_value_total *total = &subject->totals[w];
            if (!is_in(totals, w, instant->time_ns))
                continue;
            if (total->count == 0 || instant->time_ns < total->first_ns)
                total->first_ns = instant->time_ns;
            if (total->count == 0 || instant->time_ns > total->last_ns)
                total->last_ns = instant->time_ns;
            total->count++;
            total->in_frames += is_in_frames(totals, w, instant->frame);
        }
    }
    return LUDUS_OK;
}

/* --- all of them ----------------------------------------------------------------------------- */

static bool find_frames(struct trace_value_totals *totals)
{
    const struct trace_domain *domain = totals->domain;
    uint32_t frames = domain == NULL ? 0 : domain->frame_count;
    totals->is_counted = calloc((size_t)totals->windows * frames + 1, sizeof(bool));
    if (totals->is_counted == NULL)
        return false;
    for (uint32_t w = 0; w < totals->windows; w++)
        for (uint32_t i = 0; i < frames; i++)
            totals->is_counted[(size_t)w * frames + i] =
                trace_frame_is_complete_in(domain, i, &totals->chosen->plan.windows.items[w].spans);
    return true;
}

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
    *totals = (struct trace_value_totals){
        .chosen = chosen, .windows = chosen->plan.windows.count, .has_all_rows = true};
    enum ludus_status status = trace_input_model(input, TRACE_DETAIL_FACTS, &model, error);
    if (status != LUDUS_OK)
        return status;
    if (chosen->plan.domain != TRACE_NONE)
        totals->domain = &model->domains[chosen->plan.domain];
    uint32_t frames = totals->domain == NULL ? 0 : totals->domain->frame_count;
    uint32_t room = trace_frame_matrix_room(frames, budget_bytes);
    /* A pass may enter sites whose definitions are lost, but hardly more than as many again. */
    uint32_t most = model->site_count < UINT32_MAX / 2 - 8 ? model->site_count * 2 + 8 : UINT32_MAX;
    if (!find_frames(totals) ||
        !trace_frame_matrix_create(&totals->matrix, room < most ? room : most, frames))
        return trace_fail_memory(error);
    return run(totals, input, error);
}

void trace_value_totals_destroy(struct trace_value_totals *totals)
{
    for (uint32_t i = 0; i < totals->count; i++)
        free(totals->subjects[i].totals);
    free(totals->subjects);
    free(totals->places);
    free(totals->is_counted);
    trace_frame_matrix_destroy(&totals->matrix);
    *totals = (struct trace_value_totals){0};
}

enum ludus_status trace_value_totals_hold(struct trace_value_totals *totals,
                                          struct trace_input *input, const uint32_t *indexes,
                                          uint32_t count, struct ludus_error *error)
{
    trace_frame_matrix_clear(&totals->matrix);
    for (uint32_t i = 0; i < totals->count; i++)
        totals->subjects[i].row = TRACE_NONE;
    for (uint32_t i = 0; i < count; i++)
        totals->subjects[indexes[i]].row = i;
    totals->is_again = true;
    return run(totals, input, error);
}
