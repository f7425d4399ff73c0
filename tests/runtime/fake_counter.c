/* A counter in place of the processor's. */
#include "fake_counter.h"

#include <pthread.h>
#include <time.h>

#define MAX_READINGS 4096

uint64_t fake_counter_read(void); /* what the recorder calls */

static struct {
    pthread_mutex_t lock;
    uint64_t from_tick; /* where it stood */
    uint64_t from_ns;   /* at this time */
    int64_t ppm;
    uint64_t step, phase;
    uint64_t readings;
    bool does_stumble;
} counter = {.lock = PTHREAD_MUTEX_INITIALIZER, .step = 1};

static _Thread_local uint64_t own[MAX_READINGS];
static _Thread_local size_t own_count;
static _Thread_local uint64_t own_step_back;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The lock is held. In picoseconds a piece of hours fits. */
static uint64_t tick_at(uint64_t ns)
{
    const uint64_t elapsed_ns = ns - counter.from_ns;
    const uint64_t rate = FAKE_TICKS_PER_US * (uint64_t)(1000000 + counter.ppm);
    __extension__ typedef unsigned __int128 wide;
    return counter.from_tick + (uint64_t)((wide)elapsed_ns * rate / 1000000000u);
}

uint64_t fake_counter_read(void)
{
    pthread_mutex_lock(&counter.lock);
    uint64_t tick = tick_at(now_ns());
    if (counter.step != 1)
        tick = tick - tick % counter.step + counter.phase;
    if (counter.does_stumble && ++counter.readings % 2 == 0)
        tick -= UINT64_C(1000000) * FAKE_TICKS_PER_US;
    pthread_mutex_unlock(&counter.lock);
    if (own_step_back != 0 && own_count > 0)
        tick = own[own_count - 1] - own_step_back;
    own_step_back = 0;
    if (own_count < MAX_READINGS)
        own[own_count++] = tick;
    return tick;
}

void fake_counter_reset(uint64_t tick)
{
    pthread_mutex_lock(&counter.lock);
    counter.from_tick = tick;
    counter.from_ns = now_ns();
    counter.ppm = 0;
    counter.step = 1;
    counter.phase = 0;
    counter.does_stumble = false;
    pthread_mutex_unlock(&counter.lock);
}

/* Has what comes start where the counter stands. The lock is held. */
static void rebase(void)
{
    const uint64_t ns = now_ns();
    counter.from_tick = tick_at(ns);
    counter.from_ns = ns;
}

void fake_counter_jump(int64_t ticks)
{
    pthread_mutex_lock(&counter.lock);
    rebase();
    counter.from_tick += (uint64_t)ticks;
    pthread_mutex_unlock(&counter.lock);
}

void fake_counter_step_back(uint64_t ticks)
{
    own_step_back = ticks;
}

void fake_counter_drift(int64_t ppm)
{
    pthread_mutex_lock(&counter.lock);
    rebase();
    counter.ppm = ppm;
    pthread_mutex_unlock(&counter.lock);
}

void fake_counter_step(uint64_t step, uint64_t phase)
{
    pthread_mutex_lock(&counter.lock);
    counter.step = step;
    counter.phase = phase;
    pthread_mutex_unlock(&counter.lock);
}

void fake_counter_stumble(bool does)
{
    pthread_mutex_lock(&counter.lock);
    counter.does_stumble = does;
    pthread_mutex_unlock(&counter.lock);
}

const uint64_t *fake_counter_readings(size_t *count)
{
    *count = own_count;
    return own;
}

void fake_counter_forget(void)
{
    own_count = 0;
}
