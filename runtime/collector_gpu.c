/* Writes GPU samples: queues, which are tracks; what was measured; and what became of all that
 * there was to measure. */
#include <string.h>

#include "collector_pass.h"
#include "gpu_table.h"
#include "recorder_clock.h"
#include "recorder_core.h"

static struct ludus_gpu_table *table_of(const struct ludus_collector *collector)
{
    return collector->admits_gpu ? atomic_load(&ludus_core.gpu) : NULL;
}

static struct lcap_bytes bytes_of(const char *text)
{
    return (struct lcap_bytes){(const uint8_t *)text, strlen(text)};
}

/* --- queues ---------------------------------------------------------------------------------- */

/* Writes the queue's name, with an id that no string of the registry can have. Returns it; 0 for
 * none. */
static uint32_t put_queue_name(struct ludus_collector *collector, const char *name)
{
    struct lcap_bytes block = {0};
    size_t taken = 0;
    if (name[0] == '\0')
        return 0;
    const struct lcap_string string = {bytes_of(name), ludus_core.registry.strings.capacity +
                                                           ++collector->name_strings};
    const enum ludus_status status =
        lcap_encode_strings(collector->writer.encoder, &string, 1, &taken, &block);
    ludus_put_block(collector, status, block, NULL);
    return string.string;
}

static void put_queue_track(struct ludus_collector *collector, const struct ludus_gpu_queue *queue,
                            uint32_t name)
{
    struct lcap_bytes block = {0};
    const struct lcap_track track = {.begin_tick =
                                         ludus_watch_tick(&collector->watch, queue->begin_tick),
                                     .track = queue->track,
                                     .kind = LCAP_TRACK_GPU_QUEUE,
                                     .name = name};
    if (!ludus_can_put(collector))
        return;
    const enum ludus_status status =
        lcap_encode_tracks(collector->writer.encoder, collector->clock.clock, &track, 1, &block);
    ludus_put_block(collector, status, block, NULL);
}

/* False: nothing can be written. */
static bool put_queue(struct ludus_collector *collector, const struct ludus_gpu_queue *queue)
{
    struct lcap_bytes block = {0};
    const struct lcap_gpu_queue record = {
        .backend = bytes_of(queue->texts[LUDUS_GPU_TEXT_BACKEND]),
        .device = bytes_of(queue->texts[LUDUS_GPU_TEXT_DEVICE]),
        .queue = bytes_of(queue->texts[LUDUS_GPU_TEXT_QUEUE]),
        .pass_reason = bytes_of(queue->texts[LUDUS_GPU_TEXT_PASS_REASON]),
        .calibration_reason = bytes_of(queue->texts[LUDUS_GPU_TEXT_CALIBRATION_REASON]),
        .period_fs = queue->period_fs,
        .track = queue->track,
        .generation = queue->generation,
        .valid_bits = queue->valid_bits};
    if (!ludus_can_put(collector))
        return false;
    put_queue_track(collector, queue,
                    put_queue_name(collector, queue->texts[LUDUS_GPU_TEXT_QUEUE]));
    if (!ludus_can_put(collector))
        return false;
    const enum ludus_status status =
        lcap_encode_gpu_queue(collector->writer.encoder, &record, &block);
    ludus_put_block(collector, status, block, NULL);
    return true;
}

static void tell_refused(struct ludus_collector *collector, struct ludus_gpu_table *table)
{
    const uint64_t refused = atomic_load_explicit(&table->queues_refused, memory_order_relaxed);
    if (refused > table->refused_told &&
        ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_GPU_QUEUES_FULL, 0,
                             collector->session.start_tick, refused - table->refused_told,
                             "queues of GPUs of which nothing is recorded: 32 queues are all"))
        table->refused_told = refused;
}

/* A capture of a hitch that is not open gets them when it is opened. */
void ludus_define_gpu(struct ludus_collector *collector)
{
    struct ludus_gpu_table *table = table_of(collector);
    struct ludus_hitch *hitch = &collector->hitch;
    if (table == NULL || (hitch->is_on && !hitch->is_open))
        return;
    const bool was_defining = hitch->is_defining;
    const uint32_t count = atomic_load_explicit(&table->queue_count, memory_order_acquire);
    hitch->is_defining = true;
    while (table->queues_defined < count &&
           put_queue(collector, &table->queues[table->queues_defined]))
        table->queues_defined++;
    tell_refused(collector, table);
    hitch->is_defining = was_defining;
}

/* --- counts ---------------------------------------------------------------------------------- */

static void put_counts(struct ludus_collector *collector)
{
    struct lcap_bytes block = {0};
    const uint32_t count = collector->batch_count;
    collector->batch_count = 0;
    if (count == 0 || !ludus_can_put(collector))
        return;
    const enum ludus_status status = lcap_encode_gpu_counts(
        collector->writer.encoder, collector->batch.gpu_counts, count, &block);
    ludus_put_block(collector, status, block, NULL);
    for (uint32_t i = 0; i < count; i++)
        *collector->gpu_told[i] = collector->batch.gpu_counts[i].count;
}

/* Adds those of a queue that the file does not tell. */
static void add_counts(struct ludus_collector *collector, struct ludus_gpu_queue *queue)
{
    for (uint32_t subject = 1; subject < LUDUS_GPU_MAX_SUBJECTS; subject++) {
        for (uint32_t outcome = 0; outcome < LUDUS_GPU_MAX_OUTCOMES; outcome++) {
            const uint64_t count =
                atomic_load_explicit(&queue->counts[subject][outcome], memory_order_relaxed);
            uint64_t *told = &queue->told[subject][outcome];
            if (count == *told)
                continue;
            collector->gpu_told[collector->batch_count] = told;
            collector->batch.gpu_counts[collector->batch_count++] =
                (struct lcap_gpu_count){count, queue->track, subject, outcome};
            if (collector->batch_count == LUDUS_BATCH)
                put_counts(collector);
        }
    }
}

static void drain_counts(struct ludus_collector *collector, struct ludus_gpu_table *table)
{
    collector->batch_count = 0;
    for (uint32_t i = 0; i < table->queues_defined; i++)
        add_counts(collector, &table->queues[i]);
    put_counts(collector);
}

void ludus_define_gpu_again(struct ludus_collector *collector)
{
    struct ludus_gpu_table *table = table_of(collector);
    if (table == NULL)
        return;
    table->queues_defined = 0;
    table->refused_told = 0;
    ludus_define_gpu(collector);
    for (uint32_t i = 0; i < table->queues_defined; i++)
        memset(table->queues[i].told, 0, sizeof table->queues[i].told);
    const bool was_defining = collector->hitch.is_defining;
    collector->hitch.is_defining = true;
    drain_counts(collector, table);
    collector->hitch.is_defining = was_defining;
}

/* --- samples --------------------------------------------------------------------------------- */

/* Each of the following returns whether nothing of the kind is left to be written. */

static bool put_frames(struct ludus_collector *collector, struct ludus_gpu_table *table)
{
    struct lcap_bytes block = {0};
    const struct ludus_tally tally = {.gpu_frames = table->frame_count};
    if (table->frame_count == 0)
        return true;
    if (!ludus_can_put(collector))
        return false;
    const enum ludus_status status =
        lcap_encode_gpu_frames(collector->writer.encoder, collector->clock.clock, table->frames,
                               table->frame_count, &block);
    table->frame_count = 0;
    ludus_put_block(collector, status, block, &tally);
    return true;
}

static bool put_passes(struct ludus_collector *collector, struct ludus_gpu_table *table)
{
    struct lcap_bytes block = {0};
    const struct ludus_tally tally = {.gpu_passes = table->pass_count};
    if (table->pass_count == 0)
        return true;
    if (!ludus_can_put(collector))
        return false;
    const enum ludus_status status =
        lcap_encode_gpu_passes(collector->writer.encoder, collector->clock.clock, table->passes,
                               table->pass_count, &block);
    table->pass_count = 0;
    ludus_put_block(collector, status, block, &tally);
    return true;
}

static bool put_calibrations(struct ludus_collector *collector, struct ludus_gpu_table *table)
{
    struct lcap_bytes block = {0};
    if (table->calibration_count == 0)
        return true;
    if (!ludus_can_put(collector))
        return false;
    const enum ludus_status status = lcap_encode_gpu_calibrations(
        collector->writer.encoder, table->calibrations, table->calibration_count, &block);
    table->calibration_count = 0;
    ludus_put_block(collector, status, block, NULL);
    return true;
}

static uint64_t tick_in_file(const struct ludus_collector *collector, uint64_t raw)
{
    return ludus_clock_round(&collector->clock, ludus_watch_tick(&collector->watch, raw));
}

/* Clocks that jump do not turn the two around. */
static struct lcap_gpu_time time_in_file(const struct ludus_collector *collector,
                                         const struct lcap_gpu_time *raw)
{
    struct lcap_gpu_time time = *raw;
    time.submit_tick = tick_in_file(collector, raw->submit_tick);
    time.collect_tick = tick_in_file(collector, raw->collect_tick);
    if (time.submit_tick > time.collect_tick)
        time.submit_tick = time.collect_tick;
    return time;
}

/* False: nothing can be written, and there is no room for more. */
static bool take(struct ludus_collector *collector, struct ludus_gpu_table *table,
                 const struct ludus_gpu_entry *entry)
{
    if (entry->subject == LUDUS_GPU_FRAME) {
        if (table->frame_count == LUDUS_GPU_BATCH && !put_frames(collector, table))
            return false;
        struct lcap_gpu_frame *frame = &table->frames[table->frame_count++];
        *frame = entry->sample.frame;
        frame->time = time_in_file(collector, &entry->sample.frame.time);
        return true;
    }
    if (entry->subject == LUDUS_GPU_PASS) {
        if (table->pass_count == LUDUS_GPU_BATCH && !put_passes(collector, table))
            return false;
        struct lcap_gpu_pass *pass = &table->passes[table->pass_count++];
        *pass = entry->sample.pass;
        pass->time = time_in_file(collector, &entry->sample.pass.time);
        return true;
    }
    if (table->calibration_count == LUDUS_GPU_BATCH && !put_calibrations(collector, table))
        return false;
    table->calibrations[table->calibration_count++] = entry->sample.calibration;
    return true;
}

/* With a window, what was collected behind the pass's tick stays for the next one, as marks do. */
static bool is_of_pass(const struct ludus_collector *collector, const struct ludus_gpu_entry *entry)
{
    const uint64_t collected =
        entry->subject == LUDUS_GPU_FRAME  ? entry->sample.frame.time.collect_tick
        : entry->subject == LUDUS_GPU_PASS ? entry->sample.pass.time.collect_tick
                                           : 0;
    return !collector->hitch.is_on || ludus_clock_is_counter ||
           collected <= collector->hitch.pass_tick;
}

void ludus_drain_gpu(struct ludus_collector *collector, uint64_t limit, bool is_last)
{
    struct ludus_gpu_table *table = table_of(collector);
    struct ludus_gpu_entry *entry;
    if (table == NULL)
        return;
    while ((entry = ludus_gpu_table_first(table, limit, is_last)) != NULL &&
           (is_last || is_of_pass(collector, entry)) && take(collector, table, entry))
        ludus_gpu_table_drop(table);
    if (put_frames(collector, table) && put_passes(collector, table))
        (void)put_calibrations(collector, table);
    if (!collector->hitch.is_on || collector->hitch.is_open)
        drain_counts(collector, table);
}

/* --- sources that never came ----------------------------------------------------------------- */

uint32_t ludus_absent_sources(const struct ludus_collector *collector)
{
    struct ludus_gpu_table *table = table_of(collector);
    uint32_t absent = 0;
    pthread_mutex_lock(&ludus_core.tracks.mutex);
    const uint32_t queues = table != NULL ? atomic_load(&table->queue_count) : 0;
    if (ludus_core.tracks.last_track == queues)
        absent |= LUDUS_SOURCE_CPU;
    pthread_mutex_unlock(&ludus_core.tracks.mutex);
    if (queues == 0)
        absent |= LUDUS_SOURCE_GPU;
    return absent & collector->asked_sources;
}

void ludus_tell_absent_sources(struct ludus_collector *collector)
{
    static const struct {
        uint32_t source;
        const char *text;
    } sources[] = {
        {LUDUS_SOURCE_CPU, "cpu: no thread emitted anything but frame marks"},
        {LUDUS_SOURCE_GPU, "gpu: nobody offered samples of a queue"},
    };
    const uint32_t absent = ludus_absent_sources(collector) & ~collector->told_absent;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        if ((absent & sources[i].source) != 0 &&
            ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_SOURCE_ABSENT, 0,
                                 collector->session.start_tick, 1, sources[i].text))
            collector->told_absent |= sources[i].source;
    }
}
