/* The verdict of a comparison in a line. */
#include "diff_tables.h"
#include "diff_words.h"

#define MOST_NAMED 2u /* changes that the line names */

static void append_separator(struct trace_text_buffer *text, uint32_t named)
{
    trace_append_format(text, "%s", named == 0 ? "" : "; ");
}

/* Names the first changes of a kind, and says how many there are besides. */
static void append_changes(struct trace_text_buffer *text,
                           const struct trace_comparison *comparison, enum trace_finding finding)
{
    const struct trace_judged *p50 = &comparison->judgement.items[TRACE_FRAME_MEASURE_P50];
    uint32_t all = trace_comparison_count(comparison, finding);
    uint32_t named = 0;

    if (p50->finding == finding) {
        trace_append_format(text, "median frame ");
        trace_append_change(text, p50->base, p50->candidate);
        named++;
    }
    if (comparison->judgement.items[TRACE_FRAME_MEASURE_HITCHES].finding == finding) {
        append_separator(text, named++);
        trace_append_format(text, "hitches ");
        trace_append_hitches(text, comparison);
    }
    for (uint32_t i = 0; i < comparison->count && named < MOST_NAMED; i++) {
        const struct trace_compared *item = &comparison->items[i];
        if (trace_comparison_judged(comparison, item)->finding != finding)
            continue;
        append_separator(text, named++);
        trace_append_compared(text, comparison, item);
        trace_append_format(text, " ");
        trace_append_change(text, item->change.base_ns, item->change.candidate_ns);
        trace_append_format(text, ", ");
        trace_append_why(text, item);
    }
    if (all > named)
        trace_append_format(text, "; %u more", (unsigned)(all - named));
}

static void append_budgets(struct trace_text_buffer *text,
                           const struct trace_comparison *comparison)
{
    uint32_t named = 0, all = 0;

    for (uint32_t i = 0; i < comparison->budget_count; i++) {
        const struct trace_budget *budget = &comparison->budgets[i];
        if (!trace_budget_is_exceeded(budget))
            continue;
        all++;
        if (named == MOST_NAMED)
            continue;
        append_separator(text, named++);
        if (budget->key != TRACE_NONE) {
            trace_append_scope(text, comparison->keys, budget->key);
            trace_append_format(text, ", ");
        }
        trace_append_format(text, "%s ", budget->what);
        trace_append_budget(text, budget);
    }
    if (all > named)
        trace_append_format(text, "; %u more", (unsigned)(all - named));
}

static void append_failure(struct trace_text_buffer *text, const struct trace_diff *diff)
{
    unsigned on = diff->failed_on;

    if ((on & TRACE_FAIL_ON_REGRESSION) != 0) {
        trace_append_format(text, "Regression: ");
        append_changes(text, &diff->comparison, TRACE_FOUND_WORSE);
    }
    if ((on & TRACE_FAIL_ON_BUDGET) != 0) {
        trace_append_format(text, "%sBudget exceeded: ", text->size == 0 ? "" : ". ");
        append_budgets(text, &diff->comparison);
    }
    if ((on & TRACE_FAIL_ON_SUSPECTED) != 0) {
        trace_append_format(text, "%sSuspected: ", text->size == 0 ? "" : ". ");
        append_changes(text, &diff->comparison, TRACE_FOUND_SUSPECTED_WORSE);
    }
    if ((on & TRACE_FAIL_ON_NEW) != 0)
        trace_append_format(text, "%sThere are new scopes", text->size == 0 ? "" : ". ");
    if ((on & TRACE_FAIL_ON_LOSS) != 0)
        trace_append_format(text, "%sThe candidate lost events", text->size == 0 ? "" : ". ");
    trace_append_format(text, ".");
}

/* What a pass says depends on what could have been found. */
static void append_pass(struct trace_text_buffer *text, const struct trace_diff *diff)
{
    const struct trace_comparison *comparison = &diff->comparison;
    const struct trace_judged *p50 = &comparison->judgement.items[TRACE_FRAME_MEASURE_P50];
    uint32_t suspected = trace_comparison_count(comparison, TRACE_FOUND_SUSPECTED_WORSE);
    uint32_t regressions = trace_comparison_count(comparison, TRACE_FOUND_WORSE);

    trace_append_format(text, regressions != 0 ? "Passed, as --fail-on says: "
                              : comparison->judgement.is_tested
                                  ? "No regression: "
                                  : "No regression shown, and for times none excluded: ");
    trace_append_format(text, "median frame ");
    trace_append_change(text, p50->base, p50->candidate);
    trace_append_format(text, ", %u and %u runs", (unsigned)comparison->run_count[TRACE_BASE],
                        (unsigned)comparison->run_count[TRACE_CANDIDATE]);
    if (regressions != 0) {
        trace_append_format(text, "; regressed: ");
        append_changes(text, comparison, TRACE_FOUND_WORSE);
    }
    if (suspected != 0) {
        trace_append_format(text, "; suspected: ");
        append_changes(text, comparison, TRACE_FOUND_SUSPECTED_WORSE);
    }
    trace_append_format(text, ".");
}

void trace_append_summary(struct trace_text_buffer *text, const struct trace_diff *diff)
{
    switch (diff->verdict) {
    case TRACE_DIFF_PASS:
        append_pass(text, diff);
        return;
    case TRACE_DIFF_FAIL:
        append_failure(text, diff);
        return;
    case TRACE_DIFF_INCOMPARABLE:
        trace_append_format(text, "Cannot be compared: ");
        trace_text_buffer_append(text, diff->found.reasons.lines[0],
                                 strlen(diff->found.reasons.lines[0]));
        if (diff->found.reasons.count > 1)
            trace_append_format(text, "; %u more reason%s",
                                (unsigned)(diff->found.reasons.count - 1),
                                diff->found.reasons.count == 2 ? "" : "s");
        trace_append_format(text, ".");
    }
}
