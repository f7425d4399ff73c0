/* Adds up and orders sites. */
#include "site_order.h"

#include <stdlib.h>

static void add_row(struct trace_site_total *total, const struct trace_stats *row)
{
    const struct trace_sums *sums = &row->sums;
    total->site = row->subject;
    total->nested_calls += row->nested_calls;
    total->sums.calls += sums->calls;
    total->sums.outermost_calls += sums->outermost_calls;
    total->sums.recursive_calls += sums->recursive_calls;
    total->sums.exclusive_calls += sums->exclusive_calls;
    total->sums.incomplete += sums->incomplete;
    total->sums.children_lost += sums->children_lost;
    total->sums.inclusive_ns += sums->inclusive_ns;
    total->sums.exclusive_ns += sums->exclusive_ns;
    if (row->frames > 0) {
        double frames = (double)row->frames;
        total->has_frames = true;
        total->calls_per_frame += (double)sums->calls / frames;
        total->exclusive_per_frame_ns += (double)sums->exclusive_ns / frames;
        total->inclusive_per_frame_ns += (double)sums->inclusive_ns / frames;
    }
}

/* What a site is ordered by, and the name beside it. */
struct ordered_total {
    struct trace_site_total total;
    const struct trace_site *site;
};

static int compare_totals(const void *a, const void *b)
{
    const struct ordered_total *left = a;
    const struct ordered_total *right = b;
    double left_ns = left->total.exclusive_per_frame_ns;
    double right_ns = right->total.exclusive_per_frame_ns;
    if (left_ns != right_ns)
        return left_ns < right_ns ? 1 : -1;
    int64_t left_sum = left->total.sums.exclusive_ns, right_sum = right->total.sums.exclusive_ns;
    if (left_sum != right_sum)
        return left_sum < right_sum ? 1 : -1;
    int order = trace_text_compare(&left->site->name, &right->site->name);
    if (order != 0)
        return order;
    return (left->total.site > right->total.site) - (left->total.site < right->total.site);
}

bool trace_site_totals(const struct trace_model *model, uint32_t window,
                       struct trace_site_total **totals, uint32_t *count)
{
    struct ordered_total *ordered = calloc((size_t)model->site_count + 1, sizeof *ordered);
    *totals = malloc(((size_t)model->site_count + 1) * sizeof **totals);
    *count = 0;
    if (ordered == NULL || *totals == NULL) {
        free(ordered);
        free(*totals);
        *totals = NULL;
        return false;
    }
    /* Rows of one site stand together. */
    for (uint32_t i = 0; i < model->site_stats_count; i++) {
        const struct trace_stats *row = &model->site_stats[i];
        if (row->window != window)
            continue;
        if (*count == 0 || ordered[*count - 1].total.site != row->subject)
            ordered[(*count)++].site = &model->sites[row->subject];
        add_row(&ordered[*count - 1].total, row);
    }
    qsort(ordered, *count, sizeof *ordered, compare_totals);
    for (uint32_t i = 0; i < *count; i++)
        (*totals)[i] = ordered[i].total;
    free(ordered);
    return true;
}
