/* What a live look shows does not depend on how the file grew. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live_fixture.h"
#include "random_capture.h"

#define RANDOM_SEEDS (120u / TEST_SHARE)
#define SECOND       UINT64_C(1000000000)

/* --- growing --------------------------------------------------------------------------------- */

/* Follows the file as it grows to each of its blocks, and somewhere into each, and compares at
 * every step. */
static void follow(struct lcap_bytes bytes, const uint64_t *offsets, uint32_t count,
                   int64_t length_ns, struct random *random)
{
    struct growing_file file;
    struct trace_live_state state = {0};
    growing_file_create(&file);
    growing_file_grow(&file, bytes, LCAP_FILE_HEADER_SIZE);
    struct trace_live *live = live_fixture_open(&file, length_ns, true);
    for (uint32_t i = 1; i <= count; i++) {
        size_t end = i < count ? (size_t)offsets[i] : bytes.size;
        growing_file_grow(&file, bytes,
                          file.size + random_below(random, (uint32_t)(end - file.size)));
        live_fixture_read(live, &state);
        ck_assert(!state.is_finished);
        ck_assert_uint_eq(live->damage_places, 0);
        growing_file_grow(&file, bytes, end);
        live_fixture_read(live, &state);
        live_fixture_check_same(live, &file);
    }
    live_fixture_read(live, &state);
    ck_assert(!state.has_grown);
    trace_live_close(live);
    growing_file_remove(&file);
}

START_TEST(a_grown_file_says_what_it_says_at_once)
{
    struct random_capture capture;
    struct random random = {.state = (uint64_t)_i + 1};
    uint32_t count;
    random_capture_create(&capture, (uint64_t)_i, _i % 2 == 0);
    const uint64_t *offsets = builder_offsets(capture.builder, &count);
    int64_t length_ns = 1 + (int64_t)random_below(&random, (uint32_t)(capture.end_ns / 2 + 2));
    follow(builder_bytes(capture.builder), offsets, count, length_ns, &random);
    random_capture_destroy(&capture);
}
END_TEST

/* Follows to the end, block by block, and compares there. */
static void follow_blocks(struct lcap_bytes bytes, const uint64_t *offsets, uint32_t count,
                          uint64_t damage_places)
{
    struct growing_file file;
    struct trace_live_state state = {0};
    growing_file_create(&file);
    growing_file_grow(&file, bytes, (size_t)offsets[1]);
    struct trace_live *live = live_fixture_open(&file, 2 * (int64_t)SECOND, true);
    for (uint32_t i = 2; i <= count; i++) {
        growing_file_grow(&file, bytes, i < count ? (size_t)offsets[i] : bytes.size);
        live_fixture_read(live, &state);
        memory_sink_release(&(struct memory_sink[]){live_fixture_json(live)}[0]);
    }
    ck_assert(state.is_finished);
    live_fixture_check_same(live, &file);
    ck_assert_uint_eq(live->damage_places, damage_places);
    trace_live_close(live);
    growing_file_remove(&file);
}

START_TEST(a_calibration_that_comes_late_moves_what_is_known_already)
{
    /* A clock that is a tenth faster than it says: what is shown before the second calibration is
     * too long. */
    const struct lcap_calibration calibrations[] = {
        {.tick = START - 500, .ns = 1, .clock = 1},
        {.tick = START + 11 * SECOND / 10, .ns = SECOND + 1, .clock = 1}};
    struct builder_setup setup = golden_setup;
    uint32_t count;
    setup.clock.source = LCAP_CLOCK_TSC;
    setup.calibrations = calibrations;
    setup.calibration_count = 1;
    struct capture_builder *builder = builder_create(&setup);
    golden_add_track(builder, 1, 1, 0, 0, "main");
    golden_emit(builder, 1, "(Frame 100 )500000000");
    builder_end_block(builder);
    builder_calibration(builder, &calibrations[1]);
    golden_emit(builder, 1, "(Job 1000000000 )1100000000");
    builder_stop(builder, START + 11 * SECOND / 10);
    builder_finish(builder);
    const uint64_t *offsets = builder_offsets(builder, &count);
    follow_blocks(builder_bytes(builder), offsets, count, 0);
    builder_destroy(builder);
}
END_TEST

/* Without damage, a window over everything holds the sums that all other reports show. */
START_TEST(a_window_over_all_of_a_capture_has_its_sums)
{
    struct random_capture capture;
    random_capture_create(&capture, (uint64_t)_i, true);
    struct trace_live *live = live_fixture_look_at(capture.builder, INT64_MAX / 2);
    struct trace_capture *whole = builder_open(capture.builder);
    struct ludus_error error;
    ck_assert_int_eq(trace_capture_run(whole, NULL, NULL, &error), LUDUS_OK);
    const struct trace_model *model = trace_capture_model(whole);
    for (uint32_t site = 0; site < model->site_count; site++) {
        struct trace_sums sums = {0};
        for (uint32_t i = 0; i < model->site_stats_count; i++) {
            const struct trace_stats *row = &model->site_stats[i];
            if (row->subject != site)
                continue;
            sums.calls += row->sums.calls;
            sums.incomplete += row->sums.incomplete;
            sums.exclusive_calls += row->sums.exclusive_calls;
            sums.exclusive_ns += row->sums.exclusive_ns;
            sums.inclusive_ns += row->sums.inclusive_ns;
        }
        ck_assert_uint_eq(live->sites[site].calls, sums.calls);
        ck_assert_uint_eq(live->sites[site].open, sums.incomplete);
        if (sums.incomplete != 0)
            continue; /* of those, the window counts what is known */
        ck_assert_uint_eq(live->sites[site].exclusive_calls, sums.exclusive_calls);
        ck_assert_int_eq(live->sites[site].exclusive_ns, sums.exclusive_ns);
        ck_assert_int_eq(live->sites[site].inclusive_ns, sums.inclusive_ns);
    }
    trace_capture_close(whole);
    trace_live_close(live);
    random_capture_destroy(&capture);
}
END_TEST

/* --- a long capture -------------------------------------------------------------------------- */

/* Twenty seconds of frames, ten of them a second, a block for each. */
static struct capture_builder *build_long(void)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 1, 0, 0, "main");
    builder_domain(builder, 1, "main");
    for (uint64_t frame = 0; frame < 200; frame++) {
        uint64_t tick = START + frame * SECOND / 10;
        builder_frame(builder, 1, frame, tick);
        builder_event(builder, 1, LCAP_EVENT_BEGIN, tick + 10, 1);
        builder_event(builder, 1, LCAP_EVENT_BEGIN, tick + 1000 * (frame + 1), 2);
        builder_event(builder, 1, LCAP_EVENT_END, tick + 2000 * (frame + 1), 0);
        builder_event(builder, 1, LCAP_EVENT_END, tick + SECOND / 20, 0);
        builder_end_block(builder);
    }
    builder_stop(builder, START + 20 * SECOND);
    builder_finish(builder);
    return builder;
}

/* Puts zeros into the payloads of events blocks, but for their fixed part. */
static void spoil_events(uint8_t *bytes, const uint64_t *offsets, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        uint8_t *block = bytes + offsets[i];
        uint32_t kind = (uint32_t)(block[4] | block[5] << 8);
        size_t begin = LCAP_BLOCK_HEADER_SIZE + LCAP_EVENTS_HEADER_SIZE;
        if (kind == LCAP_KIND_events)
            memset(block + begin, 0, (size_t)(offsets[i + 1] - offsets[i]) - begin);
    }
}

START_TEST(events_before_the_window_are_not_read)
{
    struct capture_builder *builder = build_long();
    struct growing_file whole, spoilt;
    uint32_t count;
    const uint64_t *offsets = builder_offsets(builder, &count);
    struct lcap_bytes bytes = builder_bytes(builder);
    uint8_t *copy = malloc(bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    spoil_events(copy, offsets, 0, count * 9 / 10);
    growing_file_create(&whole);
    growing_file_create(&spoilt);
    growing_file_grow(&whole, bytes, bytes.size);
    growing_file_grow(&spoilt, (struct lcap_bytes){copy, bytes.size}, bytes.size);
    struct memory_sink good = live_fixture_json_at_once(&whole, (int64_t)SECOND);
    struct memory_sink bad = live_fixture_json_at_once(&spoilt, (int64_t)SECOND);
    ck_assert_str_eq(good.bytes, bad.bytes);
    ck_assert_ptr_nonnull(strstr(good.bytes, "\"window_ns\":1000000000"));
    memory_sink_release(&good);
    memory_sink_release(&bad);
    /* Where the window reaches into them, they are damage. */
    bad = live_fixture_json_at_once(&spoilt, 3 * (int64_t)SECOND);
    ck_assert_ptr_null(strstr(bad.bytes, "\"damaged_places\":0"));
    memory_sink_release(&bad);
    growing_file_remove(&whole);
    growing_file_remove(&spoilt);
    free(copy);
    builder_destroy(builder);
}
END_TEST

START_TEST(blocks_are_read_once_and_forgotten_behind_the_window)
{
    struct capture_builder *builder = build_long();
    struct growing_file file;
    struct trace_live_state state;
    uint32_t count;
    const uint64_t *offsets = builder_offsets(builder, &count);
    struct lcap_bytes bytes = builder_bytes(builder);
    uint8_t *copy = malloc(bytes.size);
    growing_file_create(&file);
    growing_file_grow(&file, bytes, (size_t)offsets[1]);
    struct trace_live *live = live_fixture_open(&file, (int64_t)SECOND, true);
    for (uint32_t i = 1; i < count; i++) {
        growing_file_grow(&file, bytes, (size_t)offsets[i]);
        live_fixture_read(live, &state);
        memory_sink_release(&(struct memory_sink[]){live_fixture_json(live)}[0]);
        ck_assert_uint_le(live->blocks.count, 22); /* those of the window, and of the slack */
        for (uint32_t mark = 0; mark < live->marks_count; mark++)
            ck_assert_uint_le(live->marks[mark].count, 23);
        /* What was read is spoilt: who reads it again finds damage. */
        memcpy(copy, bytes.data, bytes.size);
        spoil_events(copy, offsets, 0, i);
        ck_assert_int_eq(pwrite(file.descriptor, copy, (size_t)offsets[i], 0), (ssize_t)offsets[i]);
    }
    growing_file_grow(&file, bytes, bytes.size);
    live_fixture_read(live, &state);
    ck_assert(state.is_finished);
    ck_assert_int_eq(pwrite(file.descriptor, bytes.data, bytes.size, 0), (ssize_t)bytes.size);
    live_fixture_check_same(live, &file);
    ck_assert_uint_eq(live->damage_places, 0);
    trace_live_close(live);
    growing_file_remove(&file);
    free(copy);
    builder_destroy(builder);
}
END_TEST

/* --- damage, and other files ----------------------------------------------------------------- */

START_TEST(damage_in_the_window_is_told_with_what_it_cost)
{
    struct capture_builder *builder = build_long();
    struct growing_file file;
    struct trace_live_state state;
    struct ludus_error error;
    uint32_t count;
    const uint64_t *offsets = builder_offsets(builder, &count);
    struct lcap_bytes bytes = builder_bytes(builder);
    uint8_t *copy = malloc(bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    uint32_t events = 0, block = count;
    while (events < 4) /* of its frames, the fourth before the end */
        events += copy[offsets[--block] + 4] == LCAP_KIND_events;
    spoil_events(copy, offsets, block, block + 1);
    growing_file_create(&file);
    growing_file_grow(&file, (struct lcap_bytes){copy, bytes.size}, bytes.size);
    struct trace_live *live = live_fixture_open(&file, (int64_t)SECOND, false);
    live_fixture_read(live, &state);
    ck_assert_int_eq(trace_live_derive(live, &error), LUDUS_OK);
    ck_assert_uint_eq(live->damage_places, 1);
    ck_assert_uint_eq(live->capture->model->loss_count, 1);
    ck_assert_uint_eq(live->capture->model->losses[0].events, 4);
    ck_assert_uint_eq(live->sites[0].calls, 9);
    trace_live_close(live);
    growing_file_remove(&file);
    free(copy);
    builder_destroy(builder);
}
END_TEST

START_TEST(a_header_that_is_damaged_is_one_place_however_the_file_grows)
{
    struct capture_builder *builder = build_long();
    uint32_t count;
    const uint64_t *offsets = builder_offsets(builder, &count);
    struct lcap_bytes bytes = builder_bytes(builder);
    uint8_t *copy = malloc(bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    memset(copy + offsets[count / 2], 1, 2 * LCAP_BLOCK_HEADER_SIZE);
    follow_blocks((struct lcap_bytes){copy, bytes.size}, offsets, count, 1);
    free(copy);
    builder_destroy(builder);
}
END_TEST

/* Reads a file that something has happened to; the message has to say what. */
static void check_refused(struct trace_live *live, const char *why)
{
    struct trace_live_state state;
    struct ludus_error error = {0};
    ck_assert_int_eq(trace_live_read(live, &state, &error), LUDUS_ERROR_OPEN);
    ck_assert_msg(strstr(error.message, why) != NULL, "%s", error.message);
}

START_TEST(a_file_that_is_cut_replaced_or_written_anew_cannot_be_followed)
{
    struct capture_builder *builder = build_long();
    struct growing_file file, other;
    struct trace_live_state state;
    struct lcap_bytes bytes = builder_bytes(builder);
    growing_file_create(&file);
    growing_file_create(&other);
    growing_file_grow(&file, bytes, bytes.size / 2);
    struct trace_live *live = live_fixture_open(&file, (int64_t)SECOND, true);
    live_fixture_read(live, &state);
    ck_assert_int_eq(ftruncate(file.descriptor, (off_t)bytes.size / 4), 0);
    check_refused(live, "was cut");
    file.size = bytes.size / 4;
    ck_assert_int_eq(lseek(file.descriptor, 0, SEEK_END), (off_t)file.size);
    growing_file_grow(&file, bytes, bytes.size);
    ck_assert_int_eq(pwrite(file.descriptor, "another file", 12, 16), 12);
    check_refused(live, "written anew");
    ck_assert_int_eq(rename(other.path, file.path), 0);
    check_refused(live, "replaced");
    ck_assert_int_eq(unlink(file.path), 0);
    check_refused(live, "removed");
    trace_live_close(live);
    growing_file_remove(&file);
    growing_file_remove(&other);
    builder_destroy(builder);
}
END_TEST

START_TEST(a_file_that_has_not_begun_is_to_be_tried_again_when_followed)
{
    static const uint8_t magic[] = LCAP_FILE_MAGIC;
    const struct trace_live_options options = {.last_ms = 1000, .is_followed = true};
    struct growing_file file;
    struct trace_live *live;
    struct ludus_error error;
    growing_file_create(&file);
    ck_assert_int_eq(trace_live_open(file.path, &options, &live, &error), LUDUS_END);
    growing_file_grow(&file, (struct lcap_bytes){magic, 8}, 5);
    ck_assert_int_eq(trace_live_open(file.path, &options, &live, &error), LUDUS_END);
    ck_assert_int_eq(pwrite(file.descriptor, "other", 5, 0), 5);
    ck_assert_int_eq(trace_live_open(file.path, &options, &live, &error), LUDUS_ERROR_FORMAT);
    unlink(file.path);
    ck_assert_int_eq(trace_live_open(file.path, &options, &live, &error), LUDUS_END);
    growing_file_remove(&file);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live growth");
    TCase *cases = tcase_create("live growth");
    tcase_set_timeout(cases, 0);
    tcase_add_loop_test(cases, a_grown_file_says_what_it_says_at_once, 0, RANDOM_SEEDS);
    tcase_add_test(cases, a_calibration_that_comes_late_moves_what_is_known_already);
    tcase_add_loop_test(cases, a_window_over_all_of_a_capture_has_its_sums, 0, RANDOM_SEEDS);
    tcase_add_test(cases, events_before_the_window_are_not_read);
    tcase_add_test(cases, blocks_are_read_once_and_forgotten_behind_the_window);
    tcase_add_test(cases, damage_in_the_window_is_told_with_what_it_cost);
    tcase_add_test(cases, a_header_that_is_damaged_is_one_place_however_the_file_grows);
    tcase_add_test(cases, a_file_that_is_cut_replaced_or_written_anew_cannot_be_followed);
    tcase_add_test(cases, a_file_that_has_not_begun_is_to_be_tried_again_when_followed);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures == 0 ? 0 : 1;
}
