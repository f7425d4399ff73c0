/* Finds which slices count for a subject, and where, and measures their unions. */
#include "slice_union.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "statistics.h"

/* What slices of a path count for. */
struct union_path {
    uint32_t subject; /* of the round, or TRACE_NONE */
    bool is_top;      /* of all scopes */
    bool is_top_work; /* of all that do not wait */
};

/* One round: some of the subjects, and behind them the scopes together. */
struct union_round {
    const struct trace_chosen *chosen;
    const uint32_t *parts; /* by window */
    enum trace_subject_kind kind;
    uint32_t windows;
    uint32_t *places; /* by index of a subject: its place in the round, plus one */
    uint32_t place_count;
    uint32_t count;           /* subjects of the round */
    struct union_path *paths; /* of those seen so far */
    uint32_t path_count, path_most;
    struct trace_statistics statistics; /* say where a time counts; nothing is added up in them */
    bool has_statistics;
    struct trace_slice_union *found; /* by subject, window */
    struct trace_time_union all;     /* likewise */
};

/* --- what a slice counts for ----------------------------------------------------------------- */

/* Whether a site's slices count for the scopes together. */
static bool is_meant(const struct union_round *round, const struct trace_model *model,
                     uint32_t path, bool is_work)
{
    uint32_t site = model->paths[path].site;
    return trace_chosen_shows(round->chosen, site) &&
           (!is_work || !trace_site_is_waiting(model, site));
}

static bool is_top(const struct union_round *round, const struct trace_model *model, uint32_t path,
                   bool is_work)
{
    if (path == 0 || !is_meant(round, model, path, is_work))
        return false;
    for (uint32_t up = model->paths[path].parent; up != 0; up = model->paths[up].parent)
        if (is_meant(round, model, up, is_work))
            return false;
    return true;
}

/* The index of the subject, TRACE_NONE for what is inside another slice of it. */
static uint32_t subject_of(const struct union_round *round, const struct trace_model *model,
                           uint32_t path)
{
    const struct trace_path *place = &model->paths[path];
    if (round->kind == TRACE_SUBJECT_PATH)
        return path;
    if (round->kind == TRACE_SUBJECT_SITE)
        return place->is_outermost ? place->site : TRACE_NONE;
    return trace_chosen_shows(round->chosen, place->site) &&
                   trace_is_outermost_in_category(model, round->chosen, path)
               ? trace_subject_category(model, place->site)
               : TRACE_NONE;
}

/* A pass finds paths as it goes. */
static bool meet_paths(struct union_round *round, const struct trace_model *model)
{
    for (; round->path_count < model->path_count; round->path_count++) {
        uint32_t path = round->path_count;
        if (path == round->path_most &&
            !trace_array_grow(&round->paths, round->path_most++, sizeof *round->paths))
            return false;
        uint32_t subject = path == 0 ? TRACE_NONE : subject_of(round, model, path);
        uint32_t place = subject < round->place_count ? round->places[subject] : 0;
        round->paths[path] = (struct union_path){.subject = place == 0 ? TRACE_NONE : place - 1,
                                                 .is_top = is_top(round, model, path, false),
                                                 .is_top_work = is_top(round, model, path, true)};
    }
    return true;
}

/* --- where it counts ------------------------------------------------------------------------- */

static struct trace_slice_union *found_of(const struct union_round *round, uint32_t subject,
                                          uint32_t window)
{
    return &round->found[(size_t)subject * round->windows + window];
}

/* A part of a slice, in the parts of windows that `cells` says. */
static void add_piece(struct union_round *round, uint32_t subject, uint32_t cells, int64_t begin_ns,
                      int64_t end_ns)
{
    for (uint32_t w = 0; w < round->windows; w++) {
        if ((cells >> round->parts[w] & 1) == 0)
            continue;
        struct trace_slice_union *found = found_of(round, subject, w);
        found->sum_ns = trace_sum(found->sum_ns, end_ns - begin_ns);
        trace_time_union_add(&round->all, subject * round->windows + w, begin_ns, end_ns);
    }
}

/* Splits a slice where the parts begin and end. */
static void add_clipped(struct union_round *round, struct trace_track_counts *track,
                        uint32_t subject, int64_t begin_ns, int64_t end_ns)
{
    while (begin_ns < end_ns) {
        trace_statistics_go(&round->statistics, track, begin_ns);
        uint32_t cells = track->cells;
        int64_t until_ns = track->until_ns;
        while (until_ns < end_ns) {
            trace_statistics_go(&round->statistics, track, until_ns);
            if (track->cells != cells)
                break;
            until_ns = track->until_ns;
        }
        until_ns = until_ns < end_ns ? until_ns : end_ns;
        add_piece(round, subject, cells, begin_ns, until_ns);
        begin_ns = until_ns;
    }
}

static void add_slice(struct union_round *round, const struct trace_model *model,
                      struct trace_track_counts *track, const struct trace_slice *slice,
                      uint32_t subject)
{
    bool is_clipped = round->statistics.is_clipped;
    bool is_begun_before = model->has_window && slice->begin_ns < model->window_begin_ns;
    trace_statistics_go(&round->statistics, track, slice->begin_ns);
    uint32_t cells = track->cells;
    for (uint32_t w = 0; w < round->windows; w++) {
        uint32_t is_here = cells >> round->parts[w] & 1;
        found_of(round, subject, w)->incomplete += is_here & slice->is_incomplete;
        found_of(round, subject, w)->slices +=
            is_here & !slice->is_incomplete & (!is_begun_before || is_clipped);
    }
    if (slice->is_incomplete || (is_begun_before && !is_clipped))
        return;
    int64_t end_ns = slice->begin_ns + slice->known_ns;
    if (is_clipped)
        add_clipped(round, track, subject,
                    is_begun_before ? model->window_begin_ns : slice->begin_ns, end_ns);
    else
        add_piece(round, subject, cells, slice->begin_ns, end_ns);
}

/* --- passes ---------------------------------------------------------------------------------- */

static bool start_statistics(struct union_round *round, const struct trace_model *model)
{
    if (round->has_statistics)
        return true;
    round->has_statistics = true;
    return trace_statistics_create(&round->statistics, model, &round->chosen->plan);
}

static void forget_statistics(struct union_round *round)
{
    if (round->has_statistics)
        trace_statistics_destroy(&round->statistics);
    round->has_statistics = false;
}

static enum ludus_status take_slices(void *context, const struct trace_model *model,
                                     const struct trace_slice *slices, size_t count)
{
    struct union_round *round = context;
    if (!start_statistics(round, model) || !meet_paths(round, model))
        return LUDUS_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct trace_slice *slice = &slices[i];
        const struct union_path *path = &round->paths[slice->path];
        trace_time_union_pass(&round->all, slice->begin_ns);
        if (path->subject == TRACE_NONE && !path->is_top && !path->is_top_work)
            continue;
        struct trace_track_counts *track = trace_statistics_track(&round->statistics, slice->track);
        if (track == NULL)
            return LUDUS_ERROR_MEMORY;
        if (path->subject != TRACE_NONE)
            add_slice(round, model, track, slice, path->subject);
        if (path->is_top)
            add_slice(round, model, track, slice, round->count + TRACE_UNION_ALL);
        if (path->is_top_work)
            add_slice(round, model, track, slice, round->count + TRACE_UNION_WORK);
    }
    return LUDUS_OK;
}

static size_t pair_count(const struct union_round *round)
{
    return ((size_t)round->count + TRACE_UNION_TOTALS) * round->windows;
}

static void begin_pass(struct union_round *round)
{
    forget_statistics(round);
    round->path_count = 0;
    memset(round->found, 0, pair_count(round) * sizeof *round->found);
}

/* What is lost has changed as well, and with it where slices count. */
static void restart(void *context)
{
    struct union_round *round = context;
    begin_pass(round);
    trace_time_union_restart(&round->all);
}

static enum ludus_status run_passes(struct union_round *round, struct trace_input *input,
                                    uint32_t *passes, struct ludus_error *error)
{
    const struct trace_visitor visitor = {
        .context = round, .slices = take_slices, .restart = restart};
    bool is_done = false;
    while (!is_done) {
        begin_pass(round);
        trace_time_union_begin(&round->all);
        enum ludus_status status = trace_input_run(input, &round->chosen->plan, &visitor, error);
        if (status == LUDUS_ERROR_MEMORY)
            return trace_fail_memory(error);
        if (status != LUDUS_OK)
            return status;
        ++*passes;
        is_done = trace_time_union_end(&round->all);
    }
    for (size_t i = 0; i < pair_count(round); i++)
        round->found[i].union_ns = round->all.length_ns[i];
    return LUDUS_OK;
}

/* --- rounds ---------------------------------------------------------------------------------- */

static bool prepare(struct union_round *round, const uint32_t *subjects,
                    const struct trace_union_limits *limits)
{
    for (uint32_t i = 0; i < round->count; i++)
        round->place_count =
            subjects[i] >= round->place_count ? subjects[i] + 1 : round->place_count;
    round->places = calloc((size_t)round->place_count + 1, sizeof *round->places);
    round->found = calloc(pair_count(round), sizeof *round->found);
    if (!trace_time_union_create(&round->all, (uint32_t)pair_count(round), limits) ||
        round->places == NULL || round->found == NULL)
        return false;
    for (uint32_t i = 0; i < round->count; i++)
        round->places[subjects[i]] = i + 1;
    return true;
}

static enum ludus_status run_round(struct union_round *round, struct trace_input *input,
                                   const uint32_t *subjects,
                                   const struct trace_union_limits *limits, uint32_t *passes,
                                   struct ludus_error *error)
{
    enum ludus_status status = prepare(round, subjects, limits)
                                   ? run_passes(round, input, passes, error)
                                   : trace_fail_memory(error);
    forget_statistics(round);
    trace_time_union_destroy(&round->all);
    free(round->places);
    free(round->paths);
    return status;
}

enum ludus_status trace_slice_unions(struct trace_input *input, const struct trace_chosen *chosen,
                                     const uint32_t parts[TRACE_MAX_WINDOWS],
                                     enum trace_subject_kind kind, const uint32_t *subjects,
                                     uint32_t count, struct trace_union_limits limits,
                                     struct trace_slice_union *unions, uint32_t *passes,
                                     struct ludus_error *error)
{
    uint32_t windows = chosen->plan.windows.count, own_passes = 0, done = 0;
    size_t room = limits.budget_bytes / TRACE_UNION_SUBJECT_BYTES / windows;
    uint32_t step = room == 0 ? 1 : room < count ? (uint32_t)room : count;
    enum ludus_status status = LUDUS_OK;
    do {
        struct union_round round = {.chosen = chosen,
                                    .parts = parts,
                                    .kind = kind,
                                    .windows = windows,
                                    .count = count - done < step ? count - done : step};
        status = run_round(&round, input, subjects + done, &limits,
                           passes == NULL ? &own_passes : passes, error);
        if (status == LUDUS_OK) /* the totals again each time, at last behind the others */
            memcpy(unions + (size_t)done * windows, round.found,
                   pair_count(&round) * sizeof *unions);
        free(round.found);
        done += round.count;
    } while (status == LUDUS_OK && done < count);
    return status;
}
