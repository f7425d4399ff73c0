/* Samples of who ran, with a system that answers what the test says: every sum is known. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "proc_times.h"
#include "recorder_fixture.h"

#define SLOW_THREADS 24u
#define WAIT_MS      20000u

/* The linker's names for the recorder's own calls and for what they would have called. */
bool __real_ludus_proc_open_tasks(struct ludus_proc_file *folder);
bool __wrap_ludus_proc_open_tasks(struct ludus_proc_file *folder);
bool __wrap_ludus_proc_read_task(const struct ludus_proc_file *task,
                                 struct ludus_task_times *times);
bool __wrap_ludus_proc_read_machine(const struct ludus_proc_file *machine, uint64_t step_ns,
                                    struct ludus_machine_times *times);

/* One answer; `is_gone`: there is none. */
struct answer {
    uint64_t run_ns;
    uint64_t wait_ns;
    bool is_gone;
};

static const struct answer *script; /* the last one is given for ever */
static size_t script_length;
static atomic_size_t asked; /* the first time by start, which looks whether there are answers */
static atomic_bool is_slow;
static bool is_without_proc;
static uint64_t machine_steps[8];
static atomic_size_t machine_asked;

bool __wrap_ludus_proc_open_tasks(struct ludus_proc_file *folder)
{
    if (!is_without_proc)
        return __real_ludus_proc_open_tasks(folder);
    errno = ENOENT;
    return false;
}

bool __wrap_ludus_proc_read_task(const struct ludus_proc_file *task, struct ludus_task_times *times)
{
    const size_t call = atomic_fetch_add(&asked, 1);
    const struct answer *answer = &script[call < script_length ? call : script_length - 1];
    (void)task;
    if (atomic_load(&is_slow))
        fixture_sleep_ms(1);
    *times = (struct ludus_task_times){answer->run_ns, answer->wait_ns};
    return !answer->is_gone;
}

bool __wrap_ludus_proc_read_machine(const struct ludus_proc_file *machine, uint64_t step_ns,
                                    struct ludus_machine_times *times)
{
    const size_t call = atomic_fetch_add(&machine_asked, 1);
    (void)machine;
    *times = (struct ludus_machine_times){.run_ns = machine_steps[call < 8 ? call : 7] * step_ns,
                                          .stolen_ns = call < 8 ? 0 : 3 * step_ns,
                                          .processors = 5};
    return machine_steps[0] != 0;
}

static void set_script(const struct answer *answers, size_t count)
{
    script = answers;
    script_length = count;
    atomic_store(&asked, 0);
    atomic_store(&machine_asked, 0);
}

static void await_answers(size_t count)
{
    for (unsigned ms = 0; atomic_load(&asked) < count && ms < WAIT_MS; ms++)
        fixture_sleep_ms(1);
    ck_assert_uint_ge(atomic_load(&asked), count);
}

/* Plays the script, in which the only thread is this one. */
static struct summary *play(const struct answer *answers, size_t count)
{
    const struct ludus_recorder_config config = fixture_config("played.lcap");
    struct ludus_recorder_result result;
    set_script(answers, count);
    fixture_start(&config);
    LUDUS_PROFILE_MARK(begin);
    await_answers(count);
    return fixture_stop_and_read(&result);
}

#define PLAY(answers) play(answers, sizeof(answers) / sizeof(answers)[0])

static void check_sample(const struct lcap_sched *sample, uint64_t run_ns, uint64_t wait_ns)
{
    ck_assert_uint_ne(sample->track, 0);
    ck_assert_uint_eq(sample->processors, 1);
    ck_assert_uint_lt(sample->from_tick, sample->to_tick);
    ck_assert_uint_eq(sample->run_ns, run_ns);
    ck_assert_uint_eq(sample->wait_ns, wait_ns);
}

START_TEST(sums_are_exact_and_sleep_is_told_when_it_is_over)
{
    static const struct answer answers[] = {
        {1, 1, false},      {1000, 500, false}, {4000, 700, false}, {4000, 700, false},
        {4000, 700, false}, {4000, 700, false}, {4010, 701, false},
    };
    struct summary *summary = PLAY(answers);
    const struct lcap_sched *samples = summary->samples;
    ck_assert_str_eq(summary_fact(summary, "recorder.sched"), "sampled");
    ck_assert_uint_ge(summary->sample_count, 3);
    check_sample(&samples[0], 3000, 200);
    check_sample(&samples[1], 0, 0); /* three looks in one record */
    check_sample(&samples[2], 10, 1);
    for (size_t i = 3; i < summary->sample_count; i++)
        check_sample(&samples[i], 0, 0); /* what was left at stop */
    for (size_t i = 1; i < summary->sample_count; i++)
        ck_assert_uint_eq(samples[i].from_tick, samples[i - 1].to_tick);
    ck_assert_uint_ge(samples[0].from_tick, summary->session.start_tick);
    ck_assert_uint_le(samples[summary->sample_count - 1].to_tick, summary->end.stop_tick);
    summary_free(summary);
}
END_TEST

START_TEST(what_could_not_be_read_is_a_gap)
{
    static const struct answer answers[] = {
        {1, 1, false},    {100, 0, false},  {200, 0, false}, {0, 0, true},
        {5000, 0, false}, {5001, 0, false}, {7, 0, false},   {9, 0, false},
    };
    struct summary *summary = PLAY(answers);
    const struct lcap_sched *samples = summary->samples;
    uint64_t run_ns = 0;
    for (size_t i = 0; i < summary->sample_count; i++)
        run_ns += samples[i].run_ns;
    /* 100 to 200; 5,000 to 5,001; times that fell are not those of this thread. */
    ck_assert_uint_ge(summary->sample_count, 2);
    check_sample(&samples[0], 100, 0);
    check_sample(&samples[1], 1, 0);
    ck_assert_uint_gt(samples[1].from_tick, samples[0].to_tick);
    ck_assert_uint_le(run_ns, 100 + 1 + 2);
    summary_free(summary);
}
END_TEST

START_TEST(passes_for_want_of_room_take_no_samples)
{
    static const struct answer answers[] = {{1, 1, false}, {2, 1, false}, {3, 1, false}};
    struct ludus_recorder_config config = fixture_config("early.lcap");
    struct ludus_recorder_result result;
    config.flush_interval_ms = 60000;
    set_script(answers, 3);
    fixture_start(&config);
    for (int i = 0; i < 1000000; i++) {
        LUDUS_PROFILE_SCOPE(busy);
    }
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_gt(summary->event_blocks, 5);
    ck_assert_uint_eq(atomic_load(&asked), 3); /* start, the first pass, the last */
    ck_assert_uint_eq(summary->sample_count, 1);
    check_sample(&summary->samples[0], 1, 0);
    summary_free(summary);
}
END_TEST

static atomic_bool may_end;

static void *stay(void *argument)
{
    LUDUS_PROFILE_MARK(here);
    while (!atomic_load(&may_end))
        fixture_sleep_ms(1);
    return argument;
}

START_TEST(many_threads_take_turns_when_reading_takes_long)
{
    static const struct answer answers[] = {{1, 1, false}};
    struct ludus_recorder_config config = fixture_config("turns.lcap");
    struct ludus_recorder_result result;
    pthread_t threads[SLOW_THREADS];
    config.max_threads = 2 * SLOW_THREADS;
    set_script(answers, 1);
    fixture_start(&config);
    atomic_store(&is_slow, true);
    atomic_store(&may_end, false);
    for (size_t i = 0; i < SLOW_THREADS; i++)
        pthread_create(&threads[i], NULL, stay, NULL);
    await_answers(8 * SLOW_THREADS);
    atomic_store(&is_slow, false);
    struct summary *summary = fixture_stop_and_read(&result);
    atomic_store(&may_end, true);
    for (size_t i = 0; i < SLOW_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < summary->track_count; i++) {
        size_t count = 0;
        for (size_t s = 0; s < summary->sample_count; s++)
            count += summary->samples[s].track == summary->tracks[i].record.track;
        ck_assert_uint_ge(count, 1);
    }
    ck_assert_uint_eq(summary->track_count, SLOW_THREADS);
    summary_free(summary);
}
END_TEST

START_TEST(a_system_without_these_times_is_told)
{
    static const struct answer nothing[] = {{0, 0, true}};
    const struct ludus_recorder_config config = fixture_config("absent.lcap");
    struct ludus_recorder_result result;
    is_without_proc = _i == 0;
    set_script(nothing, 1);
    fixture_start(&config);
    LUDUS_PROFILE_MARK(begin);
    fixture_sleep_ms(50);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_str_eq(summary_fact(summary, "recorder.sched"),
                     _i == 0 ? "/proc/self/task cannot be opened: No such file or directory"
                             : "the kernel keeps no statistics of its scheduler");
    ck_assert_ptr_null(summary_fact(summary, "recorder.sched_machine_step_ns"));
    ck_assert_uint_eq(summary->sample_count, 0);
    is_without_proc = false;
    summary_free(summary);
}
END_TEST

START_TEST(the_machine_is_sampled_in_steps)
{
    static const uint64_t steps[8] = {10, 10, 14, 14, 20, 20, 20, 20};
    static const struct answer answers[] = {{1, 1, false}};
    const struct ludus_recorder_config config = fixture_config("machine.lcap");
    struct ludus_recorder_result result;
    uint64_t run_ns = 0;
    uint64_t stolen_ns = 0;
    memcpy(machine_steps, steps, sizeof steps);
    set_script(answers, 1);
    fixture_start(&config);
    LUDUS_PROFILE_MARK(begin);
    for (unsigned ms = 0; atomic_load(&machine_asked) < 9 && ms < WAIT_MS; ms++)
        fixture_sleep_ms(1);
    struct summary *summary = fixture_stop_and_read(&result);
    const char *step = summary_fact(summary, "recorder.sched_machine_step_ns");
    ck_assert_ptr_nonnull(step);
    uint64_t last_tick = 0;
    for (size_t i = 0; i < summary->sample_count; i++) {
        const struct lcap_sched *sample = &summary->samples[i];
        if (sample->track != 0)
            continue;
        ck_assert_uint_eq(sample->processors, 5);
        ck_assert(last_tick == 0 || sample->from_tick == last_tick);
        last_tick = sample->to_tick;
        run_ns += sample->run_ns;
        stolen_ns += sample->wait_ns;
    }
    /* The first answer is to start; the second is what the others are compared with. */
    ck_assert_uint_eq(run_ns, 10 * strtoull(step, NULL, 10));
    ck_assert_uint_eq(stolen_ns, 3 * strtoull(step, NULL, 10));
    memset(machine_steps, 0, sizeof machine_steps);
    summary_free(summary);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sched_script");
    TCase *cases = tcase_create("sched_script");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, sums_are_exact_and_sleep_is_told_when_it_is_over);
    tcase_add_test(cases, what_could_not_be_read_is_a_gap);
    tcase_add_test(cases, passes_for_want_of_room_take_no_samples);
    tcase_add_test(cases, many_threads_take_turns_when_reading_takes_long);
    tcase_add_loop_test(cases, a_system_without_these_times_is_told, 0, 2);
    tcase_add_test(cases, the_machine_is_sampled_in_steps);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
