/* Why a scope's time changed, in words. */
#include <check.h>
#include <stdlib.h>

#include "diff_words.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Calls and time of a frame, and what is said. */
static const struct {
    enum trace_measure measure;
    struct trace_rate base, candidate;
    const char *why;
} worked_out[] = {
    {TRACE_MEASURE_FRAME_TRACK, {2, 200}, {2, 200}, ""},
    {TRACE_MEASURE_FRAME_TRACK, {2, 200}, {3, 300}, "more calls: 2.00 -> 3.00"},
    {TRACE_MEASURE_FRAME_TRACK, {3, 300}, {2, 200}, "fewer calls: 3.00 -> 2.00"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 200}, {2, 230}, "15.0 % slower calls"},
    {TRACE_MEASURE_WORK, {2, 200}, {2, 170}, "15.0 % faster calls"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 200}, {3, 450}, "calls +50.0 %, each +50.0 %"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 200}, {1, 150}, "calls -50.0 %, each +50.0 %"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 200}, {4, 200}, "calls +100.0 %, each -50.0 %"},
    {TRACE_MEASURE_FRAME_TRACK, {0, 0}, {2, 200}, "more calls: 0.00 -> 2.00"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 200}, {0, 0}, "fewer calls: 2.00 -> 0.00"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 0}, {2, 100}, "slower calls: 0.0 ns -> 50.0 ns"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 100}, {2, 0}, "100.0 % faster calls"},
    {TRACE_MEASURE_FRAME_TRACK, {2, 0}, {8, 800}, "calls +300.0 %, each 0.0 ns -> 100.0 ns"},
    {TRACE_MEASURE_FRAME_TRACK, {0, 70}, {0, 90}, "no calls begin in the frames"},
    {TRACE_MEASURE_FRAME_TRACK, {0, 70}, {2, 900}, "more calls: 0.00 -> 2.00"}, /* clipped */
    {TRACE_MEASURE_GPU_PASS, {1, 100}, {2, 300}, "passes +100.0 %, each +50.0 %"},
    {TRACE_MEASURE_GPU_PASS, {1, 100}, {2, 200}, "more passes: 1.00 -> 2.00"},
    {TRACE_MEASURE_GPU_FRAME, {1, 100}, {1, 110}, "10.0 % slower frames"},
};

START_TEST(why_a_time_changed_is_said)
{
    struct trace_compared item = {
        .measure = worked_out[_i].measure,
        .change = trace_change_between(worked_out[_i].base, worked_out[_i].candidate)};
    struct trace_text_buffer text = {NULL, 0, 0, false};
    trace_append_why(&text, &item);
    trace_text_buffer_append(&text, "", 1);
    ck_assert(!text.has_failed);
    ck_assert_str_eq(text.data, worked_out[_i].why);
    trace_text_buffer_release(&text);
}
END_TEST

#define TEXT(string) ((struct trace_text){string, sizeof(string) - 1})

START_TEST(keys_of_one_name_are_told_apart)
{
    struct trace_scope_key items[] = {
        {.name = TEXT("Step"), .file = TEXT("a.c"), .parent = TRACE_NONE, .is_named_twice = true},
        {.name = TEXT("Sort"), .file = TEXT("a.c"), .category = TEXT("Sim"), .parent = 0},
        {.name = TEXT("Sort"), .category = TEXT("Sim"), .parent = 0, .is_named_twice = true},
        {.name = TEXT("Step"), .parent = TRACE_NONE, .is_named_twice = true},
        {.name = TEXT("Sort"),
         .file = TEXT("b.c"),
         .category = TEXT("Sim"),
         .parent = TRACE_NONE,
         .is_named_twice = true},
        {.parent = TRACE_NONE},
    };
    static const char *const names[][2] = {
        {"Step", "Step (a.c)"},
        {"Step > Sort", "Step (a.c) > Sort"},
        {"Step > Sort", "Step (a.c) > Sort (Sim)"},
        {"Step", "Step"},
        {"Sort", "Sort (b.c, Sim)"},
        {"-", "-"},
    };
    const struct trace_scope_keys keys = {.items = items, .count = COUNT(items)};
    for (uint32_t i = 0; i < COUNT(items); i++) {
        struct trace_text_buffer text = {NULL, 0, 0, false};
        trace_append_names(&text, &keys, i);
        trace_text_buffer_append(&text, "", 1);
        ck_assert_str_eq(text.data, names[i][0]);
        trace_text_buffer_clear(&text);
        trace_append_key(&text, &keys, i);
        trace_text_buffer_append(&text, "", 1);
        ck_assert_str_eq(text.data, names[i][1]);
        trace_text_buffer_release(&text);
    }
}
END_TEST

START_TEST(changes_of_times_have_a_percentage_where_there_is_one)
{
    static const struct {
        double base_ns, candidate_ns;
        const char *text;
    } changes[] = {
        {1000000, 1050000, "1.000 ms -> 1.050 ms (+5.0 %)"},
        {1000, 500, "1.000 us -> 500.0 ns (-50.0 %)"},
        {0, 500, "0.0 ns -> 500.0 ns"},
        {500, 500, "500.0 ns -> 500.0 ns (+0.0 %)"},
    };
    for (size_t i = 0; i < COUNT(changes); i++) {
        struct trace_text_buffer text = {NULL, 0, 0, false};
        trace_append_change(&text, changes[i].base_ns, changes[i].candidate_ns);
        trace_text_buffer_append(&text, "", 1);
        ck_assert_str_eq(text.data, changes[i].text);
        trace_text_buffer_release(&text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("diff words");
    TCase *cases = tcase_create("diff words");
    tcase_add_loop_test(cases, why_a_time_changed_is_said, 0, COUNT(worked_out));
    tcase_add_test(cases, keys_of_one_name_are_told_apart);
    tcase_add_test(cases, changes_of_times_have_a_percentage_where_there_is_one);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
