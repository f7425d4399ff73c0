/* How a recording's memory budget is divided, and the mapping that threads write into. */
#ifndef LUDUS_MEMORY_PLAN_H
#define LUDUS_MEMORY_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/recorder.h>

#include "track.h"

#define LUDUS_MIN_CHUNKS 8u

struct ludus_memory_plan {
    uint64_t total_bytes; /* of all parts, which is at most the budget */
    uint32_t max_sites;
    uint32_t max_threads;
    uint32_t max_names;
    uint32_t max_counters;
    uint32_t chunk_count;
    uint32_t max_events;   /* of one events block */
    uint64_t window_bytes; /* 0: none */
    bool has_gpu;          /* there is room for GPU samples */
    uint64_t block_bytes;  /* of the largest block */
};

/* Errors: ARGUMENT (the value is out of the range; the message names it). */
LUDUS_CHECKED enum ludus_status ludus_check_range(const char *name, uint64_t value, uint64_t least,
                                                  uint64_t most, struct ludus_error *error);

/* Replaces zeros of `config` by defaults, but for the four limits (max_...), and checks its ranges.
 * Errors: ARGUMENT. */
LUDUS_CHECKED enum ludus_status ludus_config_complete(struct ludus_recorder_config *config,
                                                      struct ludus_error *error);

/* Divides the budget of a complete `config`. Limits of 0 get their defaults, or what a small budget
 * has room for. The registry and the interner have room for so many
 * sites and names already. Errors: ARGUMENT (it does not fit; the message names the smallest budget
 * that does). */
LUDUS_CHECKED enum ludus_status ludus_memory_plan_make(const struct ludus_recorder_config *config,
                                                       uint32_t registered_sites,
                                                       uint32_t interned_names,
                                                       struct ludus_memory_plan *plan,
                                                       struct ludus_error *error);

/* What the encoder is to be created with. */
struct lcap_encoder_config ludus_memory_plan_encoder(const struct ludus_memory_plan *plan,
                                                     int32_t compression_level);

/* Makes `region` large enough for the plan: keeps it, or replaces it by a new mapping at least as
 * large. (The old one stays mapped: threads may still hold something of it.) Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status ludus_region_reserve(struct ludus_region *region,
                                                     const struct ludus_memory_plan *plan,
                                                     struct ludus_error *error);

/* Brings the pages of the first `chunk_count` chunks into memory, but for those that the region's
 * pool says are held. */
void ludus_region_touch(const struct ludus_region *region, uint32_t chunk_count);

/* Gives the pages of chunks that are not held back to the system. */
void ludus_region_give_back(const struct ludus_region *region);

#endif
