/* Names of GPU scopes: 1 to 127 bytes of UTF-8. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_name.h"

static bool is_good(const char *name)
{
    return ludus_gpu_name_is_good(name, strlen(name));
}

START_TEST(names_have_1_to_127_bytes)
{
    char name[140];
    memset(name, 'x', sizeof name);
    ck_assert(!ludus_gpu_name_is_good(name, 0));
    ck_assert(ludus_gpu_name_is_good(name, 1));
    ck_assert(ludus_gpu_name_is_good(name, 127));
    ck_assert(!ludus_gpu_name_is_good(name, 128));
    ck_assert(!ludus_gpu_name_is_good(name, sizeof name));
    memcpy(name + 125, "\xC3\xA9", 2);
    ck_assert(ludus_gpu_name_is_good(name, 127));
    ck_assert(!ludus_gpu_name_is_good(name, 126)); /* half a character */
}
END_TEST

START_TEST(names_are_utf8)
{
    ck_assert(is_good("Shadow/Cascade, 2 <near>"));
    ck_assert(is_good("\xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF"));
    ck_assert(is_good("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF"));
    static const char *const bad[] = {"\x80",
                                      "a\xBF",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xC3",
                                      "\xC3(",
                                      "\xE0\x9F\xBF",
                                      "\xED\xA0\x80",
                                      "\xE2\x82",
                                      "\xE2(\xA1",
                                      "\xE2\x82(",
                                      "\xE2\x82\xC0",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xF0\x9F\x98",
                                      "\xFF",
                                      "\xFE"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!is_good(bad[i]), "bad[%zu]", i);
    ck_assert(!ludus_gpu_name_is_good("a\0b", 3));
    /* Wherever a bad byte stands among good ones. */
    for (size_t size = 1; size < 24; size++) {
        for (size_t at = 0; at < size; at++) {
            char name[24];
            memset(name, 0x01, sizeof name);
            ck_assert(ludus_gpu_name_is_good(name, size));
            name[at] = 0;
            ck_assert(!ludus_gpu_name_is_good(name, size));
            name[at] = (char)0x80;
            ck_assert(!ludus_gpu_name_is_good(name, size));
        }
    }
}
END_TEST

START_TEST(texts_are_cut_at_a_character)
{
    char copy[LUDUS_GPU_LONGEST_NAME + 1];
    char text[160];
    ludus_gpu_name_copy(copy, NULL);
    ck_assert_str_eq(copy, "");
    ludus_gpu_name_copy(copy, "llvmpipe");
    ck_assert_str_eq(copy, "llvmpipe");
    memset(text, 'x', sizeof text);
    text[159] = 0;
    ludus_gpu_name_copy(copy, text);
    ck_assert_uint_eq(strlen(copy), 127);
    memcpy(text + 125, "\xE2\x82\xAC", 3); /* would lose its last byte */
    ludus_gpu_name_copy(copy, text);
    ck_assert_uint_eq(strlen(copy), 125);
    memset(text, 0x80, 159);
    ludus_gpu_name_copy(copy, text);
    ck_assert_uint_eq(strlen(copy), 127);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu name");
    TCase *cases = tcase_create("gpu name");
    tcase_add_test(cases, names_have_1_to_127_bytes);
    tcase_add_test(cases, names_are_utf8);
    tcase_add_test(cases, texts_are_cut_at_a_character);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
