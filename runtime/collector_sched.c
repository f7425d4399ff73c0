/* Samples who ran and who waited to run, once per flush interval, and writes it. */
#include <string.h>

#include "collector_pass.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define MACHINE_INTERVAL_NS  100000000u /* its times move in steps of some 10 ms */
#define MACHINE_SHARE        100u       /* at most one part in so many goes into reading them, */
#define TASKS_SHARE          50u        /* and likewise into reading those of threads; */
#define LAST_NS              100000000u /* the last time, so much */
#define TASKS_BETWEEN_CHECKS 16u

/* --- what is written ------------------------------------------------------------------------- */

static void put_samples(struct ludus_collector *collector)
{
    struct ludus_capture_writer *writer = &collector->writer;
    const uint32_t count = collector->batch_count;
    collector->batch_count = 0;
    if (count == 0 || !ludus_can_put(collector))
        return;
    struct lcap_bytes block = {0};
    const enum ludus_status status = lcap_encode_sched(writer->encoder, collector->clock.clock,
                                                       collector->batch.samples, count, &block);
    ludus_put_block(collector, status, block, NULL);
}

static void add_sample(struct ludus_collector *collector, const struct lcap_sched *sample)
{
    collector->batch.samples[collector->batch_count++] = *sample;
    if (collector->batch_count == LUDUS_BATCH)
        put_samples(collector);
}

/* A thread that sleeps changes nothing: that is told when it is over, or has lasted long. */
static void tell_sleep(struct ludus_collector *collector, struct ludus_task_sample *task)
{
    if (!task->has_times || task->told_tick == task->tick)
        return;
    const struct lcap_sched sample = {
        .track = task->track, .processors = 1, .from_tick = task->told_tick, .to_tick = task->tick};
    add_sample(collector, &sample);
    task->told_tick = task->tick;
}

/* --- threads --------------------------------------------------------------------------------- */

static void close_task(struct ludus_sched_sampler *sampler, struct ludus_task_sample *task)
{
    if (!task->file.is_open)
        return;
    /* A fork finds the descriptor open and known, or neither. */
    pthread_mutex_lock(&ludus_core.tracks.mutex);
    ludus_proc_close(&task->file);
    pthread_mutex_unlock(&ludus_core.tracks.mutex);
    sampler->open_files--;
}

/* Reads through a descriptor that is not kept. */
static bool read_closed_task(const struct ludus_sched_sampler *sampler, uint64_t os_id,
                             struct ludus_task_times *times)
{
    struct ludus_proc_file file;
    pthread_mutex_lock(&ludus_core.tracks.mutex); /* as in close_task */
    bool is_read = ludus_proc_open_task(&sampler->folder, os_id, &file);
    if (is_read) {
        is_read = ludus_proc_read_task(&file, times);
        ludus_proc_close(&file);
    }
    pthread_mutex_unlock(&ludus_core.tracks.mutex);
    return is_read;
}

static bool read_task(struct ludus_sched_sampler *sampler, struct ludus_task_sample *task,
                      uint64_t os_id, struct ludus_task_times *times)
{
    if (!task->file.is_open) {
        if (sampler->open_files == sampler->max_open_files)
            return read_closed_task(sampler, os_id, times);
        pthread_mutex_lock(&ludus_core.tracks.mutex); /* as in close_task */
        const bool is_open = ludus_proc_open_task(&sampler->folder, os_id, &task->file);
        pthread_mutex_unlock(&ludus_core.tracks.mutex);
        if (!is_open)
            return false;
        sampler->open_files++;
    }
    /* Of a thread that is gone nothing can be read, whoever has got its number meanwhile. */
    return ludus_proc_read_task(&task->file, times);
}

/* Nothing more is known of the thread. */
static void lose_task(struct ludus_collector *collector, struct ludus_task_sample *task)
{
    tell_sleep(collector, task);
    close_task(&collector->sched, task);
    task->has_times = false;
}

static void sample_task(struct ludus_collector *collector, const struct ludus_track *track,
                        bool is_last)
{
    struct ludus_sched_sampler *sampler = &collector->sched;
    struct ludus_task_sample *task = &sampler->tasks[track - ludus_core.tracks.region.slots];
    struct ludus_task_times times;
    if (!task->has_times && is_last)
        return; /* nothing to compare with, now or ever */
    task->track = track->drain.track;
    const bool is_read = read_task(sampler, task, track->drain.os_id, &times);
    const uint64_t tick = ludus_clock_ticks() + collector->watch.added;
    if (!is_read || (task->has_times &&
                     (times.run_ns < task->times.run_ns || times.wait_ns < task->times.wait_ns))) {
        lose_task(collector, task);
        return;
    }
    if (task->has_times && tick <= task->tick)
        return;
    if (!task->has_times) {
        task->told_tick = tick;
    } else if (memcmp(&times, &task->times, sizeof times) != 0) {
        tell_sleep(collector, task);
        const struct lcap_sched sample = {.track = task->track,
                                          .processors = 1,
                                          .from_tick = task->tick,
                                          .to_tick = tick,
                                          .run_ns = times.run_ns - task->times.run_ns,
                                          .wait_ns = times.wait_ns - task->times.wait_ns};
        add_sample(collector, &sample);
        task->told_tick = tick;
    }
    task->has_times = true;
    task->times = times;
    task->tick = tick;
    if (is_last || tick - task->told_tick >= collector->clock.ticks_per_second)
        tell_sleep(collector, task);
}

static bool is_live_thread(const struct ludus_track *track)
{
    return track->drain.kind == LCAP_TRACK_THREAD && track->drain.end_tick == 0;
}

/* Takes as many threads as there is time for, in turns. */
static void sample_tasks(struct ludus_collector *collector, uint64_t now_ns, bool is_last)
{
    struct ludus_sched_sampler *sampler = &collector->sched;
    const struct ludus_track *slots = ludus_core.tracks.region.slots;
    const uint64_t deadline_ns = now_ns + (is_last ? LAST_NS : sampler->interval_ns / TASKS_SHARE);
    const uint32_t count = collector->track_count;
    uint32_t first = 0;
    uint32_t taken = 0;
    while (first < count && collector->tracks[first] - slots < (ptrdiff_t)sampler->next_slot)
        first++;
    sampler->next_slot = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ludus_track *track = collector->tracks[(first + i) % count];
        if (!is_live_thread(track))
            continue;
        if (taken++ % TASKS_BETWEEN_CHECKS == TASKS_BETWEEN_CHECKS - 1 &&
            ludus_clock_monotonic_ns() > deadline_ns) {
            sampler->next_slot = (uint32_t)(track - slots);
            return;
        }
        sample_task(collector, track, is_last);
    }
}

/* What a thread did between its last sample and its end nobody knows. */
static void end_tasks(struct ludus_collector *collector)
{
    const struct ludus_track *slots = ludus_core.tracks.region.slots;
    for (uint32_t i = 0; i < collector->track_count; i++) {
        const struct ludus_track *track = collector->tracks[i];
        if (track->drain.end_tick != 0)
            lose_task(collector, &collector->sched.tasks[track - slots]);
    }
}

/* --- the machine ----------------------------------------------------------------------------- */

static void sample_machine(struct ludus_collector *collector, uint64_t now_ns)
{
    struct ludus_sched_sampler *sampler = &collector->sched;
    const struct ludus_machine_times before = sampler->machine;
    const uint64_t before_tick = sampler->machine_tick;
    struct ludus_machine_times times;
    const uint64_t from_ns = ludus_clock_monotonic_ns();
    if (!ludus_proc_read_machine(&sampler->machine_file, sampler->machine_step_ns, &times))
        return;
    const uint64_t tick = ludus_clock_ticks() + collector->watch.added;
    /* With many processors it takes long. */
    const uint64_t pause_ns = (ludus_clock_monotonic_ns() - from_ns) * MACHINE_SHARE;
    sampler->next_machine_ns =
        now_ns + (pause_ns > MACHINE_INTERVAL_NS ? pause_ns : MACHINE_INTERVAL_NS);
    if (tick <= before_tick)
        return;
    sampler->machine = times;
    sampler->machine_tick = tick;
    /* A virtual machine that was moved may know less than before. */
    if (before_tick == 0 || times.run_ns < before.run_ns || times.stolen_ns < before.stolen_ns)
        return;
    const struct lcap_sched sample = {.processors = times.processors,
                                      .from_tick = before_tick,
                                      .to_tick = tick,
                                      .run_ns = times.run_ns - before.run_ns,
                                      .wait_ns = times.stolen_ns - before.stolen_ns};
    add_sample(collector, &sample);
}

void ludus_sample_sched(struct ludus_collector *collector, bool is_last)
{
    struct ludus_sched_sampler *sampler = &collector->sched;
    if (!sampler->folder.is_open || !ludus_can_put(collector))
        return;
    const uint64_t now_ns = ludus_clock_monotonic_ns();
    collector->batch_count = 0;
    end_tasks(collector);
    if (is_last || now_ns >= sampler->next_ns) {
        sampler->next_ns = now_ns + sampler->interval_ns;
        sample_tasks(collector, now_ns, is_last);
        if (sampler->machine_file.is_open && (is_last || now_ns >= sampler->next_machine_ns))
            sample_machine(collector, now_ns);
    }
    put_samples(collector);
}
