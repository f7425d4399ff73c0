/* A comparison as a report of tests: which cases there are, and how each of them ended. */
#include <inttypes.h>

#include "diff.h"
#include "diff_tables.h"
#include "diff_words.h"
#include "failure.h"
#include "junit_case.h"
#include "xml_text.h"

/* All cases are gone through twice, since their numbers stand in front of them. */
struct junit {
    const struct trace_diff *diff;
    struct trace_writer *writer; /* NULL: they are counted */
    uint64_t counts[TRACE_JUNIT_OUTCOMES];
    bool has_failed; /* memory was short */
};

/* Counts or writes the case, and releases its texts. */
static void take_case(struct junit *junit, struct trace_junit_case *it)
{
    junit->has_failed = junit->has_failed || it->name.has_failed || it->words.has_failed;
    junit->counts[it->outcome]++;
    if (junit->writer != NULL && !junit->has_failed)
        trace_junit_put_case(junit->writer, it);
    trace_text_buffer_release(&it->name);
    trace_text_buffer_release(&it->words);
}

/* --- what was judged -------------------------------------------------------------------------- */

static bool fails_on(const struct junit *junit, enum trace_fail_on what)
{
    return (junit->diff->config->fail_on & (unsigned)what) != 0;
}

static enum trace_junit_outcome outcome_of(const struct junit *junit, enum trace_finding finding)
{
    switch (finding) {
    case TRACE_FOUND_WORSE:
        return fails_on(junit, TRACE_FAIL_ON_REGRESSION) ? TRACE_JUNIT_FAILED : TRACE_JUNIT_SKIPPED;
    case TRACE_FOUND_SUSPECTED_WORSE:
        return fails_on(junit, TRACE_FAIL_ON_SUSPECTED) ? TRACE_JUNIT_FAILED : TRACE_JUNIT_SKIPPED;
    case TRACE_FOUND_NOISE:
    case TRACE_FOUND_SUSPECTED_BETTER:
        return TRACE_JUNIT_SKIPPED;
    case TRACE_FOUND_SAME:
    case TRACE_FOUND_FEW:
    case TRACE_FOUND_BETTER:
    case TRACE_FOUND_SHOWN:
        break;
    }
    return TRACE_JUNIT_PASSED;
}

/* Why a change for the worse is no failure. */
static const char *excuse_of(const struct junit *junit, enum trace_finding finding)
{
    switch (finding) {
    case TRACE_FOUND_WORSE:
        return fails_on(junit, TRACE_FAIL_ON_REGRESSION) ? "" : "; --fail-on leaves it out";
    case TRACE_FOUND_NOISE:
        return "; runs of one side differ as much";
    case TRACE_FOUND_SUSPECTED_WORSE:
    case TRACE_FOUND_SUSPECTED_BETTER:
        return "; there are too few runs to say";
    case TRACE_FOUND_SAME:
    case TRACE_FOUND_FEW:
    case TRACE_FOUND_BETTER:
    case TRACE_FOUND_SHOWN:
        break;
    }
    return "";
}

static void take_frames(struct junit *junit, enum trace_frame_measure measure)
{
    const struct trace_comparison *comparison = &junit->diff->comparison;
    const struct trace_judged *judged = &comparison->judgement.items[measure];
    bool is_hitches = measure == TRACE_FRAME_MEASURE_HITCHES;
    struct trace_junit_case it = {.group = "frames",
                                  .outcome = outcome_of(junit, judged->finding),
                                  .type = trace_finding_word(judged->finding)};

    if (it.type == NULL)
        return;
    trace_append_format(&it.name, "%s", is_hitches ? "hitches" : "median frame");
    trace_append_format(&it.words, "%s: ", it.type);
    if (is_hitches)
        trace_append_hitches(&it.words, comparison);
    else
        trace_append_change(&it.words, judged->base, judged->candidate);
    trace_append_format(&it.words, "%s", excuse_of(junit, judged->finding));
    take_case(junit, &it);
}

static const char *group_of(const struct trace_compared *item)
{
    return item->measure <= TRACE_MEASURE_ALL_TRACKS ? "scopes" : "gpu";
}

static void take_compared(struct junit *junit, const struct trace_compared *item)
{
    const struct trace_comparison *comparison = &junit->diff->comparison;
    enum trace_finding finding = trace_comparison_judged(comparison, item)->finding;
    struct trace_junit_case it = {.group = group_of(item),
                                  .file = comparison->keys->items[item->key].file,
                                  .outcome = outcome_of(junit, finding),
                                  .type = trace_finding_word(finding)};
    struct trace_text_buffer why = {NULL, 0, 0, false};

    if (it.type == NULL)
        return;
    trace_append_compared(&it.name, comparison, item);
    trace_append_format(&it.words, "%s: ", it.type);
    trace_append_change(&it.words, item->change.base_ns, item->change.candidate_ns);
    trace_append_why(&why, item);
    if (why.size != 0) {
        trace_append_format(&it.words, ", ");
        trace_text_buffer_append(&it.words, why.data, why.size);
    }
    trace_append_format(&it.words, "%s", excuse_of(junit, finding));
    junit->has_failed = junit->has_failed || why.has_failed;
    trace_text_buffer_release(&why);
    take_case(junit, &it);
}

/* --- what the candidate has to hold by itself ------------------------------------------------- */

static void take_budget(struct junit *junit, const struct trace_budget *budget)
{
    const struct trace_scope_keys *keys = junit->diff->comparison.keys;
    bool is_exceeded = trace_budget_is_exceeded(budget);
    struct trace_junit_case it = {.group = "budgets",
                                  .outcome = !is_exceeded ? TRACE_JUNIT_PASSED
                                             : fails_on(junit, TRACE_FAIL_ON_BUDGET)
                                                 ? TRACE_JUNIT_FAILED
                                                 : TRACE_JUNIT_SKIPPED,
                                  .type = "budget"};

    if (budget->key != TRACE_NONE) {
        it.file = keys->items[budget->key].file;
        trace_append_key(&it.name, keys, budget->key);
        trace_append_format(&it.name, ", ");
    }
    trace_append_format(&it.name, "%s", budget->what);
    trace_append_format(&it.words, "%s: ", is_exceeded ? "exceeded" : "held");
    trace_append_budget(&it.words, budget);
    if (it.outcome == TRACE_JUNIT_SKIPPED)
        trace_append_format(&it.words, "; --fail-on leaves it out");
    take_case(junit, &it);
}

static void take_loss(struct junit *junit, const struct trace_run *run)
{
    struct trace_junit_case it = {.group = "losses",
                                  .outcome =
                                      run->lost != 0 ? TRACE_JUNIT_FAILED : TRACE_JUNIT_PASSED,
                                  .type = "loss"};

    trace_text_buffer_append(&it.name, run->label.data, run->label.size);
    if (run->lost != 0)
        trace_append_format(&it.words, "events lost: %" PRIu64, run->lost);
    take_case(junit, &it);
}

static void take_new(struct junit *junit, const struct trace_compared *item)
{
    const struct trace_comparison *comparison = &junit->diff->comparison;
    struct trace_junit_case it = {.group = "new scopes",
                                  .file = comparison->keys->items[item->key].file,
                                  .outcome = TRACE_JUNIT_FAILED,
                                  .type = "new"};

    trace_append_compared(&it.name, comparison, item);
    trace_append_format(&it.words, "the base does not have it");
    take_case(junit, &it);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* The one case that there always is: the others depend on it. */
static void take_comparability(struct junit *junit)
{
    const struct trace_warnings *reasons = &junit->diff->found.reasons;
    struct trace_junit_case it = {.group = "sides",
                                  .outcome = junit->diff->is_compared ? TRACE_JUNIT_PASSED
                                                                      : TRACE_JUNIT_BROKEN,
                                  .type = "incomparable"};

    trace_append_format(&it.name, "can be compared");
    for (uint32_t i = 0; i < reasons->count; i++) {
        trace_append_format(&it.words, "%s", i == 0 ? "" : "\n");
        trace_text_buffer_append(&it.words, reasons->lines[i], strlen(reasons->lines[i]));
    }
    take_case(junit, &it);
}

static void take_all(struct junit *junit)
{
    const struct trace_diff *diff = junit->diff;
    const struct trace_comparison *comparison = &diff->comparison;

    take_comparability(junit);
    if (!diff->is_compared)
        return;
    take_frames(junit, TRACE_FRAME_MEASURE_P50);
    take_frames(junit, TRACE_FRAME_MEASURE_HITCHES);
    for (uint32_t i = 0; i < comparison->count; i++)
        take_compared(junit, &comparison->items[i]);
    for (uint32_t i = 0; i < comparison->budget_count; i++)
        take_budget(junit, &comparison->budgets[i]);
    if (fails_on(junit, TRACE_FAIL_ON_LOSS))
        for (uint32_t i = diff->pool.base_runs; i < diff->pool.count; i++)
            take_loss(junit, diff->runs[i]);
    if (fails_on(junit, TRACE_FAIL_ON_NEW))
        for (uint32_t i = 0; i < comparison->count; i++)
            if (trace_compared_is_scope(&comparison->items[i]) &&
                trace_compared_is_new(&comparison->items[i]))
                take_new(junit, &comparison->items[i]);
}

static void put_suite(struct junit *junit, struct trace_writer *writer)
{
    struct trace_text_buffer summary = {NULL, 0, 0, false};
    const uint64_t counts[TRACE_JUNIT_OUTCOMES] = {
        junit->counts[TRACE_JUNIT_PASSED], junit->counts[TRACE_JUNIT_FAILED],
        junit->counts[TRACE_JUNIT_SKIPPED], junit->counts[TRACE_JUNIT_BROKEN]};

    trace_put_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    trace_junit_put_counts(writer, counts);
    trace_put_text(writer, "  <testsuite name=\"ludus-trace diff\"");
    trace_junit_put_counts(writer, counts);
    junit->writer = writer;
    take_all(junit);
    trace_append_summary(&summary, junit->diff);
    trace_put_text(writer, "    <system-out>");
    trace_xml_put(writer, summary.data, summary.size);
    trace_put_text(writer, "</system-out>\n  </testsuite>\n</testsuites>\n");
    junit->has_failed = junit->has_failed || summary.has_failed;
    trace_text_buffer_release(&summary);
}

enum ludus_status trace_export_diff_junit(const struct trace_diff *diff, struct trace_output output,
                                          struct ludus_error *error)
{
    struct junit junit = {.diff = diff};
    struct trace_writer writer;

    take_all(&junit);
    trace_writer_start(&writer, output);
    put_suite(&junit, &writer);
    if (trace_writer_flush(&writer) != LUDUS_OK)
        return trace_fail(error, LUDUS_ERROR_WRITE, "the report of tests cannot be written");
    return junit.has_failed ? trace_fail_memory(error) : LUDUS_OK;
}
