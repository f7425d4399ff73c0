/* Two sides of runs held against each other: what changed, by how much, why, and whether that
 * counts. Private to the analyzer. docs/diff.md defines every value. */
#ifndef TRACE_COMPARISON_H
#define TRACE_COMPARISON_H

#include "diff_config.h"
#include "judgement.h"
#include "run_digest.h"

/* A scope, counter or GPU pass of which at least one side has some. Values of a side are means of
 * its runs; a run that has none of it has 0 of it, where the side has some at all. */
struct trace_compared {
    uint32_t key;
    enum trace_measure measure;
    uint32_t runs_with[TRACE_SIDES]; /* how many have it; 0: it is new, or gone */
    struct trace_change change;
    double inclusive_ns[TRACE_SIDES];
    struct trace_limits limits;
    bool is_part; /* a scope that other tracks run too: the item of all tracks is judged */
    double part_ns[TRACE_SIDES]; /* of all tracks: of it, on the track that marks frames */
    uint32_t judged; /* index of what was found; of what only one side has it is shown only */
};

/* What there is to say of frame times. */
enum trace_frame_measure {
    TRACE_FRAME_MEASURE_P50, /* these two are judged: the first items of the judgement */
    TRACE_FRAME_MEASURE_HITCHES,
    TRACE_FRAME_MEASURE_MEAN,
    TRACE_FRAME_MEASURE_P95,
    TRACE_FRAME_MEASURE_P99,
    TRACE_FRAME_MEASURE_MAX,
    TRACE_FRAME_MEASURES
};

/* A budget that has something to hold. */
struct trace_budget {
    uint32_t key;                   /* of the scope, without callers; TRACE_NONE: of frames, */
    enum trace_frame_measure frame; /* this one */
    const char *what;               /* of it: "inclusive time per frame", ... */
    double value, budget;           /* of the candidate; in ns, calls or the counter's own unit */
    bool is_time;
};

struct trace_comparison {
    const struct trace_scope_keys *keys;
    const struct trace_run *const *runs; /* those of the base first */
    uint32_t run_count[TRACE_SIDES];
    double *values; /* by judged item and run */
    struct trace_judgement judgement;
    struct trace_compared *items; /* by measure; of one by falling change */
    uint32_t count;
    double frame_ns; /* mean frame of all runs */
    double hitch_ns; /* longer frames are hitches */
    bool is_hitch_given;
    double mean_ns[TRACE_SIDES]; /* of a frame */
    double rest_ns[TRACE_SIDES]; /* of it, in no chosen scope of the track that marks frames; NaN:
                                    of a run that track is not known or not chosen */
    struct trace_budget *budgets;
    uint32_t budget_count;
};

/* Compares; everything given must outlive it. Each side has at least one run, and all have frames.
 * False when there is no memory; destroy it all the same. */
bool trace_compare(const struct trace_scope_keys *keys, const struct trace_run *const *runs,
                   uint32_t base_runs, uint32_t candidate_runs,
                   const struct trace_diff_config *config, struct trace_comparison *comparison);
void trace_comparison_destroy(struct trace_comparison *comparison);

/* The index of a side's first run. */
static inline uint32_t trace_comparison_first(const struct trace_comparison *comparison,
                                              enum trace_side side)
{
    return side == TRACE_BASE ? 0 : comparison->run_count[TRACE_BASE];
}

/* What was found of an item, or of frames. */
static inline const struct trace_judged *
trace_comparison_judged(const struct trace_comparison *comparison,
                        const struct trace_compared *item)
{
    return &comparison->judgement.items[item->judged];
}

static inline bool trace_compared_is_new(const struct trace_compared *item)
{
    return !item->is_part && item->runs_with[TRACE_BASE] == 0;
}

static inline bool trace_compared_is_gone(const struct trace_compared *item)
{
    return !item->is_part && item->runs_with[TRACE_CANDIDATE] == 0;
}

static inline bool trace_compared_is_paired(const struct trace_compared *item)
{
    return !trace_compared_is_new(item) && !trace_compared_is_gone(item);
}

/* A scope with all that it has; of a part that is another item. */
static inline bool trace_compared_is_scope(const struct trace_compared *item)
{
    return item->measure <= TRACE_MEASURE_ALL_TRACKS && !item->is_part;
}

/* Below which a change per frame does not count, ns. */
double trace_least_change(const struct trace_comparison *comparison,
                          const struct trace_limits *limits);

/* A value that is equal to its budget is within it. */
static inline bool trace_budget_is_exceeded(const struct trace_budget *budget)
{
    return budget->value > budget->budget;
}

/* Of a side: the mean of its runs, in ns or hitches per 1,000 frames; of MAX the greatest. */
double trace_comparison_frames(const struct trace_comparison *comparison, enum trace_side side,
                               enum trace_frame_measure measure);

/* How many items were found so, frames' included. */
uint32_t trace_comparison_count(const struct trace_comparison *comparison,
                                enum trace_finding finding);

/* How many scopes only this side has. */
uint32_t trace_comparison_unpaired(const struct trace_comparison *comparison, enum trace_side side);

#endif
