/* What GPU samples add up to while a pass shows them, by subject and window: counts and sums.
 * docs/numbers.md, "GPU times", defines every value. Private to the analyzer. */
#ifndef TRACE_GPU_TOTALS_H
#define TRACE_GPU_TOTALS_H

#include "gpu_places.h"
#include "visitor.h"

enum trace_gpu_kind {
    TRACE_GPU_FRAMES,       /* of a queue */
    TRACE_GPU_PASSES,       /* of a site on a queue that are the same operation */
    TRACE_GPU_QUEUE_PASSES, /* all of a queue */
    TRACE_GPU_ALL_PASSES    /* of all queues that count */
};

/* Samples that count in a window. Those that are not valid are in no sum but their own. */
struct trace_gpu_sums {
    uint64_t valid;
    uint64_t not_valid;
    uint64_t outside;    /* of either: submitted in the window, and in none of its frames */
    uint64_t logical;    /* of valid passes: passes of the program that share their durations */
    uint64_t calibrated; /* of valid ones: when they began is known */
    int64_t sum_ns;
    int64_t min_ns, max_ns;       /* of the valid ones; 0 when there is none */
    int64_t calibrated_ns;        /* of the calibrated ones */
    uint64_t frames;              /* of all passes of a queue: submitted frames with a valid one */
    uint64_t calibrated_frames;   /* likewise, with a calibrated one */
    uint32_t most_uncertainty_ns; /* of the calibrated ones */
};

struct trace_gpu_subject {
    enum trace_gpu_kind kind;
    uint32_t track;              /* index; of ALL_PASSES: TRACE_NONE */
    uint32_t site;               /* index; of PASSES only: otherwise TRACE_NONE */
    uint32_t operation;          /* of PASSES: enum lcap_gpu_operation, 0: not known */
    struct trace_gpu_sums *sums; /* by window */
};

/* The calibrations of a queue, in all of the capture. */
#define TRACE_GPU_MAPPINGS 8u /* enum lcap_gpu_mapping; 0: one that is not known */
struct trace_gpu_readings {
    uint32_t track;
    uint64_t counts[TRACE_GPU_MAPPINGS];
    uint32_t most_uncertainty_ns[TRACE_GPU_MAPPINGS];
};

struct trace_gpu_totals {
    const struct trace_pass_plan *plan;
    struct trace_gpu_places places;
    uint32_t windows; /* how many */
    struct trace_gpu_subject *subjects;
    uint32_t count;
    uint32_t *table; /* by key: index of a subject plus one; or 0 */
    uint32_t table_size;
    struct trace_gpu_run *runs; /* by track */
    uint32_t run_count;
    struct trace_gpu_readings *readings; /* of queues that have some */
    uint32_t reading_count;
};

/* `model` and `plan` must outlive it. False when there is no memory; destroy it all the same. */
bool trace_gpu_totals_create(struct trace_gpu_totals *totals, const struct trace_model *model,
                             const struct trace_pass_plan *plan);
void trace_gpu_totals_destroy(struct trace_gpu_totals *totals);

/* Adds up the frames that it is shown, or passes and calibrations too. Its functions return MEMORY
 * without a message. */
struct trace_visitor trace_gpu_totals_visitor(struct trace_gpu_totals *totals, bool has_passes);

/* Makes the model's gpu_stats of what was added up. False when there is no memory. */
bool trace_gpu_totals_fill(const struct trace_gpu_totals *totals, struct trace_model *model);

/* The index of a subject, or TRACE_NONE. */
uint32_t trace_gpu_find(const struct trace_gpu_totals *totals, enum trace_gpu_kind kind,
                        uint32_t track, uint32_t site, uint32_t operation);

/* Those of one pass: it counts for three subjects, each of which may be TRACE_NONE. */
struct trace_gpu_pass_subjects {
    uint32_t index[3]; /* PASSES, QUEUE_PASSES, ALL_PASSES */
};
struct trace_gpu_pass_subjects trace_gpu_subjects_of(const struct trace_gpu_totals *totals,
                                                     const struct trace_gpu_pass *pass);

#endif
