/* The grammar of windows: what their text may be. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "window.h"

#define S  INT64_C(1000000000)
#define MS INT64_C(1000000)
#define US INT64_C(1000)

/* "name kind ..." with all that was taken from a text. */
static const char *taken(const char *text)
{
    static char line[256];
    struct trace_window_spec spec;
    struct ludus_error error = {0};
    enum ludus_status status = trace_window_parse(text, &spec, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    size_t used = (size_t)snprintf(line, sizeof line, "%.*s|", (int)spec.name.size, spec.name.data);
    char *at = line + used;
    size_t left = sizeof line - used;
    switch (spec.kind) {
    case TRACE_SPEC_FRAMES:
        (void)snprintf(at, left, "frames %d %llu %d %llu", spec.has_begin,
                       (unsigned long long)spec.first, spec.has_end, (unsigned long long)spec.last);
        break;
    case TRACE_SPEC_TIME:
        (void)snprintf(at, left, "time %d %lld %d %lld", spec.has_begin, (long long)spec.begin_ns,
                       spec.has_end, (long long)spec.end_ns);
        break;
    case TRACE_SPEC_MARKS:
        (void)snprintf(at, left, "marks <%.*s> <%.*s> %llu", (int)spec.begin_mark.size,
                       spec.begin_mark.data, (int)spec.end_mark.size, spec.end_mark.data,
                       (unsigned long long)spec.occurrence);
        break;
    case TRACE_SPEC_LAST:
        (void)snprintf(at, left, "last %llu %lld", (unsigned long long)spec.first,
                       (long long)spec.end_ns);
        break;
    }
    return line;
}

START_TEST(every_form_is_taken)
{
    static const char *const cases[][2] = {
        {"frames:100..400", "frames:100..400|frames 1 100 1 400"},
        {"load=frames:0..0", "load|frames 1 0 1 0"},
        {"frames:7", "frames:7|frames 1 7 1 7"},
        {"frames:7..", "frames:7..|frames 1 7 0 0"},
        {"frames:..7", "frames:..7|frames 0 0 1 7"},
        {"frames:007..08", "frames:007..08|frames 1 7 1 8"},
        {"frames:0..18446744073709551615", "frames:0..18446744073709551615|frames 1 0 1 "
                                           "18446744073709551615"},
        {"a=time:2s..5s", "a|time 1 2000000000 1 5000000000"},
        {"a=time:..5s", "a|time 0 0 1 5000000000"},
        {"a=time:5s..", "a|time 1 5000000000 0 0"},
        {"a=time:0..1ns", "a|time 1 0 1 1"},
        {"a=time:250us..16.6ms", "a|time 1 250000 1 16600000"},
        {"a=last:120frames", "a|last 120 0"},
        {"a=last:1frame", "a|last 1 0"},
        {"a=last:2s", "a|last 0 2000000000"},
        {"a=last:1.5min", "a|last 0 90000000000"},
        {"a=marks:A..B", "a|marks <A> <B> 0"},
        {"a=marks:A#2..B", "a|marks <A> <B> 2"},
        {"a=marks:A..A", "a|marks <A> <A> 0"},
        /* Names may hold what separates elsewhere. */
        {"marks:a=b..c:d", "marks:a=b..c:d|marks <a=b> <c:d> 0"},
        {"x=marks:a=b..c:d", "x|marks <a=b> <c:d> 0"},
        {"x=marks:A..B..C", "x|marks <A> <B..C> 0"},
        {"x=marks:A#x..B#2", "x|marks <A#x> <B#2> 0"},
        {"x=marks:A#..B", "x|marks <A#> <B> 0"},
        {"x=marks:#2..B", "x|marks <#2> <B> 0"},
        {"x=marks:A#1#2..B", "x|marks <A#1> <B> 2"},
        {"x=marks:A 1..B 2", "x|marks <A 1> <B 2> 0"},
        {"a b=frames:1", "a b|frames 1 1 1 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_str_eq(taken(cases[i][0]), cases[i][1]);
}
END_TEST

START_TEST(every_unit_is_exact)
{
    static const struct {
        const char *text;
        int64_t time_ns;
    } cases[] = {{"1ns", 1},           {"1us", US},
                 {"1ms", MS},          {"1s", S},
                 {"1min", 60 * S},     {"1h", 3600 * S},
                 {"0.5us", 500},       {"16.6ms", 16600 * US},
                 {"0.000000001s", 1},  {"0.0000000010s", 1},
                 {"1.000s", S},        {"0.25h", 900 * S},
                 {"00.10s", 100 * MS}, {"1000000h", S * 3600 * 1000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        struct trace_window_spec spec;
        struct ludus_error error = {0};
        (void)snprintf(text, sizeof text, "time:%s..", cases[i].text);
        enum ludus_status status = trace_window_parse(text, &spec, &error);
        ck_assert_msg(status == LUDUS_OK, "%s", error.message);
        ck_assert_int_eq(spec.begin_ns, cases[i].time_ns);
    }
}
END_TEST

#define FORMS  "it is [NAME=]frames:A..B, time:A..B, marks:A..B or last:N"
#define FRAMES "frames are a number or a range, such as frames:100..400"
#define TIMES  "times are a range with units (ns, us, ms, s, min, h), such as time:2s..5s"
#define MARKS                                                                                      \
    "marks are two names, such as marks:LevelLoad..LevelReady or, for one of several, "            \
    "marks:LevelLoad#2..LevelReady"
#define LAST     "last is a count of frames or a time, such as last:120frames or last:2s"
#define LARGE    "a number in it is too large"
#define COUNTED  "marks of one name are counted from #1, and not beyond 2^64"
#define REVERSED "it ends before it begins"

START_TEST(every_other_text_is_refused_with_its_reason)
{
    static const char *const cases[][2] = {
        {"", FORMS},
        {"load", FORMS},
        {"load=", FORMS},
        {"100..400", FORMS},
        {"frame:1..2", FORMS},
        {"Frames:1..2", FORMS},
        {" frames:1..2", FORMS},
        {"a=b=frames:1", FORMS},
        {"a:b=frames:1", FORMS}, /* a name holds no ':' */
        {"=frames:1..2", "there is no name in front of the '='"},
        {"=", "there is no name in front of the '='"},
        {"frames:", FRAMES},
        {"frames:..", FRAMES},
        {"frames:a..b", FRAMES},
        {"frames:-1..2", FRAMES},
        {"frames:+1..2", FRAMES},
        {"frames:1..-2", FRAMES},
        {"frames:1 ..2", FRAMES},
        {"frames:1.. 2", FRAMES},
        {"frames:1...2", FRAMES},
        {"frames:1..2..3", FRAMES},
        {"frames:1.5", FRAMES},
        {"frames:0x10", FRAMES},
        {"frames:18446744073709551616", LARGE},
        {"frames:1..99999999999999999999", LARGE},
        {"frames:4..1", REVERSED},
        {"time:", TIMES},
        {"time:..", TIMES},
        {"time:5s", TIMES},
        {"time:2..5s", TIMES},
        {"time:2s..5", TIMES},
        {"time:-2s..5s", TIMES},
        {"time:2 s..5s", TIMES},
        {"time:2S..5s", TIMES},
        {"time:2sec..5s", TIMES},
        {"time:.5s..5s", TIMES},
        {"time:1.s..5s", TIMES},
        {"time:1e3s..5s", TIMES},
        {"time:1,5s..5s", TIMES},
        {"time:0.0..5s", TIMES},
        {"time:0.5ns..", TIMES},
        {"time:1.01ns..", TIMES}, /* also finer than a nanosecond */
        {"time:0.0000000001s..", TIMES},
        {"time:0.00000000001s..", TIMES},
        {"time:9223372037s..", TIMES}, /* more than a signed number of nanoseconds */
        {"time:99999999999999999999s..", LARGE},
        {"time:99999999h..", TIMES},
        {"time:5s..2s", REVERSED},
        {"time:16.6ms..250us", REVERSED},
        {"time:5s..5000ms", "it is empty: its end is not part of it"},
        {"time:0..0", "it is empty: its end is not part of it"},
        {"marks:", MARKS},
        {"marks:A", MARKS},
        {"marks:A..", MARKS},
        {"marks:..B", MARKS},
        {"marks:A#0..B", COUNTED},
        {"marks:A#99999999999999999999..B", COUNTED},
        {"last:", LAST},
        {"last:5", LAST},
        {"last:frames", LAST},
        {"last:-2s", LAST},
        {"last:5 frames", LAST},
        {"last:5framess", LAST},
        {"last:1.5frames", LAST},
        {"last:99999999999999999999frames", LARGE},
        {"last:0frames", "it is empty: no frame is in it"},
        {"last:0", "it is empty: no time is in it"},
        {"last:0s", "it is empty: no time is in it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace_window_spec spec;
        struct ludus_error error = {0};
        char message[256];
        (void)snprintf(message, sizeof message, "'%s' is no window: %s", cases[i][0], cases[i][1]);
        ck_assert_msg(trace_window_parse(cases[i][0], &spec, &error) == LUDUS_ERROR_ARGUMENT,
                      "'%s' was taken", cases[i][0]);
        ck_assert_str_eq(error.message, message);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("window spec");
    TCase *cases = tcase_create("window spec");
    tcase_add_test(cases, every_form_is_taken);
    tcase_add_test(cases, every_unit_is_exact);
    tcase_add_test(cases, every_other_text_is_refused_with_its_reason);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
