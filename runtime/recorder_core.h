/* The recorder: the one global object, made of the parts that the other files describe. */
#ifndef LUDUS_RECORDER_CORE_H
#define LUDUS_RECORDER_CORE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <ludus/recorder.h>

#include "clock_tie.h"
#include "collector.h"
#include "frame_ring.h"
#include "gpu_table.h"
#include "name_interner.h"
#include "report_box.h"
#include "site_registry.h"
#include "track.h"

/* Locks are taken in this order: control, opening, tracks, registry, reports. The collector never
 * takes control, so that a stop may wait for it. */
struct ludus_recorder_core {
    pthread_mutex_t control; /* start and stop, one at a time */
    pthread_mutex_t opening; /* the collector opens or closes a file: keeps forks away */
    _Atomic uint32_t state;  /* enum ludus_recorder_state */
    struct ludus_track_table tracks;
    struct ludus_site_registry registry;
    struct ludus_name_interner names;
    struct ludus_report_box reports;
    _Atomic(struct ludus_frame_ring *) frames;
    _Atomic(struct ludus_gpu_table *) gpu; /* NULL: no recording has admitted GPU samples yet */
    _Atomic uint64_t gpu_admission;        /* of the running recording; 0: it admits none */
    uint64_t gpu_recordings;               /* that have admitted some */
    struct ludus_clock_tie tie;
    _Atomic uint32_t epoch;       /* of counters: raised by frame marks and by the collector */
    uint32_t forks;               /* how many forks lie between the first process and this one */
    _Atomic uint64_t flow_blocks; /* of ids that slots have taken */
    struct ludus_collector collector;
    uint64_t memory_bytes; /* of the running or last recording */
    bool is_from_env;      /* the running recording was started by the environment */
    bool has_exit_handler;
};

extern struct ludus_recorder_core ludus_core;

/* Prepares the process for recordings, once. False: it has no thread-specific key left. */
bool ludus_recorder_prepare(void);

#endif
