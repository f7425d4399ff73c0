/* Measures unions of intervals. */
#include "time_union.h"

#include <stdlib.h>
#include <string.h>

#include "model.h"

/* Of so many samples, the floor is at the second lowest: one that is out of place moves it neither
 * up nor down. */
#define FLOOR_SAMPLE 1u

/* A list has room for so many more intervals than subjects. A subject has at most one that reaches
 * over the floor, so that half of a full list begins behind it. */
#define LEAST_ROOM 16u

bool trace_time_union_create(struct trace_time_union *all, uint32_t subjects,
                             const struct trace_union_limits *limits)
{
    size_t least = (size_t)subjects * 4 + LEAST_ROOM;
    size_t most = limits->budget_bytes / 3 / sizeof(struct trace_interval);
    *all = (struct trace_time_union){
        .subjects = subjects, .stride = limits->stride, .most = most < least ? least : most};
    all->length_ns = calloc((size_t)subjects + 1, sizeof *all->length_ns);
    all->slab_ns = calloc((size_t)subjects + 1, sizeof *all->slab_ns);
    all->last = calloc((size_t)subjects + 1, sizeof *all->last);
    all->open.items = malloc(all->most * sizeof *all->open.items);
    all->late.items = malloc(all->most * sizeof *all->late.items);
    all->spare = malloc(all->most * sizeof *all->spare);
    if (all->length_ns == NULL || all->slab_ns == NULL || all->last == NULL ||
        all->open.items == NULL || all->late.items == NULL || all->spare == NULL)
        return false;
    trace_time_union_restart(all);
    return true;
}

void trace_time_union_destroy(struct trace_time_union *all)
{
    free(all->length_ns);
    free(all->slab_ns);
    free(all->last);
    free(all->open.items);
    free(all->late.items);
    free(all->spare);
    *all = (struct trace_time_union){0};
}

/* --- lists ----------------------------------------------------------------------------------- */

/* Where begins stop to rise. */
static size_t end_of_run(const struct trace_interval *items, size_t at, size_t count)
{
    if (at == count)
        return count;
    for (at++; at < count && items[at - 1].begin_ns <= items[at].begin_ns; at++)
        ;
    return at;
}

/* Makes one run of two, the second of which begins where the first ends. */
static void merge(const struct trace_interval *left, const struct trace_interval *middle,
                  const struct trace_interval *end, struct trace_interval *to)
{
    const struct trace_interval *right = middle;
    while (left < middle && right < end) {
        bool is_right = right->begin_ns < left->begin_ns;
        *to++ = *(is_right ? right : left);
        right += is_right;
        left += !is_right;
    }
    memcpy(to, left, (size_t)(middle - left) * sizeof *to);
    memcpy(to + (middle - left), right, (size_t)(end - right) * sizeof *to);
}

/* Sorts by begin. Slices of a track come in this order, so that there are runs to begin with. */
static void sort(struct trace_time_union *all, struct trace_interval_list *list)
{
    while (end_of_run(list->items, 0, list->count) < list->count) {
        for (size_t at = 0; at < list->count;) {
            size_t middle = end_of_run(list->items, at, list->count);
            size_t end = end_of_run(list->items, middle, list->count);
            merge(list->items + at, list->items + middle, list->items + end, all->spare + at);
            at = end;
        }
        struct trace_interval *sorted = all->spare;
        all->spare = list->items;
        list->items = sorted;
    }
}

/* Sorts, and makes one interval of those that overlap or touch, of each subject; leaves out what
 * the slab no longer has. */
static void join(struct trace_time_union *all, struct trace_interval_list *list)
{
    size_t kept = 0;
    sort(all, list);
    for (uint32_t i = 0; i < all->subjects; i++)
        all->last[i] = SIZE_MAX;
    for (size_t i = 0; i < list->count && list->items[i].begin_ns < all->cut_ns; i++) {
        struct trace_interval item = list->items[i];
        size_t *last = &all->last[item.subject];
        item.end_ns = item.end_ns < all->cut_ns ? item.end_ns : all->cut_ns;
        if (*last == SIZE_MAX || list->items[*last].end_ns < item.begin_ns) {
            *last = kept;
            list->items[kept++] = item;
        } else if (list->items[*last].end_ns < item.end_ns) {
            list->items[*last].end_ns = item.end_ns;
        }
    }
    list->count = kept;
}

/* Makes the slab so short that half of a joined list is left. Behind the intervals that begin with
 * the slab, or at the floor, one of a subject at most, it does not become empty. */
static void shorten(struct trace_time_union *all, struct trace_interval_list *list)
{
    size_t left = list->count / 2 > all->subjects ? list->count / 2 : all->subjects;
    all->cut_ns = list->items[left].begin_ns;
    join(all, list);
}

static bool is_crowded(const struct trace_time_union *all, const struct trace_interval_list *list)
{
    return list->count > all->most / 2;
}

/* --- the slab -------------------------------------------------------------------------------- */

/* Adds up what lies before a time, and forgets it. */
static void fold(struct trace_time_union *all, int64_t until_ns)
{
    struct trace_interval_list *open = &all->open;
    size_t kept = 0;
    for (size_t i = 0; i < open->count; i++) {
        struct trace_interval item = open->items[i];
        int64_t end_ns = item.end_ns < until_ns ? item.end_ns : until_ns;
        if (item.begin_ns < until_ns) {
            all->slab_ns[item.subject] =
                trace_sum(all->slab_ns[item.subject], end_ns - item.begin_ns);
            item.begin_ns = until_ns;
        }
        if (item.begin_ns < item.end_ns)
            open->items[kept++] = item;
    }
    open->count = kept;
    all->folded_ns = all->folded_ns > until_ns ? all->folded_ns : until_ns;
}

/* What was added up is of no use: all that this pass can tell now is what came late. */
static void give_up(struct trace_time_union *all)
{
    all->is_wrong = true;
    all->open.count = 0;
}

/* Makes room where there is none. What is put in comes before: when the floor has passed it, it is
 * added up with all else. */
static void settle_open(struct trace_time_union *all)
{
    if (all->open.count < all->most)
        return;
    join(all, &all->open);
    fold(all, all->floor_ns);
    if (is_crowded(all, &all->open))
        shorten(all, &all->open);
}

static void settle_late(struct trace_time_union *all)
{
    if (all->late.count < all->most)
        return;
    join(all, &all->late);
    if (is_crowded(all, &all->late))
        shorten(all, &all->late);
    if (all->cut_ns < all->folded_ns) /* more was added up than the slab now has */
        give_up(all);
}

void trace_time_union_add(struct trace_time_union *all, uint32_t subject, int64_t begin_ns,
                          int64_t end_ns)
{
    const struct trace_interval item = {.begin_ns =
                                            begin_ns > all->from_ns ? begin_ns : all->from_ns,
                                        .end_ns = end_ns < all->cut_ns ? end_ns : all->cut_ns,
                                        .subject = subject};
    bool is_late = begin_ns < all->floor_ns;
    if (item.begin_ns >= item.end_ns || (is_late && all->knows_late))
        return;
    if (is_late) {
        if (item.begin_ns < all->folded_ns)
            give_up(all);
        all->late.items[all->late.count++] = item;
        settle_late(all);
    }
    if (all->is_wrong)
        return;
    all->open.items[all->open.count++] = item;
    settle_open(all);
}

/* --- passes ---------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    const int64_t *left = a;
    const int64_t *right = b;
    return (*left > *right) - (*left < *right);
}

void trace_time_union_sample(struct trace_time_union *all, int64_t begin_ns)
{
    all->until_sample = all->stride;
    all->samples[all->sample_count++] = begin_ns;
    if (all->sample_count < TRACE_UNION_SAMPLES)
        return;
    qsort(all->samples, TRACE_UNION_SAMPLES, sizeof *all->samples, compare_times);
    if (all->samples[FLOOR_SAMPLE] > all->floor_ns)
        all->floor_ns = all->samples[FLOOR_SAMPLE];
    all->sample_count = 0;
}

void trace_time_union_begin(struct trace_time_union *all)
{
    all->open.count = 0;
    if (all->knows_late) {
        join(all, &all->late);
        memcpy(all->open.items, all->late.items, all->late.count * sizeof *all->late.items);
        all->open.count = all->late.count;
    }
    all->late.count = 0;
    memset(all->slab_ns, 0, all->subjects * sizeof *all->slab_ns);
    all->folded_ns = all->from_ns;
    all->floor_ns = INT64_MIN;
    all->sample_count = 0;
    all->until_sample = all->stride;
    all->is_wrong = false;
    settle_open(all);
}

void trace_time_union_restart(struct trace_time_union *all)
{
    memset(all->length_ns, 0, all->subjects * sizeof *all->length_ns);
    all->from_ns = INT64_MIN;
    all->cut_ns = INT64_MAX;
    all->knows_late = false;
    trace_time_union_begin(all);
}

bool trace_time_union_end(struct trace_time_union *all)
{
    if (all->is_wrong) {
        all->knows_late = true;
        return false;
    }
    join(all, &all->open);
    fold(all, all->cut_ns);
    for (uint32_t i = 0; i < all->subjects; i++)
        all->length_ns[i] = trace_sum(all->length_ns[i], all->slab_ns[i]);
    bool is_last = all->cut_ns == INT64_MAX;
    all->from_ns = all->cut_ns;
    all->cut_ns = INT64_MAX;
    all->knows_late = false;
    return is_last;
}
