/* The chunks that events are written into, and the stack of those that nobody holds. */
#ifndef LUDUS_CHUNK_POOL_H
#define LUDUS_CHUNK_POOL_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lcap_encode.h"

#define LUDUS_CHUNK_BYTES        16384u
#define LUDUS_CHUNK_HEADER_BYTES 64u
#define LUDUS_CHUNK_EVENTS       ((LUDUS_CHUNK_BYTES - LUDUS_CHUNK_HEADER_BYTES) / 16u)

/* Threads leave an event for the collector as the encoder takes it. One that has a value takes two
 * places: a struct ludus_event_value follows it in the same chunk. */

/* A stretch of one track's events. The thread that holds it writes, the collector reads. */
struct ludus_chunk {
    _Atomic(struct ludus_chunk *) next; /* the track's next chunk; set once this one is full */
    uint32_t count;                     /* events in it, final; read only after `next` was */
    uint32_t reserved;
    _Alignas(LUDUS_CHUNK_HEADER_BYTES) struct lcap_event events[LUDUS_CHUNK_EVENTS];
};

static_assert(sizeof(struct lcap_event) == 16, "an event is 16 bytes");
static_assert(sizeof(struct ludus_chunk) == LUDUS_CHUNK_BYTES, "a chunk has no padding");

struct ludus_chunk_pool {
    _Atomic uint64_t top; /* high half: a tag that rises with each change; low: index + 1, or 0 */
    _Atomic uint32_t free_count;
    struct ludus_chunk *chunks;
    _Atomic uint32_t *links; /* per chunk, the index + 1 of the one below it */
    uint32_t capacity;       /* chunks that are mapped */
    _Atomic uint32_t used;   /* the first so many may be handed out in this recording */
};

/* Gives the pool, once, its memory: `capacity` chunks and as many links, all zero and owned by the
 * caller. It keeps them for good, so that a thread may be held up inside a take for any time. Empty
 * until ludus_chunk_pool_fill. */
void ludus_chunk_pool_init(struct ludus_chunk_pool *pool, struct ludus_chunk *chunks,
                           _Atomic uint32_t *links, uint32_t capacity);

/* Takes everything back that lies in the stack, and forgets all marks: nobody gets a chunk until
 * the next fill. */
void ludus_chunk_pool_empty(struct ludus_chunk_pool *pool);

/* Keeps a chunk, into which some thread may still write, out of the next fill. */
void ludus_chunk_pool_hold(struct ludus_chunk_pool *pool, const struct ludus_chunk *chunk);

/* Whether it was kept out. */
bool ludus_chunk_pool_is_held(const struct ludus_chunk_pool *pool, uint32_t index);

/* Makes the first `used` chunks available, less those that are held. The pool is empty. */
void ludus_chunk_pool_fill(struct ludus_chunk_pool *pool, uint32_t used);

/* A chunk for the caller, reset, or NULL. Any thread, without waiting. */
struct ludus_chunk *ludus_chunk_pool_take(struct ludus_chunk_pool *pool);

/* Any thread, without waiting. The caller no longer touches the chunk. */
void ludus_chunk_pool_put(struct ludus_chunk_pool *pool, struct ludus_chunk *chunk);

static inline bool ludus_chunk_pool_is_empty(const struct ludus_chunk_pool *pool)
{
    return atomic_load_explicit(&pool->free_count, memory_order_relaxed) == 0;
}

/* Whether less than half of the chunks are free, which is when the collector should come early. */
static inline bool ludus_chunk_pool_is_short(struct ludus_chunk_pool *pool)
{
    return atomic_load_explicit(&pool->free_count, memory_order_relaxed) <
           atomic_load_explicit(&pool->used, memory_order_relaxed) / 2;
}

#endif
