/* GPU samples on their way from the threads that have them to the collector: a ring of samples, the
 * queues that they belong to, and counts of what became of all measurements.
 *
 * A thread that puts or counts something is a writer: it says so before it looks whether the
 * recording admits it, and takes that back when it is done. Nobody ever waits for the collector; at
 * the end the collector waits a moment for writers. So nothing of one recording gets into the
 * next, and all that was put in time is in its own. */
#ifndef LUDUS_GPU_TABLE_H
#define LUDUS_GPU_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <ludus/gpu_samples.h>
#include <ludus/status.h>

#include "lcap_records.h"

#define LUDUS_GPU_RING_ENTRIES 4096u
#define LUDUS_GPU_MAX_QUEUES   32u /* of one recording */
#define LUDUS_GPU_MAX_SUBJECTS 4u  /* enum ludus_gpu_subject and the unused 0 */
#define LUDUS_GPU_MAX_OUTCOMES 32u /* room for enum ludus_gpu_outcome */
#define LUDUS_GPU_TEXT_BYTES   128u
#define LUDUS_GPU_BATCH        256u

enum ludus_gpu_text {
    LUDUS_GPU_TEXT_BACKEND,
    LUDUS_GPU_TEXT_DEVICE,
    LUDUS_GPU_TEXT_QUEUE,
    LUDUS_GPU_TEXT_PASS_REASON,
    LUDUS_GPU_TEXT_CALIBRATION_REASON,
    LUDUS_GPU_TEXTS
};

struct ludus_gpu_queue {
    uint32_t track;
    uint32_t generation;
    uint32_t valid_bits;
    uint64_t period_fs;
    uint64_t begin_tick; /* raw */
    char texts[LUDUS_GPU_TEXTS][LUDUS_GPU_TEXT_BYTES];
    _Atomic uint64_t counts[LUDUS_GPU_MAX_SUBJECTS][LUDUS_GPU_MAX_OUTCOMES];
    /* The collector's: how far the file tells of them. */
    uint64_t told[LUDUS_GPU_MAX_SUBJECTS][LUDUS_GPU_MAX_OUTCOMES];
};

/* Ticks of samples are raw. */
struct ludus_gpu_entry {
    _Atomic uint64_t published; /* its ticket + 1 */
    uint32_t subject;           /* enum ludus_gpu_subject */
    union {
        struct lcap_gpu_frame frame;
        struct lcap_gpu_pass pass;
        struct lcap_gpu_calibration calibration;
    } sample;
};

struct ludus_gpu_table {
    _Atomic uint64_t admission; /* number of the recording that the table is of; 0: of none */
    _Atomic uint32_t writers;
    _Atomic uint32_t queue_count;
    _Atomic uint64_t queues_refused; /* for want of room */
    _Atomic uint64_t head;           /* tickets given out */
    _Atomic uint64_t tail;           /* tickets taken */
    bool has_stragglers;             /* writers were left in it */
    struct ludus_gpu_queue queues[LUDUS_GPU_MAX_QUEUES];
    struct ludus_gpu_entry entries[LUDUS_GPU_RING_ENTRIES];
    /* The collector's: what it has taken and not written yet, with the file's ticks. */
    uint32_t queues_defined;
    uint64_t refused_told; /* how far the file tells of those that were refused */
    uint32_t frame_count;
    uint32_t pass_count;
    uint32_t calibration_count;
    struct lcap_gpu_frame frames[LUDUS_GPU_BATCH];
    struct lcap_gpu_pass passes[LUDUS_GPU_BATCH];
    struct lcap_gpu_calibration calibrations[LUDUS_GPU_BATCH];
};

/* Makes `*table` fit for a recording: new, or emptied; one that writers were left in is theirs for
 * good. Errors: MEMORY. While nothing is admitted. */
LUDUS_CHECKED enum ludus_status ludus_gpu_table_prepare(_Atomic(struct ludus_gpu_table *) *table);

/* Admits samples under this number, until ludus_gpu_table_close. `table` may be NULL in the latter.
 */
void ludus_gpu_table_open(struct ludus_gpu_table *table, uint64_t admission);
void ludus_gpu_table_close(struct ludus_gpu_table *table);

/* In a forked child: there are no writers any more, and what they had put is the parent's. */
void ludus_gpu_table_forget(struct ludus_gpu_table *table);

/* The caller becomes a writer of the recording's. False: it is another one by now, or none. */
bool ludus_gpu_table_enter(struct ludus_gpu_table *table, uint64_t admission);
void ludus_gpu_table_leave(struct ludus_gpu_table *table);

/* For writers. The queue of that number, or NULL. */
struct ludus_gpu_queue *ludus_gpu_table_queue(struct ludus_gpu_table *table, uint32_t queue);
/* A place for a sample, with its ticket; NULL when all are taken. Then fill and publish it. */
struct ludus_gpu_entry *ludus_gpu_table_reserve(struct ludus_gpu_table *table, uint64_t *ticket);
void ludus_gpu_table_publish(struct ludus_gpu_entry *entry, uint64_t ticket);
bool ludus_gpu_table_is_short(struct ludus_gpu_table *table);

/* For the collector. Whether there is no writer left. */
bool ludus_gpu_table_is_settled(struct ludus_gpu_table *table);
/* The oldest sample, when it is whole and its ticket is below `limit`; else NULL. `is_last` skips
 * those that a writer left behind. Behind it, ludus_gpu_table_drop gives its place back. */
struct ludus_gpu_entry *ludus_gpu_table_first(struct ludus_gpu_table *table, uint64_t limit,
                                              bool is_last);
void ludus_gpu_table_drop(struct ludus_gpu_table *table);

/* How many measurements of a subject found no room, on all queues. `table` may be NULL. */
uint64_t ludus_gpu_table_full(struct ludus_gpu_table *table, enum ludus_gpu_subject subject);
/* How many are in memory and not written; no thread may be at work on them. */
uint64_t ludus_gpu_table_kept(struct ludus_gpu_table *table, enum ludus_gpu_subject subject);

#endif
