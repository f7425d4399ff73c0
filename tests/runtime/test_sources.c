/* Recordings of threads alone, of GPUs alone, and of both: what is in them, and what is told of a
 * source that never came. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_fixture.h"
#include "hitch_fixture.h"

#define CPU LUDUS_SOURCE_CPU
#define GPU LUDUS_SOURCE_GPU

static void set_up(void)
{
    unsetenv("LUDUS_SOURCES");
    fixture_setup();
}

static struct ludus_recorder_config config_of(uint32_t sources)
{
    struct ludus_recorder_config config = fixture_config("a.lcap");
    config.sources = sources;
    return config;
}

/* Some of everything that a thread can emit, at sites with categories and without. */
static void emit_events(void)
{
    LUDUS_PROFILE_FRAME();
    LUDUS_PROFILE_FLOW_IN(4711);
    LUDUS_PROFILE_THREAD("worker");
    for (int i = 0; i < 3; i++) {
        LUDUS_PROFILE_SCOPE(Step);
        LUDUS_PROFILE_SCOPE(Draw, LUDUS_PROFILE_CAT(Render));
        LUDUS_PROFILE_MARK(Moment);
        LUDUS_PROFILE_COUNT(Items, 2);
        LUDUS_PROFILE_GAUGE(Heat, 1.5);
        LUDUS_PROFILE_FLOW_IN(LUDUS_PROFILE_FLOW_OUT(Job));
    }
    LUDUS_PROFILE_FRAME();
}

static void emit_samples(void)
{
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("graphics");
    const struct ludus_gpu_frame frame = gpu_frame(queue, 0);
    const struct ludus_gpu_pass pass = gpu_pass(queue, 0);
    ck_assert_int_eq(ludus_gpu_put_frame(admission, &frame), 1);
    ck_assert_int_eq(ludus_gpu_put_pass(admission, &pass), 1);
}

START_TEST(of_gpus_alone_no_event_is_recorded)
{
    const struct ludus_recorder_config config = config_of(GPU);
    struct ludus_recorder_result result;
    fixture_start(&config);
    emit_events();
    emit_samples();
    emit_events();
    struct summary *summary = fixture_stop_and_read(&result);
    struct gpu_content content = gpu_read(config.path);
    ck_assert_uint_eq(summary->session.sources, 2);
    ck_assert_uint_eq(summary->begins + summary->instants + summary->event_blocks, 0);
    ck_assert_uint_eq(summary->mark_count, 4);
    ck_assert_uint_eq(summary->track_count, 1); /* the queue */
    ck_assert_uint_eq(summary->sample_count, 0);
    ck_assert_uint_eq(summary->loss_count, 0);
    ck_assert_uint_eq(summary->diagnostic_count, 0);
    ck_assert_str_eq(summary_fact(summary, "recorder.sched"), "only GPU samples were asked for");
    ck_assert_uint_eq(content.frame_count, 1);
    ck_assert_uint_eq(content.pass_count, 1);
    ck_assert_uint_eq(result.recorded.scopes + result.dropped.scopes, 0);
    /* There is nothing to keep chunks for. */
    ck_assert_uint_lt(result.memory_bytes, config.memory_bytes - config.memory_bytes / 3);
    ck_assert_uint_eq(result.recorded.frames, 4);
    ck_assert_uint_eq(result.gpu_frames, 1);
    ck_assert_uint_eq(result.sources_absent, 0);
    gpu_content_free(&content);
    summary_free(summary);
}
END_TEST

START_TEST(events_are_recorded_again_after_that)
{
    struct ludus_recorder_config config = config_of(GPU);
    fixture_start(&config);
    emit_events();
    (void)fixture_stop();
    config = config_of(0);
    config.path = fixture_path("b.lcap");
    fixture_start(&config);
    emit_events();
    struct summary *summary = fixture_stop_and_read(&(struct ludus_recorder_result){0});
    ck_assert_uint_eq(summary->begins, 6);
    ck_assert_uint_eq(summary->session.sources, 1);
    summary_free(summary);
}
END_TEST

START_TEST(of_threads_alone_no_sample_is_admitted)
{
    const struct ludus_recorder_config config = config_of(CPU);
    fixture_start(&config);
    ck_assert_uint_eq(ludus_gpu_admission(), 0);
    emit_events();
    struct summary *summary = fixture_stop_and_read(&(struct ludus_recorder_result){0});
    ck_assert_uint_eq(summary->session.sources, 1);
    ck_assert_uint_eq(summary->begins, 6);
    summary_free(summary);
}
END_TEST

START_TEST(both_are_recorded_together_and_by_default)
{
    for (uint32_t sources = 0; sources <= (CPU | GPU); sources += CPU | GPU) {
        struct ludus_recorder_config config = config_of(sources);
        struct ludus_recorder_result result;
        config.path = fixture_path(sources == 0 ? "default.lcap" : "both.lcap");
        fixture_start(&config);
        emit_events();
        emit_samples();
        struct summary *summary = fixture_stop_and_read(&result);
        ck_assert_uint_eq(summary->session.sources, sources == 0 ? 1 : 3);
        ck_assert_uint_eq(summary->begins, 6);
        ck_assert_uint_eq(result.gpu_frames, 1);
        ck_assert_uint_eq(result.sources_absent, 0);
        summary_free(summary);
    }
}
END_TEST

START_TEST(a_source_that_never_came_is_told)
{
    static const struct {
        uint32_t sources;
        bool has_events;
        bool has_samples;
        uint32_t absent;
    } cases[] = {{CPU | GPU, true, false, GPU},
                 {CPU | GPU, false, true, CPU},
                 {CPU | GPU, false, false, CPU | GPU},
                 {GPU, true, false, GPU},
                 {CPU, true, false, 0},
                 {0, true, false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[16];
        snprintf(name, sizeof name, "%zu.lcap", i);
        struct ludus_recorder_config config = config_of(cases[i].sources);
        struct ludus_recorder_result result;
        config.path = fixture_path(name);
        fixture_start(&config);
        if (cases[i].has_events)
            emit_events();
        if (cases[i].has_samples)
            emit_samples();
        struct summary *summary = fixture_stop_and_read(&result);
        ck_assert_uint_eq(result.sources_absent, cases[i].absent);
        ck_assert_uint_eq(summary_told(summary, LCAP_DIAGNOSTIC_SOURCE_ABSENT),
                          (cases[i].absent & CPU) + (cases[i].absent & GPU) / 2);
        summary_free(summary);
    }
}
END_TEST

START_TEST(the_environment_chooses)
{
    struct ludus_recorder_config config = config_of(CPU);
    struct ludus_error error;
    setenv("LUDUS_SOURCES", "gpu", 1);
    fixture_start(&config);
    ck_assert_uint_ne(ludus_gpu_admission(), 0);
    emit_events();
    ck_assert_uint_eq(fixture_stop().recorded.scopes, 0);
    setenv("LUDUS_SOURCES", "cpu", 1);
    config.path = fixture_path("b.lcap");
    config.sources = GPU;
    fixture_start(&config);
    ck_assert_uint_eq(ludus_gpu_admission(), 0);
    (void)fixture_stop();
    setenv("LUDUS_SOURCES", "cpu,gpu", 1);
    config.path = fixture_path("c.lcap");
    fixture_start(&config);
    ck_assert_uint_eq(fixture_stop().sources_absent, CPU | GPU);
    static const char *const wrong[] = {"cpu,", ",gpu", "GPU", "cpu gpu", "cpu,npu"};
    config.path = fixture_path("d.lcap");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        setenv("LUDUS_SOURCES", wrong[i], 1);
        ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(error.message, wrong[i]));
    }
    unsetenv("LUDUS_SOURCES");
    config.sources = 4;
    ck_assert_int_eq(ludus_recorder_start(&config, &error), LUDUS_ERROR_ARGUMENT);
}
END_TEST

START_TEST(a_small_memory_has_no_room_unless_it_is_asked_for)
{
    struct ludus_recorder_config config = config_of(0);
    config.max_sites = config.max_threads = 0;
    config.memory_bytes = 2u << 20;
    fixture_start(&config);
    ck_assert_uint_eq(ludus_gpu_admission(), 0);
    (void)fixture_stop();
    config.sources = CPU | GPU;
    config.path = fixture_path("b.lcap");
    fixture_start(&config);
    ck_assert_uint_ne(ludus_gpu_admission(), 0);
    ck_assert_uint_le(fixture_stop().memory_bytes, 2u << 20);
}
END_TEST

START_TEST(captures_of_hitches_have_samples_queues_and_totals)
{
    struct ludus_recorder_config config = hitch_config("hitch.lcap");
    config.hitch.after_ms = 1;
    fixture_start(&config);
    const uint64_t admission = ludus_gpu_admission();
    const uint32_t queue = gpu_open_queue("graphics");
    ludus_gpu_count(admission, queue, LUDUS_GPU_FRAME, LUDUS_GPU_UNSUPPORTED, 5);
    for (uint64_t number = 0; number < 2; number++) {
        const struct ludus_gpu_frame frame = gpu_frame(queue, number);
        const struct ludus_gpu_pass pass = gpu_pass(queue, number);
        ck_assert_int_eq(ludus_gpu_put_frame(admission, &frame), 1);
        ck_assert_int_eq(ludus_gpu_put_pass(admission, &pass), 1);
        ludus_gpu_count(admission, queue, LUDUS_GPU_FRAME, LUDUS_GPU_VALID, 1);
        hitch_trigger(number == 0 ? "first" : "second");
        hitch_await_captures((size_t)number + 1);
    }
    (void)fixture_stop();
    struct hitch_files files;
    hitch_find_files(&files);
    ck_assert_uint_eq(files.count, 2);
    for (size_t i = 0; i < 2; i++) {
        struct summary *summary = hitch_read(i);
        struct gpu_content content = gpu_read(files.paths[i]);
        const struct summary_track *track = summary_track_named(summary, "graphics");
        ck_assert_ptr_nonnull(track);
        ck_assert_uint_eq(content.queue_count, 1);
        ck_assert_uint_ge(content.frame_count, 1);
        ck_assert_uint_eq(content.frames[content.frame_count - 1].number, i);
        ck_assert_uint_eq(content.passes[content.pass_count - 1].frame, i);
        ck_assert_ptr_nonnull(summary_site(summary, "Shadows"));
        ck_assert_uint_eq(
            gpu_counted(&content, track->record.track, LUDUS_GPU_FRAME, LUDUS_GPU_UNSUPPORTED), 5);
        ck_assert_uint_eq(
            gpu_counted(&content, track->record.track, LUDUS_GPU_FRAME, LUDUS_GPU_VALID), i + 1);
        gpu_content_free(&content);
        summary_free(summary);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sources");
    TCase *cases = tcase_create("sources");
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, set_up, fixture_teardown);
    tcase_add_test(cases, of_gpus_alone_no_event_is_recorded);
    tcase_add_test(cases, events_are_recorded_again_after_that);
    tcase_add_test(cases, of_threads_alone_no_sample_is_admitted);
    tcase_add_test(cases, both_are_recorded_together_and_by_default);
    tcase_add_test(cases, a_source_that_never_came_is_told);
    tcase_add_test(cases, the_environment_chooses);
    tcase_add_test(cases, a_small_memory_has_no_room_unless_it_is_asked_for);
    tcase_add_test(cases, captures_of_hitches_have_samples_queues_and_totals);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
