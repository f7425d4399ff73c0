/* Categories are recorded or not as the program, its configuration and its environment say. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "category_rules.h"
#include "recorder_fixture.h"

static void use_all_categories(void)
{
    LUDUS_PROFILE_SCOPE(draw, LUDUS_PROFILE_CAT(Render));
    LUDUS_PROFILE_MARK(decided, LUDUS_PROFILE_CAT(ai));
    LUDUS_PROFILE_SCOPE(think, LUDUS_PROFILE_CAT(ai));
    LUDUS_PROFILE_MARK(here);
}

static void set_category(const char *name, int is_recorded)
{
    struct ludus_error error;
    ck_assert_msg(ludus_recorder_set_category(name, is_recorded, &error) == LUDUS_OK, "%s",
                  error.message);
}

/* Every test starts from what a fresh process has. */
static void setup(void)
{
    fixture_setup();
    unsetenv("LUDUS_CATEGORIES");
    set_category("*", 1);
}

static uint64_t events_of(const struct summary *summary, const char *name, uint32_t kind)
{
    const struct lcap_site *site = summary_site(summary, name);
    uint64_t count = 0;
    for (size_t i = 0; site != NULL && i < summary->track_count; i++)
        for (size_t e = 0; e < summary->tracks[i].count; e++)
            count += summary->tracks[i].events[e].kind == kind &&
                     summary->tracks[i].events[e].site == site->site;
    return count;
}

static void check_counts(const struct summary *summary, uint64_t draws, uint64_t thoughts,
                         uint64_t marks)
{
    ck_assert_uint_eq(events_of(summary, "draw", LCAP_EVENT_BEGIN), draws);
    ck_assert_uint_eq(events_of(summary, "think", LCAP_EVENT_BEGIN), thoughts);
    ck_assert_uint_eq(events_of(summary, "decided", LCAP_EVENT_INSTANT), thoughts);
    ck_assert_uint_eq(events_of(summary, "here", LCAP_EVENT_INSTANT), marks);
}

static void record_once(const char *file, const char *configured, uint64_t draws, uint64_t thoughts,
                        uint64_t marks, const char *fact)
{
    struct ludus_recorder_config config = fixture_config(file);
    config.categories = configured;
    struct ludus_recorder_result result;
    fixture_start(&config);
    use_all_categories();
    struct summary *summary = fixture_stop_and_read(&result);
    check_counts(summary, draws, thoughts, marks);
    ck_assert_uint_eq(result.recorded.scopes, draws + thoughts);
    ck_assert_uint_eq(result.dropped.scopes, 0); /* what is switched off is not emitted */
    const char *told = summary_fact(summary, "recorder.categories");
    ck_assert_msg(told != NULL && strcmp(told, fact) == 0, "told \"%s\", not \"%s\"",
                  told != NULL ? told : "(none)", fact);
    summary_free(summary);
}

START_TEST(configuration_and_environment_switch_before_the_first_event)
{
    record_once("off.lcap", "-AI", 1, 0, 1, "*,-AI");
    /* It stays so; the environment comes last. */
    setenv("LUDUS_CATEGORIES", "ai, -render", 1);
    record_once("environment.lcap", NULL, 0, 1, 1, "*,ai,-render");
    setenv("LUDUS_CATEGORIES", "-*,render", 1);
    record_once("alone.lcap", "ai", 1, 0, 0, "-*,render");
}
END_TEST

START_TEST(a_switch_while_scopes_are_open_leaves_no_half)
{
    const struct ludus_recorder_config config = fixture_config("switch.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    {
        LUDUS_PROFILE_SCOPE(outer, LUDUS_PROFILE_CAT(ai));
        set_category("ai", 0);
        LUDUS_PROFILE_SCOPE(dropped, LUDUS_PROFILE_CAT(ai));
        LUDUS_PROFILE_SCOPE(inner, LUDUS_PROFILE_CAT(Render));
        set_category("ai", 1);
        LUDUS_PROFILE_SCOPE(again, LUDUS_PROFILE_CAT(ai));
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes, 3);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_eq(events_of(summary, "dropped", LCAP_EVENT_BEGIN), 0);
    const struct summary_track *track = &summary->tracks[0];
    ck_assert_uint_eq(track->begins, 3);
    ck_assert_uint_eq(track->ends, 3);
    ck_assert_uint_eq(track->events[0].depth, 0);
    ck_assert_uint_eq(track->events[1].depth, 1);
    ck_assert_uint_eq(track->events[2].depth, 2);
    uint64_t told = 0;
    for (size_t i = 0; i < summary->diagnostic_count; i++)
        told += summary->diagnostics[i].code == LCAP_DIAGNOSTIC_CATEGORY_SWITCHED;
    ck_assert_uint_eq(told, 2);
    const struct lcap_diagnostic *first =
        summary_diagnostic(summary, LCAP_DIAGNOSTIC_CATEGORY_SWITCHED);
    ck_assert_str_eq((const char *)first->text.data, "ai: not recorded from here on");
    summary_free(summary);
}
END_TEST

START_TEST(frame_marks_and_places_without_category_need_no_category)
{
    const struct ludus_recorder_config config = fixture_config("frames.lcap");
    struct ludus_recorder_result result;
    set_category("*", 0);
    fixture_start(&config);
    LUDUS_PROFILE_FRAME();
    use_all_categories();
    set_category("*", 1);
    use_all_categories();
    struct summary *summary = fixture_stop_and_read(&result);
    check_counts(summary, 1, 1, 1);
    ck_assert_uint_eq(result.recorded.frames, 1);
    summary_free(summary);
}
END_TEST

static atomic_bool is_switching;

static void *emit_while_switching(void *argument)
{
    uint64_t *emitted = argument;
    while (atomic_load(&is_switching)) {
        LUDUS_PROFILE_SCOPE(steady);
        LUDUS_PROFILE_SCOPE(flickering, LUDUS_PROFILE_CAT(flicker));
        ++*emitted;
    }
    return NULL;
}

START_TEST(switching_under_load_keeps_every_scope_whole)
{
    enum { THREADS = 3, SWITCHES = 200 };
    const struct ludus_recorder_config config = fixture_config("flicker.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[THREADS];
    uint64_t emitted[THREADS] = {0};
    fixture_start(&config);
    atomic_store(&is_switching, true);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, emit_while_switching, &emitted[i]), 0);
    for (int i = 0; i < SWITCHES; i++) {
        set_category("flicker", i % 2);
        sched_yield();
    }
    atomic_store(&is_switching, false);
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += emitted[i];
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->begins, summary->ends);
    const uint64_t flickers = events_of(summary, "flickering", LCAP_EVENT_BEGIN);
    ck_assert_uint_eq(result.recorded.scopes - flickers,
                      events_of(summary, "steady", LCAP_EVENT_BEGIN));
    ck_assert_uint_ge(result.recorded.scopes + result.dropped.scopes, sum);
    ck_assert_uint_le(flickers, sum);
    summary_free(summary);
}
END_TEST

START_TEST(what_cannot_be_switched_is_refused)
{
    struct ludus_error error;
    char longest[80];
    memset(longest, 'c', sizeof longest);
    longest[64] = '\0';
    ck_assert_int_eq(ludus_recorder_set_category("", 1, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(ludus_recorder_set_category(NULL, 1, NULL), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(ludus_recorder_set_category(longest, 1, &error), LUDUS_ERROR_ARGUMENT);
    longest[63] = '\0';
    set_category(longest, 0);
    setenv("LUDUS_CATEGORIES", "render,-", 1);
    const struct ludus_recorder_config config = fixture_config("refused.lcap");
    ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.message, "LUDUS_CATEGORIES"));
    ck_assert_int_eq(ludus_recorder_state(), LUDUS_RECORDER_IDLE);
}
END_TEST

static bool admits(const struct ludus_category_rules *rules, const char *name)
{
    return ludus_category_rules_admit(rules, name, strlen(name));
}

START_TEST(the_last_rule_that_fits_decides)
{
    struct ludus_category_rules rules = {0};
    char text[64];
    ck_assert(admits(&rules, "ai") && admits(&rules, ""));
    ck_assert_int_eq(ludus_category_rules_add_list(&rules, " -AI ,, render", "test", NULL),
                     LUDUS_OK);
    ck_assert(!admits(&rules, "ai") && !admits(&rules, "Ai") && admits(&rules, "a"));
    ck_assert(admits(&rules, "aim") && admits(&rules, ""));
    ck_assert_int_eq(ludus_category_rules_add_list(&rules, "ai", "test", NULL), LUDUS_OK);
    ludus_category_rules_text(&rules, text, sizeof text);
    ck_assert_str_eq(text, "render,ai");
    ck_assert_int_eq(ludus_category_rules_add_list(&rules, "-*", "test", NULL), LUDUS_OK);
    ck_assert(!admits(&rules, "render") && !admits(&rules, "") && !admits(&rules, "*"));
    for (unsigned i = 1; i < LUDUS_MAX_CATEGORY_RULES; i++) {
        char name[8];
        snprintf(name, sizeof name, "c%u", i);
        ck_assert_int_eq(ludus_category_rules_add(&rules, name, strlen(name), true, NULL),
                         LUDUS_OK);
    }
    const struct ludus_category_rules before = rules;
    ck_assert_int_eq(ludus_category_rules_add_list(&rules, "-c1,more", "test", NULL),
                     LUDUS_ERROR_LIMIT);
    ck_assert_int_eq(memcmp(&rules, &before, sizeof rules), 0);
    ludus_category_rules_text(&rules, text, 4);
    ck_assert_str_eq(text, "-*,");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("categories");
    TCase *cases = tcase_create("categories");
    tcase_add_checked_fixture(cases, setup, fixture_teardown);
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, configuration_and_environment_switch_before_the_first_event);
    tcase_add_test(cases, a_switch_while_scopes_are_open_leaves_no_half);
    tcase_add_test(cases, frame_marks_and_places_without_category_need_no_category);
    tcase_add_test(cases, switching_under_load_keeps_every_scope_whole);
    tcase_add_test(cases, what_cannot_be_switched_is_refused);
    tcase_add_test(cases, the_last_rule_that_fits_decides);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
