/* What GPU samples add up to, over random captures and the databases made of them, against lists
 * that are filtered, sorted and joined. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpu_measure.h"
#include "input_fixture.h"
#include "nearest_rank.h"
#include "random_stream.h"

#define SEEDS       (60u / TEST_SHARE)
#define QUEUES      3u /* tracks 2 to 4 */
#define MARKS       12u
#define FRAME_NS    1000u
#define MOST_PASSES 4096u
#define WINDOWS     2u

struct recording {
    struct capture_builder *builder;
    bool has_mark[MARKS];
    struct lcap_gpu_frame frames[512];
    size_t frame_count;
    struct lcap_gpu_pass passes[MOST_PASSES];
    size_t pass_count;
    int64_t window_ns[WINDOWS][2]; /* from the session's start */
};

/* --- what is recorded ------------------------------------------------------------------------ */

static struct lcap_gpu_time random_time(struct random *random, uint64_t submit_ns, bool is_mapped)
{
    static const uint32_t outcomes[] = {LCAP_GPU_REVERSED, LCAP_GPU_NO_END, LCAP_GPU_DEVICE_LOST,
                                        77};
    struct lcap_gpu_time time = {.submit_tick = START + submit_ns,
                                 .collect_tick = START + submit_ns + random_below(random, 4000),
                                 .outcome = LCAP_GPU_VALID,
                                 .uncertainty_ns = LCAP_GPU_UNMAPPED};
    if (random_below(random, 6) == 0) {
        time.outcome = outcomes[random_below(random, COUNT(outcomes))];
        return time;
    }
    time.duration_ns =
        random_below(random, 3) == 0 ? random_below(random, 4) * 50u : random_below(random, 1500);
    if (is_mapped) {
        time.begin_ns = (int64_t)(START + submit_ns + random_below(random, 900));
        time.uncertainty_ns = random_below(random, 100);
    }
    return time;
}

/* A submitted frame of a queue, and its passes one behind the other. */
static void add_frame(struct recording *recording, struct random *random, uint32_t queue,
                      uint64_t number, uint64_t submit_ns)
{
    const bool is_mapped = random_below(random, 3) != 0;
    if (random_below(random, 3) != 0)
        recording->frames[recording->frame_count++] =
            (struct lcap_gpu_frame){.time = random_time(random, submit_ns, is_mapped),
                                    .number = number,
                                    .track = queue + 2,
                                    .method = LCAP_GPU_TIMESTAMPS};
    for (uint32_t i = random_below(random, 6); i-- > 0;)
        recording->passes[recording->pass_count++] =
            (struct lcap_gpu_pass){.time = random_time(random, submit_ns, is_mapped),
                                   .frame = number,
                                   .track = queue + 2,
                                   .site = 1 + random_below(random, 3),
                                   .operation = 1 + random_below(random, 2),
                                   .logical_passes = 1 + random_below(random, 3)};
}

static void add_samples(struct recording *recording, struct random *random)
{
    uint64_t numbers[QUEUES] = {0};
    uint64_t submit_ns[QUEUES] = {0};
    for (uint32_t i = 20 + random_below(random, 200); i-- > 0;) {
        const uint32_t queue = random_below(random, QUEUES);
        submit_ns[queue] += random_below(random, 500);
        numbers[queue] += 1 + random_below(random, 2);
        if (submit_ns[queue] < (MARKS + 1) * FRAME_NS)
            add_frame(recording, random, queue, numbers[queue], submit_ns[queue]);
    }
}

static void record(struct recording *recording, uint32_t seed)
{
    struct random random = {seed};
    struct capture_builder *builder = builder_create(&golden_setup);
    *recording = (struct recording){.builder = builder};
    golden_add_track(builder, 1, 70, 0, 0, "main");
    for (uint32_t i = 0; i < QUEUES; i++)
        builder_track(
            builder,
            &(struct lcap_track){.track = i + 2, .begin_tick = START, .kind = LCAP_TRACK_GPU_QUEUE},
            "queue");
    builder_domain(builder, 1, "main");
    for (uint32_t i = 0; i < MARKS; i++) {
        recording->has_mark[i] = random_below(&random, 6) != 0;
        if (recording->has_mark[i])
            builder_frame(builder, 1, i, START + (i + 1) * FRAME_NS);
    }
    add_samples(recording, &random);
    builder_gpu_frames(builder, recording->frames, recording->frame_count);
    for (size_t first = 0; first < recording->pass_count; first += 50)
        builder_gpu_passes(builder, recording->passes + first,
                           recording->pass_count - first < 50 ? recording->pass_count - first : 50);
    builder_stop(builder, START + 20 * FRAME_NS);
    builder_finish(builder);
    for (uint32_t w = 0; w < WINDOWS; w++) { /* of a frame or less, and of several */
        recording->window_ns[w][0] = random_below(&random, 8 * FRAME_NS);
        recording->window_ns[w][1] =
            recording->window_ns[w][0] + 1 + random_below(&random, (w == 0 ? 2 : 9) * FRAME_NS);
    }
}

/* --- where it counts ------------------------------------------------------------------------- */

/* Whether frame i, from one mark to the next, is complete and lies in the window. */
static bool is_frame_in(const struct recording *recording, uint32_t window, uint32_t i)
{
    const int64_t begin_ns = (i + 1) * (int64_t)FRAME_NS;
    return i + 1 < MARKS && recording->has_mark[i] && recording->has_mark[i + 1] &&
           begin_ns >= recording->window_ns[window][0] &&
           begin_ns + FRAME_NS <= recording->window_ns[window][1];
}

static bool has_frames(const struct recording *recording, uint32_t window)
{
    for (uint32_t i = 0; i < MARKS; i++)
        if (is_frame_in(recording, window, i))
            return true;
    return false;
}

static bool is_in(const struct recording *recording, uint32_t window, uint64_t submit_tick,
                  bool *is_outside)
{
    const int64_t submit_ns = (int64_t)(submit_tick - START);
    const bool is_within =
        submit_ns >= recording->window_ns[window][0] && submit_ns < recording->window_ns[window][1];
    bool is_in_frame = false;
    for (uint32_t i = 0; i < MARKS; i++)
        is_in_frame = is_in_frame ||
                      (is_frame_in(recording, window, i) && submit_ns / FRAME_NS == (int64_t)i + 1);
    *is_outside = is_within && has_frames(recording, window) && !is_in_frame;
    return has_frames(recording, window) ? is_in_frame : is_within;
}

/* --- the reference --------------------------------------------------------------------------- */

struct reference {
    struct trace_gpu_sums sums;
    struct trace_duration_sample samples[MOST_PASSES];
    uint32_t sample_count;
    struct trace_span spans[MOST_PASSES];
    uint32_t span_count;
    uint64_t last_frame[2];
    bool has_frame[2];
};

/* Of frames that come one behind the other. */
static uint64_t count_frame(struct reference *reference, int kind, uint64_t frame)
{
    const bool is_known = reference->has_frame[kind] && reference->last_frame[kind] == frame;
    reference->has_frame[kind] = true;
    reference->last_frame[kind] = frame;
    return !is_known;
}

static void add_reference(const struct recording *recording, struct reference *reference,
                          uint32_t window, const struct lcap_gpu_time *time, uint32_t track,
                          uint32_t logical, uint64_t frame)
{
    struct trace_gpu_sums *sums = &reference->sums;
    bool is_outside;
    const bool is_meant = is_in(recording, window, time->submit_tick, &is_outside);
    sums->outside += is_outside;
    if (!is_meant)
        return;
    if (time->outcome != LCAP_GPU_VALID) {
        sums->not_valid++;
        return;
    }
    sums->valid++;
    sums->logical += logical;
    sums->sum_ns += (int64_t)time->duration_ns;
    sums->frames += count_frame(reference, 0, frame);
    reference->samples[reference->sample_count++] = (struct trace_duration_sample){
        (int64_t)time->duration_ns, (int64_t)(time->submit_tick - START), track - 1, 0};
    if (time->uncertainty_ns == LCAP_GPU_UNMAPPED)
        return;
    sums->calibrated++;
    sums->calibrated_ns += (int64_t)time->duration_ns;
    sums->calibrated_frames += count_frame(reference, 1, frame);
    if (time->uncertainty_ns > sums->most_uncertainty_ns)
        sums->most_uncertainty_ns = time->uncertainty_ns;
    reference->spans[reference->span_count++] = (struct trace_span){
        .begin_ns = time->begin_ns, .end_ns = time->begin_ns + (int64_t)time->duration_ns};
}

static bool is_of(const struct trace_gpu_subject *subject, const struct lcap_gpu_pass *pass)
{
    if (subject->kind == TRACE_GPU_ALL_PASSES)
        return true;
    if (subject->track != pass->track - 1)
        return false;
    return subject->kind == TRACE_GPU_QUEUE_PASSES ||
           (subject->site == pass->site - 1 && subject->operation == pass->operation);
}

static void refer(const struct recording *recording, const struct trace_gpu_subject *subject,
                  uint32_t window, struct reference *reference)
{
    *reference = (struct reference){0};
    for (size_t i = 0; subject->kind == TRACE_GPU_FRAMES && i < recording->frame_count; i++) {
        const struct lcap_gpu_frame *frame = &recording->frames[i];
        if (subject->track == frame->track - 1)
            add_reference(recording, reference, window, &frame->time, frame->track, 0, 0);
    }
    for (size_t i = 0; subject->kind != TRACE_GPU_FRAMES && i < recording->pass_count; i++) {
        const struct lcap_gpu_pass *pass = &recording->passes[i];
        if (is_of(subject, pass))
            add_reference(recording, reference, window, &pass->time, pass->track,
                          pass->logical_passes, pass->frame);
    }
}

/* --- comparison ------------------------------------------------------------------------------ */

static int compare_samples(const void *a, const void *b)
{
    const struct trace_duration_sample *left = a, *right = b;
    if (left->duration_ns != right->duration_ns)
        return left->duration_ns < right->duration_ns ? -1 : 1;
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    return (left->track > right->track) - (left->track < right->track);
}

static void check_ranks(struct reference *reference, const struct trace_duration_ranks *ranks)
{
    static const uint32_t per_mille[TRACE_DURATION_RANKS] = {0, 500, 900, 950, 990, 999, 1000};
    ck_assert_uint_eq(ranks->count, reference->sample_count);
    if (ranks->count == 0)
        return;
    qsort(reference->samples, reference->sample_count, sizeof *reference->samples, compare_samples);
    for (int rank = 0; rank < TRACE_DURATION_RANKS; rank++) {
        uint64_t at = trace_nearest_index(ranks->count, per_mille[rank]);
        while (at > 0 &&
               reference->samples[at - 1].duration_ns == reference->samples[at].duration_ns)
            at--;
        ck_assert_int_eq(ranks->ranks[rank].duration_ns, reference->samples[at].duration_ns);
        ck_assert_int_eq(ranks->ranks[rank].begin_ns, reference->samples[at].begin_ns);
        ck_assert_uint_eq(ranks->ranks[rank].track, reference->samples[at].track);
    }
}

static int compare_spans(const void *a, const void *b)
{
    const struct trace_span *left = a, *right = b;
    return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

static int64_t join(struct reference *reference)
{
    int64_t union_ns = 0, until_ns = INT64_MIN;
    qsort(reference->spans, reference->span_count, sizeof *reference->spans, compare_spans);
    for (uint32_t i = 0; i < reference->span_count; i++) {
        const struct trace_span *span = &reference->spans[i];
        const int64_t from_ns = span->begin_ns > until_ns ? span->begin_ns : until_ns;
        if (span->end_ns > from_ns)
            union_ns += span->end_ns - from_ns;
        until_ns = span->end_ns > until_ns ? span->end_ns : until_ns;
    }
    return union_ns;
}

static void check_subject(const struct recording *recording,
                          const struct trace_gpu_subject *subject, uint32_t window,
                          const struct trace_gpu_measure *measure, struct reference *reference)
{
    const struct trace_gpu_sums *found = &subject->sums[window], *expected = &reference->sums;
    refer(recording, subject, window, reference);
    ck_assert_uint_eq(found->valid, expected->valid);
    ck_assert_uint_eq(found->not_valid, expected->not_valid);
    ck_assert_uint_eq(found->outside, expected->outside);
    ck_assert_uint_eq(found->logical, expected->logical);
    ck_assert_uint_eq(found->calibrated, expected->calibrated);
    ck_assert_int_eq(found->sum_ns, expected->sum_ns);
    ck_assert_int_eq(found->calibrated_ns, expected->calibrated_ns);
    ck_assert_uint_eq(found->most_uncertainty_ns, expected->most_uncertainty_ns);
    if (subject->kind == TRACE_GPU_QUEUE_PASSES) {
        ck_assert_uint_eq(found->frames, expected->frames);
        ck_assert_uint_eq(found->calibrated_frames, expected->calibrated_frames);
    }
    check_ranks(reference, &measure->ranks);
    ck_assert_int_eq(measure->union_ns, join(reference));
}

static void check_totals(const struct recording *recording, struct trace_input *input,
                         struct trace_gpu_totals *totals, size_t budget_bytes)
{
    struct reference *reference = malloc(sizeof *reference);
    uint32_t *subjects = calloc(totals->count, sizeof *subjects);
    struct trace_gpu_measure *measures = calloc((size_t)totals->count * WINDOWS, sizeof *measures);
    struct ludus_error error = {0};
    ck_assert(reference != NULL && subjects != NULL && measures != NULL);
    for (uint32_t i = 0; i < totals->count; i++)
        subjects[i] = totals->count - 1 - i;
    ck_assert_msg(trace_gpu_measure(input, totals, subjects, totals->count, budget_bytes, measures,
                                    &error) == LUDUS_OK,
                  "%s", error.message);
    for (uint32_t i = 0; i < totals->count; i++)
        for (uint32_t w = 0; w < WINDOWS; w++)
            check_subject(recording, &totals->subjects[subjects[i]], w,
                          &measures[(size_t)i * WINDOWS + w], reference);
    free(measures);
    free(subjects);
    free(reference);
}

START_TEST(totals_are_those_of_sorted_lists)
{
    struct recording *recording = malloc(sizeof *recording);
    struct input_fixture fixture;
    struct trace_gpu_totals totals;
    struct ludus_error error = {0};
    char windows[WINDOWS][64];
    const char *const texts[WINDOWS] = {windows[0], windows[1]};
    const struct trace_selection selection = {.windows = texts, .window_count = WINDOWS};
    ck_assert_ptr_nonnull(recording);
    record(recording, (uint32_t)_i / 2 + 1);
    for (uint32_t w = 0; w < WINDOWS; w++)
        (void)snprintf(windows[w], sizeof windows[w], "w%u=time:%lldns..%lldns", w,
                       (long long)recording->window_ns[w][0],
                       (long long)recording->window_ns[w][1]);
    input_open(&fixture, recording->builder, _i % 2 == 1, &selection);
    ck_assert_msg(trace_gpu_look(fixture.input, fixture.model, &fixture.chosen.plan, true, &totals,
                                 &error) == LUDUS_OK,
                  "%s", error.message);
    for (uint32_t w = 0; w < WINDOWS; w++)
        ck_assert_int_eq(trace_gpu_has_frames(&totals.places, w), has_frames(recording, w));
    ck_assert_uint_ge(totals.count, QUEUES);
    check_totals(recording, fixture.input, &totals, TRACE_GPU_BUDGET_BYTES);
    check_totals(recording, fixture.input, &totals, 3 * WINDOWS * TRACE_RANK_SUBJECT_BYTES);
    trace_gpu_totals_destroy(&totals);
    input_close(&fixture);
    free(recording);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_totals");
    TCase *cases = tcase_create("gpu_totals");
    tcase_set_timeout(cases, 0);
    tcase_add_loop_test(cases, totals_are_those_of_sorted_lists, 0, 2 * SEEDS);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
