/* The collector's thread: begins the capture, makes a pass whenever the flush interval is over or
 * somebody needs room, and finishes the capture. */
#include "collector.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "collector_pass.h"
#include "gpu_table.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define STACK_BYTES       (1024u * 1024u)
#define FRAME_WAIT_MS     50u
#define CHECK_INTERVAL_MS 1000u
#define SAVE_INTERVAL_MS  5u

bool ludus_can_put(struct ludus_collector *collector)
{
    if (collector->hitch.is_on)
        ludus_hitch_make_room(&collector->hitch);
    return !collector->writer.has_failed;
}

void ludus_put_block(struct ludus_collector *collector, enum ludus_status status,
                     struct lcap_bytes block, const struct ludus_tally *tally)
{
    if (!collector->hitch.is_on || status != LUDUS_OK) {
        ludus_writer_put(&collector->writer, status, block, tally);
        return;
    }
    ludus_hitch_put(&collector->hitch, block, tally);
    if (tally != NULL)
        ludus_tally_add(&collector->writer.recorded, tally);
}

void ludus_put_definition(struct ludus_collector *collector, enum ludus_status status,
                          struct lcap_bytes block)
{
    const bool was_defining = collector->hitch.is_defining;
    collector->hitch.is_defining = true;
    ludus_put_block(collector, status, block, NULL);
    collector->hitch.is_defining = was_defining;
}

void ludus_put_beginning(struct ludus_collector *collector)
{
    struct lcap_bytes block = {0};
    const enum ludus_status status =
        lcap_encode_session(collector->writer.encoder, &collector->session, collector->facts.facts,
                            collector->facts.count, &block);
    ludus_put_definition(collector, status, block);
    if (collector->hitch.is_on)
        ludus_clock_tell(collector);
    else
        ludus_clock_begin(collector);
    if (!collector->chosen.is_refused)
        return;
    collector->hitch.is_defining = true;
    ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_CLOCK_REFUSED, 0, collector->session.start_tick,
                         1, collector->chosen.reason);
    collector->hitch.is_defining = false;
}

static void begin(struct ludus_collector *collector)
{
    if (collector->hitch.is_on) {
        ludus_hitch_begin(&collector->hitch, collector->session.start_tick);
        ludus_clock_begin(collector);
    } else {
        ludus_writer_begin(&collector->writer);
        ludus_put_beginning(collector);
    }
}

/* Frees the tracks of threads that have ended; their events have all been read. */
static void release_ended(struct ludus_collector *collector)
{
    for (uint32_t i = 0; i < collector->track_count; i++) {
        if (collector->tracks[i]->drain.end_tick != 0)
            ludus_track_release(collector->tracks[i]);
    }
}

/* When the pass begins, or the tick of the stop, which is before the last passes. */
static uint64_t begin_tick(const struct ludus_collector *collector)
{
    const uint64_t now = ludus_clock_ticks();
    const uint64_t closed = atomic_load(&collector->closed_raw);
    return closed < now ? closed : now;
}

static uint64_t gpu_head(const struct ludus_collector *collector)
{
    struct ludus_gpu_table *table = atomic_load(&ludus_core.gpu);
    return collector->admits_gpu ? atomic_load_explicit(&table->head, memory_order_acquire) : 0;
}

/* Reads up to what has happened when the pass begins. What an event refers to existed before it:
 * the reports and the ends of what is read are therefore taken first, the definitions are looked up
 * after that and are written before the rest. */
static void make_pass(struct ludus_collector *collector, bool is_last)
{
    /* Before all that limits what is read, so that no event is left for later whose call had
     * returned by then. */
    const uint64_t begin_raw = begin_tick(collector);
    /* Threads that go on counting tell of it before the next pass. */
    atomic_fetch_add_explicit(&ludus_core.epoch, 1, memory_order_release);
    const uint64_t frame_limit = ludus_frame_ring_head(atomic_load(&ludus_core.frames));
    const uint64_t gpu_limit = gpu_head(collector);
    if (collector->reports_told == collector->reports.diagnostic_count) {
        ludus_report_box_take(&ludus_core.reports, &collector->reports);
        collector->reports_told = 0;
    }
    collector->track_count = ludus_tracks_scan(collector->tracks);
    ludus_read_losses(collector, is_last);
    ludus_clock_check(collector, is_last); /* later than all that is read in this pass */
    /* Behind the same, so that nothing younger is read. */
    ludus_hitch_begin_pass(&collector->hitch, ludus_watch_tick(&collector->watch, begin_raw),
                           ludus_clock_is_counter ? collector->watch.latest_tick
                                                  : ludus_clock_ticks());
    ludus_clock_convert_tracks(collector);
    const struct ludus_registry_counts counts = ludus_registry_counts(&ludus_core.registry);
    collector->counter_sites = ludus_core.registry.cell_sites;
    collector->counter_count = counts.counters;
    ludus_define_tables(collector, &counts);
    ludus_define_gpu(collector);
    ludus_sample_sched(collector, is_last);
    ludus_drain_events(collector);
    ludus_drain_frames(collector, frame_limit, is_last);
    ludus_drain_gpu(collector, gpu_limit, is_last);
    if (is_last)
        ludus_tell_absent_sources(collector);
    ludus_put_reports(collector);
    ludus_drain_losses(collector);
    ludus_hitch_end_pass(collector, is_last);
}

/* After a failed write, threads go on counting, but record no more. */
static void look_for_failure(const struct ludus_collector *collector)
{
    if (!collector->writer.has_failed || atomic_load(&ludus_core.tracks.has_failed))
        return;
    ludus_tracks_close(true);
    uint32_t recording = LUDUS_RECORDER_RECORDING;
    atomic_compare_exchange_strong(&ludus_core.state, &recording, LUDUS_RECORDER_FAILED);
}

static bool await_wake(struct ludus_collector *collector, uint32_t timeout_ms)
{
    const struct timespec deadline = ludus_clock_after_ms(timeout_ms);
    int result;
    do {
        result = sem_clockwait(&collector->wake, CLOCK_MONOTONIC, &deadline);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

/* Passes may be far apart, but the clock is looked at all the time, and a capture of a hitch is
 * written bit by bit. */
static void wait_for_work(struct ludus_collector *collector)
{
    uint32_t left_ms = collector->flush_interval_ms;
    for (;;) {
        const bool has_backlog = ludus_hitch_has_backlog(&collector->hitch);
        const uint32_t most_ms = has_backlog ? SAVE_INTERVAL_MS : CHECK_INTERVAL_MS;
        const uint32_t wait_ms = left_ms < most_ms ? left_ms : most_ms;
        left_ms -= wait_ms;
        if (await_wake(collector, wait_ms) || left_ms == 0)
            break;
        if (has_backlog)
            ludus_hitch_save_some(collector);
        ludus_clock_check(collector, false);
    }
    atomic_store(&collector->wake_pending, false);
}

/* Gives threads that are in the middle of putting in a frame mark a moment to finish. */
static void wait_for_frames(void)
{
    struct ludus_frame_ring *ring = atomic_load(&ludus_core.frames);
    const uint64_t deadline_ns = ludus_clock_monotonic_ns() + FRAME_WAIT_MS * 1000000u;
    while (!ludus_frame_ring_is_settled(ring) && ludus_clock_monotonic_ns() < deadline_ns)
        sched_yield();
}

/* The same for threads that are putting in or counting GPU samples. One that is stuck there keeps
 * the table. */
static void wait_for_gpu(const struct ludus_collector *collector)
{
    struct ludus_gpu_table *table = atomic_load(&ludus_core.gpu);
    const uint64_t deadline_ns = ludus_clock_monotonic_ns() + FRAME_WAIT_MS * 1000000u;
    if (!collector->admits_gpu)
        return;
    while (!ludus_gpu_table_is_settled(table) && ludus_clock_monotonic_ns() < deadline_ns)
        sched_yield();
    if (!ludus_gpu_table_is_settled(table))
        table->has_stragglers = true;
}

/* Writes what of the end is not written yet. */
static void put_end(struct ludus_collector *collector, enum lcap_end_reason reason)
{
    struct ludus_capture_writer *writer = &collector->writer;
    const struct lcap_end end = {.stop_tick = ludus_clock_ticks() + collector->watch.added,
                                 .recorded = writer->recorded.counts,
                                 .dropped = collector->dropped.counts,
                                 .clock = collector->clock.clock,
                                 .reason = reason};
    struct lcap_bytes block = {0};
    if (writer->end_blocks == 0 && !writer->has_failed) {
        const enum ludus_status status = lcap_encode_end(writer->encoder, &end, &block);
        ludus_put_block(collector, status, block, NULL);
        writer->end_blocks++;
    }
    if (writer->end_blocks == 1 && !writer->has_failed) {
        ludus_writer_put_index(writer);
        writer->end_blocks++;
    }
    if (writer->end_blocks == 2 && !writer->has_failed) {
        ludus_writer_put_trailer(writer);
        writer->end_blocks++;
    }
}

/* The last pass: nothing is admitted any more. */
void ludus_collector_complete(struct ludus_collector *collector)
{
    struct ludus_capture_writer *writer = &collector->writer;
    const bool had_failed = writer->has_failed;
    if (writer->is_complete || (writer->has_failed && !ludus_writer_resume(writer)))
        return;
    if (writer->end_blocks == 0) {
        wait_for_frames();
        wait_for_gpu(collector);
        make_pass(collector, true);
    }
    if (!collector->hitch.is_on)
        put_end(collector, had_failed ? LCAP_END_WRITE_FAILED : LCAP_END_STOPPED);
    if (writer->has_failed)
        return;
    release_ended(collector);
    writer->is_complete = true;
    if (!collector->hitch.is_on)
        writer->has_failed = ludus_sink_verify(&writer->sink, &writer->error) != LUDUS_OK;
}

static void *collect(void *argument)
{
    struct ludus_collector *collector = argument;
    begin(collector);
    const bool has_begun = !collector->writer.has_failed;
    atomic_store_explicit(&collector->has_begun, has_begun, memory_order_release);
    sem_post(&collector->ready);
    if (has_begun) {
        while (!atomic_load_explicit(&collector->is_finishing, memory_order_acquire)) {
            wait_for_work(collector);
            make_pass(collector, false);
            look_for_failure(collector);
            if (!collector->writer.has_failed)
                release_ended(collector);
        }
        ludus_collector_complete(collector);
        look_for_failure(collector);
    }
    pthread_mutex_lock(&ludus_core.tracks.mutex); /* keeps forks away */
    ludus_sched_close(&collector->sched);
    pthread_mutex_unlock(&ludus_core.tracks.mutex);
    sem_post(&collector->done);
    return NULL;
}

/* Semaphores are made once: a thread that was held up may post one after its recording. */
void ludus_collector_init(struct ludus_collector *collector)
{
    sem_init(&collector->wake, 0, 0);
    sem_init(&collector->ready, 0, 0);
    sem_init(&collector->done, 0, 0);
}

static void drain_semaphore(sem_t *semaphore)
{
    while (sem_trywait(semaphore) == 0 || errno == EINTR)
        ;
}

static void reset(struct ludus_collector *collector)
{
    drain_semaphore(&collector->wake);
    drain_semaphore(&collector->ready);
    drain_semaphore(&collector->done);
    atomic_store(&collector->wake_pending, false);
    atomic_store(&collector->is_finishing, false);
    atomic_store(&collector->has_begun, false);
    atomic_store(&collector->closed_raw, UINT64_MAX);
    collector->track_count = 0;
    memset(&collector->defined, 0, sizeof collector->defined);
    memset(&collector->told_names, 0, sizeof collector->told_names);
    memset(collector->domain_ids, 0, sizeof collector->domain_ids);
    memset(&collector->reports, 0, sizeof collector->reports);
    collector->reports_told = 0;
    memset(&collector->dropped, 0, sizeof collector->dropped);
    memset(&collector->unwritten, 0, sizeof collector->unwritten);
    memset(&collector->watch, 0, sizeof collector->watch);
    collector->name_strings = 0;
    collector->domain_count = 0;
    collector->told_absent = 0;
    collector->batch_count = 0;
}

/* The thread takes no signals: they are its host's, and a write beyond a limit must fail and not
 * kill. */
static int create_thread(struct ludus_collector *collector)
{
    pthread_attr_t attributes;
    sigset_t all;
    sigset_t before;
    int result = pthread_attr_init(&attributes);
    if (result != 0)
        return result;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(&collector->thread, &attributes, collect, collector);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (result == 0)
        pthread_setname_np(collector->thread, "ludus-collector");
    return result;
}

enum ludus_status ludus_collector_start(struct ludus_collector *collector,
                                        struct ludus_error *error)
{
    char reason[128];
    reset(collector);
    const int result = create_thread(collector);
    if (result != 0)
        return ludus_error_set(error, LUDUS_ERROR_UNAVAILABLE,
                               "the collector's thread cannot be created: %s",
                               strerror_r(result, reason, sizeof reason));
    while (sem_wait(&collector->ready) != 0 && errno == EINTR)
        ;
    if (atomic_load_explicit(&collector->has_begun, memory_order_acquire)) {
        collector->is_running = true;
        return LUDUS_OK;
    }
    pthread_join(collector->thread, NULL);
    if (error != NULL)
        *error = collector->writer.error;
    return collector->writer.error.status;
}

void ludus_collector_finish(struct ludus_collector *collector)
{
    atomic_store_explicit(&collector->is_finishing, true, memory_order_release);
    sem_post(&collector->wake);
}

bool ludus_collector_join(struct ludus_collector *collector, uint32_t timeout_ms)
{
    const struct timespec deadline = ludus_clock_after_ms(timeout_ms);
    int result;
    do {
        result = sem_clockwait(&collector->done, CLOCK_MONOTONIC, &deadline);
    } while (result != 0 && errno == EINTR);
    if (result != 0)
        return false;
    pthread_join(collector->thread, NULL);
    collector->is_running = false;
    return true;
}

void ludus_collector_wake(struct ludus_collector *collector)
{
    /* The flag keeps the call, which may enter the kernel, to one per pass. */
    if (!atomic_load_explicit(&collector->wake_pending, memory_order_relaxed) &&
        !atomic_exchange_explicit(&collector->wake_pending, true, memory_order_relaxed))
        sem_post(&collector->wake);
}

void ludus_collector_forget(struct ludus_collector *collector)
{
    collector->is_running = false;
    ludus_collector_init(collector);
}
