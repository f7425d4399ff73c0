/* A database appears only when it is complete, and a failure leaves nothing behind. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "database_writer.h"
#include "sample_model.h"
#include "trace.h"

/* Begins like a database of captures: nothing else is replaced. */
#define HEADER_SIZE 72u
static const unsigned char header[HEADER_SIZE] = {'S', 'Q', 'L',        'i', 't', 'e', ' ',
                                                  'f', 'o', 'r',        'm', 'a', 't', ' ',
                                                  '3', 0,   [68] = 'L', 'C', 'A', 'P'};

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(header, 1, HEADER_SIZE, file), HEADER_SIZE);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void assert_content(const char *path, const char *text)
{
    char content[64] = "";
    FILE *file = fopen(path, "r");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, HEADER_SIZE, SEEK_SET), 0);
    ck_assert_ptr_nonnull(fgets(content, sizeof content, file));
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(content, text);
}

START_TEST(target_is_replaced_only_when_the_database_is_complete)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("game.db");
    struct trace_database_writer *writer;
    struct trace_visitor visitor;
    struct ludus_error error;

    write_file(path, "the old one");
    ck_assert_int_eq(trace_database_writer_open(path, NULL, &writer, &error), LUDUS_OK);
    trace_database_writer_begin(writer, &visitor, &error);
    ck_assert_int_eq(visitor.slices(visitor.context, model, sample_slices, SAMPLE_SLICES),
                     LUDUS_OK);
    ck_assert_int_eq(trace_database_writer_end(writer, model, "game.lcap", &error), LUDUS_OK);
    assert_content(path, "the old one");
    ck_assert_int_eq(trace_database_writer_commit(writer, &error), LUDUS_OK);
    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM slice"), "6");
    trace_database_writer_close(writer);
    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM slice"), "6");
    ck_assert_uint_eq(sample_file_count(), 1);
    trace_model_destroy(model);
}
END_TEST

START_TEST(closing_without_commit_leaves_everything_as_it_was)
{
    const char *path = sample_path("game.db");
    struct trace_database_writer *writer;
    struct ludus_error error;

    write_file(path, "the old one");
    ck_assert_int_eq(trace_database_writer_open(path, NULL, &writer, &error), LUDUS_OK);
    ck_assert_uint_eq(sample_file_count(), 2);
    trace_database_writer_close(writer);
    ck_assert_uint_eq(sample_file_count(), 1);
    assert_content(path, "the old one");
}
END_TEST

START_TEST(link_is_followed_and_stays)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("real.db");
    const char *link_path = sample_path("link.db");
    struct stat facts;

    write_file(path, "the old one");
    ck_assert_int_eq(symlink("real.db", link_path), 0);
    sample_import(&model, 1, link_path);
    ck_assert_int_eq(lstat(link_path, &facts), 0);
    ck_assert(S_ISLNK(facts.st_mode));
    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM slice"), "6");
    trace_model_destroy(model);
}
END_TEST

static void assert_refused(const char *path, const char *part)
{
    struct trace_database_writer *writer;
    struct ludus_error error;

    ck_assert_int_eq(trace_database_writer_open(path, NULL, &writer, &error), LUDUS_ERROR_WRITE);
    ck_assert_ptr_null(writer);
    ck_assert_ptr_nonnull(strstr(error.message, path));
    ck_assert_msg(strstr(error.message, part) != NULL, "%s", error.message);
    ck_assert_ptr_null(strchr(error.message, '\n'));
}

START_TEST(places_that_cannot_be_written_are_refused_at_once)
{
    const char *path = sample_path("a-file");

    write_file(path, "text");
    assert_refused("/nonexistent/folder/game.db", "No such file");
    assert_refused("/tmp", "Is a directory");
    assert_refused("/dev/null", "not a regular file");
    assert_refused(sample_path("a-file/game.db"), "Not a directory");
    assert_refused("/proc/game.db", "No such file");
}
END_TEST

/* Runs out of space after so many bytes. */
static void import_limited(const char *path, rlim_t limit_bytes, uint64_t rows)
{
    struct trace_model *model = sample_model_create();
    struct trace_database_writer *writer = NULL;
    struct trace_visitor visitor;
    struct rlimit before;
    struct rlimit limit;
    struct ludus_error error;
    enum ludus_status status;

    ck_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){limit_bytes, before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    status = trace_database_writer_open(path, NULL, &writer, &error);
    if (status == LUDUS_OK) {
        struct trace_slice slice = sample_slices[0];

        trace_database_writer_begin(writer, &visitor, &error);
        for (uint64_t i = 0; i < rows && status == LUDUS_OK; i++) {
            slice.slice_id = i + 1;
            slice.begin_ns = (int64_t)(i * 1000000);
            status = visitor.slices(visitor.context, model, &slice, 1);
        }
    }
    if (status == LUDUS_OK)
        status = trace_database_writer_end(writer, model, "game.lcap", &error);
    if (status == LUDUS_OK)
        status = trace_database_writer_commit(writer, &error);
    trace_database_writer_close(writer);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(status, LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, path));
    ck_assert_ptr_nonnull(strstr(error.message, "nothing was left behind"));
    ck_assert_ptr_null(strchr(error.message, '\n'));
    trace_model_destroy(model);
}

/* The last case is larger than the page cache, so that the rows do not even get in. */
static const struct {
    rlim_t limit_bytes;
    uint64_t rows;
} spaces[] = {{0, 100}, {10000, 100}, {1000000, 50000}, {10000000, 1500000}};

START_TEST(no_space_is_an_error_that_leaves_nothing_behind)
{
    const char *path = sample_path("game.db");

    write_file(path, "the old one");
    import_limited(path, spaces[_i].limit_bytes, spaces[_i].rows);
    ck_assert_uint_eq(sample_file_count(), 1);
    assert_content(path, "the old one");
}
END_TEST

START_TEST(import_refuses_what_is_not_a_capture_and_makes_no_file)
{
    struct trace_model *model = sample_model_create();
    const char *database = sample_path("a.db");
    const char *text = sample_path("text");
    const char *path = sample_path("new.db");
    const char *missing = "/nonexistent/game.lcap";
    const char *folder = "/tmp";
    struct ludus_error error;

    sample_import(&model, 1, database);
    write_file(text, "hello");
    ck_assert_int_eq(trace_import(&database, 1, NULL, path, NULL, &error), LUDUS_ERROR_FORMAT);
    ck_assert_ptr_nonnull(strstr(error.message, "is a database; give"));
    ck_assert_int_eq(trace_import(&text, 1, NULL, path, NULL, &error), LUDUS_ERROR_FORMAT);
    ck_assert_int_eq(trace_import(&missing, 1, NULL, path, NULL, &error), LUDUS_ERROR_OPEN);
    ck_assert_int_eq(trace_import(&folder, 1, NULL, path, NULL, &error), LUDUS_ERROR_OPEN);
    ck_assert_int_eq(trace_import(NULL, 0, NULL, path, NULL, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_uint_eq(sample_file_count(), 2);
    trace_model_destroy(model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("database writer");
    TCase *tests = tcase_create("writer");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, NULL, sample_remove);
    tcase_add_test(tests, target_is_replaced_only_when_the_database_is_complete);
    tcase_add_test(tests, closing_without_commit_leaves_everything_as_it_was);
    tcase_add_test(tests, link_is_followed_and_stays);
    tcase_add_test(tests, places_that_cannot_be_written_are_refused_at_once);
    tcase_add_loop_test(tests, no_space_is_an_error_that_leaves_nothing_behind, 0,
                        (int)(sizeof spaces / sizeof *spaces));
    tcase_add_test(tests, import_refuses_what_is_not_a_capture_and_makes_no_file);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
