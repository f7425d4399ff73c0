/* GPU samples come back as they were written; what the format forbids is refused when it is
 * written. */
#include <check.h>
#include <stddef.h>
#include <string.h>

#include "lcap_chain.h"
#include "lcap_decode.h"
#include "lcap_encode.h"

#define BYTES(literal)     ((struct lcap_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})
#define REFUSED(call)      ck_assert_int_eq(call, LUDUS_ERROR_ARGUMENT)
#define REFUSED_AS_MUCH(c) ck_assert_int_eq(c, LUDUS_ERROR_LIMIT)

static struct lcap_encoder *encoder;
static struct lcap_chain chain;
static struct lcap_reader *reader;
static struct lcap_bytes file;
static uint8_t file_bytes[1 << 18];

static void set_up(void)
{
    const struct lcap_encoder_config config = {
        .max_site = 10, .max_events = 256, .compression_level = 1};
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    const struct lcap_bytes header = lcap_chain_start(&chain, 1);
    memcpy(file_bytes, header.data, header.size);
    file = (struct lcap_bytes){file_bytes, header.size};
    reader = NULL;
}

static void tear_down(void)
{
    lcap_reader_close(reader);
    lcap_encoder_destroy(encoder);
}

/* Puts a block that was just made into the file, and reads it. */
static struct lcap_block read_back(enum ludus_status status, struct lcap_bytes made)
{
    struct lcap_item item;
    ck_assert_int_eq(status, LUDUS_OK);
    lcap_chain_add_made(&chain, encoder);
    memcpy(file_bytes + file.size, made.data, made.size);
    file.size += made.size;
    ck_assert_int_eq(lcap_reader_open(lcap_source_from_memory(&file), &reader, NULL), LUDUS_OK);
    ck_assert_int_eq(lcap_reader_next(reader, true, &item), LUDUS_OK);
    ck_assert_int_eq(item.kind, LCAP_ITEM_BLOCK);
    return item.block;
}

static void expect_bytes(struct lcap_bytes found, struct lcap_bytes expected)
{
    ck_assert_uint_eq(found.size, expected.size);
    if (found.size != 0)
        ck_assert_mem_eq(found.data, expected.data, found.size);
}

static void expect_time(const struct lcap_gpu_time *found, const struct lcap_gpu_time *expected)
{
    ck_assert_uint_eq(found->duration_ns, expected->duration_ns);
    ck_assert_int_eq(found->begin_ns, expected->begin_ns);
    ck_assert_uint_eq(found->submit_tick, expected->submit_tick);
    ck_assert_uint_eq(found->collect_tick, expected->collect_tick);
    ck_assert_uint_eq(found->outcome, expected->outcome);
    ck_assert_uint_eq(found->uncertainty_ns, expected->uncertainty_ns);
}

static const struct lcap_gpu_time measured = {.duration_ns = 11,
                                              .begin_ns = INT64_MAX - 11,
                                              .submit_tick = 5,
                                              .collect_tick = UINT64_MAX,
                                              .outcome = LCAP_GPU_VALID,
                                              .uncertainty_ns = 9};
static const struct lcap_gpu_time unmapped = {
    .duration_ns = INT64_MAX, .outcome = LCAP_GPU_VALID, .uncertainty_ns = LCAP_GPU_UNMAPPED};
static const struct lcap_gpu_time lost = {
    .outcome = LCAP_GPU_DEVICE_LOST, .collect_tick = 1, .uncertainty_ns = LCAP_GPU_UNMAPPED};

START_TEST(a_queue_comes_back)
{
    const struct lcap_gpu_queue queue = {.backend = BYTES("vulkan"),
                                         .device = BYTES("a device"),
                                         .queue = BYTES("graphics"),
                                         .pass_reason = BYTES(""),
                                         .calibration_reason = BYTES("no \0 extension"),
                                         .period_fs = UINT64_MAX,
                                         .track = 1,
                                         .generation = 2,
                                         .valid_bits = 64};
    struct lcap_bytes made;
    const struct lcap_block block = read_back(lcap_encode_gpu_queue(encoder, &queue, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    struct lcap_gpu_queue found;
    ck_assert(lcap_next_gpu_queue(&records, &found));
    ck_assert(!lcap_next_gpu_queue(&records, &found));
    expect_bytes(found.backend, queue.backend);
    expect_bytes(found.device, queue.device);
    expect_bytes(found.queue, queue.queue);
    expect_bytes(found.pass_reason, queue.pass_reason);
    expect_bytes(found.calibration_reason, queue.calibration_reason);
    ck_assert_uint_eq(found.period_fs, queue.period_fs);
    ck_assert_uint_eq(found.track, 1);
    ck_assert_uint_eq(found.generation, 2);
    ck_assert_uint_eq(found.valid_bits, 64);
}
END_TEST

START_TEST(frames_come_back)
{
    const struct lcap_gpu_frame frames[] = {
        {.time = measured, .number = 1, .track = 2, .method = LCAP_GPU_TIMESTAMPS},
        {.time = unmapped, .number = UINT64_MAX, .track = 3, .method = 77},
        {.time = lost, .track = UINT32_MAX, .method = LCAP_GPU_COMMAND_BUFFER},
    };
    struct lcap_bytes made;
    const struct lcap_block block =
        read_back(lcap_encode_gpu_frames(encoder, 8, frames, 3, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    for (int i = 0; i < 3; i++) {
        struct lcap_gpu_frame found;
        ck_assert(lcap_next_gpu_frame(&records, &found));
        expect_time(&found.time, &frames[i].time);
        ck_assert_uint_eq(found.number, frames[i].number);
        ck_assert_uint_eq(found.track, frames[i].track);
        ck_assert_uint_eq(found.method, frames[i].method);
        ck_assert_uint_eq(found.clock, 8);
    }
}
END_TEST

START_TEST(passes_come_back)
{
    const struct lcap_gpu_pass passes[] = {
        {.time = measured,
         .frame = UINT64_MAX,
         .track = 2,
         .site = 3,
         .ordinal = 4,
         .operation = LCAP_GPU_MIXED,
         .logical_passes = 6},
        {.time = lost, .track = 1, .site = 1, .operation = 99, .logical_passes = 1},
    };
    struct lcap_bytes made;
    const struct lcap_block block =
        read_back(lcap_encode_gpu_passes(encoder, 8, passes, 2, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    for (int i = 0; i < 2; i++) {
        struct lcap_gpu_pass found;
        ck_assert(lcap_next_gpu_pass(&records, &found));
        expect_time(&found.time, &passes[i].time);
        ck_assert_uint_eq(found.frame, passes[i].frame);
        ck_assert_uint_eq(found.track, passes[i].track);
        ck_assert_uint_eq(found.site, passes[i].site);
        ck_assert_uint_eq(found.ordinal, passes[i].ordinal);
        ck_assert_uint_eq(found.operation, passes[i].operation);
        ck_assert_uint_eq(found.logical_passes, passes[i].logical_passes);
        ck_assert_uint_eq(found.clock, 8);
    }
}
END_TEST

START_TEST(counts_and_calibrations_come_back)
{
    const struct lcap_gpu_count count = {
        .count = UINT64_MAX, .track = 1, .subject = 2, .outcome = 3};
    const struct lcap_gpu_calibration calibration = {.frame = 1,
                                                     .device_ticks = {UINT64_MAX, 2},
                                                     .host_ns = {INT64_MIN, INT64_MAX},
                                                     .track = 3,
                                                     .mapping = 4,
                                                     .uncertainty_ns = 5};
    struct lcap_gpu_count found;
    struct lcap_gpu_calibration found_calibration;
    struct lcap_bytes made;
    struct lcap_block block = read_back(lcap_encode_gpu_counts(encoder, &count, 1, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    ck_assert(lcap_next_gpu_count(&records, &found));
    ck_assert_uint_eq(found.count, UINT64_MAX);
    ck_assert_uint_eq(found.track, 1);
    ck_assert_uint_eq(found.subject, 2);
    ck_assert_uint_eq(found.outcome, 3);
    tear_down();
    set_up();
    block = read_back(lcap_encode_gpu_calibrations(encoder, &calibration, 1, &made), made);
    records = lcap_records_of(&block);
    ck_assert(lcap_next_gpu_calibration(&records, &found_calibration));
    ck_assert_mem_eq(&found_calibration, &calibration,
                     offsetof(struct lcap_gpu_calibration, uncertainty_ns) + sizeof(uint32_t));
}
END_TEST

START_TEST(as_many_passes_as_a_block_takes_fit_without_compression)
{
    static struct lcap_gpu_pass passes[LCAP_ENCODE_MAX_RECORDS + 1];
    uint64_t noise = 1;
    struct lcap_bytes made;
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        noise = noise * UINT64_C(6364136223846793005) + 1442695040888963407;
        passes[i] = (struct lcap_gpu_pass){.time = unmapped,
                                           .frame = noise,
                                           .track = 1 | (uint32_t)(noise >> 32),
                                           .site = 1 | (uint32_t)(noise >> 20),
                                           .ordinal = (uint32_t)(noise >> 8),
                                           .operation = 1 | (uint32_t)(noise >> 16),
                                           .logical_passes = 1 | (uint32_t)(noise >> 13)};
        passes[i].time.duration_ns = noise >> 1;
        passes[i].time.collect_tick = noise;
    }
    REFUSED_AS_MUCH(lcap_encode_gpu_passes(encoder, 1, passes, LCAP_ENCODE_MAX_RECORDS + 1, &made));
    const struct lcap_block block =
        read_back(lcap_encode_gpu_passes(encoder, 1, passes, LCAP_ENCODE_MAX_RECORDS, &made), made);
    ck_assert_uint_eq(block.raw_size, 8 + 72 * LCAP_ENCODE_MAX_RECORDS);
}
END_TEST

START_TEST(times_that_the_format_forbids_are_refused)
{
    struct lcap_gpu_time wrong[8];
    struct lcap_gpu_frame frame = {.track = 1, .method = 1};
    struct lcap_gpu_pass pass = {.track = 1, .site = 1, .operation = 1, .logical_passes = 1};
    struct lcap_bytes made;
    for (size_t i = 0; i < 8; i++)
        wrong[i] = measured;
    wrong[0].outcome = 0;
    wrong[1].outcome = LCAP_GPU_FAILED; /* with a duration */
    wrong[2] = lost;
    wrong[2].uncertainty_ns = 0; /* mapped, and nothing was measured */
    wrong[3].begin_ns++;         /* its end does not fit */
    wrong[4].uncertainty_ns = LCAP_GPU_UNMAPPED;
    wrong[5].collect_tick = 4;
    wrong[6].duration_ns = UINT64_C(1) << 63;
    wrong[7] = unmapped;
    wrong[7].duration_ns++;
    for (size_t i = 0; i < 8; i++) {
        frame.time = pass.time = wrong[i];
        REFUSED(lcap_encode_gpu_frames(encoder, 1, &frame, 1, &made));
        REFUSED(lcap_encode_gpu_passes(encoder, 1, &pass, 1, &made));
    }
    frame.time = measured;
    ck_assert_int_eq(lcap_encode_gpu_frames(encoder, 1, &frame, 1, &made), LUDUS_OK);
}
END_TEST

START_TEST(records_that_the_format_forbids_are_refused)
{
    static uint8_t text[LCAP_ENCODE_MAX_STRING];
    const struct lcap_gpu_frame frame = {.time = measured, .track = 1, .method = 1};
    const struct lcap_gpu_pass pass = {
        .time = measured, .track = 1, .site = 1, .operation = 1, .logical_passes = 1};
    struct lcap_gpu_frame frames[2] = {frame, frame};
    struct lcap_gpu_pass passes[4] = {pass, pass, pass, pass};
    struct lcap_bytes made;
    frames[0].track = 0;
    frames[1].method = 0;
    passes[0].track = 0;
    passes[1].site = 0;
    passes[2].operation = 0;
    passes[3].logical_passes = 0;
    for (int i = 0; i < 2; i++)
        REFUSED(lcap_encode_gpu_frames(encoder, 1, &frames[i], 1, &made));
    for (int i = 0; i < 4; i++)
        REFUSED(lcap_encode_gpu_passes(encoder, 1, &passes[i], 1, &made));
    REFUSED(lcap_encode_gpu_frames(encoder, 0, &frame, 1, &made));
    REFUSED(lcap_encode_gpu_passes(encoder, 0, &pass, 1, &made));
    REFUSED(lcap_encode_gpu_frames(encoder, 1, &frame, 0, &made));
    REFUSED(lcap_encode_gpu_queue(encoder, &(struct lcap_gpu_queue){.valid_bits = 1}, &made));
    REFUSED(lcap_encode_gpu_queue(encoder, &(struct lcap_gpu_queue){.track = 1, .valid_bits = 65},
                                  &made));
    REFUSED(lcap_encode_gpu_counts(encoder, &(struct lcap_gpu_count){.track = 1}, 1, &made));
    REFUSED(lcap_encode_gpu_counts(encoder, &(struct lcap_gpu_count){.subject = 1}, 1, &made));
    REFUSED(lcap_encode_gpu_calibrations(encoder, &(struct lcap_gpu_calibration){.track = 1}, 1,
                                         &made));
    REFUSED(lcap_encode_gpu_calibrations(encoder, &(struct lcap_gpu_calibration){.mapping = 1}, 1,
                                         &made));
    REFUSED_AS_MUCH(lcap_encode_gpu_queue(
        encoder,
        &(struct lcap_gpu_queue){.track = 1, .backend = BYTES("v"), .device = {text, sizeof text}},
        &made));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_records");
    TCase *cases = tcase_create("records");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_queue_comes_back);
    tcase_add_test(cases, frames_come_back);
    tcase_add_test(cases, passes_come_back);
    tcase_add_test(cases, counts_and_calibrations_come_back);
    tcase_add_test(cases, as_many_passes_as_a_block_takes_fit_without_compression);
    tcase_add_test(cases, times_that_the_format_forbids_are_refused);
    tcase_add_test(cases, records_that_the_format_forbids_are_refused);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
