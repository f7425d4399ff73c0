/* An output file is there when it is complete, and never before. */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace.h"

/* Stand between the library and the system, which is made to misbehave. */
static bool has_no_nameless; /* the file system has no files without a name */
static int next_write_errno; /* of the next write; 0: it works */
static bool writes_little;   /* three bytes at most */
static int rename_errno;
int __real_open(const char *path, int flags, ...);
ssize_t __real_write(int descriptor, const void *bytes, size_t size);
int __real_rename(const char *from, const char *to);
int __wrap_open(const char *path, int flags, mode_t mode);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t size);
int __wrap_rename(const char *from, const char *to);

int __wrap_open(const char *path, int flags, mode_t mode)
{
    if (has_no_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_open(path, flags, mode);
}

ssize_t __wrap_write(int descriptor, const void *bytes, size_t size)
{
    if (next_write_errno != 0) {
        errno = next_write_errno;
        next_write_errno = 0;
        return -1;
    }
    return __real_write(descriptor, bytes, writes_little && size > 3 ? 3 : size);
}

int __wrap_rename(const char *from, const char *to)
{
    if (rename_errno != 0) {
        errno = rename_errno;
        return -1;
    }
    return __real_rename(from, to);
}

static char folder[64];
static struct ludus_error error;

static void enter_folder(void)
{
    strcpy(folder, "/tmp/ludus-output-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chmod(folder, 0777), 0);
    ck_assert_int_eq(chdir(folder), 0);
}

static size_t count_entries(void)
{
    DIR *listing = opendir(".");
    size_t count = 0;

    ck_assert_ptr_nonnull(listing);
    while (readdir(listing) != NULL)
        count++;
    (void)closedir(listing);
    return count - 2; /* itself and its parent */
}

static void leave_folder(void)
{
    DIR *listing = opendir(".");
    struct dirent *entry;

    while (listing != NULL && (entry = readdir(listing)) != NULL)
        (void)unlink(entry->d_name);
    if (listing != NULL)
        (void)closedir(listing);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect_file(const char *path, const char *text)
{
    char bytes[256] = "";
    FILE *file = fopen(path, "r");

    ck_assert_ptr_nonnull(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    (void)fclose(file);
    ck_assert_str_eq(bytes, text);
}

static struct trace_output_file *open_output(const char *path)
{
    struct trace_output_file *file;

    ck_assert_int_eq(trace_output_file_open(path, NULL, &file, &error), LUDUS_OK);
    return file;
}

static enum ludus_status put(struct trace_output_file *file, const char *text)
{
    struct trace_output output = trace_output_file_sink(file);

    return output.write(output.context, text, strlen(text));
}

/* What a watch was told: a letter for each call, and the name that is there. */
struct told {
    char letters[16];
    size_t count;
    char name[256];
};

static void note(void *context, enum trace_temporary state, const char *path)
{
    struct told *told = context;

    ck_assert_uint_lt(told->count, sizeof told->letters - 1);
    told->letters[told->count++] = "CTG"[state];
    ck_assert(state != TRACE_TEMPORARY_IS_THERE || access(path, F_OK) == 0);
    ck_assert(state != TRACE_TEMPORARY_IS_GONE || access(path, F_OK) != 0);
    if (state == TRACE_TEMPORARY_IS_THERE)
        (void)snprintf(told->name, sizeof told->name, "%s", path);
    else if (state == TRACE_TEMPORARY_IS_GONE)
        ck_assert_str_eq(path, told->name);
}

/* Loop tests run twice: with files without a name (0), and where there are none (1). */
START_TEST(a_watch_knows_every_temporary_name)
{
    struct told told = {.count = 0};
    const struct trace_watch watch = {.context = &told, .temporary = note};
    struct trace_output_file *file;

    has_no_nameless = _i == 1;
    enter_folder();
    ck_assert_int_eq(trace_output_file_open("new.json", &watch, &file, &error), LUDUS_OK);
    ck_assert_str_eq(told.letters, _i == 1 ? "CT" : ""); /* the other one has no name yet */
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_OK);
    trace_output_file_close(file);
    ck_assert_str_eq(told.letters, "CTG");
    ck_assert_int_eq(trace_output_file_open("new.json", &watch, &file, &error), LUDUS_OK);
    trace_output_file_close(file);
    ck_assert_str_eq(told.letters, _i == 1 ? "CTGCTG" : "CTG");
    leave_folder();
}
END_TEST

START_TEST(a_file_appears_with_its_commit)
{
    struct stat facts;
    struct trace_output_file *file;
    mode_t mask = umask(027);

    has_no_nameless = _i == 1;
    enter_folder();
    file = open_output("new.json");
    ck_assert_int_eq(put(file, "hello "), LUDUS_OK);
    ck_assert_int_eq(access("new.json", F_OK), -1);
    ck_assert_uint_eq(count_entries(), (size_t)_i);
    ck_assert_int_eq(put(file, "world"), LUDUS_OK);
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_OK);
    trace_output_file_close(file);
    expect_file("new.json", "hello world");
    ck_assert_uint_eq(count_entries(), 1);
    ck_assert_int_eq(stat("new.json", &facts), 0);
    ck_assert_uint_eq(facts.st_mode & 0777, 0640);
    umask(mask);
    leave_folder();
}
END_TEST

START_TEST(a_file_that_is_there_stays_until_the_commit)
{
    struct trace_output_file *file;

    has_no_nameless = _i == 1;
    enter_folder();
    put_file("out.db", "old");
    file = open_output("out.db");
    ck_assert_int_eq(put(file, "half"), LUDUS_OK);
    trace_output_file_close(file);
    expect_file("out.db", "old");
    ck_assert_uint_eq(count_entries(), 1);

    file = open_output("out.db");
    ck_assert_int_eq(put(file, "new"), LUDUS_OK);
    expect_file("out.db", "old");
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_OK);
    trace_output_file_close(file);
    expect_file("out.db", "new");
    ck_assert_uint_eq(count_entries(), 1);
    leave_folder();
}
END_TEST

START_TEST(a_write_that_fails_leaves_nothing)
{
    struct trace_output_file *file;

    has_no_nameless = _i == 1;
    enter_folder();
    file = open_output("out.json");
    ck_assert_int_eq(put(file, "some"), LUDUS_OK);
    next_write_errno = ENOSPC;
    ck_assert_int_eq(put(file, "more"), LUDUS_ERROR_WRITE);
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_ERROR_WRITE);
    ck_assert_str_eq(error.message,
                     "cannot write 'out.json': No space left on device; free some space, or choose "
                     "another place; nothing was left behind");
    trace_output_file_close(file);
    ck_assert_uint_eq(count_entries(), 0);
    leave_folder();
}
END_TEST

START_TEST(a_rename_that_fails_leaves_nothing)
{
    struct trace_output_file *file;

    has_no_nameless = _i == 1;
    enter_folder();
    file = open_output("out.json");
    rename_errno = EACCES;
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_ERROR_WRITE);
    rename_errno = 0;
    trace_output_file_close(file);
    ck_assert_uint_eq(count_entries(), 0);
    leave_folder();
}
END_TEST

START_TEST(short_and_interrupted_writes_go_on)
{
    struct trace_output_file *file;

    enter_folder();
    file = open_output("out.json");
    writes_little = true;
    next_write_errno = EINTR;
    ck_assert_int_eq(put(file, "ten bytes."), LUDUS_OK);
    writes_little = false;
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_OK);
    trace_output_file_close(file);
    expect_file("out.json", "ten bytes.");
    leave_folder();
}
END_TEST

START_TEST(names_that_are_taken_are_passed_over)
{
    struct trace_output_file *first, *second;

    has_no_nameless = true;
    enter_folder();
    first = open_output("out.json");
    second = open_output("out.json");
    ck_assert_int_eq(put(first, "first"), LUDUS_OK);
    ck_assert_int_eq(put(second, "second"), LUDUS_OK);
    ck_assert_int_eq(trace_output_file_commit(second, &error), LUDUS_OK);
    trace_output_file_close(second);
    expect_file("out.json", "second");
    trace_output_file_close(first);
    expect_file("out.json", "second");
    ck_assert_uint_eq(count_entries(), 1);
    leave_folder();
}
END_TEST

START_TEST(a_link_is_followed_and_kept)
{
    struct trace_output_file *file;
    struct stat facts;

    has_no_nameless = _i == 1;
    enter_folder();
    put_file("target.json", "old");
    ck_assert_int_eq(symlink("target.json", "link.json"), 0);
    file = open_output("link.json");
    ck_assert_int_eq(put(file, "new"), LUDUS_OK);
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_OK);
    trace_output_file_close(file);
    ck_assert_int_eq(lstat("link.json", &facts), 0);
    ck_assert(S_ISLNK(facts.st_mode));
    expect_file("target.json", "new");
    leave_folder();
}
END_TEST

START_TEST(devices_are_written_and_not_replaced)
{
    struct trace_output_file *file = open_output("/dev/null");
    struct stat facts;

    ck_assert_int_eq(put(file, "gone"), LUDUS_OK);
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_OK);
    trace_output_file_close(file);
    ck_assert_int_eq(stat("/dev/null", &facts), 0);
    ck_assert(S_ISCHR(facts.st_mode));

    file = open_output("/dev/full");
    ck_assert_int_eq(put(file, "no room"), LUDUS_ERROR_WRITE);
    ck_assert_int_eq(trace_output_file_commit(file, &error), LUDUS_ERROR_WRITE);
    ck_assert_ptr_nonnull(strstr(error.message, "'/dev/full': No space left on device"));
    trace_output_file_close(file);
}
END_TEST

static void expect_refusal(const char *path, const char *message)
{
    struct trace_output_file *file;

    ck_assert_int_eq(trace_output_file_open(path, NULL, &file, &error), LUDUS_ERROR_WRITE);
    ck_assert_int_eq(error.status, LUDUS_ERROR_WRITE);
    ck_assert_str_eq(error.message, message);
    ck_assert_ptr_null(file);
}

START_TEST(what_cannot_be_created_is_told_at_once)
{
    bool is_root = geteuid() == 0;

    has_no_nameless = _i == 1;
    enter_folder();
    expect_refusal("no/such/out.json", "cannot create 'no/such/out.json': No such file or "
                                       "directory; create the folder first, or choose another one");
    expect_refusal("/", "cannot create '/': Is a directory; name a file in it");
    put_file("mine", "precious");
    ck_assert_int_eq(chmod("mine", 0444), 0);
    ck_assert_int_eq(chmod(folder, 0555), 0);
    if (is_root) /* to whom nothing is forbidden */
        ck_assert_int_eq(seteuid(65534), 0);
    expect_refusal("out.json", "cannot create 'out.json': Permission denied; choose a place that "
                               "you may write to");
    ck_assert_int_eq(access("out.json", F_OK), -1);
    if (is_root)
        ck_assert_int_eq(seteuid(0), 0);
    ck_assert_int_eq(chmod(folder, 0777), 0);
    leave_folder();
}
END_TEST

START_TEST(nothing_can_be_closed)
{
    trace_output_file_close(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output_file");
    TCase *tests = tcase_create("output_file");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tests, a_watch_knows_every_temporary_name, 0, 2);
    tcase_add_loop_test(tests, a_file_appears_with_its_commit, 0, 2);
    tcase_add_loop_test(tests, a_file_that_is_there_stays_until_the_commit, 0, 2);
    tcase_add_loop_test(tests, a_write_that_fails_leaves_nothing, 0, 2);
    tcase_add_loop_test(tests, a_rename_that_fails_leaves_nothing, 0, 2);
    tcase_add_test(tests, short_and_interrupted_writes_go_on);
    tcase_add_test(tests, names_that_are_taken_are_passed_over);
    tcase_add_loop_test(tests, a_link_is_followed_and_kept, 0, 2);
    tcase_add_test(tests, devices_are_written_and_not_replaced);
    tcase_add_loop_test(tests, what_cannot_be_created_is_told_at_once, 0, 2);
    tcase_add_test(tests, nothing_can_be_closed);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
