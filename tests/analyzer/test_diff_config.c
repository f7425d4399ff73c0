/* What a comparison's configuration says of a name, with a file and without one. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_config.h"

static struct trace_diff_config *read_valid(const char *name)
{
    static char path[512]; /* belongs to the configuration until the next one is read */
    struct trace_diff_config *config;
    struct ludus_error error = {0};
    (void)snprintf(path, sizeof path, TEST_CONFIG_DIR "/valid/%s.json", name);
    ck_assert_msg(trace_diff_config_read(path, &config, &error) == LUDUS_OK, "%s", error.message);
    ck_assert_str_eq(config->path, path);
    return config;
}

static struct trace_text text_of(const char *text)
{
    return (struct trace_text){text, strlen(text)};
}

static struct trace_limits limits_of(const struct trace_diff_config *config, const char *name,
                                     const char *category)
{
    struct trace_limits limits;
    ck_assert(trace_diff_config_limits(config, text_of(name), text_of(category), &limits));
    return limits;
}

static struct trace_limits other_limits(const struct trace_diff_config *config,
                                        enum trace_limit_kind kind, const char *name)
{
    struct trace_limits limits;
    ck_assert(trace_diff_config_limits_of(config, kind, text_of(name), &limits));
    return limits;
}

static void expect_default_limits(const struct trace_limits *limits)
{
    ck_assert_double_eq(limits->relative, 0.03);
    ck_assert_double_nan(limits->absolute_ns);
    ck_assert_double_eq(limits->absolute_of_frame, 0.001);
    ck_assert_uint_eq(limits->min_calls, 20);
    ck_assert(!limits->is_ignored);
    ck_assert_double_nan(limits->budget_ns);
    ck_assert_double_nan(limits->budget_inclusive_ns);
    ck_assert_double_nan(limits->budget_calls);
    ck_assert_double_nan(limits->budget_value);
}

static void expect_defaults(const struct trace_diff_config *config)
{
    expect_default_limits(&config->limits);
    ck_assert_double_eq(config->frame.relative, 0.02);
    ck_assert_double_eq(config->frame.more_hitches_per_1000, 1);
    ck_assert_uint_eq(config->frame.more_hitches, 3);
    ck_assert_double_nan(config->frame.hitch_ns);
    ck_assert_double_nan(config->frame.budget_p50_ns);
    ck_assert_double_nan(config->frame.budget_p95_ns);
    ck_assert_double_nan(config->frame.budget_p99_ns);
    ck_assert_double_nan(config->frame.budget_max_ns);
    ck_assert_double_nan(config->frame.budget_hitches_per_1000);
    ck_assert_double_eq(config->level, 0.02);
    ck_assert_double_eq(config->max_loss, 0.001);
    ck_assert_uint_eq(config->min_frames, 100);
    ck_assert_uint_eq(config->fail_on, TRACE_FAIL_ON_REGRESSION | TRACE_FAIL_ON_BUDGET);
    ck_assert_ptr_null(config->window);
    ck_assert_ptr_null(config->domain);
}

START_TEST(without_a_file_and_with_an_empty_one_the_defaults_hold)
{
    struct trace_diff_config config, *empty = read_valid("empty");
    struct trace_limits limits = limits_of(NULL, "A", "wait");
    trace_diff_config_set_default(&config);
    expect_defaults(&config);
    expect_defaults(empty);
    expect_default_limits(&limits);
    limits = other_limits(NULL, TRACE_LIMITS_OF_GPU, "A");
    expect_default_limits(&limits);
    limits = limits_of(empty, "A", "wait");
    expect_default_limits(&limits);
    trace_diff_config_destroy(empty);
    trace_diff_config_destroy(NULL);
}
END_TEST

START_TEST(every_key_of_the_root_and_of_frames_is_read)
{
    struct trace_diff_config *config = read_valid("all-keys");
    ck_assert_double_eq(config->limits.relative, 0.05);
    ck_assert_double_nan(config->limits.absolute_ns);
    ck_assert_double_eq(config->limits.absolute_of_frame, 0.002);
    ck_assert_uint_eq(config->limits.min_calls, 30);
    ck_assert_double_eq(config->level, 0.01);
    ck_assert_double_eq(config->max_loss, 0.005);
    ck_assert_uint_eq(config->min_frames, 200);
    ck_assert_uint_eq(config->fail_on, 31);
    ck_assert_str_eq(config->window, "play=frames:100..2000");
    ck_assert_str_eq(config->domain, "Render");
    ck_assert_double_eq(config->frame.relative, 0.025);
    ck_assert_double_eq(config->frame.more_hitches_per_1000, 0.5);
    ck_assert_uint_eq(config->frame.more_hitches, 4);
    ck_assert_double_eq(config->frame.hitch_ns, 33.4e6);
    ck_assert_double_eq(config->frame.budget_p50_ns, 16.6e6);
    ck_assert_double_eq(config->frame.budget_p95_ns, 17e6);
    ck_assert_double_eq(config->frame.budget_p99_ns, 20e6);
    ck_assert_double_eq(config->frame.budget_max_ns, 50e6);
    ck_assert_double_eq(config->frame.budget_hitches_per_1000, 2);
    trace_diff_config_destroy(config);
}
END_TEST

START_TEST(every_key_of_a_name_is_read)
{
    struct trace_diff_config *config = read_valid("all-keys");
    struct trace_limits scope = limits_of(config, "Physics/Step", "");
    struct trace_limits category = limits_of(config, "Sleep", "wait");
    struct trace_limits pass = other_limits(config, TRACE_LIMITS_OF_GPU, "Shadow");
    struct trace_limits counter = other_limits(config, TRACE_LIMITS_OF_COUNTERS, "draw calls");
    ck_assert_double_eq(scope.relative, 0.1);
    ck_assert_double_eq(scope.absolute_ns, 50000);
    ck_assert_uint_eq(scope.min_calls, 100);
    ck_assert_double_eq(scope.budget_inclusive_ns, 2e6);
    ck_assert_double_eq(scope.budget_ns, 1.5e6);
    ck_assert_double_eq(scope.budget_calls, 3);
    ck_assert(category.is_ignored);
    ck_assert_double_eq(category.relative, 0.2);
    ck_assert_double_eq(category.absolute_of_frame, 0.02);
    ck_assert_uint_eq(category.min_calls, 10);
    ck_assert_double_eq(pass.relative, 0.08);
    ck_assert_double_eq(pass.absolute_ns, 1e5);
    ck_assert_uint_eq(pass.min_calls, 40);
    ck_assert_double_eq(pass.budget_inclusive_ns, 1e6);
    ck_assert_double_eq(counter.budget_value, 2000);
    trace_diff_config_destroy(config);
}
END_TEST

/* Names win over patterns, the first pattern over others, names over categories, those over what is
 * general: each key by itself. */
START_TEST(the_most_exact_that_gives_a_key_decides_it)
{
    struct trace_diff_config *config = read_valid("patterns");
    struct trace_limits limits = limits_of(config, "Physics/Step", "physics");
    ck_assert_double_eq(limits.budget_inclusive_ns, 2e6); /* its own */
    ck_assert_double_eq(limits.relative, 0.1);            /* Physics/ *, which comes first */
    ck_assert_uint_eq(limits.min_calls, 50);              /* * /Step, before the category */
    ck_assert_double_eq(limits.budget_calls, 2);
    ck_assert_double_nan(limits.absolute_ns); /* the category's part of the frame, in place of */
    ck_assert_double_eq(limits.absolute_of_frame, 0.01); /* the general time */
    limits = limits_of(config, "Solve", "physics");
    ck_assert_uint_eq(limits.min_calls, 60);    /* the name before p* */
    ck_assert_double_eq(limits.relative, 0.12); /* which alone has it */
    ck_assert_double_nan(limits.budget_inclusive_ns);
    limits = limits_of(config, "Solve", "");
    ck_assert_double_eq(limits.relative, 0.04);
    ck_assert_double_eq(limits.absolute_ns, 250000);
    ck_assert_uint_eq(limits.min_calls, 20);
    trace_diff_config_destroy(config);
}
END_TEST

START_TEST(a_name_with_a_star_is_first_a_name)
{
    struct trace_diff_config *config = read_valid("patterns");
    ck_assert_uint_eq(limits_of(config, "a*b", "").min_calls, 9);
    ck_assert_uint_eq(limits_of(config, "a??b", "").min_calls, 8);
    ck_assert_uint_eq(limits_of(config, "axyb", "").min_calls, 9); /* a*b comes first */
    ck_assert_uint_eq(limits_of(config, "axy", "").min_calls, 20);
    trace_diff_config_destroy(config);
}
END_TEST

START_TEST(lists_do_not_share_names)
{
    struct trace_diff_config *config = read_valid("all-keys");
    struct trace_limits limits = limits_of(config, "Shadow", "draw calls");
    ck_assert_double_nan(limits.budget_inclusive_ns);
    ck_assert_double_eq(limits.relative, 0.05);
    limits = other_limits(config, TRACE_LIMITS_OF_COUNTERS, "Physics/Step");
    ck_assert_double_nan(limits.budget_inclusive_ns);
    limits = other_limits(config, TRACE_LIMITS_OF_GPU, "Main");
    ck_assert_double_eq(limits.absolute_of_frame, 0.03);
    trace_diff_config_destroy(config);
}
END_TEST

START_TEST(names_are_what_json_says_they_are)
{
    static const char *const names[] = {"a \"quoted\" {name}, [with] brackets",
                                        "back\\slash",
                                        "Physics/Step",
                                        "Übung 😀",
                                        "",
                                        "a\nb"};
    struct trace_diff_config *config = read_valid("escaped-names");
    const struct trace_limit_list *list = &config->lists[TRACE_LIMITS_OF_SCOPES];
    ck_assert_uint_eq(list->count, 6);
    for (uint32_t i = 0; i < list->count; i++) {
        ck_assert_str_eq(list->items[i].name, names[i]);
        ck_assert_uint_eq(list->items[i].line, 3 + i);
        ck_assert_uint_eq(limits_of(config, names[i], "").min_calls, i + 1);
        ck_assert(!trace_limits_have_budget(&list->items[i].limits));
    }
    trace_diff_config_destroy(config);
}
END_TEST

/* "list line name" of each. */
static void expect_unused(const struct trace_diff_config *config, const char *wanted)
{
    static const char *const kinds[] = {"scopes", "categories", "gpu", "counters"};
    char found[512] = "";
    enum trace_limit_kind kind;
    uint32_t index = 0;
    const struct trace_limit_entry *entry;
    while ((entry = trace_diff_config_next_unused(config, &index, &kind)) != NULL) {
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s %u %s\n", kinds[kind], entry->line,
                       entry->name);
    }
    ck_assert_str_eq(found, wanted);
}

START_TEST(names_that_nothing_has_are_found_out)
{
    struct trace_diff_config *config = read_valid("all-keys");
    expect_unused(config, "scopes 24 Physics/Step\nscopes 33 Debug/*\ncategories 36 wait\n"
                          "categories 42 io\ngpu 45 Shadow\ngpu 52 *\ncounters 55 draw calls\n");
    limits_of(config, "Debug/Draw", "io");
    other_limits(config, TRACE_LIMITS_OF_GPU, "Shadow");
    expect_unused(config, "scopes 24 Physics/Step\ncategories 36 wait\ncounters 55 draw calls\n");
    limits_of(config, "Physics/Step", "wait");
    other_limits(config, TRACE_LIMITS_OF_COUNTERS, "draw calls");
    expect_unused(config, "");
    for (uint32_t kind = 0; kind < TRACE_LIMIT_KINDS; kind++)
        ck_assert_int_eq(trace_limits_have_budget(&config->lists[kind].items[0].limits),
                         kind != TRACE_LIMITS_OF_CATEGORIES);
    trace_diff_config_destroy(config);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("diff config");
    TCase *tests = tcase_create("diff config");
    tcase_add_test(tests, without_a_file_and_with_an_empty_one_the_defaults_hold);
    tcase_add_test(tests, every_key_of_the_root_and_of_frames_is_read);
    tcase_add_test(tests, every_key_of_a_name_is_read);
    tcase_add_test(tests, the_most_exact_that_gives_a_key_decides_it);
    tcase_add_test(tests, a_name_with_a_star_is_first_a_name);
    tcase_add_test(tests, lists_do_not_share_names);
    tcase_add_test(tests, names_are_what_json_says_they_are);
    tcase_add_test(tests, names_that_nothing_has_are_found_out);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
