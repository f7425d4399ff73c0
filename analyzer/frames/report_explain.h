/* The making of the report "explain", by two files. Private to them. */
#ifndef TRACE_REPORT_EXPLAIN_H
#define TRACE_REPORT_EXPLAIN_H

#include "explain_tracks.h"
#include "frame_chain.h"
#include "frame_excess.h"
#include "report.h"

/* Its tables, by index. */
enum trace_explain_table {
    TRACE_EXPLAIN_FRAME,
    TRACE_EXPLAIN_SCOPES,
    TRACE_EXPLAIN_TRACKS,
    TRACE_EXPLAIN_CHAIN,
    TRACE_EXPLAIN_GPU_FRAMES,
    TRACE_EXPLAIN_GPU_PASSES,
    TRACE_EXPLAIN_GPU_WORK,
    TRACE_EXPLAIN_VALUES,
    TRACE_EXPLAIN_MARKS,
    TRACE_EXPLAIN_OVERLAP,
    TRACE_EXPLAIN_LOSSES,
    TRACE_EXPLAIN_DIAGNOSTICS
};

struct trace_explain {
    struct trace_report *report;
    struct trace_input *input;
    const struct trace_model *model;
    const struct trace_explain_options *options;
    struct trace_chosen chosen;
    struct trace_frame_list list;
    uint32_t column; /* of the frame */
    uint32_t track;  /* that set its mark, or TRACE_NONE */
    struct trace_frame_running running;
    struct trace_frame_scopes scopes;
    struct trace_frame_moments moments;
    struct trace_frame_chain chain;
    struct trace_excess excess[TRACE_FRAME_SITES];
};

/* Tables of what happened in the frame. False when there is no memory. */
bool trace_explain_put_tracks(const struct trace_explain *explain);
void trace_explain_put_chain(const struct trace_explain *explain);
void trace_explain_put_values(const struct trace_explain *explain);
void trace_explain_put_marks(const struct trace_explain *explain);

/* What was submitted to GPUs in the frame. Errors: MEMORY, those of trace_input_run_gpu. */
LUDUS_CHECKED enum ludus_status trace_explain_put_gpu(const struct trace_explain *explain,
                                                      struct ludus_error *error);

#endif
