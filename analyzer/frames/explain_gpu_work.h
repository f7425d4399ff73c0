/* What GPUs worked on while a frame lasted, for the report "explain". A frame waits for the work of
 * earlier ones: what it submitted itself says nothing of that. Private to the explain_ files. */
#ifndef TRACE_EXPLAIN_GPU_WORK_H
#define TRACE_EXPLAIN_GPU_WORK_H

#include "report_explain.h"

struct trace_gpu_work_row {
    struct trace_gpu_pass pass;
    const struct trace_site *site;
    int64_t in_frame_ns;
    uint32_t order; /* in which it was shown */
};

/* All zero: no pass. */
struct trace_explain_gpu_work {
    struct trace_gpu_work_row *rows;
    uint32_t count;
    bool is_cut;
};

/* Takes a pass of a track that counts, when it ran in the frame. False when there is no memory. */
bool trace_explain_gpu_work_take(struct trace_explain_gpu_work *work,
                                 const struct trace_explain *explain,
                                 const struct trace_gpu_pass *pass);

/* Puts the rows, those that took most of the frame first. */
void trace_explain_gpu_work_put(struct trace_explain_gpu_work *work,
                                const struct trace_explain *explain);

void trace_explain_gpu_work_destroy(struct trace_explain_gpu_work *work);

#endif
