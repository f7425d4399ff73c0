/* Configurations of comparisons as files: valid ones, invalid ones with what is to be said of them
 * (its end left out where it is jansson's), both of which the schema judges in the same way
 * (tests/cli/check_config_schema.py), and such as chance makes of them. */
#include <check.h>
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "diff_config.h"
#include "random_stream.h"

#define MAX_TEXT 16384u

/* Allocations until one fails; negative: none does. */
static int allocations_left = -1;

static bool may_allocate(void)
{
    return allocations_left < 0 || allocations_left-- > 0;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    return may_allocate() ? __real_realloc(old, size) : NULL;
}

static bool is_json(const char *name)
{
    size_t size = strlen(name);
    return size > 5 && strcmp(name + size - 5, ".json") == 0;
}

/* Calls it with the path of each file of JSON in a folder. */
static void for_each(const char *folder, void (*call)(const char *path))
{
    char path[512];
    unsigned count = 0;
    DIR *directory = opendir(folder);
    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!is_json(entry->d_name))
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        call(path);
        count++;
    }
    closedir(directory);
    ck_assert_uint_gt(count, 5);
}

static size_t read_file(const char *path, char text[MAX_TEXT])
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    size_t size = fread(text, 1, MAX_TEXT - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    return size;
}

/* A file in memory, since thousands are made. */
static int made;
static char made_path[32];

static void write_made(const char *text, size_t size)
{
    ck_assert_int_eq(ftruncate(made, (off_t)size), 0);
    ck_assert_int_eq(pwrite(made, text, size, 0), (ssize_t)size);
}

static void expect_valid(const char *path)
{
    struct trace_diff_config *config;
    struct ludus_error error = {0};
    ck_assert_msg(trace_diff_config_read(path, &config, &error) == LUDUS_OK, "%s", error.message);
    trace_diff_config_destroy(config);
}

START_TEST(valid_files_are_read)
{
    for_each(TEST_CONFIG_DIR "/valid", expect_valid);
}
END_TEST

static void expect_invalid(const char *path)
{
    struct trace_diff_config *config;
    struct ludus_error error = {0};
    char said[MAX_TEXT], text_path[512];
    (void)snprintf(text_path, sizeof text_path, "%.*s.txt", (int)(strlen(path) - 5), path);
    size_t size = read_file(text_path, said) - 1; /* without the end of the line */
    ck_assert_msg(trace_diff_config_read(path, &config, &error) == LUDUS_ERROR_FORMAT, "%s", path);
    ck_assert_ptr_null(config);
    const char *message = error.message + strlen(path);
    bool is_prefix = size >= 3 && strncmp(said + size - 3, "...", 3) == 0;
    size_t compared = is_prefix ? size - 3 : size;
    ck_assert_msg(strncmp(message, said, compared) == 0 &&
                      (is_prefix || strlen(message) == compared),
                  "%s: says \"%s\"", path, message);
}

START_TEST(invalid_files_are_refused_with_the_line_and_what_is_allowed)
{
    for_each(TEST_CONFIG_DIR "/invalid", expect_invalid);
}
END_TEST

/* The file with null in place of the number at `at` is refused at the number's line. */
static void expect_line(const char *path, const char *text, const char *at, unsigned line)
{
    struct trace_diff_config *config;
    struct ludus_error error = {0};
    char changed[MAX_TEXT + 8], wanted[64];
    size_t number = strspn(at, "0123456789.e-");
    int size = snprintf(changed, sizeof changed, "%.*snull%s", (int)(at - text), text, at + number);
    write_made(changed, (size_t)size);
    (void)snprintf(wanted, sizeof wanted, "%s:%u: ", made_path, line);
    ck_assert_msg(trace_diff_config_read(made_path, &config, &error) == LUDUS_ERROR_FORMAT &&
                      strncmp(error.message, wanted, strlen(wanted)) == 0 &&
                      strstr(error.message, ", not null") != NULL,
                  "%s:%u: %s", path, line, error.message);
}

static void expect_lines(const char *path)
{
    char text[MAX_TEXT];
    unsigned line = 1;
    bool is_string = false;
    read_file(path, text);
    for (const char *at = text; *at != '\0'; at++) {
        line += *at == '\n';
        if (*at == '\\')
            at++;
        else if (*at == '"')
            is_string = !is_string;
        else if (!is_string && strspn(at, "-0123456789") != 0) {
            expect_line(path, text, at, line);
            at += strspn(at, "0123456789.e-") - 1;
        }
    }
}

START_TEST(a_fault_is_told_at_its_line_wherever_it_is)
{
    for_each(TEST_CONFIG_DIR "/valid", expect_lines);
}
END_TEST

/* One change of a text: a byte, a piece gone, a piece twice, or a piece of JSON put in. */
static size_t mutate(struct random *random, char text[MAX_TEXT], size_t size)
{
    static const char *const pieces[] = {"{",    "}",     "[",  "]",       ":",    ",",
                                         "\"",   "\\",    "\n", "null",    "1e9",  "-",
                                         "true", "\"A\"", "{}", "\\u0000", "\xFF", "1e-400"};
    size_t at = random_below(random, (uint32_t)size + 1);
    size_t length = random_below(random, 12);
    char piece[16];
    if (length > size - at)
        length = size - at;
    memcpy(piece, text + at, length);
    switch (random_below(random, 4)) {
    case 0:
        if (at < size)
            text[at] = (char)random_below(random, 256);
        return size;
    case 1:
        memmove(text + at, text + at + length, size - at - length);
        return size - length;
    case 2:
        break;
    default:
        (void)snprintf(piece, sizeof piece, "%s",
                       pieces[random_below(random, sizeof pieces / sizeof pieces[0])]);
        length = strlen(piece);
    }
    memmove(text + at + length, text + at, size - at);
    memcpy(text + at, piece, length);
    return size + length;
}

/* Whatever the bytes: it is read, or there is one line that names the file. */
static void expect_answer(const char *text, size_t size)
{
    struct trace_diff_config *config;
    struct trace_limits limits;
    struct ludus_error error = {0};
    write_made(text, size);
    if (trace_diff_config_read(made_path, &config, &error) != LUDUS_OK) {
        ck_assert_int_eq(error.status, LUDUS_ERROR_FORMAT);
        ck_assert_msg(strncmp(error.message, made_path, strlen(made_path)) == 0 &&
                          error.message[strlen(made_path)] == ':' &&
                          strchr(error.message, '\n') == NULL,
                      "%s", error.message);
        return;
    }
    const struct trace_text name = {"Physics/Step", 12}, category = {"wait", 4};
    ck_assert(trace_diff_config_limits(config, name, category, &limits));
    ck_assert(limits.relative >= 0 && limits.absolute_of_frame >= 0 && !(limits.absolute_ns < 0) &&
              !(limits.budget_ns < 0));
    trace_diff_config_destroy(config);
}

static void mutate_file(const char *path)
{
    char text[MAX_TEXT], changed[MAX_TEXT];
    struct random random = {strlen(path)};
    size_t size = read_file(path, text);
    for (unsigned i = 0; i < 600 / TEST_SHARE; i++) {
        size_t changed_size = size;
        memcpy(changed, text, size);
        for (uint32_t changes = 1 + random_below(&random, 3); changes > 0; changes--)
            changed_size = mutate(&random, changed, changed_size);
        expect_answer(changed, changed_size);
    }
}

START_TEST(what_chance_makes_of_valid_files_is_read_or_refused)
{
    for_each(TEST_CONFIG_DIR "/valid", mutate_file);
}
END_TEST

static void fail_each_allocation(const char *path)
{
    struct ludus_error error = {.status = LUDUS_ERROR_MEMORY};
    struct trace_diff_config *config;
    for (int limit = 0; error.status == LUDUS_ERROR_MEMORY; limit++) {
        error = (struct ludus_error){0};
        allocations_left = limit;
        enum ludus_status status = trace_diff_config_read(path, &config, &error);
        allocations_left = -1;
        ck_assert_int_eq(status, error.status);
        ck_assert(status == LUDUS_OK || config == NULL);
        trace_diff_config_destroy(config);
    }
}

START_TEST(short_memory_is_said_and_nothing_leaks)
{
    json_set_alloc_funcs(__wrap_malloc, free);
    fail_each_allocation(TEST_CONFIG_DIR "/valid/all-keys.json");
    fail_each_allocation(TEST_CONFIG_DIR "/invalid/unknown-key-of-scope.json");
    fail_each_allocation(TEST_CONFIG_DIR "/invalid/text-for-number.json");
    fail_each_allocation(TEST_CONFIG_DIR "/invalid/same-scope-twice.json");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("diff config files");
    TCase *tests = tcase_create("diff config files");
    made = memfd_create("made", MFD_CLOEXEC);
    (void)snprintf(made_path, sizeof made_path, "/proc/self/fd/%d", made);
    tcase_add_test(tests, valid_files_are_read);
    tcase_add_test(tests, invalid_files_are_refused_with_the_line_and_what_is_allowed);
    tcase_add_test(tests, a_fault_is_told_at_its_line_wherever_it_is);
    tcase_add_test(tests, what_chance_makes_of_valid_files_is_read_or_refused);
    tcase_add_test(tests, short_memory_is_said_and_nothing_leaks);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
