/* Where GPU samples count: in the frame of the chosen domain in which their work was submitted, and
 * in the windows that have it. Private to the analyzer. */
#ifndef TRACE_GPU_PLACES_H
#define TRACE_GPU_PLACES_H

#include "pass_plan.h"

/* Where one sample counts. */
struct trace_gpu_place {
    uint32_t frame;   /* index in the chosen domain, complete or not; or TRACE_NONE */
    uint32_t windows; /* bit w: it counts in window w */
    uint32_t outside; /* bit w: it was submitted in window w, and in none of its complete frames */
};

struct trace_gpu_places {
    const struct trace_model *model;
    const struct trace_pass_plan *plan;
    uint32_t with_frames; /* bit w: window w has complete frames, and what was submitted in them
                             counts; of one without, all that was submitted in it */
    int64_t last_ns;      /* was looked up last, */
    struct trace_gpu_place last; /* and found to be here */
    bool has_last;
};

/* `model` and `plan` must outlive it. */
struct trace_gpu_places trace_gpu_places_of(const struct trace_model *model,
                                            const struct trace_pass_plan *plan);

/* What was submitted before the part of a recording that a capture holds counts nowhere. */
struct trace_gpu_place trace_gpu_place_at(struct trace_gpu_places *places, int64_t submit_ns);

static inline bool trace_gpu_has_frames(const struct trace_gpu_places *places, uint32_t window)
{
    return (places->with_frames >> window & 1u) != 0;
}

#endif
