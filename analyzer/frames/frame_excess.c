/* Compares the scopes of a frame with their medians. */
#include "frame_excess.h"

#include <stdlib.h>

const char *const trace_excess_names[] = {[TRACE_EXCESS_WAIT] = "waiting",
                                          [TRACE_EXCESS_MORE] = "more work",
                                          [TRACE_EXCESS_SLOWER] = "slower work",
                                          [TRACE_EXCESS_BOTH] = "both"};

/* What so many calls would have taken if each took as long as in the median frame. */
static enum trace_excess_cause find_cause(const struct trace_excess *excess)
{
    const struct trace_scope_value *value = &excess->value, *median = &excess->median;
    if (median->calls == 0)
        return TRACE_EXCESS_MORE;
    double expected_ns = (double)median->own_ns * (double)value->calls / (double)median->calls;
    double by_calls = (expected_ns - (double)median->own_ns) / (double)excess->excess_ns;
    if (by_calls >= 0.75)
        return TRACE_EXCESS_MORE;
    return by_calls <= 0.25 ? TRACE_EXCESS_SLOWER : TRACE_EXCESS_BOTH;
}

static int compare(const void *a, const void *b)
{
    const struct trace_excess *left = a;
    const struct trace_excess *right = b;
    bool is_left_wait = left->cause == TRACE_EXCESS_WAIT;
    bool is_right_wait = right->cause == TRACE_EXCESS_WAIT;
    if (is_left_wait != is_right_wait)
        return is_left_wait ? 1 : -1;
    if (left->excess_ns != right->excess_ns)
        return left->excess_ns < right->excess_ns ? 1 : -1;
    int order = trace_text_compare(&left->facts->name, &right->facts->name);
    return order != 0 ? order : (left->site > right->site) - (left->site < right->site);
}

uint32_t trace_frame_excess(const struct trace_model *model,
                            const struct trace_frame_scopes *scopes,
                            const struct trace_chosen *chosen, uint32_t asked, uint32_t window,
                            struct trace_excess *list, uint32_t *waits)
{
    uint32_t count = 0;
    *waits = 0;
    for (uint32_t i = TRACE_FIXED_SUBJECTS; i < scopes->subject_count; i++) {
        uint32_t site = scopes->sites[i];
        struct trace_excess excess = {.facts = &model->sites[site],
                                      .value = *trace_scope_value(scopes, i, asked),
                                      .median = *trace_scope_median(scopes, i, window),
                                      .has_median = scopes->medians_of[window] != 0,
                                      .site = site};
        excess.excess_ns = excess.value.own_ns - excess.median.own_ns;
        if (excess.excess_ns <= 0 || !trace_chosen_shows(chosen, site))
            continue;
        bool is_wait = trace_site_is_waiting(model, site);
        excess.cause = is_wait ? TRACE_EXCESS_WAIT : find_cause(&excess);
        *waits += is_wait;
        list[count++] = excess;
    }
    if (count > 1)
        qsort(list, count, sizeof *list, compare);
    return count;
}
