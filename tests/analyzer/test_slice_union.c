/* Which slices a union is of, also when the pass finds damage on its way. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "export_fixture.h"
#include "golden_fixture.h"
#include "lcap_checksum.h"
#include "slice_union.h"

#define JOB 4u /* index of the site */

static const struct trace_union_limits limits = {.budget_bytes = 1 << 16, .stride = 1};

/* Frames of 100 from 0 on. Job of track 1 from 110 to 150 and from 310 to 330, in frames 1 and 3;
 * track 2 from 120 to 160. What track 1 does from 160 to 290 is in a block of its own. */
static struct capture_builder *build(uint32_t *between)
{
    static const uint64_t marks[] = {0, 100, 200, 300, 400};
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_add_track(builder, 2, 71, 0, 0, "worker");
    golden_add_marks(builder, 1, marks, COUNT(marks));
    golden_emit(builder, 1, "(Job 110 )150");
    golden_emit(builder, 2, "(Job 120 )160");
    builder_end_block(builder);
    (void)builder_offsets(builder, between);
    golden_emit(builder, 1, "(Job 160 )290");
    builder_end_block(builder);
    golden_emit(builder, 1, "(Job 310 )330");
    builder_stop(builder, START + 500);
    builder_finish(builder);
    return builder;
}

/* Makes a block's events senseless and its checksums right, so that only decoding shows it. */
static void spoil(uint8_t *block)
{
    uint8_t *payload = block + LCAP_BLOCK_HEADER_SIZE;
    uint32_t stored_size, checksum;
    memcpy(&stored_size, block + 12, sizeof stored_size);
    memset(payload + stored_size / 2, 0xFF, stored_size / 2);
    checksum = lcap_crc32(payload, stored_size);
    memcpy(block + 20, &checksum, sizeof checksum);
    checksum = lcap_crc32(block, 36);
    memcpy(block + 36, &checksum, sizeof checksum);
}

static struct trace_slice_union ask(bool is_damaged, uint32_t part, uint32_t *passes)
{
    struct trace_slice_union found[1 + TRACE_UNION_TOTALS];
    const uint32_t parts[TRACE_MAX_WINDOWS] = {part}, site = JOB;
    const struct trace_selection whole = {0};
    struct ludus_error error = {0};
    struct trace_input *input;
    struct trace_chosen chosen;
    uint32_t between, count;
    struct capture_builder *builder = build(&between);
    struct lcap_bytes bytes = builder_bytes(builder);
    uint8_t *copy = malloc(bytes.size);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes.data, bytes.size);
    const uint64_t *offsets = builder_offsets(builder, &count);
    ck_assert_uint_lt(between, count);
    if (is_damaged)
        spoil(copy + offsets[between]);
    export_write_file(export_path("capture.lcap"), (struct lcap_bytes){copy, bytes.size});
    enum ludus_status status = trace_open(export_path("capture.lcap"), 0, &input, &error);
    if (status == LUDUS_OK)
        status = trace_chosen_create(input, &whole, &chosen, &error);
    if (status == LUDUS_OK)
        status = trace_slice_unions(input, &chosen, parts, TRACE_SUBJECT_SITE, &site, 1, limits,
                                    found, passes, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    ck_assert_int_eq(memcmp(&found[0], &found[1], sizeof found[0]), 0); /* all is Job */
    ck_assert_int_eq(memcmp(&found[0], &found[2], sizeof found[0]), 0);
    trace_chosen_destroy(&chosen);
    trace_close(input);
    free(copy);
    builder_destroy(builder);
    return found[0];
}

static void check(bool is_damaged, uint32_t part, uint64_t slices, int64_t sum_ns, int64_t union_ns)
{
    uint32_t passes = 0;
    struct trace_slice_union found = ask(is_damaged, part, &passes);
    ck_assert_uint_eq(passes, 1);
    ck_assert_uint_eq(found.slices, slices);
    ck_assert_int_eq(found.sum_ns, sum_ns);
    ck_assert_int_eq(found.union_ns, union_ns);
    ck_assert_uint_eq(found.incomplete, 0);
}

START_TEST(what_overlaps_counts_once)
{
    /* 40 + 40 + 130 + 20; 110 to 290 and 310 to 330, as 160 is where the next one begins */
    check(false, TRACE_WINDOW_FRAMES, 4, 230, 200);
    check(false, TRACE_WINDOW_OUTSIDE, 0, 0, 0);
}
END_TEST

/* Without the block in between, track 1 has lost frames 1, 2 and 3. The pass has shown what it did
 * in frame 1 before it finds that, and must forget it. */
START_TEST(what_a_pass_showed_before_it_found_damage_is_forgotten)
{
    check(true, TRACE_WINDOW_FRAMES, 1, 40, 40);
    check(true, TRACE_WINDOW_OUTSIDE, 2, 60, 60);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slice union");
    TCase *cases = tcase_create("slice union");
    tcase_add_checked_fixture(cases, export_folder_make, export_folder_remove);
    tcase_add_test(cases, what_overlaps_counts_once);
    tcase_add_test(cases, what_a_pass_showed_before_it_found_damage_is_forgotten);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
