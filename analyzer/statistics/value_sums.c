/* Adds up counters, gauges and marks. */
#include "value_sums.h"

#include <math.h>
#include <stdlib.h>

#include "frame_percentiles.h"

#define KINDS 3u

/* --- subjects -------------------------------------------------------------------------------- */

/* Makes room for all sites that the model has by now. */
static bool reserve_sites(struct trace_value_sums *sums, uint32_t site_count)
{
    if (site_count <= sums->site_most)
        return true;
    size_t most = (size_t)site_count * 2;
    uint32_t *places = calloc(most * KINDS, sizeof *places);
    if (places == NULL)
        return false;
    if (sums->places != NULL)
        memcpy(places, sums->places, (size_t)sums->site_most * KINDS * sizeof *places);
    free(sums->places);
    sums->places = places;
    sums->site_most = (uint32_t)most;
    return true;
}

struct trace_value_subject *trace_value_sums_subject(struct trace_value_sums *sums,
                                                     const struct trace_model *model, uint32_t site,
                                                     enum trace_value_kind kind)
{
    if (!reserve_sites(sums, model->site_count))
        return NULL;
    uint32_t *place = &sums->places[(size_t)site * KINDS + kind];
    if (*place != 0)
        return &sums->subjects[*place - 1];
    struct trace_value_subject subject = {.site = site,
                                          .kind = kind,
                                          .totals = calloc(sums->windows, sizeof *subject.totals),
                                          .row = TRACE_NONE};
    if (subject.totals == NULL || !trace_array_grow(&sums->subjects, sums->count, sizeof subject)) {
        free(subject.totals);
        return NULL;
    }
    sums->subjects[sums->count++] = subject;
    *place = sums->count;
    return &sums->subjects[sums->count - 1];
}

/* --- values ---------------------------------------------------------------------------------- */

static bool is_in(const struct trace_value_sums *sums, uint32_t window, int64_t time_ns)
{
    int64_t from_ns = INT64_MIN, until_ns = INT64_MAX;
    const struct trace_window *item = &sums->plan->windows.items[window];
    return trace_span_list_contains(&item->spans, time_ns, &from_ns, &until_ns);
}

static bool is_in_frames(const struct trace_value_sums *sums, uint32_t window, uint32_t frame)
{
    return frame != TRACE_NONE && trace_value_frames(sums, window)[frame];
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

void trace_value_sums_add(struct trace_value_sums *sums, struct trace_value_subject *subject,
                          const struct trace_value *value)
{
    for (uint32_t w = 0; w < sums->windows; w++) {
        struct trace_value_total *total = &subject->totals[w];
        if (!is_in(sums, w, value->time_ns))
            continue;
        if (subject->kind == TRACE_VALUE_GAUGE)
            add_gauge(total, value);
        else
            add_count(total, (int64_t)value->bits, is_in_frames(sums, w, value->frame));
        total->count++;
    }
}

void trace_value_sums_add_instant(struct trace_value_sums *sums,
                                  struct trace_value_subject *subject,
                                  const struct trace_instant *instant)
{
    for (uint32_t w = 0; w < sums->windows; w++) {
        struct trace_value_total *total = &subject->totals[w];
        if (!is_in(sums, w, instant->time_ns))
            continue;
        if (total->count == 0 || instant->time_ns < total->first_ns)
            total->first_ns = instant->time_ns;
        if (total->count == 0 || instant->time_ns > total->last_ns)
            total->last_ns = instant->time_ns;
        total->count++;
        total->in_frames += is_in_frames(sums, w, instant->frame);
    }
}

bool trace_value_sums_take(struct trace_value_sums *sums, const struct trace_model *model,
                           const struct trace_value *value)
{
    if (!trace_value_counts(value))
        return true;
    struct trace_value_subject *subject = trace_value_sums_subject(
        sums, model, value->site,
        value->kind == LCAP_EVENT_COUNT ? TRACE_VALUE_COUNTER : TRACE_VALUE_GAUGE);
    if (subject != NULL)
        trace_value_sums_add(sums, subject, value);
    return subject != NULL;
}

/* --- rows ------------------------------------------------------------------------------------ */

/* A negative zero is stored by a database as 0. */
static double plain(double number)
{
    return number + 0.0;
}

static struct trace_value_stats row_of(const struct trace_value_subject *subject, uint32_t window)
{
    const struct trace_value_total *total = &subject->totals[window];
    struct trace_value_stats row = {.site = subject->site,
                                    .window = window,
                                    .is_gauge = subject->kind == TRACE_VALUE_GAUGE,
                                    .count = total->count,
                                    .not_finite = total->not_finite,
                                    .total = total->total,
                                    .outside = total->outside};
    if (row.is_gauge && total->count != total->not_finite) {
        row.sum = plain(total->sum + total->rest);
        row.sum = isfinite(row.sum) ? row.sum : (double)NAN;
        row.least = plain(total->least);
        row.most = plain(total->most);
        row.last = plain(total->last);
    }
    return row;
}

static int compare_rows(const void *a, const void *b)
{
    const struct trace_value_stats *left = a, *right = b;
    if (left->site != right->site)
        return left->site < right->site ? -1 : 1;
    if (left->is_gauge != right->is_gauge)
        return left->is_gauge ? 1 : -1;
    return (left->window > right->window) - (left->window < right->window);
}

bool trace_value_sums_fill(const struct trace_value_sums *sums, struct trace_model *model)
{
    model->value_stats_count = 0;
    for (uint32_t i = 0; i < sums->count; i++) {
        for (uint32_t w = 0; sums->subjects[i].kind != TRACE_VALUE_MARK && w < sums->windows; w++) {
            if (!trace_array_grow(&model->value_stats, model->value_stats_count,
                                  sizeof *model->value_stats))
                return false;
            model->value_stats[model->value_stats_count++] = row_of(&sums->subjects[i], w);
        }
    }
    if (model->value_stats_count != 0)
        qsort(model->value_stats, model->value_stats_count, sizeof *model->value_stats,
              compare_rows);
    return true;
}

/* --- all of them ----------------------------------------------------------------------------- */

bool trace_value_sums_create(struct trace_value_sums *sums, const struct trace_model *model,
                             const struct trace_pass_plan *plan)
{
    *sums = (struct trace_value_sums){
        .plan = plan,
        .domain = plan->domain == TRACE_NONE ? NULL : &model->domains[plan->domain],
        .windows = plan->windows.count};
    uint32_t frames = sums->domain == NULL ? 0 : sums->domain->frame_count;
    sums->is_counted = calloc((size_t)sums->windows * frames + 1, sizeof(bool));
    for (uint32_t w = 0; sums->is_counted != NULL && w < sums->windows; w++)
        for (uint32_t i = 0; i < frames; i++)
            sums->is_counted[(size_t)w * frames + i] =
                trace_frame_is_complete_in(sums->domain, i, &plan->windows.items[w].spans);
    return sums->is_counted != NULL;
}

void trace_value_sums_destroy(struct trace_value_sums *sums)
{
    for (uint32_t i = 0; i < sums->count; i++)
        free(sums->subjects[i].totals);
    free(sums->subjects);
    free(sums->places);
    free(sums->is_counted);
    *sums = (struct trace_value_sums){0};
}
