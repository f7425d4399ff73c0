/* Captures with GPU samples for tests of exports. */
#include "gpu_lanes.h"

#include <stdio.h>

static const char *const sites[] = {"Shadows", "Opaque", "Blur"};

const struct builder_setup gpu_lanes_setup = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = sizeof sites / sizeof *sites,
    .more_sites = 16,
    .start_tick = GPU_LANES_START,
};

const struct trace_perfetto_options gpu_lanes_everything;

void gpu_lanes_queue(struct capture_builder *builder, uint32_t track, const char *name,
                     uint32_t generation)
{
    const struct lcap_gpu_queue queue = {.backend = {(const uint8_t *)"simulated", 9},
                                         .device = {(const uint8_t *)"Device", 6},
                                         .queue = {(const uint8_t *)name, strlen(name)},
                                         .period_fs = 1000000,
                                         .track = track,
                                         .generation = generation,
                                         .valid_bits = 64};

    builder_track(builder,
                  &(struct lcap_track){
                      .begin_tick = GPU_LANES_START, .track = track, .kind = LCAP_TRACK_GPU_QUEUE},
                  name);
    builder_gpu_queue(builder, &queue);
}

struct lcap_gpu_time gpu_lanes_time(int64_t submit_ns, int64_t begin_ns, uint64_t duration_ns)
{
    const bool is_mapped = begin_ns != GPU_LANES_UNMAPPED;

    return (struct lcap_gpu_time){.duration_ns = duration_ns,
                                  .begin_ns = is_mapped ? GPU_LANES_START + begin_ns : 0,
                                  .submit_tick = (uint64_t)(GPU_LANES_START + submit_ns),
                                  .collect_tick = (uint64_t)(GPU_LANES_START + submit_ns + 5000),
                                  .outcome = LCAP_GPU_VALID,
                                  .uncertainty_ns = is_mapped ? 40 : LCAP_GPU_UNMAPPED};
}

void gpu_lanes_export(struct capture_builder *builder, struct trace_perfetto_options options,
                      struct chrome_trace *trace)
{
    struct memory_sink sink;

    export_show(options);
    sink = export_bytes(builder_bytes(builder));
    export_show((struct trace_perfetto_options){0});
    chrome_trace_read(trace, sink.bytes, sink.size);
    memory_sink_release(&sink);
}

unsigned gpu_lanes_lane(const struct chrome_trace *trace, const struct chrome_slice *slice)
{
    const char *name = chrome_trace_thread_name(trace, slice->tid);
    unsigned lane = 0;

    if (strcmp(name, "GPU execution (calibrated)") != 0)
        ck_assert_msg(sscanf(name, "GPU execution (calibrated, overlap %u)", &lane) == 1 &&
                          lane > 0 && name[strlen(name) - 1] == ')',
                      "not the name of a lane: %s", name);
    return lane;
}

json_int_t gpu_lanes_fact(const struct chrome_trace *trace, const char *key)
{
    const json_t *value = json_object_get(chrome_trace_other(trace, "gpu"), key);

    ck_assert_msg(json_is_integer(value), "gpu has no number %s", key);
    return json_integer_value(value);
}
