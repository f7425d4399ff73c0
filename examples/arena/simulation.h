/* The simulation: one fixed step of the crowd, spread over the job queue. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include "arena_scale.h"
#include "crowd.h"
#include "job_queue.h"
#include "level.h"
#include "path_search.h"
#include "scene_script.h"
#include "spatial_hash.h"

enum { SIMULATION_SEARCHES = 8, SIMULATION_JOBS = 16 };

struct simulation {
    struct arena_scale scale;
    struct job_queue *jobs; /* borrowed */
    struct arena_random random;
    struct level level;
    struct crowd crowd;
    struct spatial_hash hash;
    struct path_search searches[SIMULATION_SEARCHES];
    uint32_t search_count; /* of this step */
    uint32_t search_next;  /* the squad whose turn it is */
};

/* Goes on by one step. */
void simulation_step(struct simulation *simulation, const struct scene_script *script);

/* The agents of the batch of that number: [first, last). */
static inline void simulation_batch(const struct simulation *simulation, uint32_t batch,
                                    uint32_t *first, uint32_t *last)
{
    uint32_t size = simulation->scale.agents_per_batch;
    *first = batch * size;
    *last = simulation->crowd.count - *first < size ? simulation->crowd.count : *first + size;
}

/* The parts of a step that run as jobs over batches; each reads the present motion and writes the
 * next one. */
void steering_job(void *simulation, uint32_t first_batch, uint32_t last_batch);
void collision_job(void *simulation, uint32_t first_batch, uint32_t last_batch);

#endif
