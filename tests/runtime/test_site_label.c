/* Names and categories are taken apart as they were written, whatever stands in them. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <ludus/gpu_samples.h>

#include "site_label.h"

static const struct {
    const char *label;
    const char *name;
    const char *category;
} cases_of_labels[] = {
    {"", "", ""},
    {"Name", "Name", ""},
    {"Name, LUDUS_PROFILE_CAT(Cat)", "Name", "Cat"},
    {"Name,LUDUS_PROFILE_CAT( Two words )", "Name", "Two words"},
    {"Name , LUDUS_PROFILE_CAT (Cat) ", "Name", "Cat"},
    {"LUDUS_PROFILE_CAT(Cat)", "", "Cat"},
    {", LUDUS_PROFILE_CAT(Cat)", "", "Cat"},
    {"Name, LUDUS_PROFILE_CAT()", "Name", ""},
    {"a, b, c", "a, b, c", ""},
    {"a, b, LUDUS_PROFILE_CAT(f(x)(y))", "a, b", "f(x)(y)"},
    {"f(a, LUDUS_PROFILE_CAT(Cat))", "f(a, LUDUS_PROFILE_CAT(Cat))", ""},
    {"LUDUS_PROFILE_CAT(A), LUDUS_PROFILE_CAT(B)", "LUDUS_PROFILE_CAT(A)", "B"},
    {"LUDUS_PROFILE_CAT(Cat), Name", "LUDUS_PROFILE_CAT(Cat), Name", ""},
    {"MY_LUDUS_PROFILE_CAT(Cat)", "MY_LUDUS_PROFILE_CAT(Cat)", ""},
    {"Name, LUDUS_PROFILE_CATEGORY(Cat)", "Name, LUDUS_PROFILE_CATEGORY(Cat)", ""},
    {"Name, LUDUS_PROFILE_CAT", "Name, LUDUS_PROFILE_CAT", ""},
    {")", ")", ""},
    {"operator()", "operator()", ""},
};

START_TEST(labels_are_split_at_the_trailing_category_only)
{
    for (size_t i = 0; i < sizeof cases_of_labels / sizeof cases_of_labels[0]; i++) {
        const struct ludus_label_parts parts = ludus_label_split(cases_of_labels[i].label);
        const char *name = cases_of_labels[i].name;
        const char *category = cases_of_labels[i].category;
        ck_assert_msg(
            parts.name_size == strlen(name) && memcmp(parts.name, name, parts.name_size) == 0,
            "\"%s\": name \"%.*s\"", cases_of_labels[i].label, (int)parts.name_size, parts.name);
        ck_assert_msg(parts.category_size == strlen(category) &&
                          (parts.category_size == 0 ||
                           memcmp(parts.category, category, parts.category_size) == 0),
                      "\"%s\": category of %zu bytes", cases_of_labels[i].label,
                      parts.category_size);
    }
}
END_TEST

static void expect_site_name(const char *label, uint32_t form, const char *name)
{
    const struct ludus_site site = {label, "a.c", "Function", 1, form, 0, 0};
    uint32_t size;
    const char *text = ludus_gpu_site_name(&site, &size);
    ck_assert_uint_eq(size, strlen(name));
    ck_assert_mem_eq(text, name, size);
}

/* The function's name does not stand in for one that is empty. */
START_TEST(a_site_is_called_what_its_label_says_in_its_form)
{
    expect_site_name("Shadow/Cascade", LUDUS_SITE_PLAIN, "Shadow/Cascade");
    expect_site_name("A, b, LUDUS_PROFILE_CAT(Render)", LUDUS_SITE_PLAIN, "A, b");
    expect_site_name("Tiles, 3 * n, LUDUS_PROFILE_CAT(Render)", LUDUS_SITE_VALUED, "Tiles");
    expect_site_name("A, LUDUS_PROFILE_CAT(b)", LUDUS_SITE_DYNAMIC, "A, LUDUS_PROFILE_CAT(b)");
    expect_site_name("", LUDUS_SITE_PLAIN, "");
}
END_TEST

START_TEST(text_is_cut_between_characters)
{
    ck_assert_uint_eq(ludus_label_cut("abc", 3, 3), 3);
    ck_assert_uint_eq(ludus_label_cut("abc", 3, 2), 2);
    ck_assert_uint_eq(ludus_label_cut("a\xC3\xA4z", 4, 2), 1);
    ck_assert_uint_eq(ludus_label_cut("a\xC3\xA4z", 4, 3), 3);
    ck_assert_uint_eq(ludus_label_cut("\xF0\x9F\x98\x80z", 5, 3), 0);
    ck_assert_uint_eq(ludus_label_cut("\xF0\x9F\x98\x80z", 5, 4), 4);
    /* Not UTF-8: cut anywhere. */
    ck_assert_uint_eq(ludus_label_cut("\x80\x80\x80\x80\x80\x80\x80\x80", 8, 6), 6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("site label");
    TCase *cases = tcase_create("site label");
    tcase_add_test(cases, labels_are_split_at_the_trailing_category_only);
    tcase_add_test(cases, a_site_is_called_what_its_label_says_in_its_form);
    tcase_add_test(cases, text_is_cut_between_characters);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
