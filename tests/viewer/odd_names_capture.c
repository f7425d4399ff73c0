/* Writes a capture whose tracks and scopes have names that break what does not escape them:
 * odd_names_capture FILE. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_builder.h"

static const char *const names[] = {
    "a \"quoted\" name",
    "C:\\game\\file.c\\",
    "two\nlines\r\tand a tab",
    "\",\"ph\":\"E\",\"ts\":1.000},\n{\"ph\":\"M\",\"tid\":",
    "broken \xff\xc0\xaf utf-8 \xe2\x82",
    "\x01\x1f\x7f\x1b[31m",
    "</script><b>&amp;",
    "gr\xc3\xbc\xc3\x9f\xe2\x82\xac \xf0\x9f\x8e\xae \xe2\x80\xa8",
    "\\u0041 \\\" %s {0}",
    "__proto__",
};
#define NAMES ((uint32_t)(sizeof names / sizeof *names))

static const char *path;

static void write_file(struct lcap_bytes bytes)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(write_capture)
{
    const struct builder_setup setup = {.clock = {.ticks_per_second = 1000000000,
                                                  .step = 1,
                                                  .clock = 1,
                                                  .source = LCAP_CLOCK_MONOTONIC},
                                        .more_sites = NAMES,
                                        .start_tick = 1000};
    struct capture_builder *builder = builder_create(&setup);

    for (uint32_t i = 0; i < NAMES; i++)
        builder_site(builder, i + 1,
                     (struct lcap_bytes){(const uint8_t *)names[i], strlen(names[i])}, 0);
    for (uint32_t track = 1; track <= 3; track++) {
        builder_track(
            builder,
            &(struct lcap_track){
                .os_id = track, .begin_tick = 1000, .track = track, .kind = LCAP_TRACK_THREAD},
            names[track - 1]);
        for (uint32_t i = 0; i < NAMES; i++) /* each in the one before */
            builder_event(builder, track, LCAP_EVENT_BEGIN, 2000 + 100 * i, i + 1);
        for (uint32_t i = 0; i < NAMES; i++)
            builder_event(builder, track, LCAP_EVENT_END, 4000 + 100 * i, 0);
    }
    builder_stop(builder, 9000);
    builder_finish(builder);
    write_file(builder_bytes(builder));
    builder_destroy(builder);
}
END_TEST

/* What builds captures fails as a test does, and needs one around it. */
int main(int argc, char **argv)
{
    Suite *suite = suite_create("odd_names_capture");
    TCase *tests = tcase_create("odd_names_capture");
    SRunner *runner = srunner_create(suite);
    int failed;

    if (argc != 2) {
        fprintf(stderr, "usage: odd_names_capture FILE\n");
        return 2;
    }
    path = argv[1];
    tcase_add_test(tests, write_capture);
    suite_add_tcase(suite, tests);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
