/* The smaller tables of the diff report: changes, budgets, frames, counters, what is unpaired,
 * runs. */
#include "diff_tables.h"

#include <math.h>
#include <stdlib.h>

#include "diff_words.h"
#include "report_parts.h"

/* --- cells ------------------------------------------------------------------------------------ */

void trace_diff_put_text(struct trace_report *report, struct trace_text_buffer *text)
{
    if (text->has_failed)
        trace_report_fail(report);
    if (text->size == 0)
        trace_report_null(report);
    else
        trace_report_text(report, text->data, text->size);
    trace_text_buffer_release(text);
}

void trace_diff_put_finding(struct trace_report *report, enum trace_finding finding)
{
    const char *word = trace_finding_word(finding);

    if (word == NULL)
        trace_report_null(report);
    else
        trace_report_string(report, word);
}

void trace_diff_put_percent(struct trace_report *report, double base, double candidate)
{
    trace_put_quotient(report, 100.0 * (candidate - base), base);
}

void trace_diff_put_finite(struct trace_report *report, double value)
{
    if (isfinite(value))
        trace_report_real(report, value);
    else
        trace_report_null(report);
}

static void put_finite(struct trace_report *report, bool is_known, double value)
{
    trace_diff_put_finite(report, is_known ? value : NAN);
}

void trace_diff_put_bounds(struct trace_report *report, const struct trace_judged *judged)
{
    put_finite(report, judged->is_tested, trace_whole_picoseconds(judged->test.low));
    put_finite(report, judged->is_tested, trace_whole_picoseconds(judged->test.high));
}

void trace_diff_put_p(struct trace_report *report, const struct trace_judged *judged)
{
    bool is_worse = judged->candidate > judged->base;

    put_finite(report, judged->is_tested, is_worse ? judged->test.p_greater : judged->test.p_less);
}

void trace_diff_put_evidence(struct trace_report *report, const struct trace_judged *judged)
{
    if (judged->is_by_counts || judged->is_tested)
        trace_report_string(report, judged->is_by_counts ? "counts" : "test");
    else
        trace_report_null(report);
}

void trace_diff_put_lines(struct trace_report *report, const struct trace_scope_keys *keys,
                          uint32_t key, enum trace_side side)
{
    struct trace_text_buffer text = {NULL, 0, 0, false};
    uint32_t count;
    const struct trace_key_line *lines = trace_scope_keys_find_lines(keys, key, &count);

    for (uint32_t i = 0; i < count; i++)
        if (lines[i].is_of[side] && lines[i].line != 0)
            trace_append_format(&text, "%s%u", text.size == 0 ? "" : ", ", (unsigned)lines[i].line);
    trace_diff_put_text(report, &text);
}

/* --- changes ---------------------------------------------------------------------------------- */

static void put_frame_change(const struct trace_diff_report *maker, uint32_t index)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    const struct trace_judged *judged = &comparison->judgement.items[index];
    struct trace_report *report = maker->report;
    struct trace_text_buffer why = {NULL, 0, 0, false};
    bool is_hitches = index == TRACE_FRAME_MEASURE_HITCHES;

    trace_report_row(report, TRACE_DIFF_CHANGES);
    trace_diff_put_finding(report, judged->finding);
    trace_report_string(report, is_hitches ? "hitches" : "median frame");
    trace_report_null(report);
    if (is_hitches) {
        for (int i = 0; i < 3; i++)
            trace_report_null(report);
        trace_append_hitches(&why, comparison);
    } else {
        double base = trace_whole_picoseconds(judged->base);
        double candidate = trace_whole_picoseconds(judged->candidate);
        trace_report_real(report, base);
        trace_report_real(report, candidate);
        trace_report_real(report, candidate - base);
    }
    trace_diff_put_percent(report, judged->base, judged->candidate);
    trace_diff_put_p(report, judged);
    trace_diff_put_evidence(report, judged);
    trace_diff_put_text(report, &why);
}

static void put_change(const struct trace_diff_report *maker, const struct trace_compared *item)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    const struct trace_judged *judged = trace_comparison_judged(comparison, item);
    struct trace_report *report = maker->report;
    struct trace_text_buffer what = {NULL, 0, 0, false}, why = {NULL, 0, 0, false};

    trace_append_compared(&what, comparison, item);
    trace_append_why(&why, item);
    trace_report_row(report, TRACE_DIFF_CHANGES);
    trace_diff_put_finding(report, judged->finding);
    trace_diff_put_text(report, &what);
    trace_put_known_text(report, comparison->keys->items[item->key].category);
    trace_report_real(report, item->change.base_ns);
    trace_report_real(report, item->change.candidate_ns);
    trace_report_real(report, item->change.total_ns);
    trace_diff_put_percent(report, item->change.base_ns, item->change.candidate_ns);
    trace_diff_put_p(report, judged);
    trace_diff_put_evidence(report, judged);
    trace_diff_put_text(report, &why);
}

void trace_diff_put_changes(const struct trace_diff_report *maker)
{
    static const enum trace_finding order[] = {TRACE_FOUND_WORSE, TRACE_FOUND_SUSPECTED_WORSE,
                                               TRACE_FOUND_BETTER, TRACE_FOUND_SUSPECTED_BETTER};
    const struct trace_comparison *comparison = &maker->diff->comparison;

    for (size_t f = 0; f < sizeof order / sizeof order[0]; f++) {
        for (uint32_t i = TRACE_FRAME_MEASURE_P50; i <= TRACE_FRAME_MEASURE_HITCHES; i++)
            if (comparison->judgement.items[i].finding == order[f])
                put_frame_change(maker, i);
        for (uint32_t i = 0; i < comparison->count; i++)
            if (trace_comparison_judged(comparison, &comparison->items[i])->finding == order[f])
                put_change(maker, &comparison->items[i]);
    }
}

/* --- budgets ---------------------------------------------------------------------------------- */

static void put_budget(const struct trace_diff_report *maker, const struct trace_budget *budget)
{
    struct trace_report *report = maker->report;
    struct trace_text_buffer what = {NULL, 0, 0, false}, words = {NULL, 0, 0, false};

    if (budget->key == TRACE_NONE)
        trace_append_format(&what, "frames");
    else
        trace_append_key(&what, maker->diff->comparison.keys, budget->key);
    trace_append_budget(&words, budget);
    trace_report_row(report, TRACE_DIFF_BUDGETS);
    trace_report_string(report, trace_budget_is_exceeded(budget) ? "exceeded" : "held");
    trace_diff_put_text(report, &what);
    trace_report_string(report, budget->what);
    trace_diff_put_text(report, &words);
    put_finite(report, budget->is_time, budget->value);
    put_finite(report, budget->is_time, budget->budget);
    put_finite(report, !budget->is_time, budget->value);
    put_finite(report, !budget->is_time, budget->budget);
}

void trace_diff_put_budgets(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;

    for (uint32_t i = 0; i < comparison->budget_count; i++)
        if (trace_budget_is_exceeded(&comparison->budgets[i]))
            put_budget(maker, &comparison->budgets[i]);
    for (uint32_t i = 0; i < comparison->budget_count; i++)
        if (!trace_budget_is_exceeded(&comparison->budgets[i]))
            put_budget(maker, &comparison->budgets[i]);
    if (comparison->budget_count != 0)
        trace_report_note(maker->report, TRACE_DIFF_BUDGETS,
                          "Values are the candidate's, in the mean of its runs; of the longest "
                          "frame that of all runs.");
}

/* --- frames ----------------------------------------------------------------------------------- */

static void put_frame(const struct trace_diff_report *maker, enum trace_frame_measure measure,
                      const char *name)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    const struct trace_judged *judged = measure == TRACE_FRAME_MEASURE_P50
                                            ? &comparison->judgement.items[measure]
                                            : &(const struct trace_judged){.is_tested = false};
    double base = trace_whole_picoseconds(trace_comparison_frames(comparison, TRACE_BASE, measure));
    double candidate =
        trace_whole_picoseconds(trace_comparison_frames(comparison, TRACE_CANDIDATE, measure));
    struct trace_report *report = maker->report;

    trace_report_row(report, TRACE_DIFF_FRAMES);
    trace_diff_put_finding(report, measure == TRACE_FRAME_MEASURE_P50 ? judged->finding
                                                                      : TRACE_FOUND_SHOWN);
    trace_report_string(report, name);
    trace_report_real(report, base);
    trace_report_real(report, candidate);
    trace_diff_put_percent(report, base, candidate);
    trace_report_real(report, candidate - base);
    trace_diff_put_bounds(report, judged);
    trace_diff_put_p(report, judged);
}

static int64_t count_hitches(const struct trace_comparison *comparison, enum trace_side side)
{
    uint32_t first = trace_comparison_first(comparison, side);
    int64_t count = 0;

    for (uint32_t i = 0; i < comparison->run_count[side]; i++)
        count += trace_run_longer(comparison->runs[first + i], comparison->hitch_ns);
    return count;
}

static void put_hitches(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    const struct trace_judged *judged = &comparison->judgement.items[TRACE_FRAME_MEASURE_HITCHES];
    struct trace_report *report = maker->report;

    trace_report_row(report, TRACE_DIFF_HITCHES);
    trace_diff_put_finding(report, judged->finding);
    trace_report_real(report, comparison->hitch_ns);
    trace_report_string(report, comparison->is_hitch_given ? "given" : "twice the median");
    trace_report_real(report, judged->base);
    trace_report_real(report, judged->candidate);
    trace_diff_put_bounds(report, judged);
    trace_diff_put_p(report, judged);
    trace_report_integer(report, count_hitches(comparison, TRACE_BASE));
    trace_report_integer(report, count_hitches(comparison, TRACE_CANDIDATE));
}

void trace_diff_put_frames(const struct trace_diff_report *maker)
{
    put_frame(maker, TRACE_FRAME_MEASURE_P50, "p50");
    put_frame(maker, TRACE_FRAME_MEASURE_MEAN, "mean");
    put_frame(maker, TRACE_FRAME_MEASURE_P95, "p95");
    put_frame(maker, TRACE_FRAME_MEASURE_P99, "p99");
    put_frame(maker, TRACE_FRAME_MEASURE_MAX, "max");
    trace_report_note(
        maker->report, TRACE_DIFF_FRAMES, "Of %.*s frames; each side in the mean of its runs.",
        trace_text_shown(maker->diff->runs[0]->domain), maker->diff->runs[0]->domain.data);
    put_hitches(maker);
}

/* --- counters --------------------------------------------------------------------------------- */

static void put_range(struct trace_report *report, const struct trace_comparison *comparison,
                      const struct trace_judged *judged)
{
    double least = judged->values[0], most = judged->values[0];

    for (uint32_t run = 1; run < comparison->run_count[TRACE_BASE]; run++) {
        least = fmin(least, judged->values[run]);
        most = fmax(most, judged->values[run]);
    }
    trace_report_real(report, least);
    trace_report_real(report, most);
}

void trace_diff_put_counters(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    struct trace_report *report = maker->report;

    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        const struct trace_judged *judged = trace_comparison_judged(comparison, item);
        bool is_gauge = item->measure == TRACE_MEASURE_GAUGE;
        if ((!is_gauge && item->measure != TRACE_MEASURE_COUNTER) || trace_compared_is_new(item) ||
            trace_compared_is_gone(item))
            continue;
        trace_report_row(report, TRACE_DIFF_COUNTERS);
        trace_put_known_text(report, comparison->keys->items[item->key].name);
        trace_report_string(report, is_gauge ? "gauge" : "count");
        trace_put_known_text(report, comparison->keys->items[item->key].file);
        trace_report_real(report, judged->base);
        trace_report_real(report, judged->candidate);
        trace_report_real(report, judged->candidate - judged->base);
        trace_diff_put_percent(report, judged->base, judged->candidate);
        put_range(report, comparison, judged);
        trace_report_integer(report, item->runs_with[TRACE_BASE] +
                                         (int64_t)item->runs_with[TRACE_CANDIDATE]);
    }
}

/* --- new and gone ----------------------------------------------------------------------------- */

static void put_unpaired(const struct trace_diff_report *maker, const struct trace_compared *item)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    const struct trace_scope_key *key = &comparison->keys->items[item->key];
    enum trace_side side = trace_compared_is_new(item) ? TRACE_CANDIDATE : TRACE_BASE;
    bool is_time = item->measure != TRACE_MEASURE_COUNTER && item->measure != TRACE_MEASURE_GAUGE;
    double value = side == TRACE_BASE ? item->change.base_ns : item->change.candidate_ns;
    struct trace_report *report = maker->report;
    struct trace_text_buffer what = {NULL, 0, 0, false};

    trace_append_compared(&what, comparison, item);
    trace_report_row(report, TRACE_DIFF_UNPAIRED);
    trace_report_string(report, side == TRACE_BASE ? "gone" : "new");
    trace_diff_put_text(report, &what);
    trace_put_known_text(report, key->category);
    trace_put_known_text(report, key->file);
    trace_diff_put_lines(report, comparison->keys, item->key, side);
    put_finite(report, is_time, value);
    put_finite(report, is_time,
               side == TRACE_BASE ? item->change.base_calls : item->change.candidate_calls);
    put_finite(report, !is_time, value);
    trace_diff_put_explained(maker, item->measure == TRACE_MEASURE_FRAME_TRACK,
                             item->change.total_ns);
    trace_report_integer(report, item->runs_with[side]);
}

void trace_diff_put_unpaired(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;

    for (uint32_t i = 0; i < comparison->count; i++)
        if (trace_compared_is_new(&comparison->items[i]))
            put_unpaired(maker, &comparison->items[i]);
    for (uint32_t i = 0; i < comparison->count; i++)
        if (trace_compared_is_gone(&comparison->items[i]))
            put_unpaired(maker, &comparison->items[i]);
}

/* --- runs ------------------------------------------------------------------------------------- */

static void put_run_frames(const struct trace_diff_report *maker, const struct trace_run *run)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    struct trace_report *report = maker->report;

    trace_report_integer(report, run->frames);
    trace_put_quotient(report, (double)run->total_ns, run->frames);
    for (size_t i = 0; i < 4; i++) {
        static const uint32_t per_mille[] = {500, 950, 990, 1000};
        if (run->frames == 0)
            trace_report_null(report);
        else
            trace_report_integer(report, trace_run_percentile(run, per_mille[i]));
    }
    put_finite(report, maker->diff->is_compared,
               run->frames == 0
                   ? NAN
                   : 1000.0 * trace_run_longer(run, comparison->hitch_ns) / run->frames);
}

void trace_diff_put_runs(const struct trace_diff_report *maker)
{
    struct trace_report *report = maker->report;

    for (uint32_t i = 0; i < maker->diff->pool.count; i++) {
        const struct trace_run *run = maker->diff->runs[i];
        trace_report_row(report, TRACE_DIFF_RUNS);
        trace_report_string(report, trace_side_word(run->side));
        trace_report_text(report, run->label.data, run->label.size);
        trace_report_integer(report, run->start_unix_ns);
        trace_put_known_text(report, run->commit);
        trace_put_known_text(report, run->flavor);
        put_run_frames(maker, run);
        trace_report_integer(report, (int64_t)run->lost);
        trace_put_quotient(report, 100.0 * (double)run->lost,
                           (double)run->lost + (double)run->recorded);
    }
}
