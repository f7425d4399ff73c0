/* Looks at the GPU samples of an input: the totals of all, and for some subjects percentiles and
 * unions of times. Private to the analyzer.
 *
 * One look at the samples finds the subjects and adds up (gpu_totals.h); more of them, for some of
 * the subjects, find the percentiles and the unions, in memory that does not grow with the number
 * of samples. */
#ifndef TRACE_GPU_MEASURE_H
#define TRACE_GPU_MEASURE_H

#include "duration_ranks.h"
#include "gpu_totals.h"
#include "selection.h"

/* The window of what they are, for columns. */
#define TRACE_GPU_WINDOW                                                                           \
    "GPU work submitted in the window's complete frames, or in all of the window when it has "     \
    "none: part"

/* Looks at frames, or at passes and calibrations too. `model` is the input's; it and `plan` must
 * outlive the totals. Errors: MEMORY, those of trace_input_run_gpu. Destroy it all the same. */
LUDUS_CHECKED enum ludus_status trace_gpu_look(struct trace_input *input,
                                               const struct trace_model *model,
                                               const struct trace_pass_plan *plan, bool has_passes,
                                               struct trace_gpu_totals *totals,
                                               struct ludus_error *error);

/* Of a subject in a window; begins of samples are when they were submitted, and frames those of the
 * chosen domain in which that was. */
struct trace_gpu_measure {
    struct trace_duration_ranks ranks; /* of the valid ones */
    int64_t union_ns; /* the time in which at least one of the calibrated ones ran */
};

#define TRACE_GPU_BUDGET_BYTES ((size_t)32 << 20)

/* Fills measures[i * windows + window] for the subjects whose indexes are given. What needs more
 * than `budget_bytes` at once is done in rounds. Errors: as above. */
LUDUS_CHECKED enum ludus_status
trace_gpu_measure(struct trace_input *input, struct trace_gpu_totals *totals,
                  const uint32_t *subjects, uint32_t count, size_t budget_bytes,
                  struct trace_gpu_measure *measures, struct ludus_error *error);

#endif
