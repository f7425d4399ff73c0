/* What makes scopes of different runs the same one. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_stream.h"
#include "scope_keys.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct trace_text text(const char *string)
{
    return (struct trace_text){string, strlen(string)};
}

static struct trace_scope_keys create(void)
{
    struct trace_scope_keys keys;
    ck_assert(trace_scope_keys_create(&keys));
    return keys;
}

static uint32_t put_below(struct trace_scope_keys *keys, uint32_t parent, const char *name,
                          const char *file, const char *category)
{
    struct trace_scope_key key = {
        .name = text(name), .file = text(file), .category = text(category), .parent = parent};
    uint32_t index = trace_scope_keys_put(keys, &key);
    ck_assert_uint_ne(index, TRACE_NONE);
    return index;
}

static uint32_t put(struct trace_scope_keys *keys, const char *name, const char *file,
                    const char *category)
{
    return put_below(keys, TRACE_NONE, name, file, category);
}

START_TEST(a_name_in_another_file_or_category_is_another_scope)
{
    struct trace_scope_keys keys = create();
    uint32_t step = put(&keys, "Step", "a.c", "Sim");
    ck_assert_uint_eq(put(&keys, "Step", "a.c", "Sim"), step);
    ck_assert_uint_ne(put(&keys, "Step", "b.c", "Sim"), step);
    ck_assert_uint_ne(put(&keys, "Step", "a.c", "Render"), step);
    ck_assert_uint_ne(put(&keys, "Step", "a.c", ""), step);
    ck_assert_uint_ne(put(&keys, "step", "a.c", "Sim"), step);
    ck_assert_uint_eq(keys.count, 5);
    trace_scope_keys_destroy(&keys);
}
END_TEST

START_TEST(where_a_text_ends_matters)
{
    static const char *const texts[][3] = {
        {"ab", "c", ""}, {"a", "bc", ""}, {"abc", "", ""}, {"", "abc", ""}, {"", "", "abc"},
        {"a", "b", "c"}, {"", "ab", "c"}, {"a", "", "bc"}, {"", "", ""},
    };
    struct trace_scope_keys keys = create();
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT(texts); i++)
            ck_assert_uint_eq(put(&keys, texts[i][0], texts[i][1], texts[i][2]), i);
    trace_scope_keys_destroy(&keys);
}
END_TEST

/* Names are of any bytes, zeros as well. */
START_TEST(a_zero_ends_no_name)
{
    struct trace_scope_keys keys = create();
    struct trace_scope_key key = {.name = {"a\0b", 3}, .parent = TRACE_NONE};
    uint32_t first = trace_scope_keys_put(&keys, &key);
    key.name = (struct trace_text){"a\0c", 3};
    ck_assert_uint_ne(trace_scope_keys_put(&keys, &key), first);
    key.name = (struct trace_text){"a\0b", 3};
    ck_assert_uint_eq(trace_scope_keys_put(&keys, &key), first);
    trace_scope_keys_destroy(&keys);
}
END_TEST

START_TEST(callers_tell_scopes_apart)
{
    struct trace_scope_keys keys = create();
    uint32_t update = put(&keys, "Update", "a.c", ""), draw = put(&keys, "Draw", "a.c", "");
    uint32_t below_update = put_below(&keys, update, "Sort", "a.c", "");
    uint32_t below_draw = put_below(&keys, draw, "Sort", "a.c", "");
    uint32_t alone = put(&keys, "Sort", "a.c", "");
    uint32_t deeper = put_below(&keys, below_update, "Sort", "a.c", "");
    ck_assert(below_update != below_draw && below_update != alone && below_draw != alone);
    ck_assert(deeper != below_update);
    ck_assert_uint_eq(put_below(&keys, draw, "Sort", "a.c", ""), below_draw);
    ck_assert_uint_eq(keys.items[deeper].parent, below_update);
    trace_scope_keys_destroy(&keys);
}
END_TEST

START_TEST(texts_outlive_the_capture_they_came_from)
{
    struct trace_scope_keys keys = create();
    char name[] = "Name", file[] = "file.c";
    uint32_t index = put(&keys, name, file, "");
    memset(name, 'x', sizeof name - 1);
    memset(file, 'y', sizeof file - 1);
    ck_assert(trace_text_equals(keys.items[index].name, text("Name")));
    ck_assert(trace_text_equals(keys.items[index].file, text("file.c")));
    trace_scope_keys_destroy(&keys);
}
END_TEST

/* With few letters, so that most keys are asked for again, and the table grows many times. */
START_TEST(many_keys_are_numbered_as_they_come)
{
    enum { KINDS = 20000 };
    struct trace_scope_keys keys = create();
    uint32_t *numbers = malloc(KINDS * sizeof *numbers);
    struct random random = {.state = 3};
    uint32_t seen = 0;
    ck_assert_ptr_nonnull(numbers);
    memset(numbers, 0xFF, KINDS * sizeof *numbers);
    for (uint32_t i = 0; i < 5u * KINDS; i++) {
        char name[16], file[16], category[16];
        uint32_t kind = random_below(&random, KINDS);
        (void)snprintf(name, sizeof name, "%u", kind / 400);
        (void)snprintf(file, sizeof file, "%u", kind / 20 % 20);
        (void)snprintf(category, sizeof category, "%u", kind % 20);
        uint32_t index = put(&keys, name, file, category);
        if (numbers[kind] == UINT32_MAX)
            numbers[kind] = seen++;
        ck_assert_uint_eq(index, numbers[kind]);
    }
    ck_assert_uint_eq(keys.count, seen);
    trace_scope_keys_destroy(&keys);
    free(numbers);
}
END_TEST

/* --- lines ------------------------------------------------------------------------------------ */

START_TEST(a_moved_line_is_the_same_scope_with_a_line_for_each_side)
{
    static const struct {
        uint32_t key, line;
        enum trace_side side;
    } noted[] = {{1, 9, TRACE_CANDIDATE}, {0, 40, TRACE_BASE},      {0, 12, TRACE_BASE},
                 {0, 12, TRACE_BASE},     {0, 12, TRACE_CANDIDATE}, {1, 8, TRACE_BASE}};
    static const struct trace_key_line expected[] = {{0, 12, {true, true}},
                                                     {0, 40, {true, false}},
                                                     {1, 8, {true, false}},
                                                     {1, 9, {false, true}}};
    struct trace_scope_keys keys = create();
    (void)put(&keys, "Step", "a.c", "");
    (void)put(&keys, "Draw", "a.c", "");
    for (size_t i = 0; i < COUNT(noted); i++)
        ck_assert(trace_scope_keys_note_line(&keys, noted[i].key, noted[i].line, noted[i].side));
    ck_assert_uint_eq(keys.line_count, COUNT(expected)); /* what is noted again takes no room */
    ck_assert(trace_scope_keys_sort(&keys));
    ck_assert_uint_eq(keys.line_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        ck_assert_uint_eq(keys.lines[i].key, expected[i].key);
        ck_assert_uint_eq(keys.lines[i].line, expected[i].line);
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            ck_assert_int_eq(keys.lines[i].is_of[side], expected[i].is_of[side]);
    }
    trace_scope_keys_destroy(&keys);
}
END_TEST

START_TEST(names_that_do_not_tell_keys_apart_are_found)
{
    struct trace_scope_keys keys = create();
    uint32_t update = put(&keys, "Update", "a.c", "");
    uint32_t other = put(&keys, "Update", "b.c", "");
    uint32_t below = put_below(&keys, update, "Sort", "a.c", "");
    uint32_t below_other = put_below(&keys, other, "Sort", "a.c", "");
    uint32_t twice = put_below(&keys, other, "Sort", "a.c", "Sim");
    uint32_t empty = put(&keys, "", "a.c", "");
    ck_assert(trace_scope_keys_sort(&keys));
    ck_assert(keys.items[update].is_named_twice && keys.items[other].is_named_twice);
    ck_assert(!keys.items[below].is_named_twice && !keys.items[empty].is_named_twice);
    ck_assert(keys.items[below_other].is_named_twice && keys.items[twice].is_named_twice);
    trace_scope_keys_destroy(&keys);
}
END_TEST

START_TEST(no_lines_can_be_sorted)
{
    struct trace_scope_keys keys = create();
    ck_assert(trace_scope_keys_sort(&keys));
    ck_assert_uint_eq(keys.line_count, 0);
    trace_scope_keys_destroy(&keys);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scope keys");
    TCase *cases = tcase_create("scope keys");
    tcase_add_test(cases, a_name_in_another_file_or_category_is_another_scope);
    tcase_add_test(cases, where_a_text_ends_matters);
    tcase_add_test(cases, a_zero_ends_no_name);
    tcase_add_test(cases, callers_tell_scopes_apart);
    tcase_add_test(cases, texts_outlive_the_capture_they_came_from);
    tcase_add_test(cases, many_keys_are_numbered_as_they_come);
    tcase_add_test(cases, a_moved_line_is_the_same_scope_with_a_line_for_each_side);
    tcase_add_test(cases, names_that_do_not_tell_keys_apart_are_found);
    tcase_add_test(cases, no_lines_can_be_sorted);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
