/* Finds the ranks of durations, bin by bin. */
#include "duration_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "nearest_rank.h"

#define PART_BITS   5u /* a power of two has so many bits of bins: 32 */
#define BIN_COUNT   ((64u - PART_BITS + 1u) << PART_BITS)
#define SUB_BINS    1024u /* of a bin that holds many */
#define MOST_KEPT   1024u /* durations of a bin that are kept and sorted */
#define INNER_RANKS (TRACE_DURATION_RANKS - 2)
#define MOST_FEW    (TRACE_RANK_SUBJECT_BYTES / sizeof(struct trace_duration_sample))
_Static_assert(TRACE_RANK_SUBJECT_BYTES >=
                   BIN_COUNT * sizeof(uint64_t) +
                       INNER_RANKS * (MOST_KEPT * sizeof(struct trace_duration_sample) +
                                      SUB_BINS * sizeof(uint64_t)),
               "what a subject takes at most");

/* Durations among which one rank is looked for. */
struct range {
    uint64_t low, width; /* from low on, before low + width */
    uint64_t index;      /* of the one wanted among those in it, by rising duration */
    uint64_t count;      /* how many are in it */
    struct trace_duration_sample *kept; /* all of them, when they are few */
    uint64_t *bins;                     /* or how many are in each part of it */
    uint64_t seen;
    struct trace_duration_sample found;
    bool is_found;
};

struct trace_ranked_subject {
    uint64_t *bins;                    /* first pass */
    struct trace_duration_sample *few; /* or all durations, where it is known that they are few */
    uint64_t few_count;                /* how many these are */
    uint64_t count;
    struct range *ranges; /* the inner ranks, while they are looked for in further passes */
    struct trace_duration_sample ranks[TRACE_DURATION_RANKS];
};

size_t trace_rank_subject_bytes(uint64_t durations)
{
    return sizeof(struct trace_ranked_subject) +
           (durations > MOST_FEW ? TRACE_RANK_SUBJECT_BYTES + INNER_RANKS * sizeof(struct range)
                                 : (size_t)durations * sizeof(struct trace_duration_sample));
}

/* Makes room for the first pass. */
static bool make_subject(struct trace_ranked_subject *subject, const uint64_t *count)
{
    if (count == NULL || *count > MOST_FEW)
        return (subject->bins = calloc(BIN_COUNT, sizeof *subject->bins)) != NULL;
    subject->few_count = *count;
    if (*count != 0)
        subject->few = calloc((size_t)*count, sizeof *subject->few);
    return *count == 0 || subject->few != NULL;
}

bool trace_rank_search_create(struct trace_rank_search *search, uint32_t subjects,
                              const uint64_t *counts)
{
    *search = (struct trace_rank_search){.subjects =
                                             calloc((size_t)subjects + 1, sizeof *search->subjects),
                                         .count = subjects,
                                         .is_first = true};
    for (uint32_t i = 0; search->subjects != NULL && i < subjects; i++)
        if (!make_subject(&search->subjects[i], counts == NULL ? NULL : &counts[i]))
            return false;
    return search->subjects != NULL;
}

static void free_ranges(struct trace_ranked_subject *subject)
{
    for (int k = 0; subject->ranges != NULL && k < INNER_RANKS; k++) {
        free(subject->ranges[k].kept);
        free(subject->ranges[k].bins);
    }
    free(subject->ranges);
    subject->ranges = NULL;
}

void trace_rank_search_destroy(struct trace_rank_search *search)
{
    for (uint32_t i = 0; search->subjects != NULL && i < search->count; i++) {
        free(search->subjects[i].bins);
        free(search->subjects[i].few);
        free_ranges(&search->subjects[i]);
    }
    free(search->subjects);
    *search = (struct trace_rank_search){0};
}

/* --- bins ------------------------------------------------------------------------------------ */

static uint32_t bin_of(uint64_t value)
{
    if (value < 1u << PART_BITS)
        return (uint32_t)value;
    uint32_t shift = 63u - (uint32_t)__builtin_clzll(value) - PART_BITS;
    return (shift << PART_BITS) + (uint32_t)(value >> shift);
}

static void set_bounds(struct range *range, uint32_t bin)
{
    uint32_t shift = bin < 2u << PART_BITS ? 0 : (bin >> PART_BITS) - 1;
    range->low = (uint64_t)(bin - (shift << PART_BITS)) << shift;
    range->width = (uint64_t)1 << shift;
}

static uint64_t sub_width(const struct range *range)
{
    return range->width > SUB_BINS ? range->width / SUB_BINS : 1;
}

/* --- samples --------------------------------------------------------------------------------- */

static int compare_begins(const struct trace_duration_sample *left,
                          const struct trace_duration_sample *right)
{
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    return (left->track > right->track) - (left->track < right->track);
}

static int compare_samples(const void *a, const void *b)
{
    const struct trace_duration_sample *left = a;
    const struct trace_duration_sample *right = b;
    if (left->duration_ns != right->duration_ns)
        return left->duration_ns < right->duration_ns ? -1 : 1;
    return compare_begins(left, right);
}

static void count_first(struct trace_ranked_subject *subject,
                        const struct trace_duration_sample *sample)
{
    if (subject->bins == NULL) {
        if (subject->count < subject->few_count) /* an input that changes does no harm */
            subject->few[subject->count++] = *sample;
        return;
    }
    struct trace_duration_sample *least = &subject->ranks[TRACE_DURATION_MIN];
    struct trace_duration_sample *most = &subject->ranks[TRACE_DURATION_MAX];
    subject->bins[bin_of((uint64_t)sample->duration_ns)]++;
    if (subject->count == 0 || compare_samples(sample, least) < 0)
        *least = *sample;
    if (subject->count == 0 || sample->duration_ns > most->duration_ns ||
        (sample->duration_ns == most->duration_ns && compare_begins(sample, most) < 0))
        *most = *sample;
    subject->count++;
}

static void look_into(struct range *range, const struct trace_duration_sample *sample)
{
    uint64_t offset = (uint64_t)sample->duration_ns - range->low;
    if (range->is_found || (uint64_t)sample->duration_ns < range->low || offset >= range->width)
        return;
    if (range->kept != NULL) {
        if (range->seen < range->count) /* an input that changes does no harm */
            range->kept[range->seen++] = *sample;
    } else if (range->bins != NULL) {
        range->bins[offset / sub_width(range)]++;
    } else if (range->seen++ == 0 || compare_begins(sample, &range->found) < 0) {
        range->found = *sample;
    }
}

void trace_rank_search_add(struct trace_rank_search *search, uint32_t subject,
                           const struct trace_duration_sample *sample)
{
    struct trace_ranked_subject *ranked = &search->subjects[subject];
    if (search->is_first)
        count_first(ranked, sample);
    for (int i = 0; ranked->ranges != NULL && i < INNER_RANKS; i++)
        look_into(&ranked->ranges[i], sample);
}

/* --- between passes -------------------------------------------------------------------------- */

static const uint32_t per_mille[INNER_RANKS] = {500, 900, 950, 990, 999};

/* The one at a place among sorted ones; of several that are equal the first. */
static struct trace_duration_sample sample_at(const struct trace_duration_sample *samples,
                                              uint64_t index)
{
    while (index > 0 && samples[index - 1].duration_ns == samples[index].duration_ns)
        index--;
    return samples[index];
}

/* Finds all ranks among few durations. */
static void sort_few(struct trace_ranked_subject *subject)
{
    const uint64_t count = subject->count;
    if (count != 0) {
        qsort(subject->few, (size_t)count, sizeof *subject->few, compare_samples);
        subject->ranks[TRACE_DURATION_MIN] = subject->few[0];
        subject->ranks[TRACE_DURATION_MAX] = sample_at(subject->few, count - 1);
    }
    for (int i = 0; count != 0 && i < INNER_RANKS; i++)
        subject->ranks[i + 1] = sample_at(subject->few, trace_nearest_index(count, per_mille[i]));
    free(subject->few);
    subject->few = NULL;
}

/* Finds where each rank is, after the first pass. False when there is no memory. */
static bool start_ranges(struct trace_ranked_subject *subject)
{
    if (subject->bins == NULL) {
        sort_few(subject);
        return true;
    }
    subject->ranges = calloc(INNER_RANKS, sizeof *subject->ranges);
    for (int i = 0; subject->ranges != NULL && i < INNER_RANKS; i++) {
        struct range *range = &subject->ranges[i];
        uint32_t bin = 0;
        range->index = trace_nearest_index(subject->count, per_mille[i]);
        range->is_found = subject->count == 0;
        while (!range->is_found && range->index >= subject->bins[bin])
            range->index -= subject->bins[bin++];
        range->count = range->is_found ? 0 : subject->bins[bin];
        set_bounds(range, bin);
    }
    free(subject->bins);
    subject->bins = NULL;
    return subject->ranges != NULL;
}

/* Makes room for what the next pass shows of a range: nothing for one of a single duration. */
static bool prepare(struct range *range)
{
    range->seen = 0;
    if (range->is_found)
        return true;
    if (range->count <= MOST_KEPT)
        range->kept = calloc((size_t)range->count, sizeof *range->kept);
    else if (range->width > 1)
        range->bins = calloc(SUB_BINS, sizeof *range->bins);
    return range->kept != NULL || range->bins != NULL || range->width == 1;
}

/* Takes up what the pass has shown: the duration, or a narrower range. */
static void narrow(struct range *range)
{
    if (range->is_found)
        return;
    if (range->kept != NULL && range->seen == range->count) {
        qsort(range->kept, (size_t)range->count, sizeof *range->kept, compare_samples);
        range->found = sample_at(range->kept, range->index);
        range->is_found = true;
    } else if (range->bins != NULL) {
        uint64_t width = sub_width(range);
        uint32_t bin = 0;
        while (bin + 1 < SUB_BINS && range->index >= range->bins[bin])
            range->index -= range->bins[bin++];
        range->low += bin * width;
        range->width = width;
        range->count = range->bins[bin];
    } else {
        range->is_found = true;
    }
    free(range->kept);
    free(range->bins);
    range->kept = NULL;
    range->bins = NULL;
}

/* Takes up what the pass has shown, and prepares for the next one. */
static bool end_pass(struct trace_rank_search *search, struct trace_ranked_subject *subject,
                     bool *is_known)
{
    bool has_memory = true, has_all = true;
    if (search->is_first && !start_ranges(subject))
        return false;
    if (subject->ranges == NULL)
        return true;
    for (int k = 0; k < INNER_RANKS; k++) {
        if (!search->is_first)
            narrow(&subject->ranges[k]);
        has_memory = prepare(&subject->ranges[k]) && has_memory;
        has_all = has_all && subject->ranges[k].is_found;
        subject->ranks[k + 1] = subject->ranges[k].found;
    }
    if (has_all)
        free_ranges(subject);
    *is_known = *is_known && has_all;
    return has_memory;
}

bool trace_rank_search_end(struct trace_rank_search *search, bool *is_known)
{
    bool has_memory = true;
    *is_known = true;
    for (uint32_t i = 0; i < search->count; i++)
        has_memory = end_pass(search, &search->subjects[i], is_known) && has_memory;
    search->is_first = false;
    return has_memory;
}

struct trace_duration_ranks trace_rank_search_found(const struct trace_rank_search *search,
                                                    uint32_t subject)
{
    const struct trace_ranked_subject *ranked = &search->subjects[subject];
    struct trace_duration_ranks ranks = {.count = ranked->count};
    memcpy(ranks.ranks, ranked->ranks, sizeof ranks.ranks);
    return ranks;
}
