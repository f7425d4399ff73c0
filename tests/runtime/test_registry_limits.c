/* What happens at the registry's limits: names that are too long, and more sites, categories and
 * domains than there is room for. Whatever is left out is told. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_fixture.h"

/* How often an oddity was told whose text contains `word`. */
static uint64_t told(const struct summary *summary, uint32_t code, const char *word)
{
    uint64_t count = 0;
    for (size_t i = 0; i < summary->diagnostic_count; i++) {
        const struct lcap_diagnostic *diagnostic = &summary->diagnostics[i];
        if (diagnostic->code == code && strstr((const char *)diagnostic->text.data, word) != NULL)
            count += diagnostic->count;
    }
    return count;
}

/* 70,000 bytes, of which the recorder keeps 65,536. */
static char *long_text(char first)
{
    char *text = malloc(70001);
    ck_assert_ptr_nonnull(text);
    memset(text, first, 70000);
    text[70000] = '\0';
    return text;
}

START_TEST(very_long_names_are_kept_or_cut_between_characters)
{
    static char fitting[65536 + 1];
    static char too_long[70000];
    static struct ludus_site fits = {fitting, "long.c", "f", 1, 0, 0, 0};
    static struct ludus_site is_cut = {too_long, "long.c", "f", 2, 0, 0, 0};
    memset(fitting, 'n', sizeof fitting - 1);
    /* Byte 65,536 lies in the middle of a two-byte character. */
    too_long[0] = 'x';
    for (size_t i = 1; i + 2 < sizeof too_long; i += 2)
        memcpy(too_long + i, "\xC3\xA4", 2);
    struct ludus_recorder_config config = fixture_config("long.lcap");
    config.max_sites = 2048;
    struct ludus_recorder_result result;
    fixture_start(&config);
    ludus_instant(&fits);
    ludus_instant(&is_cut);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(strlen(summary_text(summary, summary->sites[fits.id - 1].name)), 65536);
    ck_assert_uint_eq(strlen(summary_text(summary, summary->sites[is_cut.id - 1].name)), 65535);
    ck_assert_uint_eq(summary_diagnostic(summary, LCAP_DIAGNOSTIC_NAMES_CUT)->count, 1);
    summary_free(summary);
}
END_TEST

START_TEST(every_sort_of_name_that_is_cut_is_told)
{
    struct ludus_recorder_config config = fixture_config("cut.lcap");
    struct ludus_recorder_result result;
    char *file = long_text('f');
    char *function = long_text('u');
    char *domain_name = long_text('d');
    char category[70100];
    snprintf(category, sizeof category, "name, LUDUS_PROFILE_CAT(%s)", file);
    struct ludus_site sites[] = {{"long file", file, "f", 1, 0, 0, 0},
                                 {"long function", "a.c", function, 2, 0, 0, 0},
                                 {category, "a.c", "f", 3, 0, 0, 0}};
    struct ludus_domain domain = {domain_name, 0};
    config.max_sites = 4096;
    fixture_start(&config);
    for (size_t i = 0; i < sizeof sites / sizeof sites[0]; i++)
        ludus_instant(&sites[i]);
    ludus_frame(&domain);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(told(summary, LCAP_DIAGNOSTIC_NAMES_CUT, "longer"), 4 + 1 /* before */);
    ck_assert_uint_eq(result.recorded.instants, 3);
    ck_assert_uint_eq(strlen(summary_text(summary, summary->domains[0].name)), 65536);
    summary_free(summary);
    free(file);
    free(function);
    free(domain_name);
}
END_TEST

#define CATEGORIES 1030

START_TEST(sites_beyond_the_last_category_are_kept_without_and_told)
{
    static char labels[CATEGORIES][48];
    static struct ludus_site sites[CATEGORIES];
    const struct ludus_recorder_config config = fixture_config("categories.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    for (unsigned i = 0; i < CATEGORIES; i++) {
        snprintf(labels[i], sizeof labels[i], "site, LUDUS_PROFILE_CAT(category %u)", i);
        sites[i] = (struct ludus_site){labels[i], "c.c", "f", i + 1, 0, 0, 0};
        ludus_instant(&sites[i]);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    uint64_t without = 0;
    for (size_t i = 0; i < summary->site_count; i++) {
        const char *name = summary_text(summary, summary->sites[i].name);
        without += strcmp(name, "site") == 0 && summary->sites[i].category == 0;
    }
    ck_assert_uint_eq(summary->category_count, 1024);
    /* One category is left of the test before. */
    ck_assert_uint_eq(without, CATEGORIES - 1023);
    ck_assert_uint_eq(told(summary, LCAP_DIAGNOSTIC_SITES_FULL, "category"), without);
    summary_free(summary);
}
END_TEST

#define DOMAINS 70

START_TEST(marks_beyond_the_last_domain_are_lost_and_told)
{
    static char names[DOMAINS][16];
    static struct ludus_domain domains[DOMAINS];
    const struct ludus_recorder_config config = fixture_config("domains.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    for (unsigned i = 0; i < DOMAINS; i++) {
        snprintf(names[i], sizeof names[i], "domain %u", i);
        domains[i] = (struct ludus_domain){names[i], 0};
        ludus_frame(&domains[i]);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.frames, 63); /* and one of the test before */
    ck_assert_uint_eq(result.dropped.frames, DOMAINS - 63);
    ck_assert_uint_eq(told(summary, LCAP_DIAGNOSTIC_SITES_FULL, "domain"), DOMAINS - 63);
    summary_free(summary);
}
END_TEST

/* Last, as it fills the registry of the process. */
START_TEST(a_full_registry_keeps_events_under_the_overflow_site)
{
    static struct ludus_site sites[5000];
    const struct ludus_recorder_config config = fixture_config("overflow.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    for (uint32_t i = 0; i < 5000; i++) {
        sites[i] = (struct ludus_site){"many", "many.c", "f", i + 1, 0, 0, 0};
        ludus_instant(&sites[i]);
        ludus_instant(&sites[i]);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.instants + result.dropped.instants, 10000);
    ck_assert_uint_eq(result.dropped.instants, 0);
    uint64_t overflown = 0;
    for (size_t i = 0; i < summary->tracks[0].count; i++) {
        const uint32_t site = summary->tracks[0].events[i].site;
        overflown +=
            strcmp(summary_text(summary, summary->sites[site - 1].name), "ludus/overflow") == 0;
    }
    ck_assert_uint_gt(overflown, 0);
    const uint64_t refused = told(summary, LCAP_DIAGNOSTIC_SITES_FULL, "max_sites");
    ck_assert_uint_eq(refused, overflown / 2);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("registry limits");
    TCase *cases = tcase_create("registry limits");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    /* In this order, for the registry is the process's and never forgets. */
    tcase_add_test(cases, very_long_names_are_kept_or_cut_between_characters);
    tcase_add_test(cases, every_sort_of_name_that_is_cut_is_told);
    tcase_add_test(cases, sites_beyond_the_last_category_are_kept_without_and_told);
    tcase_add_test(cases, marks_beyond_the_last_domain_are_lost_and_told);
    tcase_add_test(cases, a_full_registry_keeps_events_under_the_overflow_site);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
