/* Names that are made while the program runs are sites as others are, up to a bound that is told.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_fixture.h"

static const struct summary_track *only_track(const struct summary *summary)
{
    ck_assert_uint_eq(summary->track_count, 1);
    return &summary->tracks[0];
}

static uint64_t begins_of(const struct summary *summary, const char *name)
{
    const struct lcap_site *site = summary_site(summary, name);
    uint64_t count = 0;
    for (size_t i = 0; site != NULL && i < summary->track_count; i++)
        for (size_t e = 0; e < summary->tracks[i].count; e++)
            count += summary->tracks[i].events[e].kind == LCAP_EVENT_BEGIN &&
                     summary->tracks[i].events[e].site == site->site;
    return count;
}

START_TEST(a_name_is_kept_as_it_stands_when_its_memory_is_gone)
{
    const struct ludus_recorder_config config = fixture_config("names.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    char *name = malloc(64);
    snprintf(name, 64, "f(a, LUDUS_PROFILE_CAT(b)) \xFF");
    {
        LUDUS_PROFILE_SCOPE_NAMED(name, "Lua, 5.4");
        memset(name, 'x', 63);
        free(name);
    }
    {
        LUDUS_PROFILE_SCOPE_NAMED(NULL);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    const struct lcap_site *site = summary_site(summary, "f(a, LUDUS_PROFILE_CAT(b)) \xFF");
    ck_assert_ptr_nonnull(site);
    ck_assert_uint_eq(site->file, 0);
    ck_assert_uint_eq(site->function, 0);
    ck_assert_uint_eq(site->line, 0);
    ck_assert_str_eq(summary_text(summary, summary->categories[site->category - 1].name),
                     "Lua, 5.4");
    ck_assert_uint_eq(only_track(summary)->begins, 2);
    ck_assert_uint_eq(only_track(summary)->ends, 2);
    ck_assert_uint_eq(begins_of(summary, "(unnamed)"), 1);
    summary_free(summary);
}
END_TEST

static const char *counting_name(int *calls)
{
    ++*calls;
    return "counted";
}

START_TEST(a_name_is_evaluated_while_recording_only_and_its_site_may_be_kept)
{
    int calls = 0;
    struct ludus_site *early = ludus_site_intern("early", NULL);
    ck_assert_ptr_eq(early, ludus_site_intern("early", ""));
    ck_assert_ptr_ne(early, ludus_site_intern("early", "c"));
    {
        LUDUS_PROFILE_SCOPE_NAMED(counting_name(&calls));
        ck_assert_int_eq(calls, 0);
    }
    for (int round = 1; round <= 2; round++) {
        char file[32];
        snprintf(file, sizeof file, "kept-%d.lcap", round);
        const struct ludus_recorder_config config = fixture_config(file);
        struct ludus_recorder_result result;
        fixture_start(&config);
        struct ludus_scope scope = ludus_scope_begin(early);
        {
            LUDUS_PROFILE_SCOPE_NAMED(counting_name(&calls));
        }
        ludus_scope_end(&scope);
        scope = ludus_scope_begin(NULL);
        ck_assert_uint_eq(scope.token, 0);
        struct summary *summary = fixture_stop_and_read(&result);
        ck_assert_int_eq(calls, round);
        ck_assert_uint_eq(begins_of(summary, "early"), 1);
        ck_assert_uint_eq(begins_of(summary, "counted"), 1);
        summary_free(summary);
    }
}
END_TEST

enum { THREADS = 4, NAMES = 3000 };

struct interning {
    pthread_t thread;
    struct ludus_site *sites[NAMES];
};

static void *intern_all(void *argument)
{
    struct interning *interning = argument;
    for (int i = 0; i < NAMES; i++) {
        char name[32];
        snprintf(name, sizeof name, "script function %d", i);
        interning->sites[i] = ludus_site_intern(name, "script");
        LUDUS_PROFILE_SCOPE_NAMED(name, "script");
    }
    return NULL;
}

START_TEST(threads_that_intern_at_once_get_the_same_sites)
{
    static struct interning internings[THREADS];
    struct ludus_recorder_config config = fixture_config("threads.lcap");
    struct ludus_recorder_result result;
    config.max_dynamic_names = 4096;
    config.max_sites = 16384;
    config.memory_bytes = 16u << 20;
    fixture_start(&config);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&internings[i].thread, NULL, intern_all, &internings[i]),
                         0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(internings[i].thread, NULL);
    struct summary *summary = fixture_stop_and_read(&result);
    for (int i = 0; i < NAMES; i++) {
        for (int t = 1; t < THREADS; t++)
            ck_assert_ptr_eq(internings[t].sites[i], internings[0].sites[i]);
        ck_assert(i == 0 || internings[0].sites[i] != internings[0].sites[i - 1]);
    }
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, (uint64_t)THREADS * NAMES);
    if (result.dropped.scopes == 0)
        ck_assert_uint_eq(begins_of(summary, "script function 2999"), THREADS);
    ck_assert_ptr_null(summary_diagnostic(summary, LCAP_DIAGNOSTIC_SITES_FULL));
    summary_free(summary);
}
END_TEST

/* After the test above, in the same process: there is room for 4,096 names, and not all is taken.
 */
START_TEST(names_beyond_the_bound_share_the_overflow_site_and_are_counted)
{
    enum { MORE = 5000 };
    const struct ludus_recorder_config config = fixture_config("full.lcap");
    struct ludus_recorder_result result;
    static char longest[300];
    memset(longest, 'n', sizeof longest - 1);
    fixture_start(&config);
    uint64_t refused = 0;
    for (int i = 0; i < MORE; i++) {
        char name[32];
        snprintf(name, sizeof name, "one more %d", i);
        struct ludus_site *site = ludus_site_intern(name, NULL);
        refused += strcmp(site->label, "ludus/overflow") == 0;
        struct ludus_scope scope = ludus_scope_begin(site);
        ludus_scope_end(&scope);
    }
    ck_assert_str_eq(ludus_site_intern(longest, NULL)->label, "ludus/overflow");
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_gt(refused, 0);
    ck_assert_uint_lt(refused, MORE);
    ck_assert_uint_eq(begins_of(summary, "ludus/overflow"), refused);
    ck_assert_uint_eq(result.recorded.scopes, MORE);
    ck_assert_uint_eq(summary_told(summary, LCAP_DIAGNOSTIC_SITES_FULL), refused + 1);
    ck_assert_uint_eq(summary_told(summary, LCAP_DIAGNOSTIC_NAMES_CUT), 1);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dynamic names");
    TCase *cases = tcase_create("dynamic names");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, a_name_is_evaluated_while_recording_only_and_its_site_may_be_kept);
    tcase_add_test(cases, a_name_is_kept_as_it_stands_when_its_memory_is_gone);
    tcase_add_test(cases, threads_that_intern_at_once_get_the_same_sites);
    tcase_add_test(cases, names_beyond_the_bound_share_the_overflow_site_and_are_counted);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
