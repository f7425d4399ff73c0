/* Places slices in windows and adds them up by path. */
#include "statistics.h"

#include <stdlib.h>

#include "frame_table.h"

/* --- groups of tracks ------------------------------------------------------------------------ */

static void destroy_kept(struct trace_kept_frames *kept, uint32_t windows)
{
    for (uint32_t w = 0; kept != NULL && w < windows; w++)
        trace_kept_frames_clear(&kept[w]);
    free(kept);
}

/* NULL when there is no memory. */
static struct trace_kept_frames *create_kept(const struct trace_statistics *statistics,
                                             const struct trace_track_losses *losses)
{
    uint32_t windows = statistics->plan->windows.count;
    struct trace_kept_frames *kept = calloc(windows, sizeof *kept);
    for (uint32_t w = 0; kept != NULL && w < windows; w++) {
        const struct trace_window_frames *left = &statistics->left_frames[w];
        if (!trace_kept_frames_find(left, statistics->frames[w].count - left->count, losses,
                                    &kept[w])) {
            destroy_kept(kept, windows);
            kept = NULL;
        }
    }
    return kept;
}

static bool fill_group(const struct trace_statistics *statistics, struct trace_track_group *group,
                       uint32_t track)
{
    struct trace_track_losses losses = {0};
    if (!trace_path_sums_create(&group->sums, statistics->cell_count, track) ||
        !trace_track_losses_create(&statistics->losses, track, TRACE_LOSSES_OF_EVENTS, &losses) ||
        !trace_track_losses_create(&statistics->losses, track, TRACE_LOSSES_OF_SCOPES,
                                   &group->losses)) {
        trace_track_losses_destroy(&losses);
        return false;
    }
    bool is_like_common = losses.count == 0 && statistics->group_count != 0;
    group->kept = is_like_common ? statistics->groups[0]->kept : create_kept(statistics, &losses);
    trace_track_losses_destroy(&losses);
    return group->kept != NULL;
}

static void destroy_group(const struct trace_statistics *statistics,
                          struct trace_track_group *group)
{
    const struct trace_track_group *common =
        statistics->groups == NULL ? NULL : statistics->groups[0];
    bool is_shared = common != NULL && group != common && group->kept == common->kept;
    if (!is_shared)
        destroy_kept(group->kept, statistics->plan->windows.count);
    trace_track_losses_destroy(&group->losses);
    trace_path_sums_destroy(&group->sums);
    free(group);
}

static struct trace_track_group *add_group(struct trace_statistics *statistics, uint32_t track)
{
    struct trace_track_group *group = calloc(1, sizeof *group);
    if (group == NULL || !fill_group(statistics, group, track) ||
        !trace_array_grow(&statistics->groups, statistics->group_count, sizeof group)) {
        if (group != NULL)
            destroy_group(statistics, group);
        return NULL;
    }
    statistics->groups[statistics->group_count++] = group;
    return group;
}

/* False when there is no memory. */
static bool find_frames(struct trace_statistics *statistics)
{
    const struct trace_windows *windows = &statistics->plan->windows;
    statistics->frames = calloc(windows->count, sizeof *statistics->frames);
    statistics->left_frames = calloc(windows->count, sizeof *statistics->left_frames);
    if (statistics->frames == NULL || statistics->left_frames == NULL)
        return false;
    for (uint32_t w = 0; w < windows->count; w++)
        if (!trace_window_frames_find(statistics->domain, &windows->items[w].spans,
                                      &statistics->frames[w]) ||
            !trace_window_frames_leave_out(&statistics->frames[w],
                                           &statistics->losses.of_any[TRACE_LOSSES_OF_EVENTS],
                                           &statistics->left_frames[w]))
            return false;
    return true;
}

static void destroy_frames(struct trace_window_frames *frames, uint32_t windows)
{
    for (uint32_t w = 0; frames != NULL && w < windows; w++)
        trace_window_frames_clear(&frames[w]);
    free(frames);
}

bool trace_statistics_create(struct trace_statistics *statistics, const struct trace_model *model,
                             const struct trace_pass_plan *plan)
{
    *statistics =
        (struct trace_statistics){.model = model,
                                  .plan = plan,
                                  .cell_count = 2 * plan->windows.count,
                                  .marker = TRACE_NONE,
                                  .is_clipped = plan->attribution == TRACE_ATTRIBUTE_CLIP};
    if (plan->domain != TRACE_NONE)
        statistics->domain = &model->domains[plan->domain];
    statistics->is_plain = !statistics->is_clipped && !model->has_window;
    bool has_marker = plan->apart == TRACE_APART_MARKER && statistics->domain != NULL;
    return (!has_marker || trace_domain_find_marker(statistics->domain, &statistics->marker)) &&
           (!plan->has_value_rows || trace_value_sums_create(&statistics->values, model, plan)) &&
           trace_loss_index_create(&statistics->losses, model) && find_frames(statistics) &&
           add_group(statistics, TRACE_NONE) != NULL;
}

void trace_statistics_destroy(struct trace_statistics *statistics)
{
    while (statistics->group_count != 0) /* the common one last: others look at it */
        destroy_group(statistics, statistics->groups[--statistics->group_count]);
    for (uint32_t i = 0; i < statistics->track_count; i++) {
        free(statistics->tracks[i].covered_ns);
        free(statistics->tracks[i].slices);
        free(statistics->tracks[i].clipped_ns);
    }
    destroy_frames(statistics->frames, statistics->plan->windows.count);
    destroy_frames(statistics->left_frames, statistics->plan->windows.count);
    trace_loss_index_destroy(&statistics->losses);
    trace_value_sums_destroy(&statistics->values);
    free(statistics->groups);
    free(statistics->tracks);
    *statistics = (struct trace_statistics){0};
}

struct trace_track_counts *trace_statistics_track(struct trace_statistics *statistics,
                                                  uint32_t track)
{
    while (statistics->track_count <= track) {
        if (!trace_array_grow(&statistics->tracks, statistics->track_count,
                              sizeof *statistics->tracks))
            return NULL;
        statistics->tracks[statistics->track_count++] =
            (struct trace_track_counts){.from_ns = INT64_MAX, .until_ns = INT64_MIN};
    }
    struct trace_track_counts *counts = &statistics->tracks[track];
    if (counts->group != NULL)
        return counts;
    bool is_apart = statistics->plan->apart == TRACE_APART_ALL || track == statistics->marker ||
                    trace_track_has_own_loss(&statistics->losses, track);
    struct trace_track_group *group =
        is_apart ? add_group(statistics, track) : statistics->groups[0];
    counts->covered_ns = calloc(statistics->plan->windows.count, sizeof *counts->covered_ns);
    counts->slices = calloc((size_t)statistics->cell_count * 2, sizeof *counts->slices);
    if (group == NULL || counts->covered_ns == NULL || counts->slices == NULL)
        return NULL;
    counts->incomplete = counts->slices + statistics->cell_count;
    counts->group = group;
    return counts;
}

/* --- where a time counts --------------------------------------------------------------------- */

void trace_statistics_note_opened(struct trace_track_counts *track)
{
    for (uint32_t left = track->cells; left != 0; left &= left - 1)
        track->slices[__builtin_ctz(left)] += track->opened;
    track->total += track->opened;
    track->opened = 0;
}

void trace_statistics_move(struct trace_statistics *statistics, struct trace_track_counts *track,
                           int64_t time_ns)
{
    const struct trace_domain *domain = statistics->domain;
    const struct trace_windows *windows = &statistics->plan->windows;
    trace_statistics_note_opened(track);
    track->from_ns = INT64_MIN;
    track->until_ns = INT64_MAX;
    track->cells = 0;
    track->frame = domain == NULL ? TRACE_NONE : trace_frame_table_find(domain, time_ns);
    if (domain != NULL) {
        uint32_t next = track->frame == TRACE_NONE ? 0 : track->frame + 1;
        if (track->frame != TRACE_NONE)
            track->from_ns = domain->frames[track->frame].begin_ns;
        if (next < domain->frame_count)
            track->until_ns = domain->frames[next].begin_ns;
    }
    for (uint32_t w = 0; w < windows->count; w++) {
        if (!trace_span_list_contains(&windows->items[w].spans, time_ns, &track->from_ns,
                                      &track->until_ns))
            continue;
        /* The rest of a window begins and ends only where frames do. */
        bool is_inside = trace_kept_frames_contain(&track->group->kept[w], time_ns);
        track->cells |= 1u << (2 * w + (is_inside ? 0 : 1));
    }
}

/* --- slices ---------------------------------------------------------------------------------- */

bool trace_statistics_open_clipped(struct trace_statistics *statistics,
                                   struct trace_track_counts *track)
{
    uint32_t cells = statistics->cell_count;
    if (track->clipped_depth == track->clipped_most) {
        uint32_t most = track->clipped_most == 0 ? 16 : track->clipped_most * 2;
        int64_t *larger = realloc(track->clipped_ns, (size_t)most * cells * sizeof *larger);
        if (larger == NULL)
            return false;
        track->clipped_ns = larger;
        track->clipped_most = most;
    }
    int64_t *level = track->clipped_ns + (size_t)track->clipped_depth++ * cells;
    for (uint32_t cell = 0; cell < cells; cell++)
        level[cell] = 0;
    return true;
}

/* How much of [begin, end) lies in a cell. */
static int64_t part_of(const struct trace_statistics *statistics,
                       const struct trace_track_group *group, uint32_t cell, int64_t begin_ns,
                       int64_t end_ns)
{
    uint32_t w = cell / 2;
    int64_t frames_ns = trace_kept_frames_overlap(&group->kept[w], begin_ns, end_ns);
    if (cell % 2 == 0)
        return frames_ns;
    return trace_span_list_overlap(&statistics->plan->windows.items[w].spans, begin_ns, end_ns) -
           frames_ns;
}

/* Splits the times of a slice over all cells; what is in its children was split before. False when
 * there is no memory. */
static bool add_clipped(struct trace_statistics *statistics, struct trace_track_counts *track,
                        const struct trace_closed *closed, bool has_lost)
{
    const struct trace_model *model = statistics->model;
    uint32_t cells = statistics->cell_count;
    int64_t *children = track->clipped_ns + (size_t)--track->clipped_depth * cells;
    int64_t *parents = track->clipped_depth == 0 ? NULL : children - cells;
    int64_t begin_ns = closed->begin_ns;
    int64_t end_ns = begin_ns + closed->known_ns;
    if (model->has_window && begin_ns < model->window_begin_ns)
        begin_ns = model->window_begin_ns;
    for (uint32_t cell = 0; cell < cells; cell++) {
        int64_t part_ns = part_of(statistics, track->group, cell, begin_ns, end_ns);
        if (parents != NULL)
            parents[cell] += part_ns;
        if (closed->is_incomplete || part_ns == 0)
            continue;
        struct trace_path_cell *sums = trace_path_sums_add(&track->group->sums, closed->path, cell);
        if (sums == NULL)
            return false;
        sums->inclusive_ns = trace_sum(sums->inclusive_ns, part_ns);
        if (!has_lost)
            sums->exclusive_ns = trace_sum(sums->exclusive_ns, part_ns - children[cell]);
    }
    return true;
}

/* What is rare of a slice, in one of its cells. False when there is no memory. */
static bool count_rare(struct trace_track_counts *track, const struct trace_closed *closed,
                       uint32_t cell, bool has_lost, bool is_begun_before)
{
    struct trace_rare_cell *rare =
        trace_path_sums_add_rare(&track->group->sums, closed->path, cell);
    if (rare == NULL)
        return false;
    track->incomplete[cell] += closed->is_incomplete;
    rare->incomplete += closed->is_incomplete;
    rare->children_lost += has_lost;
    rare->without_exclusive += closed->is_incomplete || has_lost || is_begun_before;
    rare->begun_before += !closed->is_incomplete && is_begun_before;
    return true;
}

bool trace_statistics_count(struct trace_statistics *statistics, struct trace_track_counts *track,
                            const struct trace_placed *placed, const struct trace_closed *closed,
                            bool *is_done)
{
    const struct trace_model *model = statistics->model;
    const struct trace_track_losses *losses = &track->group->losses;
    bool has_lost =
        !trace_track_losses_are_none(losses) &&
        trace_track_losses_overlap(losses, closed->begin_ns, closed->begin_ns + closed->known_ns);
    /* Split times have a part in the window also of what began before it. */
    bool is_begun_before =
        model->has_window && closed->begin_ns < model->window_begin_ns && !statistics->is_clipped;
    bool is_timed = !closed->is_incomplete && !is_begun_before && !statistics->is_clipped;
    bool is_rare = closed->is_incomplete || has_lost || is_begun_before;
    *is_done = !statistics->is_clipped || add_clipped(statistics, track, closed, has_lost);
    for (uint32_t left = placed->cells; left != 0 && *is_done; left &= left - 1) {
        uint32_t cell = (uint32_t)__builtin_ctz(left);
        struct trace_path_cell *sums = trace_path_sums_add(&track->group->sums, closed->path, cell);
        *is_done = sums != NULL &&
                   (!is_rare || count_rare(track, closed, cell, has_lost, is_begun_before));
        if (sums != NULL)
            trace_path_cell_add(sums, is_timed ? closed->known_ns : 0,
                                is_timed && !has_lost ? closed->exclusive_ns : 0);
    }
    return has_lost;
}

void trace_statistics_cover(struct trace_statistics *statistics, struct trace_track_counts *track,
                            const struct trace_closed *closed)
{
    const struct trace_track *facts = &statistics->model->tracks[closed->track];
    int64_t begin_ns = closed->begin_ns > facts->begin_ns ? closed->begin_ns : facts->begin_ns;
    int64_t end_ns = closed->begin_ns + closed->known_ns;
    end_ns = end_ns < facts->end_ns ? end_ns : facts->end_ns;
    if (end_ns <= begin_ns)
        return;
    bool is_in_place = begin_ns >= track->from_ns && end_ns <= track->until_ns;
    for (uint32_t w = 0; w < statistics->plan->windows.count; w++) {
        if (!is_in_place)
            track->covered_ns[w] +=
                trace_kept_frames_overlap(&track->group->kept[w], begin_ns, end_ns);
        else if ((track->cells >> (2 * w) & 1) != 0)
            track->covered_ns[w] += end_ns - begin_ns;
    }
}
