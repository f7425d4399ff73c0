/* Orders subjects. */
#include "subject_order.h"

#include <stdlib.h>
#include <string.h>

#include "path_ranks.h"

/* What a subject is ordered by. */
struct ordered {
    struct trace_subject subject;
    double key; /* falling */
    double total_ns;
    const struct trace_subjects *subjects;
    uint32_t rank; /* of a path */
};

static int compare_sites(const struct trace_model *model, uint32_t a, uint32_t b)
{
    int order = trace_text_compare(&model->sites[a].name, &model->sites[b].name);
    return order != 0 ? order : (a > b) - (a < b);
}

static int compare_categories(const struct trace_model *model, uint32_t a, uint32_t b)
{
    bool is_none_a = a == model->category_count, is_none_b = b == model->category_count;
    if (is_none_a || is_none_b)
        return is_none_a - is_none_b;
    int order = trace_text_compare(&model->categories[a].name, &model->categories[b].name);
    return order != 0 ? order : (a > b) - (a < b);
}

static int compare(const void *a, const void *b)
{
    const struct ordered *left = a;
    const struct ordered *right = b;
    const struct trace_model *model = left->subjects->model;
    if (left->subject.is_waiting != right->subject.is_waiting)
        return left->subject.is_waiting ? 1 : -1;
    if (left->key != right->key)
        return left->key < right->key ? 1 : -1;
    if (left->total_ns != right->total_ns)
        return left->total_ns < right->total_ns ? 1 : -1;
    switch (left->subjects->kind) {
    case TRACE_SUBJECT_PATH:
        return (left->rank > right->rank) - (left->rank < right->rank);
    case TRACE_SUBJECT_CATEGORY:
        return compare_categories(model, left->subject.index, right->subject.index);
    default:
        return compare_sites(model, left->subject.index, right->subject.index);
    }
}

static double key_of(const struct trace_total *total, enum trace_summarize_sort sort, bool is_frame)
{
    const struct trace_sums *sums = &total->sums;
    switch (sort) {
    case TRACE_SORT_EXCLUSIVE:
        return is_frame ? total->exclusive_per_frame_ns : (double)sums->exclusive_ns;
    case TRACE_SORT_INCLUSIVE:
        return is_frame ? total->inclusive_per_frame_ns : (double)sums->inclusive_ns;
    case TRACE_SORT_CALLS:
        return is_frame ? total->calls_per_frame : (double)sums->calls;
    case TRACE_SORT_MEAN:
        return sums->outermost_calls == 0
                   ? 0
                   : (double)sums->inclusive_ns / (double)sums->outermost_calls;
    default:
        return 0;
    }
}

bool trace_subjects_sort(struct trace_subjects *subjects, enum trace_summarize_sort sort)
{
    struct ordered *order = calloc((size_t)subjects->count + 1, sizeof *order);
    const bool has_ranks = subjects->kind == TRACE_SUBJECT_PATH;
    uint32_t *ranks = has_ranks ? trace_path_ranks_create(subjects->model) : NULL;
    if (order == NULL || (has_ranks && ranks == NULL)) {
        free(order);
        free(ranks);
        return false;
    }
    for (uint32_t i = 0; i < subjects->count; i++) {
        order[i].subject = subjects->items[i];
        order[i].subjects = subjects;
        order[i].rank = has_ranks ? ranks[subjects->items[i].index] : 0;
        for (uint32_t w = 0; w < subjects->windows; w++) {
            const struct trace_total *total = trace_subject_total(subjects, &subjects->items[i], w);
            double key = key_of(total, sort, subjects->is_by_frame);
            order[i].key = key > order[i].key ? key : order[i].key;
            if (sort != TRACE_SORT_NAME)
                order[i].total_ns += (double)total->sums.exclusive_ns;
        }
    }
    qsort(order, subjects->count, sizeof *order, compare);
    for (uint32_t i = 0; i < subjects->count; i++)
        subjects->items[i] = order[i].subject;
    free(order);
    free(ranks);
    return true;
}
