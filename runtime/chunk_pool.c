/* A stack of free chunks that any thread takes from and gives to without waiting.
 *
 * Its top carries a tag that changes with every operation. A thread that was held up between
 * reading the top and replacing it fails in the exchange, even when the same chunk has come back to
 * the top meanwhile. */
#include "chunk_pool.h"

#define HELD UINT32_MAX /* in place of a link */

static uint64_t tagged(uint64_t previous_top, uint32_t index_plus_1)
{
    return ((previous_top >> 32) + 1) << 32 | index_plus_1;
}

void ludus_chunk_pool_init(struct ludus_chunk_pool *pool, struct ludus_chunk *chunks,
                           _Atomic uint32_t *links, uint32_t capacity)
{
    pool->chunks = chunks;
    pool->links = links;
    pool->capacity = capacity;
}

void ludus_chunk_pool_empty(struct ludus_chunk_pool *pool)
{
    uint64_t top = atomic_load_explicit(&pool->top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&pool->top, &top, tagged(top, 0),
                                                  memory_order_acquire, memory_order_relaxed))
        ;
    atomic_store_explicit(&pool->free_count, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < pool->capacity; i++)
        atomic_store_explicit(&pool->links[i], 0, memory_order_relaxed);
}

void ludus_chunk_pool_hold(struct ludus_chunk_pool *pool, const struct ludus_chunk *chunk)
{
    atomic_store_explicit(&pool->links[chunk - pool->chunks], HELD, memory_order_relaxed);
}

bool ludus_chunk_pool_is_held(const struct ludus_chunk_pool *pool, uint32_t index)
{
    return atomic_load_explicit(&pool->links[index], memory_order_relaxed) == HELD;
}

void ludus_chunk_pool_fill(struct ludus_chunk_pool *pool, uint32_t used)
{
    uint32_t below = 0;
    uint32_t count = 0;
    for (uint32_t i = used; i-- > 0;) {
        if (ludus_chunk_pool_is_held(pool, i))
            continue;
        atomic_store_explicit(&pool->links[i], below, memory_order_relaxed);
        below = i + 1;
        count++;
    }
    atomic_store_explicit(&pool->used, used, memory_order_relaxed);
    atomic_store_explicit(&pool->free_count, count, memory_order_relaxed);
    /* The release makes the links, and what the caller did with the memory, visible to those who
     * take. */
    const uint64_t top = atomic_load_explicit(&pool->top, memory_order_relaxed);
    atomic_store_explicit(&pool->top, tagged(top, below), memory_order_release);
}

struct ludus_chunk *ludus_chunk_pool_take(struct ludus_chunk_pool *pool)
{
    /* The acquire pairs with the release of the put: who gave the chunk back is done with it. The
     * exchanges of other threads in between keep that order, for they are read-modify-writes. The
     * release tells those who empty the pool what the taker did before. */
    uint64_t top = atomic_load_explicit(&pool->top, memory_order_acquire);
    uint32_t index_plus_1;
    uint32_t below;
    do {
        index_plus_1 = (uint32_t)top;
        if (index_plus_1 == 0)
            return NULL;
        below = atomic_load_explicit(&pool->links[index_plus_1 - 1], memory_order_relaxed);
    } while (!atomic_compare_exchange_weak_explicit(&pool->top, &top, tagged(top, below),
                                                    memory_order_acq_rel, memory_order_acquire));
    atomic_fetch_sub_explicit(&pool->free_count, 1, memory_order_relaxed);
    struct ludus_chunk *chunk = &pool->chunks[index_plus_1 - 1];
    atomic_store_explicit(&chunk->next, NULL, memory_order_relaxed);
    chunk->count = 0;
    return chunk;
}

void ludus_chunk_pool_put(struct ludus_chunk_pool *pool, struct ludus_chunk *chunk)
{
    const uint32_t index = (uint32_t)(chunk - pool->chunks);
    if (index >= atomic_load_explicit(&pool->used, memory_order_relaxed))
        return; /* kept by its thread from a recording with more memory */
    uint64_t top = atomic_load_explicit(&pool->top, memory_order_relaxed);
    do {
        atomic_store_explicit(&pool->links[index], (uint32_t)top, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak_explicit(&pool->top, &top, tagged(top, index + 1),
                                                    memory_order_release, memory_order_relaxed));
    atomic_fetch_add_explicit(&pool->free_count, 1, memory_order_relaxed);
}
