/* Files that are no databases of ours, and databases that were changed by hand, are errors. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "database.h"
#include "sample_model.h"

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *connection;

    ck_assert_int_eq(sqlite3_open(path, &connection), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(connection, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(connection), SQLITE_OK);
}

static enum ludus_status try_open(const char *path, struct ludus_error *error)
{
    struct trace_database *database;
    enum ludus_status status = trace_database_open(path, &database, error);

    trace_database_close(database);
    return status;
}

START_TEST(files_that_are_not_ours_are_refused)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("not-ours.db");
    struct ludus_error error;
    FILE *file;

    ck_assert_int_eq(try_open(sample_path("missing.db"), &error), LUDUS_ERROR_OPEN);
    ck_assert_ptr_nonnull(strstr(error.message, "No such file"));
    ck_assert_int_eq(try_open("/tmp", &error), LUDUS_ERROR_OPEN);

    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(try_open(path, &error), LUDUS_ERROR_FORMAT); /* empty */
    run_sql(path, "CREATE TABLE slice (a)");
    ck_assert_int_eq(try_open(path, &error), LUDUS_ERROR_FORMAT); /* somebody else's */
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 4096; i++)
        ck_assert_int_ge(fputs("not a database ", file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(try_open(path, &error), LUDUS_ERROR_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, path));

    ck_assert_int_eq(remove(path), 0);
    sample_import(&model, 1, path);
    run_sql(path, "PRAGMA user_version = 1");
    ck_assert_int_eq(try_open(path, &error), LUDUS_ERROR_VERSION);
    ck_assert_ptr_nonnull(strstr(error.message, "an older ludus-trace"));
    ck_assert_ptr_nonnull(strstr(error.message, "import the captures again"));
    run_sql(path, "PRAGMA user_version = 4711");
    ck_assert_int_eq(try_open(path, &error), LUDUS_ERROR_VERSION);
    ck_assert_ptr_nonnull(strstr(error.message, "use a newer ludus-trace"));
    trace_model_destroy(model);
}
END_TEST

/* What reports index arrays with is checked, so that a database that was changed by hand is an
 * error and not a crash. */
static const char *const changes[] = {
    "UPDATE site SET category_id = 99",
    "UPDATE path SET site_id = 99 WHERE path_id = 2",
    "UPDATE path SET site_id = NULL WHERE path_id = 2",
    "UPDATE path SET parent_path_id = 5 WHERE path_id = 2",
    "UPDATE path SET depth = -1",
    "UPDATE site_stats SET site_id = 0",
    "UPDATE site_stats SET track_id = 3",
    "UPDATE path_stats SET path_id = 6",
    "UPDATE domain SET frames = 5",
    "UPDATE site SET identity = 'none'",
    "UPDATE loss SET track_id = -1",
    "DROP TABLE capture_trigger",
    "UPDATE track SET recorded_id = 5000000000",
    "UPDATE track SET sampled_ns = -1",
    "UPDATE capture SET machine_run_ns = -1",
    "DROP TABLE damage",
    "DROP TABLE gpu_stats",
    "INSERT INTO gpu_stats VALUES (1, 1, 99, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0)",
    ("INSERT INTO counter VALUES (1, 1, 1, 'a', 'gauge');"
     "INSERT INTO counter_stats VALUES (1, 1, 1, 1, 2, NULL, NULL, NULL, NULL, NULL, NULL)"),
};

START_TEST(values_that_cannot_be_right_are_damage)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("changed.db");
    struct trace_database *database;
    struct ludus_error error;

    sample_import(&model, 1, path);
    trace_model_destroy(model);
    run_sql(path, "PRAGMA ignore_check_constraints = 1");
    if (strstr(changes[_i], "NULL") != NULL)
        run_sql(path, "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, "
                      "'site_id INTEGER NOT NULL', 'site_id INTEGER         ')");
    run_sql(path, changes[_i]);
    ck_assert_int_eq(trace_database_open(path, &database, &error), LUDUS_OK);
    ck_assert_msg(trace_database_model(database, 0, &model, &error) == LUDUS_ERROR_FORMAT, "%s",
                  changes[_i]);
    ck_assert_ptr_null(model);
    ck_assert_ptr_nonnull(strstr(error.message, path));
    ck_assert_ptr_nonnull(strstr(error.message, strstr(changes[_i], "DROP") != NULL
                                                    ? "no such table"
                                                    : "its rows do not fit together"));
    trace_database_close(database);
}
END_TEST

START_TEST(a_database_of_no_capture_says_so)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("changed.db");
    struct trace_database *database;
    struct ludus_error error;

    sample_import(&model, 1, path);
    trace_model_destroy(model);
    run_sql(path, "DELETE FROM capture");
    ck_assert_int_eq(trace_database_open(path, &database, &error), LUDUS_OK);
    ck_assert_int_eq(trace_database_model(database, 0, &model, &error), LUDUS_ERROR_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "holds no capture"));
    trace_database_close(database);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("refused databases");
    TCase *cases = tcase_create("refused databases");
    tcase_add_checked_fixture(cases, NULL, sample_remove);
    tcase_add_test(cases, files_that_are_not_ours_are_refused);
    tcase_add_loop_test(cases, values_that_cannot_be_right_are_damage, 0,
                        (int)(sizeof changes / sizeof *changes));
    tcase_add_test(cases, a_database_of_no_capture_says_so);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
