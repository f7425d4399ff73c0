/* Puts into tables what happened in a frame that is explained. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "frames_part.h"
#include "report_explain.h"
#include "report_parts.h"

/* Tables beside that of the scopes have half as many rows. */
static uint32_t half(const struct trace_explain *explain, uint32_t count)
{
    uint32_t top = explain->options->top;
    uint32_t most = top / 2 + top % 2;
    return top == 0 || count < most ? count : most;
}

static void note_left_out(const struct trace_explain *explain, enum trace_explain_table table,
                          uint32_t count, uint32_t shown, const char *what)
{
    if (shown < count)
        trace_report_note(explain->report, table, "More %s: %" PRIu32 "; --top 0 shows all.", what,
                          count - shown);
}

/* --- tracks ---------------------------------------------------------------------------------- */

static void put_track(const struct trace_explain *explain, const struct trace_track_share *share)
{
    struct trace_report *report = explain->report;
    const struct trace_running running =
        trace_running_of_track(&explain->running.tracks[share->track]);
    int64_t unlogged_ns = share->lived_ns - share->working_ns - share->waiting_ns;
    trace_report_row(report, TRACE_EXPLAIN_TRACKS);
    trace_put_track_name(report, explain->model, share->track);
    trace_report_integer(report, share->working_ns);
    trace_report_integer(report, share->waiting_ns);
    trace_report_integer(report, unlogged_ns > 0 ? unlogged_ns : 0);
    if (running.sampled_ns != 0) {
        trace_report_integer(report, running.run_ns);
        trace_report_integer(report, running.wait_ns);
        trace_report_integer(report, running.sampled_ns - running.run_ns - running.wait_ns);
    } else {
        for (int i = 0; i < 3; i++)
            trace_report_null(report);
    }
    trace_report_integer(report, running.sampled_ns);
    trace_report_integer(report, explain->model->tracks[share->track].id);
}

/* Whether it is known of a track whether it ran. */
static bool has_samples(const struct trace_explain *explain)
{
    for (uint32_t i = 0; i < explain->model->track_count; i++)
        if (explain->running.tracks[i].sampled_ns != 0)
            return true;
    return false;
}

bool trace_explain_put_tracks(const struct trace_explain *explain)
{
    struct trace_track_share *shares;
    uint32_t count;
    if (!trace_track_shares(explain->model, &explain->moments, &explain->running, explain->track,
                            &shares, &count))
        return false;
    uint32_t shown = half(explain, count);
    for (uint32_t i = 0; i < shown; i++)
        put_track(explain, &shares[i]);
    free(shares);
    note_left_out(explain, TRACE_EXPLAIN_TRACKS, count, shown, "tracks");
    if (has_samples(explain))
        trace_report_note(
            explain->report, TRACE_EXPLAIN_TRACKS,
            "Runnable (ready, but something else had the processor) is inside working "
            "and waiting.");
    return true;
}

/* --- the chain ------------------------------------------------------------------------------- */

static void put_link(const struct trace_explain *explain, const struct trace_link *link)
{
    struct trace_report *report = explain->report;
    trace_report_row(report, TRACE_EXPLAIN_CHAIN);
    trace_report_integer(report, link->begin_ns - explain->moments.begin_ns);
    trace_report_integer(report, link->end_ns - link->begin_ns);
    trace_report_string(report, link->is_queued ? "queued" : "ran");
    trace_put_track_name(report, explain->model, link->track);
    if (link->site == TRACE_NONE)
        trace_report_null(report);
    else
        trace_put_known_text(report, explain->model->sites[link->site].name);
    if (link->is_queued) {
        trace_report_null(report);
        trace_report_null(report);
        trace_report_string(report, link->is_from_before ? "yes" : "no");
    } else {
        trace_report_integer(report, link->site_ns);
        trace_report_integer(report, link->waiting_ns);
        trace_report_null(report);
    }
    trace_report_integer(report, explain->model->tracks[link->track].id);
}

static int compare_falling(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left < right) - (left > right);
}

/* How long a link must be to be among the `top` longest; of equal ones the first are. */
static int64_t find_least(const struct trace_frame_chain *chain, uint32_t top, uint32_t *with_least)
{
    int64_t *lengths = malloc(((size_t)chain->count + 1) * sizeof *lengths);
    *with_least = chain->count;
    if (lengths == NULL || top == 0 || top >= chain->count) {
        free(lengths);
        return 0;
    }
    for (uint32_t i = 0; i < chain->count; i++)
        lengths[i] = chain->links[i].end_ns - chain->links[i].begin_ns;
    qsort(lengths, chain->count, sizeof *lengths, compare_falling);
    int64_t least_ns = lengths[top - 1];
    *with_least = 0;
    for (uint32_t i = top; i-- > 0 && lengths[i] == least_ns;)
        ++*with_least;
    free(lengths);
    return least_ns;
}

static void note_chain(const struct trace_explain *explain)
{
    const struct trace_frame_chain *chain = &explain->chain;
    struct trace_report *report = explain->report;
    if (chain->count != 0 && chain->links[0].is_queued && chain->links[0].is_from_before)
        trace_report_note(report, TRACE_EXPLAIN_CHAIN,
                          "The first step was sent before the frame began.");
    if (chain->unbound != 0)
        trace_report_note(report, TRACE_EXPLAIN_CHAIN,
                          "%" PRIu32 " flow-ins on the way have no flow-out in the capture.",
                          chain->unbound);
    if (chain->is_cut)
        trace_report_note(report, TRACE_EXPLAIN_CHAIN, "Only %u steps back were followed.",
                          TRACE_MOST_LINKS);
    if (chain->count == 0)
        trace_report_note(report, TRACE_EXPLAIN_CHAIN,
                          "It is not known which track set the mark at the frame's end.");
}

void trace_explain_put_chain(const struct trace_explain *explain)
{
    const struct trace_frame_chain *chain = &explain->chain;
    uint32_t left, hidden = 0;
    int64_t hidden_ns = 0;
    int64_t least_ns = find_least(chain, explain->options->top, &left);
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct trace_link *link = &chain->links[i];
        int64_t length_ns = link->end_ns - link->begin_ns;
        if (length_ns > least_ns || (length_ns == least_ns && left != 0)) {
            left -= length_ns == least_ns;
            put_link(explain, link);
        } else {
            hidden++;
            hidden_ns += length_ns;
        }
    }
    if (hidden != 0)
        trace_report_note(explain->report, TRACE_EXPLAIN_CHAIN,
                          "Shorter steps left out: %" PRIu32 ", together %.3f ms; --top 0 shows "
                          "all.",
                          hidden, (double)hidden_ns / 1e6);
    note_chain(explain);
}

/* --- counters, gauges, marks ----------------------------------------------------------------- */

static double deviation(const struct trace_counter_value *count)
{
    double median = count->median == 0 ? 1.0 : fabs((double)count->median);
    return fabs((double)count->value - (double)count->median) / median;
}

/* Those that differ from their medians most come first. */
static int compare_counts(const void *a, const void *b)
{
    const struct trace_counter_value *left = a;
    const struct trace_counter_value *right = b;
    double left_deviation = deviation(left), right_deviation = deviation(right);
    if (left_deviation != right_deviation)
        return left_deviation < right_deviation ? 1 : -1;
    return (left->site > right->site) - (left->site < right->site);
}

static void put_value_name(const struct trace_explain *explain, uint32_t site, const char *kind)
{
    const struct trace_text *name = &explain->model->sites[site].name;
    trace_report_row(explain->report, TRACE_EXPLAIN_VALUES);
    trace_report_text(explain->report, name->data, name->size);
    trace_report_string(explain->report, kind);
}

static void put_count(const struct trace_explain *explain, const struct trace_counter_value *count)
{
    put_value_name(explain, count->site, "counter");
    trace_report_integer(explain->report, count->value);
    trace_put_median(explain->report, explain->scopes.medians_of[0] != 0, count->median);
    trace_put_quotient(explain->report, (double)count->value, (double)count->median);
}

void trace_explain_put_values(const struct trace_explain *explain)
{
    const struct trace_frame_moments *moments = &explain->moments;
    if (moments->count_count > 1)
        qsort(moments->counts, moments->count_count, sizeof *moments->counts, compare_counts);
    uint32_t counts = half(explain, moments->count_count);
    uint32_t gauges = half(explain, moments->gauge_count);
    for (uint32_t i = 0; i < counts; i++)
        put_count(explain, &moments->counts[i]);
    for (uint32_t i = 0; i < gauges; i++) {
        put_value_name(explain, moments->gauges[i].site, "gauge");
        for (int column = 0; column < 3; column++)
            trace_report_null(explain->report);
        if (isfinite(moments->gauges[i].value))
            trace_report_real(explain->report, moments->gauges[i].value);
    }
    note_left_out(explain, TRACE_EXPLAIN_VALUES, moments->count_count + moments->gauge_count,
                  counts + gauges, "counters and gauges");
}

void trace_explain_put_marks(const struct trace_explain *explain)
{
    const struct trace_frame_moments *moments = &explain->moments;
    uint32_t shown = half(explain, moments->instant_count);
    for (uint32_t i = 0; i < shown; i++) {
        const struct trace_instant *instant = &moments->instants[i];
        const struct trace_text *name = &explain->model->sites[instant->site].name;
        trace_report_row(explain->report, TRACE_EXPLAIN_MARKS);
        trace_report_integer(explain->report, instant->time_ns - moments->begin_ns);
        trace_report_text(explain->report, name->data, name->size);
        trace_put_track_name(explain->report, explain->model, instant->track);
        trace_report_integer(explain->report, instant->time_ns);
    }
    note_left_out(explain, TRACE_EXPLAIN_MARKS, moments->instant_count, shown, "marks");
}
