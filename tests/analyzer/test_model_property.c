/* Random captures, whole and damaged, through file and analyzer, against the slow reference. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_decode.h"
#include "model_check.h"
#include "random_capture.h"
#include "random_damage.h"

#define WHOLE_SEEDS     (300u / TEST_SHARE)
#define DAMAGED_SEEDS   (150u / TEST_SHARE)
#define DAMAGES_OF_EACH 6u

/* --- whole captures -------------------------------------------------------------------------- */

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
                   model_track_id(model, shown->instants[at].track) != track->id)
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
    model_check_slices(&capture.view, model, &shown);
    check_instants(&capture, model, &shown);
    model_check_statistics(&capture.view, model, true);
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
        if (loss->track == TRACE_NONE || model_track_id(model, loss->track) == track)
            *is_told = true;
        if (model_track_id(model, loss->track) == track)
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
    shown_view_create(&view, model, &shown);
    check_shown(&view.view, &shown);
    model_check_statistics(&view.view, model, true);
    check_against_original(&capture->view, &view.view, shift_of(capture, &left));
    check_lost_events(model, whole, &left);
    shown_view_destroy(&view);
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
