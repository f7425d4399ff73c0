/* What is whole of random captures that are damaged: the new capture is whole as a file, and has
 * the same slices, frames, losses and statistics as the damaged one. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "kept_capture.h"
#include "memory_sink.h"
#include "random_capture.h"
#include "trace.h"

#define SEEDS           (50u / TEST_SHARE)
#define DAMAGES_OF_EACH 3u

/* False when there is nothing to save. */
static bool repair(const struct kept_capture *damaged, struct kept_capture *repaired)
{
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_report *report = NULL;
    struct ludus_error error = {0};
    enum ludus_status status =
        trace_repair(damaged->path, NULL, memory_sink_output(&sink), &report, &error);
    trace_report_destroy(report);
    ck_assert_msg(status == LUDUS_OK || status == LUDUS_ERROR_DAMAGED, "%s", error.message);
    if (status == LUDUS_OK)
        kept_capture_open(repaired, sink.bytes, sink.size);
    memory_sink_release(&sink);
    return status == LUDUS_OK;
}

static uint32_t track_id(const struct trace_model *model, uint32_t index)
{
    return index == TRACE_NONE ? 0 : model->tracks[index].id;
}

static const struct trace_track *find_track(const struct trace_model *model, uint32_t id)
{
    for (uint32_t i = 0; i < model->track_count; i++)
        if (model->tracks[i].id == id)
            return &model->tracks[i];
    ck_abort_msg("a track is gone");
    return NULL;
}

static bool has_loss(const struct trace_model *model, const struct trace_model *other,
                     const struct trace_loss *wanted)
{
    for (uint32_t i = 0; i < model->loss_count; i++) {
        const struct trace_loss *loss = &model->losses[i];
        if (loss->cause == wanted->cause && loss->events == wanted->events &&
            loss->begin_ns == wanted->begin_ns && loss->end_ns == wanted->end_ns &&
            track_id(model, loss->track) == track_id(other, wanted->track) &&
            memcmp(&loss->counts, &wanted->counts, sizeof loss->counts) == 0)
            return true;
    }
    return false;
}

static void check_facts(const struct trace_model *before, const struct trace_model *after)
{
    ck_assert_int_eq(after->end_ns, before->end_ns);
    ck_assert_int_eq(after->is_finished, before->is_finished);
    ck_assert_uint_eq(after->unfinished_tail, before->unfinished_tail);
    ck_assert_int_eq(after->damage_count != 0, before->damage_count != 0);
    ck_assert_uint_eq(after->loss_count, before->loss_count);
    for (uint32_t i = 0; i < before->loss_count; i++)
        ck_assert(has_loss(after, before, &before->losses[i]));
    ck_assert_uint_eq(after->domain_count, before->domain_count);
    for (uint32_t i = 0; i < before->domain_count; i++) {
        ck_assert_uint_eq(after->domains[i].frame_count, before->domains[i].frame_count);
        ck_assert_uint_eq(after->domains[i].complete_count, before->domains[i].complete_count);
    }
    ck_assert_uint_eq(after->track_count, before->track_count);
    for (uint32_t i = 0; i < before->track_count; i++) {
        const struct trace_track *track = find_track(after, before->tracks[i].id);
        ck_assert_int_eq(track->begin_ns, before->tracks[i].begin_ns);
        ck_assert_int_eq(track->end_ns, before->tracks[i].end_ns);
    }
}

static size_t count_of_track(const struct kept_capture *kept, uint32_t id, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < kept->shown.slice_count; i++) {
        if (kept->model->tracks[kept->shown.slices[i].track].id != id)
            continue;
        if (count++ == 0)
            *first = i;
    }
    return count;
}

/* Slices are sorted by track and begin. */
static void check_slices(const struct kept_capture *before, const struct kept_capture *after)
{
    ck_assert_uint_eq(after->shown.slice_count, before->shown.slice_count);
    for (uint32_t track = 0; track < before->model->track_count; track++) {
        const uint32_t id = before->model->tracks[track].id;
        size_t from = 0, to = 0;
        const size_t count = count_of_track(before, id, &from);
        ck_assert_uint_eq(count_of_track(after, id, &to), count);
        for (size_t i = 0; i < count; i++) {
            const struct trace_slice *old = &before->shown.slices[from + i];
            const struct trace_slice *made = &after->shown.slices[to + i];
            char old_path[1024], path[1024];
            path_text(before->model, old->path, old_path, sizeof old_path);
            path_text(after->model, made->path, path, sizeof path);
            ck_assert_str_eq(path, old_path);
            ck_assert_int_eq(made->begin_ns, old->begin_ns);
            ck_assert_int_eq(made->duration_ns, old->duration_ns);
            ck_assert_int_eq(made->known_ns, old->known_ns);
            ck_assert_int_eq(made->exclusive_ns, old->exclusive_ns);
            ck_assert_int_eq(made->has_children_lost, old->has_children_lost);
        }
    }
}

static void check_repair(const struct kept_capture *damaged)
{
    struct kept_capture repaired, again;
    if (!repair(damaged, &repaired))
        return;
    kept_capture_check_whole(&repaired);
    check_facts(damaged->model, repaired.model);
    check_slices(damaged, &repaired);
    ck_assert(repair(&repaired, &again)); /* the same but for its number */
    ck_assert_uint_eq(again.model->file_bytes, repaired.model->file_bytes);
    ck_assert_uint_ne(again.model->capture_id, repaired.model->capture_id);
    check_facts(repaired.model, again.model);
    kept_capture_close(&again);
    kept_capture_close(&repaired);
}

/* Damages a copy and repairs it. */
static void damage_and_repair(struct lcap_bytes whole, struct random *random,
                              const uint64_t *offsets, uint32_t count)
{
    struct file_bytes file = {malloc(whole.size), whole.size};
    struct kept_capture damaged;
    ck_assert_ptr_nonnull(file.data);
    memcpy(file.data, whole.data, whole.size);
    random_damage_bytes(&file, random, offsets, count);
    kept_capture_open(&damaged, file.data, file.size);
    check_repair(&damaged);
    kept_capture_close(&damaged);
    free(file.data);
}

START_TEST(a_repaired_capture_says_what_the_damaged_one_says)
{
    struct random_capture capture;
    struct random random = {(uint64_t)_i + 1000};
    uint32_t count;
    random_capture_create(&capture, (uint64_t)_i, false);
    const struct lcap_bytes whole = builder_bytes(capture.builder);
    const uint64_t *offsets = builder_offsets(capture.builder, &count);
    for (uint32_t i = 0; i < DAMAGES_OF_EACH; i++)
        damage_and_repair(whole, &random, offsets, count);
    random_capture_destroy(&capture);
}
END_TEST

/* New damage of a repaired capture, by flips: what was told stays told, what is new comes to it. */
START_TEST(a_repaired_capture_can_be_damaged_and_repaired_again)
{
    struct random_capture capture;
    struct kept_capture original, damaged, repaired, worse;
    struct random random = {(uint64_t)_i + 1000};
    uint32_t count;
    random_capture_create(&capture, (uint64_t)_i, false);
    const struct lcap_bytes whole = builder_bytes(capture.builder);
    const uint64_t *offsets = builder_offsets(capture.builder, &count);
    kept_capture_open(&original, whole.data, whole.size);
    uint8_t *copy = malloc(whole.size);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, whole.data, whole.size);
    const uint32_t block = random_below(&random, count);
    copy[offsets[block] + LCAP_BLOCK_HEADER_SIZE] ^= 1;
    kept_capture_open(&damaged, copy, whole.size);
    struct memory_sink sink = memory_sink_make(SIZE_MAX);
    struct trace_report *report = NULL;
    struct ludus_error error;
    ck_assert_int_eq(trace_repair(damaged.path, NULL, memory_sink_output(&sink), &report, &error),
                     LUDUS_OK);
    trace_report_destroy(report);
    kept_capture_open(&repaired, sink.bytes, sink.size);
    sink.bytes[LCAP_FILE_HEADER_SIZE + 40 +
               random_below(&random, (uint32_t)sink.size - LCAP_FILE_HEADER_SIZE - 40)] ^= 4;
    kept_capture_open(&worse, sink.bytes, sink.size);
    uint64_t events = 0;
    for (uint32_t i = 0; i < worse.model->loss_count; i++)
        events += worse.model->losses[i].events;
    /* Nothing is counted twice: what is there and what is lost are what there was. */
    ck_assert_uint_le(worse.model->events + events, original.model->events);
    check_repair(&worse);
    memory_sink_release(&sink);
    kept_capture_close(&worse);
    kept_capture_close(&repaired);
    kept_capture_close(&damaged);
    kept_capture_close(&original);
    free(copy);
    random_capture_destroy(&capture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("repair");
    TCase *cases = tcase_create("random captures");
    tcase_set_timeout(cases, 240);
    tcase_add_loop_test(cases, a_repaired_capture_says_what_the_damaged_one_says, 0, (int)SEEDS);
    tcase_add_loop_test(cases, a_repaired_capture_can_be_damaged_and_repaired_again, 0, (int)SEEDS);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
