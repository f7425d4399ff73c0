/* Orders subjects. */
#include "subject_order.h"

#include <stdlib.h>
#include <string.h>

/* What a subject is ordered by. Small, since there are many. */
struct ordered {
    double key; /* falling */
    double total_ns;
    const struct trace_subjects *subjects;
    uint32_t item; /* of the subjects */
    bool is_waiting;
};

static int compare_sites(const struct trace_model *model, uint32_t a, uint32_t b)
{
    int order = trace_text_compare(&model->sites[a].name, &model->sites[b].name);
    return order != 0 ? order : (a > b) - (a < b);
}

int trace_path_compare(const struct trace_model *model, uint32_t a, uint32_t b)
{
    const struct trace_path *paths = model->paths;
    int order = paths[a].depth < paths[b].depth ? -1 : paths[a].depth > paths[b].depth;
    while (paths[a].depth > paths[b].depth)
        a = paths[a].parent;
    while (paths[b].depth > paths[a].depth)
        b = paths[b].parent;
    /* The outermost difference decides, which is the last one on the way up. */
    for (; a != b; a = paths[a].parent, b = paths[b].parent)
        if (paths[a].site != paths[b].site)
            order = compare_sites(model, paths[a].site, paths[b].site);
    return order;
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
    if (left->is_waiting != right->is_waiting)
        return left->is_waiting ? 1 : -1;
    if (left->key != right->key)
        return left->key < right->key ? 1 : -1;
    if (left->total_ns != right->total_ns)
        return left->total_ns < right->total_ns ? 1 : -1;
    uint32_t a_index = left->subjects->items[left->item].index;
    uint32_t b_index = left->subjects->items[right->item].index;
    switch (left->subjects->kind) {
    case TRACE_SUBJECT_PATH:
        return trace_path_compare(model, a_index, b_index);
    case TRACE_SUBJECT_CATEGORY:
        return compare_categories(model, a_index, b_index);
    default:
        return compare_sites(model, a_index, b_index);
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
    struct trace_subject *sorted = malloc(((size_t)subjects->count + 1) * sizeof *sorted);
    bool is_done = order != NULL && sorted != NULL;
    for (uint32_t i = 0; is_done && i < subjects->count; i++) {
        order[i] = (struct ordered){
            .subjects = subjects, .item = i, .is_waiting = subjects->items[i].is_waiting};
        for (uint32_t w = 0; w < subjects->windows; w++) {
            const struct trace_total *total = trace_subject_total(subjects, &subjects->items[i], w);
            double key = key_of(total, sort, subjects->is_by_frame);
            order[i].key = key > order[i].key ? key : order[i].key;
            if (sort != TRACE_SORT_NAME)
                order[i].total_ns += (double)total->sums.exclusive_ns;
        }
    }
    if (is_done)
        qsort(order, subjects->count, sizeof *order, compare);
    for (uint32_t i = 0; is_done && i < subjects->count; i++)
        sorted[i] = subjects->items[order[i].item];
    free(order);
    if (!is_done) {
        free(sorted);
        return false;
    }
    free(subjects->items);
    subjects->items = sorted;
    return true;
}
