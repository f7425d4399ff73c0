/* The tree that is rebuilt from an export is the analyzer's: for random captures of several tracks
 * in blocks of all sizes, whole, cut and damaged; and a database of them gives the same bytes. */
#include "export_fixture.h"
#include "random_stream.h"

#define TRACKS 4u
#define EVENTS (1500u / TEST_SHARE)
#define SITES  12u

struct shape {
    uint32_t max_depth;
    uint32_t max_shift;   /* of time differences; 0: all events at one time */
    uint32_t max_events;  /* of a block */
    uint32_t longest_run; /* of events of one track */
};

static struct capture_builder *build(struct random *random, const struct shape *shape,
                                     const struct builder_setup *setup)
{
    struct capture_builder *builder = builder_create(setup);
    struct stream_event *events[TRACKS];
    uint32_t written[TRACKS] = {0};
    struct stream_shape stream = {.events = EVENTS,
                                  .sites = SITES,
                                  .max_depth = shape->max_depth,
                                  .step = 1,
                                  .first_tick = 900,
                                  .kinds = 1u << LCAP_EVENT_INSTANT | 1u << LCAP_EVENT_COUNT |
                                           1u << LCAP_EVENT_GAUGE | 1u << LCAP_EVENT_FLOW_OUT |
                                           1u << LCAP_EVENT_FLOW_IN,
                                  .max_shift = shape->max_shift};

    for (uint32_t i = 0; i < TRACKS; i++) {
        events[i] = calloc(EVENTS, sizeof *events[i]);
        ck_assert_ptr_nonnull(events[i]);
        stream_generate(random, &stream, events[i]);
    }
    for (uint32_t left = TRACKS * EVENTS; left > 0;) {
        uint32_t track = random_below(random, TRACKS);
        uint32_t run = 1 + random_below(random, shape->longest_run);

        for (; run > 0 && written[track] < EVENTS; run--, left--) {
            const struct stream_event *event = &events[track][written[track]++];

            builder_value(builder, track + 1, (enum lcap_event_kind)event->kind, event->tick,
                          event->site, event->value);
        }
    }
    for (uint32_t i = 0; i < TRACKS; i++)
        free(events[i]);
    return builder;
}

static struct builder_setup setup_of(const struct shape *shape)
{
    return (struct builder_setup){.clock = {.ticks_per_second = 1000000000,
                                            .step = 1,
                                            .clock = 1,
                                            .source = LCAP_CLOCK_MONOTONIC},
                                  .site_count = SITES,
                                  .start_tick = 1000,
                                  .max_events = shape->max_events};
}

static const struct shape shapes[] = {
    {5, 8, 256, 20}, {12, 0, 256, 5}, {12, 1, 4096, 300}, {200, 2, 4096, 50}, {1, 3, 65536, 1},
};
#define SHAPES ((int)(sizeof shapes / sizeof *shapes))

START_TEST(random_captures_keep_their_tree)
{
    struct random random = {1000 + (uint64_t)_i};
    struct builder_setup setup = setup_of(&shapes[_i % SHAPES]);
    struct capture_builder *builder = build(&random, &shapes[_i % SHAPES], &setup);
    struct chrome_trace trace;

    if (_i % 2 == 0)
        builder_stop(builder, UINT64_C(1) << 40);
    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert_uint_gt(trace.slice_count, TRACKS * EVENTS / 4);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

static void export_and_compare(struct lcap_bytes bytes)
{
    struct memory_sink sink = export_bytes(bytes);
    struct chrome_trace trace;

    chrome_trace_read(&trace, sink.bytes, sink.size);
    export_compare(&trace, export_path("capture.lcap"));
    chrome_trace_clear(&trace);
    memory_sink_release(&sink);
}

/* Cut anywhere behind the definitions, or with some blocks broken. */
START_TEST(damaged_captures_keep_the_tree_that_the_analyzer_sees)
{
    struct random random = {2000 + (uint64_t)_i};
    const struct shape *shape = &shapes[_i % 4];
    struct builder_setup setup = setup_of(shape);
    struct capture_builder *builder = build(&random, shape, &setup);
    uint32_t blocks;
    const uint64_t *offsets;
    struct lcap_bytes whole;
    uint8_t *bytes;
    uint32_t first = 2 + 2 * SITES;

    builder_stop(builder, UINT64_C(1) << 40);
    builder_finish(builder);
    whole = builder_bytes(builder);
    offsets = builder_offsets(builder, &blocks);
    ck_assert_uint_gt(blocks, first + 1);
    bytes = malloc(whole.size);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, whole.data, whole.size);
    if (_i % 3 == 0)
        whole.size =
            offsets[first] + random_below(&random, (uint32_t)(whole.size - offsets[first]));
    for (uint32_t n = random_below(&random, 5); n > 0; n--) {
        uint64_t at =
            offsets[first] + random_next(&random) % (offsets[blocks - 1] - offsets[first]);

        bytes[at] ^= (uint8_t)(1 + random_below(&random, 255));
    }
    whole.data = bytes;
    export_and_compare(whole);
    free(bytes);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfetto_random");
    TCase *tests = tcase_create("perfetto_random");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, export_folder_make, export_folder_remove);
    tcase_add_loop_test(tests, random_captures_keep_their_tree, 0, SHAPES);
    tcase_add_loop_test(tests, damaged_captures_keep_the_tree_that_the_analyzer_sees, 0,
                        12 / TEST_SHARE);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
