/* Finds out whether the times of threads and of the machine can be had, and lets go of them. */
#include "sched_sampler.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MIN_INTERVAL_NS 10000000u /* about the kernel's own tick: less tells nothing more */
#define FILES_SHARE     8u        /* of the descriptors that the process may have */

/* The program's own files come first: without one that is kept open, a look takes longer. */
static uint32_t find_max_files(uint32_t task_count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    const rlim_t share = limit.rlim_cur / FILES_SHARE;
    return share < task_count ? (uint32_t)share : task_count;
}

/* Reads the calling thread's times. False: `reason` says why they cannot be had. */
static bool probe_tasks(struct ludus_sched_sampler *sampler, char *reason, size_t capacity)
{
    char words[128];
    struct ludus_proc_file own;
    struct ludus_task_times times;
    if (!ludus_proc_open_tasks(&sampler->folder)) {
        snprintf(reason, capacity, "/proc/self/task cannot be opened: %s",
                 strerror_r(errno, words, sizeof words));
        return false;
    }
    if (!ludus_proc_open_task(&sampler->folder, (uint64_t)syscall(SYS_gettid), &own)) {
        snprintf(reason, capacity, "a thread's schedstat in /proc cannot be opened: %s",
                 strerror_r(errno, words, sizeof words));
        return false;
    }
    const bool has_times = ludus_proc_read_task(&own, &times);
    ludus_proc_close(&own);
    if (!has_times)
        snprintf(reason, capacity, "the kernel keeps no statistics of its scheduler");
    return has_times;
}

static void probe_machine(struct ludus_sched_sampler *sampler, struct ludus_machine_facts *facts)
{
    struct ludus_machine_times times;
    sampler->machine_step_ns = ludus_proc_machine_step_ns();
    if (sampler->machine_step_ns == 0 || !ludus_proc_open_machine(&sampler->machine_file))
        return;
    if (ludus_proc_read_machine(&sampler->machine_file, sampler->machine_step_ns, &times))
        ludus_facts_add_number(facts, "recorder.sched_machine_step_ns", sampler->machine_step_ns);
    else
        ludus_proc_close(&sampler->machine_file);
}

void ludus_sched_begin(struct ludus_sched_sampler *sampler, uint32_t interval_ms,
                       struct ludus_machine_facts *facts)
{
    char reason[256];
    const uint64_t interval_ns = interval_ms * UINT64_C(1000000);
    sampler->interval_ns = interval_ns > MIN_INTERVAL_NS ? interval_ns : MIN_INTERVAL_NS;
    sampler->max_open_files = find_max_files(sampler->task_count);
    sampler->open_files = 0;
    sampler->next_slot = 0;
    sampler->next_ns = 0;
    sampler->next_machine_ns = 0;
    sampler->machine_tick = 0;
    if (!probe_tasks(sampler, reason, sizeof reason)) {
        ludus_proc_close(&sampler->folder);
        ludus_facts_add(facts, "recorder.sched", reason);
        return;
    }
    ludus_facts_add(facts, "recorder.sched", "sampled");
    probe_machine(sampler, facts);
}

void ludus_sched_close(struct ludus_sched_sampler *sampler)
{
    for (uint32_t i = 0; i < sampler->task_count && sampler->tasks != NULL; i++)
        ludus_proc_close(&sampler->tasks[i].file);
    ludus_proc_close(&sampler->folder);
    ludus_proc_close(&sampler->machine_file);
}
