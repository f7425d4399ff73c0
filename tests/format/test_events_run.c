/* A run of events becomes the same bytes as its events one by one: the fast way of the encoder and
 * the general one are two, and the second is tested by round trips. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_encode.h"
#include "random_stream.h"

#define MAX_DEPTH  40u
#define MAX_SITE   40000u
#define MAX_EVENTS (200000u / TEST_SHARE)
#define BUFFER_MAX (8u << 20)
#define ADDED      UINT64_C(0xFFFFFFFFFFFF0000) /* to raw ticks, modulo 2^64 */

struct file {
    uint8_t *bytes;
    size_t size;
};

struct input {
    struct lcap_event events[MAX_EVENTS];
    struct lcap_event raw[MAX_EVENTS]; /* the same with raw ticks, set by check_same */
    uint64_t values[MAX_EVENTS];
    uint32_t count;
    struct lcap_clock clock;
    bool may_round; /* ticks off the grid are rounded down */
};

static void append(struct file *file, struct lcap_bytes bytes)
{
    ck_assert_uint_le(file->size + bytes.size, BUFFER_MAX);
    if (bytes.size != 0)
        memcpy(file->bytes + file->size, bytes.data, bytes.size);
    file->size += bytes.size;
}

/* How many of the events from `at` on a run has taken. */
static uint32_t add_run(struct lcap_encoder *encoder, const struct input *input, uint32_t at)
{
    const struct lcap_run_ticks ticks = {.added = ADDED,
                                         .first = 0 - ADDED,
                                         .last = UINT64_MAX - ADDED,
                                         .is_on_grid = !input->may_round};
    return lcap_events_add_run(encoder, input->raw + at, input->count - at, &ticks).count;
}

/* Encodes the events of one track, in blocks as large as can be; by runs where they can be. Returns
 * how many events were in runs. */
static uint32_t encode(const struct input *input, uint32_t max_events, bool by_runs,
                       struct file *file)
{
    const struct lcap_encoder_config config = {
        .max_site = MAX_SITE, .max_events = max_events, .compression_level = 1};
    struct lcap_open_scope open[MAX_DEPTH];
    struct lcap_track_stream track = {.open = open, .open_capacity = MAX_DEPTH, .track = 3};
    struct lcap_encoder *encoder;
    struct lcap_bytes block;
    uint32_t at = 0, in_runs = 0;
    *file = (struct file){malloc(BUFFER_MAX), 0};
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    while (at < input->count) {
        lcap_events_start(encoder, &input->clock);
        ck_assert_int_eq(lcap_events_segment(encoder, &track, 0), LUDUS_OK);
        while (at < input->count && lcap_events_room(encoder) != 0) {
            const uint32_t taken = by_runs ? add_run(encoder, input, at) : 0;
            in_runs += taken;
            at += taken;
            if (at == input->count || lcap_events_room(encoder) == 0)
                break;
            const struct lcap_event *event = &input->events[at];
            const uint64_t off_grid = (event->tick - input->clock.offset) % input->clock.step;
            ck_assert_int_eq(lcap_events_add(encoder, (enum lcap_event_kind)event->kind,
                                             event->tick - off_grid, event->site,
                                             input->values[at]),
                             LUDUS_OK);
            at++;
        }
        ck_assert_int_eq(lcap_events_finish(encoder, &block), LUDUS_OK);
        append(file, block);
    }
    lcap_encoder_destroy(encoder);
    return in_runs;
}

/* At least `least` percent of the events are in runs. */
static void check_same(struct input *input, uint32_t max_events, uint32_t least)
{
    struct file by_runs, one_by_one;
    for (uint32_t i = 0; i < input->count; i++) {
        input->raw[i] = input->events[i];
        input->raw[i].tick -= ADDED;
    }
    ck_assert_uint_eq(encode(input, max_events, false, &one_by_one), 0);
    ck_assert_uint_ge(encode(input, max_events, true, &by_runs) * UINT64_C(100),
                      (uint64_t)input->count * least);
    ck_assert_uint_eq(by_runs.size, one_by_one.size);
    ck_assert_mem_eq(by_runs.bytes, one_by_one.bytes, one_by_one.size);
    free(by_runs.bytes);
    free(one_by_one.bytes);
}

static struct input *new_input(uint64_t step)
{
    struct input *input = calloc(1, sizeof *input);
    input->clock = (struct lcap_clock){.ticks_per_second = 1000000000,
                                       .step = step,
                                       .offset = step - 1,
                                       .clock = 1,
                                       .source = LCAP_CLOCK_TSC};
    return input;
}

static void put(struct input *input, uint64_t delta, uint32_t kind, uint32_t site)
{
    const uint64_t last = input->count == 0
                              ? (UINT64_C(1) << 17) * input->clock.step + input->clock.offset
                              : input->events[input->count - 1].tick;
    input->events[input->count++] =
        (struct lcap_event){.tick = last + delta, .site = site, .kind = kind};
}

START_TEST(differences_at_the_edges_of_tokens_become_the_same)
{
    static const uint64_t steps[] = {1, 2, 21, 1000, (UINT64_C(1) << 24) + 1, UINT64_C(1) << 33};
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        struct input *input = new_input(steps[s]);
        for (uint32_t bit = 0; bit < 40; bit++)
            for (uint64_t eighth = 8; eighth < 16; eighth++)
                for (uint64_t edge = 0; edge < 3; edge++)
                    for (uint32_t times = 0; times < 3; times++) {
                        const uint64_t delta = (eighth << bit >> 3) + edge - 1;
                        if (delta < UINT64_C(1) << 41 && delta * steps[s] >> 45 == 0)
                            put(input, delta * steps[s], LCAP_EVENT_BEGIN, 1 + bit);
                    }
        /* Begins and Ends in turn, whatever was left out. */
        for (uint32_t i = 0; i < input->count; i++)
            input->events[i].kind = i % 2 == 0 ? LCAP_EVENT_BEGIN : LCAP_EVENT_END;
        check_same(input, 4096, 0);
        free(input);
    }
}
END_TEST

START_TEST(every_small_difference_becomes_the_same)
{
    struct input *input = new_input(1);
    for (uint32_t delta = 0; delta < MAX_EVENTS; delta++)
        put(input, delta, LCAP_EVENT_INSTANT, 1);
    check_same(input, 32768, 99);
    free(input);
}
END_TEST

START_TEST(the_largest_differences_and_the_last_tick_become_the_same)
{
    for (uint32_t bit = 20; bit < 64; bit++) {
        struct input *input = new_input(1);
        put(input, 0, LCAP_EVENT_BEGIN, 1);
        put(input, 1, LCAP_EVENT_BEGIN, 2);
        put(input, (UINT64_C(1) << bit) - 1, LCAP_EVENT_END, 0);
        put(input, 5, LCAP_EVENT_BEGIN, 2);
        put(input, UINT64_MAX - input->events[3].tick, LCAP_EVENT_END, 0);
        put(input, 0, LCAP_EVENT_END, 0);
        check_same(input, 256, 0);
        free(input);
    }
}
END_TEST

static void check_random(uint64_t seed, struct stream_shape shape, bool may_round,
                         uint32_t max_events, uint32_t least)
{
    struct random random = {seed};
    struct stream_event *events = calloc(shape.events, sizeof *events);
    struct input *input = new_input(shape.step);
    shape.first_tick = (UINT64_C(1) << 17) * shape.step + input->clock.offset;
    input->may_round = may_round;
    input->count = shape.events;
    stream_generate(&random, &shape, events);
    for (uint32_t i = 0; i < shape.events; i++) {
        input->events[i] = (struct lcap_event){
            .tick = events[i].tick, .site = events[i].site, .kind = events[i].kind};
        input->values[i] = events[i].value;
        if (may_round) /* they go on rising, since each is rounded to where it was */
            input->events[i].tick += random_below(&random, i % 7 == 0 ? 1 : shape.step);
        if (i != 0 && input->events[i].tick < input->events[i - 1].tick)
            input->events[i].tick = input->events[i - 1].tick;
    }
    check_same(input, max_events, least);
    free(input);
    free(events);
}

START_TEST(random_streams_become_the_same)
{
    const struct stream_shape scopes = {
        .events = 100000 / TEST_SHARE, .sites = 60, .max_depth = 12, .step = 1, .max_shift = 16};
    struct stream_shape shape = scopes;
    check_random(1, shape, false, 32768, 95);
    shape.max_shift = 28; /* some are far apart */
    check_random(2, shape, false, 4096, 50);
    shape.max_shift = 0; /* all at one time */
    check_random(3, shape, false, 65536, 95);
    shape.max_shift = 12;
    shape.step = 21;
    check_random(4, shape, false, 32768, 95);
    check_random(5, shape, true, 32768, 95);
    shape.step = 24;
    shape.kinds = 0xFF; /* runs of a few */
    shape.max_depth = MAX_DEPTH;
    check_random(6, shape, true, 1024, 20);
}
END_TEST

START_TEST(many_symbols_become_the_same)
{
    const struct stream_shape wide = {.events = 100000 / TEST_SHARE,
                                      .sites = MAX_SITE,
                                      .max_depth = 3,
                                      .step = 1,
                                      .kinds = 1u << LCAP_EVENT_INSTANT,
                                      .max_shift = 9};
    struct stream_shape shape = wide;
    check_random(7, shape, false, 65536, 95); /* more than fit in a block */
    shape.sites = 300;
    check_random(8, shape, false, 32768, 95); /* more than share the slots of the counts */
    shape.sites = 1;
    check_random(9, shape, false, 32768, 95);
}
END_TEST

/* A run of `count` events, the last of which does not belong in it. */
static void check_stops(struct lcap_event last, uint64_t step, struct lcap_run_ticks ticks)
{
    const struct lcap_clock clock = {
        .ticks_per_second = 1000, .step = step, .clock = 1, .source = LCAP_CLOCK_TSC};
    const struct lcap_encoder_config config = {
        .max_site = 10, .max_events = 256, .compression_level = 1};
    struct lcap_open_scope open[2];
    struct lcap_track_stream track = {.open = open, .open_capacity = 2, .track = 1};
    struct lcap_event run[4] = {
        {100, 1, LCAP_EVENT_BEGIN}, {110, 10, LCAP_EVENT_BEGIN}, {120, 0, LCAP_EVENT_END}, last};
    struct lcap_encoder *encoder;
    struct lcap_bytes block;
    if (last.kind == LCAP_EVENT_BEGIN && last.site == 2)
        run[2] = (struct lcap_event){120, 3, LCAP_EVENT_INSTANT}; /* no room for another scope */
    if (last.kind == LCAP_EVENT_END)
        run[1] = (struct lcap_event){110, 0, LCAP_EVENT_END}; /* nothing is open any more, */
    if (last.kind == LCAP_EVENT_END)
        run[2] = (struct lcap_event){120, 3, LCAP_EVENT_INSTANT}; /* at the end */
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    lcap_events_start(encoder, &clock);
    ck_assert_int_eq(lcap_events_segment(encoder, &track, 0), LUDUS_OK);
    ck_assert_uint_eq(lcap_events_add_run(encoder, run, 4, &ticks).count, 0);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 100, 1, 0), LUDUS_OK);
    ck_assert_uint_eq(lcap_events_add_run(encoder, run + 1, 3, &ticks).count, 2);
    ck_assert_uint_eq(track.event_count, 3);
    ck_assert_uint_eq(track.last_tick, 120);
    ck_assert_int_eq(lcap_events_finish(encoder, &block), LUDUS_OK);
    lcap_encoder_destroy(encoder);
}

START_TEST(a_run_stops_in_front_of_what_does_not_belong_in_it)
{
    const struct lcap_run_ticks all = {.last = UINT64_MAX, .is_on_grid = true};
    struct lcap_run_ticks some = all;
    check_stops((struct lcap_event){120, 0, LCAP_EVENT_BEGIN}, 1, all);
    check_stops((struct lcap_event){120, 11, LCAP_EVENT_BEGIN}, 1, all);
    check_stops((struct lcap_event){120, 2, LCAP_EVENT_BEGIN}, 1, all);
    check_stops((struct lcap_event){120, 0, LCAP_EVENT_INSTANT}, 1, all);
    check_stops((struct lcap_event){120, 11, LCAP_EVENT_INSTANT}, 1, all);
    check_stops((struct lcap_event){120, 0, LCAP_EVENT_END}, 1, all);
    check_stops((struct lcap_event){120, 1, LCAP_EVENT_GAUGE}, 1, all);
    check_stops((struct lcap_event){120, 1, LCAP_EVENT_KINDS}, 1, all);
    check_stops((struct lcap_event){119, 1, LCAP_EVENT_INSTANT}, 1, all); /* steps back */
    check_stops((struct lcap_event){131, 1, LCAP_EVENT_INSTANT}, 10, all);
    some.last = 125;
    check_stops((struct lcap_event){126, 1, LCAP_EVENT_INSTANT}, 1, some);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events run");
    TCase *cases = tcase_create("events run");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, differences_at_the_edges_of_tokens_become_the_same);
    tcase_add_test(cases, every_small_difference_becomes_the_same);
    tcase_add_test(cases, the_largest_differences_and_the_last_tick_become_the_same);
    tcase_add_test(cases, random_streams_become_the_same);
    tcase_add_test(cases, many_symbols_become_the_same);
    tcase_add_test(cases, a_run_stops_in_front_of_what_does_not_belong_in_it);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
