/* The file of a hitch's capture: its name, its beginning with all definitions, its end. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "collector_pass.h"
#include "hitch_capture.h"
#include "recorder_clock.h"
#include "recorder_core.h"

#define EXTENSION     ".lcap"
#define REASON_BYTES  48u
#define MOST_ATTEMPTS 100u

/* What of a reason may be in a file's name. */
static void put_reason(const struct ludus_collector *collector, const struct ludus_trigger *trigger,
                       char reason[REASON_BYTES])
{
    const double ticks_per_ms = ludus_clock_is_counter ? collector->watch.ticks_per_ns * 1e6 : 1e6;
    if (trigger->cause == LCAP_TRIGGER_FRAME)
        snprintf(reason, REASON_BYTES, "frame-%.0fms",
                 (double)trigger->duration_ticks / ticks_per_ms);
    else
        snprintf(reason, REASON_BYTES, "%.*s", (int)REASON_BYTES - 1, trigger->text);
    for (char *at = reason; *at != '\0'; at++) {
        if (!isascii((unsigned char)*at) || !(isalnum((unsigned char)*at) || *at == '_'))
            *at = '-';
    }
}

/* PATH.YYYYMMDDTHHMMSS.mmmZ.REASON.lcap, with PATH as configured but for its ".lcap". Further
 * attempts have a number behind the reason. */
static void make_path(const struct ludus_collector *collector, unsigned attempt,
                      char path[LUDUS_PATH_BYTES])
{
    const struct ludus_hitch *hitch = &collector->hitch;
    const struct ludus_trigger *trigger = &hitch->pending[0];
    const size_t extension_size = sizeof EXTENSION - 1;
    size_t size = strlen(hitch->path);
    char reason[REASON_BYTES];
    char number[16] = "";
    char when[32];
    struct timespec now;
    struct tm utc;
    if (size > extension_size && strcmp(hitch->path + size - extension_size, EXTENSION) == 0)
        size -= extension_size;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(when, sizeof when, "%Y%m%dT%H%M%S", &utc);
    put_reason(collector, trigger, reason);
    if (attempt > 1)
        snprintf(number, sizeof number, "-%u", attempt);
    snprintf(path, LUDUS_PATH_BYTES, "%.*s.%s.%03ldZ.%s%s" EXTENSION, (int)size, hitch->path, when,
             now.tv_nsec / 1000000, reason, number);
}

/* Creates the file. Other processes may use the same path in the same millisecond. A fork finds the
 * descriptor open and known, or neither. */
static enum ludus_status create(struct ludus_collector *collector, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_ERROR_EXISTS;
    char path[LUDUS_PATH_BYTES];
    for (unsigned attempt = 1; attempt <= MOST_ATTEMPTS && status == LUDUS_ERROR_EXISTS;
         attempt++) {
        make_path(collector, attempt, path);
        pthread_mutex_lock(&ludus_core.opening);
        status = ludus_sink_open(&collector->hitch.file.sink, path, error);
        pthread_mutex_unlock(&ludus_core.opening);
    }
    return status;
}

static void fail(struct ludus_hitch *hitch, uint32_t triggers, const struct ludus_error *error)
{
    hitch->failed++;
    hitch->missed += triggers;
    hitch->error = *error;
}

void ludus_hitch_open(struct ludus_collector *collector)
{
    struct ludus_hitch *hitch = &collector->hitch;
    struct ludus_error error;
    memset(&hitch->file, 0, sizeof hitch->file);
    hitch->file.encoder = collector->writer.encoder;
    if (create(collector, &error) != LUDUS_OK) {
        fail(hitch, hitch->pending_count, &error);
        return;
    }
    hitch->is_open = true;
    hitch->is_ending = false;
    hitch->triggers = 0;
    ludus_writer_begin(&hitch->file);
    ludus_put_beginning(collector);
    ludus_define_again(collector);
}

void ludus_hitch_put_trigger(struct ludus_collector *collector, const struct ludus_trigger *trigger)
{
    struct lcap_bytes block = {0};
    const struct lcap_trigger record = {
        .tick = trigger->tick,
        .ordinal = trigger->ordinal,
        .duration_ticks = trigger->duration_ticks,
        .limit_ticks = trigger->limit_ticks,
        .text = {(const uint8_t *)trigger->text, strlen(trigger->text)},
        .cause = trigger->cause,
        .domain = trigger->domain,
    };
    if (!ludus_can_put(collector)) {
        collector->hitch.missed++;
        return;
    }
    collector->hitch.triggers++;
    const enum ludus_status status =
        lcap_encode_trigger(collector->writer.encoder, collector->clock.clock, &record, &block);
    ludus_put_definition(collector, status, block);
}

static void put_end(struct ludus_collector *collector)
{
    struct ludus_hitch *hitch = &collector->hitch;
    struct ludus_capture_writer *file = &hitch->file;
    struct lcap_bytes block = {0};
    const struct lcap_end end = {.stop_tick = hitch->stop_tick,
                                 .recorded = file->recorded.counts,
                                 .dropped = file->recorded.dropped,
                                 .clock = collector->clock.clock,
                                 .reason = hitch->end_reason};
    const enum ludus_status status = lcap_encode_end(file->encoder, &end, &block);
    ludus_writer_put(file, status, block, NULL);
    ludus_writer_put_index(file);
    ludus_writer_put_trailer(file);
}

void ludus_hitch_close(struct ludus_collector *collector)
{
    struct ludus_hitch *hitch = &collector->hitch;
    struct ludus_capture_writer *file = &hitch->file;
    struct ludus_error error;
    if (!file->has_failed)
        put_end(collector);
    if (!file->has_failed)
        file->has_failed = ludus_sink_verify(&file->sink, &file->error) != LUDUS_OK;
    hitch->written_bytes += file->sink.size_bytes;
    /* A full disk may last: what holds nothing is no file, and is not one of the most there may be.
     */
    pthread_mutex_lock(&ludus_core.opening); /* as in create */
    if (file->sink.size_bytes == 0)
        ludus_sink_discard(&file->sink);
    else
        hitch->files++;
    const bool is_closed = ludus_sink_close(&file->sink, &error) == LUDUS_OK;
    pthread_mutex_unlock(&ludus_core.opening);
    if (!is_closed && !file->has_failed) {
        file->has_failed = true;
        file->error = error;
    }
    if (file->has_failed)
        fail(hitch, hitch->triggers, &file->error);
    else
        hitch->captures++;
    hitch->is_open = false;
}
