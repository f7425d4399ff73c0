/* Frames over a limit are triggers, and nothing else is. How long a frame really was depends on the
 * machine: the test measures around its marks. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hitch_fixture.h"
#include "write_gate.h"

#define NS_PER_MS UINT64_C(1000000)

enum { MOST_MARKS = 8192 };

/* Marks of one domain, by ordinal. */
struct marks {
    uint64_t before[MOST_MARKS];
    uint64_t after[MOST_MARKS];
    size_t count;
};

static struct marks frames, renders;

static void mark_frame(void)
{
    frames.before[frames.count] = fixture_now_ns();
    LUDUS_PROFILE_FRAME();
    frames.after[frames.count++] = fixture_now_ns();
}

static void mark_render(void)
{
    renders.before[renders.count] = fixture_now_ns();
    LUDUS_PROFILE_FRAME(Render);
    renders.after[renders.count++] = fixture_now_ns();
}

static void setup(void)
{
    fixture_setup();
    LUDUS_PROFILE_THREAD("main");
    frames.count = 0;
    renders.count = 0;
}

static struct ludus_recorder_config frame_config(const char *name, const char *domain,
                                                 uint32_t limit_ms)
{
    struct ludus_recorder_config config = hitch_config(name);
    config.hitch.frame_domain = domain;
    config.hitch.frame_limit_us = limit_ms * 1000;
    return config;
}

static const struct lcap_trigger *trigger_of(const struct summary *summary, uint64_t ordinal)
{
    for (size_t i = 0; i < summary->trigger_count; i++) {
        if (summary->triggers[i].cause == LCAP_TRIGGER_FRAME &&
            summary->triggers[i].ordinal == ordinal)
            return &summary->triggers[i];
    }
    return NULL;
}

/* What the capture says of frame `n`, which began with mark `n`, fits what was measured. Returns
 * whether it is a trigger. */
static bool check_frame(const struct summary *summary, const struct marks *marks, size_t n,
                        uint64_t limit_ns)
{
    const uint64_t least = marks->before[n + 1] - marks->after[n];
    const uint64_t most = marks->after[n + 1] - marks->before[n];
    const struct lcap_trigger *trigger = trigger_of(summary, n);
    if (trigger == NULL) {
        ck_assert_uint_le(least, limit_ns);
        return false;
    }
    ck_assert_uint_gt(trigger->duration_ticks, limit_ns);
    ck_assert_uint_eq(trigger->limit_ticks, limit_ns);
    ck_assert(trigger->duration_ticks >= least && trigger->duration_ticks <= most);
    ck_assert(trigger->tick >= marks->before[n + 1] && trigger->tick <= marks->after[n + 1]);
    ck_assert_uint_eq(trigger->text.size, 0);
    return true;
}

static void check_frames(const struct summary *summary, const struct marks *marks,
                         uint64_t limit_ms, const char *domain)
{
    size_t found = 0;
    for (size_t n = 0; n + 1 < marks->count; n++)
        found += check_frame(summary, marks, n, limit_ms * NS_PER_MS);
    ck_assert_uint_eq(found, summary->trigger_count);
    for (size_t i = 0; i < summary->trigger_count; i++) {
        const uint32_t id = summary->triggers[i].domain;
        ck_assert_uint_eq(summary->domains[id - 1].domain, id);
        ck_assert_str_eq(summary_text(summary, summary->domains[id - 1].name), domain);
    }
}

/* --- the limit ------------------------------------------------------------------------------- */

START_TEST(a_frame_over_the_limit_triggers_and_those_under_it_do_not)
{
    const struct ludus_recorder_config config = frame_config("limit.lcap", NULL, 60);
    static struct hitch_files files;
    char name[64];
    fixture_start(&config);
    for (int i = 0; i < 40; i++) {
        mark_frame();
        fixture_sleep_ms(i == 10 || i == 25 ? 90 : 1);
    }
    struct summary *summary = hitch_stop_and_read();
    check_frames(summary, &frames, 60, "Frame");
    ck_assert_uint_ge(summary->trigger_count, 2);
    ck_assert_uint_eq(summary->mark_count, 40); /* from before the hitch to after it */
    hitch_find_files(&files);
    snprintf(name, sizeof name, "Z.frame-%.0fms.lcap",
             (double)summary->triggers[0].duration_ticks / 1e6);
    ck_assert_msg(strstr(files.paths[0], name) != NULL, "%s lacks %s", files.paths[0], name);
    ck_assert_str_eq(summary_fact(summary, "recorder.hitch_frame_limit_us"), "60000");
    summary_free(summary);
}
END_TEST

/* Render is slow in its way, and Frame in another. */
static void mark_both(void)
{
    for (int i = 0; i < 12; i++) {
        mark_frame();
        mark_render();
        fixture_sleep_ms(i == 6 ? 100 : 10);
        mark_render();
        fixture_sleep_ms(i == 3 ? 30 : 10);
    }
}

START_TEST(the_domain_marked_first_has_the_limit_by_default)
{
    const struct ludus_recorder_config config = frame_config("first.lcap", NULL, 80);
    fixture_start(&config);
    mark_both();
    struct summary *summary = hitch_stop_and_read();
    check_frames(summary, &frames, 80, "Frame");
    ck_assert_ptr_nonnull(trigger_of(summary, 6));
    summary_free(summary);
}
END_TEST

START_TEST(a_domain_that_is_named_has_the_limit)
{
    const struct ludus_recorder_config config = frame_config("named.lcap", "Render", 80);
    fixture_start(&config);
    mark_both();
    struct summary *summary = hitch_stop_and_read();
    check_frames(summary, &renders, 80, "Render");
    ck_assert_ptr_nonnull(trigger_of(summary, 12));
    summary_free(summary);
}
END_TEST

START_TEST(a_domain_that_is_never_marked_triggers_nothing)
{
    const struct ludus_recorder_config config = frame_config("nobody.lcap", "Rende", 1);
    fixture_start(&config);
    mark_frame();
    fixture_sleep_ms(5);
    mark_render();
    fixture_sleep_ms(5);
    mark_frame();
    mark_render();
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_eq(result.captures + result.captures_failed + result.triggers_missed, 0);
    ck_assert_uint_eq(result.recorded.frames, 4);
}
END_TEST

/* A frame's capture begins before the frame. */
START_TEST(before_a_long_frame_counts_from_its_beginning)
{
    struct ludus_recorder_config config = frame_config("long.lcap", NULL, 100);
    config.hitch.before_ms = 1;
    fixture_start(&config);
    mark_frame();
    fixture_sleep_ms(150);
    mark_frame();
    struct summary *summary = hitch_stop_and_read();
    ck_assert_ptr_nonnull(trigger_of(summary, 0));
    ck_assert_uint_lt(summary->window.from_tick, frames.after[0]);
    ck_assert_uint_eq(summary->marks[0].ordinal, 0);
    summary_free(summary);
}
END_TEST

/* --- marks that are missing ------------------------------------------------------------------ */

/* The collector hangs in a write until the ring of 4,096 marks is full and some have been lost. */
START_TEST(a_mark_that_is_missing_makes_no_long_frame)
{
    struct ludus_recorder_config config = frame_config("missing.lcap", NULL, 200);
    config.hitch.after_ms = 1;
    fixture_start(&config);
    write_gate_close();
    hitch_trigger("hang");
    write_gate_await();
    for (int i = 0; i < 4096 + 100; i++)
        mark_frame();
    const size_t lost = frames.count - 1;
    fixture_sleep_ms(250);
    write_gate_open();
    hitch_await_captures(1);
    hitch_trigger("the ring is read"); /* by the pass that reads this */
    hitch_await_captures(2);
    for (int i = 0; i < 3; i++)
        mark_frame();
    hitch_trigger("end");
    const struct ludus_recorder_result result = fixture_stop();
    ck_assert_uint_ge(result.dropped.frames, 1);
    for (size_t i = 0; i < result.captures; i++) {
        struct summary *summary = hitch_read(i);
        /* From before the loss to behind it: over the limit, if it were one frame. */
        ck_assert_ptr_null(trigger_of(summary, lost));
        ck_assert_ptr_null(trigger_of(summary, 4095));
        for (size_t n = 0; n + 1 < frames.count; n++) {
            if (trigger_of(summary, n) != NULL)
                check_frame(summary, &frames, n, 200 * NS_PER_MS);
        }
        summary_free(summary);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hitch frames");
    TCase *cases = tcase_create("hitch frames");
    tcase_add_checked_fixture(cases, setup, fixture_teardown);
    tcase_add_test(cases, a_frame_over_the_limit_triggers_and_those_under_it_do_not);
    tcase_add_test(cases, the_domain_marked_first_has_the_limit_by_default);
    tcase_add_test(cases, a_domain_that_is_named_has_the_limit);
    tcase_add_test(cases, a_domain_that_is_never_marked_triggers_nothing);
    tcase_add_test(cases, before_a_long_frame_counts_from_its_beginning);
    tcase_add_test(cases, a_mark_that_is_missing_makes_no_long_frame);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
