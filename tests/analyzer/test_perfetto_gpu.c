/* GPU samples of an export, read again by Chrome's rules: which lane a pass is on, what is cut and
 * left out, what is a counter, and what is neither; then random samples against a plain reference.
 */
#include <stdio.h>
#include <stdlib.h>

#include "export_fixture.h"
#include "random_stream.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const sites[] = {"Shadows", "Opaque", "Blur"};
enum { SHADOWS = 1, OPAQUE, BLUR };
enum { MAIN = 1, GRAPHICS, COMPUTE, AGAIN }; /* tracks */

static const struct builder_setup nanoseconds = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = COUNT(sites),
    .more_sites = 16,
    .start_tick = 1000,
};
#define START 1000 /* tick and host time of the session's start */

#define UNMAPPED INT64_MIN

static struct lcap_gpu_time time_of(int64_t submit_ns, int64_t begin_ns, uint64_t duration_ns)
{
    const bool is_mapped = begin_ns != UNMAPPED;

    return (struct lcap_gpu_time){.duration_ns = duration_ns,
                                  .begin_ns = is_mapped ? START + begin_ns : 0,
                                  .submit_tick = (uint64_t)(START + submit_ns),
                                  .collect_tick = (uint64_t)(START + submit_ns + 5000),
                                  .outcome = LCAP_GPU_VALID,
                                  .uncertainty_ns = is_mapped ? 40 : LCAP_GPU_UNMAPPED};
}

/* A pass that was submitted at 100. */
static void add_pass(struct capture_builder *builder, uint32_t track, uint32_t site,
                     uint32_t ordinal, int64_t begin_ns, uint64_t duration_ns)
{
    const struct lcap_gpu_pass pass = {.time = time_of(100, begin_ns, duration_ns),
                                       .frame = 7,
                                       .track = track,
                                       .site = site,
                                       .ordinal = ordinal,
                                       .operation =
                                           site == BLUR ? LCAP_GPU_COMPUTE : LCAP_GPU_RENDER,
                                       .logical_passes = 1};

    builder_gpu_passes(builder, &pass, 1);
}

static void export_trace(struct capture_builder *builder, struct trace_perfetto_options options,
                         struct chrome_trace *trace)
{
    struct memory_sink sink;

    export_show(options);
    sink = export_bytes(builder_bytes(builder));
    export_show((struct trace_perfetto_options){0});
    chrome_trace_read(trace, sink.bytes, sink.size);
    memory_sink_release(&sink);
}

/* --- what an export holds, as text ------------------------------------------------------------ */

static const char *process_name(const struct chrome_trace *trace, json_int_t pid)
{
    const json_t *event;
    size_t index;

    json_array_foreach(json_object_get(trace->root, "traceEvents"), index, event)
    {
        if (json_integer_value(json_object_get(event, "pid")) == pid &&
            strcmp(json_string_value(json_object_get(event, "name")), "process_name") == 0)
            return json_string_value(json_object_get(json_object_get(event, "args"), "name"));
    }
    return NULL;
}

/* The number of a lane, by its name. */
static unsigned lane_of(const struct chrome_trace *trace, const struct chrome_slice *slice)
{
    const char *name = chrome_trace_thread_name(trace, slice->tid);
    unsigned lane = 0;

    if (strcmp(name, "GPU execution (calibrated)") != 0)
        ck_assert_msg(sscanf(name, "GPU execution (calibrated, overlap %u)", &lane) == 1 &&
                          lane > 0 && name[strlen(name) - 1] == ')',
                      "not the name of a lane: %s", name);
    return lane;
}

/* Slices of all GPUs: lane:name[begin,end), with "<" before a begin and ">" behind an end that are
 * cut. */
static const char *slices_of(const struct chrome_trace *trace)
{
    static char text[4096];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < trace->slice_count; i++) {
        const struct chrome_slice *slice = &trace->slices[i];

        if (slice->pid == 4242)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:%s%s[%lld,%lld)%s",
                                 used == 0 ? "" : " ", lane_of(trace, slice),
                                 slice->is_begun_before ? "<" : "", json_string_value(slice->name),
                                 (long long)slice->begin_ns, (long long)slice->end_ns,
                                 slice->is_cut ? ">" : "");
        ck_assert_uint_lt(used, sizeof text);
    }
    return text;
}

/* Lines of counters: name=value@time. */
static const char *counters_of(const struct chrome_trace *trace)
{
    static char text[4096];
    size_t used = 0;
    const json_t *event;
    size_t index;

    text[0] = '\0';
    json_array_foreach(json_object_get(trace->root, "traceEvents"), index, event)
    {
        const char *name = json_string_value(json_object_get(event, "name"));
        const json_t *value = json_object_get(json_object_get(event, "args"), "value");

        if (json_string_value(json_object_get(event, "ph"))[0] != 'C')
            continue;
        ck_assert(json_is_integer(value));
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%lld@%.3f",
                                 used == 0 ? "" : "\n", name, (long long)json_integer_value(value),
                                 json_number_value(json_object_get(event, "ts")));
        ck_assert_uint_lt(used, sizeof text);
    }
    return text;
}

static json_int_t gpu_fact(const struct chrome_trace *trace, const char *key)
{
    const json_t *value = json_object_get(chrome_trace_other(trace, "gpu"), key);

    ck_assert_msg(json_is_integer(value), "gpu has no number %s", key);
    return json_integer_value(value);
}

static void assert_slices(struct capture_builder *builder, struct trace_perfetto_options options,
                          const char *expected)
{
    struct chrome_trace trace;

    export_trace(builder, options, &trace);
    ck_assert_str_eq(slices_of(&trace), expected);
    chrome_trace_clear(&trace);
}

static const struct trace_perfetto_options everything;

/* --- lanes ------------------------------------------------------------------------------------ */

START_TEST(passes_are_on_the_first_lane_that_is_free_in_the_order_of_begins)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_gpu_queue(builder, GRAPHICS, "graphics", 0);
    add_pass(builder, GRAPHICS, BLUR, 0, 450, 100); /* results come in another order */
    add_pass(builder, GRAPHICS, OPAQUE, 0, 300, 200);
    add_pass(builder, GRAPHICS, SHADOWS, 0, 200, 100);
    add_pass(builder, GRAPHICS, SHADOWS, 1, 500, 10);
    builder_finish(builder);
    export_trace(builder, everything, &trace);
    ck_assert_str_eq(slices_of(&trace), "0:Shadows (render)[200,300) 0:Opaque (render)[300,500) "
                                        "1:Blur (compute)[450,550) 0:Shadows (render)[500,510)");
    ck_assert_int_eq(gpu_fact(&trace, "slices"), 4);
    ck_assert_int_eq(gpu_fact(&trace, "lanes"), 2);
    ck_assert_int_eq(gpu_fact(&trace, "largest_uncertainty_ns"), 40);
    ck_assert_str_eq(process_name(&trace, trace.slices[0].pid), "GPU");
    const json_t *args = trace.slices[3].args;
    ck_assert_int_eq(json_integer_value(json_object_get(args, "frame")), 7);
    ck_assert_int_eq(json_integer_value(json_object_get(args, "ordinal")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(args, "identity")), SHADOWS);
    ck_assert_int_eq(json_integer_value(json_object_get(args, "duration_ns")), 10);
    ck_assert_int_eq(json_integer_value(json_object_get(args, "uncertainty_ns")), 40);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

START_TEST(of_equal_begins_the_longer_one_is_first_then_the_smaller_identity)
{
    struct capture_builder *builder = builder_create(&nanoseconds);

    builder_gpu_queue(builder, GRAPHICS, "graphics", 0);
    add_pass(builder, GRAPHICS, SHADOWS, 0, 200, 0);
    add_pass(builder, GRAPHICS, BLUR, 0, 200, 50);
    add_pass(builder, GRAPHICS, OPAQUE, 0, 200, 50);
    add_pass(builder, GRAPHICS, SHADOWS, 1, 200, 0);
    add_pass(builder, GRAPHICS, SHADOWS, 2, 200, 90);
    builder_finish(builder);
    assert_slices(builder, everything,
                  "0:Shadows (render)[200,290) 1:Opaque (render)[200,250) "
                  "2:Blur (compute)[200,250) 3:Shadows (render)[200,200) "
                  "3:Shadows (render)[200,200)");
    builder_destroy(builder);
}
END_TEST

START_TEST(each_queue_and_each_session_of_it_is_a_process)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_events(builder, MAIN, "(Opaque 1100 )1200");
    builder_gpu_queue(builder, GRAPHICS, "graphics", 0);
    builder_gpu_queue(builder, COMPUTE, "compute", 0);
    builder_gpu_queue(builder, AGAIN, "graphics", 1);
    add_pass(builder, AGAIN, OPAQUE, 0, 200, 100);
    add_pass(builder, GRAPHICS, OPAQUE, 0, 200, 100);
    add_pass(builder, COMPUTE, BLUR, 0, 250, 100);
    builder_finish(builder);
    export_trace(builder, everything, &trace);
    ck_assert_str_eq(slices_of(&trace), "0:Opaque (render)[200,300) 0:Blur (compute)[250,350) "
                                        "0:Opaque (render)[200,300)");
    ck_assert_uint_eq(trace.slice_count, 4);
    ck_assert_str_eq(process_name(&trace, trace.slices[1].pid), "GPU: graphics (2)");
    ck_assert_str_eq(process_name(&trace, trace.slices[2].pid), "GPU: compute");
    ck_assert_str_eq(process_name(&trace, trace.slices[3].pid), "GPU: graphics (4)");
    ck_assert_ptr_null(chrome_trace_thread_name(&trace, GRAPHICS)); /* no thread of the program */
    const json_t *queues = json_object_get(chrome_trace_other(&trace, "gpu"), "queues");
    ck_assert_uint_eq(json_array_size(queues), 3);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(queues, 2), "generation")),
                     1);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(queues, 2), "pid")),
                     trace.slices[3].pid);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* A forged file may have any number of them; what has no lane is a counter still. */
START_TEST(lanes_are_bounded_and_what_has_none_is_counted)
{
    const uint32_t most = TRACE_PERFETTO_MAX_LANES;
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_gpu_queue(builder, GRAPHICS, "graphics", 0);
    for (uint32_t i = 0; i < most + 5; i++)
        add_pass(builder, GRAPHICS, OPAQUE, i, 200 + (int64_t)i, 100000);
    builder_finish(builder);
    export_trace(builder, everything, &trace);
    ck_assert_uint_eq(trace.slice_count, most);
    ck_assert_int_eq(gpu_fact(&trace, "lanes"), most);
    ck_assert_int_eq(gpu_fact(&trace, "slices_without_lane"), 5);
    ck_assert_uint_eq(trace.counter_lines, most + 5);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* --- counters --------------------------------------------------------------------------------- */

START_TEST(durations_are_counters_at_their_submissions_and_what_is_not_valid_is_none)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct lcap_gpu_frame frames[4];
    struct chrome_trace trace;

    for (uint32_t i = 0; i < COUNT(frames); i++) {
        frames[i] = (struct lcap_gpu_frame){.time = time_of(1000 * (4 - i), UNMAPPED, 10 * i),
                                            .number = 4 - i,
                                            .track = GRAPHICS,
                                            .method = LCAP_GPU_TIMESTAMPS};
    }
    frames[1].time.outcome = LCAP_GPU_REVERSED;
    frames[1].time.duration_ns = 0;
    struct lcap_gpu_pass passes[3];
    for (uint32_t i = 0; i < COUNT(passes); i++)
        passes[i] = (struct lcap_gpu_pass){.time = time_of(1000 * (i + 1), UNMAPPED, 5 * i),
                                           .track = GRAPHICS,
                                           .site = OPAQUE,
                                           .ordinal = 2,
                                           .operation = i == 2 ? 77 : LCAP_GPU_MIXED,
                                           .logical_passes = 1};
    passes[1].time.outcome = 1000; /* no name yet */
    passes[1].time.duration_ns = 0;
    builder_gpu_queue(builder, GRAPHICS, "graphics", 0);
    builder_gpu_frames(builder, frames, COUNT(frames));
    builder_gpu_passes(builder, passes, COUNT(passes));
    builder_finish(builder);
    export_trace(builder, everything, &trace);
    ck_assert_str_eq(counters_of(&trace),
                     "GPU/FrameDurationNanoseconds=30@1.000\n"
                     "GPU/FrameDurationNanoseconds=20@2.000\n"
                     "GPU/FrameDurationNanoseconds=0@4.000\n"
                     "GPU/Pass/Opaque [2:2:mixed]/DurationNanoseconds=0@1.000\n"
                     "GPU/Pass/Opaque [2:2:77]/DurationNanoseconds=10@3.000");
    ck_assert_str_eq(slices_of(&trace), ""); /* nothing without a calibrated clock */
    ck_assert_int_eq(gpu_fact(&trace, "frame_samples"), 3);
    ck_assert_int_eq(gpu_fact(&trace, "pass_samples"), 2);
    ck_assert_int_eq(gpu_fact(&trace, "passes_not_calibrated"), 2);
    const json_t *gpu = chrome_trace_other(&trace, "gpu");
    ck_assert(json_is_null(json_object_get(gpu, "largest_uncertainty_ns")));
    ck_assert_int_eq(
        json_integer_value(json_object_get(json_object_get(gpu, "frames_not_valid"), "reversed")),
        1);
    ck_assert_int_eq(
        json_integer_value(json_object_get(json_object_get(gpu, "passes_not_valid"), "others")), 1);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

START_TEST(names_of_passes_are_escaped)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct chrome_trace trace;

    builder_category(builder, 1, (struct lcap_bytes){(const uint8_t *)"a \"c\"", 5});
    builder_site(builder, 4, (struct lcap_bytes){(const uint8_t *)"n\"\\\n\xff", 5}, 1);
    builder_gpu_queue(builder, GRAPHICS, "q\"\\\n", 0);
    add_pass(builder, GRAPHICS, 4, 0, 200, 100);
    builder_finish(builder);
    export_trace(builder, everything, &trace);
    ck_assert_str_eq(slices_of(&trace), "0:n\"\\\n\xef\xbf\xbd (render)[200,300)");
    ck_assert_str_eq(json_string_value(trace.slices[0].category), "a \"c\"");
    ck_assert_str_eq(counters_of(&trace), "GPU/Pass/n\"\\\n\xef\xbf\xbd [4:0:render]"
                                          "/DurationNanoseconds=100@0.100");
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* --- parts ------------------------------------------------------------------------------------ */

static struct trace_span middle[] = {{1000, 2000, 0}};
static struct trace_span several[] = {{1000, 1100, 0}, {1200, 1300, 100}, {1300, 1400, 200}};

static struct capture_builder *build_around_middle(void)
{
    struct capture_builder *builder = builder_create(&nanoseconds);

    builder_gpu_queue(builder, GRAPHICS, "graphics", 0);
    add_pass(builder, GRAPHICS, SHADOWS, 0, 900, 50);  /* before it */
    add_pass(builder, GRAPHICS, SHADOWS, 1, 950, 50);  /* ends with its begin */
    add_pass(builder, GRAPHICS, SHADOWS, 2, 960, 300); /* over its begin */
    add_pass(builder, GRAPHICS, OPAQUE, 0, 1000, 20);  /* from its begin on */
    add_pass(builder, GRAPHICS, BLUR, 0, 1950, 100);   /* over its end */
    add_pass(builder, GRAPHICS, OPAQUE, 1, 2000, 100); /* behind it */
    add_pass(builder, GRAPHICS, OPAQUE, 2, 2000, 0);
    builder_finish(builder);
    return builder;
}

START_TEST(slices_are_cut_to_the_spans_and_marked)
{
    struct capture_builder *builder = build_around_middle();
    struct chrome_trace trace;

    export_trace(builder, (struct trace_perfetto_options){.spans = {middle, 1}}, &trace);
    ck_assert_str_eq(slices_of(&trace), "0:<Shadows (render)[1000,1260) "
                                        "1:Opaque (render)[1000,1020) "
                                        "0:Blur (compute)[1950,2000)>");
    const json_t *args = trace.slices[0].args;
    ck_assert_int_eq(json_integer_value(json_object_get(args, "duration_ns")), 300);
    ck_assert_double_eq(json_number_value(json_object_get(args, "begin_us")), 0.960);
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "edges_cut")), 2);
    ck_assert_int_eq(gpu_fact(&trace, "slices"), 3);
    ck_assert_uint_eq(trace.counter_lines, 0); /* all were submitted at 100 */
    chrome_trace_clear(&trace);
    assert_slices(builder, (struct trace_perfetto_options){.spans = {several, 3}},
                  "0:<Shadows (render)[1000,1100)> 0:<Shadows (render)[1200,1260) "
                  "1:Opaque (render)[1000,1020)");
    builder_destroy(builder);
}
END_TEST

START_TEST(short_slices_are_left_out_and_their_counters_are_not)
{
    struct capture_builder *builder = build_around_middle();
    struct chrome_trace trace;

    export_trace(builder, (struct trace_perfetto_options){.min_duration_ns = 100}, &trace);
    ck_assert_str_eq(slices_of(&trace), "0:Shadows (render)[960,1260) "
                                        "0:Blur (compute)[1950,2050) "
                                        "1:Opaque (render)[2000,2100)");
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "slices_short")), 4);
    ck_assert_uint_eq(trace.counter_lines, 7);
    chrome_trace_clear(&trace);
    /* Not short: one that is cut. */
    assert_slices(builder,
                  (struct trace_perfetto_options){.spans = {middle, 1}, .min_duration_ns = 1000},
                  "0:<Shadows (render)[1000,1260) 0:Blur (compute)[1950,2000)>");
    builder_destroy(builder);
}
END_TEST

/* --- any samples ------------------------------------------------------------------------------ */

#define PASSES 400u

struct reference {
    struct lcap_gpu_pass passes[PASSES];
    uint32_t order[PASSES]; /* of those that are drawn */
    uint32_t drawn, valid, not_valid;
};

static void add_random(struct random *random, struct capture_builder *builder,
                       struct reference *reference)
{
    const uint32_t spread = 1 + random_below(random, 3000);

    for (uint32_t i = 0; i < PASSES; i++) {
        struct lcap_gpu_pass *pass = &reference->passes[i];
        const bool is_mapped = random_below(random, 4) != 0;

        *pass = (struct lcap_gpu_pass){
            .time = time_of(random_below(random, 4000),
                            is_mapped ? (int64_t)random_below(random, spread) - 100 : UNMAPPED,
                            random_below(random, 3) * random_below(random, 200)),
            .frame = random_below(random, 50),
            .track = GRAPHICS + random_below(random, 3),
            .site = 1 + random_below(random, COUNT(sites)),
            .ordinal = random_below(random, 3),
            .operation = 1 + random_below(random, 5),
            .logical_passes = 1 + random_below(random, 3)};
        if (random_below(random, 5) == 0) {
            const uint64_t submit_tick = pass->time.submit_tick;

            pass->time = (struct lcap_gpu_time){.submit_tick = submit_tick,
                                                .collect_tick = submit_tick + 1,
                                                .outcome = 2 + random_below(random, 40),
                                                .uncertainty_ns = LCAP_GPU_UNMAPPED};
            reference->not_valid++;
        } else {
            reference->valid++;
            if (is_mapped)
                reference->order[reference->drawn++] = i;
        }
    }
    for (uint32_t i = 0; i < PASSES; i += 40)
        builder_gpu_passes(builder, &reference->passes[i], 40);
}

static const struct lcap_gpu_pass *compared;

/* The order that is promised: by queue, begin, duration, identity, ordinal, and as results came. */
static int compare_passes(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct lcap_gpu_pass *left = &compared[i], *right = &compared[j];

    if (left->track != right->track)
        return left->track < right->track ? -1 : 1;
    if (left->time.begin_ns != right->time.begin_ns)
        return left->time.begin_ns < right->time.begin_ns ? -1 : 1;
    if (left->time.duration_ns != right->time.duration_ns)
        return left->time.duration_ns > right->time.duration_ns ? -1 : 1;
    if (left->site != right->site)
        return left->site < right->site ? -1 : 1;
    if (left->ordinal != right->ordinal)
        return left->ordinal < right->ordinal ? -1 : 1;
    return i < j ? -1 : 1;
}

static struct capture_builder *build_random(struct random *random, struct reference *reference)
{
    struct capture_builder *builder = builder_create(&nanoseconds);

    *reference = (struct reference){0};
    builder_events(builder, MAIN, "(Opaque 1100 )1200");
    builder_gpu_queue(builder, GRAPHICS, "graphics", 0);
    builder_gpu_queue(builder, COMPUTE, "compute", 0);
    builder_gpu_queue(builder, AGAIN, "graphics", 1);
    add_random(random, builder, reference);
    builder_stop(builder, 100000);
    builder_finish(builder);
    compared = reference->passes;
    qsort(reference->order, reference->drawn, sizeof *reference->order, compare_passes);
    return builder;
}

START_TEST(random_passes_are_where_a_plain_reference_puts_them)
{
    struct random random = {7000 + (uint64_t)_i};
    struct reference *reference = malloc(sizeof *reference);
    struct chrome_trace trace;
    int64_t ends_ns[PASSES];
    uint32_t lanes = 0, all_lanes = 0;

    ck_assert_ptr_nonnull(reference);
    struct capture_builder *builder = build_random(&random, reference);
    export_trace(builder, everything, &trace);
    ck_assert_uint_eq(trace.slice_count, reference->drawn + 1);
    ck_assert_uint_eq(trace.counter_lines, reference->valid);
    for (uint32_t i = 0; i < reference->drawn; i++) {
        const struct lcap_gpu_pass *pass = &reference->passes[reference->order[i]];
        const struct chrome_slice *slice = &trace.slices[i + 1]; /* behind the program's */
        const int64_t begin_ns = pass->time.begin_ns - START;
        uint32_t lane = 0;

        if (i == 0 || pass->track != reference->passes[reference->order[i - 1]].track) {
            all_lanes += lanes;
            lanes = 0;
        }
        while (lane < lanes && ends_ns[lane] > begin_ns)
            lane++;
        lanes += lane == lanes;
        ends_ns[lane] = begin_ns + (int64_t)pass->time.duration_ns;
        ck_assert_int_eq(slice->begin_ns, begin_ns);
        ck_assert_int_eq(slice->end_ns, ends_ns[lane]);
        ck_assert_uint_eq(lane_of(&trace, slice), lane);
        ck_assert_int_eq(json_integer_value(json_object_get(slice->args, "frame")),
                         (json_int_t)pass->frame);
        ck_assert_int_eq(json_integer_value(json_object_get(slice->args, "identity")), pass->site);
    }
    ck_assert_int_eq(gpu_fact(&trace, "lanes"), all_lanes + lanes);
    ck_assert_int_eq(gpu_fact(&trace, "slices"), reference->drawn);
    json_int_t not_valid = 0;
    const char *key;
    json_t *value;
    json_object_foreach(
        (json_t *)json_object_get(chrome_trace_other(&trace, "gpu"), "passes_not_valid"), key,
        value) not_valid += json_integer_value(value);
    ck_assert_int_eq(not_valid, reference->not_valid);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
    free(reference);
}
END_TEST

/* The part of [begin, end) that is in the spans, and how many pieces that is. */
static int64_t time_within(const struct lcap_gpu_pass *pass, const struct trace_span *spans,
                           size_t count, size_t *pieces)
{
    const int64_t begin_ns = pass->time.begin_ns - START;
    const int64_t end_ns = begin_ns + (int64_t)pass->time.duration_ns;
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        const int64_t from_ns = begin_ns > spans[i].begin_ns ? begin_ns : spans[i].begin_ns;
        const int64_t to_ns = end_ns < spans[i].end_ns ? end_ns : spans[i].end_ns;

        if (to_ns > from_ns || (begin_ns >= spans[i].begin_ns && begin_ns < spans[i].end_ns)) {
            sum += to_ns - from_ns;
            ++*pieces;
        }
    }
    return sum;
}

START_TEST(spans_show_the_pieces_of_random_passes)
{
    struct random random = {8000 + (uint64_t)_i};
    struct reference *reference = malloc(sizeof *reference);
    struct chrome_trace trace;
    struct trace_span spans[3];
    int64_t time_ns = 0, expected_ns = 0, found_ns = 0;
    size_t pieces = 0, found = 0, submitted = 0;

    ck_assert_ptr_nonnull(reference);
    struct capture_builder *builder = build_random(&random, reference);
    for (size_t i = 0; i < 3; i++) {
        spans[i].before_ns = i == 0 ? 0 : spans[i - 1].before_ns + time_ns - spans[i - 1].begin_ns;
        spans[i].begin_ns = time_ns + random_below(&random, 500);
        spans[i].end_ns = spans[i].begin_ns + 1 + random_below(&random, 500);
        time_ns = spans[i].end_ns;
    }
    export_trace(builder, (struct trace_perfetto_options){.spans = {spans, 3}}, &trace);
    for (uint32_t i = 0; i < reference->drawn; i++)
        expected_ns += time_within(&reference->passes[reference->order[i]], spans, 3, &pieces);
    for (size_t i = 0; i < trace.slice_count; i++)
        if (trace.slices[i].pid != 4242) {
            found++;
            found_ns += trace.slices[i].end_ns - trace.slices[i].begin_ns;
        }
    for (uint32_t i = 0; i < PASSES; i++)
        for (size_t s = 0; s < 3; s++) {
            const int64_t submit_ns = (int64_t)reference->passes[i].time.submit_tick - START;

            submitted += reference->passes[i].time.outcome == LCAP_GPU_VALID &&
                         submit_ns >= spans[s].begin_ns && submit_ns < spans[s].end_ns;
        }
    ck_assert_uint_eq(found, pieces);
    ck_assert_int_eq(found_ns, expected_ns);
    ck_assert_uint_eq(trace.counter_lines, submitted);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
    free(reference);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfetto_gpu");
    TCase *tests = tcase_create("perfetto_gpu");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_test(tests, passes_are_on_the_first_lane_that_is_free_in_the_order_of_begins);
    tcase_add_test(tests, of_equal_begins_the_longer_one_is_first_then_the_smaller_identity);
    tcase_add_test(tests, each_queue_and_each_session_of_it_is_a_process);
    tcase_add_test(tests, lanes_are_bounded_and_what_has_none_is_counted);
    tcase_add_test(tests,
                   durations_are_counters_at_their_submissions_and_what_is_not_valid_is_none);
    tcase_add_test(tests, names_of_passes_are_escaped);
    tcase_add_test(tests, slices_are_cut_to_the_spans_and_marked);
    tcase_add_test(tests, short_slices_are_left_out_and_their_counters_are_not);
    tcase_add_loop_test(tests, random_passes_are_where_a_plain_reference_puts_them, 0, 12);
    tcase_add_loop_test(tests, spans_show_the_pieces_of_random_passes, 0, 12);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
