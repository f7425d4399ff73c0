/* The columns of the diff report. */
#include "diff_columns.h"

#include "diff_column_kinds.h"

#define P_VALUE                                                                                    \
    TRACE_REAL_COLUMN("p", "p", 4, .is_detail = true,                                              \
                      .description =                                                               \
                          "How often runs of the same code, labelled at random, differ as much "   \
                          "anywhere in the family of all that is tested; null: not tested.")
#define EVIDENCE                                                                                   \
    TRACE_TEXT_COLUMN(                                                                             \
        "evidence", "evidence", .is_detail = true,                                                 \
        .description =                                                                             \
            "test: it is in the family that was tested; counts: calls per frame are a whole "      \
            "number, "                                                                             \
            "the same in each run of a side, which is evidence whatever p is; null: neither.")
#define CHANGE_PERCENT                                                                             \
    TRACE_PERCENT_COLUMN("change_percent", "change", .denominator = "the base's value",            \
                         .description = "The change as a part of the base's value.")
/* Bounds of a change per frame; `shown` says whether people see them. */
#define LOW_HIGH(shown)                                                                            \
    TRACE_PER_FRAME_COLUMN(                                                                        \
        "low_ns", "at least", shown,                                                               \
        .description = "The change is at least this, at 95 % confidence for this row alone; "      \
                       "null: there are too few runs to say."),                                    \
        TRACE_PER_FRAME_COLUMN("high_ns", "at most", shown,                                        \
                               .description = "The change is at most this, likewise.")

const struct trace_column trace_diff_change_columns[] = {
    TRACE_FINDING_COLUMN,
    TRACE_TEXT_COLUMN("what", "what",
                      .description = "The median frame, hitches, or a scope or GPU work by name."),
    TRACE_TEXT_COLUMN("category", "category", .is_detail = true,
                      .description = "The scope's category."),
    TRACE_PER_FRAME_COLUMN("base_ns", "base", .denominator = TRACE_PER_RUN,
                           .description =
                               "Of a scope its exclusive time per frame, waiting included, in the "
                               "mean of the base's runs; null for hitches."),
    TRACE_PER_FRAME_COLUMN("candidate_ns", "candidate", .denominator = TRACE_PER_RUN,
                           .description = "The same of the candidate."),
    TRACE_PER_FRAME_COLUMN("change_ns", "by", .is_detail = true, .denominator = TRACE_PER_RUN,
                           .description = "candidate_ns - base_ns."),
    CHANGE_PERCENT,
    P_VALUE,
    EVIDENCE,
    TRACE_TEXT_COLUMN("why", "why", .is_cut_last = true,
                      .description =
                          "More work (calls per frame) or slower work (time of a call), in "
                          "words."),
};

const struct trace_column trace_diff_budget_columns[] = {
    TRACE_TEXT_COLUMN("finding", "finding", .description = "exceeded or held."),
    TRACE_TEXT_COLUMN("what", "what", .description = "What has the budget."),
    TRACE_TEXT_COLUMN("of", "of", .description = "Which of its numbers the budget is for."),
    TRACE_TEXT_COLUMN("in_words", "value of budget", .is_for_people = true,
                      .description = "The value and the budget."),
    TRACE_PER_FRAME_COLUMN("value_ns", "value", .is_detail = true, .denominator = TRACE_PER_RUN,
                           .description = "The candidate's mean; null when it is no time."),
    TRACE_PER_FRAME_COLUMN("budget_ns", "budget", .is_detail = true,
                           .description = "What it must not exceed."),
    TRACE_REAL_COLUMN("value", "value", 4, .is_detail = true, .window = TRACE_OF_RUNS,
                      .denominator = TRACE_PER_RUN,
                      .description = "The candidate's mean; null when it is a time."),
    TRACE_REAL_COLUMN("budget", "budget", 4, .is_detail = true,
                      .description = "What it must not exceed."),
};

const struct trace_column trace_diff_remark_columns[] = {
    TRACE_TEXT_COLUMN("kind", "kind",
                      .description = "reason: why the sides cannot be compared; warning: what may "
                                     "have made them differ, or alike."),
    TRACE_TEXT_COLUMN("text", "what", .description = "The remark."),
};

const struct trace_column trace_diff_frame_columns[] = {
    TRACE_FINDING_COLUMN,
    TRACE_TEXT_COLUMN("measure", "frame time",
                      .description = "p50, mean, p95, p99 or max of a run's frames; p50 alone is "
                                     "judged."),
    TRACE_PER_FRAME_COLUMN("base_ns", "base", .denominator = TRACE_PER_RUN,
                           .description =
                               "In the mean of the base's runs; of max the longest of all."),
    TRACE_PER_FRAME_COLUMN("candidate_ns", "candidate", .denominator = TRACE_PER_RUN,
                           .description = "The same of the candidate."),
    CHANGE_PERCENT,
    TRACE_PER_FRAME_COLUMN("change_ns", "by", .is_detail = true, .denominator = TRACE_PER_RUN,
                           .description = "candidate_ns - base_ns."),
    LOW_HIGH(.is_left_out_when_same = true),
    P_VALUE,
};

const struct trace_column trace_diff_hitch_columns[] = {
    TRACE_FINDING_COLUMN,
    TRACE_PER_FRAME_COLUMN("limit_ns", "longer than", .description = "A longer frame is a hitch."),
    TRACE_TEXT_COLUMN("limit_is", "which is",
                      .description = "given, or twice the median of the runs' median frames."),
    TRACE_REAL_COLUMN("base_per_1000", "base", 2, .window = TRACE_OF_RUNS,
                      .denominator = "1,000 complete frames",
                      .description = "Hitches per 1,000 frames, in the mean of the base's runs."),
    TRACE_REAL_COLUMN("candidate_per_1000", "candidate", 2, .window = TRACE_OF_RUNS,
                      .denominator = "1,000 complete frames",
                      .description = "The same of the candidate."),
    TRACE_REAL_COLUMN(
        "low_per_1000", "low", 2, .is_detail = true,
        .description = "The change is at least this, at 95 % confidence for this row alone; null: "
                       "there are too few runs to say."),
    TRACE_REAL_COLUMN("high_per_1000", "high", 2, .is_detail = true,
                      .description = "The change is at most this, likewise."),
    P_VALUE,
    TRACE_COUNT_COLUMN("base_hitches", "base, in all", .window = TRACE_OF_RUNS,
                       .description = "Hitches of all runs of the base."),
    TRACE_COUNT_COLUMN("candidate_hitches", "candidate, in all", .window = TRACE_OF_RUNS,
                       .description = "Hitches of all runs of the candidate."),
};

const struct trace_column trace_diff_scope_columns[] = {
    TRACE_FINDING_COLUMN,
    TRACE_TEXT_COLUMN("name", "name",
                      .description = "The name; with --by path those of its callers, too."),
    TRACE_TEXT_COLUMN("category", "category", .is_detail = true,
                      .description = "The category; of a GPU pass its operation."),
    TRACE_TEXT_COLUMN("file", "file", .is_detail = true,
                      .description = "The source file, from the source root."),
    TRACE_TEXT_COLUMN("base_lines", "lines", .is_detail = true,
                      .description = "The lines on which the base has it, commas between."),
    TRACE_TEXT_COLUMN("candidate_lines", "lines", .is_detail = true,
                      .description = "The same of the candidate."),
    TRACE_PER_FRAME_COLUMN("base_ns", "base", .denominator = TRACE_PER_RUN,
                           .description =
                               "Exclusive time per frame, waiting included, in the mean of the "
                               "base's runs; of GPU work its duration per submitted frame."),
    TRACE_PER_FRAME_COLUMN("candidate_ns", "candidate", .denominator = TRACE_PER_RUN,
                           .description = "The same of the candidate."),
    TRACE_PER_FRAME_COLUMN("change_ns", "by", .is_detail = true, .denominator = TRACE_PER_RUN,
                           .description = "candidate_ns - base_ns; exactly workload_ns + cost_ns."),
    CHANGE_PERCENT,
    LOW_HIGH(.is_detail = true),
    P_VALUE,
    TRACE_PERCENT_COLUMN("explains_percent", "of frame", .is_left_out_when_same = true,
                         .denominator = "the change of the mean frame",
                         .description = "Which part of the change of the mean frame it is; null "
                                        "where that is below the least change that counts, and "
                                        "for what is not on the track that marks frames."),
    TRACE_PER_FRAME_COLUMN(
        "workload_ns", "work", .is_detail = true, .denominator = TRACE_PER_RUN,
        .description = "The part that is more or fewer calls: their change per frame, times "
                       "the mean of both costs of a call."),
    TRACE_PER_FRAME_COLUMN("cost_ns", "cost", .is_detail = true, .denominator = TRACE_PER_RUN,
                           .description =
                               "The part that is slower or faster calls: the change of the cost of "
                               "a call, times the mean of both sides' calls per frame."),
    TRACE_CALLS_COLUMN("base_calls_per_frame", "calls", .is_detail = true,
                       .description = "Calls per frame, in the mean of the base's runs."),
    TRACE_CALLS_COLUMN("candidate_calls_per_frame", "calls", .is_detail = true,
                       .description = "The same of the candidate."),
    TRACE_PER_FRAME_COLUMN("base_call_ns", "call", .is_detail = true, .denominator = "calls",
                           .description = "base_ns per call."),
    TRACE_PER_FRAME_COLUMN("candidate_call_ns", "call", .is_detail = true, .denominator = "calls",
                           .description = "candidate_ns per call."),
    EVIDENCE,
    TRACE_COUNT_COLUMN("runs_with", "runs", .is_detail = true,
                       .description = "Runs of both sides that have it; others count as 0."),
    TRACE_TEXT_COLUMN("why", "why", .is_cut_last = true,
                      .description =
                          "More work (calls per frame) or slower work (time of a call), in "
                          "words."),
};

const struct trace_column trace_diff_unpaired_columns[] = {
    TRACE_TEXT_COLUMN("side", "it is",
                      .description = "new: only the candidate has it; gone: only the base has it."),
    TRACE_TEXT_COLUMN("what", "what", .description = "A scope, GPU work or counter by name."),
    TRACE_TEXT_COLUMN("category", "category", .description = "The category.", .is_detail = true),
    TRACE_TEXT_COLUMN("file", "file", .description = "The source file, from the source root."),
    TRACE_TEXT_COLUMN("lines", "lines", .description = "The lines on which it is."),
    TRACE_PER_FRAME_COLUMN("per_frame_ns", "per frame", .denominator = TRACE_PER_RUN,
                           .description =
                               "Exclusive time per frame, or GPU time; null for counters."),
    TRACE_CALLS_COLUMN("calls_per_frame", "calls",
                       .description = "Calls per frame; null for counters."),
    TRACE_REAL_COLUMN("value", "value", 4, .window = TRACE_OF_RUNS, .denominator = TRACE_PER_RUN,
                      .is_detail = true,
                      .description =
                          "Of a counter what is counted per frame, of a gauge its mean."),
    TRACE_PERCENT_COLUMN("explains_percent", "of frame", .is_left_out_when_same = true,
                         .denominator = "the change of the mean frame",
                         .description = "Which part of the change of the mean frame it is: "
                                        "positive with it; null as in the tables of scopes."),
    TRACE_COUNT_COLUMN("runs_with", "runs", .description = "Runs of the side that have it."),
};

const struct trace_column trace_diff_counter_columns[] = {
    TRACE_TEXT_COLUMN("name", "counter", .description = "The name."),
    TRACE_TEXT_COLUMN("kind", "kind", .description = "count: per frame; gauge: mean value."),
    TRACE_TEXT_COLUMN("file", "file", .is_detail = true,
                      .description = "The source file, from the source root."),
    TRACE_REAL_COLUMN("base", "base", 4, .window = TRACE_OF_RUNS, .denominator = TRACE_PER_RUN,
                      .description = "In the mean of the base's runs."),
    TRACE_REAL_COLUMN("candidate", "candidate", 4, .window = TRACE_OF_RUNS,
                      .denominator = TRACE_PER_RUN, .description = "The same of the candidate."),
    TRACE_REAL_COLUMN("change", "by", 4, .is_detail = true, .window = TRACE_OF_RUNS,
                      .denominator = TRACE_PER_RUN, .description = "candidate - base."),
    CHANGE_PERCENT,
    TRACE_REAL_COLUMN("least_base", "least", 4, .is_detail = true,
                      .description = "The base's smallest run."),
    TRACE_REAL_COLUMN("most_base", "most", 4, .is_detail = true,
                      .description = "The base's greatest run."),
    TRACE_COUNT_COLUMN("runs_with", "runs", .is_detail = true,
                       .description = "Runs of both sides that have it; others count as 0."),
};

const struct trace_column trace_diff_run_columns[] = {
    TRACE_TEXT_COLUMN("side", "side", .description = "base or candidate."),
    TRACE_TEXT_COLUMN("run", "run", .description = "The file, and of several captures the number."),
    TRACE_NUMBER_COLUMN("start_unix_ns", "start", .is_detail = true,
                        .description = "When it began, ns since 1970-01-01 UTC."),
    TRACE_TEXT_COLUMN("commit", "commit", .description = "The commit that was built.",
                      .is_left_out_when_same = true),
    TRACE_TEXT_COLUMN("flavor", "build", .description = "The build's flavor.",
                      .is_left_out_when_same = true),
    TRACE_COUNT_COLUMN("frames", "frames", .window = "the window",
                       .description = "Complete frames."),
    TRACE_PER_FRAME_COLUMN("mean_ns", "mean", .denominator = "complete frames",
                           .description = "Mean frame time."),
    TRACE_TIME_COLUMN("p50_ns", "p50", .window = TRACE_OF_RUNS, .description = "Median frame."),
    TRACE_TIME_COLUMN("p95_ns", "p95", .window = TRACE_OF_RUNS, .is_detail = true,
                      .description = "95 % of the frames are no longer."),
    TRACE_TIME_COLUMN("p99_ns", "p99", .window = TRACE_OF_RUNS,
                      .description = "99 % of the frames are no longer."),
    TRACE_TIME_COLUMN("max_ns", "max", .window = TRACE_OF_RUNS,
                      .description = "The longest frame."),
    TRACE_REAL_COLUMN("hitches_per_1000", "hitches/1000", 2, .window = TRACE_OF_RUNS,
                      .denominator = "1,000 complete frames",
                      .description = "Frames longer than limit_ns."),
    TRACE_COUNT_COLUMN("events_lost", "lost", .window = "the whole capture",
                       .is_left_out_when_same = true,
                       .description = "Events that are missing, as far as their number is known; a "
                                      "scope is two."),
    TRACE_PERCENT_COLUMN("lost_percent", "lost", .is_detail = true, .denominator = "events emitted",
                         .window = "the whole capture",
                         .description = "The same as a part of all."),
};

const struct trace_column trace_diff_verdict_columns[] = {
    TRACE_TEXT_COLUMN("verdict", "verdict",
                      .description = "pass, fail or incomparable: exit codes 0, 1 and 3."),
    TRACE_TEXT_COLUMN("failed_on", "failed on",
                      .description = "Which of --fail-on were found, commas between."),
    TRACE_TEXT_COLUMN("summary", "summary", .is_detail = true,
                      .description = "The verdict in a line."),
    TRACE_TEXT_COLUMN("evidence", "evidence", .description = "What it rests on, in words."),
    TRACE_COUNT_COLUMN("base_runs", "base runs", .description = "Runs of the base."),
    TRACE_COUNT_COLUMN("candidate_runs", "candidate runs", .description = "Of the candidate."),
    TRACE_COUNT_COLUMN("tested", "tested",
                       .description = "How many quantities the family has that was tested; 0: "
                                      "there are too few runs."),
    TRACE_COUNT_COLUMN("relabelings", "labellings",
                       .description = "How many ways to label the runs were looked at."),
    TRACE_PERCENT_COLUMN("level_percent", "level",
                         .description = "How often, at most, some regression is found between "
                                        "runs of the same code."),
    TRACE_COUNT_COLUMN("regressions", "regressions", .description = "Rows of changes, so many."),
    TRACE_COUNT_COLUMN("suspected", "suspected", .description = "Likewise."),
    TRACE_COUNT_COLUMN("improvements", "improvements", .description = "Likewise."),
    TRACE_COUNT_COLUMN("budgets_exceeded", "budgets exceeded", .description = "Rows of budgets."),
    TRACE_COUNT_COLUMN("new_scopes", "new", .description = "Scopes that the base does not have."),
    TRACE_COUNT_COLUMN("gone_scopes", "gone",
                       .description = "Scopes that the candidate does not have."),
    TRACE_PER_FRAME_COLUMN("least_change_ns", "least change",
                           .description =
                               "What a change must exceed where no entry of the configuration says "
                               "otherwise."),
    TRACE_PER_FRAME_COLUMN("frame_change_ns", "mean frame changed by", .denominator = TRACE_PER_RUN,
                           .description = "Of the mean frame."),
    TRACE_PER_FRAME_COLUMN(
        "unexplained_ns", "of it in no scope", .denominator = TRACE_PER_RUN,
        .description = "The part of it in no chosen scope of the track that marks frames, and "
                       "at frames' edges; null when that track is not known or not chosen."),
};
