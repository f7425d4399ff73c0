/* The numbers of the golden recording of a game whose device is lost, as its maker has worked them
 * out (tests/golden/golden_gpu_game.c), in us. */
#include <check.h>

#include "gpu_measure.h"
#include "lcap_layout.h"
#include "selection.h"

#define US         INT64_C(1000)
#define GAME       TEST_GOLDEN_DIR "/valid/gpu-game.lcap"
#define NO_SITE    TRACE_NONE
#define NO_FRAME   TRACE_NONE
#define COUNT(set) (sizeof(set) / sizeof(set)[0])

enum { MAIN, GRAPHICS, COPY, GRAPHICS_AGAIN }; /* tracks */
enum { SHADOWS, OPAQUE, BLUR, UPLOAD };        /* sites */
enum { RENDER = LCAP_GPU_RENDER, COMPUTE = LCAP_GPU_COMPUTE, TRANSFER = LCAP_GPU_TRANSFER };

struct expected {
    enum trace_gpu_kind kind;
    uint32_t track, site, operation;
    uint64_t valid, not_valid, outside, logical, calibrated;
    int64_t sum_us, calibrated_us, union_us;
    uint64_t frames, calibrated_frames;
    int64_t p50_us, max_us;
    uint32_t max_frame; /* number; frames count from mark 0 on */
    uint32_t uncertainty_ns;
};

static const struct expected of_capture[] = {
    {TRACE_GPU_FRAMES, GRAPHICS, NO_SITE, 0, 4, 1, 1, 0, 4, 33500, 33500, 33500, 0, 0, 6500, 14000,
     2, 2500},
    {TRACE_GPU_FRAMES, COPY, NO_SITE, 0, 2, 0, 0, 0, 0, 400, 0, 0, 0, 0, 150, 250, 2, 0},
    {TRACE_GPU_FRAMES, GRAPHICS_AGAIN, NO_SITE, 0, 2, 0, 1, 0, 0, 5000, 0, 0, 0, 0, 0, 5000, 5, 0},
    {TRACE_GPU_PASSES, GRAPHICS, SHADOWS, RENDER, 3, 2, 1, 3, 3, 3000, 3000, 3000, 0, 0, 1000, 1000,
     0, 2500},
    {TRACE_GPU_PASSES, GRAPHICS, OPAQUE, RENDER, 8, 1, 0, 16, 8, 25500, 25500, 24000, 0, 0, 2000,
     10500, 2, 2500},
    {TRACE_GPU_PASSES, GRAPHICS, BLUR, COMPUTE, 3, 1, 0, 3, 3, 1500, 1500, 1500, 0, 0, 500, 500, 0,
     2500},
    {TRACE_GPU_PASSES, COPY, UPLOAD, TRANSFER, 2, 0, 0, 2, 0, 400, 0, 0, 0, 0, 150, 250, 2, 0},
    {TRACE_GPU_PASSES, GRAPHICS_AGAIN, OPAQUE, RENDER, 1, 0, 0, 3, 0, 2500, 0, 0, 0, 0, 2500, 2500,
     5, 0},
    {TRACE_GPU_QUEUE_PASSES, GRAPHICS, NO_SITE, 0, 14, 4, 1, 22, 14, 30000, 30000, 28500, 4, 4,
     1000, 10500, 2, 2500},
    {TRACE_GPU_QUEUE_PASSES, GRAPHICS_AGAIN, NO_SITE, 0, 2, 0, 0, 4, 0, 3400, 0, 0, 1, 0, 900, 2500,
     5, 0},
    {TRACE_GPU_ALL_PASSES, TRACE_NONE, NO_SITE, 0, 18, 4, 1, 28, 14, 33800, 30000, 28500, 0, 0,
     1000, 10500, 2, 2500},
};

/* Frames 2 and 3: submitted frames 3 and 4. */
static const struct expected of_frames[] = {
    {TRACE_GPU_FRAMES, GRAPHICS, NO_SITE, 0, 2, 0, 0, 0, 2, 20000, 20000, 20000, 0, 0, 6000, 14000,
     2, 2500},
    {TRACE_GPU_PASSES, GRAPHICS, OPAQUE, RENDER, 4, 0, 0, 8, 4, 15500, 15500, 15000, 0, 0, 2000,
     10500, 2, 2500},
    {TRACE_GPU_PASSES, GRAPHICS, BLUR, COMPUTE, 1, 1, 0, 1, 1, 500, 500, 500, 0, 0, 500, 500, 2,
     2500},
};

/* 5,000 to 9,000, before the first mark: all of the window. */
static const struct expected of_start[] = {
    {TRACE_GPU_FRAMES, GRAPHICS, NO_SITE, 0, 1, 0, 0, 0, 1, 6000, 6000, 6000, 0, 0, 6000, 6000,
     NO_FRAME, 1500},
    {TRACE_GPU_PASSES, GRAPHICS, SHADOWS, RENDER, 1, 0, 0, 1, 1, 1000, 1000, 1000, 0, 0, 1000, 1000,
     NO_FRAME, 1500},
    {TRACE_GPU_PASSES, GRAPHICS, OPAQUE, RENDER, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NO_FRAME, 0},
};

static void check_sums(const struct trace_gpu_sums *sums, const struct expected *expected)
{
    ck_assert_uint_eq(sums->valid, expected->valid);
    ck_assert_uint_eq(sums->not_valid, expected->not_valid);
    ck_assert_uint_eq(sums->outside, expected->outside);
    ck_assert_uint_eq(sums->logical, expected->logical);
    ck_assert_uint_eq(sums->calibrated, expected->calibrated);
    ck_assert_int_eq(sums->sum_ns, expected->sum_us * US);
    ck_assert_int_eq(sums->calibrated_ns, expected->calibrated_us * US);
    ck_assert_uint_eq(sums->frames, expected->frames);
    ck_assert_uint_eq(sums->calibrated_frames, expected->calibrated_frames);
    ck_assert_uint_eq(sums->most_uncertainty_ns, expected->uncertainty_ns);
}

static void check(struct trace_input *input, struct trace_gpu_totals *totals,
                  const struct expected *expected)
{
    const uint32_t subject = trace_gpu_find(totals, expected->kind, expected->track, expected->site,
                                            expected->operation);
    struct trace_gpu_measure measure;
    struct ludus_error error = {0};
    ck_assert_uint_ne(subject, TRACE_NONE);
    check_sums(&totals->subjects[subject].sums[0], expected);
    ck_assert_msg(trace_gpu_measure(input, totals, &subject, 1, TRACE_GPU_BUDGET_BYTES, &measure,
                                    &error) == LUDUS_OK,
                  "%s", error.message);
    ck_assert_int_eq(measure.union_ns, expected->union_us * US);
    ck_assert_uint_eq(measure.ranks.count, expected->valid);
    if (expected->valid == 0)
        return;
    const struct trace_duration_sample *most = &measure.ranks.ranks[TRACE_DURATION_MAX];
    ck_assert_int_eq(measure.ranks.ranks[TRACE_DURATION_P50].duration_ns, expected->p50_us * US);
    ck_assert_int_eq(most->duration_ns, expected->max_us * US);
    ck_assert_uint_eq(most->frame, expected->max_frame);
}

static void check_window(const char *window, const struct expected *expected, size_t count)
{
    const struct trace_selection selection = {.windows = &window,
                                              .window_count = window == NULL ? 0 : 1};
    struct trace_input *input;
    struct trace_chosen chosen;
    struct trace_gpu_totals totals;
    const struct trace_model *model;
    struct ludus_error error = {0};
    ck_assert_int_eq(trace_open(GAME, 0, &input, &error), LUDUS_OK);
    ck_assert_int_eq(trace_input_model(input, TRACE_DETAIL_FACTS, &model, &error), LUDUS_OK);
    ck_assert_int_eq(trace_chosen_create(input, &selection, &chosen, &error), LUDUS_OK);
    ck_assert_int_eq(trace_gpu_look(input, model, &chosen.plan, true, &totals, &error), LUDUS_OK);
    for (size_t i = 0; i < count; i++)
        check(input, &totals, &expected[i]);
    trace_gpu_totals_destroy(&totals);
    trace_chosen_destroy(&chosen);
    trace_close(input);
}

START_TEST(all_of_the_capture)
{
    check_window(NULL, of_capture, COUNT(of_capture));
}
END_TEST

START_TEST(two_frames)
{
    check_window("frames:2..3", of_frames, COUNT(of_frames));
}
END_TEST

START_TEST(a_window_without_frames)
{
    check_window("time:5ms..9ms", of_start, COUNT(of_start));
}
END_TEST

START_TEST(calibrations)
{
    const struct trace_selection selection = {0};
    struct trace_input *input;
    struct trace_chosen chosen;
    struct trace_gpu_totals totals;
    const struct trace_model *model;
    struct ludus_error error = {0};
    ck_assert_int_eq(trace_open(GAME, 0, &input, &error), LUDUS_OK);
    ck_assert_int_eq(trace_input_model(input, TRACE_DETAIL_FACTS, &model, &error), LUDUS_OK);
    ck_assert_int_eq(trace_chosen_create(input, &selection, &chosen, &error), LUDUS_OK);
    ck_assert_int_eq(trace_gpu_look(input, model, &chosen.plan, true, &totals, &error), LUDUS_OK);
    ck_assert_uint_eq(totals.reading_count, 1);
    ck_assert_uint_eq(totals.readings[0].track, GRAPHICS);
    ck_assert_uint_eq(totals.readings[0].counts[LCAP_GPU_MAPPED], 5);
    ck_assert_uint_eq(totals.readings[0].counts[LCAP_GPU_READ_FAILED], 1);
    ck_assert_uint_eq(totals.readings[0].most_uncertainty_ns[LCAP_GPU_MAPPED], 2500);
    trace_gpu_totals_destroy(&totals);
    trace_chosen_destroy(&chosen);
    trace_close(input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden_gpu");
    TCase *cases = tcase_create("golden_gpu");
    tcase_add_test(cases, all_of_the_capture);
    tcase_add_test(cases, two_frames);
    tcase_add_test(cases, a_window_without_frames);
    tcase_add_test(cases, calibrations);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
