/* Names of all kinds in an export: escaped without loss, and counted where bytes are replaced. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "export_fixture.h"
#include "golden_fixture.h"

#define NAMED 8u /* behind the sites of golden_setup */

static struct lcap_bytes bytes_of(const char *text)
{
    return (struct lcap_bytes){(const uint8_t *)text, strlen(text)};
}

/* One scope of a site with the name, in a category of that name; returns the name as it is read. */
static void assert_name(struct lcap_bytes name, struct lcap_bytes read, json_int_t replaced)
{
    struct builder_setup setup = golden_setup;
    struct capture_builder *builder;
    struct chrome_trace trace;

    setup.more_sites = 1;
    builder = builder_create(&setup);
    builder_category(builder, 1, name);
    builder_site(builder, NAMED, name, 1);
    for (unsigned i = 0; i < 3; i++) { /* kept texts are used again */
        builder_event(builder, 1, LCAP_EVENT_BEGIN, 2000 + 10 * i, NAMED);
        builder_event(builder, 1, LCAP_EVENT_END, 2005 + 10 * i, 0);
    }
    builder_event(builder, 1, LCAP_EVENT_INSTANT, 3000, NAMED);
    builder_stop(builder, 4000);
    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert_uint_eq(trace.slice_count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(json_string_length(trace.slices[i].name), read.size);
        ck_assert_mem_eq(json_string_value(trace.slices[i].name), read.data, read.size);
        ck_assert(json_equal(trace.slices[i].name, trace.slices[i].category));
    }
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "names_replaced")), replaced);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}

START_TEST(names_come_back_byte_for_byte)
{
    static const char *const names[] = {
        "a \"quoted\" name",
        "C:\\game\\file.c",
        "two\nlines\r\tand a tab",
        "\",\"ph\":\"E\",\"ts\":1.000},\n{\"ph\":\"M\",\"tid\":",
        "\x01\x02\x1f\x7f\x1b[31m",
        "</script><!--",
        "gr\xc3\xbc\xc3\x9f\xe2\x82\xac \xf0\x9f\x8e\xae \xe2\x80\xa8",
        "\\u0041 \\",
        "x",
    };

    for (size_t i = 0; i < COUNT(names); i++)
        assert_name(bytes_of(names[i]), bytes_of(names[i]), 0);
    assert_name((struct lcap_bytes){(const uint8_t *)"a\0b", 3},
                (struct lcap_bytes){(const uint8_t *)"a\0b", 3}, 0);
    assert_name(bytes_of(""), bytes_of(""), 0);
}
END_TEST

START_TEST(names_around_and_far_above_the_kept_size_come_back)
{
    static const size_t sizes[] = {79, 80, 81, 159, 160, 161, 65535, 65536};
    uint8_t *name = malloc(65536);

    ck_assert_ptr_nonnull(name);
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (unsigned kind = 0; kind < 2; kind++) {
            memset(name, kind == 0 ? '\x03' : 'n', sizes[i]); /* six bytes each when escaped */
            assert_name((struct lcap_bytes){name, sizes[i]}, (struct lcap_bytes){name, sizes[i]},
                        0);
        }
    free(name);
}
END_TEST

START_TEST(bytes_that_are_not_utf8_are_replaced_and_their_names_counted)
{
    /* The name is counted in its site and in its category. */
    assert_name(bytes_of("a\xffz"), bytes_of("a\xef\xbf\xbdz"), 2);
    assert_name(bytes_of("\xe2\x82"), bytes_of("\xef\xbf\xbd"), 2);
    assert_name(bytes_of("\xc0\xaf\"\xed\xa0\x80"),
                bytes_of("\xef\xbf\xbd\xef\xbf\xbd\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"), 2);
}
END_TEST

START_TEST(names_of_tracks_frames_and_programs_are_escaped)
{
    static const struct lcap_fact odd = {{(const uint8_t *)"program", 7},
                                         {(const uint8_t *)"/a\"b/c\\d\n\xff", 10}};
    struct builder_setup setup = golden_setup;
    struct capture_builder *builder;
    struct chrome_trace trace;

    setup.facts = &odd;
    setup.fact_count = 1;
    builder = builder_create(&setup);
    golden_add_track(builder, 1, 7, 0, 0, "w\"\\\n\xff");
    builder_domain(builder, 1, "d\"\\\n");
    builder_frame(builder, 1, 1, 2000);
    builder_finish(builder);
    export_builder(builder, &trace);
    ck_assert_str_eq(chrome_trace_thread_name(&trace, 1), "w\"\\\n\xef\xbf\xbd");
    ck_assert_str_eq(chrome_trace_thread_name(&trace, 2), "Frames: d\"\\\n");
    ck_assert_int_eq(json_integer_value(chrome_trace_other(&trace, "names_replaced")), 2);
    chrome_trace_clear(&trace);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfetto names");
    TCase *cases = tcase_create("perfetto names");
    tcase_add_checked_fixture(cases, export_folder_make, export_folder_remove);
    tcase_add_test(cases, names_come_back_byte_for_byte);
    tcase_add_test(cases, names_around_and_far_above_the_kept_size_come_back);
    tcase_add_test(cases, bytes_that_are_not_utf8_are_replaced_and_their_names_counted);
    tcase_add_test(cases, names_of_tracks_frames_and_programs_are_escaped);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
