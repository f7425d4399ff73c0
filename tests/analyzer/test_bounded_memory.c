/* The memory of a pass does not grow with a capture's length, and is bounded by its frames, sites
 * and paths: each pass runs in a process of its own, whose largest resident size is compared. */
#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"
#include "synthetic_capture.h"

#define SHORT_SLICES   200000u
#define LONG_SLICES    4000000u
#define SLICES_A_FRAME 1000u
#define SLACK_BYTES    (1u << 20)
#define MOST_BYTES     (64u << 20)

/* Where there are processors, six blocks are decoded ahead, with a decoder each. */
#define AHEAD_BYTES (12u << 20)

/* How many threads decode ahead; long captures only would have them otherwise. */
static uint32_t helpers;

uint32_t __wrap_trace_decode_ahead_helpers(uint32_t block_count);
uint32_t __wrap_trace_decode_ahead_helpers(uint32_t block_count)
{
    (void)block_count;
    return helpers;
}

/* What a pass may take: so much, and for each frame, site and path. The aim is 16, 256 and 64 bytes
 * for these; the sums of paths take more. */
#define CONSTANT_BYTES UINT64_C(8388608)
#define BYTES_A_FRAME  16u
#define BYTES_A_SITE   320u
#define BYTES_A_PATH   352u

/* Sanitizers keep freed memory, which is not the analyzer's doing. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

static void write_capture(const char *path, const struct synthetic_options *options)
{
    int descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(synthetic_capture_write(options, descriptor), LUDUS_OK);
    close(descriptor);
}

static enum ludus_status count_slices(void *context, const struct trace_model *model,
                                      const struct trace_slice *slices, size_t count)
{
    uint64_t *seen = context;
    (void)model;
    (void)slices;
    *seen += count;
    return LUDUS_OK;
}

/* The largest resident size of this process, which begins anew with its program: that of getrusage
 * would be at least its parent's. */
static uint64_t peak_bytes(void)
{
    char line[256];
    unsigned long long kibibytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL)
        return 0;
    while (kibibytes == 0 && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            kibibytes = strtoull(line + 6, NULL, 10);
    fclose(status);
    return kibibytes * 1024;
}

/* The program runs itself with a path and a number of threads: reads the capture, and writes how
 * much memory it took. */
static int run_pass(const char *path)
{
    uint64_t seen = 0;
    struct trace_capture *capture;
    struct ludus_error error;
    struct trace_visitor visitor = {.context = &seen, .slices = count_slices};
    if (trace_capture_open(path, &capture, &error) != LUDUS_OK ||
        trace_capture_run(capture, NULL, &visitor, &error) != LUDUS_OK)
        return 1;
    bool is_whole = seen == trace_capture_model(capture)->slices && seen >= SHORT_SLICES;
    trace_capture_close(capture);
    uint64_t bytes = peak_bytes();
    return is_whole && write(STDOUT_FILENO, &bytes, sizeof bytes) == (ssize_t)sizeof bytes ? 0 : 1;
}

static uint64_t pass_bytes(const char *path, bool is_ahead)
{
    int ends[2], result;
    uint64_t bytes = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/proc/self/exe", "test_bounded_memory", path, is_ahead ? "3" : "0", (char *)NULL);
        _exit(1);
    }
    ck_assert_int_gt(child, 0);
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &bytes, sizeof bytes), (ssize_t)sizeof bytes);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &result, 0), child);
    ck_assert_int_eq(result, 0);
    ck_assert_uint_gt(bytes, 0);
    return bytes;
}

/* An empty file; the caller removes it. */
static void make_file(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/ludus-long-XXXXXX", folder != NULL ? folder : "/tmp");
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
}

static uint64_t bytes_of(const struct synthetic_options *options)
{
    char path[4096];
    make_file(path, sizeof path);
    write_capture(path, options);
    uint64_t bytes = pass_bytes(path, false);
    uint64_t ahead_bytes = pass_bytes(path, true);
    unlink(path);
    ck_assert_uint_le(ahead_bytes, bytes + AHEAD_BYTES);
    return bytes;
}

START_TEST(memory_is_the_same_for_a_capture_twenty_times_as_long)
{
    struct synthetic_options options = synthetic_options_default();
    options.tracks = 4;
    options.slices = SHORT_SLICES;
    options.frames = SHORT_SLICES / SLICES_A_FRAME;
    uint64_t short_bytes = bytes_of(&options);
    options.slices = LONG_SLICES;
    options.frames = LONG_SLICES / SLICES_A_FRAME;
    uint64_t long_bytes = bytes_of(&options);
    /* Marks are 16 bytes a frame, in an array that doubles. */
    uint64_t frames_bytes = LONG_SLICES / SLICES_A_FRAME * 16 * 3;
    ck_assert_uint_le(long_bytes, short_bytes + frames_bytes + SLACK_BYTES);
    ck_assert_uint_le(long_bytes, MOST_BYTES);
}
END_TEST

static void expect_within_bound(const struct synthetic_options *options)
{
    uint64_t bound = CONSTANT_BYTES + options->frames * BYTES_A_FRAME +
                     (uint64_t)options->sites * BYTES_A_SITE +
                     (uint64_t)options->paths * BYTES_A_PATH;
    uint64_t bytes = bytes_of(options);
    ck_assert_msg(bytes <= bound, "%llu bytes, and %llu are allowed", (unsigned long long)bytes,
                  (unsigned long long)bound);
}

START_TEST(memory_of_many_sites_is_within_the_bound)
{
    struct synthetic_options options = synthetic_options_default();
    options.frames = 1000;
    options.sites = 60000;
    options.paths = 120000;
    expect_within_bound(&options);
}
END_TEST

START_TEST(memory_of_many_paths_is_within_the_bound)
{
    struct synthetic_options options = synthetic_options_default();
    options.slices = 5000000;
    options.frames = 500;
    options.paths = 1000000;
    expect_within_bound(&options);
}
END_TEST

int main(int count, char **words)
{
    if (count == 3) {
        helpers = (uint32_t)strtoul(words[2], NULL, 10);
        return run_pass(words[1]);
    }
    if (IS_SANITIZED) {
        puts("skipped: a sanitizer's memory is not the analyzer's");
        return 0;
    }
    Suite *suite = suite_create("bounded memory");
    TCase *cases = tcase_create("bounded memory");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, memory_is_the_same_for_a_capture_twenty_times_as_long);
    tcase_add_test(cases, memory_of_many_sites_is_within_the_bound);
    tcase_add_test(cases, memory_of_many_paths_is_within_the_bound);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
