/* What a capture holds of a program that was recorded: nesting, names, categories, threads, frames.
 */
#include <check.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder_fixture.h"

static int leaves_early(int value)
{
    LUDUS_PROFILE_FUNCTION();
    if (value < 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        LUDUS_PROFILE_SCOPE(Loop body);
        if (i == value)
            return i;
        if (i == 0)
            continue;
    }
    return 3;
}

static void expect_events(const struct summary *summary, const struct summary_track *track,
                          const char *const *expected, size_t count)
{
    ck_assert_uint_eq(track->count, count);
    for (size_t i = 0; i < count; i++) {
        const struct summary_event *event = &track->events[i];
        char text[80];
        const char *name =
            event->site != 0 ? summary_text(summary, summary->sites[event->site - 1].name) : "";
        snprintf(text, sizeof text, "%u%s%s", (unsigned)event->depth,
                 event->kind == LCAP_EVENT_BEGIN ? "+"
                 : event->kind == LCAP_EVENT_END ? "-"
                                                 : "!",
                 name);
        ck_assert_str_eq(text, expected[i]);
    }
}

START_TEST(scopes_nest_and_close_on_every_way_out)
{
    const struct ludus_recorder_config config = fixture_config("nest.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    ck_assert_int_eq(leaves_early(-1), -1);
    ck_assert_int_eq(leaves_early(1), 1);
    LUDUS_PROFILE_MARK(Between);
    LUDUS_PROFILE_BEGIN(handle, Pair of ends);
    LUDUS_PROFILE_END(handle);
    LUDUS_PROFILE_END(handle); /* a second end does nothing */
    struct summary *summary = fixture_stop_and_read(&result);
    static const char *const expected[] = {"0+leaves_early",
                                           "0-",
                                           "0+leaves_early",
                                           "1+Loop body",
                                           "1-",
                                           "1+Loop body",
                                           "1-",
                                           "0-",
                                           "0!Between",
                                           "0+Pair of ends",
                                           "0-"};
    ck_assert_uint_eq(summary->track_count, 1);
    expect_events(summary, &summary->tracks[0], expected, sizeof expected / sizeof expected[0]);
    ck_assert_uint_eq(result.recorded.scopes, 5);
    ck_assert_uint_eq(result.recorded.instants, 1);
    ck_assert_uint_eq(result.scopes_open, 0);
    summary_free(summary);
}
END_TEST

START_TEST(names_are_kept_as_written_and_categories_are_split_off)
{
    const struct ludus_recorder_config config = fixture_config("names.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    {
        LUDUS_PROFILE_SCOPE(Physics/Step, LUDUS_PROFILE_CAT(Physics));
    }
    {
        LUDUS_PROFILE_SCOPE(std::map<int, float>::find(a, b));
    }
    {
        LUDUS_PROFILE_SCOPE(Wait for GPU, LUDUS_PROFILE_CAT(wait));
    }
    LUDUS_PROFILE_MARK(Größe 日本);
    static struct ludus_site emoji = {"Größe ☃ 😀", "names.c", "f", 1, 0, 0, 0};
    ludus_instant(&emoji);
    LUDUS_PROFILE_MARK(f(x, LUDUS_PROFILE_CAT(not a category)));
    LUDUS_PROFILE_MARK("quoted \\ \" text");
    LUDUS_PROFILE_MARK(,LUDUS_PROFILE_CAT(Physics));
    struct summary *summary = fixture_stop_and_read(&result);
    const struct lcap_site *step = summary_site(summary, "Physics/Step");
    ck_assert_ptr_nonnull(step);
    ck_assert_uint_ne(step->category, 0);
    ck_assert_str_eq(summary_text(summary, summary->categories[step->category - 1].name),
                     "Physics");
    ck_assert_uint_eq(summary->categories[step->category - 1].flags, 0);
    const struct lcap_site *wait = summary_site(summary, "Wait for GPU");
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(summary->categories[wait->category - 1].flags, 1);
    ck_assert_ptr_nonnull(summary_site(summary, "std::map<int, float>::find(a, b)"));
    ck_assert_ptr_nonnull(summary_site(summary, "Größe 日本"));
    ck_assert_ptr_nonnull(summary_site(summary, "Größe ☃ 😀"));
    ck_assert_ptr_nonnull(summary_site(summary, "f(x, LUDUS_PROFILE_CAT(not a category))"));
    ck_assert_ptr_nonnull(summary_site(summary, "\"quoted \\\\ \\\" text\""));
    /* An empty name is the function's, with the category that stands behind it. */
    const struct lcap_site *own = summary_site(summary, __func__);
    ck_assert_ptr_nonnull(own);
    ck_assert_uint_eq(own->category, step->category);
    ck_assert_uint_eq(summary->category_count, 2);
    summary_free(summary);
}
END_TEST

START_TEST(files_are_relative_to_the_source_root)
{
    struct ludus_recorder_config config = fixture_config("root.lcap");
    struct ludus_recorder_result result;
    config.source_root = "/home/someone/game";
    fixture_start(&config);
    static struct ludus_site inside = {"inside", "/home/someone/game/src/a.c", "f", 7, 0, 0, 0};
    static struct ludus_site beside = {"beside", "/home/someone/game2/src/a.c", "f", 8, 0, 0, 0};
    ludus_instant(&inside);
    ludus_instant(&beside);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_str_eq(summary_text(summary, summary_site(summary, "inside")->file), "src/a.c");
    ck_assert_str_eq(summary_text(summary, summary_site(summary, "beside")->file),
                     "/home/someone/game2/src/a.c");
    ck_assert_uint_eq(summary_site(summary, "inside")->line, 7);
    ck_assert_str_eq(summary_text(summary, summary_site(summary, "inside")->function), "f");
    ck_assert_str_eq(summary_fact(summary, "source_root"), "/home/someone/game");
    summary_free(summary);
}
END_TEST

START_TEST(one_place_from_many_descriptors_is_one_site)
{
    const struct ludus_recorder_config config = fixture_config("same.lcap");
    struct ludus_recorder_result result;
    struct ludus_site first = {"same place", "same.c", "f", 3, 0, 0, 0};
    struct ludus_site second = {"same place", "same.c", "g", 3, 0, 0, 0};
    struct ludus_site other_line = {"same place", "same.c", "f", 4, 0, 0, 0};
    fixture_start(&config);
    ludus_instant(&first);
    ludus_instant(&second);
    ludus_instant(&other_line);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(first.id, second.id);
    ck_assert_uint_ne(first.id, other_line.id);
    summary_free(summary);
}
END_TEST

START_TEST(sites_with_equal_identity_stay_apart_and_are_reported)
{
    /* Two strings with one 64-bit FNV-1a hash; what follows them is the same, so that the
     * identities are equal, too. */
    static struct ludus_site first = {"8yn0iYCKYHlIj4-BwPqk", "collision.c", "f", 1, 0, 0, 0};
    static struct ludus_site second = {"GReLUrM4wMqfg9yzV3KQ", "collision.c", "f", 1, 0, 0, 0};
    const struct ludus_recorder_config config = fixture_config("collision.lcap");
    struct ludus_recorder_result result;
    struct lcap_bytes names[2] = {{(const uint8_t *)first.label, 20},
                                  {(const uint8_t *)second.label, 20}};
    const struct lcap_bytes file = {(const uint8_t *)"collision.c", 11};
    ck_assert_uint_eq(lcap_site_identity(names[0], file, 1), lcap_site_identity(names[1], file, 1));
    fixture_start(&config);
    ludus_instant(&first);
    ludus_instant(&second);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_ne(first.id, second.id);
    ck_assert_ptr_nonnull(summary_site(summary, first.label));
    ck_assert_ptr_nonnull(summary_site(summary, second.label));
    const struct lcap_diagnostic *told =
        summary_diagnostic(summary, LCAP_DIAGNOSTIC_IDENTITY_COLLISION);
    ck_assert_ptr_nonnull(told);
    ck_assert_ptr_nonnull(strstr((const char *)told->text.data, first.label));
    ck_assert_ptr_nonnull(strstr((const char *)told->text.data, second.label));
    summary_free(summary);
}
END_TEST

struct worker {
    const char *name;
    unsigned scopes;
    unsigned marks;
};

static void *work(void *argument)
{
    const struct worker *worker = argument;
    LUDUS_PROFILE_THREAD(worker->name);
    for (unsigned i = 0; i < worker->scopes; i++) {
        LUDUS_PROFILE_SCOPE(work);
    }
    for (unsigned i = 0; i < worker->marks; i++) {
        LUDUS_PROFILE_FRAME();
        LUDUS_PROFILE_FRAME(Render, second);
    }
    return NULL;
}

START_TEST(each_thread_has_a_track_with_its_name)
{
    const struct ludus_recorder_config config = fixture_config("threads.lcap");
    struct ludus_recorder_result result;
    struct worker workers[3] = {{"loader", 10, 0}, {"audio ☃", 20, 0}, {NULL, 30, 0}};
    static char long_name[128];
    memset(long_name, 'w', sizeof long_name - 1);
    memcpy(long_name + 62, "\xE2\x98\x83", 3); /* bytes 62 to 64: does not fit into 63 */
    workers[2].name = long_name;
    fixture_start(&config);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->track_count, 3);
    ck_assert_uint_eq(summary_track_named(summary, "loader")->begins, 10);
    ck_assert_uint_eq(summary_track_named(summary, "audio ☃")->begins, 20);
    long_name[62] = '\0';
    ck_assert_uint_eq(summary_track_named(summary, long_name)->begins, 30);
    for (int i = 0; i < 3; i++) {
        const struct lcap_track *record = &summary->tracks[i].record;
        ck_assert_uint_ge(record->end_tick, record->begin_tick);
        ck_assert_uint_ne(record->os_id, (uint64_t)getpid());
    }
    summary_free(summary);
}
END_TEST

START_TEST(the_last_name_of_a_thread_counts)
{
    const struct ludus_recorder_config config = fixture_config("rename.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    LUDUS_PROFILE_THREAD("first name");
    LUDUS_PROFILE_MARK(one);
    fixture_sleep_ms(50);
    LUDUS_PROFILE_THREAD("last name");
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->track_count, 1);
    ck_assert_ptr_nonnull(summary_track_named(summary, "last name"));
    summary_free(summary);
}
END_TEST

START_TEST(a_thread_without_a_name_has_the_systems)
{
    const struct ludus_recorder_config config = fixture_config("unname.lcap");
    struct ludus_recorder_result result;
    char before[16];
    ck_assert_int_eq(pthread_getname_np(pthread_self(), before, sizeof before), 0);
    ck_assert_int_eq(pthread_setname_np(pthread_self(), "the system's"), 0);
    LUDUS_PROFILE_THREAD("given");
    fixture_start(&config);
    LUDUS_PROFILE_MARK(one);
    LUDUS_PROFILE_THREAD(NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_ptr_nonnull(summary_track_named(summary, "the system's"));
    ck_assert_int_eq(pthread_setname_np(pthread_self(), before), 0);
    summary_free(summary);
}
END_TEST

START_TEST(frame_marks_are_numbered_per_domain_over_threads)
{
    struct ludus_recorder_config config = fixture_config("frames.lcap");
    struct ludus_recorder_result result;
    struct worker workers[3] = {{"a", 1, 500}, {"b", 1, 400}, {"c", 0, 300}};
    fixture_start(&config);
    LUDUS_PROFILE_FRAME(Simulation);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.frames, 2401);
    ck_assert_uint_eq(result.dropped.frames, 0);
    ck_assert_uint_eq(summary->domain_count, 3);
    /* The domain that was marked first is the default one. */
    ck_assert_str_eq(summary_text(summary, summary->domains[0].name), "Simulation");
    unsigned char *seen = calloc(4 * 1200, 1);
    ck_assert_ptr_nonnull(seen);
    for (size_t i = 0; i < summary->mark_count; i++) {
        const struct lcap_frame_mark *mark = &summary->marks[i];
        ck_assert_uint_lt(mark->ordinal, 1200);
        ck_assert_uint_eq(seen[mark->domain * 1200 + mark->ordinal]++, 0);
    }
    for (size_t i = 0; i < 1200; i++)
        ck_assert(seen[2 * 1200 + i] == 1 && seen[3 * 1200 + i] == 1);
    free(seen);
    /* A thread without a track marks frames all the same. */
    ck_assert_uint_eq(summary->track_count, 2);
    summary_free(summary);
}
END_TEST

static struct ludus_scope moved;

static void *end_moved(void *argument)
{
    (void)argument;
    LUDUS_PROFILE_THREAD("finisher");
    ludus_scope_end(&moved);
    LUDUS_PROFILE_MARK(own);
    moved.token = 0;
    return NULL;
}

START_TEST(an_end_on_another_thread_is_reported_and_leaves_the_scope_open)
{
    static struct ludus_site site = {"moved", "moved.c", "f", 1, 0, 0, 0};
    const struct ludus_recorder_config config = fixture_config("moved.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    LUDUS_PROFILE_THREAD("beginner");
    moved = ludus_scope_begin(&site);
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, end_moved, NULL), 0);
    pthread_join(thread, NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.scopes_open, 1);
    ck_assert_uint_eq(summary_track_named(summary, "beginner")->depth, 1);
    ck_assert_uint_eq(summary_track_named(summary, "finisher")->count, 1);
    const struct lcap_diagnostic *told = summary_diagnostic(summary, LCAP_DIAGNOSTIC_WRONG_THREAD);
    ck_assert_ptr_nonnull(told);
    ck_assert_uint_eq(told->count, 1);
    ck_assert_uint_eq(told->track, summary_track_named(summary, "beginner")->record.track);
    ck_assert_ptr_nonnull(strstr((const char *)told->text.data, "\"beginner\""));
    ck_assert_ptr_nonnull(strstr((const char *)told->text.data, "\"finisher\""));
    summary_free(summary);
}
END_TEST

START_TEST(a_scope_that_was_ended_elsewhere_ends_with_the_scope_around_it)
{
    static struct ludus_site outer_site = {"outer", "moved.c", "f", 1, 0, 0, 0};
    static struct ludus_site site = {"moved", "moved.c", "f", 2, 0, 0, 0};
    const struct ludus_recorder_config config = fixture_config("moved-inside.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    LUDUS_PROFILE_THREAD("beginner");
    for (int i = 0; i < 3; i++) {
        struct ludus_scope outer = ludus_scope_begin(&outer_site);
        moved = ludus_scope_begin(&site);
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, end_moved, NULL), 0);
        pthread_join(thread, NULL);
        ludus_scope_end(&outer);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    /* Were the moved scope's End just missing, each turn would leave one more scope open. */
    ck_assert_uint_eq(result.recorded.scopes, 6);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_eq(summary_track_named(summary, "beginner")->count, 12);
    ck_assert_uint_eq(summary_track_named(summary, "beginner")->depth, 0);
    ck_assert_ptr_nonnull(summary_diagnostic(summary, LCAP_DIAGNOSTIC_WRONG_THREAD));
    summary_free(summary);
}
END_TEST

static jmp_buf way_out;

__attribute__((noinline)) static void jump_over_scopes(void)
{
    static struct ludus_site site = {"jumped over", "jump.c", "f", 1, 0, 0, 0};
    (void)ludus_scope_begin(&site);
    (void)ludus_scope_begin(&site);
    longjmp(way_out, 1);
}

START_TEST(scopes_that_a_longjmp_leaves_open_end_with_the_scope_around_them)
{
    static struct ludus_site site = {"outer", "jump.c", "f", 2, 0, 0, 0};
    const struct ludus_recorder_config config = fixture_config("jump.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    struct ludus_scope outer = ludus_scope_begin(&site);
    if (setjmp(way_out) == 0)
        jump_over_scopes();
    ludus_scope_end(&outer);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_eq(summary->tracks[0].count, 6);
    const struct lcap_diagnostic *told = summary_diagnostic(summary, LCAP_DIAGNOSTIC_LEFT_OPEN);
    ck_assert_ptr_nonnull(told);
    ck_assert_uint_eq(told->count, 1);
    summary_free(summary);
}
END_TEST

START_TEST(scopes_that_end_out_of_order_stay_nested)
{
    static struct ludus_site site = {"crossed", "cross.c", "f", 1, 0, 0, 0};
    const struct ludus_recorder_config config = fixture_config("crossed.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    struct ludus_scope first = ludus_scope_begin(&site);
    struct ludus_scope second = ludus_scope_begin(&site);
    ludus_scope_end(&first); /* ends both */
    struct ludus_scope third = ludus_scope_begin(&site);
    ludus_scope_end(&third);
    ludus_scope_end(&second); /* has ended */
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_eq(summary->tracks[0].count, 6);
    ck_assert_ptr_nonnull(summary_diagnostic(summary, LCAP_DIAGNOSTIC_LEFT_OPEN));
    summary_free(summary);
}
END_TEST

START_TEST(a_copied_scope_that_ends_twice_does_no_harm)
{
    static struct ludus_site site = {"copied", "copied.c", "f", 1, 0, 0, 0};
    const struct ludus_recorder_config config = fixture_config("copied.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    struct ludus_scope scope = ludus_scope_begin(&site);
    struct ludus_scope copy = scope;
    ludus_scope_end(&scope);
    for (int i = 0; i < 5000; i++) {
        struct ludus_scope again = copy;
        ludus_scope_end(&again);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->tracks[0].count, 2);
    summary_free(summary);
}
END_TEST

START_TEST(the_session_tells_about_program_and_machine)
{
    struct ludus_recorder_config config = fixture_config("facts-%p.lcap");
    struct ludus_recorder_result result;
    config.build_commit = "0123abcd";
    config.build_flags = "";
    config.max_threads = 7;
    config.max_counters = 9;
    fixture_start(&config);
    LUDUS_PROFILE_MARK(something);
    struct summary *summary = fixture_stop_and_read(&result);
    char number[32];
    snprintf(number, sizeof number, "%ld.lcap", (long)getpid());
    ck_assert_ptr_nonnull(strstr(result.path, number));
    ck_assert_str_eq(summary_fact(summary, "program"), "test_recording");
    ck_assert_str_eq(summary_fact(summary, "build.commit"), "0123abcd");
    ck_assert_ptr_null(summary_fact(summary, "build.flags"));
    ck_assert_str_eq(summary_fact(summary, "recorder.flush_interval_ms"), "10");
    ck_assert_str_eq(summary_fact(summary, "recorder.max_threads"), "7");
    ck_assert_str_eq(summary_fact(summary, "recorder.max_counters"), "9");
    ck_assert_ptr_nonnull(summary_fact(summary, "recorder.max_sites"));
    ck_assert_ptr_nonnull(summary_fact(summary, "recorder.max_dynamic_names"));
    const unsigned long scope_ps =
        strtoul(summary_fact(summary, "recorder.scope_cost_ps"), NULL, 10);
    const unsigned long inner_ps =
        strtoul(summary_fact(summary, "recorder.scope_inner_cost_ps"), NULL, 10);
    ck_assert_uint_gt(inner_ps, 1000); /* no clock is read in less than a nanosecond */
    ck_assert_uint_gt(scope_ps, inner_ps);
    snprintf(number, sizeof number, "%llu", (unsigned long long)result.memory_bytes);
    ck_assert_str_eq(summary_fact(summary, "recorder.memory_bytes"), number);
    ck_assert_ptr_nonnull(summary_fact(summary, "os"));
    ck_assert_uint_eq(summary->session.process_id, (uint32_t)getpid());
    ck_assert_uint_le(summary->session.start_tick, summary->tracks[0].events[0].tick);
    ck_assert_uint_le(result.memory_bytes, config.memory_bytes);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recording");
    TCase *cases = tcase_create("recording");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, scopes_nest_and_close_on_every_way_out);
    tcase_add_test(cases, names_are_kept_as_written_and_categories_are_split_off);
    tcase_add_test(cases, files_are_relative_to_the_source_root);
    tcase_add_test(cases, one_place_from_many_descriptors_is_one_site);
    tcase_add_test(cases, sites_with_equal_identity_stay_apart_and_are_reported);
    tcase_add_test(cases, each_thread_has_a_track_with_its_name);
    tcase_add_test(cases, the_last_name_of_a_thread_counts);
    tcase_add_test(cases, a_thread_without_a_name_has_the_systems);
    tcase_add_test(cases, frame_marks_are_numbered_per_domain_over_threads);
    tcase_add_test(cases, an_end_on_another_thread_is_reported_and_leaves_the_scope_open);
    tcase_add_test(cases, a_scope_that_was_ended_elsewhere_ends_with_the_scope_around_it);
    tcase_add_test(cases, scopes_that_a_longjmp_leaves_open_end_with_the_scope_around_them);
    tcase_add_test(cases, scopes_that_end_out_of_order_stay_nested);
    tcase_add_test(cases, a_copied_scope_that_ends_twice_does_no_harm);
    tcase_add_test(cases, the_session_tells_about_program_and_machine);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
