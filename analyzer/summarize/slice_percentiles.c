/* Brings the slices of sites to the search for their ranks. */
#include "slice_percentiles.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* One round: some of the sites. */
struct percentile_round {
    const struct trace_chosen *chosen;
    struct trace_rank_search search; /* by site, window */
    uint64_t *counts;                /* likewise, of the pass that only counts slices; else NULL */
    uint32_t *places;                /* by site: its place in the round, plus one */
    uint32_t site_most;              /* of places */
    uint32_t windows;
    struct {
        int64_t from_ns, until_ns; /* where is_in holds */
        bool is_in;
    } now[TRACE_MAX_WINDOWS];
};

/* --- samples --------------------------------------------------------------------------------- */

static void take_slice(struct percentile_round *round, uint32_t place,
                       const struct trace_duration_sample *sample)
{
    for (uint32_t w = 0; w < round->windows; w++) {
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
        if (round->counts != NULL)
            round->counts[(size_t)place * round->windows + w]++;
        else
            trace_rank_search_add(&round->search, place * round->windows + w, sample);
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
                   &(struct trace_duration_sample){slice->duration_ns, slice->begin_ns,
                                                   slice->track, slice->frame});
    }
    return LUDUS_OK;
}

/* --- rounds ---------------------------------------------------------------------------------- */

/* Finds the places of the sites. */
static bool make_places(struct percentile_round *round, const uint32_t *sites, uint32_t site_count)
{
    for (uint32_t i = 0; i < site_count; i++)
        round->site_most = sites[i] >= round->site_most ? sites[i] + 1 : round->site_most;
    round->places = calloc((size_t)round->site_most + 1, sizeof *round->places);
    for (uint32_t i = 0; round->places != NULL && i < site_count; i++)
        round->places[sites[i]] = i + 1;
    return round->places != NULL;
}

static enum ludus_status run_pass(struct percentile_round *round, struct trace_input *input,
                                  uint32_t *passes, struct ludus_error *error)
{
    const struct trace_visitor visitor = {.context = round, .slices = take_slices};
    memset(round->now, 0, sizeof round->now); /* an empty span: to be looked up */
    ++*passes;
    return trace_input_run(input, &round->chosen->plan, &visitor, error);
}

static enum ludus_status run_passes(struct percentile_round *round, struct trace_input *input,
                                    uint32_t *passes, struct ludus_error *error)
{
    bool is_known = false;
    while (!is_known) {
        enum ludus_status status = run_pass(round, input, passes, error);
        if (status != LUDUS_OK)
            return status;
        if (!trace_rank_search_end(&round->search, &is_known))
            return trace_fail_memory(error);
    }
    return LUDUS_OK;
}

static enum ludus_status run_round(struct trace_input *input, const struct trace_chosen *chosen,
                                   const uint32_t *sites, uint32_t site_count,
                                   const uint64_t *counts, struct trace_duration_ranks *ranks,
                                   uint32_t *passes, struct ludus_error *error)
{
    struct percentile_round round = {.chosen = chosen, .windows = chosen->plan.windows.count};
    const uint32_t pairs = site_count * round.windows;
    bool has_memory = trace_rank_search_create(&round.search, pairs, counts) &&
                      make_places(&round, sites, site_count);
    enum ludus_status status =
        has_memory ? run_passes(&round, input, passes, error) : trace_fail_memory(error);
    for (uint32_t i = 0; status == LUDUS_OK && i < pairs; i++)
        ranks[i] = trace_rank_search_found(&round.search, i);
    trace_rank_search_destroy(&round.search);
    free(round.places);
    return status;
}

/* Counts the slices of each site in each window. */
static enum ludus_status count_slices(struct trace_input *input, const struct trace_chosen *chosen,
                                      const uint32_t *sites, uint32_t site_count, uint64_t *counts,
                                      uint32_t *passes, struct ludus_error *error)
{
    struct percentile_round round = {
        .chosen = chosen, .counts = counts, .windows = chosen->plan.windows.count};
    enum ludus_status status = make_places(&round, sites, site_count)
                                   ? run_pass(&round, input, passes, error)
                                   : trace_fail_memory(error);
    free(round.places);
    return status;
}

/* How many of the sites fit into a round; one does in any case. */
static uint32_t sites_that_fit(const uint64_t *counts, uint32_t site_count, uint32_t windows,
                               size_t budget_bytes)
{
    size_t bytes = 0;
    uint32_t sites = 0;
    for (; sites < site_count; sites++) {
        for (uint32_t w = 0; w < windows; w++)
            bytes += trace_rank_subject_bytes(*counts++);
        if (bytes > budget_bytes)
            break;
    }
    return sites == 0 ? 1 : sites;
}

enum ludus_status trace_slice_percentiles(struct trace_input *input,
                                          const struct trace_chosen *chosen, const uint32_t *sites,
                                          uint32_t site_count, size_t budget_bytes,
                                          struct trace_duration_ranks *ranks, uint32_t *passes,
                                          struct ludus_error *error)
{
    uint32_t windows = chosen->plan.windows.count, own_passes = 0;
    uint64_t *counts = NULL;
    enum ludus_status status = LUDUS_OK;
    if (passes == NULL)
        passes = &own_passes;
    if (budget_bytes / TRACE_RANK_SUBJECT_BYTES / windows < site_count) {
        counts = calloc((size_t)site_count * windows + 1, sizeof *counts);
        status = counts == NULL
                     ? trace_fail_memory(error)
                     : count_slices(input, chosen, sites, site_count, counts, passes, error);
    }
    for (uint32_t first = 0, step; status == LUDUS_OK && first < site_count; first += step) {
        size_t pair = (size_t)first * windows;
        const uint64_t *own_counts = counts == NULL ? NULL : &counts[pair];
        step = site_count - first;
        if (counts != NULL)
            step = sites_that_fit(own_counts, step, windows, budget_bytes);
        status =
            run_round(input, chosen, sites + first, step, own_counts, ranks + pair, passes, error);
    }
    free(counts);
    return status;
}
