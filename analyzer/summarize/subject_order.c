/* Orders subjects. */
#include "subject_order.h"

#include <stdlib.h>
#include <string.h>

#include "path_ranks.h"

/* What all subjects are compared with. */
struct order_facts {
    const struct trace_subjects *subjects;
    uint32_t *ranks; /* by path; NULL: the subjects are none */
};

/* What a subject is ordered by. Small, since there are many. */
struct ordered {
    double key; /* falling */
    double total_ns;
    const struct order_facts *facts;
    uint32_t item; /* of the subjects */
    bool is_waiting;
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
    const struct trace_model *model = left->facts->subjects->model;
    if (left->is_waiting != right->is_waiting)
        return left->is_waiting ? 1 : -1;
    if (left->key != right->key)
        return left->key < right->key ? 1 : -1;
    if (left->total_ns != right->total_ns)
        return left->total_ns < right->total_ns ? 1 : -1;
    const uint32_t *ranks = left->facts->ranks;
    uint32_t a_index = left->facts->subjects->items[left->item].index;
    uint32_t b_index = left->facts->subjects->items[right->item].index;
    switch (left->facts->subjects->kind) {
    case TRACE_SUBJECT_PATH:
        return (ranks[a_index] > ranks[b_index]) - (ranks[a_index] < ranks[b_index]);
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
    const bool has_ranks = subjects->kind == TRACE_SUBJECT_PATH;
    const struct order_facts facts = {subjects,
                                      has_ranks ? trace_path_ranks_create(subjects->model) : NULL};
    struct ordered *order = calloc((size_t)subjects->count + 1, sizeof *order);
    struct trace_subject *sorted = malloc(((size_t)subjects->count + 1) * sizeof *sorted);
    bool is_done = order != NULL && sorted != NULL && (!has_ranks || facts.ranks != NULL);
    for (uint32_t i = 0; is_done && i < subjects->count; i++) {
        order[i] = (struct ordered){
            .facts = &facts, .item = i, .is_waiting = subjects->items[i].is_waiting};
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
    free(facts.ranks);
    if (!is_done) {
        free(sorted);
        return false;
    }
    free(subjects->items);
    subjects->items = sorted;
    return true;
}
