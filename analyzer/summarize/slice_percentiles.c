/* Finds the ranks of durations, bin by bin. */
#include "slice_percentiles.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "nearest_rank.h"

#define PART_BITS   5u /* a power of two has so many bits of bins: 32 */
#define BIN_COUNT   ((64u - PART_BITS + 1u) << PART_BITS)
#define SUB_BINS    1024u /* of a bin that holds many */
#define MOST_KEPT   1024u /* slices of a bin that are kept and sorted */
#define INNER_RANKS (TRACE_SLICE_RANKS - 2)
#define PAIR_BYTES                                                                                 \
    (BIN_COUNT * sizeof(uint64_t) +                                                                \
     INNER_RANKS * (MOST_KEPT * sizeof(struct trace_slice_sample) + SUB_BINS * sizeof(uint64_t)))

/* Durations among which one rank is looked for. */
struct range {
    uint64_t low, width;             /* from low on, before low + width */
    uint64_t index;                  /* of the one wanted among those in it, by rising duration */
    uint64_t count;                  /* how many are in it */
    struct trace_slice_sample *kept; /* all of them, when they are few */
    uint64_t *bins;                  /* or how many are in each part of it */
    uint64_t seen;
    struct trace_slice_sample found;
    bool is_found;
};

/* A site in a window. */
struct pair {
    uint64_t *bins; /* first pass */
    struct trace_slice_sample least, most;
    uint64_t count;
    struct range ranges[INNER_RANKS];
};

/* One round: some of the sites. */
struct percentile_round {
    const struct trace_chosen *chosen;
    struct pair *pairs;  /* by site, window */
    uint32_t *places;    /* by site: its place in the round, plus one */
    uint32_t site_most;  /* of places */
    uint32_t site_count; /* in the round */
    uint32_t windows;
    bool is_first;
    struct {
        int64_t from_ns, until_ns; /* where is_in holds */
        bool is_in;
    } now[TRACE_MAX_WINDOWS];
};

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

static int compare_begins(const struct trace_slice_sample *left,
                          const struct trace_slice_sample *right)
{
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    return (left->track > right->track) - (left->track < right->track);
}

static int compare_samples(const void *a, const void *b)
{
    const struct trace_slice_sample *left = a;
    const struct trace_slice_sample *right = b;
    if (left->duration_ns != right->duration_ns)
        return left->duration_ns < right->duration_ns ? -1 : 1;
    return compare_begins(left, right);
}

static void count_first(struct pair *pair, const struct trace_slice_sample *sample)
{
    pair->bins[bin_of((uint64_t)sample->duration_ns)]++;
    if (pair->count == 0 || compare_samples(sample, &pair->least) < 0)
        pair->least = *sample;
    if (pair->count == 0 || sample->duration_ns > pair->most.duration_ns ||
        (sample->duration_ns == pair->most.duration_ns && compare_begins(sample, &pair->most) < 0))
        pair->most = *sample;
    pair->count++;
}

static void look_into(struct range *range, const struct trace_slice_sample *sample)
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

static void take_slice(struct percentile_round *round, uint32_t place,
                       const struct trace_slice_sample *sample)
{
    for (uint32_t w = 0; w < round->windows; w++) {
        struct pair *pair = &round->pairs[(size_t)place * round->windows + w];
        if (sample->begin_ns < round->now[w].from_ns ||
            sample->begin_ns >= round->now[w].until_ns) {
            round->now[w].from_ns = INT64_MIN;
            round->now[w].until_ns = INT64_MAX;
            round->now[w].is_in = trace_span_list_contains(
                &round->chosen->plan.windows.items[w].spans, sample->begin_ns,
                &round->now[w].from_ns, &round->now[w].until_ns);
        }
        if (!round->now[w].is_in)
            continue;
        if (round->is_first)
            count_first(pair, sample);
        for (int i = 0; !round->is_first && i < INNER_RANKS; i++)
            look_into(&pair->ranges[i], sample);
    }
}

static enum ludus_status take_slices(void *context, const struct trace_model *model,
                                     const struct trace_slice *slices, size_t count)
{
    struct percentile_round *round = context;
    for (size_t i = 0; i < count; i++) {
        const struct trace_slice *slice = &slices[i];
        uint32_t site = model->paths[slice->path].site;
        uint32_t place = site < round->site_most ? round->places[site] : 0;
        if (place == 0 || slice->is_incomplete || slice->duration_ns < 0 ||
            (model->has_window && slice->begin_ns < model->window_begin_ns))
            continue;
        take_slice(round, place - 1,
                   &(struct trace_slice_sample){slice->duration_ns, slice->begin_ns, slice->track,
                                                slice->frame});
    }
    return LUDUS_OK;
}

/* --- between passes -------------------------------------------------------------------------- */

/* Where each rank is after the first pass. */
static void start_ranges(struct pair *pair)
{
    static const uint32_t per_mille[INNER_RANKS] = {500, 900, 950, 990, 999};
    for (int i = 0; i < INNER_RANKS; i++) {
        struct range *range = &pair->ranges[i];
        uint32_t bin = 0;
        range->index = trace_nearest_index(pair->count, per_mille[i]);
        range->is_found = pair->count == 0;
        while (!range->is_found && range->index >= pair->bins[bin])
            range->index -= pair->bins[bin++];
        range->count = range->is_found ? 0 : pair->bins[bin];
        set_bounds(range, bin);
    }
    free(pair->bins);
    pair->bins = NULL;
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

/* Takes up what the pass has shown: the slice, or a narrower range. */
static void narrow(struct range *range)
{
    if (range->is_found)
        return;
    if (range->kept != NULL && range->seen == range->count) {
        qsort(range->kept, (size_t)range->count, sizeof *range->kept, compare_samples);
        uint64_t index = range->index;
        while (index > 0 && range->kept[index - 1].duration_ns == range->kept[index].duration_ns)
            index--;
        range->found = range->kept[index];
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

/* --- rounds ---------------------------------------------------------------------------------- */

static size_t pair_count(const struct percentile_round *round)
{
    return (size_t)round->site_count * round->windows;
}

static bool is_done(const struct percentile_round *round)
{
    for (size_t i = 0; i < pair_count(round); i++)
        for (int k = 0; k < INNER_RANKS; k++)
            if (!round->pairs[i].ranges[k].is_found)
                return false;
    return true;
}

static bool prepare_all(struct percentile_round *round)
{
    for (size_t i = 0; i < pair_count(round); i++)
        for (int k = 0; k < INNER_RANKS; k++)
            if (!prepare(&round->pairs[i].ranges[k]))
                return false;
    return true;
}

static void finish_pass(struct percentile_round *round)
{
    for (size_t i = 0; i < pair_count(round); i++) {
        if (round->is_first)
            start_ranges(&round->pairs[i]);
        for (int k = 0; !round->is_first && k < INNER_RANKS; k++)
            narrow(&round->pairs[i].ranges[k]);
    }
    round->is_first = false;
}

static enum ludus_status run_passes(struct percentile_round *round, struct trace_input *input,
                                    uint32_t *passes, struct ludus_error *error)
{
    const struct trace_visitor visitor = {.context = round, .slices = take_slices};
    enum ludus_status status = LUDUS_OK;
    do {
        memset(round->now, 0, sizeof round->now); /* an empty span: to be looked up */
        status = trace_input_run(input, &round->chosen->plan, &visitor, error);
        if (status != LUDUS_OK)
            return status;
        ++*passes;
        finish_pass(round);
        if (!prepare_all(round))
            return trace_fail_memory(error);
    } while (!is_done(round));
    return LUDUS_OK;
}

static void release(struct percentile_round *round)
{
    for (size_t i = 0; round->pairs != NULL && i < pair_count(round); i++) {
        free(round->pairs[i].bins);
        for (int k = 0; k < INNER_RANKS; k++) {
            free(round->pairs[i].ranges[k].kept);
            free(round->pairs[i].ranges[k].bins);
        }
    }
    free(round->pairs);
    free(round->places);
}

static void take_ranks(const struct percentile_round *round, struct trace_slice_ranks *ranks)
{
    for (size_t i = 0; i < pair_count(round); i++) {
        const struct pair *pair = &round->pairs[i];
        ranks[i] = (struct trace_slice_ranks){.count = pair->count};
        ranks[i].ranks[TRACE_SLICE_MIN] = pair->least;
        ranks[i].ranks[TRACE_SLICE_MAX] = pair->most;
        for (int k = 0; k < INNER_RANKS; k++)
            ranks[i].ranks[k + 1] = pair->ranges[k].found;
    }
}

static enum ludus_status run_round(struct trace_input *input, const struct trace_chosen *chosen,
                                   const uint32_t *sites, uint32_t site_count,
                                   struct trace_slice_ranks *ranks, uint32_t *passes,
                                   struct ludus_error *error)
{
    struct percentile_round round = {.chosen = chosen,
                                     .site_count = site_count,
                                     .windows = chosen->plan.windows.count,
                                     .is_first = true};
    for (uint32_t i = 0; i < site_count; i++)
        round.site_most = sites[i] >= round.site_most ? sites[i] + 1 : round.site_most;
    round.places = calloc((size_t)round.site_most + 1, sizeof *round.places);
    round.pairs = calloc(pair_count(&round) + 1, sizeof *round.pairs);
    bool has_memory = round.places != NULL && round.pairs != NULL;
    for (size_t i = 0; has_memory && i < pair_count(&round); i++) {
        round.pairs[i].bins = calloc(BIN_COUNT, sizeof *round.pairs[i].bins);
        has_memory = round.pairs[i].bins != NULL;
    }
    for (uint32_t i = 0; has_memory && i < site_count; i++)
        round.places[sites[i]] = i + 1;
    enum ludus_status status =
        has_memory ? run_passes(&round, input, passes, error) : trace_fail_memory(error);
    if (status == LUDUS_OK)
        take_ranks(&round, ranks);
    release(&round);
    return status;
}

enum ludus_status trace_slice_percentiles(struct trace_input *input,
                                          const struct trace_chosen *chosen, const uint32_t *sites,
                                          uint32_t site_count, size_t budget_bytes,
                                          struct trace_slice_ranks *ranks, uint32_t *passes,
                                          struct ludus_error *error)
{
    uint32_t windows = chosen->plan.windows.count, own_passes = 0;
    size_t room = budget_bytes / PAIR_BYTES / windows;
    uint32_t step = room == 0 ? 1 : room < site_count ? (uint32_t)room : site_count;
    enum ludus_status status = LUDUS_OK;
    for (uint32_t first = 0; status == LUDUS_OK && first < site_count; first += step)
        status = run_round(
            input, chosen, sites + first, site_count - first < step ? site_count - first : step,
            ranks + (size_t)first * windows, passes == NULL ? &own_passes : passes, error);
    return status;
}
