/* What a GPU backend calls: its samples and counts go into the table, from which the collector
 * takes them. */
#include <ludus/gpu_samples.h>

#include <string.h>

#include "clock_tie.h"
#include "emission.h"
#include "gpu_rules.h"
#include "gpu_table.h"
#include "recorder_clock.h"
#include "recorder_core.h"
#include "site_label.h"

static struct ludus_gpu_table *present_table(void)
{
    return atomic_load_explicit(&ludus_core.gpu, memory_order_acquire);
}

uint64_t ludus_gpu_admission(void)
{
    return atomic_load_explicit(&ludus_core.gpu_admission, memory_order_acquire);
}

uint64_t ludus_gpu_tick(void)
{
    return ludus_clock_ticks_ordered();
}

int64_t ludus_gpu_clock_ns(uint64_t *residual_ns)
{
    *residual_ns = 0;
    if (!ludus_clock_uses_counter())
        return (int64_t)ludus_clock_monotonic_ns();
    return ludus_clock_tie_ns(&ludus_core.tie, ludus_clock_counter_ordered(), residual_ns);
}

/* --- queues and sites ------------------------------------------------------------------------ */

static void copy_text(char *to, const char *text)
{
    const size_t size = text != NULL ? strlen(text) : 0;
    const size_t kept = ludus_label_cut(text != NULL ? text : "", size, LUDUS_GPU_TEXT_BYTES - 1);
    if (kept > 0)
        memcpy(to, text, kept);
    to[kept] = '\0';
}

static void fill_queue(struct ludus_gpu_queue *queue, const struct ludus_gpu_queue_facts *facts)
{
    queue->generation = facts->generation;
    queue->valid_bits = facts->valid_bits <= 64 ? facts->valid_bits : 64;
    queue->period_fs = facts->period_fs;
    queue->begin_tick = ludus_clock_ticks();
    copy_text(queue->texts[LUDUS_GPU_TEXT_BACKEND], facts->backend);
    copy_text(queue->texts[LUDUS_GPU_TEXT_DEVICE], facts->device);
    copy_text(queue->texts[LUDUS_GPU_TEXT_QUEUE], facts->queue);
    copy_text(queue->texts[LUDUS_GPU_TEXT_PASS_REASON], facts->pass_reason);
    copy_text(queue->texts[LUDUS_GPU_TEXT_CALIBRATION_REASON], facts->calibration_reason);
}

uint32_t ludus_gpu_queue_open(uint64_t admission, const struct ludus_gpu_queue_facts *facts)
{
    struct ludus_gpu_table *table = present_table();
    uint32_t number = 0;
    if (!ludus_gpu_table_enter(table, admission))
        return 0;
    pthread_mutex_lock(&ludus_core.tracks.mutex); /* which guards the numbers of tracks */
    const uint32_t count = atomic_load_explicit(&table->queue_count, memory_order_relaxed);
    if (count < LUDUS_GPU_MAX_QUEUES) {
        struct ludus_gpu_queue *queue = &table->queues[count];
        fill_queue(queue, facts);
        queue->track = ++ludus_core.tracks.last_track;
        number = count + 1;
        atomic_store_explicit(&table->queue_count, number, memory_order_release);
    } else {
        atomic_fetch_add_explicit(&table->queues_refused, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&ludus_core.tracks.mutex);
    ludus_gpu_table_leave(table);
    return number;
}

uint32_t ludus_gpu_site(struct ludus_site *site)
{
    const uint32_t id = ludus_site_id(site);
    if (id != 0 || ludus_gpu_admission() == 0)
        return id;
    return ludus_registry_add_site(&ludus_core.registry, site);
}

/* --- samples --------------------------------------------------------------------------------- */

static void count(struct ludus_gpu_queue *queue, uint32_t subject, uint32_t outcome, uint64_t more)
{
    atomic_fetch_add_explicit(&queue->counts[subject][outcome], more, memory_order_relaxed);
}

/* Ticks that are in the future, or in the wrong order, are brought to where they may be. */
static struct lcap_gpu_time time_of(uint32_t outcome, uint64_t duration_ns, int64_t begin_ns,
                                    uint32_t uncertainty_ns, uint64_t submit_tick,
                                    uint64_t collect_tick)
{
    const uint64_t now = ludus_clock_ticks();
    const uint64_t collect = collect_tick < now ? collect_tick : now;
    return (struct lcap_gpu_time){.duration_ns = duration_ns,
                                  .begin_ns = begin_ns,
                                  .submit_tick = submit_tick < collect ? submit_tick : collect,
                                  .collect_tick = collect,
                                  .outcome = outcome,
                                  .uncertainty_ns = uncertainty_ns};
}

/* Puts the entry into the ring, or counts that there was no room for it. */
static int put(struct ludus_gpu_table *table, struct ludus_gpu_queue *queue,
               const struct ludus_gpu_entry *sample)
{
    uint64_t ticket;
    struct ludus_gpu_entry *entry = ludus_gpu_table_reserve(table, &ticket);
    if (entry == NULL) {
        count(queue, sample->subject, LUDUS_GPU_QUEUE_FULL, 1);
        return 0;
    }
    entry->subject = sample->subject;
    entry->sample = sample->sample;
    ludus_gpu_table_publish(entry, ticket);
    if (ludus_gpu_table_is_short(table))
        ludus_collector_wake(&ludus_core.collector);
    return 1;
}

int ludus_gpu_put_frame(uint64_t admission, const struct ludus_gpu_frame *frame)
{
    struct ludus_gpu_table *table = present_table();
    int is_put = 0;
    if (!ludus_gpu_table_enter(table, admission))
        return 0;
    struct ludus_gpu_queue *queue = ludus_gpu_table_queue(table, frame->queue);
    if (queue != NULL) {
        const struct ludus_gpu_entry entry = {
            .subject = LUDUS_GPU_FRAME,
            .sample.frame = {.time = time_of(frame->outcome, frame->duration_ns, frame->begin_ns,
                                             frame->uncertainty_ns, frame->submit_tick,
                                             frame->collect_tick),
                             .number = frame->number,
                             .track = queue->track,
                             .method = frame->method}};
        is_put = lcap_gpu_frame_is_right(&entry.sample.frame) && put(table, queue, &entry);
    }
    ludus_gpu_table_leave(table);
    return is_put;
}

int ludus_gpu_put_pass(uint64_t admission, const struct ludus_gpu_pass *pass)
{
    struct ludus_gpu_table *table = present_table();
    int is_put = 0;
    if (!ludus_gpu_table_enter(table, admission))
        return 0;
    struct ludus_gpu_queue *queue = ludus_gpu_table_queue(table, pass->queue);
    if (queue != NULL) {
        const struct ludus_gpu_entry entry = {
            .subject = LUDUS_GPU_PASS,
            .sample.pass = {.time = time_of(pass->outcome, pass->duration_ns, pass->begin_ns,
                                            pass->uncertainty_ns, pass->submit_tick,
                                            pass->collect_tick),
                            .frame = pass->frame,
                            .track = queue->track,
                            .site = pass->site,
                            .ordinal = pass->ordinal,
                            .operation = pass->operation,
                            .logical_passes = pass->logical_passes}};
        is_put = lcap_gpu_pass_is_right(&entry.sample.pass) && put(table, queue, &entry);
    }
    ludus_gpu_table_leave(table);
    return is_put;
}

int ludus_gpu_put_calibration(uint64_t admission, const struct ludus_gpu_calibration *calibration)
{
    struct ludus_gpu_table *table = present_table();
    int is_put = 0;
    if (!ludus_gpu_table_enter(table, admission))
        return 0;
    struct ludus_gpu_queue *queue = ludus_gpu_table_queue(table, calibration->queue);
    if (queue != NULL) {
        const struct ludus_gpu_entry entry = {
            .subject = LUDUS_GPU_CALIBRATION,
            .sample.calibration = {
                .frame = calibration->frame,
                .device_ticks = {calibration->device_ticks[0], calibration->device_ticks[1]},
                .host_ns = {calibration->host_ns[0], calibration->host_ns[1]},
                .track = queue->track,
                .mapping = calibration->mapping,
                .uncertainty_ns = calibration->uncertainty_ns}};
        is_put =
            lcap_gpu_calibration_is_right(&entry.sample.calibration) && put(table, queue, &entry);
    }
    ludus_gpu_table_leave(table);
    return is_put;
}

void ludus_gpu_count(uint64_t admission, uint32_t queue, uint32_t subject, uint32_t outcome,
                     uint64_t more)
{
    struct ludus_gpu_table *table = present_table();
    if (subject == 0 || subject >= LUDUS_GPU_MAX_SUBJECTS || outcome >= LUDUS_GPU_MAX_OUTCOMES ||
        !ludus_gpu_table_enter(table, admission))
        return;
    struct ludus_gpu_queue *own = ludus_gpu_table_queue(table, queue);
    if (own != NULL)
        count(own, subject, outcome, more);
    ludus_gpu_table_leave(table);
}
