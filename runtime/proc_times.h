/* What the kernel tells of the time of threads and of the machine: who ran, and who waited to run.
 */
#ifndef LUDUS_PROC_TIMES_H
#define LUDUS_PROC_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* A descriptor that the program may have closed, and used for a file of its own. All zeros: none.
 */
struct ludus_proc_file {
    uint64_t device;
    uint64_t inode;
    int fd;
    bool is_open;
};

/* Sums since the thread began. */
struct ludus_task_times {
    uint64_t run_ns;
    uint64_t wait_ns; /* runnable, and not running */
};

/* Sums since the machine began, over all of its processors. */
struct ludus_machine_times {
    uint64_t run_ns;
    uint64_t stolen_ns; /* by the host of a virtual machine */
    uint32_t processors;
};

/* Open the folder of the process's threads, a thread's statistics in it, and the machine's. False:
 * errno says why. */
bool ludus_proc_open_tasks(struct ludus_proc_file *folder);
bool ludus_proc_open_task(const struct ludus_proc_file *folder, uint64_t os_id,
                          struct ludus_proc_file *task);
bool ludus_proc_open_machine(struct ludus_proc_file *machine);

/* Closes the descriptor unless the program has done so. */
void ludus_proc_close(struct ludus_proc_file *file);

/* False: the thread is gone, or the kernel keeps no such statistics. */
bool ludus_proc_read_task(const struct ludus_proc_file *task, struct ludus_task_times *times);

/* The times are multiples of `step_ns`. False: there are none. */
bool ludus_proc_read_machine(const struct ludus_proc_file *machine, uint64_t step_ns,
                             struct ludus_machine_times *times);

/* The step of the machine's times; 0 when it is not known. */
uint64_t ludus_proc_machine_step_ns(void);

#endif
