/* Brings the slices of sites to the search for their ranks. */
#include "slice_percentiles.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

/* One round: some of the sites. */
struct percentile_round {
    const struct trace_chosen *chosen;
    struct trace_rank_search search; /* by site, window */
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
        if (round->now[w].is_in)
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

static enum ludus_status run_passes(struct percentile_round *round, struct trace_input *input,
                                    uint32_t *passes, struct ludus_error *error)
{
    const struct trace_visitor visitor = {.context = round, .slices = take_slices};
    bool is_known = false;
    while (!is_known) {
        memset(round->now, 0, sizeof round->now); /* an empty span: to be looked up */
        enum ludus_status status = trace_input_run(input, &round->chosen->plan, &visitor, error);
        if (status != LUDUS_OK)
            return status;
        ++*passes;
        if (!trace_rank_search_end(&round->search, &is_known))
            return trace_fail_memory(error);
    }
    return LUDUS_OK;
}

static enum ludus_status run_round(struct trace_input *input, const struct trace_chosen *chosen,
                                   const uint32_t *sites, uint32_t site_count,
                                   struct trace_duration_ranks *ranks, uint32_t *passes,
                                   struct ludus_error *error)
{
    struct percentile_round round = {.chosen = chosen, .windows = chosen->plan.windows.count};
    const uint32_t pairs = site_count * round.windows;
    for (uint32_t i = 0; i < site_count; i++)
        round.site_most = sites[i] >= round.site_most ? sites[i] + 1 : round.site_most;
    round.places = calloc((size_t)round.site_most + 1, sizeof *round.places);
    bool has_memory = trace_rank_search_create(&round.search, pairs) && round.places != NULL;
    for (uint32_t i = 0; has_memory && i < site_count; i++)
        round.places[sites[i]] = i + 1;
    enum ludus_status status =
        has_memory ? run_passes(&round, input, passes, error) : trace_fail_memory(error);
    for (uint32_t i = 0; status == LUDUS_OK && i < pairs; i++)
        ranks[i] = trace_rank_search_found(&round.search, i);
    trace_rank_search_destroy(&round.search);
    free(round.places);
    return status;
}

enum ludus_status trace_slice_percentiles(struct trace_input *input,
                                          const struct trace_chosen *chosen, const uint32_t *sites,
                                          uint32_t site_count, size_t budget_bytes,
                                          struct trace_duration_ranks *ranks, uint32_t *passes,
                                          struct ludus_error *error)
{
    uint32_t windows = chosen->plan.windows.count, own_passes = 0;
    size_t room = budget_bytes / TRACE_RANK_SUBJECT_BYTES / windows;
    uint32_t step = room == 0 ? 1 : room < site_count ? (uint32_t)room : site_count;
    enum ludus_status status = LUDUS_OK;
    for (uint32_t first = 0; status == LUDUS_OK && first < site_count; first += step)
        status = run_round(
            input, chosen, sites + first, site_count - first < step ? site_count - first : step,
            ranks + (size_t)first * windows, passes == NULL ? &own_passes : passes, error);
    return status;
}
