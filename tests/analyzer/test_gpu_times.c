/* What a pass shows of the golden recordings with GPU samples (tests/golden/golden_gpu.c), from the
 * capture and from a database of it, and what the model keeps of them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gpu_queues.h"
#include "input.h"

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

/* Opens a golden recording, or a database that is made of it. */
static struct trace_input *open_golden(const char *path, bool is_database)
{
    char database[] = "/tmp/ludus-gpu-XXXXXX";
    struct trace_input *input = NULL;
    struct ludus_error error = {0};
    if (is_database) {
        const int file = mkstemp(database);
        ck_assert_int_ge(file, 0);
        ck_assert_int_eq(close(file), 0);
        ck_assert_msg(trace_import(&path, 1, NULL, database, NULL, &error) == LUDUS_OK, "%s",
                      error.message);
    }
    ck_assert_msg(trace_open(is_database ? database : path, 0, &input, &error) == LUDUS_OK, "%s",
                  error.message);
    if (is_database) {
        const struct trace_model *model;
        ck_assert_int_eq(trace_input_model(input, TRACE_DETAIL_FACTS, &model, &error), LUDUS_OK);
        ck_assert_int_eq(unlink(database), 0);
    }
    return input;
}

/* What a pass over it shows; the caller closes the input. */
static struct trace_input *show(const char *path, bool is_database, struct shown *shown,
                                const struct trace_model **model)
{
    const struct trace_visitor visitor = {.context = shown,
                                          .gpu_frame = take_frame,
                                          .gpu_pass = take_pass,
                                          .gpu_calibration = take_calibration};
    struct trace_input *input = open_golden(path, is_database);
    struct ludus_error error = {0};
    *shown = (struct shown){0};
    ck_assert_msg(trace_input_run(input, NULL, &visitor, &error) == LUDUS_OK, "%s", error.message);
    ck_assert_int_eq(trace_input_model(input, TRACE_DETAIL_FACTS, model, &error), LUDUS_OK);
    return input;
}

START_TEST(samples_are_shown_on_the_time_line_of_the_session)
{
    struct shown shown;
    const struct trace_model *model;
    struct trace_input *input = show(TEST_GOLDEN_DIR "/valid/gpu.lcap", _i == 1, &shown, &model);
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
    trace_close(input);
}
END_TEST

static void assert_same_time(const struct trace_gpu_time *a, const struct trace_gpu_time *b)
{
    ck_assert_int_eq(a->duration_ns, b->duration_ns);
    ck_assert_int_eq(a->begin_ns, b->begin_ns);
    ck_assert_int_eq(a->submit_ns, b->submit_ns);
    ck_assert_int_eq(a->collect_ns, b->collect_ns);
    ck_assert_uint_eq(a->uncertainty_ns, b->uncertainty_ns);
    ck_assert_uint_eq(a->outcome, b->outcome);
    ck_assert_int_eq(a->has_begin, b->has_begin);
}

static void assert_same(const struct shown *a, const struct shown *b)
{
    ck_assert_uint_eq(a->frame_count, b->frame_count);
    ck_assert_uint_eq(a->pass_count, b->pass_count);
    ck_assert_uint_eq(a->calibration_count, b->calibration_count);
    for (size_t i = 0; i < a->frame_count; i++) {
        const struct trace_gpu_frame *x = &a->frames[i], *y = &b->frames[i];
        assert_same_time(&x->time, &y->time);
        ck_assert_uint_eq(x->number, y->number);
        ck_assert_uint_eq(x->track, y->track);
        ck_assert_uint_eq(x->method, y->method);
    }
    for (size_t i = 0; i < a->pass_count; i++) {
        const struct trace_gpu_pass *x = &a->passes[i], *y = &b->passes[i];
        assert_same_time(&x->time, &y->time);
        ck_assert_uint_eq(x->frame, y->frame);
        ck_assert_uint_eq(x->track, y->track);
        ck_assert_uint_eq(x->site, y->site);
        ck_assert_uint_eq(x->ordinal, y->ordinal);
        ck_assert_uint_eq(x->operation, y->operation);
        ck_assert_uint_eq(x->logical_passes, y->logical_passes);
    }
    for (size_t i = 0; i < a->calibration_count; i++) {
        const struct trace_gpu_calibration *x = &a->calibrations[i], *y = &b->calibrations[i];
        ck_assert_uint_eq(x->frame, y->frame);
        ck_assert_uint_eq(x->track, y->track);
        ck_assert_uint_eq(x->mapping, y->mapping);
        ck_assert_uint_eq(x->uncertainty_ns, y->uncertainty_ns);
        for (int end = 0; end < 2; end++) {
            ck_assert_uint_eq(x->device_ticks[end], y->device_ticks[end]);
            ck_assert_int_eq(x->host_ns[end], y->host_ns[end]);
        }
    }
}

/* Numbers at the ends of their ranges, kinds that are not known, a queue that is not defined. */
START_TEST(a_database_shows_what_its_capture_shows)
{
    static const char *const paths[] = {TEST_GOLDEN_DIR "/valid/gpu.lcap",
                                        TEST_GOLDEN_DIR "/valid/gpu-kinds.lcap"};
    struct shown shown[2];
    const struct trace_model *model;
    for (int i = 0; i < 2; i++)
        trace_close(show(paths[_i], i == 1, &shown[i], &model));
    ck_assert_uint_ge(shown[0].frame_count, 2);
    assert_same(&shown[0], &shown[1]);
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
    tcase_add_loop_test(cases, samples_are_shown_on_the_time_line_of_the_session, 0, 2);
    tcase_add_loop_test(cases, a_database_shows_what_its_capture_shows, 0, 2);
    tcase_add_test(cases, the_greatest_count_holds);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
