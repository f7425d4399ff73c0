/* Two sides of runs held against each other. */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>

#include "comparison_parts.h"

#define FRAME_ITEMS 2u /* p50 and hitches */

static const uint32_t per_mille[TRACE_FRAME_MEASURES] = {
    [TRACE_FRAME_MEASURE_P50] = 500,
    [TRACE_FRAME_MEASURE_P95] = 950,
    [TRACE_FRAME_MEASURE_P99] = 990,
    [TRACE_FRAME_MEASURE_MAX] = 1000,
};

static uint32_t all_runs(const struct trace_comparison *comparison)
{
    return comparison->run_count[TRACE_BASE] + comparison->run_count[TRACE_CANDIDATE];
}

static double mean_frame(const struct trace_run *run)
{
    return (double)run->total_ns / (double)run->frames;
}

double trace_run_frame_measure(const struct trace_comparison *comparison,
                               const struct trace_run *run, enum trace_frame_measure measure)
{
    if (measure == TRACE_FRAME_MEASURE_HITCHES)
        return 1000.0 * trace_run_longer(run, comparison->hitch_ns) / run->frames;
    if (measure == TRACE_FRAME_MEASURE_MEAN)
        return mean_frame(run);
    return (double)trace_run_percentile(run, per_mille[measure]);
}

/* --- frames ----------------------------------------------------------------------------------- */

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Of all runs, whatever side they are of, so that it does not depend on labels. */
static bool find_hitch_limit(struct trace_comparison *comparison,
                             const struct trace_diff_config *config)
{
    uint32_t runs = all_runs(comparison);
    double *medians = calloc(runs, sizeof *medians);

    if (medians == NULL)
        return false;
    for (uint32_t run = 0; run < runs; run++)
        medians[run] = (double)trace_run_percentile(comparison->runs[run], 500);
    qsort(medians, runs, sizeof *medians, compare_doubles);
    comparison->is_hitch_given = !isnan(config->frame.hitch_ns);
    comparison->hitch_ns = comparison->is_hitch_given
                               ? config->frame.hitch_ns
                               : TRACE_HITCH_OF_MEDIAN * medians[(runs - 1) / 2];
    free(medians);
    return true;
}

static void find_frames(struct trace_comparison *comparison)
{
    for (uint32_t run = 0; run < all_runs(comparison); run++) {
        uint32_t side = run < comparison->run_count[TRACE_BASE] ? TRACE_BASE : TRACE_CANDIDATE;
        comparison->mean_ns[side] +=
            mean_frame(comparison->runs[run]) / comparison->run_count[side];
        comparison->frame_ns += mean_frame(comparison->runs[run]) / all_runs(comparison);
    }
}

static void judge_frames(struct trace_comparison *comparison,
                         const struct trace_diff_config *config)
{
    struct trace_judged *items = comparison->judgement.items;
    uint64_t frames = 0;

    for (uint32_t run = comparison->run_count[TRACE_BASE]; run < all_runs(comparison); run++)
        frames += comparison->runs[run]->frames;
    items[TRACE_FRAME_MEASURE_P50].least_change = trace_least_change(comparison, &config->limits);
    items[TRACE_FRAME_MEASURE_P50].least_relative = config->frame.relative;
    items[TRACE_FRAME_MEASURE_HITCHES].least_change =
        fmax(config->frame.more_hitches_per_1000,
             1000.0 * (double)config->frame.more_hitches / (double)frames);
    for (uint32_t i = 0; i < FRAME_ITEMS; i++) {
        double *values = comparison->values + (size_t)i * all_runs(comparison);
        items[i].values = values;
        items[i].exact_change = NAN;
        for (uint32_t run = 0; run < all_runs(comparison); run++)
            values[run] = trace_run_frame_measure(comparison, comparison->runs[run],
                                                  (enum trace_frame_measure)i);
    }
}

/* --- scopes, counters, GPU work --------------------------------------------------------------- */

double trace_least_change(const struct trace_comparison *comparison,
                          const struct trace_limits *limits)
{
    return isnan(limits->absolute_ns) ? limits->absolute_of_frame * comparison->frame_ns
                                      : limits->absolute_ns;
}

/* Every key and measure of any run, each once, in their order. */
static bool list_items(struct trace_comparison *comparison)
{
    uint32_t runs = all_runs(comparison);
    uint32_t *next = calloc(runs, sizeof *next);
    bool is_done = next != NULL;

    while (is_done) {
        const struct trace_run_cell *first = NULL;
        for (uint32_t run = 0; run < runs; run++) {
            if (next[run] == comparison->runs[run]->cell_count)
                continue;
            const struct trace_run_cell *cell = &comparison->runs[run]->cells[next[run]];
            if (first == NULL || trace_run_cells_compare(cell, first) < 0)
                first = cell;
        }
        if (first == NULL)
            break;
        is_done =
            trace_array_grow(&comparison->items, comparison->count, sizeof *comparison->items);
        if (is_done)
            comparison->items[comparison->count++] =
                (struct trace_compared){.key = first->key, .measure = first->measure};
        for (uint32_t run = 0; run < runs; run++)
            if (next[run] < comparison->runs[run]->cell_count &&
                trace_run_cells_compare(&comparison->runs[run]->cells[next[run]], first) == 0)
                next[run]++;
    }
    free(next);
    return is_done;
}

/* Jobs run where a thread is free, and which one that is differs from run to run: a scope of the
 * track that marks frames and of others is judged in all. Items stand in the order of keys. */
static void join_tracks(struct trace_comparison *comparison)
{
    for (uint32_t i = 1; i < comparison->count; i++) {
        struct trace_compared *part = &comparison->items[i - 1], *item = &comparison->items[i];
        if (part->key != item->key || part->measure != TRACE_MEASURE_FRAME_TRACK ||
            item->measure != TRACE_MEASURE_WORK)
            continue;
        part->is_part = true;
        item->measure = TRACE_MEASURE_ALL_TRACKS;
    }
}

/* What the candidate does not have holds no budget: its entry then counts as one that fits nothing,
 * and is not within its budget with 0. */
static bool find_limits(const struct trace_comparison *comparison, struct trace_compared *item,
                        const struct trace_diff_config *config)
{
    const struct trace_scope_key *key = &comparison->keys->items[item->key];

    if (item->runs_with[TRACE_CANDIDATE] == 0) {
        item->limits = config->limits;
        return true;
    }
    if (item->measure <= TRACE_MEASURE_ALL_TRACKS)
        return trace_diff_config_limits(config, key->name, key->category, &item->limits);
    bool is_gpu =
        item->measure == TRACE_MEASURE_GPU_FRAME || item->measure == TRACE_MEASURE_GPU_PASS;
    return trace_diff_config_limits_of(
        config, is_gpu ? TRACE_LIMITS_OF_GPU : TRACE_LIMITS_OF_COUNTERS, key->name, &item->limits);
}

/* What the cells of a side say of an item. */
struct side_of_item {
    struct trace_rate rate;
    double inclusive_ns;
    uint64_t calls;
    uint64_t exact_calls; /* a frame, a whole number and the same in every run, */
    bool is_exact;        /* when it is */
};

static void add_cell(struct side_of_item *side, const struct trace_run_cell *cell, uint32_t runs,
                     bool is_first)
{
    side->rate.calls += cell->rate.calls / runs;
    side->rate.time_ns += cell->rate.time_ns / runs;
    side->inclusive_ns += cell->inclusive_ns / runs;
    side->calls += cell->calls;
    uint64_t frames = cell->frames > 0 ? (uint64_t)cell->frames : 0;
    bool is_whole = frames != 0 && cell->calls % frames == 0;
    uint64_t calls = is_whole ? cell->calls / frames : 0;
    if (is_first)
        side->exact_calls = calls;
    side->is_exact = (is_first || side->is_exact) && is_whole && calls == side->exact_calls;
}

/* What a run has of an item; false when nothing. Of all tracks it is the sum, if frames are the
 * same for both. */
static bool find_cell(const struct trace_comparison *comparison, uint32_t run,
                      struct trace_compared *item, enum trace_side side,
                      struct trace_run_cell *found)
{
    bool is_of_all = item->measure == TRACE_MEASURE_ALL_TRACKS;
    const struct trace_run_cell *cell = trace_run_find(
        comparison->runs[run], item->key, is_of_all ? TRACE_MEASURE_WORK : item->measure);
    const struct trace_run_cell *part =
        is_of_all ? trace_run_find(comparison->runs[run], item->key, TRACE_MEASURE_FRAME_TRACK)
                  : NULL;

    if (cell == NULL && part == NULL)
        return false;
    *found = cell != NULL ? *cell : *part;
    if (part != NULL)
        item->part_ns[side] += part->rate.time_ns / comparison->run_count[side];
    if (cell == NULL || part == NULL)
        return true;
    found->rate.calls += part->rate.calls;
    found->rate.time_ns += part->rate.time_ns;
    found->inclusive_ns += part->inclusive_ns;
    found->calls += part->calls;
    found->frames = cell->frames == part->frames ? cell->frames : 0;
    return true;
}

static struct side_of_item read_side(const struct trace_comparison *comparison,
                                     struct trace_compared *item, enum trace_side side,
                                     double *values)
{
    uint32_t first = trace_comparison_first(comparison, side);
    struct side_of_item found = {0};

    for (uint32_t i = 0; i < comparison->run_count[side]; i++) {
        struct trace_run_cell cell;
        values[first + i] = 0.0;
        if (!find_cell(comparison, first + i, item, side, &cell))
            continue;
        values[first + i] = cell.rate.time_ns;
        add_cell(&found, &cell, comparison->run_count[side], item->runs_with[side] == 0);
        item->runs_with[side]++;
    }
    found.is_exact = found.is_exact && item->runs_with[side] == comparison->run_count[side];
    item->inclusive_ns[side] = found.inclusive_ns;
    return found;
}

/* Whether it can be a regression: waiting is what others cause, what counters count may be as good
 * as bad, and what only one side has cannot be held against anything, and a part is judged with
 * the whole. */
static bool is_judged(const struct trace_comparison *comparison, const struct trace_compared *item)
{
    return item->measure != TRACE_MEASURE_COUNTER && item->measure != TRACE_MEASURE_GAUGE &&
           !comparison->keys->items[item->key].is_waiting && !item->limits.is_ignored &&
           !item->is_part && !trace_compared_is_new(item) && !trace_compared_is_gone(item);
}

static bool compare_item(struct trace_comparison *comparison, uint32_t index,
                         const struct trace_diff_config *config)
{
    struct trace_compared *item = &comparison->items[index];
    uint32_t place = FRAME_ITEMS + index;
    double *values = comparison->values + (size_t)place * all_runs(comparison);
    struct side_of_item base = read_side(comparison, item, TRACE_BASE, values);
    struct side_of_item candidate = read_side(comparison, item, TRACE_CANDIDATE, values);

    if (!find_limits(comparison, item, config))
        return false;
    item->judged = place;
    item->change = trace_change_between(base.rate, candidate.rate);
    comparison->judgement.items[place] = (struct trace_judged){
        .values = values,
        .least_change = trace_least_change(comparison, &item->limits),
        .least_relative = item->limits.relative,
        .exact_change = base.is_exact && candidate.is_exact ? item->change.workload_ns : NAN,
        .count = base.calls + candidate.calls,
        .least_count = item->limits.min_calls,
        .is_shown_only = !is_judged(comparison, item),
    };
    return true;
}

static int compare_changes(const void *left, const void *right)
{
    const struct trace_compared *a = left, *b = right;
    double by = fabs(b->change.total_ns) - fabs(a->change.total_ns);

    if (a->measure != b->measure)
        return a->measure < b->measure ? -1 : 1;
    if (by != 0.0)
        return by < 0.0 ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

static void find_rest(struct trace_comparison *comparison)
{
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        comparison->rest_ns[side] = trace_whole_picoseconds(comparison->mean_ns[side]);
    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        if (item->measure != TRACE_MEASURE_FRAME_TRACK)
            continue;
        comparison->rest_ns[TRACE_BASE] -= item->change.base_ns;
        comparison->rest_ns[TRACE_CANDIDATE] -= item->change.candidate_ns;
    }
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        comparison->rest_ns[side] = trace_whole_picoseconds(comparison->rest_ns[side]);
    for (uint32_t run = 0; run < all_runs(comparison); run++)
        if (!comparison->runs[run]->has_marker)
            comparison->rest_ns[TRACE_BASE] = comparison->rest_ns[TRACE_CANDIDATE] = NAN;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool make_room(struct trace_comparison *comparison)
{
    size_t count = (size_t)FRAME_ITEMS + comparison->count;

    comparison->values = calloc(count * all_runs(comparison), sizeof *comparison->values);
    comparison->judgement.items = calloc(count, sizeof *comparison->judgement.items);
    comparison->judgement.count = (uint32_t)count;
    return comparison->values != NULL && comparison->judgement.items != NULL;
}

static bool compare(struct trace_comparison *comparison, const struct trace_diff_config *config)
{
    find_frames(comparison);
    if (!find_hitch_limit(comparison, config) || !list_items(comparison) || !make_room(comparison))
        return false;
    judge_frames(comparison, config);
    join_tracks(comparison);
    for (uint32_t i = 0; i < comparison->count; i++)
        if (!compare_item(comparison, i, config))
            return false;
    if (!trace_judge(&comparison->judgement) || !trace_comparison_find_budgets(comparison, config))
        return false;
    if (comparison->count != 0)
        qsort(comparison->items, comparison->count, sizeof *comparison->items, compare_changes);
    find_rest(comparison);
    return true;
}

bool trace_compare(const struct trace_scope_keys *keys, const struct trace_run *const *runs,
                   uint32_t base_runs, uint32_t candidate_runs,
                   const struct trace_diff_config *config, struct trace_comparison *comparison)
{
    *comparison = (struct trace_comparison){
        .keys = keys,
        .runs = runs,
        .run_count = {base_runs, candidate_runs},
        .judgement = {.base_runs = base_runs,
                      .candidate_runs = candidate_runs,
                      .level = config->level},
    };
    return compare(comparison, config);
}

void trace_comparison_destroy(struct trace_comparison *comparison)
{
    free(comparison->values);
    free(comparison->judgement.items);
    free(comparison->items);
    free(comparison->budgets);
    *comparison = (struct trace_comparison){0};
}

uint32_t trace_comparison_count(const struct trace_comparison *comparison,
                                enum trace_finding finding)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < comparison->judgement.count; i++)
        count += comparison->judgement.items[i].finding == finding;
    return count;
}

uint32_t trace_comparison_unpaired(const struct trace_comparison *comparison, enum trace_side side)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        count +=
            trace_compared_is_scope(item) &&
            (side == TRACE_CANDIDATE ? trace_compared_is_new(item) : trace_compared_is_gone(item));
    }
    return count;
}
