/* The collector: the one thread that reads what the others record and makes the capture of it. */
#ifndef LUDUS_COLLECTOR_H
#define LUDUS_COLLECTOR_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture_writer.h"
#include "clock_choice.h"
#include "clock_watch.h"
#include "frame_ring.h"
#include "hitch_capture.h"
#include "machine_facts.h"
#include "report_box.h"
#include "sched_sampler.h"
#include "site_registry.h"

#define LUDUS_BATCH 256u /* records that are put into one block of definitions, marks or losses */

/* A batch of records on their way into one block. */
union ludus_batch {
    struct lcap_string strings[LUDUS_BATCH];
    struct lcap_site sites[LUDUS_BATCH];
    struct lcap_track tracks[LUDUS_BATCH];
    struct lcap_frame_mark marks[LUDUS_BATCH];
    struct lcap_loss losses[LUDUS_BATCH];
    struct lcap_sched samples[LUDUS_BATCH];
    struct lcap_gpu_count gpu_counts[LUDUS_BATCH];
};

/* Everything but the fields marked so belongs to the collector while it runs. */
struct ludus_collector {
    pthread_t thread; /* start and stop */
    bool is_running;  /* start and stop: there is a thread to join */
    uint32_t flush_interval_ms;
    sem_t wake;                  /* anybody */
    atomic_bool wake_pending;    /* anybody */
    atomic_bool is_finishing;    /* stop */
    _Atomic uint64_t closed_raw; /* stop, with a window: when it began to close admission */
    sem_t ready;                 /* posted when the capture has been begun, or could not be */
    atomic_bool has_begun;
    sem_t done; /* posted before the thread ends */

    struct ludus_capture_writer writer;
    struct ludus_hitch hitch;
    struct ludus_machine_facts facts;
    struct lcap_session session;
    struct ludus_clock_choice chosen;
    struct lcap_clock clock; /* the one that is in use */
    struct ludus_clock_watch watch;
    struct ludus_sched_sampler sched;

    struct ludus_track **tracks; /* of this pass; room for every slot */
    uint32_t track_count;
    const uint32_t *counter_sites; /* by cell; of this pass */
    uint32_t counter_count;
    struct ludus_registry_counts defined; /* how far the registry is in the file */
    struct ludus_told_names {             /* of the interner's counts, how far the file tells */
        uint64_t refused;
        uint64_t cut;
    } told_names;
    uint32_t name_strings;                  /* ids given to threads' names, above the registry's */
    uint32_t domain_ids[LUDUS_MAX_DOMAINS]; /* in the file, by registry id - 1; 0: not yet marked */
    uint32_t domain_count;

    struct ludus_reports reports;
    uint32_t reports_told;       /* diagnostics of these that are in the file */
    struct ludus_loss dropped;   /* sum over everything */
    struct ludus_loss unwritten; /* lost to a failed write, and of no live track */
    uint64_t scopes_open;
    bool admits_gpu;        /* start */
    uint32_t asked_sources; /* start; 0: nobody said */
    uint32_t told_absent;   /* of these, the file tells that they never came */
    union ludus_batch batch;
    uint64_t *gpu_told[LUDUS_BATCH]; /* of a batch of counts: where to note that they were told */
    uint32_t batch_count;
};

/* Once a process, before anything else. */
void ludus_collector_init(struct ludus_collector *collector);

/* Starts the thread, which begins the capture in the open sink with the encoder given. All fields
 * from `writer` to `tracks` are set by the caller, the rest is reset here. Errors: UNAVAILABLE
 * (no thread), and what beginning the capture meets. After an error no thread runs. */
LUDUS_CHECKED enum ludus_status ludus_collector_start(struct ludus_collector *collector,
                                                      struct ludus_error *error);

/* Asks the thread to read everything once more and to finish the capture. */
void ludus_collector_finish(struct ludus_collector *collector);

/* Waits for the end of the thread at most so long. False: it is still writing. */
bool ludus_collector_join(struct ludus_collector *collector, uint32_t timeout_ms);

/* Has the collector make its next pass now. Any thread, without waiting. */
void ludus_collector_wake(struct ludus_collector *collector);

/* Reads everything once more and finishes the capture, as the thread does at its end; the thread is
 * gone. After a failure, it may be called again with another sink, until the writer is complete. */
void ludus_collector_complete(struct ludus_collector *collector);

/* Counts the events that are still in memory, behind a failed write. The thread is gone. */
struct lcap_counts ludus_collector_kept(const struct ludus_collector *collector);

/* In a forked child: there is no thread any more. */
void ludus_collector_forget(struct ludus_collector *collector);

#endif
