/* What comes out of a pass does not depend on how many threads decode for it: of whole captures,
 * random and golden, of damaged ones, of those that are cut meanwhile, and when a visitor ends the
 * pass early. */
#include <check.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture_builder.h"
#include "decode_ahead.h"
#include "random_capture.h"

#define RANDOM_SEEDS   (40u / TEST_SHARE)
#define DAMAGES        12u
#define VISITOR_FAILED LUDUS_ERROR_LIMIT

static uint32_t helpers;

/* In place of the analyzer's choice, which depends on the machine. */
uint32_t __wrap_trace_decode_ahead_helpers(uint32_t block_count);
uint32_t __wrap_trace_decode_ahead_helpers(uint32_t block_count)
{
    (void)block_count;
    return helpers;
}

/* --- what a pass shows, as text -------------------------------------------------------------- */

struct listener {
    FILE *text;
    uint64_t calls_left; /* until it fails */
};

static enum ludus_status take_slices(void *context, const struct trace_model *model,
                                     const struct trace_slice *slices, size_t count)
{
    struct listener *listener = context;
    (void)model;
    for (size_t i = 0; i < count; i++)
        fprintf(listener->text,
                "slice %" PRIu64 " in %" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32
                " %" PRIu32 " %" PRIu32 "\n",
                slices[i].slice_id, slices[i].parent_id, slices[i].begin_ns, slices[i].known_ns,
                slices[i].exclusive_ns, slices[i].track, slices[i].path, slices[i].frame);
    return listener->calls_left-- == 0 ? VISITOR_FAILED : LUDUS_OK;
}

static void put_model(FILE *text, const struct trace_model *model)
{
    fprintf(text, "%" PRIu64 " events, %" PRIu64 " slices, %" PRIu64 " blocks\n", model->events,
            model->slices, model->blocks);
    for (uint32_t i = 0; i < model->damage_count; i++)
        fprintf(text, "damage %" PRIu64 " %" PRIu64 " %s\n", model->damages[i].offset,
                model->damages[i].size, model->damages[i].reason);
    for (uint32_t i = 0; i < model->loss_count; i++)
        fprintf(text, "loss %" PRIu32 " %" PRIu64 " %" PRId64 " %" PRId64 "\n",
                model->losses[i].track, model->losses[i].events, model->losses[i].begin_ns,
                model->losses[i].end_ns);
    for (uint32_t i = 0; i < model->site_stats_count; i++)
        fprintf(text, "site %" PRIu32 " %" PRIu64 " %" PRId64 "\n", model->site_stats[i].subject,
                model->site_stats[i].sums.calls, model->site_stats[i].sums.exclusive_ns);
}

/* Runs the pass, with a visitor and then without one. */
static char *run(struct trace_capture *capture, uint64_t calls_until_failure)
{
    char *text = NULL;
    size_t size = 0;
    struct listener listener = {open_memstream(&text, &size), calls_until_failure};
    struct trace_visitor visitor = {.context = &listener, .slices = take_slices};
    ck_assert_ptr_nonnull(listener.text);
    for (uint32_t pass = 0; pass < 2; pass++) {
        struct ludus_error error = {0};
        enum ludus_status status =
            trace_capture_run(capture, NULL, pass == 0 ? &visitor : NULL, &error);
        fprintf(listener.text, "status %d\n", (int)status);
        if (status == LUDUS_OK)
            put_model(listener.text, trace_capture_model(capture));
        else if (status != VISITOR_FAILED)
            fprintf(listener.text, "%s\n", error.message);
    }
    ck_assert_int_eq(fclose(listener.text), 0);
    return text;
}

static char *run_bytes(struct lcap_bytes bytes, uint64_t calls_until_failure)
{
    struct trace_capture *capture;
    struct ludus_error error;
    ck_assert_int_eq(builder_try_open(bytes, &capture, &error), LUDUS_OK);
    char *text = run(capture, calls_until_failure);
    trace_capture_close(capture);
    return text;
}

/* --- the tests ------------------------------------------------------------------------------- */

static const uint32_t helper_counts[] = {0, 1, 3};

/* The texts of runs with several numbers of helpers are the same. Returns whether it holds `word`.
 */
static bool check_same(struct lcap_bytes bytes, uint64_t calls_until_failure, const char *word)
{
    char *texts[3];
    for (size_t i = 0; i < 3; i++) {
        helpers = helper_counts[i];
        texts[i] = run_bytes(bytes, calls_until_failure);
    }
    ck_assert(strcmp(texts[1], texts[0]) == 0);
    ck_assert(strcmp(texts[2], texts[0]) == 0);
    bool has_word = strstr(texts[0], word) != NULL;
    for (size_t i = 0; i < 3; i++)
        free(texts[i]);
    return has_word;
}

START_TEST(random_captures_give_the_same_with_any_number_of_threads)
{
    for (uint64_t seed = 1; seed <= RANDOM_SEEDS; seed++) {
        struct random_capture capture;
        random_capture_create(&capture, seed, seed % 2 == 0);
        check_same(builder_bytes(capture.builder), UINT64_MAX, "slice");
        random_capture_destroy(&capture);
    }
}
END_TEST

START_TEST(damage_is_found_in_the_order_of_the_file)
{
    struct random random = {11};
    uint32_t damaged = 0;
    for (uint64_t seed = 1; seed <= RANDOM_SEEDS; seed++) {
        struct random_capture capture;
        random_capture_create(&capture, seed, true);
        struct lcap_bytes bytes = builder_bytes(capture.builder);
        uint8_t *copy = malloc(bytes.size);
        ck_assert_ptr_nonnull(copy);
        for (uint32_t i = 0; i < DAMAGES; i++) {
            memcpy(copy, bytes.data, bytes.size);
            for (uint32_t n = 0; n < 3; n++)
                copy[LCAP_FILE_HEADER_SIZE +
                     random_below(&random, (uint32_t)bytes.size - LCAP_FILE_HEADER_SIZE)] ^= 4;
            damaged += check_same((struct lcap_bytes){copy, bytes.size}, UINT64_MAX, "damage");
        }
        free(copy);
        random_capture_destroy(&capture);
    }
    ck_assert_uint_gt(damaged, RANDOM_SEEDS);
}
END_TEST

START_TEST(a_visitor_may_end_the_pass_anywhere)
{
    uint32_t failed = 0;
    for (uint64_t seed = 1; seed <= RANDOM_SEEDS; seed++) {
        struct random_capture capture;
        char status[16];
        snprintf(status, sizeof status, "status %d", (int)VISITOR_FAILED);
        random_capture_create(&capture, seed, true);
        failed += check_same(builder_bytes(capture.builder), seed % 10, status);
        random_capture_destroy(&capture);
    }
    ck_assert_uint_gt(failed, RANDOM_SEEDS / 2);
}
END_TEST

START_TEST(golden_captures_give_the_same_with_any_number_of_threads)
{
    glob_t found;
    uint32_t opened = 0;
    ck_assert_int_eq(glob(TEST_GOLDEN_DIR "/*/*.lcap", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *texts[2] = {NULL, NULL};
        for (uint32_t n = 0; n < 2; n++) {
            struct trace_capture *capture;
            struct ludus_error error;
            helpers = 3 * n;
            if (trace_capture_open(found.gl_pathv[i], &capture, &error) != LUDUS_OK)
                continue;
            texts[n] = run(capture, UINT64_MAX);
            trace_capture_close(capture);
        }
        ck_assert((texts[0] == NULL) == (texts[1] == NULL));
        if (texts[0] != NULL)
            ck_assert(strcmp(texts[1], texts[0]) == 0);
        opened += texts[0] != NULL;
        free(texts[0]);
        free(texts[1]);
    }
    globfree(&found);
    ck_assert_uint_gt(opened, 100);
}
END_TEST

/* Reads fail from some block on, which depends on no thread. */
START_TEST(a_capture_that_is_cut_meanwhile_is_an_error)
{
    struct random_capture random;
    random_capture_create(&random, 5, true);
    struct lcap_bytes bytes = builder_bytes(random.builder);
    for (uint32_t i = 0; i < 2; i++) {
        char path[] = "/tmp/decode-ahead-XXXXXX";
        struct trace_capture *capture;
        struct ludus_error error;
        int descriptor = mkstemp(path);
        ck_assert_int_ge(descriptor, 0);
        ck_assert_int_eq(write(descriptor, bytes.data, bytes.size), (ssize_t)bytes.size);
        ck_assert_int_eq(trace_capture_open(path, &capture, &error), LUDUS_OK);
        ck_assert_int_eq(ftruncate(descriptor, (off_t)(bytes.size / 4)), 0);
        helpers = 3 * i;
        ck_assert_int_eq(trace_capture_run(capture, NULL, NULL, &error), LUDUS_ERROR_OPEN);
        ck_assert_ptr_nonnull(strstr(error.message, "cannot be read"));
        trace_capture_close(capture);
        close(descriptor);
        unlink(path);
    }
    random_capture_destroy(&random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decode ahead");
    TCase *cases = tcase_create("decode ahead");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, random_captures_give_the_same_with_any_number_of_threads);
    tcase_add_test(cases, damage_is_found_in_the_order_of_the_file);
    tcase_add_test(cases, a_visitor_may_end_the_pass_anywhere);
    tcase_add_test(cases, golden_captures_give_the_same_with_any_number_of_threads);
    tcase_add_test(cases, a_capture_that_is_cut_meanwhile_is_an_error);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
