/* Files that are no configurations, and such as are large. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diff_config.h"

static void expect_refused(const char *path, enum ludus_status status, const char *message)
{
    struct trace_diff_config *config;
    struct ludus_error error = {0};
    char wanted[LUDUS_ERROR_MESSAGE_SIZE];
    (void)snprintf(wanted, sizeof wanted, "%s: %s", path, message);
    ck_assert_int_eq(trace_diff_config_read(path, &config, &error), status);
    ck_assert_ptr_null(config);
    ck_assert_str_eq(error.message, wanted);
}

START_TEST(what_is_no_file_is_refused)
{
    expect_refused("/nowhere/gate.json", LUDUS_ERROR_OPEN,
                   "cannot be opened (No such file or directory); check the name");
    expect_refused("/", LUDUS_ERROR_OPEN, "is a folder; name a file of JSON");
}
END_TEST

START_TEST(the_largest_file_is_read_and_a_larger_one_is_not)
{
    char path[] = "/tmp/diff_config_XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    struct trace_diff_config *config;
    struct ludus_error error = {0};
    ck_assert_ptr_nonnull(file);
    (void)fprintf(file, "{\n%*s\n", 1048576 - 4, "}");
    ck_assert_int_eq(fclose(file), 0);
    struct stat facts;
    ck_assert_int_eq(stat(path, &facts), 0);
    ck_assert_int_eq(facts.st_size, 1048576 - 1);
    ck_assert_int_eq(trace_diff_config_read(path, &config, &error), LUDUS_OK);
    trace_diff_config_destroy(config);
    ck_assert_int_eq(truncate(path, 1048577), 0);
    expect_refused(path, LUDUS_ERROR_FORMAT,
                   "is larger than 1048576 bytes, which no configuration is; check the name");
    unlink(path);
}
END_TEST

/* The lines of entries are found in one pass, and not in one for each. */
START_TEST(many_names_are_found_with_their_lines)
{
    char path[] = "/tmp/diff_config_XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    struct trace_diff_config *config;
    struct ludus_error error = {0};
    ck_assert_ptr_nonnull(file);
    (void)fputs("{\"scopes\": {", file);
    for (unsigned i = 0; i < 80000; i++)
        (void)fprintf(file, "%s\"%x\":{}", i == 0 ? "\n" : ",\n", i);
    (void)fputs("}}\n", file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_msg(trace_diff_config_read(path, &config, &error) == LUDUS_OK, "%s", error.message);
    const struct trace_limit_list *list = &config->lists[TRACE_LIMITS_OF_SCOPES];
    ck_assert_uint_eq(list->count, 80000);
    ck_assert_str_eq(list->items[79999].name, "1387f");
    ck_assert_uint_eq(list->items[79999].line, 80001);
    trace_diff_config_destroy(config);
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("config text");
    TCase *tests = tcase_create("config text");
    tcase_add_test(tests, what_is_no_file_is_refused);
    tcase_add_test(tests, the_largest_file_is_read_and_a_larger_one_is_not);
    tcase_add_test(tests, many_names_are_found_with_their_lines);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
