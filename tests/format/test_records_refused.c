/* Records that the format forbids are refused when they are written. */
#include <check.h>
#include <stddef.h>

#include "lcap_encode.h"

#define NO_BYTES ((struct lcap_bytes){NULL, 0})

static struct lcap_encoder *encoder;

static void set_up(void)
{
    const struct lcap_encoder_config config = {
        .max_site = 10, .max_events = 256, .compression_level = 1};
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
}

static void tear_down(void)
{
    lcap_encoder_destroy(encoder);
}

#define REFUSED(call) ck_assert_int_eq(call, LUDUS_ERROR_ARGUMENT)

START_TEST(definitions_that_the_format_forbids_are_refused)
{
    struct lcap_bytes made;
    size_t taken;
    REFUSED(lcap_encode_session(encoder, &(struct lcap_session){0}, NULL, 0, &made));
    REFUSED(lcap_encode_session(encoder, &(struct lcap_session){.clock = 1, .sources = 4}, NULL, 0,
                                &made));
    REFUSED(lcap_encode_strings(encoder, &(struct lcap_string){NO_BYTES, 0}, 1, &taken, &made));
    REFUSED(lcap_encode_categories(encoder, &(struct lcap_category){0, 1, 0, 0}, 1, &made));
    REFUSED(lcap_encode_categories(encoder, &(struct lcap_category){1, 0, 0, 0}, 1, &made));
    REFUSED(lcap_encode_categories(encoder, &(struct lcap_category){1, 1, 1u << 24, 0}, 1, &made));
    REFUSED(lcap_encode_categories(encoder, &(struct lcap_category){1, 1, 0, 2}, 1, &made));
    REFUSED(lcap_encode_sites(encoder, &(struct lcap_site){.name = 1}, 1, &made));
    REFUSED(lcap_encode_sites(encoder, &(struct lcap_site){.site = 1}, 1, &made));
    REFUSED(lcap_encode_domains(encoder, &(struct lcap_domain){0, 1}, 1, &made));
    REFUSED(lcap_encode_domains(encoder, &(struct lcap_domain){1, 0}, 1, &made));
    REFUSED(lcap_encode_domains(encoder, &(struct lcap_domain){1, 1}, 0, &made));
}
END_TEST

START_TEST(clocks_that_the_format_forbids_are_refused)
{
    const struct lcap_clock right = {
        .ticks_per_second = 1000000000, .step = 1, .clock = 1, .source = LCAP_CLOCK_MONOTONIC};
    struct lcap_clock wrong[7];
    struct lcap_bytes made;
    for (size_t i = 0; i < 7; i++)
        wrong[i] = right;
    wrong[0].clock = 0;
    wrong[1].step = 0;
    wrong[2].offset = 1;
    wrong[3].ticks_per_second = 0;
    wrong[4].ticks_per_second = 999999999;
    wrong[5].source = 0;
    wrong[6].source = LCAP_CLOCK_GENERIC_TIMER + 1;
    ck_assert_int_eq(lcap_encode_clock(encoder, &right, NO_BYTES, &made), LUDUS_OK);
    for (size_t i = 0; i < 7; i++)
        REFUSED(lcap_encode_clock(encoder, &wrong[i], NO_BYTES, &made));
}
END_TEST

START_TEST(records_of_ticks_that_the_format_forbids_are_refused)
{
    const struct lcap_calibration standing[] = {{.tick = 1, .ns = 1}, {.tick = 1, .ns = 2}};
    const struct lcap_calibration falling[] = {{.tick = 1, .ns = 1}, {.tick = 2, .ns = 0}};
    const struct lcap_track track = {.track = 1, .kind = LCAP_TRACK_THREAD};
    const struct lcap_frame_mark mark = {.domain = 1};
    const struct lcap_loss loss = {.cause = 1};
    const struct lcap_diagnostic diagnostic = {.code = 1};
    const struct lcap_trigger trigger = {.cause = 1};
    const struct lcap_sched sample = {.to_tick = 1, .processors = 1};
    const struct lcap_sched standing_sample = {.processors = 1};
    const struct lcap_sched nowhere = {.to_tick = 1};
    const struct lcap_sched everywhere = {.to_tick = 1, .track = 1, .processors = 2};
    struct lcap_bytes made;
    REFUSED(lcap_encode_calibrations(encoder, 0, standing, 1, &made));
    REFUSED(lcap_encode_calibrations(encoder, 1, standing, 2, &made));
    REFUSED(lcap_encode_calibrations(encoder, 1, falling, 2, &made));
    REFUSED(lcap_encode_tracks(encoder, 0, &track, 1, &made));
    REFUSED(lcap_encode_tracks(encoder, 1, &(struct lcap_track){.kind = 1}, 1, &made));
    REFUSED(lcap_encode_tracks(encoder, 1, &(struct lcap_track){.track = 1}, 1, &made));
    REFUSED(lcap_encode_tracks(encoder, 1, &(struct lcap_track){.track = 1, .kind = 4}, 1, &made));
    REFUSED(lcap_encode_frames(encoder, 0, &mark, 1, &made));
    REFUSED(lcap_encode_frames(encoder, 1, &(struct lcap_frame_mark){.tick = 1}, 1, &made));
    REFUSED(lcap_encode_losses(encoder, 0, &loss, 1, &made));
    REFUSED(lcap_encode_losses(encoder, 1, &(struct lcap_loss){.track = 1}, 1, &made));
    REFUSED(
        lcap_encode_losses(encoder, 1, &(struct lcap_loss){.cause = 1, .first_tick = 1}, 1, &made));
    REFUSED(lcap_encode_diagnostic(encoder, 0, &diagnostic, &made));
    REFUSED(lcap_encode_sched(encoder, 0, &sample, 1, &made));
    REFUSED(lcap_encode_sched(encoder, 1, &standing_sample, 1, &made));
    REFUSED(lcap_encode_sched(encoder, 1, &nowhere, 1, &made));
    REFUSED(lcap_encode_sched(encoder, 1, &everywhere, 1, &made));
    REFUSED(lcap_encode_diagnostic(encoder, 1, &(struct lcap_diagnostic){.tick = 1}, &made));
    REFUSED(lcap_encode_end(encoder, &(struct lcap_end){.reason = 1}, &made));
    REFUSED(lcap_encode_end(encoder, &(struct lcap_end){.clock = 1}, &made));
    REFUSED(lcap_encode_end(encoder, &(struct lcap_end){.clock = 1, .reason = 4}, &made));
    REFUSED(lcap_encode_window(encoder, &(struct lcap_window){.from_tick = 1}, &made));
    REFUSED(lcap_encode_trigger(encoder, 0, &trigger, &made));
    REFUSED(lcap_encode_trigger(encoder, 1, &(struct lcap_trigger){.tick = 1}, &made));
}
END_TEST

START_TEST(more_than_a_block_holds_is_refused)
{
    static uint8_t text[LCAP_ENCODE_MAX_STRING + 1];
    static struct lcap_domain domains[LCAP_ENCODE_MAX_RECORDS + 1];
    const struct lcap_bytes too_long = {text, sizeof text};
    const struct lcap_clock clock = {
        .ticks_per_second = 1, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC};
    const struct lcap_diagnostic diagnostic = {.code = 1, .text = too_long};
    const struct lcap_trigger trigger = {.cause = 1, .text = too_long};
    struct lcap_bytes made;
    size_t taken;
    for (uint32_t i = 0; i <= LCAP_ENCODE_MAX_RECORDS; i++)
        domains[i] = (struct lcap_domain){i + 1, 1};
    ck_assert_int_eq(lcap_encode_domains(encoder, domains, LCAP_ENCODE_MAX_RECORDS + 1, &made),
                     LUDUS_ERROR_LIMIT);
    ck_assert_int_eq(lcap_encode_domains(encoder, domains, LCAP_ENCODE_MAX_RECORDS, &made),
                     LUDUS_OK);
    ck_assert_int_eq(lcap_encode_clock(encoder, &clock, too_long, &made), LUDUS_ERROR_LIMIT);
    ck_assert_int_eq(lcap_encode_diagnostic(encoder, 1, &diagnostic, &made), LUDUS_ERROR_LIMIT);
    ck_assert_int_eq(lcap_encode_trigger(encoder, 1, &trigger, &made), LUDUS_ERROR_LIMIT);
    ck_assert_int_eq(
        lcap_encode_strings(encoder, &(struct lcap_string){too_long, 1}, 1, &taken, &made),
        LUDUS_ERROR_LIMIT);
    ck_assert_uint_eq(taken, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("refused records");
    TCase *cases = tcase_create("refused records");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, definitions_that_the_format_forbids_are_refused);
    tcase_add_test(cases, clocks_that_the_format_forbids_are_refused);
    tcase_add_test(cases, records_of_ticks_that_the_format_forbids_are_refused);
    tcase_add_test(cases, more_than_a_block_holds_is_refused);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
