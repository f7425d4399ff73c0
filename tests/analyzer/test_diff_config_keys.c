/* The schema of a comparison's configuration is that of its reader. */
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "diff_config_keys.h"
#include "schemas.h"

/* Of the schema: the properties of an object. */
static const json_t *properties_of(const json_t *schema, enum trace_config_object object)
{
    static const char *const lists[] = {"scopes", "categories", "gpu", "counters"};
    const json_t *properties = json_object_get(schema, "properties");
    if (object == TRACE_CONFIG_FRAME)
        properties = json_object_get(json_object_get(properties, "frame"), "properties");
    for (unsigned i = 0; i < TRACE_LIMIT_KINDS; i++)
        if (object == trace_config_object_of((enum trace_limit_kind)i))
            properties = json_object_get(
                json_object_get(json_object_get(properties, lists[i]), "additionalProperties"),
                "properties");
    return properties;
}

/* The default that the schema tells of a number is the one that holds without a file. */
static void expect_default(const struct trace_config_key *key, const json_t *property,
                           const void *field)
{
    const json_t *told = json_object_get(property, "default");
    double held =
        key->kind == TRACE_CONFIG_COUNT ? (double)*(const uint64_t *)field : *(const double *)field;
    if (told == NULL)
        ck_assert_msg(isnan(held), "%s has a default of %g", key->name, held);
    else
        ck_assert_double_eq(trace_config_stored(key, json_number_value(told)), held);
}

static void expect_property(const struct trace_config_key *key, const json_t *property)
{
    static const char *const types[] = {
        [TRACE_CONFIG_REAL] = "number",  [TRACE_CONFIG_COUNT] = "integer",
        [TRACE_CONFIG_FLAG] = "boolean", [TRACE_CONFIG_NOTE] = "string",
        [TRACE_CONFIG_TEXT] = "string",  [TRACE_CONFIG_WINDOW] = "string",
        [TRACE_CONFIG_WORDS] = "array",  [TRACE_CONFIG_FRAMES] = "object",
        [TRACE_CONFIG_LIST] = "object"};
    ck_assert_msg(property != NULL, "the schema has no %s", key->name);
    ck_assert_str_eq(json_string_value(json_object_get(property, "type")), types[key->kind]);
    ck_assert_uint_gt(json_string_length(json_object_get(property, "description")), 10);
    if (key->kind != TRACE_CONFIG_REAL && key->kind != TRACE_CONFIG_COUNT)
        return;
    ck_assert_double_eq(json_number_value(json_object_get(property, "minimum")), key->minimum);
    ck_assert_double_eq(json_number_value(json_object_get(property, "maximum")), key->maximum);
}

static void expect_same_keys(const json_t *schema, enum trace_config_object object)
{
    struct trace_diff_config config;
    const json_t *properties = properties_of(schema, object);
    bool is_general = object == TRACE_CONFIG_ROOT || object == TRACE_CONFIG_FRAME;
    size_t count = 0;
    trace_diff_config_set_default(&config);
    for (size_t i = 0; i < TRACE_LIMIT_KEYS + TRACE_CONFIG_KEYS; i++) {
        bool is_limit = i < TRACE_LIMIT_KEYS;
        const struct trace_config_key *key =
            is_limit ? &trace_limit_keys[i] : &trace_config_keys[i - TRACE_LIMIT_KEYS];
        const char *target = is_limit ? (const char *)&config.limits : (const char *)&config;
        const json_t *property = json_object_get(properties, key->name);
        if ((key->objects & object) == 0)
            continue;
        count++;
        expect_property(key, property);
        if (is_general && (key->kind == TRACE_CONFIG_REAL || key->kind == TRACE_CONFIG_COUNT))
            expect_default(key, property, target + key->offset);
    }
    ck_assert_uint_eq(count, json_object_size(properties));
}

START_TEST(the_schema_has_the_keys_ranges_and_defaults_of_the_reader)
{
    json_t *schema = json_loads(ludus_schema_diff_config(), JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(schema);
    for (unsigned object = TRACE_CONFIG_ROOT; object <= TRACE_CONFIG_COUNTER; object <<= 1)
        expect_same_keys(schema, (enum trace_config_object)object);
    json_decref(schema);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("diff config keys");
    TCase *tests = tcase_create("diff config keys");
    tcase_add_test(tests, the_schema_has_the_keys_ranges_and_defaults_of_the_reader);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
