/* The verdict of a comparison in a line. */
#include <math.h>

#include "diff_tables.h"
#include "diff_words.h"

#define MOST_NAMED 2u /* scopes or budgets that the line names, beside frames and hitches */

static void append_separator(struct trace_text_buffer *text, uint32_t named)
{
    trace_append_format(text, "%s", named == 0 ? "" : "; ");
}

/* Names those of frames and the first scopes of a kind, and says how many there are besides. */
static void append_changes(struct trace_text_buffer *text,
                           const struct trace_comparison *comparison, enum trace_finding finding)
{
    const struct trace_judged *p50 = &comparison->judgement.items[TRACE_FRAME_MEASURE_P50];
    uint32_t all = trace_comparison_count(comparison, finding);
    uint32_t named = 0, scopes = 0;

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
    for (uint32_t i = 0; i < comparison->count && scopes < MOST_NAMED; i++) {
        const struct trace_compared *item = &comparison->items[i];
        if (trace_comparison_judged(comparison, item)->finding != finding)
            continue;
        append_separator(text, named++);
        scopes++;
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
            trace_append_key(text, comparison->keys, budget->key);
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
        trace_append_format(
            text, "%sNew scopes: %u", text->size == 0 ? "" : ". ",
            (unsigned)trace_comparison_unpaired(&diff->comparison, TRACE_CANDIDATE));
    if ((on & TRACE_FAIL_ON_LOSS) != 0)
        trace_append_format(text, "%sThe candidate lost events", text->size == 0 ? "" : ". ");
    trace_append_format(text, ".");
}

static uint32_t count_slower_noise(const struct trace_comparison *comparison)
{
    const struct trace_judgement *judgement = &comparison->judgement;
    uint32_t count = 0;

    for (uint32_t i = TRACE_FRAME_MEASURE_P50 + 1; i < judgement->count; i++)
        count += judgement->items[i].finding == TRACE_FOUND_NOISE &&
                 judgement->items[i].candidate > judgement->items[i].base;
    return count;
}

/* A change that is large and not evident must not read as none: how far it may go is said. */
static void append_median(struct trace_text_buffer *text, const struct trace_judged *p50)
{
    trace_append_format(text, "median frame ");
    trace_append_change(text, p50->base, p50->candidate);
    if (p50->finding != TRACE_FOUND_NOISE)
        return;
    trace_append_format(text, ", which is noise");
    if (!isfinite(p50->test.low) || !isfinite(p50->test.high))
        return;
    trace_append_format(text, ": the change is from ");
    trace_append_time(text, p50->test.low);
    trace_append_format(text, " to ");
    trace_append_time(text, p50->test.high);
}

static void append_list(struct trace_text_buffer *text, const struct trace_comparison *comparison,
                        const char *word, enum trace_finding finding)
{
    if (trace_comparison_count(comparison, finding) == 0)
        return;
    trace_append_format(text, "; %s: ", word);
    append_changes(text, comparison, finding);
}

/* What a pass says depends on what could have been found. */
static void append_pass(struct trace_text_buffer *text, const struct trace_diff *diff)
{
    const struct trace_comparison *comparison = &diff->comparison;
    const struct trace_judged *p50 = &comparison->judgement.items[TRACE_FRAME_MEASURE_P50];
    uint32_t noise = count_slower_noise(comparison);
    uint32_t added = trace_comparison_unpaired(comparison, TRACE_CANDIDATE);

    if (trace_comparison_count(comparison, TRACE_FOUND_WORSE) != 0)
        trace_append_format(text, "Passed, as --fail-on says");
    else if (comparison->judgement.is_tested)
        trace_append_format(text, "No regression%s",
                            noise != 0 || p50->finding == TRACE_FOUND_NOISE ? " is evident" : "");
    else
        trace_append_format(text, "No regression by counts, and too few runs to judge times");
    trace_append_format(text, ", %u and %u runs", (unsigned)comparison->run_count[TRACE_BASE],
                        (unsigned)comparison->run_count[TRACE_CANDIDATE]);
    if (p50->finding != TRACE_FOUND_WORSE && p50->finding != TRACE_FOUND_SUSPECTED_WORSE) {
        trace_append_format(text, ": ");
        append_median(text, p50);
    }
    append_list(text, comparison, "regressed", TRACE_FOUND_WORSE);
    append_list(text, comparison, "suspected", TRACE_FOUND_SUSPECTED_WORSE);
    if (noise != 0)
        trace_append_format(text, "; %u more slower by what is noise", (unsigned)noise);
    if (added != 0)
        trace_append_format(text, "; %u new and not judged", (unsigned)added);
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
