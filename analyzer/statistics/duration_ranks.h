/* Exact percentiles of durations, of many subjects at once, in memory that does not grow with their
 * number. The first pass counts durations in bins, the next ones look into the bins that hold the
 * ranks; two passes do, but where thousands of durations share such a bin. Those of a subject that
 * is known to have few are kept and sorted in the first. Each pass must bring the same durations,
 * in any order. Private to the analyzer. */
#ifndef TRACE_DURATION_RANKS_H
#define TRACE_DURATION_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_duration_rank {
    TRACE_DURATION_MIN,
    TRACE_DURATION_P50,
    TRACE_DURATION_P90,
    TRACE_DURATION_P95,
    TRACE_DURATION_P99,
    TRACE_DURATION_P999,
    TRACE_DURATION_MAX
};
#define TRACE_DURATION_RANKS 7

/* A duration that was measured; of several that are equal the one that began first. */
struct trace_duration_sample {
    int64_t duration_ns; /* not negative */
    int64_t begin_ns;
    uint32_t track;
    uint32_t frame; /* index, or TRACE_NONE */
};

struct trace_duration_ranks {
    uint64_t count;
    struct trace_duration_sample ranks[TRACE_DURATION_RANKS]; /* zeros when there are none */
};

/* All zero before it is created. */
struct trace_rank_search {
    struct trace_ranked_subject *subjects;
    uint32_t count;
    bool is_first; /* pass */
};

/* What a subject takes at most. */
#define TRACE_RANK_SUBJECT_BYTES ((size_t)180 << 10)

/* What one of so many durations takes. */
size_t trace_rank_subject_bytes(uint64_t durations);

/* `counts` tells how many durations each subject has; NULL: it is not known. False when there is no
 * memory; release it all the same. */
bool trace_rank_search_create(struct trace_rank_search *search, uint32_t subjects,
                              const uint64_t *counts);
void trace_rank_search_destroy(struct trace_rank_search *search);

/* A duration of this pass. */
void trace_rank_search_add(struct trace_rank_search *search, uint32_t subject,
                           const struct trace_duration_sample *sample);

/* A pass ends; sets whether all is known: otherwise another one is needed. False when there is no
 * memory. */
bool trace_rank_search_end(struct trace_rank_search *search, bool *is_known);

/* When all is known. */
struct trace_duration_ranks trace_rank_search_found(const struct trace_rank_search *search,
                                                    uint32_t subject);

#endif
