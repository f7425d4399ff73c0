/* What became of the slots of a batch: an outcome, a duration and a time for each pair of them. */
#ifndef LUDUS_GPU_RESULTS_H
#define LUDUS_GPU_RESULTS_H

#include "gpu_session.h"

#define LUDUS_GPU_MOST_RESULTS (LUDUS_GPU_FRAME_OPERATIONS + 1)

struct ludus_gpu_result {
    uint32_t outcome;
    uint64_t duration_ns;
    bool is_mapped;
    int64_t begin_ns; /* when it is mapped */
};

/* All that a batch tells: the frame's result first, when it has one, then its operations'. */
struct ludus_gpu_results {
    uint32_t frames; /* 0 or 1 */
    uint32_t count;
    uint32_t mapping; /* of the batch; 0: there is none */
    uint64_t collect_tick;
    int64_t collect_ns;
    uint64_t residual_ns; /* of both, submission and collection */
    struct ludus_gpu_result of[LUDUS_GPU_MOST_RESULTS];
};

/* Makes room for a batch's results, which are collected now. */
void ludus_gpu_results_open(struct ludus_gpu_results *results,
                            const struct ludus_gpu_session *session,
                            const struct ludus_gpu_batch *batch);

/* All of them have the same outcome. */
void ludus_gpu_results_set(struct ludus_gpu_results *results, enum ludus_gpu_outcome outcome);

/* Whether everything is there that can still come. `readings` has a pair for each result. */
bool ludus_gpu_results_are_there(const struct ludus_gpu_results *results,
                                 const struct ludus_gpu_batch *batch,
                                 const struct ludus_gpu_reading *readings);

/* Judges every pair, and maps what is valid. */
void ludus_gpu_results_judge(struct ludus_gpu_results *results,
                             const struct ludus_gpu_session *session,
                             const struct ludus_gpu_batch *batch,
                             const struct ludus_gpu_reading *readings);

#endif
