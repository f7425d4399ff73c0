/* What a pass shows of the golden recording with GPU samples (tests/golden/golden_gpu.c), and what
 * the model keeps of it. */
#include <check.h>

#include "capture.h"
#include "gpu_times.h"
#include "pass_plan.h"

#define MS INT64_C(1000000)

struct shown {
    struct trace_gpu_frame frames[8];
    size_t frame_count;
    struct trace_gpu_pass passes[16];
    size_t pass_count;
    struct trace_gpu_calibration calibrations[8];
    size_t calibration_count;
};

static enum ludus_status take_frame(void *context, const struct trace_model *model,
                                    const struct trace_gpu_frame *frame)
{
    struct shown *shown = context;
    (void)model;
    ck_assert_uint_lt(shown->frame_count, 8);
    shown->frames[shown->frame_count++] = *frame;
    return LUDUS_OK;
}

static enum ludus_status take_pass(void *context, const struct trace_model *model,
                                   const struct trace_gpu_pass *pass)
{
    struct shown *shown = context;
    (void)model;
    ck_assert_uint_lt(shown->pass_count, 16);
    shown->passes[shown->pass_count++] = *pass;
    return LUDUS_OK;
}

static enum ludus_status take_calibration(void *context, const struct trace_model *model,
                                          const struct trace_gpu_calibration *calibration)
{
    struct shown *shown = context;
    (void)model;
    ck_assert_uint_lt(shown->calibration_count, 8);
    shown->calibrations[shown->calibration_count++] = *calibration;
    return LUDUS_OK;
}

START_TEST(samples_are_shown_on_the_time_line_of_the_session)
{
    struct shown shown = {0};
    const struct trace_visitor visitor = {.context = &shown,
                                          .gpu_frame = take_frame,
                                          .gpu_pass = take_pass,
                                          .gpu_calibration = take_calibration};
    struct trace_capture *capture;
    struct ludus_error error;
    ck_assert_int_eq(trace_capture_open(TEST_GOLDEN_DIR "/valid/gpu.lcap", &capture, &error),
                     LUDUS_OK);
    ck_assert_int_eq(trace_capture_run(capture, NULL, &visitor, &error), LUDUS_OK);
    const struct trace_model *model = trace_capture_model(capture);
    ck_assert_uint_eq(shown.frame_count, 3);
    ck_assert_int_eq(shown.frames[0].time.begin_ns, 91 * MS / 10);
    ck_assert_int_eq(shown.frames[0].time.duration_ns, 6 * MS);
    ck_assert_int_eq(shown.frames[0].time.submit_ns, 9 * MS);
    ck_assert_int_eq(shown.frames[0].time.collect_ns, 21 * MS);
    ck_assert_uint_eq(shown.frames[0].time.uncertainty_ns, 1500);
    ck_assert(shown.frames[0].time.has_begin);
    ck_assert(!shown.frames[1].time.has_begin);
    ck_assert_int_eq(shown.frames[1].time.duration_ns, 8 * MS);
    ck_assert_uint_eq(shown.frames[2].time.outcome, LCAP_GPU_REVERSED);
    ck_assert_int_eq(shown.frames[2].time.duration_ns, -1);
    ck_assert_uint_eq(shown.pass_count, 8);
    ck_assert_int_eq(shown.passes[6].time.duration_ns, 0); /* a true zero */
    ck_assert_int_eq(shown.passes[7].time.duration_ns, -1);
    ck_assert(trace_text_is(model->sites[shown.passes[2].site].name, "Opaque"));
    ck_assert_uint_eq(shown.passes[2].ordinal, 1);
    ck_assert_uint_eq(shown.passes[2].logical_passes, 2);
    ck_assert(trace_text_is(model->tracks[shown.passes[3].track].name, "compute"));
    ck_assert_uint_eq(shown.calibration_count, 2);
    ck_assert_int_eq(shown.calibrations[0].host_ns[0], 9 * MS);
    ck_assert_int_eq(shown.calibrations[0].host_ns[1], 21 * MS);
    ck_assert_uint_eq(shown.calibrations[1].mapping, LCAP_GPU_TOO_UNCERTAIN);
    trace_capture_close(capture);
}
END_TEST

START_TEST(the_greatest_count_holds)
{
    struct trace_capture *capture;
    struct ludus_error error;
    ck_assert_int_eq(trace_capture_open(TEST_GOLDEN_DIR "/valid/gpu.lcap", &capture, &error),
                     LUDUS_OK);
    const struct trace_model *model = trace_capture_model(capture);
    ck_assert_uint_eq(model->sources, TRACE_SOURCE_CPU | TRACE_SOURCE_GPU);
    ck_assert_uint_eq(model->gpu_queue_count, 2);
    const uint32_t track = model->gpu_queues[0].track;
    ck_assert_uint_eq(trace_gpu_count_of(model, track, LCAP_GPU_FRAME, LCAP_GPU_ELIGIBLE), 5);
    ck_assert_uint_eq(trace_gpu_count_of(model, track, LCAP_GPU_FRAME, LCAP_GPU_VALID), 2);
    ck_assert_uint_eq(trace_gpu_count_of(model, track, LCAP_GPU_FRAME, LCAP_GPU_NESTED), 0);
    ck_assert_uint_eq(trace_gpu_queue_of(model, track), 0);
    ck_assert_uint_eq(trace_gpu_queue_of(model, 0), TRACE_NONE);
    trace_capture_close(capture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_times");
    TCase *cases = tcase_create("gpu_times");
    tcase_add_test(cases, samples_are_shown_on_the_time_line_of_the_session);
    tcase_add_test(cases, the_greatest_count_holds);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
