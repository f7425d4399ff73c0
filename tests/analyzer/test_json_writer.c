/* What the JSON writer writes is JSON, says what was given, and does not depend on the locale. A
 * JSON library reads it again. */
#include <check.h>
#include <float.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_writer.h"
#include "memory_sink.h"
#include "number_text.h"
#include "utf8.h"

/* Stand for a locale whose decimal point is U+066B, two bytes: the library is linked with these in
 * place of snprintf and strtod. */
static bool has_foreign_point;
double __real_strtod(const char *text, char **end);
double __wrap_strtod(const char *text, char **end);
int __wrap_snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int __wrap_snprintf(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    char *point;
    int written;

    va_start(arguments, format);
    written = vsnprintf(text, size, format, arguments);
    va_end(arguments);
    point = has_foreign_point ? strchr(text, '.') : NULL;
    if (point != NULL) {
        memmove(point + 2, point + 1, strlen(point + 1) + 1);
        memcpy(point, "\xD9\xAB", 2);
        written++;
    }
    return written;
}

double __wrap_strtod(const char *text, char **end)
{
    char plain[400];
    const char *point = has_foreign_point ? strstr(text, "\xD9\xAB") : NULL;

    if (point == NULL)
        return __real_strtod(text, end);
    ck_assert_uint_lt(strlen(text), sizeof plain);
    memcpy(plain, text, (size_t)(point - text));
    plain[point - text] = '.';
    memcpy(plain + (point - text) + 1, point + 2, strlen(point + 2) + 1);
    return __real_strtod(plain, end);
}

static struct memory_sink sink;
static struct trace_writer writer;
static struct trace_json json;

static void start(void)
{
    sink = memory_sink_make(SIZE_MAX);
    trace_writer_start(&writer, memory_sink_output(&sink));
    trace_json_start(&json, &writer);
}

static void expect(const char *text)
{
    ck_assert_int_eq(trace_writer_flush(&writer), LUDUS_OK);
    ck_assert_str_eq(sink.bytes, text);
    memory_sink_release(&sink);
}

START_TEST(commas_stand_between_members_and_nowhere_else)
{
    start();
    trace_json_begin_object(&json);
    trace_json_key(&json, "a");
    trace_json_begin_array(&json);
    trace_json_end_array(&json);
    trace_json_key(&json, "b");
    trace_json_begin_array(&json);
    trace_json_integer(&json, INT64_MIN);
    trace_json_begin_object(&json);
    trace_json_end_object(&json);
    trace_json_unsigned(&json, UINT64_MAX);
    trace_json_bool(&json, true);
    trace_json_bool(&json, false);
    trace_json_null(&json);
    trace_json_text(&json, NULL);
    trace_json_end_array(&json);
    trace_json_key_bytes(&json, "\"c\"", 3);
    trace_json_text(&json, "d");
    trace_json_end_object(&json);
    expect("{\"a\":[],\"b\":[-9223372036854775808,{},18446744073709551615,true,false,null,null],"
           "\"\\\"c\\\"\":\"d\"}");
}
END_TEST

START_TEST(breaks_start_lines_behind_the_comma)
{
    start();
    trace_json_begin_array(&json);
    trace_json_break(&json, 2);
    trace_json_integer(&json, 1);
    trace_json_break(&json, 2);
    trace_json_integer(&json, 2);
    trace_json_break(&json, 0);
    trace_json_end_array(&json);
    expect("[\n  1,\n  2\n]");
}
END_TEST

START_TEST(reals_have_their_decimals_in_every_locale)
{
    for (int i = 0; i < 2; i++) {
        has_foreign_point = i == 1;
        start();
        trace_json_begin_array(&json);
        trace_json_fixed(&json, 1234.5, 3);
        trace_json_fixed(&json, -0.04, 1); /* no negative zero */
        trace_json_fixed(&json, 2.5, 0);   /* ties to even, as the C library rounds */
        trace_json_fixed(&json, 1e21, 2);
        trace_json_fixed(&json, NAN, 2);
        trace_json_fixed(&json, INFINITY, 2);
        trace_json_real(&json, 0.1);
        trace_json_real(&json, 3);
        trace_json_real(&json, -INFINITY);
        trace_json_real(&json, 1e300);
        trace_json_real(&json, 1.5e-300);
        trace_json_end_array(&json);
        expect("[1234.500,0.0,2,1000000000000000000000.00,null,null,0.1,3.0,null,1e+300,1.5e-300]");
    }
    has_foreign_point = false;
}
END_TEST

START_TEST(the_largest_number_fits)
{
    char text[TRACE_NUMBER_SIZE];

    ck_assert_uint_eq(trace_format_fixed(-DBL_MAX, 9, text), 1 + 309 + 1 + 9);
}
END_TEST

/* xorshift64, from a fixed seed: a failure comes again. */
static uint64_t random_state = UINT64_C(0x9E3779B97F4A7C15);

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

START_TEST(reals_are_read_back_to_the_last_bit)
{
    for (int i = 0; i < 20000; i++) {
        char text[TRACE_NUMBER_SIZE];
        uint64_t bits = next_random();
        double value, again;
        size_t size;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        size = trace_format_shortest(value, text);
        text[size] = '\0';
        again = strtod(text, NULL);
        ck_assert_msg(memcmp(&again, &value, sizeof value) == 0, "%s", text);
    }
}
END_TEST

START_TEST(integers_are_those_of_the_c_library)
{
    for (int i = 0; i < 20000; i++) {
        char text[TRACE_NUMBER_SIZE], expected[32];
        uint64_t value = next_random() >> (next_random() & 63);

        text[trace_format_unsigned(value, text)] = '\0';
        (void)snprintf(expected, sizeof expected, "%" PRIu64, value);
        ck_assert_str_eq(text, expected);
        text[trace_format_integer(-(int64_t)(value >> 1), text)] = '\0';
        (void)snprintf(expected, sizeof expected, "%" PRId64, -(int64_t)(value >> 1));
        ck_assert_str_eq(text, expected);
    }
}
END_TEST

/* Every byte alone, in the words of RFC 8259. */
START_TEST(control_bytes_quotes_and_backslashes_are_escaped)
{
    start();
    trace_json_bytes(&json, "\0\x01\n\x1f\x7f\"\\/\xC3\xA9", 10);
    expect("\"\\u0000\\u0001\\u000a\\u001f\x7f\\\"\\\\/\xC3\xA9\"");
    ck_assert_uint_eq(json.replaced, 0);
}
END_TEST

START_TEST(broken_utf8_is_replaced_part_by_part_and_counted)
{
    start();
    /* The example of the Unicode Standard, table 3-8. */
    trace_json_bytes(&json, "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", 13);
    expect("\"a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
           "b\xEF\xBF\xBD"
           "c\xEF\xBF\xBD\xEF\xBF\xBD"
           "d\"");
    ck_assert_uint_eq(json.replaced, 6);
}
END_TEST

/* Bytes as they come in names: mostly ASCII, some of everything. */
static size_t make_bytes(char *bytes, size_t capacity)
{
    size_t size = (size_t)(next_random() % capacity);
    unsigned style = (unsigned)(next_random() % 3);

    for (size_t i = 0; i < size; i++) {
        uint64_t random = next_random();

        if (style == 0 || (style == 1 && random % 8 == 0))
            bytes[i] = (char)(random >> 8);
        else
            bytes[i] = "\xF0\x9F\x98\x80\xE6\x97\xA5\xC3\xA9\\\"\n aZ"[(random >> 8) % 15];
    }
    return size;
}

/* The same bytes with each broken part replaced, by a plain loop. */
static size_t replace_broken(const char *bytes, size_t size, char *fixed, uint64_t *replaced)
{
    size_t fixed_size = 0;

    *replaced = 0;
    for (size_t at = 0; at < size;) {
        struct trace_code_point point = trace_utf8_next(bytes + at, size - at);

        if (point.is_valid) {
            memcpy(fixed + fixed_size, bytes + at, point.size);
            fixed_size += point.size;
        } else {
            memcpy(fixed + fixed_size, TRACE_REPLACEMENT_UTF8, 3);
            fixed_size += 3;
            (*replaced)++;
        }
        at += point.size;
    }
    return fixed_size;
}

START_TEST(any_bytes_are_read_back_as_they_were)
{
    static char bytes[300], fixed[900];
    uint64_t valid_texts = 0;

    for (int i = 0; i < 20000; i++) {
        uint64_t replaced;
        size_t size = make_bytes(bytes, sizeof bytes);
        size_t fixed_size = replace_broken(bytes, size, fixed, &replaced);
        json_error_t why;
        json_t *read;

        start();
        trace_json_bytes(&json, bytes, size);
        ck_assert_int_eq(trace_writer_flush(&writer), LUDUS_OK);
        read = json_loadb(sink.bytes, sink.size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &why);
        ck_assert_msg(read != NULL, "round %d: %s", i, why.text);
        ck_assert_uint_eq(json_string_length(read), fixed_size);
        ck_assert_int_eq(memcmp(json_string_value(read), fixed, fixed_size), 0);
        ck_assert_uint_eq(json.replaced, replaced);
        valid_texts += replaced == 0;
        json_decref(read);
        memory_sink_release(&sink);
    }
    ck_assert_uint_gt(valid_texts, 100); /* lossless ones were among them */
}
END_TEST

START_TEST(texts_larger_than_the_buffer_pass_whole)
{
    size_t size = 3 * TRACE_WRITER_BYTES + 17;
    char *text = malloc(size);
    json_t *read;

    ck_assert_ptr_nonnull(text);
    memset(text, 'x', size);
    text[100] = '\n';
    start();
    trace_json_bytes(&json, text, size);
    ck_assert_int_eq(trace_writer_flush(&writer), LUDUS_OK);
    read = json_loadb(sink.bytes, sink.size, JSON_DECODE_ANY, NULL);
    ck_assert_ptr_nonnull(read);
    ck_assert_uint_eq(json_string_length(read), size);
    ck_assert_int_eq(memcmp(json_string_value(read), text, size), 0);
    json_decref(read);
    memory_sink_release(&sink);
    free(text);
}
END_TEST

/* The sink itself asserts that it is left alone after its failure. */
START_TEST(the_first_failure_stays)
{
    start();
    sink.limit = TRACE_WRITER_BYTES;
    trace_json_begin_array(&json);
    for (int i = 0; i < 100000; i++)
        trace_json_integer(&json, i);
    trace_json_end_array(&json);
    ck_assert_int_eq(trace_writer_flush(&writer), LUDUS_ERROR_WRITE);
    ck_assert(sink.has_failed);
    ck_assert_int_eq(trace_writer_flush(&writer), LUDUS_ERROR_WRITE);
    memory_sink_release(&sink);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_writer");
    TCase *tests = tcase_create("json_writer");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, commas_stand_between_members_and_nowhere_else);
    tcase_add_test(tests, breaks_start_lines_behind_the_comma);
    tcase_add_test(tests, reals_have_their_decimals_in_every_locale);
    tcase_add_test(tests, the_largest_number_fits);
    tcase_add_test(tests, reals_are_read_back_to_the_last_bit);
    tcase_add_test(tests, integers_are_those_of_the_c_library);
    tcase_add_test(tests, control_bytes_quotes_and_backslashes_are_escaped);
    tcase_add_test(tests, broken_utf8_is_replaced_part_by_part_and_counted);
    tcase_add_test(tests, any_bytes_are_read_back_as_they_were);
    tcase_add_test(tests, texts_larger_than_the_buffer_pass_whole);
    tcase_add_test(tests, the_first_failure_stays);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
