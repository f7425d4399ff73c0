/* Counts, gauges and flows on their way to the visitor, and the time that each belongs to. */
#include "frame_table.h"
#include "track_state.h"

/* The increments of a count were added from the track's last event of the same counter on, and
 * before the next frame mark: FORMAT.md, section 2.8. That event may be among those that are
 * missing: then they belong to no frame, and are shown at the time of their own event. */
static bool place_count(struct trace_nesting *nesting, struct trace_value *value)
{
    const struct track_state *state = &nesting->tracks[value->track];
    const struct trace_counter_time first = {.since_ns =
                                                 nesting->model->tracks[value->track].begin_ns};
    struct trace_counter_time *time =
        trace_counter_times_get(&nesting->counter_times, value->track, value->site, first);
    if (time == NULL)
        return false;
    int64_t own_ns = value->time_ns;
    value->is_time_known = time->gaps == state->gaps;
    if (value->is_time_known) {
        if (time->since_ns < own_ns)
            value->time_ns = time->since_ns;
        const struct trace_domain *domain = nesting->statistics.domain;
        if (domain != NULL)
            value->frame = trace_frame_table_find(domain, value->time_ns);
    }
    time->since_ns = own_ns;
    time->gaps = state->gaps;
    return true;
}

static void place_moment(struct trace_nesting *nesting, struct trace_value *value)
{
    struct track_state *state = &nesting->tracks[value->track];
    if (state->depth != 0 && value->kind != LCAP_EVENT_GAUGE)
        value->slice_id = state->stack[state->depth - 1].slice_id;
    value->frame = trace_track_frame(nesting, value->track, value->time_ns);
}

bool trace_value_add(struct trace_nesting *nesting, struct trace_value value)
{
    static const struct trace_visitor nobody;
    const struct trace_visitor *visitor = nesting->visitor == NULL ? &nobody : nesting->visitor;
    bool is_added = nesting->statistics.plan->has_value_rows && trace_value_counts(&value);
    bool is_count = value.kind == LCAP_EVENT_COUNT; /* one of 0 says from when the next one adds */
    bool is_wanted = visitor->values != NULL || visitor->value != NULL || is_added ||
                     (is_count && nesting->statistics.plan->has_value_rows);
    if (!is_wanted || value.kind == LCAP_EVENT_TRACK_SWITCH)
        return true;
    value.frame = TRACE_NONE;
    value.is_time_known = true;
    value.after_slice_id = nesting->next_slice;
    if (!is_count)
        place_moment(nesting, &value);
    else if (!place_count(nesting, &value))
        return false;
    if (is_added && !trace_value_sums_take(&nesting->statistics.values, nesting->model, &value))
        return false;
    if (visitor->value != NULL)
        nesting->shown = visitor->value(visitor->context, nesting->model, &value);
    return nesting->shown == LUDUS_OK &&
           (visitor->values == NULL || trace_batch_add_value(&nesting->batch, &value));
}
