/* What a block holds, or a number of blocks. */
#ifndef LUDUS_TALLY_H
#define LUDUS_TALLY_H

#include "lcap_records.h"

struct ludus_tally {
    struct lcap_counts counts; /* recorded */
    struct lcap_counts dropped;
    uint64_t ends; /* of scopes */
    uint64_t gpu_frames;
    uint64_t gpu_passes;
};

static inline void ludus_tally_add(struct ludus_tally *sum, const struct ludus_tally *more)
{
    lcap_counts_add(&sum->counts, &more->counts);
    lcap_counts_add(&sum->dropped, &more->dropped);
    sum->ends += more->ends;
    sum->gpu_frames += more->gpu_frames;
    sum->gpu_passes += more->gpu_passes;
}

#endif
