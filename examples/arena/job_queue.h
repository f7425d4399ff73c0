/* A queue of jobs, the worker threads that run them, and the wait for a group of them. One thread
 * (the owner) submits and waits; while it waits it runs jobs itself. */
#ifndef JOB_QUEUE_H
#define JOB_QUEUE_H

#include <stdint.h>

struct job_queue;

/* Runs the items [first, last) of a larger task. */
typedef void job_function(void *context, uint32_t first, uint32_t last);

/* Jobs that are waited for together. Zero before the first submit; only the queue changes it. */
struct job_group {
    uint32_t unfinished;
};

/* Starts `worker_count` threads; NULL when that or the memory failed. */
struct job_queue *job_queue_create(uint32_t worker_count);

/* Ends the workers. Every group must have been waited for. NULL is allowed. */
void job_queue_destroy(struct job_queue *queue);

/* Cuts the items [0, item_count) into at most `job_count` jobs of nearly equal size. `group` and
 * `context` must live until the wait. Jobs that find the queue full run at once. */
void job_queue_submit(struct job_queue *queue, struct job_group *group, job_function *function,
                      void *context, uint32_t item_count, uint32_t job_count);

/* Returns when all jobs of `group` have run. */
void job_queue_wait(struct job_queue *queue, struct job_group *group);

/* CPU time that the workers have used so far. The owner's call. */
uint64_t job_queue_cpu_ns(const struct job_queue *queue);

#endif
