/* Ends a recording, and what may follow when its file could not be written: retry or discard. */
#include <ludus/recorder.h>

#include <string.h>

#include "category_gates.h"
#include "collector_pass.h"
#include "memory_plan.h"
#include "recorder_clock.h"
#include "recorder_control.h"
#include "source_choice.h"

#define STOP_TIMEOUT_MS 10000u

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
    ludus_recorder_release(collector);
    ludus_clock_tie_set(&ludus_core.tie, &(struct ludus_clock_moment){0});
    ludus_recorder_set_state(LUDUS_RECORDER_IDLE);
}

/* The collector's work is done, or cannot be. */
static enum ludus_status conclude(struct ludus_recorder_result *result, struct ludus_error *error)
{
    struct ludus_capture_writer *writer = &ludus_core.collector.writer;
    if (result != NULL)
        fill_result(result);
    if (writer->has_failed) {
        ludus_recorder_set_state(LUDUS_RECORDER_FAILED);
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
    ludus_recorder_close_gpu();
    ludus_recorder_set_state(LUDUS_RECORDER_DRAINING);
    ludus_core.is_from_env = false;
    ludus_tracks_close(false);
    ludus_collector_finish(collector);
    if (ludus_collector_join(collector, STOP_TIMEOUT_MS))
        return conclude(result, error);
    /* Such as a network file system that does not answer. */
    ludus_recorder_set_state(LUDUS_RECORDER_FAILED);
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
    const int cancel_state = ludus_recorder_lock();
    const enum ludus_status status = stop_locked(result, error);
    ludus_recorder_unlock(cancel_state);
    return status;
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
    const int cancel_state = ludus_recorder_lock();
    const enum ludus_status status = retry_locked(path, result, error);
    ludus_recorder_unlock(cancel_state);
    return status;
}

void ludus_recorder_discard(void)
{
    const int cancel_state = ludus_recorder_lock();
    if (!ludus_core.collector.is_running && ludus_recorder_state() == LUDUS_RECORDER_FAILED)
        release_recording();
    ludus_recorder_unlock(cancel_state);
}
