/* The recorder's chunk pool, linked in place of the library's, in which a test can hold up a thread
 * at the one place that matters: it has taken a chunk from the stack and not yet touched it. */
#include <stdatomic.h>

#include "held_chunk_pool.h"

/* The pool subtracts from nothing but its count of free chunks, and that right behind the exchange
 * by which a thread takes a chunk. */
#undef atomic_fetch_sub_explicit
#define atomic_fetch_sub_explicit(object, operand, order)                                          \
    (held_pool_wait(), atomic_fetch_add_explicit((object), 0u - (operand), (order)))

#include "../../runtime/chunk_pool.c"
