/* GPU samples from those who put them in to the capture: what is put is there, what is not is
 * counted, and nothing gets into another recording. */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_fixture.h"
#include "write_gate.h"

#define RING       4096u
#define THREADS    4u
#define PER_THREAD 5000u

static struct ludus_recorder_config config_of(const char *name)
{
    struct ludus_recorder_config config = fixture_config(name);
    config.clock = LUDUS_CLOCK_MONOTONIC;
    return config;
}

/* --- what is put is there -------------------------------------------------------------------- */

START_TEST(samples_come_back_as_they_were_put)
{
    const struct ludus_recorder_config config = config_of("a.lcap");
    fixture_start(&config);
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("graphics");
    struct ludus_gpu_frame frame = gpu_frame(queue, 7);
    struct ludus_gpu_pass pass = gpu_pass(queue, 7);
    const struct ludus_gpu_calibration calibration = {.queue = queue,
                                                      .mapping = LUDUS_GPU_CLOCKS_APART,
                                                      .uncertainty_ns = 4,
                                                      .frame = 7,
                                                      .device_ticks = {UINT64_MAX, 1},
                                                      .host_ns = {5, 6}};
    frame.begin_ns = 123456789;
    frame.uncertainty_ns = 50;
    frame.duration_ns = 0;
    pass.ordinal = 3;
    pass.logical_passes = 2;
    ck_assert_int_eq(ludus_gpu_put_frame(admission, &frame), 1);
    ck_assert_int_eq(ludus_gpu_put_pass(admission, &pass), 1);
    ck_assert_int_eq(ludus_gpu_put_calibration(admission, &calibration), 1);
    ludus_gpu_count(admission, queue, LUDUS_GPU_PASS, LUDUS_GPU_NESTED, 2);
    struct ludus_recorder_result result;
    struct summary *summary = fixture_stop_and_read(&result);
    struct gpu_content content = gpu_read(config.path);
    ck_assert_uint_eq(content.queue_count, 1);
    const uint32_t track = content.queues[0].track;
    ck_assert_uint_eq(content.queues[0].generation, 2);
    ck_assert_uint_eq(content.queues[0].valid_bits, 36);
    ck_assert_uint_eq(content.queues[0].period_fs, 83333);
    const struct summary_track *named = summary_track_named(summary, "graphics");
    ck_assert_ptr_nonnull(named);
    ck_assert_uint_eq(named->record.track, track);
    ck_assert_uint_eq(named->record.kind, LCAP_TRACK_GPU_QUEUE);
    ck_assert_uint_eq(content.frame_count, 1);
    ck_assert_uint_eq(content.frames[0].track, track);
    ck_assert_uint_eq(content.frames[0].number, 7);
    ck_assert_uint_eq(content.frames[0].time.duration_ns, 0);
    ck_assert_int_eq(content.frames[0].time.begin_ns, 123456789);
    ck_assert_uint_eq(content.frames[0].time.uncertainty_ns, 50);
    ck_assert_uint_eq(content.frames[0].time.submit_tick, frame.submit_tick);
    ck_assert_uint_eq(content.frames[0].time.collect_tick, frame.collect_tick);
    ck_assert_uint_eq(content.pass_count, 1);
    ck_assert_uint_eq(content.passes[0].ordinal, 3);
    ck_assert_uint_eq(content.passes[0].logical_passes, 2);
    ck_assert_uint_eq(content.passes[0].time.duration_ns, 17);
    ck_assert_uint_eq(content.passes[0].time.uncertainty_ns, LCAP_GPU_UNMAPPED);
    ck_assert_uint_eq(content.passes[0].site, summary_site(summary, "Shadows")->site);
    ck_assert_uint_eq(content.calibration_count, 1);
    ck_assert_uint_eq(content.calibrations[0].device_ticks[0], UINT64_MAX);
    ck_assert_int_eq(content.calibrations[0].host_ns[1], 6);
    ck_assert_uint_eq(gpu_counted(&content, track, LUDUS_GPU_PASS, LUDUS_GPU_NESTED), 2);
    ck_assert_uint_eq(result.gpu_frames, 1);
    ck_assert_uint_eq(result.gpu_passes, 1);
    ck_assert_uint_eq(result.gpu_frames_dropped + result.gpu_passes_dropped, 0);
    gpu_content_free(&content);
    summary_free(summary);
}
END_TEST

START_TEST(what_is_no_sample_is_refused_and_harms_nothing)
{
    const struct ludus_recorder_config config = config_of("a.lcap");
    fixture_start(&config);
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("");
    const struct ludus_gpu_frame right = gpu_frame(queue, 1);
    struct ludus_gpu_frame wrong[7];
    for (size_t i = 0; i < 7; i++)
        wrong[i] = right;
    wrong[0].queue = 0;
    wrong[1].queue = queue + 1;
    wrong[2].method = 0;
    wrong[3].outcome = 0;
    wrong[4].outcome = LUDUS_GPU_REVERSED; /* with a duration */
    wrong[5].begin_ns = 1;                 /* and not mapped */
    wrong[6].duration_ns = (uint64_t)-INT64_C(19158763000000);
    for (size_t i = 0; i < 7; i++)
        ck_assert_int_eq(ludus_gpu_put_frame(admission, &wrong[i]), 0);
    struct ludus_gpu_pass pass = gpu_pass(queue, 1);
    pass.site = 0;
    ck_assert_int_eq(ludus_gpu_put_pass(admission, &pass), 0);
    pass = gpu_pass(queue, 1);
    pass.logical_passes = 0;
    ck_assert_int_eq(ludus_gpu_put_pass(admission, &pass), 0);
    ludus_gpu_count(admission, queue + 1, LUDUS_GPU_PASS, 0, 1);
    ludus_gpu_count(admission, queue, 99, 0, 1);
    ludus_gpu_count(admission, queue, LUDUS_GPU_PASS, UINT32_MAX, 1);
    /* Ticks that cannot be are lowered. */
    struct ludus_gpu_frame early = right;
    early.collect_tick = UINT64_MAX;
    early.submit_tick = UINT64_MAX - 1;
    ck_assert_int_eq(ludus_gpu_put_frame(admission, &early), 1);
    const uint64_t now = ludus_gpu_tick();
    struct summary *summary = fixture_stop_and_read(&(struct ludus_recorder_result){0});
    struct gpu_content content = gpu_read(config.path);
    ck_assert_uint_eq(content.frame_count, 1);
    ck_assert_uint_eq(content.pass_count, 0);
    ck_assert_uint_eq(content.count_count, 0);
    ck_assert_uint_le(content.frames[0].time.collect_tick, now);
    ck_assert_uint_le(content.frames[0].time.submit_tick, content.frames[0].time.collect_tick);
    gpu_content_free(&content);
    summary_free(summary);
}
END_TEST

START_TEST(texts_are_cut_and_queues_have_a_limit)
{
    char text[400];
    const struct ludus_recorder_config config = config_of("a.lcap");
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    fixture_start(&config);
    const struct ludus_gpu_queue_facts facts = {
        .backend = NULL, .device = text, .queue = "q", .valid_bits = 99};
    uint32_t opened = 0;
    while (opened < 1000 && ludus_gpu_queue_open(ludus_gpu_admission(), &facts) != 0)
        opened++;
    ck_assert_uint_eq(opened, 32);
    ck_assert_uint_eq(ludus_gpu_queue_open(ludus_gpu_admission(), &facts), 0);
    struct summary *summary = fixture_stop_and_read(&(struct ludus_recorder_result){0});
    struct gpu_content content = gpu_read(config.path);
    ck_assert_uint_eq(content.queue_count, 32);
    ck_assert_uint_eq(summary_told(summary, LCAP_DIAGNOSTIC_GPU_QUEUES_FULL), 2);
    ck_assert_uint_eq(content.queues[0].valid_bits, 64);
    ck_assert_uint_eq(content.queues[0].device.size, 127);
    ck_assert_uint_ne(content.queues[0].track, content.queues[1].track);
    gpu_content_free(&content);
    summary_free(summary);
}
END_TEST

/* --- what finds no room ---------------------------------------------------------------------- */

START_TEST(what_finds_no_room_is_counted_exactly)
{
    struct ludus_recorder_config config = config_of("a.lcap");
    uint64_t refused[4] = {0};
    fixture_start(&config);
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("graphics");
    write_gate_close();
    LUDUS_PROFILE_FRAME(Waking); /* something to write */
    write_gate_await();          /* the collector stands still */
    for (uint64_t i = 0; i < RING + 300; i++) {
        const struct ludus_gpu_frame frame = gpu_frame(queue, i);
        refused[LUDUS_GPU_FRAME] += !ludus_gpu_put_frame(admission, &frame);
    }
    for (uint64_t i = 0; i < 7; i++) {
        const struct ludus_gpu_pass pass = gpu_pass(queue, i);
        const struct ludus_gpu_calibration calibration = {
            .queue = queue, .mapping = LUDUS_GPU_MAPPED, .frame = i};
        refused[LUDUS_GPU_PASS] += !ludus_gpu_put_pass(admission, &pass);
        refused[LUDUS_GPU_CALIBRATION] += !ludus_gpu_put_calibration(admission, &calibration);
    }
    ck_assert_uint_eq(refused[LUDUS_GPU_FRAME], 300);
    ck_assert_uint_eq(refused[LUDUS_GPU_PASS], 7);
    ck_assert_uint_eq(refused[LUDUS_GPU_CALIBRATION], 7);
    write_gate_open();
    struct ludus_recorder_result result;
    struct summary *summary = fixture_stop_and_read(&result);
    struct gpu_content content = gpu_read(config.path);
    ck_assert_uint_eq(content.frame_count, RING);
    for (size_t i = 0; i < RING; i++)
        ck_assert_uint_eq(content.frames[i].number, i);
    const uint32_t track = content.queues[0].track;
    for (uint32_t subject = 1; subject < 4; subject++)
        ck_assert_uint_eq(gpu_counted(&content, track, subject, LUDUS_GPU_QUEUE_FULL),
                          refused[subject]);
    ck_assert_uint_eq(result.gpu_frames, RING);
    ck_assert_uint_eq(result.gpu_frames_dropped, 300);
    ck_assert_uint_eq(result.gpu_passes, 0);
    ck_assert_uint_eq(result.gpu_passes_dropped, 7);
    gpu_content_free(&content);
    summary_free(summary);
}
END_TEST

static void limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0)
        abort();
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        abort();
}

START_TEST(what_a_failed_write_kept_is_written_by_a_retry)
{
    struct ludus_recorder_config config = config_of("a.lcap");
    struct ludus_recorder_result result;
    struct ludus_error error;
    fixture_start(&config);
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("graphics");
    /* Nothing more can be written; Check's own files neither, so that nothing is asserted here. */
    limit_file_size(1024);
    uint64_t put = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const struct ludus_gpu_frame frame = gpu_frame(queue, i);
        put += (uint64_t)ludus_gpu_put_frame(admission, &frame);
    }
    ludus_gpu_count(admission, queue, LUDUS_GPU_FRAME, LUDUS_GPU_VALID, put);
    const enum ludus_status status = ludus_recorder_stop(&result, &error);
    limit_file_size(RLIM_INFINITY);
    ck_assert_uint_eq(put, 1000);
    ck_assert_int_eq(status, LUDUS_ERROR_WRITE);
    ck_assert_uint_eq(result.gpu_frames, 0);
    ck_assert_uint_eq(result.gpu_frames_dropped, 1000);
    ck_assert_int_eq(ludus_recorder_retry(fixture_path("b.lcap"), &result, &error), LUDUS_OK);
    ck_assert_uint_eq(result.gpu_frames, 1000);
    ck_assert_uint_eq(result.gpu_frames_dropped, 0);
    struct gpu_content content = gpu_read(result.path);
    ck_assert_uint_eq(content.frame_count, 1000);
    ck_assert_uint_eq(
        gpu_counted(&content, content.queues[0].track, LUDUS_GPU_FRAME, LUDUS_GPU_VALID), 1000);
    gpu_content_free(&content);
}
END_TEST

/* --- recordings ------------------------------------------------------------------------------ */

START_TEST(a_late_result_is_in_no_recording)
{
    struct ludus_recorder_config config = config_of("a.lcap");
    ck_assert_uint_eq(ludus_gpu_admission(), 0);
    fixture_start(&config);
    const uint64_t first = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("graphics");
    const struct ludus_gpu_frame frame = gpu_frame(queue, 1);
    ck_assert_uint_ne(first, 0);
    ludus_gpu_count(first, queue, LUDUS_GPU_FRAME, 0, 1);
    (void)fixture_stop();
    ck_assert_uint_eq(ludus_gpu_admission(), 0);
    ck_assert_int_eq(ludus_gpu_put_frame(first, &frame), 0);
    ck_assert_int_eq(ludus_gpu_put_frame(0, &frame), 0);
    config.path = fixture_path("b.lcap");
    fixture_start(&config);
    ck_assert_uint_ne(ludus_gpu_admission(), 0);
    ck_assert_uint_ne(ludus_gpu_admission(), first);
    const struct ludus_gpu_queue_facts facts = {.queue = "late"};
    ck_assert_uint_eq(ludus_gpu_queue_open(first, &facts), 0);
    ck_assert_uint_eq(gpu_open_queue("compute"), queue); /* the same number, of another one */
    ck_assert_int_eq(ludus_gpu_put_frame(first, &frame), 0);
    ludus_gpu_count(first, queue, LUDUS_GPU_FRAME, LUDUS_GPU_VALID, 1);
    struct ludus_recorder_result result;
    struct summary *summary = fixture_stop_and_read(&result);
    struct gpu_content content = gpu_read(config.path);
    ck_assert_uint_eq(content.queue_count, 1);
    ck_assert_uint_eq(content.frame_count, 0);
    ck_assert_uint_eq(content.count_count, 0);
    ck_assert_uint_eq(result.gpu_frames, 0);
    gpu_content_free(&content);
    summary_free(summary);
}
END_TEST

static uint64_t put_by[THREADS], refused_by[THREADS];

static void *put_many(void *argument)
{
    const size_t thread = (size_t)(uintptr_t)argument;
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = (uint32_t)(thread % 2) + 1;
    for (uint64_t i = 0; i < PER_THREAD; i++) {
        const struct ludus_gpu_pass pass = gpu_pass(queue, i);
        ludus_gpu_count(admission, queue, LUDUS_GPU_PASS, 0, 1);
        if (ludus_gpu_put_pass(admission, &pass)) {
            ludus_gpu_count(admission, queue, LUDUS_GPU_PASS, LUDUS_GPU_VALID, 1);
            put_by[thread]++;
        } else {
            refused_by[thread]++;
        }
    }
    return NULL;
}

START_TEST(many_threads_put_and_everything_adds_up)
{
    struct ludus_recorder_config config = config_of("a.lcap");
    pthread_t threads[THREADS];
    uint64_t put = 0, refused = 0, counted[2] = {0};
    config.flush_interval_ms = 1;
    fixture_start(&config);
    (void)gpu_open_queue("graphics");
    (void)gpu_open_queue("compute");
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, put_many, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        put += put_by[i];
        refused += refused_by[i];
    }
    struct ludus_recorder_result result;
    struct summary *summary = fixture_stop_and_read(&result);
    struct gpu_content content = gpu_read(config.path);
    ck_assert_uint_eq(put + refused, THREADS * PER_THREAD);
    ck_assert_uint_eq(content.pass_count, put);
    ck_assert_uint_eq(result.gpu_passes, put);
    ck_assert_uint_eq(result.gpu_passes_dropped, refused);
    for (size_t i = 0; i < 2; i++) {
        const uint32_t track = content.queues[i].track;
        ck_assert_uint_eq(gpu_counted(&content, track, LUDUS_GPU_PASS, 0), 2 * PER_THREAD);
        counted[0] += gpu_counted(&content, track, LUDUS_GPU_PASS, LUDUS_GPU_VALID);
        counted[1] += gpu_counted(&content, track, LUDUS_GPU_PASS, LUDUS_GPU_QUEUE_FULL);
    }
    ck_assert_uint_eq(counted[0], put);
    ck_assert_uint_eq(counted[1], refused);
    gpu_content_free(&content);
    summary_free(summary);
}
END_TEST

static volatile int is_over;
static uint64_t put_in[64]; /* by number of the recording */

/* Puts samples in whatever recording there is; which one, and how many. */
static void *put_always(void *argument)
{
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        const uint64_t admission = ludus_gpu_admission();
        const struct ludus_gpu_frame frame = gpu_frame(1, admission);
        if (admission < 64 && ludus_gpu_put_frame(admission, &frame))
            __atomic_fetch_add(&put_in[admission], 1, __ATOMIC_RELAXED);
    }
    return argument;
}

START_TEST(each_recording_has_its_own_while_threads_go_on)
{
    enum { RECORDINGS = 12 };
    char names[RECORDINGS][32];
    uint64_t admissions[RECORDINGS];
    struct ludus_recorder_result results[RECORDINGS];
    pthread_t threads[2];
    __atomic_store_n(&is_over, 0, __ATOMIC_RELAXED);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, put_always, NULL), 0);
    for (size_t i = 0; i < RECORDINGS; i++) {
        snprintf(names[i], sizeof names[i], "r%zu.lcap", i);
        const struct ludus_recorder_config config = config_of(names[i]);
        fixture_start(&config);
        admissions[i] = ludus_gpu_admission();
        (void)gpu_open_queue("graphics");
        fixture_sleep_ms(5);
        results[i] = fixture_stop();
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < RECORDINGS; i++) {
        struct gpu_content content = gpu_read(fixture_path(names[i]));
        ck_assert_uint_eq(content.frame_count, put_in[admissions[i]]);
        ck_assert_uint_eq(results[i].gpu_frames, content.frame_count);
        for (size_t frame = 0; frame < content.frame_count; frame++)
            ck_assert_uint_eq(content.frames[frame].number, admissions[i]);
        gpu_content_free(&content);
    }
}
END_TEST

START_TEST(a_forked_child_puts_nothing_into_its_parents_capture)
{
    const struct ludus_recorder_config config = config_of("a.lcap");
    fixture_start(&config);
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("graphics");
    const struct ludus_gpu_frame frame = gpu_frame(queue, 1);
    ck_assert_int_eq(ludus_gpu_put_frame(admission, &frame), 1);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(ludus_gpu_admission() == 0 && !ludus_gpu_put_frame(admission, &frame) ? 0 : 1);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert_int_eq(ludus_gpu_put_frame(admission, &frame), 1);
    ck_assert_uint_eq(fixture_stop().gpu_frames, 2);
}
END_TEST

/* --- the clock ------------------------------------------------------------------------------- */

START_TEST(the_time_is_that_of_the_host)
{
    struct ludus_recorder_config config = fixture_config("a.lcap");
    uint64_t residual_ns;
    const int64_t idle_before = (int64_t)fixture_now_ns();
    const int64_t idle = ludus_gpu_clock_ns(&residual_ns);
    ck_assert_int_ge(idle, idle_before);
    ck_assert_uint_eq(residual_ns, 0);
    fixture_start(&config); /* with the counter, where it is fit */
    for (int i = 0; i < 100; i++) {
        const int64_t before = (int64_t)fixture_now_ns();
        const int64_t time = ludus_gpu_clock_ns(&residual_ns);
        const int64_t after = (int64_t)fixture_now_ns();
        ck_assert_int_ge(time + (int64_t)residual_ns, before);
        ck_assert_int_le(time - (int64_t)residual_ns, after);
        ck_assert_uint_lt(residual_ns, 1000000);
        fixture_sleep_ms(1);
    }
    (void)fixture_stop();
    const int64_t before = (int64_t)fixture_now_ns();
    ck_assert_int_ge(ludus_gpu_clock_ns(&residual_ns), before);
    ck_assert_uint_eq(residual_ns, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu_samples");
    TCase *cases = tcase_create("gpu_samples");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, samples_come_back_as_they_were_put);
    tcase_add_test(cases, what_is_no_sample_is_refused_and_harms_nothing);
    tcase_add_test(cases, texts_are_cut_and_queues_have_a_limit);
    tcase_add_test(cases, what_finds_no_room_is_counted_exactly);
    tcase_add_test(cases, what_a_failed_write_kept_is_written_by_a_retry);
    tcase_add_test(cases, a_late_result_is_in_no_recording);
    tcase_add_test(cases, many_threads_put_and_everything_adds_up);
    tcase_add_test(cases, each_recording_has_its_own_while_threads_go_on);
    tcase_add_test(cases, a_forked_child_puts_nothing_into_its_parents_capture);
    tcase_add_test(cases, the_time_is_that_of_the_host);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
