/* The tables of the diff report that are about scopes and GPU work. */
#include <math.h>

#include "diff_tables.h"
#include "diff_words.h"
#include "report_parts.h"

static uint32_t table_of(const struct trace_comparison *comparison,
                         const struct trace_compared *item)
{
    if (item->measure == TRACE_MEASURE_GPU_FRAME || item->measure == TRACE_MEASURE_GPU_PASS)
        return TRACE_DIFF_GPU;
    if (comparison->keys->items[item->key].is_waiting)
        return TRACE_DIFF_WAITING;
    return item->measure == TRACE_MEASURE_FRAME_TRACK ? TRACE_DIFF_SCOPES : TRACE_DIFF_WORK;
}

static double frame_change(const struct trace_comparison *comparison)
{
    return comparison->mean_ns[TRACE_CANDIDATE] - comparison->mean_ns[TRACE_BASE];
}

void trace_diff_put_explained(const struct trace_diff_report *maker, bool is_of_frame,
                              double change_ns)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    double whole_ns = frame_change(comparison);

    if (is_of_frame &&
        fabs(whole_ns) >= trace_least_change(comparison, &maker->diff->config->limits))
        trace_put_quotient(maker->report, whole_ns < 0.0 ? -100.0 * change_ns : 100.0 * change_ns,
                           fabs(whole_ns));
    else
        trace_report_null(maker->report);
}

/* Where rows of the track that marks frames and of others stand in one table, it is said. */
static void put_place(const struct trace_diff_report *maker, const struct trace_compared *item)
{
    const struct trace_scope_keys *keys = maker->diff->comparison.keys;
    uint32_t index = item->key;
    const struct trace_scope_key *key = &keys->items[index];
    struct trace_text_buffer name = {NULL, 0, 0, false};

    trace_append_names(&name, keys, index);
    if (key->is_waiting && item->measure != TRACE_MEASURE_FRAME_TRACK)
        trace_append_format(&name, item->measure == TRACE_MEASURE_WORK ? " (other tracks)"
                                                                       : " (all tracks)");
    trace_diff_put_text(maker->report, &name);
    trace_put_known_text(maker->report, key->category);
    trace_put_known_text(maker->report, key->file);
    trace_diff_put_lines(maker->report, keys, index, TRACE_BASE);
    trace_diff_put_lines(maker->report, keys, index, TRACE_CANDIDATE);
}

static void put_call(struct trace_report *report, double calls, double time_ns)
{
    trace_put_quotient(report, time_ns, calls);
}

static void put_scope(const struct trace_diff_report *maker, const struct trace_compared *item)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    const struct trace_judged *judged = trace_comparison_judged(comparison, item);
    const struct trace_change *change = &item->change;
    struct trace_report *report = maker->report;
    struct trace_text_buffer why = {NULL, 0, 0, false};

    trace_report_row(report, table_of(comparison, item));
    trace_diff_put_finding(report, judged->finding);
    put_place(maker, item);
    trace_report_real(report, change->base_ns);
    trace_report_real(report, change->candidate_ns);
    trace_report_real(report, change->total_ns);
    trace_diff_put_percent(report, change->base_ns, change->candidate_ns);
    trace_diff_put_bounds(report, judged);
    trace_diff_put_p(report, judged);
    trace_diff_put_explained(maker, item->measure == TRACE_MEASURE_FRAME_TRACK, change->total_ns);
    trace_report_real(report, change->workload_ns);
    trace_report_real(report, change->cost_ns);
    trace_report_real(report, change->base_calls);
    trace_report_real(report, change->candidate_calls);
    put_call(report, change->base_calls, change->base_ns);
    put_call(report, change->candidate_calls, change->candidate_ns);
    trace_diff_put_evidence(report, judged);
    trace_report_integer(report,
                         item->runs_with[TRACE_BASE] + (int64_t)item->runs_with[TRACE_CANDIDATE]);
    trace_append_why(&why, item);
    trace_diff_put_text(report, &why);
}

/* A row of times alone. */
static void put_times(const struct trace_diff_report *maker, uint32_t table, const char *name,
                      double base_ns, double candidate_ns, bool is_of_frame)
{
    struct trace_report *report = maker->report;

    trace_report_row(report, table);
    trace_diff_put_finding(report, TRACE_FOUND_SHOWN);
    trace_report_string(report, name);
    for (int i = 0; i < 4; i++)
        trace_report_null(report);
    trace_report_real(report, base_ns);
    trace_report_real(report, candidate_ns);
    trace_report_real(report, candidate_ns - base_ns);
    trace_diff_put_percent(report, base_ns, candidate_ns);
    for (int i = 0; i < 3; i++)
        trace_report_null(report);
    trace_diff_put_explained(maker, is_of_frame, candidate_ns - base_ns);
}

/* In how much of a frame the track that marks them was ready and did not run: in the mean of the
 * side's runs, each by the part of its sampled time. NaN: it was not sampled. */
static double runnable_ns(const struct trace_comparison *comparison, enum trace_side side)
{
    uint32_t first = trace_comparison_first(comparison, side);
    double sum_ns = 0.0;

    for (uint32_t i = 0; i < comparison->run_count[side]; i++) {
        const struct trace_run *run = comparison->runs[first + i];
        if (run->running.sampled_ns <= 0)
            return NAN;
        sum_ns += (double)run->running.wait_ns / (double)run->running.sampled_ns *
                  (double)run->total_ns / run->frames;
    }
    return sum_ns / comparison->run_count[side];
}

static void put_waiting(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    double base_ns = runnable_ns(comparison, TRACE_BASE);
    double candidate_ns = runnable_ns(comparison, TRACE_CANDIDATE);

    if (isnan(base_ns) || isnan(candidate_ns))
        return;
    put_times(maker, TRACE_DIFF_WAITING, "(runnable, not running)", base_ns, candidate_ns, false);
    trace_report_note(maker->report, TRACE_DIFF_WAITING,
                      "Runnable, not running: the part of the sampled time, in all of the capture, "
                      "in which the track that marks the frames was ready and something else ran; "
                      "it is inside the times of scopes, not beside them.");
}

static void put_rest(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;

    if (isnan(comparison->rest_ns[TRACE_BASE]))
        return;
    put_times(maker, TRACE_DIFF_SCOPES,
              maker->diff->is_filtered ? "(no chosen scope)" : "(no scope)",
              comparison->rest_ns[TRACE_BASE], comparison->rest_ns[TRACE_CANDIDATE], true);
}

static void note(const struct trace_diff_report *maker, const uint32_t *left_out)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    struct trace_text_buffer text = {NULL, 0, 0, false};

    for (uint32_t table = 0; table < TRACE_DIFF_TABLES; table++)
        if (left_out[table] != 0)
            trace_report_note(maker->report, table,
                              "%u more, whose changes are smaller: --top 0 lists all.",
                              (unsigned)left_out[table]);
    trace_append_change(&text, comparison->mean_ns[TRACE_BASE],
                        comparison->mean_ns[TRACE_CANDIDATE]);
    if (!text.has_failed && !isnan(comparison->rest_ns[TRACE_BASE]))
        trace_report_note(maker->report, TRACE_DIFF_SCOPES,
                          "Exclusive time per frame, waiting included, in the mean of the runs of "
                          "each side. Mean frame: %.*s. Scopes, new and gone ones too, waiting and "
                          "%s add up to it.",
                          (int)text.size, text.data,
                          maker->diff->is_filtered ? "all that was not chosen" : "no scope");
    trace_text_buffer_release(&text);
    if (trace_report_row_count(maker->report, TRACE_DIFF_WORK) != 0)
        trace_report_note(
            maker->report, TRACE_DIFF_WORK,
            "Scopes that other tracks run, summed over all tracks: work, not time, which "
            "may exceed the frame and explains no part of it. What of them the track "
            "that marks the frames runs is in its table, and judged here.");
}

void trace_diff_put_scopes(const struct trace_diff_report *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;
    uint32_t rows[TRACE_DIFF_TABLES] = {0}, left_out[TRACE_DIFF_TABLES] = {0};

    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        uint32_t table = table_of(comparison, item);
        if (item->measure == TRACE_MEASURE_COUNTER || item->measure == TRACE_MEASURE_GAUGE ||
            trace_compared_is_new(item) || trace_compared_is_gone(item))
            continue;
        if (maker->top != 0 && rows[table] == maker->top) {
            left_out[table]++;
            continue;
        }
        rows[table]++;
        put_scope(maker, item);
    }
    put_rest(maker);
    put_waiting(maker);
    note(maker, left_out);
}
