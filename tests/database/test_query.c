/* One statement that reads is answered in every format; everything else is refused, and changes
 * nothing. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample_model.h"
#include "trace.h"

/* Output in memory; fails at `limit` bytes. */
struct memory {
    char bytes[262144];
    size_t size;
    size_t limit;
};

static struct memory memory;
static const char *database;

static enum ludus_status remember(void *context, const char *bytes, size_t size)
{
    (void)context;
    if (size > memory.limit - memory.size)
        return LUDUS_ERROR_WRITE;
    memcpy(memory.bytes + memory.size, bytes, size);
    memory.size += size;
    memory.bytes[memory.size] = '\0';
    return LUDUS_OK;
}

static enum ludus_status ask(const char *sql, enum trace_format format, struct ludus_error *error)
{
    struct trace_output output = {NULL, remember};

    memory.size = 0;
    memory.bytes[0] = '\0';
    memory.limit = sizeof memory.bytes - 1;
    return trace_query(database, sql, NULL, format, output, NULL, error);
}

static void assert_answer(const char *sql, enum trace_format format, const char *answer)
{
    struct ludus_error error = {LUDUS_OK, ""};
    enum ludus_status status = ask(sql, format, &error);

    ck_assert_msg(status == LUDUS_OK, "%s: %s", sql, error.message);
    ck_assert_str_eq(memory.bytes, answer);
}

static void assert_refused(const char *sql, const char *part)
{
    struct ludus_error error = {LUDUS_OK, ""};

    ck_assert_msg(ask(sql, TRACE_FORMAT_CSV, &error) == LUDUS_ERROR_SQL, "%s", sql);
    ck_assert_msg(strstr(error.message, part) != NULL, "%s: %s", sql, error.message);
    ck_assert_ptr_null(strchr(error.message, '\n'));
    ck_assert_uint_eq(memory.size, 0);
}

static void make_database(void)
{
    struct trace_model *model = sample_model_create();

    database = sample_path("query.db");
    sample_import(&model, 1, database);
    trace_model_destroy(model);
}

#define VALUES                                                                                     \
    "SELECT 1 AS n, 'a,\"b\"' AS t, NULL AS z, 0.5 AS r, x'00ff' AS b, 9e999 AS i, "               \
    "'x|y' || char(10) || 'z' AS m"

START_TEST(values_in_json)
{
    assert_answer(VALUES, TRACE_FORMAT_JSON,
                  "{\n \"report\":\"query\",\n \"version\":1,\n"
                  " \"columns\":[\"n\",\"t\",\"z\",\"r\",\"b\",\"i\",\"m\"],\n \"rows\":[\n"
                  "  {\"n\":1,\"t\":\"a,\\\"b\\\"\",\"z\":null,\"r\":0.5,\"b\":\"00ff\",\"i\":null,"
                  "\"m\":\"x|y\\u000az\"}\n ]\n}\n");
    assert_answer("SELECT 1 AS a WHERE 0", TRACE_FORMAT_JSON,
                  "{\n \"report\":\"query\",\n \"version\":1,\n \"columns\":[\"a\"],\n"
                  " \"rows\":[]\n}\n");
}
END_TEST

START_TEST(values_in_csv)
{
    assert_answer(VALUES, TRACE_FORMAT_CSV,
                  "n,t,z,r,b,i,m\r\n1,\"a,\"\"b\"\"\",,0.5,00ff,,\"x|y\nz\"\r\n");
    assert_answer("SELECT '' AS a, NULL AS b WHERE 1", TRACE_FORMAT_CSV, "a,b\r\n\"\",\r\n");
    assert_answer("SELECT 1 AS a WHERE 0", TRACE_FORMAT_CSV, "a\r\n");
}
END_TEST

START_TEST(values_in_markdown)
{
    assert_answer(VALUES, TRACE_FORMAT_MARKDOWN,
                  "| n | t | z | r | b | i | m |\n|---|---|---|---|---|---|---|\n"
                  "| 1 | a,\"b\" | - | 0.5 | 00ff | - | x\\|y\\\\nz |\n");
}
END_TEST

START_TEST(values_in_a_table)
{
    assert_answer("SELECT name, known_ns AS ns FROM slice JOIN site USING (site_id) WHERE "
                  "slice_id IN (1, 2, 4)",
                  TRACE_FORMAT_TABLE,
                  "name           ns\nFrame         900\nPhysics/Step  300\nFrame         500\n");
    assert_answer("SELECT 'a' AS name, 1 AS b WHERE 0", TRACE_FORMAT_TABLE, "name  b\n(no rows)\n");
}
END_TEST

START_TEST(columns_of_one_name_are_told_apart)
{
    assert_answer("SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a", TRACE_FORMAT_CSV,
                  "a,a_2,a_2_2,a_3\r\n1,2,3,4\r\n");
}
END_TEST

/* More rows than are measured, and more bytes than are collected before they are sent. */
START_TEST(all_rows_come_in_every_format)
{
    static const char sql[] = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c "
                              "WHERE i < 12000) SELECT i FROM c";
    static const enum trace_format formats[] = {TRACE_FORMAT_TABLE, TRACE_FORMAT_JSON,
                                                TRACE_FORMAT_CSV, TRACE_FORMAT_MARKDOWN};

    for (size_t f = 0; f < 4; f++) {
        struct ludus_error error;
        unsigned lines = 0;

        ck_assert_int_eq(ask(sql, formats[f], &error), LUDUS_OK);
        for (const char *at = memory.bytes; (at = strchr(at, '\n')) != NULL; at++)
            lines++;
        ck_assert_uint_ge(lines, 12001);
        ck_assert_ptr_nonnull(strstr(memory.bytes, "12000"));
    }
}
END_TEST

START_TEST(what_only_reads_is_allowed)
{
    assert_answer("SELECT count(*) AS n FROM pragma_table_info('slice');", TRACE_FORMAT_CSV,
                  "n\r\n15\r\n");
    assert_answer("SELECT sum(value) AS n FROM json_each('[1, 2]')", TRACE_FORMAT_CSV,
                  "n\r\n3\r\n");
    assert_answer("-- a comment\nSELECT 1 AS a; -- another\n ; ", TRACE_FORMAT_CSV, "a\r\n1\r\n");
    assert_answer("; SELECT 1 AS a", TRACE_FORMAT_CSV, "a\r\n1\r\n");
    assert_answer("WITH x(a) AS (VALUES (1), (2)) SELECT sum(a) OVER () AS s FROM x LIMIT 1",
                  TRACE_FORMAT_CSV, "s\r\n3\r\n");
    assert_answer("SELECT max(frame) AS m FROM (SELECT rank() OVER (ORDER BY number) AS frame FROM "
                  "frame)",
                  TRACE_FORMAT_CSV, "m\r\n4\r\n");
    assert_answer("SELECT count(*) > 0 AS n FROM sqlite_schema", TRACE_FORMAT_CSV, "n\r\n1\r\n");
}
END_TEST

static const struct {
    const char *sql;
    const char *part; /* of the message */
} refused[] = {
    {"INSERT INTO fact VALUES (1, 'a', 'b')", "writing is not allowed"},
    {"WITH x(a) AS (VALUES (1)) INSERT INTO fact SELECT a, a, a FROM x", "writing is not allowed"},
    {"INSERT INTO fact VALUES (1, 'a', 'b') RETURNING key", "writing is not allowed"},
    {"UPDATE slice SET depth = 0", "writing is not allowed"},
    {"DELETE FROM slice", "writing is not allowed"},
    {"CREATE TABLE t (a)", "writing is not allowed"},
    {"CREATE TEMP TABLE t (a)", "writing is not allowed"},
    {"CREATE TEMP VIEW v AS SELECT 1", "writing is not allowed"},
    {"CREATE VIRTUAL TABLE t USING fts5(a)", "not allowed"},
    {"CREATE INDEX i ON slice (depth)", "writing is not allowed"},
    {"DROP TABLE slice", "writing is not allowed"},
    {"ALTER TABLE slice ADD COLUMN a", "writing is not allowed"},
    {"ANALYZE", "not allowed"},
    {"REINDEX", "not allowed"},
    {"VACUUM", "not allowed"},
    {"ATTACH '/tmp/other.db' AS other", "ATTACH or DETACH is not allowed"},
    {"ATTACH ':memory:' AS other", "not allowed"},
    {"DETACH main", "not allowed"},
    {"BEGIN", "a transaction is not allowed"},
    {"BEGIN IMMEDIATE", "a transaction is not allowed"},
    {"COMMIT", "a transaction is not allowed"},
    {"SAVEPOINT a", "a transaction is not allowed"},
    {"PRAGMA user_version = 5", "PRAGMA user_version is not allowed"},
    {"PRAGMA query_only = 0", "PRAGMA query_only is not allowed"},
    {"PRAGMA journal_mode = WAL", "not allowed"},
    {"PRAGMA temp_store_directory = '/tmp'", "not allowed"},
    {"SELECT * FROM pragma_journal_mode", "not allowed"},
    {"SELECT load_extension('x')", "the function load_extension is not allowed"},
    {"SELECT 1; SELECT 2", "give one statement"},
    {"SELECT 1; DROP TABLE slice", "give one statement"},
    {"SELECT 1; rubbish", "give one statement"},
    {"SELECT 1; '", "give one statement"},
    {"", "there is no statement"},
    {"  ; -- nothing\n;", "there is no statement"},
    {"SELECT * FROM slices", "no such table: slices;"},
    {"SELEC 1", "syntax error"},
    {"SELECT 'a", "unrecognized token"},
    {"SELECT nowhere FROM\nslice\nWHERE \"\n\" = 1", "no such column: nowhere (at byte 8)"},
    {"SELECT abs(-9223372036854775807 - 1)", "integer overflow"},
};

START_TEST(what_does_more_than_reading_is_refused)
{
    char command[600];

    assert_refused(refused[_i].sql, refused[_i].part);
    ck_assert_str_eq(sample_ask(database, "SELECT count(*) FROM slice"), "6");
    ck_assert_uint_eq(sample_file_count(), 1);
    (void)snprintf(command, sizeof command, "EXPLAIN %s", refused[_i].sql);
    if (strstr(refused[_i].part, "writing is not allowed") != NULL)
        assert_refused(command, "not allowed");
}
END_TEST

START_TEST(vacuum_into_makes_no_file)
{
    char sql[300];

    (void)snprintf(sql, sizeof sql, "VACUUM INTO '%s'", sample_path("copy.db"));
    assert_refused(sql, "not allowed");
    ck_assert_uint_eq(sample_file_count(), 1);
}
END_TEST

START_TEST(output_that_fails_is_told)
{
    struct trace_output output = {NULL, remember};
    struct ludus_error error;

    memory.size = 0;
    memory.limit = 3;
    ck_assert_int_eq(trace_query(database, "SELECT name FROM site", NULL, TRACE_FORMAT_CSV, output,
                                 NULL, &error),
                     LUDUS_ERROR_WRITE);
    memory.limit = 66000;
    ck_assert_int_eq(trace_query(database,
                                 "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) "
                                 "SELECT i FROM c",
                                 NULL, TRACE_FORMAT_CSV, output, NULL, &error),
                     LUDUS_ERROR_WRITE);
}
END_TEST

START_TEST(inputs_that_are_no_database_are_told)
{
    struct trace_output output = {NULL, remember};
    struct ludus_error error;

    ck_assert_int_eq(
        trace_query("/nonexistent", "SELECT 1", NULL, TRACE_FORMAT_CSV, output, NULL, &error),
        LUDUS_ERROR_OPEN);
    ck_assert_int_eq(trace_query("/tmp", "SELECT 1", NULL, TRACE_FORMAT_CSV, output, NULL, &error),
                     LUDUS_ERROR_OPEN);
    ck_assert_int_eq(
        trace_query("/dev/null", "SELECT 1", NULL, TRACE_FORMAT_CSV, output, NULL, &error),
        LUDUS_ERROR_OPEN);
    ck_assert_int_eq(
        trace_query(database, "SELECT 1", "kept.db", TRACE_FORMAT_CSV, output, NULL, &error),
        LUDUS_ERROR_ARGUMENT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("query");
    TCase *tests = tcase_create("query");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, make_database, sample_remove);
    tcase_add_test(tests, values_in_json);
    tcase_add_test(tests, values_in_csv);
    tcase_add_test(tests, values_in_markdown);
    tcase_add_test(tests, values_in_a_table);
    tcase_add_test(tests, columns_of_one_name_are_told_apart);
    tcase_add_test(tests, all_rows_come_in_every_format);
    tcase_add_test(tests, what_only_reads_is_allowed);
    tcase_add_loop_test(tests, what_does_more_than_reading_is_refused, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_test(tests, vacuum_into_makes_no_file);
    tcase_add_test(tests, output_that_fails_is_told);
    tcase_add_test(tests, inputs_that_are_no_database_are_told);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
