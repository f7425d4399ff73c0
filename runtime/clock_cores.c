/* Has all cores that the process may use pass the counter around, to see that it never steps back
 * from one to the next. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "clock_choice.h"
#include "recorder_clock.h"

#define MAX_CORES   64u
#define ROUNDS      200
#define DEADLINE_NS 5000000u
#define STACK_BYTES 65536u

struct relay {
    atomic_flag lock;
    uint64_t last;        /* under the lock */
    bool has_gone_back;   /* likewise */
    uint64_t deadline_ns; /* for machines so busy that a holder of the lock does not run */
};

struct runner {
    struct relay *relay;
    pthread_t thread;
    size_t core;
};

static void *run(void *argument)
{
    const struct runner *runner = argument;
    struct relay *relay = runner->relay;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(runner->core, &set);
    (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    for (int i = 0; i < ROUNDS && ludus_clock_monotonic_ns() < relay->deadline_ns; i++) {
        while (atomic_flag_test_and_set_explicit(&relay->lock, memory_order_acquire))
            sched_yield();
        const uint64_t now = ludus_clock_counter_ordered();
        relay->has_gone_back = relay->has_gone_back || now < relay->last;
        relay->last = now;
        atomic_flag_clear_explicit(&relay->lock, memory_order_release);
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

bool ludus_clock_cores_agree(uint32_t *cores)
{
    struct relay relay = {.lock = ATOMIC_FLAG_INIT,
                          .deadline_ns = ludus_clock_monotonic_ns() + DEADLINE_NS};
    struct runner runners[MAX_CORES];
    uint32_t count = 0;
    cpu_set_t allowed;
    sigset_t all;
    sigset_t before;
    *cores = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return false;
    sigfillset(&all); /* the threads take no signals of their host */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t core = 0; core < CPU_SETSIZE && count < MAX_CORES; core++) {
        if (!CPU_ISSET(core, &allowed))
            continue;
        runners[count] = (struct runner){.relay = &relay, .core = core};
        if (start_runner(&runners[count]))
            count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (uint32_t i = 0; i < count; i++)
        pthread_join(runners[i].thread, NULL);
    *cores = count;
    return count > 0 && !relay.has_gone_back;
}
