/* The numbers of a live look, worked out by hand. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "live_fixture.h"

/* --- by hand --------------------------------------------------------------------------------- */

static const struct trace_live_site *find_site(const struct trace_live *live, const char *name)
{
    for (uint32_t i = 0; i < live->site_count; i++) {
        const struct trace_text *text = &live->capture->model->sites[i].name;
        if (text->size == strlen(name) && memcmp(text->data, name, text->size) == 0)
            return &live->sites[i];
    }
    ck_abort_msg("there is no site %s", name);
    return NULL;
}

static void check_site(const struct trace_live *live, const char *name, uint64_t calls,
                       int64_t exclusive_ns, int64_t inclusive_ns, uint64_t open)
{
    const struct trace_live_site *site = find_site(live, name);
    ck_assert_uint_eq(site->calls, calls);
    ck_assert_int_eq(site->exclusive_ns, exclusive_ns);
    ck_assert_int_eq(site->inclusive_ns, inclusive_ns);
    ck_assert_uint_eq(site->open, open);
}

START_TEST(slices_count_with_the_part_that_lies_in_the_window)
{
    /* The window is [400, 1000), the recording's end. Frame began before it: of its 500 from 400 on
     * Physics has 50, since of its 200 to 450 only those from 400 on are in it, and Render 300. Job
     * is over before the window, Load is open at its end. */
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 1, 0, 0, "main");
    golden_emit(builder, 1, "(Frame 100 (Job 150 )180 (Physics 200");
    builder_end_block(builder);
    golden_emit(builder, 1, ")450 (Render 500 )800 )900 (Load 950");
    builder_stop(builder, START + 1000);
    builder_finish(builder);
    struct trace_live *live = live_fixture_look_at(builder, 600);
    ck_assert_int_eq(live->begin_ns, 400);
    ck_assert_int_eq(live->end_ns, 1000);
    check_site(live, "Frame", 0, 150, 500, 0);
    check_site(live, "Physics", 0, 50, 50, 0);
    check_site(live, "Render", 1, 300, 300, 0);
    check_site(live, "Job", 0, 0, 0, 0);
    check_site(live, "Load", 1, 50, 50, 1);
    ck_assert_uint_eq(find_site(live, "Job")->slices, 0);
    trace_live_close(live);
    builder_destroy(builder);
}
END_TEST

START_TEST(a_recursive_site_is_inclusive_once)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 1, 0, 0, "main");
    golden_emit(builder, 1, "(Job 100 (Job 200 )300 )500");
    builder_stop(builder, START + 600);
    builder_finish(builder);
    struct trace_live *live = live_fixture_look_at(builder, 350); /* from 250 on */
    check_site(live, "Job", 0, 250, 250, 0);
    trace_live_close(live);
    builder_destroy(builder);
}
END_TEST

START_TEST(counts_and_gauges_of_the_window_are_told)
{
    /* What an event tells was counted from the counter's event before on: the 7 from 100 on, before
     * the window from 300 on; the 5 from 350 on. Marks in the window: 400, 500, 600: two frames, to
     * which the 9 told at 560 (counted from 450 on) belong. Of the gauge only the last counts. */
    static const uint64_t marks[] = {200, 300 - 1, 400, 500, 600};
    struct capture_builder *builder = builder_create(&golden_setup);
    double values[] = {1.5, 2.5};
    uint64_t bits[2];
    memcpy(bits, values, sizeof bits);
    golden_add_track(builder, 1, 1, 0, 0, "main");
    builder_domain(builder, 1, "main");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + 100, 1, 3);
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + 350, 1, 7);
    builder_value(builder, 1, LCAP_EVENT_GAUGE, START + 360, 2, bits[0]);
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + 450, 1, 5);
    builder_value(builder, 1, LCAP_EVENT_GAUGE, START + 470, 2, bits[1]);
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + 560, 1, 9);
    builder_stop(builder, START + 700);
    builder_finish(builder);
    struct trace_live *live = live_fixture_look_at(builder, 400);
    ck_assert_int_eq(live->frames, 2);
    ck_assert_int_eq(live->sites[0].total, 14);
    ck_assert_int_eq(live->sites[0].total_in_frames, 9);
    ck_assert_uint_eq(live->sites[1].gauges, 2);
    ck_assert_uint_eq(live->sites[1].gauge_bits, bits[1]);
    /* A frame counts when it ends in the window: that from 299 on does, that from 200 on does not.
     */
    ck_assert_uint_eq(live->capture->model->domains[0].complete_count, 3);
    trace_live_close(live);
    builder_destroy(builder);
}
END_TEST

START_TEST(a_loss_in_the_window_makes_exclusive_time_unknown_and_one_before_does_not)
{
    const struct lcap_loss losses[] = {{.counts = {.scopes = 2},
                                        .first_tick = START + 150,
                                        .last_tick = START + 160,
                                        .track = 1,
                                        .cause = LCAP_LOSS_BUFFERS_FULL,
                                        .clock = 1},
                                       {.counts = {.scopes = 3},
                                        .first_tick = START + 650,
                                        .last_tick = START + 660,
                                        .track = 1,
                                        .cause = LCAP_LOSS_BUFFERS_FULL,
                                        .clock = 1}};
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 1, 0, 0, "main");
    golden_emit(builder, 1, "(Frame 100 )500 (Physics 600 )700");
    builder_loss(builder, &losses[0]);
    builder_loss(builder, &losses[1]);
    builder_stop(builder, START + 1000);
    builder_finish(builder);
    struct trace_live *live = live_fixture_look_at(builder, 600);
    check_site(live, "Frame", 0, 100, 100, 0);
    check_site(live, "Physics", 1, 0, 100, 0);
    ck_assert_uint_eq(find_site(live, "Frame")->children_lost, 0);
    ck_assert_uint_eq(find_site(live, "Physics")->children_lost, 1);
    /* In all there are both. */
    ck_assert_uint_eq(live->capture->model->loss_count, 1);
    ck_assert_uint_eq(live->capture->model->losses[0].counts.scopes, 5);
    trace_live_close(live);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live");
    TCase *cases = tcase_create("live");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, slices_count_with_the_part_that_lies_in_the_window);
    tcase_add_test(cases, a_recursive_site_is_inclusive_once);
    tcase_add_test(cases, counts_and_gauges_of_the_window_are_told);
    tcase_add_test(cases,
                   a_loss_in_the_window_makes_exclusive_time_unknown_and_one_before_does_not);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures == 0 ? 0 : 1;
}
