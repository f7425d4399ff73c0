/* Starting, stopping and the state of the process's one recorder. */
#include <ludus/profile.h>
#include <ludus/recorder.h>

#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "category_gates.h"
#include "collector_pass.h"
#include "hitch_settings.h"
#include "memory_plan.h"
#include "own_cost.h"
#include "recorder_categories.h"
#include "recorder_clock.h"
#include "recorder_core.h"
#include "source_choice.h"

#define STOP_TIMEOUT_MS 10000u

struct ludus_recorder_core ludus_core = {
    .control = PTHREAD_MUTEX_INITIALIZER,
    .opening = PTHREAD_MUTEX_INITIALIZER,
    .tracks.mutex = PTHREAD_MUTEX_INITIALIZER,
    .tracks.freed = PTHREAD_COND_INITIALIZER,
    .registry.mutex = PTHREAD_MUTEX_INITIALIZER,
    .reports.mutex = PTHREAD_MUTEX_INITIALIZER,
};

/* A program that starts a recording carries the whole recorder, for its plug-ins may call what it
 * does not call itself. */
__attribute__((used)) static void (*const entry_points[])(void) = {
    (void (*)(void))ludus_scope_open,      (void (*)(void))ludus_counter_add,
    (void (*)(void))ludus_fiber_switch,    (void (*)(void))ludus_site_intern,
    (void (*)(void))ludus_thread_set_name,
};

static pthread_once_t init_once = PTHREAD_ONCE_INIT;
static bool is_initialised;

static void set_state(enum ludus_recorder_state state)
{
    atomic_store(&ludus_core.state, (uint32_t)state);
}

enum ludus_recorder_state ludus_recorder_state(void)
{
    return (enum ludus_recorder_state)atomic_load(&ludus_core.state);
}

/* Start, stop and what may follow open, write and wait, which are places where a thread is
 * cancelled. Not with the lock in its hands. */
static int lock_control(void)
{
    int cancel_state = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_mutex_lock(&ludus_core.control);
    return cancel_state;
}

static void unlock_control(int cancel_state)
{
    pthread_mutex_unlock(&ludus_core.control);
    (void)pthread_setcancelstate(cancel_state, NULL);
}

static const struct ludus_clock_moment no_moment;

/* From here on no GPU samples are admitted. */
static void close_gpu(void)
{
    atomic_store(&ludus_core.gpu_admission, 0);
    ludus_gpu_table_close(atomic_load(&ludus_core.gpu));
}

static void open_gpu(void)
{
    const uint64_t admission = ++ludus_core.gpu_recordings;
    if (!ludus_core.collector.admits_gpu)
        return;
    ludus_gpu_table_open(atomic_load(&ludus_core.gpu), admission);
    atomic_store(&ludus_core.gpu_admission, admission);
}

/* --- fork: a child has no collector, and leaves its parent's file alone ---------------------- */

static void before_fork(void)
{
    pthread_mutex_lock(&ludus_core.control);
    pthread_mutex_lock(&ludus_core.opening);
    pthread_mutex_lock(&ludus_core.tracks.mutex);
    pthread_mutex_lock(&ludus_core.registry.mutex);
    pthread_mutex_lock(&ludus_core.reports.mutex);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&ludus_core.reports.mutex);
    pthread_mutex_unlock(&ludus_core.registry.mutex);
    pthread_mutex_unlock(&ludus_core.tracks.mutex);
    pthread_mutex_unlock(&ludus_core.opening);
    pthread_mutex_unlock(&ludus_core.control);
}

static void after_fork_in_child(void)
{
    struct ludus_collector *collector = &ludus_core.collector;
    ludus_gates_close(); /* with the registry's lock held, as everywhere */
    if (collector->is_running || ludus_recorder_state() == LUDUS_RECORDER_FAILED) {
        ludus_sink_abandon(&collector->writer.sink);
        ludus_hitch_forget(&collector->hitch);
    }
    set_state(LUDUS_RECORDER_IDLE);
    ludus_sched_close(&collector->sched);
    ludus_collector_forget(collector);
    ludus_tracks_forget();
    ludus_core.is_from_env = false;
    ludus_core.forks++;
    close_gpu();
    if (atomic_load(&ludus_core.gpu) != NULL)
        ludus_gpu_table_forget(atomic_load(&ludus_core.gpu));
    ludus_clock_tie_set(&ludus_core.tie, &no_moment);
    struct ludus_frame_ring *frames = atomic_load(&ludus_core.frames);
    if (frames != NULL)
        ludus_frame_ring_forget(frames);
    after_fork();
}

static void initialise(void)
{
    ludus_clock_prepare();
    /* Fails on kernels without it; see ludus_tracks_close. */
    (void)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    is_initialised =
        ludus_tracks_init() && pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
}

/* --- start ----------------------------------------------------------------------------------- */

bool ludus_recorder_prepare(void)
{
    pthread_once(&init_once, initialise);
    return is_initialised;
}

/* Frees what a recording allocates besides its region. Also that of a parent, in a child. */
static void release_encoder(struct ludus_collector *collector)
{
    lcap_encoder_destroy(collector->writer.encoder);
    collector->writer.encoder = NULL;
    ludus_sched_close(&collector->sched);
    free(collector->tracks);
    free(collector->sched.tasks);
    collector->tracks = NULL;
    collector->sched.tasks = NULL;
    ludus_hitch_release(&collector->hitch);
}

static enum ludus_status allocate(const struct ludus_recorder_config *config,
                                  const struct ludus_memory_plan *plan, struct ludus_region *region,
                                  struct ludus_error *error)
{
    struct ludus_collector *collector = &ludus_core.collector;
    const struct lcap_encoder_config encoder =
        ludus_memory_plan_encoder(plan, config->compression_level);
    const uint32_t slot_count =
        plan->max_threads > region->slot_count ? plan->max_threads : region->slot_count;
    collector->tracks = ludus_allocate_touched(slot_count * sizeof *collector->tracks);
    collector->sched.tasks = ludus_allocate_touched(slot_count * sizeof *collector->sched.tasks);
    collector->sched.task_count = slot_count;
    enum ludus_status status =
        collector->tracks != NULL && collector->sched.tasks != NULL ? LUDUS_OK : LUDUS_ERROR_MEMORY;
    if (status == LUDUS_OK)
        status = ludus_registry_reserve(&ludus_core.registry, plan->max_sites, config->source_root);
    if (status == LUDUS_OK) {
        pthread_mutex_lock(&ludus_core.registry.mutex);
        status = ludus_interner_reserve(&ludus_core.names, plan->max_names);
        pthread_mutex_unlock(&ludus_core.registry.mutex);
    }
    if (status == LUDUS_OK)
        status = ludus_frame_ring_prepare(&ludus_core.frames);
    if (status == LUDUS_OK && plan->has_gpu)
        status = ludus_gpu_table_prepare(&ludus_core.gpu);
    if (status == LUDUS_OK)
        status = lcap_encoder_create(&encoder, &collector->writer.encoder);
    if (status != LUDUS_OK)
        return ludus_error_set(error, status,
                               "the recorder's memory cannot be allocated: ask for "
                               "less than %llu bytes",
                               (unsigned long long)config->memory_bytes);
    /* Last, as a mapping that threads may have seen is never taken back. */
    status = ludus_region_reserve(region, plan, error);
    if (status == LUDUS_OK)
        ludus_region_touch(region, plan->chunk_count);
    return status;
}

static void describe_session(const struct ludus_recorder_config *config,
                             const struct ludus_memory_plan *plan)
{
    struct ludus_collector *collector = &ludus_core.collector;
    struct timespec wall;
    ludus_facts_collect(&collector->facts, config, plan->total_bytes);
    ludus_categories_tell(&collector->facts);
    ludus_hitch_tell(&collector->hitch, &collector->facts);
    collector->flush_interval_ms = config->flush_interval_ms;
    ludus_clock_choose((enum ludus_recorder_clock)config->clock, config->resolution_ns,
                       &collector->chosen);
    collector->clock = collector->chosen.clock;
    const struct ludus_own_cost cost = ludus_own_cost_measure();
    ludus_facts_add_number(&collector->facts, "recorder.scope_cost_ps", cost.scope_ps);
    ludus_facts_add_number(&collector->facts, "recorder.scope_inner_cost_ps", cost.inner_ps);
    if (ludus_sources_have_events(config))
        ludus_sched_begin(&collector->sched, config->flush_interval_ms, &collector->facts);
    else
        ludus_facts_add(&collector->facts, "recorder.sched", "only GPU samples were asked for");
    clock_gettime(CLOCK_REALTIME, &wall);
    collector->session =
        (struct lcap_session){.start_tick = ludus_clock_ticks(),
                              .start_unix_ns = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec,
                              .clock = collector->clock.clock,
                              .process_id = (uint32_t)getpid(),
                              .sources = config->sources != 0 ? config->sources : LUDUS_SOURCE_CPU};
    collector->asked_sources = config->sources;
    collector->admits_gpu = plan->has_gpu;
    atomic_store(&ludus_core.tracks.admits_events, ludus_sources_have_events(config));
}

static enum ludus_status start_locked(struct ludus_recorder_config config,
                                      struct ludus_error *error)
{
    struct ludus_collector *collector = &ludus_core.collector;
    struct ludus_memory_plan plan;
    struct ludus_region region = ludus_core.tracks.region;
    const enum ludus_recorder_state state = ludus_recorder_state();
    if (state != LUDUS_RECORDER_IDLE || collector->is_running)
        return ludus_error_set(error, LUDUS_ERROR_STATE,
                               collector->is_running
                                   ? "a recording runs already: stop it first"
                                   : "the last recording could not be written and is kept: retry "
                                     "or discard it first");
    if (!is_initialised)
        return ludus_error_set(error, LUDUS_ERROR_UNAVAILABLE,
                               "the process has no thread-specific key left");
    enum ludus_status status = ludus_config_complete(&config, error);
    enum ludus_recorder_clock clock = (enum ludus_recorder_clock)config.clock;
    if (status == LUDUS_OK)
        status = ludus_clock_wanted(&clock, error);
    config.clock = clock;
    if (status == LUDUS_OK)
        status = ludus_categories_start(&config, error);
    if (status == LUDUS_OK)
        status = ludus_memory_plan_make(&config, ludus_core.registry.max_sites,
                                        ludus_core.names.capacity, &plan, error);
    if (status != LUDUS_OK)
        return status;
    release_encoder(collector);
    memset(&collector->writer, 0, sizeof collector->writer);
    collector->writer.sink.fd = -1;
    status = ludus_hitch_set_up(&collector->hitch, &config, &plan, error);
    if (status == LUDUS_OK && !collector->hitch.is_on)
        status = ludus_sink_open(&collector->writer.sink, config.path, error);
    if (status == LUDUS_OK)
        status = allocate(&config, &plan, &region, error);
    if (status == LUDUS_OK) {
        ludus_report_box_clear(&ludus_core.reports);
        ludus_core.memory_bytes = plan.total_bytes;
        describe_session(&config, &plan);
        ludus_tracks_open(&region, plan.max_threads, plan.chunk_count);
        status = ludus_collector_start(collector, error);
        if (status != LUDUS_OK) {
            ludus_tracks_close(false);
            ludus_tracks_settle();
        }
    }
    if (status != LUDUS_OK) {
        ludus_sink_discard(&collector->writer.sink);
        release_encoder(collector);
        return status;
    }
    set_state(LUDUS_RECORDER_RECORDING);
    /* The collector may have met a failure already, and has left the state to who comes second. */
    if (atomic_load(&ludus_core.tracks.has_failed))
        set_state(LUDUS_RECORDER_FAILED);
    pthread_mutex_lock(&ludus_core.registry.mutex);
    ludus_core.registry.admits_events = ludus_sources_have_events(&config);
    ludus_gates_open(&ludus_core.registry);
    pthread_mutex_unlock(&ludus_core.registry.mutex);
    open_gpu();
    return LUDUS_OK;
}

enum ludus_status ludus_recorder_start(const struct ludus_recorder_config *config,
                                       struct ludus_error *error)
{
    if (error != NULL)
        *error = (struct ludus_error){0};
    if (config == NULL)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT, "no configuration was given");
    (void)ludus_recorder_prepare();
    const int cancel_state = lock_control();
    const enum ludus_status status = start_locked(*config, error);
    unlock_control(cancel_state);
    return status;
}

/* --- stop ------------------------------------------------------------------------------------ */

static struct ludus_event_counts counts_of(const struct lcap_counts *counts)
{
    return (struct ludus_event_counts){.scopes = counts->scopes,
                                       .instants = counts->instants,
                                       .frames = counts->frames,
                                       .flows = counts->flows,
                                       .gauges = counts->gauges};
}

/* Of the file that is being written, or was last. */
static const char *current_path(void)
{
    const struct ludus_collector *collector = &ludus_core.collector;
    return collector->hitch.is_on ? collector->hitch.file.sink.path : collector->writer.sink.path;
}

static void fill_gpu_result(struct ludus_recorder_result *result)
{
    const struct ludus_collector *collector = &ludus_core.collector;
    const struct ludus_capture_writer *writer = &collector->writer;
    struct ludus_gpu_table *table = atomic_load(&ludus_core.gpu);
    result->sources_absent = ludus_absent_sources(collector);
    if (!collector->admits_gpu)
        return;
    result->gpu_frames = writer->recorded.gpu_frames;
    result->gpu_passes = writer->recorded.gpu_passes;
    result->gpu_frames_dropped = ludus_gpu_table_full(table, LUDUS_GPU_FRAME);
    result->gpu_passes_dropped = ludus_gpu_table_full(table, LUDUS_GPU_PASS);
    if (!writer->has_failed)
        return;
    result->gpu_frames_dropped +=
        ludus_gpu_table_kept(table, LUDUS_GPU_FRAME) + writer->in_pending.gpu_frames;
    result->gpu_passes_dropped +=
        ludus_gpu_table_kept(table, LUDUS_GPU_PASS) + writer->in_pending.gpu_passes;
}

static void fill_result(struct ludus_recorder_result *result)
{
    const struct ludus_collector *collector = &ludus_core.collector;
    const struct ludus_capture_writer *writer = &collector->writer;
    const struct ludus_hitch *hitch = &collector->hitch;
    struct lcap_counts dropped = collector->dropped.counts;
    if (writer->has_failed) {
        const struct lcap_counts kept = ludus_collector_kept(collector);
        lcap_counts_add(&dropped, &kept);
    }
    *result = (struct ludus_recorder_result){
        .recorded = counts_of(&writer->recorded.counts),
        .dropped = counts_of(&dropped),
        .scopes_open = writer->recorded.counts.scopes - writer->recorded.ends,
        .written_bytes = writer->sink.size_bytes,
        .memory_bytes = ludus_core.memory_bytes,
    };
    memcpy(result->path, current_path(), sizeof result->path);
    result->triggers_missed = hitch->missed;
    fill_gpu_result(result);
    if (!hitch->is_on)
        return;
    result->written_bytes = hitch->written_bytes;
    result->captures = hitch->captures;
    result->captures_failed = hitch->failed;
}

static enum ludus_status pass_on(const struct ludus_error *found, struct ludus_error *error)
{
    if (error != NULL)
        *error = *found;
    return LUDUS_ERROR_WRITE;
}

/* Closes the file and gives memory back. */
static void release_recording(void)
{
    struct ludus_collector *collector = &ludus_core.collector;
    struct ludus_capture_writer *writer = &collector->writer;
    struct ludus_error closing = {0};
    if (ludus_sink_close(&writer->sink, &closing) != LUDUS_OK && !writer->has_failed) {
        writer->has_failed = true;
        writer->error = closing;
    }
    ludus_tracks_settle();
    ludus_region_give_back(&ludus_core.tracks.region);
    release_encoder(collector);
    ludus_clock_tie_set(&ludus_core.tie, &no_moment);
    set_state(LUDUS_RECORDER_IDLE);
}

/* The collector's work is done, or cannot be. */
static enum ludus_status conclude(struct ludus_recorder_result *result, struct ludus_error *error)
{
    struct ludus_capture_writer *writer = &ludus_core.collector.writer;
    if (result != NULL)
        fill_result(result);
    if (writer->has_failed) {
        set_state(LUDUS_RECORDER_FAILED);
        return pass_on(&writer->error, error);
    }
    const struct ludus_error lost = ludus_core.collector.hitch.error; /* the last capture's */
    release_recording();
    if (lost.status != LUDUS_OK)
        return pass_on(&lost, error);
    return writer->has_failed ? pass_on(&writer->error, error) : LUDUS_OK;
}

static enum ludus_status stop_locked(struct ludus_recorder_result *result,
                                     struct ludus_error *error)
{
    struct ludus_collector *collector = &ludus_core.collector;
    if (result != NULL)
        memset(result, 0, sizeof *result);
    if (!collector->is_running)
        return ludus_error_set(error, LUDUS_ERROR_STATE,
                               "nothing is being recorded: start a recording first");
    if (collector->hitch.is_on && !atomic_load(&collector->is_finishing)) /* no stop once more */
        atomic_store(&collector->closed_raw, ludus_clock_ticks());
    pthread_mutex_lock(&ludus_core.registry.mutex);
    ludus_gates_close();
    pthread_mutex_unlock(&ludus_core.registry.mutex);
    close_gpu();
    set_state(LUDUS_RECORDER_DRAINING);
    ludus_core.is_from_env = false;
    ludus_tracks_close(false);
    ludus_collector_finish(collector);
    if (ludus_collector_join(collector, STOP_TIMEOUT_MS))
        return conclude(result, error);
    /* Such as a network file system that does not answer. */
    set_state(LUDUS_RECORDER_FAILED);
    if (result != NULL)
        memcpy(result->path, current_path(), sizeof result->path);
    return ludus_error_set(error, LUDUS_ERROR_WRITE,
                           "%.300s: still being written after %u seconds: stop again to wait for "
                           "it",
                           current_path(), STOP_TIMEOUT_MS / 1000);
}

enum ludus_status ludus_recorder_stop(struct ludus_recorder_result *result,
                                      struct ludus_error *error)
{
    if (error != NULL)
        *error = (struct ludus_error){0};
    const int cancel_state = lock_control();
    const enum ludus_status status = stop_locked(result, error);
    unlock_control(cancel_state);
    return status;
}

enum ludus_status ludus_recorder_trigger(const char *reason, struct ludus_error *error)
{
    const enum ludus_recorder_state state = ludus_recorder_state();
    if (error != NULL)
        *error = (struct ludus_error){0};
    if (reason == NULL || reason[0] == '\0')
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "no reason was given: say what to "
                               "look for in the capture");
    if (state != LUDUS_RECORDER_RECORDING)
        return ludus_error_set(error, LUDUS_ERROR_STATE,
                               "nothing is being recorded: start a recording first");
    ludus_report_trigger(&ludus_core.reports, ludus_clock_ticks(), reason);
    return LUDUS_OK;
}

/* --- after a failure ------------------------------------------------------------------------- */

static enum ludus_status retry_locked(const char *path, struct ludus_recorder_result *result,
                                      struct ludus_error *error)
{
    struct ludus_collector *collector = &ludus_core.collector;
    struct ludus_capture_writer *writer = &collector->writer;
    struct ludus_capture_sink sink;
    if (collector->is_running || ludus_recorder_state() != LUDUS_RECORDER_FAILED)
        return ludus_error_set(error, LUDUS_ERROR_STATE,
                               collector->is_running ? "a recording runs: stop it first"
                                                     : "no recording is kept: there is nothing to "
                                                       "write again");
    enum ludus_status status = ludus_sink_open(&sink, path, error);
    if (status != LUDUS_OK)
        return status;
    status = ludus_sink_copy(&sink, &writer->sink, error);
    if (status != LUDUS_OK) {
        ludus_sink_discard(&sink);
        return status;
    }
    ludus_sink_abandon(&writer->sink); /* what it holds is in the other one */
    writer->sink = sink;
    if (writer->is_complete)
        writer->has_failed = ludus_sink_verify(&writer->sink, &writer->error) != LUDUS_OK;
    else
        ludus_collector_complete(collector);
    return conclude(result, error);
}

enum ludus_status ludus_recorder_retry(const char *path, struct ludus_recorder_result *result,
                                       struct ludus_error *error)
{
    if (error != NULL)
        *error = (struct ludus_error){0};
    if (result != NULL)
        memset(result, 0, sizeof *result);
    const int cancel_state = lock_control();
    const enum ludus_status status = retry_locked(path, result, error);
    unlock_control(cancel_state);
    return status;
}

void ludus_recorder_discard(void)
{
    const int cancel_state = lock_control();
    if (!ludus_core.collector.is_running && ludus_recorder_state() == LUDUS_RECORDER_FAILED)
        release_recording();
    unlock_control(cancel_state);
}
