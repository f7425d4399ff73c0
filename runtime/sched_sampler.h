/* Samples which threads ran and which waited to run, and what the machine did. */
#ifndef LUDUS_SCHED_SAMPLER_H
#define LUDUS_SCHED_SAMPLER_H

#include "machine_facts.h"
#include "proc_times.h"

/* A thread, as it was when it was last looked at. */
struct ludus_task_sample {
    struct ludus_proc_file file;
    struct ludus_task_times times;
    uint64_t tick;      /* when they were read */
    uint64_t told_tick; /* the file tells of the time before; from then on the thread slept */
    uint32_t track;     /* its id in the capture; 0: nobody */
    bool has_times;
};

/* The collector's, but for begin and close. */
struct ludus_sched_sampler {
    struct ludus_task_sample *tasks; /* for each slot of the table of tracks */
    uint32_t task_count;
    uint32_t open_files; /* that are kept open, of threads */
    uint32_t max_open_files;
    uint32_t next_slot; /* where the next samples begin when there was no time for all threads */
    struct ludus_proc_file folder;       /* open: threads are sampled */
    struct ludus_proc_file machine_file; /* open: the machine is sampled */
    struct ludus_machine_times machine;
    uint64_t machine_tick; /* when they were read; 0: not yet */
    uint64_t machine_step_ns;
    uint64_t interval_ns;
    uint64_t next_ns;         /* CLOCK_MONOTONIC: no sample before */
    uint64_t next_machine_ns; /* likewise */
};

/* Finds out what can be sampled and adds the facts that say so. `tasks` and `task_count` are set.
 */
void ludus_sched_begin(struct ludus_sched_sampler *sampler, uint32_t interval_ms,
                       struct ludus_machine_facts *facts);

/* Closes all descriptors, and samples nothing more. No fork may happen meanwhile: a child must know
 * which of its descriptors are these. */
void ludus_sched_close(struct ludus_sched_sampler *sampler);

#endif
