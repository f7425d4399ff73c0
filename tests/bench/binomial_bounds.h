/* What a count of yes among so many answers says of how likely a yes is. */
#ifndef BINOMIAL_BOUNDS_H
#define BINOMIAL_BOUNDS_H

#include <stdint.h>

/* The exact (Clopper and Pearson, 1934) one-sided bound: likelier than this it is with a confidence
 * of 5 % only. `count` is at most `of`, which is not 0. */
double binomial_upper(uint32_t count, uint32_t of);

/* The same from below. */
double binomial_lower(uint32_t count, uint32_t of);

#endif
