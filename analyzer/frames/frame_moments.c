/* Collects what happened in a frame. */
#include "frame_moments.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "frame_matrix.h"
#include "frame_scopes.h"
#include "lcap_layout.h"

/* Whose time it is on a track: the innermost open scope's. */
struct open_sites {
    uint32_t *sites;
    uint32_t depth;
    uint32_t most;    /* so far */
    int64_t since_ns; /* until then it is told */
};

struct collector {
    struct trace_frame_moments *moments;
    const struct trace_frame_list *list;
    struct open_sites *tracks;
    uint32_t track_count;
    uint32_t *rows;     /* by site: row of the counter, or TRACE_NONE */
    uint32_t *gauges;   /* by site: place of the gauge's value, plus one; 0: there is none */
    uint32_t row_count; /* of the matrix that are taken */
    struct counter_facts {
        int64_t value; /* in the frame */
        uint32_t
            told; /* how often, in frames of the list: at least in how many of them it counts */
        bool is_counter;
    } * counters; /* by site */
    uint32_t site_count;
    uint32_t column; /* of the frame */
    bool has_more;   /* counters than rows: they take passes of their own */
    bool is_again;   /* such a pass */
    struct trace_frame_matrix counts;
};

/* --- whose time it was ----------------------------------------------------------------------- */

static struct open_sites *track_of(struct collector *collector, uint32_t track)
{
    while (collector->track_count <= track) {
        if (!trace_array_grow(&collector->tracks, collector->track_count,
                              sizeof *collector->tracks))
            return NULL;
        collector->tracks[collector->track_count++] = (struct open_sites){.since_ns = INT64_MIN};
    }
    return &collector->tracks[track];
}

/* Gives the time until `until_ns` to the innermost scope. False when there is no memory. */
static bool tell_until(struct collector *collector, uint32_t track, int64_t until_ns)
{
    struct trace_frame_moments *moments = collector->moments;
    struct open_sites *open = &collector->tracks[track];
    int64_t begin_ns = open->since_ns > moments->begin_ns ? open->since_ns : moments->begin_ns;
    int64_t end_ns = until_ns < moments->end_ns ? until_ns : moments->end_ns;
    if (until_ns > open->since_ns)
        open->since_ns = until_ns;
    if (open->depth == 0 || begin_ns >= end_ns)
        return true;
    if (moments->stretch_count == TRACE_MOST_STRETCHES) {
        moments->is_cut = true;
        return true;
    }
    if (!trace_array_grow(&moments->stretches, moments->stretch_count, sizeof *moments->stretches))
        return false;
    moments->stretches[moments->stretch_count++] =
        (struct trace_stretch){begin_ns, end_ns, track, open->sites[open->depth - 1]};
    return true;
}

static enum ludus_status take_begin(void *context, const struct trace_model *model, uint32_t track,
                                    uint32_t site, int64_t begin_ns)
{
    struct collector *collector = context;
    struct open_sites *open = track_of(collector, track);
    (void)model;
    if (open == NULL || !tell_until(collector, track, begin_ns))
        return LUDUS_ERROR_MEMORY;
    if (open->depth == open->most) {
        if (!trace_array_grow(&open->sites, open->most, sizeof *open->sites))
            return LUDUS_ERROR_MEMORY;
        open->most++;
    }
    open->sites[open->depth++] = site;
    return LUDUS_OK;
}

static enum ludus_status take_end(void *context, const struct trace_model *model,
                                  const struct trace_slice *slice)
{
    struct collector *collector = context;
    (void)model;
    if (!tell_until(collector, slice->track, slice->begin_ns + slice->known_ns))
        return LUDUS_ERROR_MEMORY;
    collector->tracks[slice->track].depth--;
    return LUDUS_OK;
}

/* --- instants and values --------------------------------------------------------------------- */

static bool is_inside(const struct trace_frame_moments *moments, int64_t time_ns)
{
    return time_ns >= moments->begin_ns && time_ns < moments->end_ns;
}

/* Appends an item to an array that is bounded. False when there is no memory. */
static bool append(struct trace_frame_moments *moments, void *array, uint32_t *count, size_t size,
                   const void *item)
{
    if (*count == TRACE_MOST_MOMENTS) {
        moments->is_cut = true;
        return true;
    }
    if (!trace_array_grow(array, *count, size))
        return false;
    memcpy(*(char **)array + (*count)++ * size, item, size);
    return true;
}

static enum ludus_status take_instants(void *context, const struct trace_model *model,
                                       const struct trace_instant *instants, size_t count)
{
    struct collector *collector = context;
    struct trace_frame_moments *moments = collector->moments;
    (void)model;
    for (size_t i = 0; i < count; i++)
        if (is_inside(moments, instants[i].time_ns) &&
            !append(moments, &moments->instants, &moments->instant_count, sizeof *instants,
                    &instants[i]))
            return LUDUS_ERROR_MEMORY;
    return LUDUS_OK;
}

static bool is_later(const struct trace_gauge_value *a, const struct trace_gauge_value *b)
{
    if (a->time_ns != b->time_ns)
        return a->time_ns > b->time_ns;
    return a->track != b->track ? a->track > b->track : a->value > b->value;
}

static bool take_gauge(struct collector *collector, const struct trace_value *value)
{
    struct trace_frame_moments *moments = collector->moments;
    uint32_t *place = &collector->gauges[value->site];
    struct trace_gauge_value gauge = {
        .time_ns = value->time_ns, .track = value->track, .site = value->site};
    memcpy(&gauge.value, &value->bits, sizeof gauge.value);
    uint32_t count = moments->gauge_count;
    if (*place != 0) {
        if (is_later(&gauge, &moments->gauges[*place - 1]))
            moments->gauges[*place - 1] = gauge;
        return true;
    }
    if (!append(moments, &moments->gauges, &moments->gauge_count, sizeof gauge, &gauge))
        return false;
    *place = moments->gauge_count == count ? 0 : moments->gauge_count;
    return true;
}

static void take_count(struct collector *collector, const struct trace_value *value)
{
    uint32_t column = trace_frame_column(collector->list, value->frame);
    uint32_t *row = &collector->rows[value->site];
    struct counter_facts *facts = &collector->counters[value->site];
    if (!collector->is_again)
        facts->is_counter = true;
    if (column != TRACE_NONE && !collector->is_again) {
        facts->told += facts->told != UINT32_MAX;
        if (column == collector->column)
            facts->value = trace_sum(facts->value, (int64_t)value->bits);
    }
    if (*row == TRACE_NONE && !collector->is_again &&
        collector->row_count < collector->counts.subjects)
        *row = collector->row_count++;
    if (*row == TRACE_NONE)
        collector->has_more |= !collector->is_again;
    else if (column != TRACE_NONE)
        trace_frame_matrix_add(&collector->counts, *row, column, (int64_t)value->bits);
}

static bool take_value(struct collector *collector, const struct trace_value *value)
{
    struct trace_frame_moments *moments = collector->moments;
    bool is_known = value->site < collector->site_count; /* else the caller asks again */
    if (value->kind == LCAP_EVENT_COUNT && is_known)
        take_count(collector, value);
    if (value->kind == LCAP_EVENT_COUNT || collector->is_again ||
        !is_inside(moments, value->time_ns))
        return true;
    if (value->kind == LCAP_EVENT_GAUGE)
        return !is_known || take_gauge(collector, value);
    const struct trace_flow_end end = {value->time_ns, value->bits, value->track, value->site};
    if (value->kind == LCAP_EVENT_FLOW_IN)
        return append(moments, &moments->ins, &moments->in_count, sizeof end, &end);
    return append(moments, &moments->outs, &moments->out_count, sizeof end, &end);
}

static enum ludus_status take_values(void *context, const struct trace_model *model,
                                     const struct trace_value *values, size_t count)
{
    (void)model;
    for (size_t i = 0; i < count; i++)
        if (!take_value(context, &values[i]))
            return LUDUS_ERROR_MEMORY;
    return LUDUS_OK;
}

/* --- their order ----------------------------------------------------------------------------- */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_stretches(const void *a, const void *b)
{
    const struct trace_stretch *left = a;
    const struct trace_stretch *right = b;
    int order = COMPARE(left->track, right->track);
    return order != 0 ? order : COMPARE(left->begin_ns, right->begin_ns);
}

static int compare_ins(const void *a, const void *b)
{
    const struct trace_flow_end *left = a;
    const struct trace_flow_end *right = b;
    int order = COMPARE(left->track, right->track);
    order = order != 0 ? order : COMPARE(left->time_ns, right->time_ns);
    order = order != 0 ? order : COMPARE(left->flow, right->flow);
    return order != 0 ? order : COMPARE(left->site, right->site);
}

static int compare_outs(const void *a, const void *b)
{
    const struct trace_flow_end *left = a;
    const struct trace_flow_end *right = b;
    int order = COMPARE(left->flow, right->flow);
    order = order != 0 ? order : COMPARE(left->time_ns, right->time_ns);
    return order != 0 ? order : COMPARE(left->track, right->track);
}

static int compare_instants(const void *a, const void *b)
{
    const struct trace_instant *left = a;
    const struct trace_instant *right = b;
    int order = COMPARE(left->time_ns, right->time_ns);
    order = order != 0 ? order : COMPARE(left->track, right->track);
    return order != 0 ? order : COMPARE(left->site, right->site);
}

static int compare_gauges(const void *a, const void *b)
{
    const struct trace_gauge_value *left = a;
    const struct trace_gauge_value *right = b;
    return COMPARE(left->site, right->site);
}

static void sort(void *items, uint32_t count, size_t size,
                 int (*compare)(const void *a, const void *b))
{
    if (count > 1)
        qsort(items, count, size, compare);
}

static void sort_all(struct trace_frame_moments *moments)
{
    sort(moments->stretches, moments->stretch_count, sizeof *moments->stretches, compare_stretches);
    sort(moments->ins, moments->in_count, sizeof *moments->ins, compare_ins);
    sort(moments->outs, moments->out_count, sizeof *moments->outs, compare_outs);
    sort(moments->instants, moments->instant_count, sizeof *moments->instants, compare_instants);
    sort(moments->gauges, moments->gauge_count, sizeof *moments->gauges, compare_gauges);
}

/* --- passes ---------------------------------------------------------------------------------- */

/* The counters of the matrix, with their medians over the usual frames of the first window. */
static bool add_counters(struct collector *collector, uint32_t column)
{
    struct trace_frame_moments *moments = collector->moments;
    const struct trace_frame_list *list = collector->list;
    int64_t *scratch = malloc(((size_t)list->count + 1) * sizeof *scratch);
    for (uint32_t site = 0; scratch != NULL && site < collector->site_count; site++) {
        uint32_t row = collector->rows[site], usual = 0;
        if (row == TRACE_NONE)
            continue;
        for (uint32_t i = 0; i < list->count; i++)
            if (trace_frame_is_usual(list, i, 0))
                scratch[usual++] = trace_frame_matrix_value(&collector->counts, row, i);
        const struct trace_counter_value value = {
            .value = trace_frame_matrix_value(&collector->counts, row, column),
            .median = trace_rank_select(scratch, usual, 500),
            .site = site};
        if (!trace_array_grow(&moments->counts, moments->count_count, sizeof *moments->counts))
            break;
        moments->counts[moments->count_count++] = value;
    }
    free(scratch);
    return scratch != NULL;
}

static bool prepare(struct collector *collector)
{
    uint32_t frames = collector->list->count, sites = collector->site_count;
    uint32_t room = trace_frame_matrix_room(frames, TRACE_FRAME_MATRIX_BYTES);
    collector->rows = malloc(((size_t)sites + 1) * sizeof *collector->rows);
    collector->gauges = calloc((size_t)sites + 1, sizeof *collector->gauges);
    collector->counters = calloc((size_t)sites + 1, sizeof *collector->counters);
    if (collector->rows == NULL || collector->gauges == NULL || collector->counters == NULL)
        return false;
    for (uint32_t i = 0; i < sites; i++)
        collector->rows[i] = TRACE_NONE;
    return trace_frame_matrix_create(&collector->counts, room < sites ? room : sites, frames);
}

static enum ludus_status run(struct collector *collector, struct trace_input *input,
                             const struct trace_pass_plan *plan, struct ludus_error *error)
{
    struct trace_visitor visitor = {.context = collector, .values = take_values};
    struct trace_pass_plan all_tracks = *plan;
    all_tracks.tracks = NULL;
    all_tracks.is_without_sums = true;
    if (!collector->is_again) {
        visitor.begin = take_begin;
        visitor.end = take_end;
        visitor.instants = take_instants;
    }
    enum ludus_status status = trace_input_run(input, &all_tracks, &visitor, error);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

/* Takes counters that count in less than half of the usual frames: their medians are 0, which no
 * pass has to find. Of 60,000 counters a matrix would take hundreds of passes. */
static bool take_rare_counters(struct collector *collector)
{
    struct trace_frame_moments *moments = collector->moments;
    uint32_t usual = 0;
    for (uint32_t i = 0; i < collector->list->count; i++)
        usual += trace_frame_is_usual(collector->list, i, 0);
    for (uint32_t site = 0; site < collector->site_count; site++) {
        struct counter_facts *facts = &collector->counters[site];
        if (!facts->is_counter || facts->told * UINT64_C(2) >= usual)
            continue;
        if (!trace_array_grow(&moments->counts, moments->count_count, sizeof *moments->counts))
            return false;
        moments->counts[moments->count_count++] =
            (struct trace_counter_value){.value = facts->value, .site = site};
        facts->is_counter = false;
    }
    return true;
}

/* Passes for counters alone, as many of them at a time as fit. */
static enum ludus_status run_again(struct collector *collector, struct trace_input *input,
                                   const struct trace_pass_plan *plan, uint32_t column,
                                   struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;
    uint32_t next = 0;
    if (!take_rare_counters(collector))
        return trace_fail_memory(error);
    collector->is_again = true;
    while (status == LUDUS_OK && next < collector->site_count) {
        collector->row_count = 0;
        trace_frame_matrix_clear(&collector->counts);
        for (uint32_t site = 0; site < collector->site_count; site++) {
            bool is_taken = site >= next && collector->counters[site].is_counter &&
                            collector->row_count < collector->counts.subjects;
            collector->rows[site] = is_taken ? collector->row_count++ : TRACE_NONE;
        }
        while (next < collector->site_count &&
               (!collector->counters[next].is_counter || collector->rows[next] != TRACE_NONE))
            next++;
        if (collector->row_count == 0)
            break;
        status = run(collector, input, plan, error);
        if (status == LUDUS_OK && !add_counters(collector, column))
            status = trace_fail_memory(error);
    }
    return status;
}

static enum ludus_status collect(struct collector *collector, struct trace_input *input,
                                 const struct trace_pass_plan *plan, uint32_t column,
                                 struct ludus_error *error)
{
    if (!prepare(collector))
        return trace_fail_memory(error);
    enum ludus_status status = run(collector, input, plan, error);
    if (status == LUDUS_OK && collector->has_more)
        return run_again(collector, input, plan, column, error);
    if (status == LUDUS_OK && !add_counters(collector, column))
        status = trace_fail_memory(error);
    return status;
}

enum ludus_status trace_frame_moments_create(struct trace_frame_moments *moments,
                                             struct trace_input *input,
                                             const struct trace_model *model,
                                             const struct trace_pass_plan *plan,
                                             const struct trace_frame_list *list, uint32_t column,
                                             struct ludus_error *error)
{
    *moments = (struct trace_frame_moments){.begin_ns = trace_frame_begin(list, column),
                                            .end_ns = trace_frame_end(list, column)};
    struct collector collector = {
        .moments = moments, .list = list, .site_count = model->site_count, .column = column};
    enum ludus_status status = collect(&collector, input, plan, column, error);
    sort_all(moments);
    for (uint32_t i = 0; i < collector.track_count; i++)
        free(collector.tracks[i].sites);
    free(collector.tracks);
    free(collector.rows);
    free(collector.gauges);
    free(collector.counters);
    trace_frame_matrix_destroy(&collector.counts);
    if (status != LUDUS_OK)
        trace_frame_moments_destroy(moments);
    return status;
}

void trace_frame_moments_destroy(struct trace_frame_moments *moments)
{
    free(moments->stretches);
    free(moments->ins);
    free(moments->outs);
    free(moments->instants);
    free(moments->gauges);
    free(moments->counts);
    *moments = (struct trace_frame_moments){0};
}

uint32_t trace_first_stretch(const struct trace_frame_moments *moments, uint32_t track,
                             int64_t time_ns)
{
    uint32_t low = 0, high = moments->stretch_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct trace_stretch *stretch = &moments->stretches[middle];
        if (stretch->track < track || (stretch->track == track && stretch->end_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
