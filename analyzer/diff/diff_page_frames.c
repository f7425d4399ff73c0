/* Frames of both sides for a page: in the order of time, and by how long they are. */
#include <math.h>

#include "diff_column_kinds.h"
#include "diff_page_tables.h"
#include "diff_words.h"
#include "histogram.h"
#include "report_parts.h"

#define LEAST_BINS 25u /* of a run: that it has a shape */

bool trace_diff_has_frames(const struct trace_diff *diff)
{
    for (uint32_t i = 0; i < diff->pool.count; i++)
        if (diff->runs[i]->frames != 0)
            return true;
    return false;
}

/* --- in the order of time --------------------------------------------------------------------- */

static const struct trace_column bin_columns[] = {
    TRACE_NUMBER_COLUMN("run", "run", .description = "The place of the run among all, from 0 on."),
    TRACE_TEXT_COLUMN("side", "side", .description = "base or candidate."),
    TRACE_FRAME_BIN_COLUMNS("hitches", "Frames that are longer than the limit of hitches; null "
                                       "where the sides cannot be compared."),
};

static const struct trace_table_type bin_tables[] = {
    TRACE_TABLE("bins", "Frame times", bin_columns)};

static const struct trace_report_type bins_type = {
    .name = "diff-bins", .version = 1, .tables = bin_tables, .table_count = 1};

struct bin_maker {
    struct trace_report *report;
    const struct trace_diff *diff;
    int64_t limit_ns;
};

static void put_bin(const struct bin_maker *maker, uint32_t index,
                    const struct trace_frame_bin *bin)
{
    trace_report_row(maker->report, 0);
    trace_report_integer(maker->report, index);
    trace_report_string(maker->report, trace_side_word(maker->diff->runs[index]->side));
    trace_frame_bin_put(maker->report, bin, maker->diff->is_compared);
}

/* The runs of a side have as many bins each. */
static void put_run(const struct bin_maker *maker, uint32_t index)
{
    const struct trace_run *run = maker->diff->runs[index];
    uint32_t share = TRACE_PAGE_BINS / trace_run_pool_count(&maker->diff->pool, run->side);
    uint32_t frames = run->in_time.count;
    uint32_t bins = share < LEAST_BINS ? LEAST_BINS : share;
    struct trace_run_walker walker = {.frames = &run->in_time};
    struct trace_frame_bin bin = {.frames = 0};
    uint64_t at = 0;

    if (bins > frames)
        bins = frames;
    while (trace_run_frames_next(&walker)) {
        uint64_t place = trace_frame_bin_of(walker.index - 1, frames, bins);
        if (place != at) {
            put_bin(maker, index, &bin);
            at = place;
            bin = (struct trace_frame_bin){.frames = 0};
        }
        trace_frame_bin_add(&bin, &walker.frame, maker->limit_ns);
    }
    if (bin.frames != 0)
        put_bin(maker, index, &bin);
}

enum ludus_status trace_report_diff_bins(const struct trace_diff *diff,
                                         struct trace_report **report, struct ludus_error *error)
{
    struct bin_maker maker = {.diff = diff};
    enum ludus_status status = trace_report_create(&bins_type, &maker.report, error);

    *report = NULL;
    if (status != LUDUS_OK)
        return status;
    if (diff->is_compared)
        maker.limit_ns = (int64_t)floor(fmin(diff->comparison.hitch_ns, 9e18));
    for (uint32_t i = 0; i < diff->pool.count; i++)
        put_run(&maker, i);
    return trace_report_deliver(maker.report, LUDUS_OK, report, error);
}

/* --- by how long they are --------------------------------------------------------------------- */

#define SHARE(column, heading, ...)                                                                \
    {                                                                                              \
        .name = column, .title = heading, .type = TRACE_TYPE_REAL, .unit = TRACE_UNIT_PERCENT,     \
        .decimals = 4, .window = TRACE_OF_RUNS, __VA_ARGS__                                        \
    }

static const struct trace_column histogram_columns[] = {
    TRACE_TIME_COLUMN("from_ns", "from", .description = "Frames of this duration or longer,"),
    TRACE_TIME_COLUMN("until_ns", "until", .description = "and shorter than this."),
    TRACE_COUNT_COLUMN("base_frames", "base", .window = TRACE_OF_RUNS,
                       .description = "How many there are in all runs of the base."),
    TRACE_COUNT_COLUMN("candidate_frames", "candidate", .window = TRACE_OF_RUNS,
                       .description = "How many there are in all runs of the candidate."),
    SHARE("base_percent", "base", .denominator = "frames of the base's runs",
          .description = "The base's as a part of all of them."),
    SHARE("candidate_percent", "candidate", .denominator = "frames of the candidate's runs",
          .description = "The candidate's likewise."),
};

static const struct trace_table_type histogram_tables[] = {
    TRACE_TABLE("histogram", "Distribution of frame times", histogram_columns)};

static const struct trace_report_type distribution_type = {
    .name = "diff-distribution", .version = 1, .tables = histogram_tables, .table_count = 1};

/* Both sides have the same bins. */
static void start(const struct trace_diff *diff, struct trace_histogram *sides)
{
    int64_t min_ns = INT64_MAX, max_ns = 0;

    for (uint32_t i = 0; i < diff->pool.count; i++) {
        const struct trace_run *run = diff->runs[i];
        if (run->frames == 0)
            continue;
        min_ns = run->frame_ns[0] < min_ns ? run->frame_ns[0] : min_ns;
        max_ns = run->frame_ns[run->frames - 1] > max_ns ? run->frame_ns[run->frames - 1] : max_ns;
    }
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        trace_histogram_start(&sides[side], min_ns, max_ns);
}

static void put_histogram(struct trace_report *report, const struct trace_diff *diff)
{
    struct trace_histogram sides[TRACE_SIDES];
    double frames[TRACE_SIDES] = {0.0, 0.0};

    start(diff, sides);
    for (uint32_t i = 0; i < diff->pool.count; i++) {
        const struct trace_run *run = diff->runs[i];
        frames[run->side] += run->frames;
        for (uint32_t k = 0; k < run->frames; k++)
            trace_histogram_add(&sides[run->side], run->frame_ns[k]);
    }
    for (uint32_t i = 0; i < sides[TRACE_BASE].count; i++) {
        trace_report_row(report, 0);
        trace_report_integer(report, sides[TRACE_BASE].edges[i]);
        trace_report_integer(report, sides[TRACE_BASE].edges[i + 1]);
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            trace_report_integer(report, (int64_t)sides[side].counts[i]);
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            trace_put_quotient(report, 100.0 * (double)sides[side].counts[i], frames[side]);
    }
}

enum ludus_status trace_report_diff_distribution(const struct trace_diff *diff,
                                                 struct trace_report **report,
                                                 struct ludus_error *error)
{
    struct trace_report *made;
    enum ludus_status status = trace_report_create(&distribution_type, &made, error);

    *report = NULL;
    if (status != LUDUS_OK)
        return status;
    put_histogram(made, diff);
    return trace_report_deliver(made, LUDUS_OK, report, error);
}
