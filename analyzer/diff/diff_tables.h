/* The tables of the diff report, each put by itself. Private to the analyzer. */
#ifndef TRACE_DIFF_TABLES_H
#define TRACE_DIFF_TABLES_H

#include "diff.h"
#include "report.h"
#include "text_buffer.h"

enum {
    TRACE_DIFF_CHANGES,
    TRACE_DIFF_BUDGETS,
    TRACE_DIFF_REMARKS,
    TRACE_DIFF_FRAMES,
    TRACE_DIFF_HITCHES,
    TRACE_DIFF_SCOPES,
    TRACE_DIFF_WORK,
    TRACE_DIFF_WAITING,
    TRACE_DIFF_GPU,
    TRACE_DIFF_UNPAIRED,
    TRACE_DIFF_COUNTERS,
    TRACE_DIFF_RUNS,
    TRACE_DIFF_VERDICT,
    TRACE_DIFF_TABLES
};

/* The making of a report. */
struct trace_diff_report {
    struct trace_report *report;
    const struct trace_diff *diff;
    uint32_t top; /* rows of each table of scopes; 0: all */
};

void trace_diff_put_changes(const struct trace_diff_report *maker);
void trace_diff_put_budgets(const struct trace_diff_report *maker);
void trace_diff_put_frames(const struct trace_diff_report *maker); /* and hitches */
void trace_diff_put_scopes(const struct trace_diff_report *maker); /* scopes, work, waiting, GPU */
void trace_diff_put_counters(const struct trace_diff_report *maker);
void trace_diff_put_unpaired(const struct trace_diff_report *maker);
void trace_diff_put_runs(const struct trace_diff_report *maker);

/* The verdict in a line. */
void trace_append_summary(struct trace_text_buffer *text, const struct trace_diff *diff);

/* --- cells ------------------------------------------------------------------------------------ */

/* A text, which is released; null when it is empty. */
void trace_diff_put_text(struct trace_report *report, struct trace_text_buffer *text);

/* The word for a finding; null of what is not judged. */
void trace_diff_put_finding(struct trace_report *report, enum trace_finding finding);

/* A number; null when it is not finite. */
void trace_diff_put_finite(struct trace_report *report, double value);

/* The change in percent of the base; null when that is 0. */
void trace_diff_put_percent(struct trace_report *report, double base, double candidate);

/* Both bounds of a change, and its p-value; null where it was not tested. */
void trace_diff_put_bounds(struct trace_report *report, const struct trace_judged *judged);
void trace_diff_put_p(struct trace_report *report, const struct trace_judged *judged);
void trace_diff_put_evidence(struct trace_report *report, const struct trace_judged *judged);

/* Which part of the change of the mean frame a change of a scope is; null where that does not
 * count, or the scope is not on the track that marks frames. */
void trace_diff_put_explained(const struct trace_diff_report *maker, bool is_of_frame,
                              double change_ns);

/* The lines on which a side has a key, "12, 40". */
void trace_diff_put_lines(struct trace_report *report, const struct trace_scope_keys *keys,
                          uint32_t key, enum trace_side side);

#endif
