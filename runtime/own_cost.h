/* What recording costs on this machine, measured with the recorder's own calls. */
#ifndef LUDUS_OWN_COST_H
#define LUDUS_OWN_COST_H

#include <stdint.h>

/* Picoseconds. */
struct ludus_own_cost {
    uint32_t scope_ps; /* a scope, begin and end */
    uint32_t inner_ps; /* the part between the two readings of the clock: it is in the slice */
};

/* Times the hot path on a track that belongs to no recording. Takes less than a millisecond. The
 * clock has been chosen, and nothing is admitted yet. */
struct ludus_own_cost ludus_own_cost_measure(void);

#endif
