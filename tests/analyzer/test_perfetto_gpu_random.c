/* GPU samples of an export against a plain reference: random passes of several queues, whole and in
 * windows. */
#include <stdlib.h>

#include "gpu_lanes.h"
#include "random_stream.h"

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
            .time = gpu_lanes_time(random_below(random, 4000),
                                   is_mapped ? (int64_t)random_below(random, spread) - 100
                                             : GPU_LANES_UNMAPPED,
                                   random_below(random, 3) * random_below(random, 200)),
            .frame = random_below(random, 50),
            .track = GRAPHICS + random_below(random, 3),
            .site = 1 + random_below(random, BLUR),
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
    struct capture_builder *builder = builder_create(&gpu_lanes_setup);

    *reference = (struct reference){0};
    builder_events(builder, MAIN, "(Opaque 1100 )1200");
    gpu_lanes_queue(builder, GRAPHICS, "graphics", 0);
    gpu_lanes_queue(builder, COMPUTE, "compute", 0);
    gpu_lanes_queue(builder, AGAIN, "graphics", 1);
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
    gpu_lanes_export(builder, gpu_lanes_everything, &trace);
    ck_assert_uint_eq(trace.slice_count, reference->drawn + 1);
    ck_assert_uint_eq(trace.counter_lines, reference->valid);
    for (uint32_t i = 0; i < reference->drawn; i++) {
        const struct lcap_gpu_pass *pass = &reference->passes[reference->order[i]];
        const struct chrome_slice *slice = &trace.slices[i + 1]; /* behind the program's */
        const int64_t begin_ns = pass->time.begin_ns - GPU_LANES_START;
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
        ck_assert_uint_eq(gpu_lanes_lane(&trace, slice), lane);
        ck_assert_int_eq(json_integer_value(json_object_get(slice->args, "frame")),
                         (json_int_t)pass->frame);
        ck_assert_int_eq(json_integer_value(json_object_get(slice->args, "identity")), pass->site);
    }
    ck_assert_int_eq(gpu_lanes_fact(&trace, "lanes"), all_lanes + lanes);
    ck_assert_int_eq(gpu_lanes_fact(&trace, "slices"), reference->drawn);
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
    const int64_t begin_ns = pass->time.begin_ns - GPU_LANES_START;
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
    gpu_lanes_export(builder, (struct trace_perfetto_options){.spans = {spans, 3}}, &trace);
    for (uint32_t i = 0; i < reference->drawn; i++)
        expected_ns += time_within(&reference->passes[reference->order[i]], spans, 3, &pieces);
    for (size_t i = 0; i < trace.slice_count; i++)
        if (trace.slices[i].pid != 4242) {
            found++;
            found_ns += trace.slices[i].end_ns - trace.slices[i].begin_ns;
        }
    for (uint32_t i = 0; i < PASSES; i++)
        for (size_t s = 0; s < 3; s++) {
            const int64_t submit_ns =
                (int64_t)reference->passes[i].time.submit_tick - GPU_LANES_START;

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
    Suite *suite = suite_create("perfetto_gpu_random");
    TCase *tests = tcase_create("perfetto_gpu_random");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_loop_test(tests, random_passes_are_where_a_plain_reference_puts_them, 0,
                        12 / TEST_SHARE);
    tcase_add_loop_test(tests, spans_show_the_pieces_of_random_passes, 0, 12 / TEST_SHARE);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
