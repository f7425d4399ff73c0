/* The test's side of the chunk pool that can hold a thread up. */
#ifndef HELD_CHUNK_POOL_H
#define HELD_CHUNK_POOL_H

/* Called by a thread that has taken a chunk out of the stack; returns when it may go on. */
void held_pool_wait(void);

#endif
