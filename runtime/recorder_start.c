/* Starts a recording: memory, file, collector, gates, in this order. */
#include <ludus/recorder.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "category_gates.h"
#include "hitch_settings.h"
#include "memory_plan.h"
#include "own_cost.h"
#include "recorder_categories.h"
#include "recorder_clock.h"
#include "recorder_control.h"
#include "source_choice.h"

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
    ludus_facts_collect(&collector->facts, config, plan);
    ludus_categories_tell(&collector->facts);
    ludus_hitch_tell(&collector->hitch, &collector->facts);
    collector->flush_interval_ms = config->flush_interval_ms;
    ludus_clock_choose((enum ludus_recorder_clock)config->clock, config->resolution_ns,
                       &collector->chosen);
    collector->clock = collector->chosen.clock;
    ludus_facts_add(&collector->facts, "recorder.clock_refused", collector->chosen.fault);
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

static void open_gpu(void)
{
    const uint64_t admission = ++ludus_core.gpu_recordings;
    if (!ludus_core.collector.admits_gpu)
        return;
    ludus_gpu_table_open(atomic_load(&ludus_core.gpu), admission);
    atomic_store(&ludus_core.gpu_admission, admission);
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
    if (!ludus_recorder_prepare())
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
    ludus_recorder_release(collector);
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
        ludus_recorder_release(collector);
        return status;
    }
    ludus_recorder_set_state(LUDUS_RECORDER_RECORDING);
    /* The collector may have met a failure already, and has left the state to who comes second. */
    if (atomic_load(&ludus_core.tracks.has_failed))
        ludus_recorder_set_state(LUDUS_RECORDER_FAILED);
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
    const int cancel_state = ludus_recorder_lock();
    const enum ludus_status status = start_locked(*config, error);
    ludus_recorder_unlock(cancel_state);
    return status;
}
