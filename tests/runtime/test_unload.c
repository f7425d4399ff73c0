/* A library may be unloaded while what it recorded is still on its way: its names are in the
 * capture, and however often it is loaded, its places are the same sites. */
#include <check.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_fixture.h"

#define LOADS 3

static void load_call_unload(void)
{
    void (*update)(void) = NULL;
    void *library = dlopen(TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    void *symbol = dlsym(library, "plugin_update");
    ck_assert_ptr_nonnull(symbol);
    memcpy(&update, &symbol, sizeof update);
    update();
    ck_assert_int_eq(dlclose(library), 0);
    /* Its memory is gone, or this test would prove nothing. */
    ck_assert_ptr_null(dlopen(TEST_PLUGIN, RTLD_NOW | RTLD_NOLOAD));
}

static unsigned sites_named(const struct summary *summary, const char *name)
{
    unsigned count = 0;
    for (size_t i = 0; i < summary->site_count; i++)
        count += strcmp(summary_text(summary, summary->sites[i].name), name) == 0;
    return count;
}

START_TEST(an_unloaded_librarys_names_resolve_and_its_sites_are_one_each)
{
    struct ludus_recorder_config config = fixture_config("unload.lcap");
    struct ludus_recorder_result result;
    config.flush_interval_ms = 60000; /* all is written after the library has gone */
    fixture_start(&config);
    for (int i = 0; i < LOADS; i++)
        load_call_unload();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes, LOADS);
    ck_assert_uint_eq(result.recorded.instants, LOADS);
    ck_assert_uint_eq(result.recorded.frames, LOADS);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_eq(result.recorded.gauges, LOADS);
    ck_assert_uint_eq(result.recorded.flows, 2 * LOADS);
    ck_assert_int_eq(summary_gain(summary, "Plugin/Calls", 0, UINT64_MAX), 2 * LOADS);
    ck_assert_uint_eq(sites_named(summary, "Plugin/Calls"), 1);
    ck_assert_uint_eq(sites_named(summary, "Plugin/Update"), 1);
    ck_assert_uint_eq(sites_named(summary, "Plugin/Mark"), 1);
    const struct lcap_site *site = summary_site(summary, "Plugin/Update");
    ck_assert_str_eq(summary_text(summary, site->function), "plugin_update");
    ck_assert_ptr_nonnull(strstr(summary_text(summary, site->file), "unload_plugin.c"));
    ck_assert_uint_eq(summary->domain_count, 1);
    ck_assert_str_eq(summary_text(summary, summary->domains[0].name), "Plugin");
    ck_assert_uint_eq(summary->diagnostic_count, 0);
    summary_free(summary);
}
END_TEST

START_TEST(a_library_that_is_loaded_in_the_next_recording_has_the_same_sites)
{
    const struct ludus_recorder_config config = fixture_config("unload2.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    load_call_unload();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.recorded.scopes, 1);
    ck_assert_int_eq(summary_gain(summary, "Plugin/Calls", 0, UINT64_MAX), 2);
    ck_assert_uint_eq(sites_named(summary, "Plugin/Update"), 1);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unload");
    TCase *cases = tcase_create("unload");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, an_unloaded_librarys_names_resolve_and_its_sites_are_one_each);
    tcase_add_test(cases, a_library_that_is_loaded_in_the_next_recording_has_the_same_sites);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
