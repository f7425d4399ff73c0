/* A bin of frames in the order of time. */
#include "frame_bin.h"

void trace_frame_bin_add(struct trace_frame_bin *bin, const struct trace_timed_frame *frame,
                         int64_t limit_ns)
{
    if (bin->frames++ == 0)
        *bin = (struct trace_frame_bin){.first = frame->number,
                                        .longest = frame->number,
                                        .frames = 1,
                                        .begin_ns = frame->begin_ns,
                                        .min_ns = frame->duration_ns,
                                        .max_ns = frame->duration_ns};
    bin->last = frame->number;
    if (frame->duration_ns < bin->min_ns)
        bin->min_ns = frame->duration_ns;
    if (frame->duration_ns > bin->max_ns) {
        bin->max_ns = frame->duration_ns;
        bin->longest = frame->number;
    }
    bin->over += frame->duration_ns > limit_ns;
}

void trace_frame_bin_put(struct trace_report *report, const struct trace_frame_bin *bin,
                         bool has_limit)
{
    trace_report_integer(report, (int64_t)bin->first);
    trace_report_integer(report, (int64_t)bin->last);
    trace_report_integer(report, bin->frames);
    trace_report_integer(report, bin->begin_ns);
    trace_report_integer(report, bin->min_ns);
    trace_report_integer(report, bin->max_ns);
    trace_report_integer(report, (int64_t)bin->longest);
    if (has_limit)
        trace_report_integer(report, bin->over);
    else
        trace_report_null(report);
}
