/* The summarize report in the making, and who puts which table into it. Private to the analyzer. */
#ifndef TRACE_SUMMARIZE_H
#define TRACE_SUMMARIZE_H

#include "flow_delays.h"
#include "frame_percentiles.h"
#include "report.h"
#include "selection.h"
#include "subject_totals.h"

/* The tables, in the order of the report. */
enum trace_summary_table {
    TRACE_SUMMARY_SESSION,
    TRACE_SUMMARY_FRAMES,
    TRACE_SUMMARY_GPU,
    TRACE_SUMMARY_GPU_PASSES,
    TRACE_SUMMARY_GPU_OVERLAP,
    TRACE_SUMMARY_GPU_COVERAGE,
    TRACE_SUMMARY_GPU_CALIBRATIONS,
    TRACE_SUMMARY_SITES,
    TRACE_SUMMARY_PERCENTILES,
    TRACE_SUMMARY_PATHS,
    TRACE_SUMMARY_CATEGORIES,
    TRACE_SUMMARY_UNIONS,
    TRACE_SUMMARY_COUNTERS,
    TRACE_SUMMARY_GAUGES,
    TRACE_SUMMARY_MARKS,
    TRACE_SUMMARY_FLOWS,
    TRACE_SUMMARY_TRACKS,
    TRACE_SUMMARY_RUNNING,
    TRACE_SUMMARY_MACHINE,
    TRACE_SUMMARY_WINDOWS,
    TRACE_SUMMARY_LOSSES,
    TRACE_SUMMARY_TABLES
};

struct trace_summary {
    struct trace_report *report;
    struct trace_input *input;
    const struct trace_model *model; /* with the statistics of chosen.plan */
    const struct trace_summarize_options *options;
    struct trace_chosen chosen;
    uint32_t windows;                  /* how many: chosen.plan.windows.count */
    struct trace_flow_delays flows;    /* when they were asked for */
    uint32_t parts[TRACE_MAX_WINDOWS]; /* trace_choose_parts */
    struct trace_frame_percentiles frames[TRACE_MAX_WINDOWS]; /* of the plan's domain, by window */
};

/* Words that columns and notes have in common. */
#define TRACE_SUMMARY_WINDOW                                                                       \
    "what begins in the window's complete frames, or in all of the window when it has none: part"
#define TRACE_SUMMARY_FRAME_WINDOW "the complete frames that lie in the window"
#define TRACE_SUMMARY_PER_FRAME    "complete frames of the chosen domain in the window"

/* Puts the window's name, the first cell of a row. */
void trace_put_window(struct trace_summary *summary, uint32_t window);

/* Puts the number of a frame of the chosen domain, whose index may be TRACE_NONE: null. */
void trace_put_frame_number(struct trace_summary *summary, uint32_t frame);

/* How many of `count` subjects are listed, when `screenful` rows of them fit on a screen. */
static inline uint32_t trace_summary_shown(const struct trace_summary *summary, uint32_t count,
                                           uint32_t screenful)
{
    uint32_t top = summary->options->top;
    if (top == TRACE_TOP_SCREEN)
        top = screenful < 2 * summary->windows ? 2 : screenful / summary->windows;
    return top == 0 || top > count ? count : top;
}

/* Frame times of each domain, a row for each window; fills summary->frames. */
#define TRACE_SUMMARY_FRAME_COLUMNS 21
extern const struct trace_column trace_summary_frame_columns[TRACE_SUMMARY_FRAME_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_frames(struct trace_summary *summary,
                                                       struct ludus_error *error);

/* GPU times of whole frames, a row for each queue and window, behind trace_summarize_frames;
 * nothing when the capture has no GPU samples. */
#define TRACE_SUMMARY_GPU_COLUMNS 19
extern const struct trace_column trace_summary_gpu_columns[TRACE_SUMMARY_GPU_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_gpu(struct trace_summary *summary,
                                                    struct ludus_error *error);

/* GPU passes, how much they overlap, what was measured of all that there was, and calibrations. */
#define TRACE_SUMMARY_GPU_PASS_COLUMNS        27
#define TRACE_SUMMARY_GPU_OVERLAP_COLUMNS     11
#define TRACE_SUMMARY_GPU_CALIBRATION_COLUMNS 5
extern const struct trace_column trace_summary_gpu_pass_columns[TRACE_SUMMARY_GPU_PASS_COLUMNS];
extern const struct trace_column
    trace_summary_gpu_overlap_columns[TRACE_SUMMARY_GPU_OVERLAP_COLUMNS];
extern const struct trace_column
    trace_summary_gpu_calibration_columns[TRACE_SUMMARY_GPU_CALIBRATION_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_gpu_passes(struct trace_summary *summary,
                                                           struct ludus_error *error);

/* Which samples a row of both is of. */
#define TRACE_SUMMARY_GPU_PART                                                                     \
    TRACE_TEXT_COLUMN("part", "part",                                                              \
                      .description = "frames: of what was submitted in the window's complete "     \
                                     "frames; all: it has none, and of what was submitted in it.", \
                      .is_left_out_when_same = true)

/* Sites, paths or categories. */
#define TRACE_SUMMARY_SITE_COLUMNS     22
#define TRACE_SUMMARY_PATH_COLUMNS     24
#define TRACE_SUMMARY_CATEGORY_COLUMNS 19
extern const struct trace_column trace_summary_site_columns[TRACE_SUMMARY_SITE_COLUMNS];
extern const struct trace_column trace_summary_path_columns[TRACE_SUMMARY_PATH_COLUMNS];
extern const struct trace_column trace_summary_category_columns[TRACE_SUMMARY_CATEGORY_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_subjects(struct trace_summary *summary,
                                                         enum trace_subject_kind kind,
                                                         struct ludus_error *error);

/* How long the slices of these sites were. */
#define TRACE_SUMMARY_PERCENTILE_COLUMNS 25
extern const struct trace_column trace_summary_percentile_columns[TRACE_SUMMARY_PERCENTILE_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_percentiles(struct trace_summary *summary,
                                                            const uint32_t *sites, uint32_t count,
                                                            struct ludus_error *error);

/* How much ran at the same time: summarize_subjects.h. */
#define TRACE_SUMMARY_UNION_COLUMNS 13
extern const struct trace_column trace_summary_union_columns[TRACE_SUMMARY_UNION_COLUMNS];

/* Counters and gauges, or marks, by their names. */
#define TRACE_SUMMARY_COUNTER_COLUMNS 12
#define TRACE_SUMMARY_GAUGE_COLUMNS   9
#define TRACE_SUMMARY_MARK_COLUMNS    8
extern const struct trace_column trace_summary_counter_columns[TRACE_SUMMARY_COUNTER_COLUMNS];
extern const struct trace_column trace_summary_gauge_columns[TRACE_SUMMARY_GAUGE_COLUMNS];
extern const struct trace_column trace_summary_mark_columns[TRACE_SUMMARY_MARK_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_values(struct trace_summary *summary, bool is_marks,
                                                       struct ludus_error *error);

/* Flows by the site that they left from. */
#define TRACE_SUMMARY_FLOW_COLUMNS 15
extern const struct trace_column trace_summary_flow_columns[TRACE_SUMMARY_FLOW_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_flows(struct trace_summary *summary,
                                                      struct ludus_error *error);

/* Tracks: what of their frames scopes cover, and, by track, what was work. */
#define TRACE_SUMMARY_TRACK_COLUMNS 18
extern const struct trace_column trace_summary_track_columns[TRACE_SUMMARY_TRACK_COLUMNS];
LUDUS_CHECKED enum ludus_status trace_summarize_tracks(struct trace_summary *summary,
                                                       struct ludus_error *error);

/* What each window is, inside and outside of its frames. */
#define TRACE_SUMMARY_WINDOW_COLUMNS 10
extern const struct trace_column trace_summary_window_columns[TRACE_SUMMARY_WINDOW_COLUMNS];
void trace_summarize_windows(struct trace_summary *summary);

#endif
