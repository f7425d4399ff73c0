/* A comparison from options to verdict. */
#include "diff.h"

#include <stdlib.h>

#include "diff_overrides.h"
#include "failure.h"
#include "text_buffer.h"

/* --- the sides -------------------------------------------------------------------------------- */

static enum ludus_status check_options(const struct trace_diff_options *options,
                                       struct ludus_error *error)
{
    if (options->base_count == 0 || options->candidate_count == 0)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "the side of the %s is empty; give captures of both: diff BASE... --to "
                          "CANDIDATE...",
                          options->base_count == 0 ? "base" : "candidate");
    if (options->selection.window_count > 1)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "a comparison is of one window; give one --window");
    return LUDUS_OK;
}

static enum ludus_status read_side(struct trace_diff *diff, const char *const *paths, size_t count,
                                   enum trace_side side, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;

    for (size_t i = 0; status == LUDUS_OK && i < count; i++)
        status = trace_run_pool_add(&diff->pool, paths[i], side, error);
    return status;
}

static enum ludus_status read_runs(struct trace_diff *diff,
                                   const struct trace_diff_options *options,
                                   const struct trace_watch *watch, struct ludus_error *error)
{
    struct trace_selection *selection = &diff->selection;
    struct trace_digest_options digest = {.selection = selection,
                                          .is_by_path = options->is_by_path,
                                          .has_frames_in_time = options->has_frames_in_time};

    *selection = options->selection;
    if (selection->window_count == 0 && diff->config->window != NULL) {
        selection->windows = &diff->config->window;
        selection->window_count = 1;
    }
    if (selection->domain == NULL)
        selection->domain = diff->config->domain;
    if (options->has_contexts && options->is_by_path)
        diff->contexts = &diff->pool.keys;
    else if (options->has_contexts)
        diff->contexts = digest.contexts = &diff->context_keys;
    if ((digest.contexts != NULL && !trace_scope_keys_create(digest.contexts)) ||
        !trace_run_pool_create(&diff->pool, &digest, watch))
        return trace_fail_memory(error);
    enum ludus_status status =
        read_side(diff, options->base, options->base_count, TRACE_BASE, error);
    if (status == LUDUS_OK)
        status =
            read_side(diff, options->candidate, options->candidate_count, TRACE_CANDIDATE, error);
    if (status != LUDUS_OK)
        return status;
    diff->runs = trace_run_pool_list(&diff->pool);
    trace_scope_keys_sort_lines(&diff->context_keys);
    return diff->runs == NULL || !trace_scope_keys_sort(&diff->pool.keys) ? trace_fail_memory(error)
                                                                          : LUDUS_OK;
}

/* --- what only a comparison shows ------------------------------------------------------------- */

/* Captures of different programs have no scope in common; or, where there is none, nothing else. */
static bool check_pairs(struct trace_diff *diff)
{
    const struct trace_comparison *comparison = &diff->comparison;
    uint32_t scopes = 0, pairs_of_scopes = 0, pairs = 0;

    for (uint32_t i = 0; i < comparison->count; i++) {
        const struct trace_compared *item = &comparison->items[i];
        scopes += trace_compared_is_scope(item);
        pairs += trace_compared_is_paired(item);
        pairs_of_scopes += trace_compared_is_scope(item) && trace_compared_is_paired(item);
    }
    return comparison->count == 0 || (scopes != 0 ? pairs_of_scopes : pairs) != 0 ||
           trace_warnings_add(&diff->found.reasons,
                              "nothing of one side is on the other: scopes are paired by name, "
                              "file and category, and these are not of the same program");
}

/* A budget that holds nothing would always pass: its scope was renamed, taken out, or never there.
 */
static bool check_entries(struct trace_diff *diff)
{
    const struct trace_limit_entry *entry;
    enum trace_limit_kind kind;
    uint32_t index = 0;

    while ((entry = trace_diff_config_next_unused(diff->config, &index, &kind)) != NULL) {
        bool is_budget = trace_limits_have_budget(&entry->limits);
        if (!trace_warnings_add(is_budget ? &diff->found.reasons : &diff->found.warnings,
                                "%s:%u: nothing of the candidate has the name '%s'%s",
                                diff->config->path, (unsigned)entry->line, entry->name,
                                is_budget ? ", and its budget would hold nothing; mend the name, "
                                            "or take the entry out"
                                          : "; the entry does nothing"))
            return false;
    }
    return true;
}

static bool exceeds_budget(const struct trace_comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->budget_count; i++)
        if (trace_budget_is_exceeded(&comparison->budgets[i]))
            return true;
    return false;
}

static bool has_loss(const struct trace_diff *diff)
{
    for (uint32_t i = diff->pool.base_runs; i < diff->pool.count; i++)
        if (diff->runs[i]->lost != 0)
            return true;
    return false;
}

static void decide(struct trace_diff *diff)
{
    const struct trace_comparison *comparison = &diff->comparison;
    unsigned found = 0;

    if (!diff->is_compared) {
        diff->verdict = TRACE_DIFF_INCOMPARABLE;
        return;
    }
    if (trace_comparison_count(comparison, TRACE_FOUND_WORSE) != 0)
        found |= TRACE_FAIL_ON_REGRESSION;
    if (trace_comparison_count(comparison, TRACE_FOUND_SUSPECTED_WORSE) != 0)
        found |= TRACE_FAIL_ON_SUSPECTED;
    if (exceeds_budget(comparison))
        found |= TRACE_FAIL_ON_BUDGET;
    if (has_loss(diff))
        found |= TRACE_FAIL_ON_LOSS;
    if (trace_comparison_unpaired(comparison, TRACE_CANDIDATE) != 0)
        found |= TRACE_FAIL_ON_NEW;
    diff->failed_on = found & diff->config->fail_on;
    diff->verdict = diff->failed_on != 0 ? TRACE_DIFF_FAIL : TRACE_DIFF_PASS;
}

/* --- what must be known ----------------------------------------------------------------------- */

static void tell_reason(const char *reason, struct trace_listener *listener)
{
    struct trace_text_buffer text = {NULL, 0, 0, false};

    trace_append_format(&text, "cannot be compared: ");
    trace_text_buffer_append(&text, reason, strlen(reason) + 1);
    listener->warn(listener->context, text.has_failed ? reason : text.data);
    trace_text_buffer_release(&text);
}

static void tell(const struct trace_diff *diff, struct trace_listener *listener)
{
    trace_warnings_tell(&diff->pool.copies, listener);
    trace_warnings_tell(&diff->found.warnings, listener);
    if (listener != NULL && listener->warn != NULL)
        for (uint32_t i = 0; i < diff->found.reasons.count; i++)
            tell_reason(diff->found.reasons.lines[i], listener);
    if (listener != NULL)
        for (uint32_t i = 0; i < diff->pool.count; i++)
            listener->has_loss = listener->has_loss || diff->runs[i]->lost != 0;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool compare(struct trace_diff *diff)
{
    uint32_t base_runs = diff->pool.base_runs;
    uint32_t candidate_runs = trace_run_pool_count(&diff->pool, TRACE_CANDIDATE);

    if (!trace_comparability_check(diff->runs, base_runs, candidate_runs, diff->config,
                                   &diff->found))
        return false;
    if (diff->found.reasons.count != 0)
        return true;
    if (!trace_compare(&diff->pool.keys, diff->runs, base_runs, candidate_runs, diff->config,
                       &diff->comparison) ||
        !check_pairs(diff) || !check_entries(diff))
        return false;
    diff->is_compared = diff->found.reasons.count == 0;
    return true;
}

static enum ludus_status make(struct trace_diff *diff, const struct trace_diff_options *options,
                              const struct trace_watch *watch, struct ludus_error *error)
{
    enum ludus_status status = check_options(options, error);

    if (status == LUDUS_OK)
        status = trace_diff_configure(options, &diff->config, error);
    if (status == LUDUS_OK)
        status = read_runs(diff, options, watch, error);
    if (status == LUDUS_OK && !compare(diff))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        decide(diff);
    return status;
}

enum ludus_status trace_diff_open(const struct trace_diff_options *options,
                                  struct trace_listener *listener, struct trace_diff **diff,
                                  struct ludus_error *error)
{
    struct trace_diff *made = calloc(1, sizeof *made);

    *diff = NULL;
    if (made == NULL)
        return trace_fail_memory(error);
    made->is_filtered =
        options->selection.site_count != 0 || options->selection.category_count != 0;
    enum ludus_status status =
        make(made, options, listener == NULL ? NULL : listener->watch, error);
    if (status != LUDUS_OK) {
        trace_diff_close(made);
        return status;
    }
    tell(made, listener);
    *diff = made;
    return LUDUS_OK;
}

void trace_diff_close(struct trace_diff *diff)
{
    if (diff == NULL)
        return;
    trace_comparison_destroy(&diff->comparison);
    trace_comparability_destroy(&diff->found);
    free(diff->runs);
    trace_run_pool_destroy(&diff->pool);
    trace_scope_keys_destroy(&diff->context_keys);
    trace_diff_config_destroy(diff->config);
    free(diff);
}

enum trace_diff_verdict trace_diff_get_verdict(const struct trace_diff *diff)
{
    return diff->verdict;
}

enum ludus_status trace_diff_refuse(const struct trace_diff *diff, struct ludus_error *error)
{
    return trace_fail(error, LUDUS_ERROR_UNAVAILABLE, "cannot be compared: %s",
                      diff->found.reasons.lines[0]);
}
