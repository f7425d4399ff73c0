/* Holds models against the reference. */
#include "model_check.h"

#include <check.h>
#include <stdlib.h>

#include "path_rows.h"

/* --- statistics ------------------------------------------------------------------------------ */

uint32_t model_track_id(const struct trace_model *model, uint32_t index)
{
    return index == TRACE_NONE ? 0 : model->tracks[index].id;
}

/* The slice of the view that has the path of the model: any will do. */
static size_t find_path(const struct reference_view *view, const struct trace_model *model,
                        uint32_t path)
{
    for (size_t i = 0; i < view->slice_count; i++) {
        uint32_t at = path;
        size_t slice = i;
        while (at != 0 && slice != SIZE_MAX &&
               model->sites[model->paths[at].site].id == view->slices[slice].site) {
            at = model->paths[at].parent;
            slice = view->slices[slice].parent;
        }
        if (at == 0 && slice == SIZE_MAX)
            return i;
    }
    ck_abort_msg("the model has a path that no slice has");
    return SIZE_MAX;
}

/* The sums that a row must have. */
static struct trace_sums right_sums(const struct reference_view *view,
                                    const struct trace_model *model, const struct trace_stats *row,
                                    bool is_path, struct reference_query *query)
{
    *query = (struct reference_query){
        .path_of = SIZE_MAX, .track = model_track_id(model, row->track), .cell = row->window};
    if (is_path)
        query->path_of = find_path(view, model, row->subject);
    else
        query->site = model->sites[row->subject].id;
    return reference_sums(view, query);
}

static void add_sums(struct trace_sums *total, const struct trace_sums *sums)
{
    total->calls += sums->calls;
    total->inclusive_ns += sums->inclusive_ns;
    total->exclusive_ns += sums->exclusive_ns;
}

static void check_row(const struct reference_view *view, const struct trace_model *model,
                      const struct trace_stats *row, bool is_path)
{
    struct reference_query query;
    struct trace_sums sums = right_sums(view, model, row, is_path, &query);
    ck_assert_uint_eq(row->sums.calls, sums.calls);
    ck_assert_uint_eq(row->sums.outermost_calls, sums.outermost_calls);
    ck_assert_uint_eq(row->sums.recursive_calls, sums.recursive_calls);
    ck_assert_uint_eq(row->sums.exclusive_calls, sums.exclusive_calls);
    ck_assert_uint_eq(row->sums.incomplete, sums.incomplete);
    ck_assert_uint_eq(row->sums.children_lost, sums.children_lost);
    ck_assert_int_eq(row->sums.inclusive_ns, sums.inclusive_ns);
    ck_assert_int_eq(row->sums.exclusive_ns, sums.exclusive_ns);
    if (!is_path)
        ck_assert_uint_eq(row->nested_calls, reference_nested_calls(view, &query));
    int64_t kept = 0, lost;
    if (row->window % 2 == 0)
        reference_count_frames(view, row->window / 2, query.track, &kept, &lost);
    ck_assert_int_eq(row->frames, kept);
}

/* What all slices together have in a cell; of sites, inclusive times overlap. */
static struct trace_sums right_total(const struct reference_view *view, uint32_t cell)
{
    struct trace_sums total = {0};
    for (size_t i = 0; i < view->slice_count; i++) {
        const struct reference_slice *slice = &view->slices[i];
        const struct reference_place *place =
            &view->places[i * (view->window_count == 0 ? 2 : 2 * view->window_count) + cell];
        if (!reference_counts(view, slice->track))
            continue;
        total.calls += place->has_begin;
        if (slice->duration_ns == -1)
            continue;
        total.inclusive_ns += place->inclusive_ns;
        total.exclusive_ns += slice->is_lost ? 0 : place->exclusive_ns;
    }
    return total;
}

/* Every row is right, none comes twice, and together they hold every slice. */
static void check_all_rows(const struct reference_view *view, const struct trace_model *model,
                           bool is_path)
{
    struct trace_stats *of_paths = NULL;
    const struct trace_stats *rows = model->site_stats;
    uint32_t count = model->site_stats_count;
    if (is_path) {
        ck_assert(trace_path_rows_list(model, &of_paths, &count));
        rows = of_paths;
    }
    for (uint32_t i = 0; i < count; i++) {
        check_row(view, model, &rows[i], is_path);
        if (i == 0 || rows[i - 1].subject != rows[i].subject) {
            ck_assert(i == 0 || rows[i - 1].subject < rows[i].subject);
            continue;
        }
        /* The common row comes first. */
        uint32_t before = rows[i - 1].track + 1, track = rows[i].track + 1;
        ck_assert(before < track || (before == track && rows[i - 1].window < rows[i].window));
    }
    for (uint32_t cell = 0; cell < model->window_count; cell++) {
        struct trace_sums total = {0}, right = right_total(view, cell);
        for (uint32_t i = 0; i < count; i++)
            if (rows[i].window == cell)
                add_sums(&total, &rows[i].sums);
        ck_assert_uint_eq(total.calls, right.calls);
        ck_assert_int_eq(total.exclusive_ns, right.exclusive_ns);
        if (is_path)
            ck_assert_int_eq(total.inclusive_ns, right.inclusive_ns);
    }
    free(of_paths);
}

static const struct trace_track *find_track(const struct trace_model *model, uint32_t id)
{
    for (uint32_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].id == id)
            return &model->tracks[i];
    ck_abort_msg("the model has no track %u", id);
    return NULL;
}

static void check_track_window(const struct reference_view *view, const struct trace_model *model,
                               const struct reference_track *track, uint32_t window)
{
    const struct trace_track *found = find_track(model, track->id);
    const struct trace_track_stats *stats =
        trace_model_track_stats(model, window, (uint32_t)(found - model->tracks));
    uint64_t slices = 0, incomplete = 0;
    for (size_t i = 0; i < view->slice_count; i++) {
        const struct reference_slice *slice = &view->slices[i];
        if (slice->track != track->id || !reference_is_inside(view, window, slice->begin_ns))
            continue;
        slices++;
        incomplete += slice->duration_ns == -1;
    }
    int64_t kept, lost, frame_ns, covered_ns;
    reference_count_frames(view, window, track->id, &kept, &lost);
    reference_cover(view, window, track, &frame_ns, &covered_ns);
    ck_assert_uint_eq(stats->slices, slices);
    ck_assert_uint_eq(stats->incomplete, incomplete);
    ck_assert_int_eq(stats->frames, kept);
    ck_assert_int_eq(stats->frames_lost, lost);
    ck_assert_int_eq(stats->frame_ns, frame_ns);
    ck_assert_int_eq(stats->covered_ns, covered_ns);
    ck_assert_int_ge(stats->frame_ns, stats->covered_ns);
}

static void check_tracks(const struct reference_view *view, const struct trace_model *model)
{
    for (uint32_t i = 0; i < view->track_count; i++) {
        const struct reference_track *track = &view->tracks[i];
        const struct trace_track *found = find_track(model, track->id);
        uint64_t slices = 0, incomplete = 0;
        for (size_t n = 0; n < view->slice_count; n++) {
            bool is_own = view->slices[n].track == track->id && reference_counts(view, track->id);
            slices += is_own;
            incomplete += is_own && view->slices[n].duration_ns == -1;
        }
        ck_assert_int_eq(found->begin_ns, track->begin_ns);
        ck_assert_int_eq(found->end_ns, track->end_ns);
        ck_assert_uint_eq(found->slices, slices);
        ck_assert_uint_eq(found->incomplete, incomplete);
        for (uint32_t w = 0; reference_counts(view, track->id) && w < model->window_count / 2; w++)
            check_track_window(view, model, track, w);
    }
}

void model_check_statistics(struct reference_view *view, const struct trace_model *model,
                            bool has_paths)
{
    uint64_t slices = 0;
    reference_place_slices(view);
    ck_assert_uint_eq(model->window_count, view->window_count == 0 ? 2 : 2 * view->window_count);
    if (has_paths)
        check_all_rows(view, model, true);
    else
        ck_assert_uint_eq(model->path_sums_count, 0);
    check_all_rows(view, model, false);
    check_tracks(view, model);
    for (size_t i = 0; i < view->slice_count; i++)
        slices += reference_counts(view, view->slices[i].track);
    ck_assert_uint_eq(model->slices, slices);
    free(view->places);
    view->places = NULL;
}

/* --- slices ---------------------------------------------------------------------------------- */

static void check_slice(const struct reference_view *view, const struct trace_model *model,
                        const struct slice_collector *shown, size_t index,
                        const struct trace_slice *slice)
{
    const struct reference_slice *right = &view->slices[index];
    ck_assert_int_eq(slice->begin_ns, right->begin_ns);
    ck_assert_int_eq(slice->duration_ns, right->duration_ns);
    ck_assert_int_eq(slice->known_ns, right->known_ns);
    ck_assert_int_eq(slice->is_incomplete, right->duration_ns == -1);
    ck_assert_int_eq(slice->has_children_lost, right->is_lost);
    ck_assert_int_eq(slice->exclusive_ns, right->is_lost ? -1 : right->exclusive_ns);
    ck_assert_uint_eq(slice->frame, reference_frame(view, right->begin_ns));
    ck_assert_uint_eq(model->sites[model->paths[slice->path].site].id, right->site);
    const struct trace_slice *parent = slice_collector_find(shown, slice->parent_id);
    ck_assert_int_eq(parent == NULL, right->parent == SIZE_MAX);
    if (parent != NULL) {
        /* Slices of a track are in order of begin on both sides: the same distance back. */
        ck_assert_int_eq(slice - parent, (int64_t)(index - right->parent));
        ck_assert_uint_eq(model->paths[slice->path].parent, parent->path);
    } else {
        ck_assert_uint_eq(model->paths[slice->path].parent, 0);
    }
}

void model_check_slices(const struct reference_view *view, const struct trace_model *model,
                        const struct slice_collector *shown)
{
    size_t index = 0, count = 0;
    for (uint32_t i = 0; i < view->track_count; i++) {
        uint32_t track = view->tracks[i].id;
        for (size_t n = 0; n < shown->slice_count; n++)
            if (model_track_id(model, shown->slices[n].track) == track) {
                check_slice(view, model, shown, index++, &shown->slices[n]);
                count++;
            }
        for (size_t n = 0; !reference_counts(view, track) && n < view->slice_count; n++)
            index += view->slices[n].track == track;
    }
    ck_assert_uint_eq(index, view->slice_count);
    ck_assert_uint_eq(count, shown->slice_count);
}

static size_t shown_index(const struct slice_collector *shown, uint64_t slice_id)
{
    const struct trace_slice *slice = slice_collector_find(shown, slice_id);
    return slice == NULL ? SIZE_MAX : (size_t)(slice - shown->slices);
}

void shown_view_create(struct shown_view *shown_view, const struct trace_model *model,
                       const struct slice_collector *shown)
{
    struct reference_view *view = &shown_view->view;
    struct reference_track *tracks = calloc(model->track_count + 1u, sizeof *tracks);
    struct reference_loss *losses = calloc(model->loss_count + 1u, sizeof *losses);
    *shown_view = (struct shown_view){0};
    shown_view->tracks = tracks;
    shown_view->losses = losses;
    view->slices = calloc(shown->slice_count + 1, sizeof *view->slices);
    ck_assert(tracks != NULL && losses != NULL && view->slices != NULL);
    for (uint32_t i = 0; i < model->track_count; i++)
        tracks[i] = (struct reference_track){.id = model->tracks[i].id,
                                             .begin_ns = model->tracks[i].begin_ns,
                                             .end_ns = model->tracks[i].end_ns};
    for (uint32_t i = 0; i < model->loss_count; i++) {
        const struct trace_loss *loss = &model->losses[i];
        bool is_damage = loss->cause == TRACE_LOSS_DAMAGE;
        losses[i] =
            (struct reference_loss){.begin_ns = loss->begin_ns,
                                    .end_ns = loss->end_ns,
                                    .track = model_track_id(model, loss->track),
                                    .has_scopes = is_damage || loss->counts.scopes != 0,
                                    .has_frames_only = !is_damage && loss->counts.scopes == 0 &&
                                                       loss->counts.instants == 0};
    }
    for (size_t i = 0; i < shown->slice_count; i++) {
        const struct trace_slice *slice = &shown->slices[i];
        view->slices[i] =
            (struct reference_slice){.begin_ns = slice->begin_ns,
                                     .duration_ns = slice->duration_ns,
                                     .known_ns = slice->known_ns,
                                     .exclusive_ns = slice->duration_ns,
                                     .parent = shown_index(shown, slice->parent_id),
                                     .track = model_track_id(model, slice->track),
                                     .site = model->sites[model->paths[slice->path].site].id,
                                     .is_lost = slice->has_children_lost};
    }
    for (size_t i = 0; i < shown->slice_count; i++)
        if (view->slices[i].parent != SIZE_MAX &&
            view->slices[view->slices[i].parent].duration_ns != -1)
            view->slices[view->slices[i].parent].exclusive_ns -= view->slices[i].known_ns;
    view->slice_count = shown->slice_count;
    view->tracks = tracks;
    view->track_count = model->track_count;
    view->losses = losses;
    view->loss_count = model->loss_count;
    view->frames = model->domain_count == 0 ? NULL : model->domains[0].frames;
    view->frame_count = model->domain_count == 0 ? 0 : model->domains[0].frame_count;
}

void shown_view_destroy(struct shown_view *shown_view)
{
    free(shown_view->tracks);
    free(shown_view->losses);
    free(shown_view->view.slices);
}
