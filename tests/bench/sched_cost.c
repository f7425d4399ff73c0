/* The figure "sched": what a pass of the collector pays to look at a thread that sleeps, through a
 * descriptor that is kept open and through one that is not, and what it pays to look at the
 * machine.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench_tools.h"
#include "proc_times.h"

#define THREADS 32u
#define ROUNDS  101u
#define LOOKS   20u /* at each thread, in a round */

static pid_t threads[THREADS];
static atomic_uint ready;
static struct ludus_proc_file folder;
static struct ludus_proc_file files[THREADS];

static void look_at_open_files(void)
{
    struct ludus_task_times times;
    for (uint32_t i = 0; i < THREADS; i++)
        if (!ludus_proc_read_task(&files[i], &times))
            bench_fail("sched_cost: the kernel keeps no times of threads");
}

static void look_at_closed_files(void)
{
    for (uint32_t i = 0; i < THREADS; i++) {
        struct ludus_proc_file file;
        struct ludus_task_times times;
        if (!ludus_proc_open_task(&folder, (uint64_t)threads[i], &file) ||
            !ludus_proc_read_task(&file, &times))
            bench_fail("sched_cost: a thread's times cannot be read");
        ludus_proc_close(&file);
    }
}

static void look_at_machine(void)
{
    static struct ludus_proc_file machine;
    struct ludus_machine_times times;
    if (!machine.is_open && !ludus_proc_open_machine(&machine))
        bench_fail("sched_cost: the machine's times cannot be opened");
    if (!ludus_proc_read_machine(&machine, ludus_proc_machine_step_ns(), &times))
        bench_fail("sched_cost: the machine's times cannot be read");
}

/* CPU time of one call. */
static double measure(void (*look)(void))
{
    double values[ROUNDS];
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint64_t from_ns = bench_thread_cpu_ns();
        for (uint32_t i = 0; i < LOOKS; i++)
            look();
        values[round] = (double)(bench_thread_cpu_ns() - from_ns) / LOOKS;
    }
    return bench_median(values, ROUNDS);
}

static void print_costs(void)
{
    if (!ludus_proc_open_tasks(&folder))
        bench_fail("sched_cost: there is no /proc/self/task");
    for (uint32_t i = 0; i < THREADS; i++)
        if (!ludus_proc_open_task(&folder, (uint64_t)threads[i], &files[i]))
            bench_fail("sched_cost: a thread's times cannot be opened");
    const double open_ns = measure(look_at_open_files) / THREADS;
    const double closed_ns = measure(look_at_closed_files) / THREADS;
    const double machine_ns = measure(look_at_machine);
    printf("sched: CPU time of the collector, %u threads, medians of %u rounds of %u looks\n"
           "  a thread, descriptor kept open  %7.0f ns\n"
           "  a thread, descriptor opened     %7.0f ns\n"
           "  the machine                     %7.0f ns\n",
           THREADS, ROUNDS, LOOKS, open_ns, closed_ns, machine_ns);
    bench_figure("sched", "%.2f us a thread, %.1f us the machine, once per flush", open_ns / 1e3,
                 machine_ns / 1e3);
}

static void work(void *context, uint32_t thread)
{
    atomic_bool *is_done = context;
    if (thread < THREADS) {
        threads[thread] = (pid_t)syscall(SYS_gettid);
        atomic_fetch_add(&ready, 1);
        while (!atomic_load(is_done))
            bench_sleep_ms(5);
        return;
    }
    while (atomic_load(&ready) < THREADS)
        bench_sleep_ms(1);
    print_costs();
    atomic_store(is_done, true);
}

int main(int argc, char **argv)
{
    struct bench_cost costs[THREADS + 1];
    atomic_bool is_done = false;
    (void)bench_options_read("sched_cost", argc, argv);
    (void)bench_threads_run(THREADS + 1, work, &is_done, costs);
    return 0;
}
