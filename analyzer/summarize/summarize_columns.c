/* The columns of sites, paths and categories. */
#include "column_kinds.h"
#include "report_parts.h"
#include "summarize.h"

#define PER_CALL "Null where times are split (--attribute clip): a piece is no call."

/* Sums, the same for all of them. Where there are no frames, people see totals in their place. */
#define SUM_COLUMNS                                                                                \
    TRACE_COUNT_COLUMN("calls", "calls", .window = TRACE_SUMMARY_WINDOW,                           \
                       .description = "Slices that begin there, on all tracks.",                   \
                       .stands_in_for = "calls_per_frame"),                                        \
        {.name = "calls_per_frame",                                                                \
         .title = "calls/frame",                                                                   \
         .type = TRACE_TYPE_REAL,                                                                  \
         .unit = TRACE_UNIT_PER_FRAME,                                                             \
         .decimals = 2,                                                                            \
         .window = TRACE_SUMMARY_FRAME_WINDOW,                                                     \
         .denominator = TRACE_SUMMARY_PER_FRAME,                                                   \
         .description = "Calls divided by all frames of the window, not only those that have "     \
                        "some.",                                                                   \
         .is_left_out_when_same = true},                                                           \
        TRACE_TIME_COLUMN("exclusive_ns", "excl total", .window = TRACE_SUMMARY_WINDOW,            \
                          .description = "Exclusive time of all calls whose exclusive time is "    \
                                         "known, summed over tracks.",                             \
                          .stands_in_for = "exclusive_per_frame_ns"),                              \
        TRACE_MEAN_COLUMN("exclusive_per_frame_ns", "excl/frame",                                  \
                          .window = TRACE_SUMMARY_FRAME_WINDOW,                                    \
                          .denominator = TRACE_SUMMARY_PER_FRAME,                                  \
                          .description = "Time inside the scope and not inside a nested one, "     \
                                         "summed over tracks; waiting in it counts as well.",      \
                          .is_left_out_when_same = true),                                          \
        TRACE_PERCENT_COLUMN("frame_share_percent", "share", .window = TRACE_SUMMARY_FRAME_WINDOW, \
                             .denominator = "mean of these frames",                                \
                             .description =                                                        \
                                 "Exclusive time per frame as a share of the mean frame; over "    \
                                 "several tracks the shares add up to more than 100 %: they are "  \
                                 "work.",                                                          \
                             .is_left_out_when_same = true),                                       \
        TRACE_TIME_COLUMN("inclusive_ns", "incl total", .window = TRACE_SUMMARY_WINDOW,            \
                          .description =                                                           \
                              "Time between begin and end, of complete outermost calls only, "     \
                              "those that are inside no other of the same row.",                   \
                          .stands_in_for = "inclusive_per_frame_ns"),                              \
        TRACE_MEAN_COLUMN("inclusive_per_frame_ns", "incl/frame",                                  \
                          .window = TRACE_SUMMARY_FRAME_WINDOW,                                    \
                          .denominator = TRACE_SUMMARY_PER_FRAME,                                  \
                          .description = "The same in a frame; waiting in it counts as well.",     \
                          .is_left_out_when_same = true),                                          \
        TRACE_MEAN_COLUMN("exclusive_per_call_ns", "excl/call", .window = TRACE_SUMMARY_WINDOW,    \
                          .denominator = "calls whose exclusive time is known",                    \
                          .description = "Exclusive time divided by those calls. " PER_CALL,       \
                          .is_detail = true),                                                      \
        TRACE_MEAN_COLUMN("inclusive_per_call_ns", "incl/call", .window = TRACE_SUMMARY_WINDOW,    \
                          .denominator = "complete outermost calls",                               \
                          .description = "Inclusive time divided by those calls. " PER_CALL,       \
                          .is_left_out_when_same = true),                                          \
        TRACE_PERCENT_COLUMN("recording_percent", "rec.", .window = TRACE_SUMMARY_WINDOW,          \
                             .denominator = "exclusive time",                                      \
                             .description =                                                        \
                                 "What recording costs inside the exclusive time, estimated: the " \
                                 "inner part of the cost of a scope for each call, and the outer " \
                                 "part for each scope directly inside. It is in the times and "    \
                                 "never subtracted; null when it is not known.",                   \
                             .is_left_out_when_same = true),                                       \
        TRACE_TEXT_COLUMN("is_short", "short",                                                     \
                          .description = "yes when the mean inclusive time of a call is under 20 " \
                                         "times what recording a scope costs; null when that is "  \
                                         "not known.",                                             \
                          .is_detail = true),                                                      \
        TRACE_COUNT_COLUMN("recursive_calls", "recursive", .window = TRACE_SUMMARY_WINDOW,         \
                           .description = "Calls that lie inside another one of the same row.",    \
                           .is_detail = true),                                                     \
        TRACE_COUNT_COLUMN("incomplete", "incomplete", .window = TRACE_SUMMARY_WINDOW,             \
                           .description = "Calls without an end: counted as calls, in no time.",   \
                           .is_detail = true),                                                     \
        TRACE_COUNT_COLUMN("children_lost", "children lost", .window = TRACE_SUMMARY_WINDOW,       \
                           .description = "Calls during which their track lost events: in no "     \
                                          "exclusive time.",                                       \
                           .is_detail = true),                                                     \
        TRACE_TEXT_COLUMN("is_waiting", "waits",                                                   \
                          .description = "yes when the category is wait: time spent waiting, "     \
                                         "listed behind what works.",                              \
                          .is_detail = true)

#define PART_COLUMN                                                                                \
    TRACE_TEXT_COLUMN("part", "part",                                                              \
                      .description = "frames: the row is about what begins in the window's "       \
                                     "complete frames; all: nothing does, and it is about "        \
                                     "all of the window.",                                         \
                      .is_left_out_when_same = true)

const struct trace_column trace_summary_site_columns[] = {
    TRACE_WINDOW_COLUMN,
    PART_COLUMN,
    TRACE_TEXT_COLUMN("site", "site", .description = "The name of the scope."),
    TRACE_TEXT_COLUMN("category", "category",
                      .description = "Its category; null when it has none."),
    SUM_COLUMNS,
    TRACE_PLACE_COLUMNS("site"),
};

const struct trace_column trace_summary_path_columns[] = {
    TRACE_WINDOW_COLUMN,
    PART_COLUMN,
    TRACE_TEXT_COLUMN("path", "path",
                      .description = "The names of the scopes from the outermost to this one, "
                                     "joined by \" > \"; of more than 200 the first and the last "
                                     "hundred."),
    TRACE_NUMBER_COLUMN("depth", "depth",
                        .description = "How many scopes are around it: 0 for a top-level one.",
                        .is_detail = true),
    TRACE_TEXT_COLUMN("site", "site", .description = "The name of the innermost scope.",
                      .is_detail = true),
    TRACE_TEXT_COLUMN("category", "category", .description = "Its category; null when it has none.",
                      .is_detail = true),
    SUM_COLUMNS,
    TRACE_PLACE_COLUMNS("path"),
};

const struct trace_column trace_summary_category_columns[] = {
    TRACE_WINDOW_COLUMN,
    PART_COLUMN,
    TRACE_TEXT_COLUMN("category", "category",
                      .description = "The label of the sites; null for those that have none."),
    TRACE_COUNT_COLUMN("sites", "sites", .window = "all windows",
                       .description = "Sites of the category that are shown and were called."),
    SUM_COLUMNS,
};
