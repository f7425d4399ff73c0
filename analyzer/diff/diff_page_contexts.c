/* The callers' contexts of both sides for a page: as many of the largest as it can have. */
#include <math.h>
#include <stdlib.h>

#include "diff_column_kinds.h"
#include "diff_contexts.h"
#include "diff_page_tables.h"
#include "diff_tables.h"
#include "failure.h"
#include "page_writer.h"
#include "report_parts.h"

#define BELOW "; that of all contexts below it is in it, so that a tree adds up"

static const struct trace_column columns[] = {
    TRACE_NUMBER_COLUMN("node", "node",
                        .description = "The number of the context, from 1 on in the order of the "
                                       "whole tree, whatever of it is shown."),
    TRACE_NUMBER_COLUMN("parent", "parent",
                        .description = "The number of the context above; null for a root."),
    TRACE_TEXT_COLUMN("part", "part",
                      .description = "frames: on the track that marks the frames; others: on all "
                                     "other tracks, together."),
    TRACE_TEXT_COLUMN("scope", "scope", .description = "The name of the scope."),
    TRACE_TEXT_COLUMN("category", "category",
                      .description = "Its category; null when it has none."),
    TRACE_TEXT_COLUMN("file", "file", .description = "The source file, from the source root."),
    TRACE_NUMBER_COLUMN("line", "line",
                        .description = "A line in it on which the candidate has the scope, or else "
                                       "the base; null when it is not known."),
    TRACE_TEXT_COLUMN("is_waiting", "waits",
                      .description = "yes when the category is wait: time spent waiting."),
    TRACE_PER_FRAME_COLUMN("base_inclusive_ns", "base incl", .denominator = TRACE_PER_RUN,
                           .description = "Exclusive time per frame in the mean of the base's "
                                          "runs" BELOW "."),
    TRACE_PER_FRAME_COLUMN("candidate_inclusive_ns", "candidate incl", .denominator = TRACE_PER_RUN,
                           .description = "The same of the candidate."),
    TRACE_PER_FRAME_COLUMN("base_exclusive_ns", "base excl", .denominator = TRACE_PER_RUN,
                           .description = "Exclusive time per frame, waiting included, in the mean "
                                          "of the base's runs."),
    TRACE_PER_FRAME_COLUMN("candidate_exclusive_ns", "candidate excl", .denominator = TRACE_PER_RUN,
                           .description = "The same of the candidate."),
    TRACE_CALLS_COLUMN("base_calls", "base calls",
                       .description = "Calls per frame, in the mean of the base's runs."),
    TRACE_CALLS_COLUMN("candidate_calls", "candidate calls",
                       .description = "The same of the candidate."),
    TRACE_PER_FRAME_COLUMN("change_ns", "by", .denominator = TRACE_PER_RUN,
                           .description = "candidate_exclusive_ns - base_exclusive_ns."),
    TRACE_FINDING_COLUMN,
    TRACE_COUNT_COLUMN("left_out", "left out",
                       .description = "Contexts below it that are too small, or too deep, for the "
                                      "page."),
};

static const struct trace_table_type tables[] = {
    TRACE_TABLE("contexts", "Callers' contexts", columns)};

static const struct trace_report_type contexts_type = {
    .name = "diff-contexts", .version = 1, .tables = tables, .table_count = 1};

struct maker {
    struct trace_report *report;
    const struct trace_diff *diff;
    struct trace_contexts contexts;
    uint32_t *shown_at; /* by context: itself when it is shown, or the one above that is, or
                           TRACE_NONE */
    uint32_t *left_out; /* by context that is shown: how many below it are not */
    enum trace_finding *findings; /* by part and key */
};

/* --- what is left out ------------------------------------------------------------------------- */

/* No context is larger than the one above it, or stands before it: what is chosen is a tree. */
static bool choose(struct maker *maker)
{
    const struct trace_contexts *contexts = &maker->contexts;
    struct trace_sized_context *sorted = calloc((size_t)contexts->count + 1, sizeof *sorted);
    uint32_t count = 0;

    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < contexts->count; i++) {
        maker->shown_at[i] = TRACE_NONE;
        if (contexts->items[i].depth < TRACE_PAGE_DEPTH)
            sorted[count++] =
                (struct trace_sized_context){trace_context_size(&contexts->items[i]), i};
    }
    trace_sized_contexts_sort(sorted, count);
    for (uint32_t i = 0; i < count && i < TRACE_PAGE_TREE_ROWS; i++)
        maker->shown_at[sorted[i].place] = sorted[i].place;
    free(sorted);
    return true;
}

/* Counts what is left out at the one above that is shown. Returns how many have none. */
static uint32_t count_left_out(struct maker *maker)
{
    const struct trace_contexts *contexts = &maker->contexts;
    uint32_t without = 0;

    for (uint32_t i = 0; i < contexts->count; i++) {
        uint32_t parent = contexts->items[i].parent;
        if (maker->shown_at[i] == i)
            continue;
        maker->shown_at[i] = parent == TRACE_NONE ? TRACE_NONE : maker->shown_at[parent];
        if (maker->shown_at[i] == TRACE_NONE)
            without++;
        else
            maker->left_out[maker->shown_at[i]]++;
    }
    return without;
}

/* --- what was found --------------------------------------------------------------------------- */

static enum trace_finding *finding_of(const struct maker *maker, uint32_t key,
                                      bool is_on_frame_track)
{
    return &maker->findings[key + (is_on_frame_track ? 0 : maker->diff->contexts->count)];
}

/* A comparison by path judges contexts. One by site does not: they would be a family of their own
 * beside the one whose level is kept. */
static void find_findings(struct maker *maker)
{
    const struct trace_comparison *comparison = &maker->diff->comparison;

    for (uint32_t i = 0; i < 2 * maker->diff->contexts->count; i++)
        maker->findings[i] = TRACE_FOUND_SHOWN;
    if (comparison->keys != maker->diff->contexts)
        return;
    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        if (trace_compared_is_scope(item))
            *finding_of(maker, item->key, item->measure == TRACE_MEASURE_FRAME_TRACK) =
                trace_comparison_judged(comparison, item)->finding;
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A line of the candidate where it has one. */
static void put_line(const struct maker *maker, uint32_t key)
{
    uint32_t count, line = 0;
    const struct trace_key_line *lines =
        trace_scope_keys_find_lines(maker->diff->contexts, key, &count);

    for (uint32_t i = count; i-- > 0;)
        if (lines[i].is_of[TRACE_CANDIDATE])
            line = lines[i].line;
    if (line == 0 && count != 0)
        line = lines[0].line;
    if (line == 0)
        trace_report_null(maker->report);
    else
        trace_report_integer(maker->report, line);
}

static void put_scope(const struct maker *maker, const struct trace_context *context)
{
    const struct trace_scope_key *key = &maker->diff->contexts->items[context->key];
    struct trace_report *report = maker->report;

    trace_report_string(report, context->is_on_frame_track ? "frames" : "others");
    trace_report_text(report, key->name.data, key->name.size);
    trace_put_known_text(report, key->category);
    trace_put_known_text(report, key->file);
    put_line(maker, context->key);
    if (key->is_waiting)
        trace_report_string(report, "yes");
    else
        trace_report_null(report);
}

static void put_context(const struct maker *maker, uint32_t place)
{
    const struct trace_context *context = &maker->contexts.items[place];
    struct trace_report *report = maker->report;

    trace_report_row(report, 0);
    trace_report_integer(report, (int64_t)place + 1);
    if (context->parent == TRACE_NONE)
        trace_report_null(report);
    else
        trace_report_integer(report, (int64_t)context->parent + 1);
    put_scope(maker, context);
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        trace_report_real(report, trace_whole_picoseconds(context->inclusive_ns[side]));
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        trace_report_real(report, context->exclusive_ns[side]);
    for (uint32_t side = 0; side < TRACE_SIDES; side++)
        trace_report_real(report, context->calls[side]);
    trace_report_real(report, trace_whole_picoseconds(context->exclusive_ns[TRACE_CANDIDATE] -
                                                      context->exclusive_ns[TRACE_BASE]));
    trace_diff_put_finding(report, *finding_of(maker, context->key, context->is_on_frame_track));
    trace_report_integer(report, maker->left_out[place]);
}

static bool make(struct maker *maker)
{
    size_t keys = maker->diff->contexts->count;

    if (!trace_contexts_create(&maker->contexts, maker->diff))
        return false;
    size_t count = (size_t)maker->contexts.count + 1;
    maker->shown_at = calloc(count, sizeof *maker->shown_at);
    maker->left_out = calloc(count, sizeof *maker->left_out);
    maker->findings = calloc(2 * keys + 1, sizeof *maker->findings);
    if (maker->shown_at == NULL || maker->left_out == NULL || maker->findings == NULL ||
        !choose(maker))
        return false;
    uint32_t without = count_left_out(maker);
    find_findings(maker);
    for (uint32_t i = 0; i < maker->contexts.count; i++)
        if (maker->shown_at[i] == i)
            put_context(maker, i);
    if (without != 0)
        trace_report_note(maker->report, 0, "%u more, in roots that are too small, are not shown.",
                          (unsigned)without);
    return true;
}

enum ludus_status trace_report_diff_contexts(const struct trace_diff *diff,
                                             struct trace_report **report,
                                             struct ludus_error *error)
{
    struct maker maker = {.diff = diff};
    enum ludus_status status = trace_report_create(&contexts_type, &maker.report, error);

    *report = NULL;
    if (status == LUDUS_OK) {
        if (!make(&maker))
            status = trace_fail_memory(error);
        status = trace_report_deliver(maker.report, status, report, error);
    }
    trace_contexts_destroy(&maker.contexts);
    free(maker.shown_at);
    free(maker.left_out);
    free(maker.findings);
    return status;
}
