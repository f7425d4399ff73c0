/* Has all cores that the process may use pass the counter around, to see that it never steps back
 * from one to the next. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "clock_contract.h"
#include "recorder_clock.h"

#define MAX_CORES   64u
#define ROUNDS      200
#define DEADLINE_NS 5000000u
#define FEW_ROUNDS  3          /* that a core must have had to count */
#define PATIENCE_NS 200000000u /* for these, on a busy machine */
#define SPINS       1000
#define STACK_BYTES 65536u

struct relay {
    atomic_flag lock;
    uint64_t last;      /* under the lock */
    bool has_gone_back; /* likewise */
    uint64_t begin_ns;
};

struct runner {
    struct relay *relay;
    pthread_t thread;
    size_t core;
    int rounds; /* that it has had */
};

static bool goes_on(const struct runner *runner)
{
    const uint64_t elapsed_ns = ludus_clock_monotonic_ns() - runner->relay->begin_ns;
    return runner->rounds < FEW_ROUNDS ? elapsed_ns < PATIENCE_NS
                                       : runner->rounds < ROUNDS && elapsed_ns < DEADLINE_NS;
}

static void *run(void *argument)
{
    struct runner *runner = argument;
    struct relay *relay = runner->relay;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(runner->core, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0)
        return NULL;
    while (goes_on(runner)) {
        /* A yield may take a time slice of others: another core's reading does not take so long. */
        for (int i = 1; atomic_flag_test_and_set_explicit(&relay->lock, memory_order_acquire); i++)
            if (i % SPINS == 0)
                sched_yield();
        const uint64_t now = ludus_clock_counter_ordered();
        relay->has_gone_back = relay->has_gone_back || now < relay->last;
        relay->last = now;
        atomic_flag_clear_explicit(&relay->lock, memory_order_release);
        runner->rounds++;
    }
    return NULL;
}

static bool start_runner(struct runner *runner)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    const int result = pthread_create(&runner->thread, &attributes, run, runner);
    pthread_attr_destroy(&attributes);
    return result == 0;
}

void ludus_counter_compare_cores(struct ludus_counter_look *look)
{
    struct relay relay = {.lock = ATOMIC_FLAG_INIT, .begin_ns = ludus_clock_monotonic_ns()};
    struct runner runners[MAX_CORES];
    uint32_t count = 0;
    cpu_set_t allowed;
    sigset_t all;
    sigset_t before;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    sigfillset(&all); /* the threads take no signals of their host */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &allowed))
            continue;
        look->cores++;
        if (count == MAX_CORES)
            continue;
        runners[count] = (struct runner){.relay = &relay, .core = core};
        if (start_runner(&runners[count]))
            count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (uint32_t i = 0; i < count; i++) {
        pthread_join(runners[i].thread, NULL);
        look->asked += runners[i].rounds >= FEW_ROUNDS;
    }
    look->has_gone_back = relay.has_gone_back;
}
