/* The job queue: a ring of jobs under one lock. Jobs are tens of microseconds long, so that the
 * lock costs little. */
#include "job_queue.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <ludus/profile.h>

enum { JOB_RING_SIZE = 256, JOB_WORKER_MAX = 16 };

struct job {
    job_function *function;
    void *context;
    struct job_group *group;
    uint32_t first;
    uint32_t last;
    uint64_t flow; /* from where it was submitted to where it runs */
};

struct job_worker {
    struct job_queue *queue;
    uint32_t number;
    pthread_t thread;
};

struct job_queue {
    pthread_mutex_t lock; /* guards everything below it, and the groups */
    pthread_cond_t filled;
    pthread_cond_t finished;
    struct job ring[JOB_RING_SIZE];
    uint32_t ring_first;
    uint32_t ring_count;
    bool stopping;
    struct job_worker workers[JOB_WORKER_MAX]; /* the owner's alone */
    uint32_t worker_count;
};

/* Called under the lock with a job in the ring. */
static struct job job_queue_pop(struct job_queue *queue)
{
    struct job job = queue->ring[queue->ring_first];
    queue->ring_first = (queue->ring_first + 1) % JOB_RING_SIZE;
    queue->ring_count--;
    return job;
}

/* Called under the lock, and gives it up while the job runs. */
static void job_queue_execute(struct job_queue *queue, struct job job)
{
    pthread_mutex_unlock(&queue->lock);
    {
        LUDUS_PROFILE_SCOPE(Jobs/Execute, LUDUS_PROFILE_CAT(Jobs));
        LUDUS_PROFILE_FLOW_IN(job.flow);
        job.function(job.context, job.first, job.last);
    }
    pthread_mutex_lock(&queue->lock);
    if (--job.group->unfinished == 0)
        pthread_cond_signal(&queue->finished);
}

/* Called under the lock. Returns when there is a job to take or nothing more to come. */
static void job_queue_idle(struct job_queue *queue)
{
    LUDUS_PROFILE_SCOPE(Jobs/Idle, LUDUS_PROFILE_CAT(wait));
    while (queue->ring_count == 0 && !queue->stopping)
        pthread_cond_wait(&queue->filled, &queue->lock);
}

/* A thread of the batch class does not take the processor from the one that wakes it: the owner
 * goes on to its own share of the jobs. Where this is refused, only the balance is worse. */
static void job_worker_yield_to_owner(void)
{
    const struct sched_param parameters = {0};
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters);
}

static void *job_worker_main(void *argument)
{
    const struct job_worker *worker = argument;
    struct job_queue *queue = worker->queue;
    char name[24];
    snprintf(name, sizeof name, "worker %u", (unsigned)worker->number);
    LUDUS_PROFILE_THREAD(name);
    job_worker_yield_to_owner();
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        if (queue->ring_count == 0)
            job_queue_idle(queue);
        if (queue->ring_count == 0)
            break;
        struct job job = job_queue_pop(queue);
        if (queue->ring_count != 0)
            pthread_cond_signal(&queue->filled);
        job_queue_execute(queue, job);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

struct job_queue *job_queue_create(uint32_t worker_count)
{
    struct job_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return NULL;
    if (worker_count > JOB_WORKER_MAX)
        worker_count = JOB_WORKER_MAX;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->filled, NULL);
    pthread_cond_init(&queue->finished, NULL);
    for (uint32_t i = 0; i < worker_count; i++) {
        struct job_worker *worker = &queue->workers[i];
        worker->queue = queue;
        worker->number = i + 1;
        if (pthread_create(&worker->thread, NULL, job_worker_main, worker) != 0) {
            job_queue_destroy(queue);
            return NULL;
        }
        queue->worker_count++;
    }
    return queue;
}

void job_queue_destroy(struct job_queue *queue)
{
    if (!queue)
        return;
    pthread_mutex_lock(&queue->lock);
    queue->stopping = true;
    pthread_cond_broadcast(&queue->filled);
    pthread_mutex_unlock(&queue->lock);
    for (uint32_t i = 0; i < queue->worker_count; i++)
        pthread_join(queue->workers[i].thread, NULL);
    pthread_cond_destroy(&queue->finished);
    pthread_cond_destroy(&queue->filled);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

void job_queue_submit(struct job_queue *queue, struct job_group *group, job_function *function,
                      void *context, uint32_t item_count, uint32_t job_count)
{
    LUDUS_PROFILE_SCOPE(Jobs/Submit, LUDUS_PROFILE_CAT(Jobs));
    if (job_count > item_count)
        job_count = item_count;
    LUDUS_PROFILE_COUNT(Jobs/Submitted, job_count, LUDUS_PROFILE_CAT(Jobs));
    pthread_mutex_lock(&queue->lock);
    for (uint32_t i = 0; i < job_count; i++) {
        struct job job = {.function = function, .context = context, .group = group};
        job.first = (uint32_t)((uint64_t)item_count * i / job_count);
        job.last = (uint32_t)((uint64_t)item_count * (i + 1) / job_count);
        job.flow = LUDUS_PROFILE_FLOW_OUT(Jobs/Job, LUDUS_PROFILE_CAT(Jobs));
        group->unfinished++;
        if (queue->ring_count == JOB_RING_SIZE) {
            job_queue_execute(queue, job);
            continue;
        }
        queue->ring[(queue->ring_first + queue->ring_count) % JOB_RING_SIZE] = job;
        queue->ring_count++;
    }
    pthread_mutex_unlock(&queue->lock);
    /* One worker; each that finds more work wakes the next, which spares the owner the calls. */
    pthread_cond_signal(&queue->filled);
}

/* Called under the lock. Nothing is left to help with, so the owner sleeps. */
static void job_queue_sleep(struct job_queue *queue, const struct job_group *group)
{
    LUDUS_PROFILE_SCOPE(Jobs/Wait, LUDUS_PROFILE_CAT(wait));
    while (group->unfinished != 0 && queue->ring_count == 0)
        pthread_cond_wait(&queue->finished, &queue->lock);
}

void job_queue_wait(struct job_queue *queue, struct job_group *group)
{
    LUDUS_PROFILE_SCOPE(Jobs/Join, LUDUS_PROFILE_CAT(Jobs));
    pthread_mutex_lock(&queue->lock);
    while (group->unfinished != 0) {
        if (queue->ring_count != 0)
            job_queue_execute(queue, job_queue_pop(queue));
        else
            job_queue_sleep(queue, group);
    }
    pthread_mutex_unlock(&queue->lock);
}

uint64_t job_queue_cpu_ns(const struct job_queue *queue)
{
    uint64_t sum_ns = 0;
    for (uint32_t i = 0; i < queue->worker_count; i++) {
        clockid_t clock;
        struct timespec used;
        if (pthread_getcpuclockid(queue->workers[i].thread, &clock) != 0 ||
            clock_gettime(clock, &used) != 0)
            continue;
        sum_ns += (uint64_t)used.tv_sec * 1000000000U + (uint64_t)used.tv_nsec;
    }
    return sum_ns;
}
