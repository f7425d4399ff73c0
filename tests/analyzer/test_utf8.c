/* UTF-8 is stepped over as Unicode says, whatever bytes come. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/* The definition of the encoding, chapter 3 of the Unicode Standard, table 3-6. */
static size_t encode(uint32_t value, uint8_t bytes[4])
{
    if (value < 0x80) {
        bytes[0] = (uint8_t)value;
        return 1;
    }
    if (value < 0x800) {
        bytes[0] = (uint8_t)(0xC0 | value >> 6);
        bytes[1] = (uint8_t)(0x80 | (value & 0x3F));
        return 2;
    }
    if (value < 0x10000) {
        bytes[0] = (uint8_t)(0xE0 | value >> 12);
        bytes[1] = (uint8_t)(0x80 | (value >> 6 & 0x3F));
        bytes[2] = (uint8_t)(0x80 | (value & 0x3F));
        return 3;
    }
    bytes[0] = (uint8_t)(0xF0 | value >> 18);
    bytes[1] = (uint8_t)(0x80 | (value >> 12 & 0x3F));
    bytes[2] = (uint8_t)(0x80 | (value >> 6 & 0x3F));
    bytes[3] = (uint8_t)(0x80 | (value & 0x3F));
    return 4;
}

static bool is_scalar(uint32_t value)
{
    return value < 0xD800 || (value > 0xDFFF && value <= 0x10FFFF);
}

START_TEST(every_code_point_is_read_back_and_surrogates_are_not_valid)
{
    for (uint32_t value = 0; value <= 0x1FFFFF; value++) {
        uint8_t bytes[4];
        size_t size = encode(value, bytes);
        struct trace_code_point point = trace_utf8_next((const char *)bytes, size);

        bool is_right = is_scalar(value)
                            ? point.is_valid && point.value == value && point.size == size
                            : !point.is_valid;

        if (!is_right) /* an assertion that holds is slow a million times */
            ck_abort_msg("U+%04X", value);
    }
}
END_TEST

/* Which bytes begin the encoding of some code point: one flag for each start of 1, 2 and 3. */
static uint8_t *make_starts(void)
{
    uint8_t *starts = calloc(1, 1 << 24);

    ck_assert_ptr_nonnull(starts);
    for (uint32_t value = 0; value <= 0x10FFFF; value++) {
        uint8_t bytes[4];
        uint32_t start = 0;
        size_t size = encode(value, bytes);

        if (!is_scalar(value))
            continue;
        for (size_t i = 0; i + 1 < size; i++) {
            start = start << 8 | bytes[i];
            starts[start] |= (uint8_t)(1u << i);
        }
    }
    return starts;
}

/* All sequences of three bytes: what is not valid is taken up to where it could not go on. */
START_TEST(broken_sequences_end_where_no_code_point_could_go_on)
{
    uint8_t *starts = make_starts();

    for (uint32_t value = 0x800000; value < 0x1000000; value++) {
        uint8_t bytes[3] = {(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
        struct trace_code_point point = trace_utf8_next((const char *)bytes, 3);
        uint32_t size = 1;

        if (point.is_valid)
            continue; /* the test above */
        if ((starts[bytes[0] << 8 | bytes[1]] & 2) != 0)
            size = (starts[value] & 4) != 0 ? 3 : 2;
        if (point.value != TRACE_REPLACEMENT || point.size != size)
            ck_abort_msg("%06x: %u bytes, not %u", value, point.size, size);
    }
    free(starts);
}
END_TEST

START_TEST(a_cut_sequence_is_one_broken_one)
{
    ck_assert_uint_eq(trace_utf8_next("\xF0\x9F\x98", 3).size, 3);
    ck_assert(!trace_utf8_next("\xF0\x9F\x98", 3).is_valid);
    ck_assert_uint_eq(trace_utf8_next("\xC3\xA9", 1).size, 1);
    ck_assert(!trace_utf8_next("\xC3\xA9", 1).is_valid);
}
END_TEST

START_TEST(a_text_is_valid_when_all_of_it_is)
{
    ck_assert(trace_utf8_is_valid("", 0));
    ck_assert(trace_utf8_is_valid("a\0b", 3));
    ck_assert(trace_utf8_is_valid("na\xC3\xAFve \xF0\x9F\x98\x80", 11));
    ck_assert(!trace_utf8_is_valid("na\xC3\xAFve \xF0\x9F\x98\x80", 10));
    ck_assert(!trace_utf8_is_valid("\xC0\x80", 2)); /* NUL in two bytes */
    ck_assert(!trace_utf8_is_valid("\xFF", 1));
}
END_TEST

START_TEST(width_counts_columns_of_a_terminal)
{
    ck_assert_uint_eq(trace_utf8_width("Step", 4), 4);
    ck_assert_uint_eq(trace_utf8_width("\xC3\x89", 2), 1);                 /* E with an accent */
    ck_assert_uint_eq(trace_utf8_width("E\xCC\x81", 3), 1);                /* the same from two */
    ck_assert_uint_eq(trace_utf8_width("\xE6\x97\xA5\xE6\x9C\xAC", 6), 4); /* two ideographs */
    ck_assert_uint_eq(trace_utf8_width("\xF0\x9F\x98\x80", 4), 2);         /* emoji */
    ck_assert_uint_eq(trace_utf8_width("\xFF", 1), 1);                     /* its replacement */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("utf8");
    TCase *tests = tcase_create("utf8");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_code_point_is_read_back_and_surrogates_are_not_valid);
    tcase_add_test(tests, broken_sequences_end_where_no_code_point_could_go_on);
    tcase_add_test(tests, a_cut_sequence_is_one_broken_one);
    tcase_add_test(tests, a_text_is_valid_when_all_of_it_is);
    tcase_add_test(tests, width_counts_columns_of_a_terminal);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
