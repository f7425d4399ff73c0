/* GPU samples of an export, read again by Chrome's rules: which lane a pass is on, what is cut and
 * left out, what is a counter, and what is neither. */
#include <stdio.h>
#include <stdlib.h>

#include "gpu_lanes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A pass that was submitted at 100. */
static void add_pass(struct capture_builder *builder, uint32_t track, uint32_t site,
                     uint32_t ordinal, int64_t begin_ns, uint64_t duration_ns)
{
    const struct lcap_gpu_pass pass = {.time = gpu_lanes_time(100, begin_ns, duration_ns),
                                       .frame = 7,
                                       .track = track,
                                       .site = site,
                                       .ordinal = ordinal,
                                       .operation =
                                           site == BLUR ? LCAP_GPU_COMPUTE : LCAP_GPU_RENDER,
                                       .logical_passes = 1};

    builder_gpu_passes(builder, &pass, 1);
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
                                 used == 0 ? "" : " ", gpu_lanes_lane(trace, slice),
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

static void assert_slices(struct capture_builder *builder, struct trace_perfetto_options options,
                          const char *expected)
{
    struct chrome_trace trace;

    gpu_lanes_export(builder, options, &trace);
    ck_assert_str_eq(slices_of(&trace), expected);
    chrome_trace_clear(&trace);
}

/* --- lanes ------------------------------------------------------------------------------------ */

START_TEST(passes_are_on_the_first_lane_that_is_free_in_the_order_of_begins)
{
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);
    struct chrome_trace trace;

    gpu_lanes_queue(builder, GRAPHICS, "graphics", 0);
    add_pass(builder, GRAPHICS, BLUR, 0, 450, 100); /* results come in another order */
    add_pass(builder, GRAPHICS, OPAQUE, 0, 300, 200);
    add_pass(builder, GRAPHICS, SHADOWS, 0, 200, 100);
    add_pass(builder, GRAPHICS, SHADOWS, 1, 500, 10);
    builder_finish(builder);
    gpu_lanes_export(builder, gpu_lanes_everything, &trace);
    ck_assert_str_eq(slices_of(&trace), "0:Shadows (render)[200,300) 0:Opaque (render)[300,500) "
                                        "1:Blur (compute)[450,550) 0:Shadows (render)[500,510)");
    ck_assert_int_eq(gpu_lanes_fact(&trace, "slices"), 4);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "lanes"), 2);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "largest_uncertainty_ns"), 40);
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
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);

    gpu_lanes_queue(builder, GRAPHICS, "graphics", 0);
    add_pass(builder, GRAPHICS, SHADOWS, 0, 200, 0);
    add_pass(builder, GRAPHICS, BLUR, 0, 200, 50);
    add_pass(builder, GRAPHICS, OPAQUE, 0, 200, 50);
    add_pass(builder, GRAPHICS, SHADOWS, 1, 200, 0);
    add_pass(builder, GRAPHICS, SHADOWS, 2, 200, 90);
    builder_finish(builder);
    assert_slices(builder, gpu_lanes_everything,
                  "0:Shadows (render)[200,290) 1:Opaque (render)[200,250) "
                  "2:Blur (compute)[200,250) 3:Shadows (render)[200,200) "
                  "3:Shadows (render)[200,200)");
    builder_destroy(builder);
}
END_TEST

START_TEST(each_queue_and_each_session_of_it_is_a_process)
{
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);
    struct chrome_trace trace;

    builder_events(builder, MAIN, "(Opaque 1100 )1200");
    gpu_lanes_queue(builder, GRAPHICS, "graphics", 0);
    gpu_lanes_queue(builder, COMPUTE, "compute", 0);
    gpu_lanes_queue(builder, AGAIN, "graphics", 1);
    add_pass(builder, AGAIN, OPAQUE, 0, 200, 100);
    add_pass(builder, GRAPHICS, OPAQUE, 0, 200, 100);
    add_pass(builder, COMPUTE, BLUR, 0, 250, 100);
    builder_finish(builder);
    gpu_lanes_export(builder, gpu_lanes_everything, &trace);
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
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);
    struct chrome_trace trace;

    gpu_lanes_queue(builder, GRAPHICS, "graphics", 0);
    for (uint32_t i = 0; i < most + 5; i++)
        add_pass(builder, GRAPHICS, OPAQUE, i, 200 + (int64_t)i, 100000);
    builder_finish(builder);
    gpu_lanes_export(builder, gpu_lanes_everything, &trace);
    ck_assert_uint_eq(trace.slice_count, most);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "lanes"), most);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "slices_without_lane"), 5);
    ck_assert_uint_eq(trace.counter_lines, most + 5);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

/* --- counters --------------------------------------------------------------------------------- */

START_TEST(durations_are_counters_at_their_submissions_and_what_is_not_valid_is_none)
{
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);
    struct lcap_gpu_frame frames[4];
    struct chrome_trace trace;

    for (uint32_t i = 0; i < COUNT(frames); i++) {
        frames[i] = (struct lcap_gpu_frame){
            .time = gpu_lanes_time(1000 * (4 - i), GPU_LANES_UNMAPPED, 10 * i),
            .number = 4 - i,
            .track = GRAPHICS,
            .method = LCAP_GPU_TIMESTAMPS};
    }
    frames[1].time.outcome = LCAP_GPU_REVERSED;
    frames[1].time.duration_ns = 0;
    struct lcap_gpu_pass passes[3];
    for (uint32_t i = 0; i < COUNT(passes); i++)
        passes[i] = (struct lcap_gpu_pass){
            .time = gpu_lanes_time(1000 * (i + 1), GPU_LANES_UNMAPPED, 5 * i),
            .track = GRAPHICS,
            .site = OPAQUE,
            .ordinal = 2,
            .operation = i == 2 ? 77 : LCAP_GPU_MIXED,
            .logical_passes = 1};
    passes[1].time.outcome = 1000; /* no name yet */
    passes[1].time.duration_ns = 0;
    gpu_lanes_queue(builder, GRAPHICS, "graphics", 0);
    builder_gpu_frames(builder, frames, COUNT(frames));
    builder_gpu_passes(builder, passes, COUNT(passes));
    builder_finish(builder);
    gpu_lanes_export(builder, gpu_lanes_everything, &trace);
    ck_assert_str_eq(counters_of(&trace),
                     "GPU/FrameDurationNanoseconds=30@1.000\n"
                     "GPU/FrameDurationNanoseconds=20@2.000\n"
                     "GPU/FrameDurationNanoseconds=0@4.000\n"
                     "GPU/Pass/Opaque [2:2:mixed]/DurationNanoseconds=0@1.000\n"
                     "GPU/Pass/Opaque [2:2:77]/DurationNanoseconds=10@3.000");
    ck_assert_str_eq(slices_of(&trace), ""); /* nothing without a calibrated clock */
    ck_assert_int_eq(gpu_lanes_fact(&trace, "frame_samples"), 3);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "pass_samples"), 2);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "passes_not_calibrated"), 2);
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
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);
    struct chrome_trace trace;

    builder_category(builder, 1, (struct lcap_bytes){(const uint8_t *)"a \"c\"", 5});
    builder_site(builder, 4, (struct lcap_bytes){(const uint8_t *)"n\"\\\n\xff", 5}, 1);
    gpu_lanes_queue(builder, GRAPHICS, "q\"\\\n", 0);
    add_pass(builder, GRAPHICS, 4, 0, 200, 100);
    builder_finish(builder);
    gpu_lanes_export(builder, gpu_lanes_everything, &trace);
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
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);

    gpu_lanes_queue(builder, GRAPHICS, "graphics", 0);
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

    gpu_lanes_export(builder, (struct trace_perfetto_options){.spans = {middle, 1}}, &trace);
    ck_assert_str_eq(slices_of(&trace), "0:<Shadows (render)[1000,1260) "
                                        "1:Opaque (render)[1000,1020) "
                                        "0:Blur (compute)[1950,2000)>");
    const json_t *args = trace.slices[0].args;
    ck_assert_int_eq(json_integer_value(json_object_get(args, "duration_ns")), 300);
    ck_assert_double_eq(json_number_value(json_object_get(args, "begin_us")), 0.960);
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "edges_cut")), 2);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "slices"), 3);
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

    gpu_lanes_export(builder, (struct trace_perfetto_options){.min_duration_ns = 100}, &trace);
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
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
