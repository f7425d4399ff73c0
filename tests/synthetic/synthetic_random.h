/* Random numbers that are the same everywhere: xorshift64*, fast rather than good. */
#ifndef SYNTHETIC_RANDOM_H
#define SYNTHETIC_RANDOM_H

#include <stdint.h>

struct synthetic_random {
    uint64_t state; /* never 0 */
};

/* Streams of one seed differ by their number. */
static inline struct synthetic_random synthetic_random_start(uint64_t seed, uint64_t stream)
{
    uint64_t mixed = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15) + stream;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94D049BB133111EB);
    mixed ^= mixed >> 31;
    return (struct synthetic_random){mixed != 0 ? mixed : 1};
}

static inline uint64_t synthetic_random_next(struct synthetic_random *random)
{
    uint64_t state = random->state;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    random->state = state;
    return state * UINT64_C(0x2545F4914F6CDD1D);
}

/* Below `count`, which is not 0. */
static inline uint32_t synthetic_random_below(struct synthetic_random *random, uint32_t count)
{
    return (uint32_t)(((synthetic_random_next(random) >> 32) * count) >> 32);
}

/* The same, where each eighth holds a half of what is drawn: the first ones are far more frequent.
 */
static inline uint32_t synthetic_random_early(struct synthetic_random *random, uint32_t count)
{
    uint64_t drawn = synthetic_random_next(random) >> 32;
    uint64_t squared = (drawn * drawn) >> 32;
    uint64_t cubed = (squared * drawn) >> 32;
    return (uint32_t)((cubed * count) >> 32);
}

#endif
