/* Windows: the spans that they are in a capture. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "golden_fixture.h"
#include "window.h"

/* --- in a capture ---------------------------------------------------------------------------- */

/* What becomes of a window: its spans as "[100, 200) ...", a note behind " -- ", or the message. */
static const char *found(const struct trace_model *model, const char *text,
                         const struct trace_mark *marks, size_t mark_count)
{
    static char line[512];
    struct trace_window_spec spec;
    struct trace_windows windows = {0};
    struct ludus_error error = {0};
    char note[TRACE_WINDOW_NOTE_SIZE];
    size_t used = 0;
    enum ludus_status status = trace_window_parse(text, &spec, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    status = trace_window_resolve(&spec, model, model->domain_count == 0 ? TRACE_NONE : 0, marks,
                                  mark_count, &windows, note, &error);
    if (status != LUDUS_OK) {
        ck_assert_int_eq(status, LUDUS_ERROR_ARGUMENT);
        ck_assert_uint_eq(windows.count, 0);
        (void)snprintf(line, sizeof line, "%s", error.message);
        return line;
    }
    line[0] = '\0';
    for (uint32_t i = 0; i < windows.items[0].spans.count; i++)
        used +=
            (size_t)snprintf(line + used, sizeof line - used, "%s[%lld, %lld)", i == 0 ? "" : " ",
                             (long long)windows.items[0].spans.spans[i].begin_ns,
                             (long long)windows.items[0].spans.spans[i].end_ns);
    if (note[0] != '\0')
        (void)snprintf(line + used, sizeof line - used, " -- %s", note);
    trace_windows_clear(&windows);
    return line;
}

struct window_case {
    const char *text;
    const char *result;
};

static void check_cases(const struct trace_model *model, const struct window_case *cases,
                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(found(model, cases[i].text, NULL, 0), cases[i].result);
}

static struct trace_capture *open_built(struct capture_builder *builder, uint64_t end_ns)
{
    builder_stop(builder, START + end_ns);
    builder_finish(builder);
    return builder_open(builder);
}

/* Marks of "main": 3 at 100, 4 at 200, 5 missing, 6 at 400, 7 at 500, 8 at 500: frame 7 has no
 * time. The recording ends at 700. Complete are 3, 6 and 7. */
static struct capture_builder *build_frames(void)
{
    static const uint64_t marks[][2] = {{3, 100}, {4, 200}, {6, 400}, {7, 500}, {8, 500}};
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    for (size_t i = 0; i < COUNT(marks); i++)
        builder_frame(builder, 1, marks[i][0], START + marks[i][1]);
    return builder;
}

START_TEST(frames_are_found_by_number)
{
    static const struct window_case cases[] = {
        {"a=frames:3..4", "[100, 400)"}, /* 4 reaches to the next mark, whichever that is */
        {"a=frames:3", "[100, 200)"},
        {"a=frames:4..6", "[200, 500)"},
        {"a=frames:5..6", "[400, 500)"}, /* what there is of them */
        {"a=frames:4..5", "[200, 400)"},
        {"a=frames:5", "window a: the marks of these frames are missing; main has the frames 3..8"},
        {"a=frames:6..", "[400, 700)"},
        {"a=frames:..3", "[100, 200)"},
        {"a=frames:8", "[500, 700)"}, /* as far as is known */
        {"a=frames:7", "window a: is empty: no time lies in it"},
        {"a=frames:0..3",
         "[100, 200) -- not all of it is in the capture, which has the frames 3..8 of main"},
        {"a=frames:6..9",
         "[400, 700) -- not all of it is in the capture, which has the frames 3..8 of main"},
        {"a=frames:0..18446744073709551615",
         "[100, 700) -- not all of it is in the capture, which has the frames 3..8 of main"},
        {"a=frames:0..2", "window a: no such frame; main has the frames 3..8"},
        {"a=frames:9..", "window a: no such frame; main has the frames 3..8"},
        {"frames:9..12", "window frames:9..12: no such frame; main has the frames 3..8"},
        /* Back from the last complete one, 7. */
        {"a=last:1frame", "window a: is empty: no time lies in it"},
        {"a=last:2frames", "[400, 500)"},
        {"a=last:3frames", "[100, 500)"},
        {"a=last:4frames", "[100, 500) -- complete frames of main in the capture: only 3"},
    };
    struct capture_builder *builder = build_frames();
    struct trace_capture *capture = open_built(builder, 700);
    check_cases(trace_capture_model(capture), cases, COUNT(cases));
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(times_are_cut_to_the_capture)
{
    static const struct window_case cases[] = {
        {"a=time:100ns..250ns", "[100, 250)"},
        {"a=time:..250ns", "[0, 250)"},
        {"a=time:250ns..", "[250, 700)"},
        {"a=time:0..700ns", "[0, 700)"},
        {"a=time:600ns..1s",
         "[600, 700) -- not all of it is in the capture, which is from 0s to 0.0000007s"},
        {"a=time:700ns..", "window a: lies outside the capture, which is from 0s to 0.0000007s"},
        {"a=time:2s..5s", "window a: lies outside the capture, which is from 0s to 0.0000007s"},
        {"a=last:100ns", "[600, 700)"},
        {"a=last:700ns", "[0, 700)"},
        {"a=last:1s",
         "[0, 700) -- not all of it is in the capture, which is from 0s to 0.0000007s"},
    };
    struct capture_builder *builder = build_frames();
    struct trace_capture *capture = open_built(builder, 700);
    check_cases(trace_capture_model(capture), cases, COUNT(cases));
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

/* The part from 1,000 to 1,400; marks 9 at 950, before it, 10 at 1,100, 11 at 1,300, 12 at 1,450,
 * behind it. Complete is frame 10. */
START_TEST(a_part_of_a_recording_has_its_own_edges)
{
    static const struct window_case cases[] = {
        {"a=frames:9..10", "[950, 1300)"},
        {"a=frames:11", "[1300, 1450)"},
        {"a=frames:12", "window a: is empty: no time lies in it"},
        {"a=last:1frame", "[1100, 1300)"},
        {"a=last:2frames", "[1100, 1300) -- complete frames of main in the capture: only 1"},
        {"a=time:..1.2us", "[1000, 1200)"},
        {"a=time:1.2us..", "[1200, 1400)"},
        {"a=time:0..1.2us", "[1000, 1200) -- not all of it is in the capture, which is from "
                            "0.000001s to 0.0000014s"},
        {"a=time:0..1us",
         "window a: lies outside the capture, which is from 0.000001s to 0.0000014s"},
        {"a=last:1s", "[1000, 1400) -- not all of it is in the capture, which is from 0.000001s "
                      "to 0.0000014s"},
    };
    static const uint64_t marks[] = {950, 1100, 1300, 1450};
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    builder_leave_out(builder);
    builder_window(builder, START + 1000);
    for (size_t i = 0; i < COUNT(marks); i++)
        builder_frame(builder, 1, 9 + i, START + marks[i]);
    struct trace_capture *capture = open_built(builder, 1400);
    check_cases(trace_capture_model(capture), cases, COUNT(cases));
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(without_frames_only_times_can_be_named)
{
    static const struct window_case none[] = {
        {"a=frames:1..2",
         "window a: the capture has no frame marks; name a time, such as time:2s..5s"},
        {"a=last:2frames",
         "window a: the capture has no frame marks; name a time, such as time:2s..5s"},
        {"a=time:100ns..", "[100, 700)"},
    };
    static const struct window_case incomplete[] = {
        {"a=frames:0..2", "window a: the capture has no complete frame of main; name a time, such "
                          "as time:2s..5s"},
        {"a=last:2frames", "window a: the capture has no complete frame of main; name a time, such "
                           "as time:2s..5s"},
        {"a=last:10ns", "[690, 700)"},
    };
    static const struct window_case empty[] = {
        {"a=time:0..", "window a: cannot be found: the capture has no length, it "
                       "begins and ends at 0s"},
        {"a=last:1s", "window a: cannot be found: the capture has no length, it "
                      "begins and ends at 0s"},
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct trace_capture *capture = open_built(builder, 700);
    check_cases(trace_capture_model(capture), none, COUNT(none));
    trace_capture_close(capture);
    builder_destroy(builder);
    builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    builder_frame(builder, 1, 0, START + 100); /* two marks, and the one between is missing */
    builder_frame(builder, 1, 2, START + 300);
    capture = open_built(builder, 700);
    check_cases(trace_capture_model(capture), incomplete, COUNT(incomplete));
    trace_capture_close(capture);
    builder_destroy(builder);
    builder = builder_create(&golden_setup);
    capture = open_built(builder, 0);
    check_cases(trace_capture_model(capture), empty, COUNT(empty));
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

/* --- marks ----------------------------------------------------------------------------------- */

/* Sites of golden_setup by index. */
enum { A = 0, B = 1, C = 2 };

START_TEST(marks_are_paired_each_a_with_the_next_b)
{
    static const struct {
        const char *text;
        struct trace_mark marks[6];
        const char *result;
    } cases[] = {
        {"w=marks:Frame..Physics", {{10, A, 0}, {30, B, 1}}, "[10, 30)"},
        /* An A inside is none of its own, a B that follows a B ends nothing. */
        {"w=marks:Frame..Physics", {{10, A, 0}, {20, A, 1}, {30, B, 2}, {40, B, 3}}, "[10, 30)"},
        {"w=marks:Frame..Physics",
         {{5, B, 0}, {10, A, 1}, {30, B, 2}, {40, A, 3}, {60, B, 4}},
         "[10, 30) [40, 60)"},
        {"w=marks:Frame#2..Physics",
         {{5, B, 0}, {10, A, 1}, {30, B, 2}, {40, A, 3}, {60, B, 4}},
         "[40, 60)"},
        {"w=marks:Frame#1..Physics", {{10, A, 0}, {30, B, 1}, {40, A, 2}, {60, B, 3}}, "[10, 30)"},
        {"w=marks:Frame#3..Physics",
         {{10, A, 0}, {20, A, 1}, {30, B, 2}, {40, A, 3}, {60, B, 4}},
         "window w: there is no Frame#3; the capture has 2, each up to the next Physics"},
        /* The last one is not ended. */
        {"w=marks:Frame..Physics",
         {{10, A, 0}, {30, B, 1}, {40, A, 2}},
         "[10, 30) -- the last Frame is followed by no Physics and left out"},
        {"w=marks:Frame#1..Physics", {{10, A, 0}, {30, B, 1}, {40, A, 2}}, "[10, 30)"},
        {"w=marks:Frame#2..Physics",
         {{10, A, 0}, {30, B, 1}, {40, A, 2}},
         "window w: no mark Physics follows Frame"},
        {"w=marks:Frame..Physics",
         {{10, B, 0}, {20, A, 1}},
         "window w: no mark Physics follows Frame"},
        /* The end of one is the begin of the next. */
        {"w=marks:Frame..Frame",
         {{10, A, 0}, {20, A, 1}, {40, A, 2}},
         "[10, 40) -- the last Frame is "
         "followed by no Frame and left "
         "out"},
        {"w=marks:Frame#2..Frame", {{10, A, 0}, {20, A, 1}, {40, A, 2}}, "[20, 40)"},
        {"w=marks:Frame..Frame", {{10, A, 0}}, "window w: no mark Frame follows Frame"},
        /* At one time, what happened first counts. */
        {"w=marks:Frame..Physics", {{10, A, 0}, {20, B, 1}, {20, A, 2}, {30, B, 3}}, "[10, 30)"},
        {"w=marks:Frame..Physics",
         {{10, A, 0}, {10, B, 1}, {30, B, 2}},
         "window w: is empty: no time lies in it"},
        {"w=marks:Frame..Physics", {{10, B, 0}, {10, A, 1}, {30, B, 2}}, "[10, 30)"},
        /* Others are not looked at. */
        {"w=marks:Frame..Physics", {{10, A, 0}, {20, C, 1}, {30, B, 2}}, "[10, 30)"},
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct trace_capture *capture = open_built(builder, 700);
    const struct trace_model *model = trace_capture_model(capture);
    ck_assert_uint_eq(model->sites[A].name.size, strlen("Frame"));
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t count = 0;
        while (count < COUNT(cases[i].marks) && cases[i].marks[count].time_ns != 0)
            count++;
        ck_assert_str_eq(found(model, cases[i].text, cases[i].marks, count), cases[i].result);
    }
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(marks_are_sorted_by_time_and_then_as_they_came)
{
    struct trace_mark marks[] = {{30, B, 0}, {10, B, 1}, {20, A, 3}, {20, B, 2}, {20, C, 4}};
    static const uint32_t orders[] = {1, 2, 3, 4, 0};
    trace_marks_sort(marks, COUNT(marks));
    for (size_t i = 0; i < COUNT(marks); i++)
        ck_assert_uint_eq(marks[i].order, orders[i]);
}
END_TEST

/* --- several --------------------------------------------------------------------------------- */

static enum ludus_status add_window(const struct trace_model *model, const char *text,
                                    struct trace_windows *windows, struct ludus_error *error)
{
    struct trace_window_spec spec;
    char note[TRACE_WINDOW_NOTE_SIZE];
    enum ludus_status status = trace_window_parse(text, &spec, error);
    ck_assert_int_eq(status, LUDUS_OK);
    return trace_window_resolve(&spec, model, 0, NULL, 0, windows, note, error);
}

START_TEST(sixteen_windows_and_no_more_each_with_a_name_of_its_own)
{
    struct capture_builder *builder = build_frames();
    struct trace_capture *capture = open_built(builder, 700);
    const struct trace_model *model = trace_capture_model(capture);
    struct trace_windows windows = {0};
    struct ludus_error error = {0};
    char texts[TRACE_MAX_WINDOWS][32];
    for (uint32_t i = 0; i < TRACE_MAX_WINDOWS; i++) {
        /* They may overlap, and be the same. */
        (void)snprintf(texts[i], sizeof texts[i], "w%u=time:%uns..300ns", i, i / 2);
        ck_assert_int_eq(add_window(model, texts[i], &windows, &error), LUDUS_OK);
    }
    ck_assert_int_eq(add_window(model, "more=frames:3", &windows, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_str_eq(error.message, "window more: is one too many; at most 16 are told apart");
    ck_assert_uint_eq(windows.count, 16);
    windows.count--; /* as if it were not there */
    trace_span_list_clear(&windows.items[15].spans);
    ck_assert_int_eq(add_window(model, "w3=frames:3", &windows, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_str_eq(error.message, "window w3: another window has this name; give one of its own, "
                                    "such as NAME=time:2s..5s");
    ck_assert_int_eq(add_window(model, "w=frames:3", &windows, &error), LUDUS_OK);
    trace_windows_clear(&windows);
    ck_assert_int_eq(add_window(model, "frames:3", &windows, &error), LUDUS_OK);
    ck_assert_int_eq(add_window(model, "frames:3", &windows, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(add_window(model, "x=frames:3", &windows, &error), LUDUS_OK);
    trace_windows_clear(&windows);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("windows");
    TCase *cases = tcase_create("windows");
    tcase_add_test(cases, frames_are_found_by_number);
    tcase_add_test(cases, times_are_cut_to_the_capture);
    tcase_add_test(cases, a_part_of_a_recording_has_its_own_edges);
    tcase_add_test(cases, without_frames_only_times_can_be_named);
    tcase_add_test(cases, marks_are_paired_each_a_with_the_next_b);
    tcase_add_test(cases, marks_are_sorted_by_time_and_then_as_they_came);
    tcase_add_test(cases, sixteen_windows_and_no_more_each_with_a_name_of_its_own);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
