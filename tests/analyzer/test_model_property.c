/* Random captures, whole and damaged, through file and analyzer, against the slow reference. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_decode.h"
#include "random_capture.h"
#include "random_damage.h"
#include "slice_collector.h"

#define WHOLE_SEEDS     300u
#define DAMAGED_SEEDS   150u
#define DAMAGES_OF_EACH 6u

/* --- comparing ------------------------------------------------------------------------------- */

static uint32_t track_id(const struct trace_model *model, uint32_t index)
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

static void check_row(const struct reference_view *view, const struct trace_model *model,
                      const struct trace_stats *row, bool is_path)
{
    struct reference_query query = {
        .path_of = SIZE_MAX, .track = track_id(model, row->track), .window = row->window};
    if (is_path)
        query.path_of = find_path(view, model, row->subject);
    else
        query.site = model->sites[row->subject].id;
    struct trace_sums sums = reference_sums(view, &query);
    ck_assert_uint_eq(row->sums.calls, sums.calls);
    ck_assert_uint_eq(row->sums.outermost_calls, sums.outermost_calls);
    ck_assert_uint_eq(row->sums.recursive_calls, sums.recursive_calls);
    ck_assert_uint_eq(row->sums.exclusive_calls, sums.exclusive_calls);
    ck_assert_uint_eq(row->sums.incomplete, sums.incomplete);
    ck_assert_uint_eq(row->sums.children_lost, sums.children_lost);
    ck_assert_int_eq(row->sums.inclusive_ns, sums.inclusive_ns);
    ck_assert_int_eq(row->sums.exclusive_ns, sums.exclusive_ns);
    int64_t kept = 0, lost;
    if (row->window == TRACE_WINDOW_FRAMES)
        reference_count_frames(view, query.track, &kept, &lost);
    ck_assert_int_eq(row->frames, kept);
}

/* Every row is right, none comes twice, and together they hold every slice. */
static void check_all_rows(const struct reference_view *view, const struct trace_model *model,
                           bool is_path)
{
    const struct trace_stats *rows = is_path ? model->path_stats : model->site_stats;
    uint32_t count = is_path ? model->path_stats_count : model->site_stats_count;
    uint64_t calls = 0;
    for (uint32_t i = 0; i < count; i++) {
        check_row(view, model, &rows[i], is_path);
        calls += rows[i].sums.calls;
        ck_assert(rows[i].track == TRACE_NONE || i == 0 || rows[i - 1].subject < rows[i].subject ||
                  rows[i - 1].track == TRACE_NONE || rows[i - 1].track < rows[i].track ||
                  rows[i - 1].window < rows[i].window);
    }
    ck_assert_uint_eq(calls, view->slice_count);
}

static void check_tracks(const struct reference_view *view, const struct trace_model *model)
{
    for (uint32_t i = 0; i < view->track_count; i++) {
        const struct reference_track *track = &view->tracks[i];
        const struct trace_track *found = NULL;
        uint64_t slices = 0, incomplete = 0;
        for (uint32_t n = 0; n < model->track_count; n++)
            if (model->tracks[n].id == track->id)
                found = &model->tracks[n];
        ck_assert_ptr_nonnull(found);
        for (size_t n = 0; n < view->slice_count; n++) {
            slices += view->slices[n].track == track->id;
            incomplete += view->slices[n].track == track->id && view->slices[n].duration_ns == -1;
        }
        int64_t kept, lost, frame_ns, covered_ns;
        reference_count_frames(view, track->id, &kept, &lost);
        reference_cover(view, track, &frame_ns, &covered_ns);
        ck_assert_int_eq(found->begin_ns, track->begin_ns);
        ck_assert_int_eq(found->end_ns, track->end_ns);
        ck_assert_uint_eq(found->slices, slices);
        ck_assert_uint_eq(found->incomplete, incomplete);
        const struct trace_track_stats *stats =
            trace_model_track_stats(model, 0, (uint32_t)(found - model->tracks));
        ck_assert_uint_eq(stats->slices, slices);
        ck_assert_uint_eq(stats->incomplete, incomplete);
        ck_assert_int_eq(stats->frames, kept);
        ck_assert_int_eq(stats->frames_lost, lost);
        ck_assert_int_eq(stats->frame_ns, frame_ns);
        ck_assert_int_eq(stats->covered_ns, covered_ns);
        ck_assert_int_ge(stats->frame_ns, stats->covered_ns);
    }
}

static void check_statistics(const struct reference_view *view, const struct trace_model *model)
{
    check_all_rows(view, model, true);
    check_all_rows(view, model, false);
    check_tracks(view, model);
    ck_assert_uint_eq(model->slices, view->slice_count);
}

/* --- whole captures -------------------------------------------------------------------------- */

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

static void check_slices(const struct reference_view *view, const struct trace_model *model,
                         const struct slice_collector *shown)
{
    size_t index = 0;
    ck_assert_uint_eq(shown->slice_count, view->slice_count);
    for (uint32_t i = 0; i < view->track_count; i++)
        for (size_t n = 0; n < shown->slice_count; n++)
            if (track_id(model, shown->slices[n].track) == view->tracks[i].id)
                check_slice(view, model, shown, index++, &shown->slices[n]);
    ck_assert_uint_eq(index, view->slice_count);
}

/* The instants of all tracks, each found once, in the slice that was open. */
static void check_instants(const struct random_capture *capture, const struct trace_model *model,
                           const struct slice_collector *shown)
{
    size_t expected = 0;
    for (uint32_t i = 0; i < capture->view.track_count; i++) {
        const struct reference_track *track = &capture->tracks[i];
        size_t at = 0;
        for (uint32_t n = 0; n < track->event_count; n++) {
            if (track->events[n].kind != LCAP_EVENT_INSTANT)
                continue;
            while (at < shown->instant_count &&
                   track_id(model, shown->instants[at].track) != track->id)
                at++;
            ck_assert_uint_lt(at, shown->instant_count);
            const struct trace_instant *instant = &shown->instants[at++];
            ck_assert_int_eq(instant->time_ns, (int64_t)track->events[n].tick);
            ck_assert_uint_eq(model->sites[instant->site].id, track->events[n].site);
            ck_assert_uint_eq(instant->frame, reference_frame(&capture->view, instant->time_ns));
            const struct trace_slice *slice = slice_collector_find(shown, instant->slice_id);
            int64_t depth = 0;
            for (uint32_t before = 0; before < n; before++) {
                depth += track->events[before].kind == LCAP_EVENT_BEGIN;
                depth -= track->events[before].kind == LCAP_EVENT_END;
            }
            ck_assert_int_eq(slice == NULL ? 0 : model->paths[slice->path].depth + 1, depth);
            expected++;
        }
    }
    ck_assert_uint_eq(shown->instant_count, expected);
    ck_assert_uint_eq(model->instants, expected);
}

START_TEST(whole_captures_equal_the_reference)
{
    struct random_capture capture;
    struct slice_collector shown;
    random_capture_create(&capture, (uint64_t)_i, false);
    struct trace_capture *opened = builder_open(capture.builder);
    const struct trace_model *model = trace_capture_model(opened);
    slice_collector_run(&shown, opened);
    ck_assert_uint_eq(model->damage_count, 0);
    ck_assert_uint_eq(model->loss_count, capture.view.loss_count);
    ck_assert_int_eq(model->is_finished, capture.is_finished);
    ck_assert_int_eq(model->end_ns, capture.end_ns);
    check_slices(&capture.view, model, &shown);
    check_instants(&capture, model, &shown);
    check_statistics(&capture.view, model);
    slice_collector_clear(&shown);
    trace_capture_close(opened);
    random_capture_destroy(&capture);
}
END_TEST

/* --- what is left of the file, by block ------------------------------------------------------ */

/* How many events of each track (index: id) a block has; none in other blocks. */
struct block_events {
    uint32_t counts[BUILDER_MAX_TRACKS + 1];
    bool has_segment[BUILDER_MAX_TRACKS + 1];
    bool is_there;
    bool is_session;
};

struct block_list {
    struct block_events *blocks; /* by sequence */
    uint64_t count;              /* sequence of the last block that is there, plus 1 */
    uint64_t first_tick;         /* smallest start of a segment */
};

static void read_blocks(struct file_bytes file, uint64_t most, struct block_list *list)
{
    struct lcap_bytes bytes = {file.data, file.size};
    struct lcap_reader *reader;
    struct lcap_item item;
    *list = (struct block_list){.first_tick = UINT64_MAX};
    list->blocks = calloc(most, sizeof *list->blocks);
    ck_assert_ptr_nonnull(list->blocks);
    ck_assert_int_eq(lcap_reader_open(lcap_source_from_memory(&bytes), &reader, NULL), LUDUS_OK);
    while (lcap_reader_next(reader, true, &item) == LUDUS_OK) {
        if (item.kind != LCAP_ITEM_BLOCK)
            continue;
        ck_assert_uint_lt(item.block.sequence, most);
        struct block_events *block = &list->blocks[item.block.sequence];
        const struct lcap_events *events = lcap_reader_events(reader);
        block->is_there = true;
        block->is_session = item.block.kind == LCAP_KIND_session;
        list->count = item.block.sequence + 1;
        for (uint32_t i = 0; events != NULL && i < events->header.segment_count; i++) {
            const struct lcap_segment *segment = &events->segments[i];
            block->counts[segment->track] += segment->event_count;
            block->has_segment[segment->track] = true;
            if (segment->start_tick < list->first_tick)
                list->first_tick = segment->start_tick;
        }
    }
    lcap_reader_close(reader);
}

/* What the model says of a track's events that damage took. */
static uint64_t told_events(const struct trace_model *model, uint32_t track, bool *is_told)
{
    uint64_t events = 0;
    *is_told = false;
    for (uint32_t i = 0; i < model->loss_count; i++) {
        const struct trace_loss *loss = &model->losses[i];
        if (loss->cause != TRACE_LOSS_DAMAGE)
            continue;
        if (loss->track == TRACE_NONE || track_id(model, loss->track) == track)
            *is_told = true;
        if (track_id(model, loss->track) == track)
            events += loss->events;
    }
    return events;
}

static bool knows_track(const struct trace_model *model, uint32_t track)
{
    for (uint32_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].id == track)
            return true;
    return false;
}

/* Between two segments of a track the number of lost events is exact. Behind the last one it is
 * told that some were lost, unless the file simply ends before. */
static void check_lost_events(const struct trace_model *model, const struct block_list *whole,
                              const struct block_list *left)
{
    for (uint32_t track = 1; track <= BUILDER_MAX_TRACKS; track++) {
        uint64_t exact = 0, behind = 0, cut = 0;
        bool is_told;
        for (uint64_t i = 0; i < left->count; i++) {
            if (left->blocks[i].has_segment[track]) {
                exact += behind;
                behind = 0;
            }
            if (!left->blocks[i].is_there)
                behind += whole->blocks[i].counts[track];
        }
        for (uint64_t i = left->count; i < whole->count; i++)
            cut += whole->blocks[i].counts[track];
        uint64_t told = told_events(model, track, &is_told);
        ck_assert_uint_ge(told, exact);
        ck_assert_uint_le(told, exact + behind + cut);
        /* A track that nothing left in the file names cannot be told of, but the damage is. */
        ck_assert_msg(is_told || (exact == 0 && behind == 0) ||
                          (!knows_track(model, track) && model->damage_count != 0),
                      "nothing tells of the %llu and %llu events that track %u lost",
                      (unsigned long long)exact, (unsigned long long)behind, track);
    }
}

/* --- damaged captures ------------------------------------------------------------------------ */

static size_t shown_index(const struct slice_collector *shown, uint64_t slice_id)
{
    const struct trace_slice *slice = slice_collector_find(shown, slice_id);
    return slice == NULL ? SIZE_MAX : (size_t)(slice - shown->slices);
}

/* The shown slices, and the model's own tracks, frames and losses, as a view: what is added up must
 * be what is shown. */
struct shown_view {
    struct reference_view view;
    struct reference_track *tracks;
    struct reference_loss *losses;
};

static void view_shown(struct shown_view *shown_view, const struct trace_model *model,
                       const struct slice_collector *shown)
{
    struct reference_view *view = &shown_view->view;
    struct reference_track *tracks = calloc(model->track_count + 1u, sizeof *tracks);
    struct reference_loss *losses = calloc(model->loss_count + 1u, sizeof *losses);
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
                                    .track = track_id(model, loss->track),
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
                                     .track = track_id(model, slice->track),
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

static void check_shown(const struct reference_view *view, const struct slice_collector *shown)
{
    for (size_t i = 0; i < shown->slice_count; i++) {
        const struct trace_slice *slice = &shown->slices[i];
        ck_assert_int_ge(slice->known_ns, 0);
        ck_assert_int_eq(slice->is_incomplete, slice->duration_ns == -1);
        ck_assert_int_eq(slice->has_children_lost, reference_is_lost(view, &view->slices[i]));
        ck_assert_uint_eq(slice->frame, reference_frame(view, slice->begin_ns));
        ck_assert_int_eq(slice->exclusive_ns,
                         slice->has_children_lost ? -1 : view->slices[i].exclusive_ns);
    }
}

static bool is_same_path(const struct reference_view *a, size_t left,
                         const struct reference_view *b, size_t right)
{
    while (left != SIZE_MAX && right != SIZE_MAX) {
        if (a->slices[left].site != b->slices[right].site)
            return false;
        left = a->slices[left].parent;
        right = b->slices[right].parent;
    }
    return left == right;
}

/* Whether the original has, not yet taken, a slice that this one may be. */
static bool take_original(const struct reference_view *whole, bool *is_taken,
                          const struct reference_view *shown, size_t index, int64_t shift_ns)
{
    const struct reference_slice *slice = &shown->slices[index];
    for (size_t i = 0; i < whole->slice_count; i++) {
        const struct reference_slice *original = &whole->slices[i];
        if (is_taken[i] || original->track != slice->track ||
            original->begin_ns != slice->begin_ns + shift_ns ||
            !is_same_path(whole, i, shown, index))
            continue;
        if (slice->duration_ns != -1 ? original->duration_ns != slice->duration_ns
                                     : original->known_ns < slice->known_ns)
            continue;
        if (slice->duration_ns != -1 && !slice->is_lost &&
            slice->exclusive_ns != original->exclusive_ns)
            continue;
        is_taken[i] = true;
        return true;
    }
    return false;
}

static void check_against_original(const struct reference_view *whole,
                                   const struct reference_view *shown, int64_t shift_ns)
{
    bool *is_taken = calloc(whole->slice_count + 1, sizeof *is_taken);
    ck_assert_ptr_nonnull(is_taken);
    /* Whole slices first: they can be one thing only. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < shown->slice_count; i++)
            if ((shown->slices[i].duration_ns == -1) == (pass == 1))
                ck_assert_msg(
                    take_original(whole, is_taken, shown, i, shift_ns),
                    "the original has no slice of site %u on track %u at %lld for %lld (%lld)",
                    shown->slices[i].site, shown->slices[i].track,
                    (long long)shown->slices[i].begin_ns, (long long)shown->slices[i].duration_ns,
                    (long long)shown->slices[i].known_ns);
    free(is_taken);
}

/* Time zero moves to the first event when the session block is gone. */
static int64_t shift_of(const struct random_capture *capture, const struct block_list *left)
{
    if (left->blocks[0].is_there && left->blocks[0].is_session)
        return 0;
    return left->first_tick == UINT64_MAX ? 0
                                          : (int64_t)(left->first_tick - capture->setup.start_tick);
}

static void check_damaged(const struct random_capture *capture, struct file_bytes file,
                          const struct block_list *whole, uint64_t most)
{
    struct trace_capture *opened = NULL;
    struct ludus_error error = {0};
    struct slice_collector shown;
    struct block_list left;
    struct shown_view view;
    struct lcap_bytes bytes = {file.data, file.size};
    enum ludus_status status = builder_try_open(bytes, &opened, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    const struct trace_model *model = trace_capture_model(opened);
    slice_collector_run(&shown, opened);
    read_blocks(file, most, &left);
    ck_assert(model->damage_count != 0 || !model->is_finished ||
              shown.slice_count == capture->view.slice_count);
    view_shown(&view, model, &shown);
    check_shown(&view.view, &shown);
    check_statistics(&view.view, model);
    check_against_original(&capture->view, &view.view, shift_of(capture, &left));
    check_lost_events(model, whole, &left);
    free(view.tracks);
    free(view.losses);
    free(view.view.slices);
    free(left.blocks);
    slice_collector_clear(&shown);
    trace_capture_close(opened);
}

START_TEST(damaged_captures_show_nothing_wrong_and_tell_what_is_lost)
{
    struct random random = {UINT64_C(0xDA3A6E) + (uint64_t)_i};
    struct random_capture capture;
    struct block_list whole;
    uint32_t count;
    random_capture_create(&capture, 1000 + (uint64_t)_i, true);
    struct lcap_bytes original = builder_bytes(capture.builder);
    const uint64_t *offsets = builder_offsets(capture.builder, &count);
    struct file_bytes file = {malloc(original.size), original.size};
    ck_assert_ptr_nonnull(file.data);
    memcpy(file.data, original.data, original.size);
    read_blocks(file, count, &whole);
    for (uint32_t i = 0; i < DAMAGES_OF_EACH; i++) {
        memcpy(file.data, original.data, original.size);
        file.size = original.size;
        random_damage_bytes(&file, &random, offsets, count);
        check_damaged(&capture, file, &whole, count);
    }
    free(whole.blocks);
    free(file.data);
    random_capture_destroy(&capture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model property");
    TCase *cases = tcase_create("model property");
    tcase_set_timeout(cases, 0);
    tcase_add_loop_test(cases, whole_captures_equal_the_reference, 0, WHOLE_SEEDS);
    tcase_add_loop_test(cases, damaged_captures_show_nothing_wrong_and_tell_what_is_lost, 0,
                        DAMAGED_SEEDS);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
