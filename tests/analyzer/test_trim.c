/* Random spans of random captures, whole and damaged: what lies in the span is the same in the
 * capture that is cut out, and what lies over its edges is there as far as it goes. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_fixture.h"
#include "lcap_checksum.h"
#include "memory_sink.h"
#include "random_capture.h"
#include "trace.h"
#include "trim.h"
#include "trim_check.h"

#define SEEDS           (60u / TEST_SHARE)
#define DAMAGED_SEEDS   (40u / TEST_SHARE)
#define WINDOWS_OF_EACH 4u

/* False when there is nothing to cut. */
static bool cut(struct trim_parts *parts)
{
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct ludus_error error = {0};
    bool has_any;
    enum ludus_status status =
        trace_trim_capture(parts->whole->capture, parts->from_ns, parts->to_ns, "time:x",
                           memory_sink_output(&sink), &has_any, &error);
    ck_assert_msg(status == LUDUS_OK || status == LUDUS_ERROR_ARGUMENT, "%s", error.message);
    parts->is_to_end = parts->to_ns >= parts->whole->model->end_ns;
    if (status == LUDUS_OK)
        kept_capture_open(&parts->part, sink.bytes, sink.size);
    memory_sink_release(&sink);
    return status == LUDUS_OK;
}

/* --- random spans ---------------------------------------------------------------------------- */

/* A span of the capture; some reach to its end, some lie between two neighbouring events. */
static void choose(struct trim_parts *parts, struct random *random)
{
    const struct trace_model *model = parts->whole->model;
    const int64_t length_ns = model->end_ns - model->window_begin_ns;
    const uint32_t most = length_ns < 1 ? 1 : (uint32_t)length_ns;
    parts->from_ns = model->window_begin_ns + random_below(random, most);
    parts->to_ns =
        parts->from_ns + 1 + random_below(random, random_below(random, 4) == 0 ? 5 : most);
    if (random_below(random, 4) == 0 || parts->to_ns > model->end_ns)
        parts->to_ns = model->end_ns;
}

START_TEST(a_part_of_a_capture_holds_what_the_capture_has_there)
{
    struct random_capture capture;
    struct random random = {(uint64_t)_i + 77};
    struct kept_capture whole;
    random_capture_create(&capture, (uint64_t)_i, false);
    const struct lcap_bytes bytes = builder_bytes(capture.builder);
    kept_capture_open(&whole, bytes.data, bytes.size);
    for (uint32_t i = 0; i < WINDOWS_OF_EACH; i++) {
        struct trim_parts parts = {.whole = &whole}, narrow;
        choose(&parts, &random);
        if (!cut(&parts))
            continue;
        trim_check_part(&parts, capture.is_finished);
        /* And a part of the part. */
        narrow = (struct trim_parts){.whole = &parts.part};
        choose(&narrow, &random);
        if (cut(&narrow)) {
            trim_check_part(&narrow, capture.is_finished);
            kept_capture_close(&narrow.part);
        }
        kept_capture_close(&parts.part);
    }
    kept_capture_close(&whole);
    random_capture_destroy(&capture);
}
END_TEST

START_TEST(a_part_of_a_damaged_capture_is_as_damaged)
{
    struct random_capture capture;
    struct random random = {(uint64_t)_i + 99};
    struct kept_capture damaged;
    uint32_t count;
    random_capture_create(&capture, (uint64_t)_i, false);
    const struct lcap_bytes bytes = builder_bytes(capture.builder);
    const uint64_t *offsets = builder_offsets(capture.builder, &count);
    struct file_bytes file = {malloc(bytes.size), bytes.size};
    ck_assert_ptr_nonnull(file.data);
    memcpy(file.data, bytes.data, bytes.size);
    random_damage_bytes(&file, &random, offsets, count);
    kept_capture_open(&damaged, file.data, file.size);
    for (uint32_t i = 0; i < WINDOWS_OF_EACH; i++) {
        struct trim_parts parts = {.whole = &damaged};
        choose(&parts, &random);
        if (!cut(&parts))
            continue;
        trim_check_part(&parts, false);
        ck_assert_int_eq(parts.part.model->damage_count != 0, damaged.model->damage_count != 0);
        kept_capture_close(&parts.part);
    }
    kept_capture_close(&damaged);
    free(file.data);
    random_capture_destroy(&capture);
}
END_TEST

/* Its begin, middle and end, each without an event or with few. */
static void check_moments(const uint8_t *bytes, size_t size)
{
    struct kept_capture whole;
    kept_capture_open(&whole, bytes, size);
    const int64_t begin_ns = whole.model->window_begin_ns, end_ns = whole.model->end_ns;
    const int64_t middle_ns = begin_ns + (end_ns - begin_ns) / 2;
    const int64_t spans[][2] = {
        {begin_ns, begin_ns + 1}, {middle_ns, middle_ns + 1}, {end_ns - 1, end_ns}};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        struct trim_parts parts = {.whole = &whole, .from_ns = spans[i][0], .to_ns = spans[i][1]};
        if (!cut(&parts))
            continue;
        kept_capture_check_whole(&parts.part);
        kept_capture_close(&parts.part);
    }
    kept_capture_close(&whole);
}

/* Each of its blocks in turn has a header with a wrong checksum. Then the session, its first block,
 * names a clock that is not there. */
START_TEST(a_capture_can_be_cut_whatever_definition_it_lacks)
{
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(TEST_GOLDEN_DIR "/valid/clocks.lcap", "rb");
    ck_assert_ptr_nonnull(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t offset = 32; offset + 40 <= size; offset++) {
        if (memcmp(bytes + offset, "LBLK", 4) != 0)
            continue;
        bytes[offset + 36] ^= 1;
        check_moments(bytes, size);
        bytes[offset + 36] ^= 1;
    }
    uint8_t *header = bytes + 32, *payload = header + 40;
    uint32_t stored_size, checksum;
    memcpy(&stored_size, header + 12, sizeof stored_size);
    payload[8] = 77;
    checksum = lcap_crc32(payload, stored_size);
    memcpy(header + 20, &checksum, sizeof checksum);
    checksum = lcap_crc32(header, 36);
    memcpy(header + 36, &checksum, sizeof checksum);
    check_moments(bytes, size);
}
END_TEST

/* --- from a text ----------------------------------------------------------------------------- */

/* Cuts out of a file; the part is opened when that went well. */
static enum ludus_status cut_window(const struct kept_capture *whole, const char *window,
                                    const char *domain, struct kept_capture *part,
                                    struct ludus_error *error)
{
    const struct trace_trim_options options = {window, domain};
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    enum ludus_status status =
        trace_trim(whole->path, &options, memory_sink_output(&sink), NULL, error);
    if (status == LUDUS_OK)
        kept_capture_open(part, sink.bytes, sink.size);
    memory_sink_release(&sink);
    return status;
}

static void check_window(const struct kept_capture *whole, const char *window, int64_t from_ns,
                         int64_t to_ns)
{
    struct kept_capture part;
    struct ludus_error error;
    ck_assert_msg(cut_window(whole, window, NULL, &part, &error) == LUDUS_OK, "%s", error.message);
    ck_assert_int_eq(part.model->window_begin_ns, from_ns);
    ck_assert_int_eq(part.model->end_ns, to_ns);
    kept_capture_close(&part);
}

static void check_refusal(const struct kept_capture *whole, const char *window, const char *domain,
                          const char *reason)
{
    struct kept_capture part;
    struct ludus_error error;
    ck_assert_int_eq(cut_window(whole, window, domain, &part, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.message, reason));
}

START_TEST(a_window_is_one_span_of_time)
{
    static const uint64_t marks_ns[] = {100, 200, 300};
    struct capture_builder *builder = builder_create(&golden_setup);
    struct kept_capture kept;
    golden_add_track(builder, 1, 7, 0, 0, "main");
    golden_add_marks(builder, 1, marks_ns, 3);
    golden_emit(builder, 1, "!Mark 100 (Load 110 )120 !Job 150 !Mark 300 !Job 350");
    builder_stop(builder, START + 400);
    builder_finish(builder);
    const struct lcap_bytes bytes = builder_bytes(builder);
    kept_capture_open(&kept, bytes.data, bytes.size);
    check_refusal(&kept, "marks:Mark..Job", NULL, "is 2 spans of time");
    check_refusal(&kept, "frames:0..0", "nothing", "there is no frame domain 'nothing'");
    check_refusal(&kept, "nonsense", NULL, "'nonsense' is no window");
    check_window(&kept, "marks:Mark#2..Job", 300, 350);
    check_window(&kept, "frames:0..0", 100, 200);
    kept_capture_close(&kept);
    builder_destroy(builder);
}
END_TEST

/* Two threads count; the second begins in the window, and tells what it counted there behind it. */
START_TEST(what_was_counted_in_a_window_is_in_the_part)
{
    static const uint64_t marks_ns[] = {100, 200, 300};
    struct capture_builder *builder = builder_create(&golden_setup);
    struct kept_capture kept, part;
    struct ludus_error error;
    golden_add_track(builder, 1, 7, 0, 0, "main");
    golden_add_track(builder, 2, 8, 120, 0, "worker");
    golden_add_marks(builder, 1, marks_ns, 3);
    golden_emit(builder, 1, "(Load 90");
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + 101, 1, 5);  /* before frame 0 */
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + 201, 1, 7);  /* in frame 0 */
    builder_value(builder, 2, LCAP_EVENT_COUNT, START + 205, 2, 11); /* in frame 0 */
    builder_value(builder, 1, LCAP_EVENT_COUNT, START + 301, 1, 13); /* in frame 1 */
    builder_stop(builder, START + 400);
    builder_finish(builder);
    const struct lcap_bytes bytes = builder_bytes(builder);
    kept_capture_open(&kept, bytes.data, bytes.size);
    ck_assert_msg(cut_window(&kept, "frames:0..0", NULL, &part, &error) == LUDUS_OK, "%s",
                  error.message);
    struct trim_values values = trim_values_of(&part);
    static const struct {
        uint64_t bits;
        int64_t time_ns;
        bool is_time_known;
    } expected[] = {{5, 101, false}, {7, 101, true}, {11, 120, true}};
    ck_assert_uint_eq(values.count, 3);
    for (size_t i = 0; i < 3; i++) {
        uint32_t at = 0;
        while (at < values.count && values.items[at].bits != expected[i].bits)
            at++;
        ck_assert_uint_lt(at, values.count);
        ck_assert_int_eq(values.items[at].time_ns, expected[i].time_ns);
        ck_assert_int_eq(values.items[at].is_time_known, expected[i].is_time_known);
    }
    ck_assert_int_eq(part.model->end_ns, 200);
    free(values.items);
    kept_capture_close(&part);
    kept_capture_close(&kept);
    builder_destroy(builder);
}
END_TEST

/* --- a game's -------------------------------------------------------------------------------- */

/* 60 frames of the example game: a tenth of its time takes a tenth of its bytes, but for the
 * definitions and a tenth. */
START_TEST(a_part_of_a_capture_is_as_much_smaller_as_it_is_shorter)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(TEST_GOLDEN_DIR "/../format/arena_60.lcap", "rb");
    ck_assert_ptr_nonnull(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    struct kept_capture whole;
    fclose(file);
    kept_capture_open(&whole, bytes, size);
    const int64_t length_ns = whole.model->end_ns;
    struct trim_parts nothing = {
        .whole = &whole, .from_ns = length_ns / 2, .to_ns = length_ns / 2 + 1};
    ck_assert(cut(&nothing));
    const uint64_t definitions = nothing.part.model->file_bytes;
    for (int64_t pieces = 2; pieces <= 10; pieces += 4) {
        struct trim_parts parts = {.whole = &whole,
                                   .from_ns = length_ns / 2 - length_ns / pieces / 2,
                                   .to_ns = length_ns / 2 + length_ns / pieces / 2};
        ck_assert(cut(&parts));
        const uint64_t part = parts.part.model->file_bytes;
        const double events = (double)parts.part.model->events / (double)whole.model->events;
        printf("1/%d of %zu bytes with %.1f %% of the events: %llu bytes, %llu of definitions\n",
               (int)pieces, size, 100 * events, (unsigned long long)part,
               (unsigned long long)definitions);
        ck_assert_double_le((double)part, 1.1 * events * (double)size + (double)definitions);
        trim_check_part(&parts, true);
        kept_capture_close(&parts.part);
    }
    kept_capture_close(&nothing.part);
    kept_capture_close(&whole);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trim");
    TCase *cases = tcase_create("parts");
    tcase_set_timeout(cases, 240);
    tcase_add_loop_test(cases, a_part_of_a_capture_holds_what_the_capture_has_there, 0, (int)SEEDS);
    tcase_add_loop_test(cases, a_part_of_a_damaged_capture_is_as_damaged, 0, (int)DAMAGED_SEEDS);
    tcase_add_test(cases, a_capture_can_be_cut_whatever_definition_it_lacks);
    tcase_add_test(cases, a_window_is_one_span_of_time);
    tcase_add_test(cases, what_was_counted_in_a_window_is_in_the_part);
    tcase_add_test(cases, a_part_of_a_capture_is_as_much_smaller_as_it_is_shorter);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
