/* The member otherData: what is known of the session, and what the export did. */
#include "database_names.h"
#include "perfetto.h"

static void put_facts(struct trace_json *json, const struct trace_model *model)
{
    trace_json_key(json, "facts");
    trace_json_begin_array(json);
    for (uint32_t i = 0; i < model->fact_count; i++) {
        trace_json_break(json, 1);
        trace_json_begin_object(json);
        trace_perfetto_put_text(json, "key", model->facts[i].key);
        trace_perfetto_put_text(json, "value", model->facts[i].value);
        trace_json_end_object(json);
    }
    trace_json_end_array(json);
}

static void put_clocks(struct trace_json *json, const struct trace_model *model)
{
    trace_json_key(json, "clocks");
    trace_json_begin_array(json);
    for (uint32_t i = 0; i < model->clock_count; i++) {
        const struct trace_clock *clock = &model->clocks[i];
        char digits[TRACE_NAME_SIZE];

        trace_json_break(json, 1);
        trace_json_begin_object(json);
        trace_perfetto_put_string(json, "source",
                                  trace_name_of(TRACE_NAME_CLOCK_SOURCE, clock->source, digits));
        trace_perfetto_put_count(json, "ticks_per_second", clock->ticks_per_second);
        trace_perfetto_put_count(json, "step_ticks", clock->step);
        trace_perfetto_put_count(json, "max_uncertainty_ns", clock->max_uncertainty_ns);
        trace_perfetto_put_text(json, "reason", clock->reason);
        trace_json_end_object(json);
    }
    trace_json_end_array(json);
}

static void put_lost(struct trace_json *json, const struct trace_model *model)
{
    struct trace_loss sum = {0};
    uint64_t damaged_bytes = 0;

    for (uint32_t i = 0; i < model->loss_count; i++) {
        lcap_counts_add(&sum.counts, &model->losses[i].counts);
        sum.events += model->losses[i].events;
    }
    for (uint32_t i = 0; i < model->damage_count; i++)
        damaged_bytes += model->damages[i].size;
    trace_json_key(json, "lost");
    trace_json_begin_object(json);
    trace_perfetto_put_loss_counts(json, &sum.counts);
    trace_perfetto_put_count(json, "events", sum.events);
    trace_perfetto_put_count(json, "damaged_places", model->damage_count);
    trace_perfetto_put_count(json, "damaged_bytes", damaged_bytes);
    trace_json_end_object(json);
}

static void put_counts(struct trace_json *json, const struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;
    uint64_t incomplete = 0;

    for (uint32_t i = 0; i < model->track_count; i++)
        incomplete += model->tracks[i].incomplete;
    trace_perfetto_put_count(json, "slices", model->slices);
    trace_perfetto_put_count(json, "incomplete_slices", incomplete);
    trace_perfetto_put_count(json, "instants", model->instants);
    trace_perfetto_put_count(json, "names_replaced", model->names_replaced);
    trace_perfetto_put_count(json, "times_moved", perfetto->times_moved);
    trace_perfetto_put_count(json, "gauges_not_finite", perfetto->gauges_not_finite);
}

static void put_window(struct trace_json *json, const struct trace_chosen *chosen, uint32_t index)
{
    const struct trace_window *window = &chosen->plan.windows.items[index];

    trace_json_break(json, 1);
    trace_json_begin_object(json);
    trace_perfetto_put_text(json, "name", window->name);
    trace_perfetto_put_string(json, "note", chosen->notes[index]);
    trace_json_key(json, "spans_us");
    trace_json_begin_array(json);
    for (uint32_t i = 0; i < window->spans.count; i++) {
        trace_json_begin_object(json);
        trace_perfetto_put_microseconds(json, "from", window->spans.spans[i].begin_ns);
        trace_perfetto_put_microseconds(json, "to", window->spans.spans[i].end_ns);
        trace_json_end_object(json);
    }
    trace_json_end_array(json);
    trace_json_end_object(json);
}

/* Which part of the capture the file shows, and what of that it leaves out. */
static void put_selection(struct trace_json *json, const struct trace_perfetto *perfetto)
{
    const struct trace_perfetto_options *options = &perfetto->options;

    const bool has_windows = options->chosen != NULL && options->spans.count != 0;

    trace_json_key(json, "windows");
    trace_json_begin_array(json);
    for (uint32_t i = 0; has_windows && i < options->chosen->plan.windows.count; i++)
        put_window(json, options->chosen, i);
    trace_json_end_array(json);
    trace_json_key(json, "is_filtered"); /* by tracks, sites or categories */
    trace_json_bool(json, options->chosen != NULL && (options->chosen->plan.tracks != NULL ||
                                                      trace_chosen_is_filtered(options->chosen)));
    trace_perfetto_put_count(json, "edges_cut", perfetto->edges_cut);
    trace_perfetto_put_microseconds(json, "min_duration_us", options->min_duration_ns);
    trace_perfetto_put_count(json, "slices_short", perfetto->slices_short);
}

static void put_flows(struct trace_json *json, const struct trace_perfetto *perfetto)
{
    trace_json_key(json, "flow_ends");
    trace_json_begin_object(json);
    trace_perfetto_put_count(json, "shown", perfetto->flow_ends);
    trace_perfetto_put_count(json, "outside_slices", perfetto->flow_ends_outside_slices);
    trace_perfetto_put_count(json, "left_out", perfetto->flow_ends_left_out);
    trace_json_end_object(json);
}

static void put_session(struct trace_json *json, const struct trace_model *model)
{
    static const char digits[] = "0123456789abcdef";
    char identity[16];

    for (unsigned i = 0; i < sizeof identity; i++)
        identity[i] = digits[model->capture_id >> (60 - 4 * i) & 15];
    trace_perfetto_put_text(json, "capture", (struct trace_text){identity, sizeof identity});
    trace_json_key(json, "base_unix_ns"); /* the wall clock at ts 0 */
    trace_json_integer(json, model->start_unix_ns);
    trace_json_key(json, "window_begin_ns");
    if (model->has_window)
        trace_json_integer(json, model->window_begin_ns);
    else
        trace_json_null(json);
    trace_json_key(json, "end_ns");
    trace_json_integer(json, model->end_ns);
    trace_json_key(json, "is_finished");
    trace_json_bool(json, model->is_finished);
}

void trace_perfetto_put_session(struct trace_perfetto *perfetto)
{
    const struct trace_model *model = perfetto->model;
    struct trace_json json;

    trace_json_start(&json, &perfetto->writer);
    trace_json_begin_object(&json);
    put_session(&json, model);
    put_counts(&json, perfetto);
    put_selection(&json, perfetto);
    put_flows(&json, perfetto);
    trace_perfetto_put_gpu_facts(&json, perfetto);
    put_lost(&json, model);
    put_clocks(&json, model);
    put_facts(&json, model);
    trace_json_end_object(&json);
}
