/* Numbers at random, the same ones each time: SplitMix64 (Steele, Lea and Flood, 2014). */
#ifndef SIMULATED_RANDOM_H
#define SIMULATED_RANDOM_H

#include <stdint.h>

struct simulated_random {
    uint64_t state; /* whatever the seed is */
};
uint64_t simulated_draw(struct simulated_random *random);
uint32_t simulated_below(struct simulated_random *random, uint32_t bound); /* which is not 0 */
double simulated_uniform(struct simulated_random *random);                 /* above 0, below 1 */

/* All of mean 0 and variance 1. The quick one is near to normal, the sum of four even draws of 16
 * bits, for what is drawn by frame and scope, of which sums go into each figure. The heavy one is
 * of Student's distribution with 3 degrees of freedom. */
double simulated_normal(struct simulated_random *random);
double simulated_quick_normal(struct simulated_random *random);
double simulated_heavy_normal(struct simulated_random *random);

/* Of Poisson's distribution; takes as long as it is great. */
uint32_t simulated_count(struct simulated_random *random, double mean);

#endif
