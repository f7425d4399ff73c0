/* What damage costs, worked out by hand: which slices remain, what is known of them, and what is
 * told to be lost. Times are nanoseconds, which are also the ticks. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "capture_builder.h"
#include "slice_collector.h"

static const char *const sites[] = {"A", "B", "C"};

static const struct builder_setup setup = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = 3,
};

struct damaged {
    struct capture_builder *builder;
    struct trace_capture *capture;
    const struct trace_model *model;
    struct slice_collector shown;
};

static struct capture_builder *build(void)
{
    struct capture_builder *builder = builder_create(&setup);
    for (uint32_t track = 1; track <= 2; track++)
        builder_track(builder, &(struct lcap_track){.track = track, .kind = LCAP_TRACK_THREAD},
                      "thread");
    return builder;
}

/* The block that the next record or event begins. */
static uint32_t next_block(struct capture_builder *builder)
{
    uint32_t count;
    builder_end_block(builder);
    (void)builder_offsets(builder, &count);
    return count;
}

/* Opens the capture with one bit of a block's payload wrong. */
static void open_damaged(struct damaged *damaged, struct capture_builder *builder, uint32_t block)
{
    struct lcap_bytes bytes = builder_bytes(builder);
    struct ludus_error error;
    uint32_t count;
    const uint64_t *offsets = builder_offsets(builder, &count);
    uint8_t *copy = malloc(bytes.size);
    ck_assert_ptr_nonnull(copy);
    ck_assert_uint_lt(block, count);
    memcpy(copy, bytes.data, bytes.size);
    copy[offsets[block] + LCAP_BLOCK_HEADER_SIZE + 3] ^= 4;
    enum ludus_status status =
        builder_try_open((struct lcap_bytes){copy, bytes.size}, &damaged->capture, &error);
    ck_assert_int_eq(status, LUDUS_OK);
    free(copy);
    damaged->builder = builder;
    damaged->model = trace_capture_model(damaged->capture);
    slice_collector_run(&damaged->shown, damaged->capture);
    ck_assert_uint_eq(damaged->model->damage_count, 1);
    ck_assert_str_eq(damaged->model->damages[0].reason, "payload-checksum");
    ck_assert_uint_eq(damaged->model->damages[0].offset, offsets[block]);
}

static void close_damaged(struct damaged *damaged)
{
    slice_collector_clear(&damaged->shown);
    trace_capture_close(damaged->capture);
    builder_destroy(damaged->builder);
}

static void check_loss(const struct damaged *damaged, uint32_t index, uint32_t track,
                       uint64_t events, int64_t begin_ns, int64_t end_ns)
{
    ck_assert_uint_lt(index, damaged->model->loss_count);
    const struct trace_loss *loss = &damaged->model->losses[index];
    ck_assert_uint_eq(loss->cause, TRACE_LOSS_DAMAGE);
    ck_assert_uint_eq(loss->track, track);
    ck_assert_uint_eq(loss->events, events);
    ck_assert_int_eq(loss->begin_ns, begin_ns);
    ck_assert_int_eq(loss->end_ns, end_ns);
}

static void check_slice(const struct damaged *damaged, size_t index, const char *path,
                        int64_t begin_ns, int64_t duration_ns, int64_t known_ns,
                        int64_t exclusive_ns, bool is_lost)
{
    char text[64];
    ck_assert_uint_lt(index, damaged->shown.slice_count);
    const struct trace_slice *slice = &damaged->shown.slices[index];
    path_text(damaged->model, slice->path, text, sizeof text);
    ck_assert_str_eq(text, path);
    ck_assert_int_eq(slice->begin_ns, begin_ns);
    ck_assert_int_eq(slice->duration_ns, duration_ns);
    ck_assert_int_eq(slice->known_ns, known_ns);
    ck_assert_int_eq(slice->exclusive_ns, exclusive_ns);
    ck_assert_int_eq(slice->has_children_lost, is_lost);
}

START_TEST(slices_over_a_lost_block_keep_their_times)
{
    /* Lost are the end of B, a whole C, and the begin of the next B: four events between 30, the
     * last time before, and 70, the start of the segment behind. */
    struct damaged damaged;
    struct capture_builder *builder = build();
    builder_events(builder, 1, "(A 10 (C 12 )15 (B 20 (C 25 )30");
    uint32_t lost = next_block(builder);
    builder_events(builder, 1, ")40 (C 45 )50 (B 60");
    builder_end_block(builder);
    builder_events(builder, 1, "(C 70 )75 )80 )90 (A 95 )96");
    builder_stop(builder, 100);
    builder_finish(builder);
    open_damaged(&damaged, builder, lost);
    ck_assert_uint_eq(damaged.model->loss_count, 1);
    check_loss(&damaged, 0, 0, 4, 30, 70);
    ck_assert_uint_eq(damaged.shown.slice_count, 7);
    check_slice(&damaged, 0, "A", 10, 80, 80, -1, true);
    check_slice(&damaged, 1, "A/C", 12, 3, 3, 3, false);
    check_slice(&damaged, 2, "A/B", 20, -1, 10, -1, true); /* known until 30 */
    check_slice(&damaged, 3, "A/B/C", 25, 5, 5, -1, true); /* touches 30 */
    check_slice(&damaged, 4, "A/B", 60, 20, 20, -1, true); /* its begin is told by the segment */
    check_slice(&damaged, 5, "A/B/C", 70, 5, 5, -1, true); /* touches 70 */
    check_slice(&damaged, 6, "A", 95, 1, 1, 1, false);
    close_damaged(&damaged);
}
END_TEST

START_TEST(a_track_that_ends_in_a_lost_block_is_told_of)
{
    /* Track 1 loses its last two events, from 60 on. The good block behind holds only earlier times
     * of track 2, so that no time tells; its segment says that track 2 had no events before. */
    struct damaged damaged;
    struct capture_builder *builder = build();
    builder_events(builder, 1, "(A 10 (B 50");
    uint32_t lost = next_block(builder);
    builder_events(builder, 1, ")60 )70");
    builder_end_block(builder);
    builder_events(builder, 2, "(C 20 )30");
    builder_stop(builder, 100);
    builder_finish(builder);
    open_damaged(&damaged, builder, lost);
    ck_assert_uint_eq(damaged.model->loss_count, 1);
    check_loss(&damaged, 0, 0, 0, 50, 100);
    ck_assert_uint_eq(damaged.shown.slice_count, 3);
    check_slice(&damaged, 0, "A", 10, -1, 40, -1, true); /* not open until 100, for all we know */
    check_slice(&damaged, 1, "A/B", 50, -1, 0, -1, true);
    check_slice(&damaged, 2, "C", 20, 10, 10, 10, false);
    close_damaged(&damaged);
}
END_TEST

START_TEST(damage_without_events_loses_none)
{
    /* The index lists the damaged block among those without events. */
    struct damaged damaged;
    struct capture_builder *builder = build();
    builder_domain(builder, 1, "main");
    builder_events(builder, 1, "(A 10 (B 20 )30 )40");
    builder_events(builder, 2, "(C 20 )30");
    uint32_t lost = next_block(builder);
    builder_frame(builder, 1, 0, 5);
    builder_stop(builder, 100);
    builder_finish(builder);
    open_damaged(&damaged, builder, lost);
    ck_assert_uint_eq(damaged.model->loss_count, 0);
    ck_assert_uint_eq(damaged.shown.slice_count, 3);
    check_slice(&damaged, 0, "A", 10, 30, 30, 20, false);
    check_slice(&damaged, 1, "A/B", 20, 10, 10, 10, false);
    check_slice(&damaged, 2, "C", 20, 10, 10, 10, false);
    close_damaged(&damaged);
}
END_TEST

START_TEST(without_an_index_damage_at_the_end_may_have_held_events)
{
    struct damaged damaged;
    struct capture_builder *builder = build();
    builder_domain(builder, 1, "main");
    builder_events(builder, 1, "(A 10 )40");
    builder_events(builder, 2, "(C 20 )30");
    uint32_t lost = next_block(builder);
    builder_frame(builder, 1, 0, 5);
    builder_frame(builder, 1, 1, 90);
    open_damaged(&damaged, builder, lost);
    ck_assert_uint_eq(damaged.model->loss_count, 2);
    check_loss(&damaged, 0, 0, 0, 40, 90);
    check_loss(&damaged, 1, 1, 0, 30, 90);
    close_damaged(&damaged);
}
END_TEST

START_TEST(a_lost_definition_loses_a_name_and_no_time)
{
    /* Blocks: session, clock, string "game.c", then a string and a site for each of A, B, C. */
    struct damaged damaged;
    struct capture_builder *builder = build();
    builder_events(builder, 1, "(A 10 (B 20 )30 )40");
    builder_stop(builder, 100);
    builder_finish(builder);
    open_damaged(&damaged, builder, 6);
    ck_assert_uint_eq(damaged.model->loss_count, 0);
    check_slice(&damaged, 0, "A", 10, 30, 30, 20, false);
    check_slice(&damaged, 1, "A/(site 2, definition lost)", 20, 10, 10, 10, false);
    close_damaged(&damaged);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("damage numbers");
    TCase *cases = tcase_create("damage numbers");
    tcase_add_test(cases, slices_over_a_lost_block_keep_their_times);
    tcase_add_test(cases, a_track_that_ends_in_a_lost_block_is_told_of);
    tcase_add_test(cases, damage_without_events_loses_none);
    tcase_add_test(cases, without_an_index_damage_at_the_end_may_have_held_events);
    tcase_add_test(cases, a_lost_definition_loses_a_name_and_no_time);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
