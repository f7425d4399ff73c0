/* A capture that is opened to be described only is described as one that is verified, as long as
 * its damage is not inside blocks of events. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lcap_layout.h"
#include "random_capture.h"

#define SEEDS (60u / TEST_SHARE)

/* Opens bytes as a file, which is gone when this returns. */
static struct trace_capture *open_bytes(struct lcap_bytes bytes, bool is_verified)
{
    char path[] = "/tmp/unverified-XXXXXX";
    struct trace_capture *capture;
    struct ludus_error error;
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, bytes.data, bytes.size), (ssize_t)bytes.size);
    close(descriptor);
    enum ludus_status status =
        trace_capture_open_unverified(path, NULL, is_verified ? bytes.size : 0, &capture, &error);
    ck_assert_int_eq(status, LUDUS_OK);
    unlink(path);
    return capture;
}

static void check_same_model(const struct trace_model *a, const struct trace_model *b)
{
    ck_assert_uint_eq(a->events, b->events);
    ck_assert_uint_eq(a->blocks, b->blocks);
    ck_assert_uint_eq(a->track_count, b->track_count);
    ck_assert_uint_eq(a->site_count, b->site_count);
    ck_assert_uint_eq(a->domain_count, b->domain_count);
    for (uint32_t i = 0; i < a->domain_count; i++)
        ck_assert_uint_eq(a->domains[i].frame_count, b->domains[i].frame_count);
    ck_assert_int_eq(a->end_ns, b->end_ns);
    ck_assert_int_eq(a->is_finished, b->is_finished);
    ck_assert_uint_eq(a->unfinished_tail, b->unfinished_tail);
    ck_assert_uint_eq(a->loss_count, b->loss_count);
    ck_assert_uint_eq(a->damage_count, b->damage_count);
    for (uint32_t i = 0; i < a->damage_count; i++) {
        ck_assert_uint_eq(a->damages[i].offset, b->damages[i].offset);
        ck_assert_uint_eq(a->damages[i].size, b->damages[i].size);
        ck_assert_str_eq(a->damages[i].reason, b->damages[i].reason);
    }
}

/* Whether the verified one has damage; the other is the same, unless it sees none at all. */
static bool check_both(struct lcap_bytes bytes, bool is_seen)
{
    struct trace_capture *verified = open_bytes(bytes, true);
    struct trace_capture *other = open_bytes(bytes, false);
    bool is_damaged = trace_capture_model(verified)->damage_count != 0;
    ck_assert(!trace_capture_is_unverified(verified));
    ck_assert(trace_capture_is_unverified(other) == !(is_damaged && is_seen));
    if (is_seen)
        check_same_model(trace_capture_model(other), trace_capture_model(verified));
    else
        ck_assert_uint_eq(trace_capture_model(other)->damage_count, 0);
    trace_capture_close(verified);
    trace_capture_close(other);
    return is_damaged;
}

START_TEST(whole_captures_and_cut_ones_are_described_the_same)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_capture capture;
        random_capture_create(&capture, seed, seed % 2 == 0);
        struct lcap_bytes bytes = builder_bytes(capture.builder);
        ck_assert(!check_both(bytes, true));
        bytes.size -= bytes.size / 3;
        check_both(bytes, true);
        random_capture_destroy(&capture);
    }
}
END_TEST

START_TEST(damage_is_seen_but_inside_events)
{
    struct random random = {3};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_capture capture;
        uint32_t count;
        random_capture_create(&capture, seed, true);
        struct lcap_bytes bytes = builder_bytes(capture.builder);
        const uint64_t *offsets = builder_offsets(capture.builder, &count);
        uint8_t *copy = malloc(bytes.size);
        ck_assert_ptr_nonnull(copy);
        for (uint32_t i = 0; i < count; i++) {
            memcpy(copy, bytes.data, bytes.size);
            bool is_events = copy[offsets[i] + 4] == LCAP_KIND_events && copy[offsets[i] + 5] == 0;
            bool is_in_header = random_below(&random, 2) == 0;
            uint32_t at = is_in_header ? random_below(&random, LCAP_BLOCK_HEADER_SIZE)
                                       : LCAP_BLOCK_HEADER_SIZE + LCAP_EVENTS_HEADER_SIZE + 4;
            uint64_t end = i + 1 < count ? offsets[i + 1] : bytes.size;
            if (offsets[i] + at >= end)
                continue;
            copy[offsets[i] + at] ^= 16;
            ck_assert(
                check_both((struct lcap_bytes){copy, bytes.size}, is_in_header || !is_events));
        }
        free(copy);
        random_capture_destroy(&capture);
    }
}
END_TEST

START_TEST(it_cannot_be_run)
{
    struct random_capture random;
    struct ludus_error error;
    random_capture_create(&random, 1, true);
    struct trace_capture *capture = open_bytes(builder_bytes(random.builder), false);
    ck_assert_int_eq(trace_capture_run(capture, NULL, NULL, &error), LUDUS_ERROR_STATE);
    trace_capture_close(capture);
    random_capture_destroy(&random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unverified");
    TCase *cases = tcase_create("unverified");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, whole_captures_and_cut_ones_are_described_the_same);
    tcase_add_test(cases, damage_is_seen_but_inside_events);
    tcase_add_test(cases, it_cannot_be_run);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
