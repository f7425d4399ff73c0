/* How cells look to people. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cell_text.h"

static const char *show(enum trace_type type, enum trace_unit unit, int decimals,
                        struct trace_cell cell)
{
    static struct trace_text_buffer buffer;
    struct trace_column column = {.name = "x", .type = type, .unit = unit, .decimals = decimals};

    trace_text_buffer_clear(&buffer);
    trace_append_cell(&buffer, &column, &cell);
    trace_text_buffer_append(&buffer, "", 1);
    ck_assert(!buffer.has_failed);
    return buffer.data;
}

static const char *show_integer(enum trace_unit unit, int64_t value)
{
    return show(TRACE_TYPE_INTEGER, unit, 0,
                (struct trace_cell){.kind = TRACE_CELL_INTEGER, .as.integer = value});
}

static const char *show_real(enum trace_unit unit, int decimals, double value)
{
    return show(TRACE_TYPE_REAL, unit, decimals,
                (struct trace_cell){.kind = TRACE_CELL_REAL, .as.real = value});
}

static const char *show_text(const char *text, size_t size)
{
    return show(TRACE_TYPE_TEXT, TRACE_UNIT_NONE, 0,
                (struct trace_cell){.kind = TRACE_CELL_TEXT, .as.text = {text, size}});
}

START_TEST(positions_have_all_their_digits)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "0 ns"},
        {999, "999 ns"},
        {1000, "1.000 us"},
        {16666667, "16.666667 ms"},
        {100000000, "100.000 ms"},
        {1000000000, "1.000 s"},
        {1000000001, "1.000000001 s"},
        {12345678900000, "12,345.678900 s"},
        {-1234567, "-1.234567 ms"},
        {INT64_MAX, "9,223,372,036.854775807 s"},
        {INT64_MIN, "-9,223,372,036.854775808 s"},
    };
    const struct trace_column column = {.name = "x_ns",
                                        .type = TRACE_TYPE_INTEGER,
                                        .unit = TRACE_UNIT_NANOSECONDS,
                                        .is_position = true};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct trace_cell cell = {.kind = TRACE_CELL_INTEGER, .as.integer = cases[i].ns};
        struct trace_text_buffer buffer = {0};

        trace_append_cell(&buffer, &column, &cell);
        trace_text_buffer_append(&buffer, "", 1);
        ck_assert_str_eq(buffer.data, cases[i].text);
        trace_text_buffer_release(&buffer);
    }
}
END_TEST

START_TEST(durations_have_four_digits_and_the_unit_that_fits)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "0 ns"},
        {7, "7 ns"},
        {999, "999 ns"},
        {1000, "1.000 us"},
        {1005, "1.005 us"},
        {9999, "9.999 us"},
        {10004, "10.00 us"},
        {10005, "10.01 us"},
        {99994, "99.99 us"},
        {99995, "100.0 us"},
        {999949, "999.9 us"},
        {999950, "1.000 ms"},
        {16666667, "16.67 ms"},
        {999950000, "1.000 s"},
        {59999000000, "60.00 s"},
        {999900000000, "999.9 s"},
        {1234567000000000, "1,234,567 s"},
        {INT64_MAX, "9,223,372,037 s"},
        {-1500, "-1.500 us"},
        {INT64_MIN, "-9,223,372,037 s"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_str_eq(show_integer(TRACE_UNIT_NANOSECONDS, cases[i].ns), cases[i].text);
}
END_TEST

START_TEST(mean_durations_keep_their_decimals_below_a_microsecond)
{
    ck_assert_str_eq(show_real(TRACE_UNIT_NANOSECONDS, 1, 0), "0.0 ns");
    ck_assert_str_eq(show_real(TRACE_UNIT_NANOSECONDS, 1, 12.34), "12.3 ns");
    ck_assert_str_eq(show_real(TRACE_UNIT_NANOSECONDS, 3, 123.456), "123.5 ns");
    ck_assert_str_eq(show_real(TRACE_UNIT_NANOSECONDS, 1, 999.96), "1.000 us");
    ck_assert_str_eq(show_real(TRACE_UNIT_NANOSECONDS, 1, -1234.4), "-1.234 us");
    ck_assert_str_eq(show_real(TRACE_UNIT_NANOSECONDS, 1, 1e20), "100,000,000,000 s");
    ck_assert_str_eq(show_real(TRACE_UNIT_NANOSECONDS, 1, NAN), "-");
}
END_TEST

START_TEST(counts_are_grouped_and_plain_numbers_are_not)
{
    ck_assert_str_eq(show_integer(TRACE_UNIT_COUNT, 0), "0");
    ck_assert_str_eq(show_integer(TRACE_UNIT_COUNT, 999), "999");
    ck_assert_str_eq(show_integer(TRACE_UNIT_COUNT, 1000), "1,000");
    ck_assert_str_eq(show_integer(TRACE_UNIT_COUNT, -123456), "-123,456");
    ck_assert_str_eq(show_integer(TRACE_UNIT_COUNT, INT64_MIN), "-9,223,372,036,854,775,808");
    ck_assert_str_eq(show_integer(TRACE_UNIT_TICKS, 1234567), "1,234,567");
    ck_assert_str_eq(show_integer(TRACE_UNIT_NONE, 1234567), "1234567");
    ck_assert_str_eq(show_real(TRACE_UNIT_PER_FRAME, 2, 12345.678), "12,345.68");
    ck_assert_str_eq(show_real(TRACE_UNIT_PER_FRAME, 2, -0.001), "0.00");
    ck_assert_str_eq(show_real(TRACE_UNIT_COUNT, 1, 999999999999999), "999,999,999,999,999.0");
    ck_assert_str_eq(show_real(TRACE_UNIT_COUNT, 1, 1e15), "1.000e+15");
    ck_assert_str_eq(show_real(TRACE_UNIT_COUNT, 1, 9.99951e20), "1.000e+21");
    ck_assert_str_eq(show_real(TRACE_UNIT_COUNT, 1, 9.9994e20), "9.999e+20");
    ck_assert_str_eq(show_real(TRACE_UNIT_NONE, 3, -1.7976931348623157e308), "-1.798e+308");
    ck_assert_str_eq(show_real(TRACE_UNIT_NONE, 3, 1234.5), "1234.500");
}
END_TEST

START_TEST(percentages_and_sizes_have_their_units)
{
    ck_assert_str_eq(show_real(TRACE_UNIT_PERCENT, 1, 12.34), "12.3 %");
    ck_assert_str_eq(show_integer(TRACE_UNIT_PERCENT, 100), "100 %");
    ck_assert_str_eq(show_integer(TRACE_UNIT_BYTES, 1023), "1,023 B");
    ck_assert_str_eq(show_integer(TRACE_UNIT_BYTES, 1024), "1.000 KiB");
    ck_assert_str_eq(show_integer(TRACE_UNIT_BYTES, 1048575), "1.000 MiB");
    ck_assert_str_eq(show_integer(TRACE_UNIT_BYTES, 1536 * 1024), "1.500 MiB");
    ck_assert_str_eq(show_integer(TRACE_UNIT_BYTES, 1000 * 1024), "1,000 KiB");
    ck_assert_str_eq(show_integer(TRACE_UNIT_BYTES, INT64_MAX), "8,388,608 TiB");
}
END_TEST

START_TEST(names_cannot_command_a_terminal)
{
    ck_assert_str_eq(show_text("a\x1b[31m\r\n\t\x7f", 10), "a\\x1b[31m\\r\\n\\t\\x7f");
    ck_assert_str_eq(show_text("\xC2\x9B"
                               "31m",
                               5),
                     "\\x9b31m"); /* the same command in one character */
    ck_assert_str_eq(show_text("a\0b", 3), "a\\x00b");
    ck_assert_str_eq(show_text("a\xE2\x80\xAE"
                               "b",
                               5),
                     "a\\u202eb"); /* would turn the line around */
    ck_assert_str_eq(show_text("\x9b\xFF", 2), "\xEF\xBF\xBD\xEF\xBF\xBD");
    ck_assert_str_eq(show_text("C:\\src \xE6\x97\xA5", 10), "C:\\src \xE6\x97\xA5");
}
END_TEST

START_TEST(null_is_a_dash)
{
    ck_assert_str_eq(
        show(TRACE_TYPE_INTEGER, TRACE_UNIT_COUNT, 0, (struct trace_cell){.kind = TRACE_CELL_NULL}),
        "-");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cell_text");
    TCase *tests = tcase_create("cell_text");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tests, positions_have_all_their_digits);
    tcase_add_test(tests, durations_have_four_digits_and_the_unit_that_fits);
    tcase_add_test(tests, mean_durations_keep_their_decimals_below_a_microsecond);
    tcase_add_test(tests, counts_are_grouped_and_plain_numbers_are_not);
    tcase_add_test(tests, percentages_and_sizes_have_their_units);
    tcase_add_test(tests, names_cannot_command_a_terminal);
    tcase_add_test(tests, null_is_a_dash);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
