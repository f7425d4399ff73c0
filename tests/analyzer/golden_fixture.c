/* Builds the captures of the golden tests, and compares models with what was worked out. */
#include "golden_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "path_rows.h"

static const char *const sites[] = {"Frame", "Physics", "Solve", "Render", "Job", "Load", "Mark"};

const struct builder_setup golden_setup = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = COUNT(sites),
    .start_tick = START,
};

void golden_emit(struct capture_builder *builder, uint32_t track, const char *text)
{
    char shifted[1024];
    size_t used = 0;
    while (*text != '\0') {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0) {
            shifted[used++] = *text++;
            continue;
        }
        used += (size_t)snprintf(shifted + used, sizeof shifted - used, "%llu",
                                 strtoull(text, NULL, 10) + START);
        text += digits;
    }
    shifted[used] = '\0';
    builder_events(builder, track, shifted);
}

void golden_add_track(struct capture_builder *builder, uint32_t id, uint64_t os_id,
                      uint64_t begin_ns, uint64_t end_ns, const char *name)
{
    builder_track(builder,
                  &(struct lcap_track){.os_id = os_id,
                                       .begin_tick = START + begin_ns,
                                       .end_tick = end_ns != 0 ? START + end_ns : 0,
                                       .track = id,
                                       .kind = LCAP_TRACK_THREAD},
                  name);
}

void golden_add_marks(struct capture_builder *builder, uint32_t domain, const uint64_t *times_ns,
                      size_t count)
{
    for (size_t ordinal = 0; ordinal < count; ordinal++)
        if (times_ns[ordinal] != UINT64_MAX)
            builder_frame(builder, domain, ordinal, START + times_ns[ordinal]);
}

static void subject_text(const struct trace_model *model, bool is_path, uint32_t subject,
                         char *text, size_t size)
{
    if (is_path)
        path_text(model, subject, text, size);
    else
        snprintf(text, size, "%.*s", (int)model->sites[subject].name.size,
                 model->sites[subject].name.data);
}

static void golden_check_sums(const char *name, const struct trace_sums *sums,
                              const struct trace_sums *expected)
{
#define SAME(member)                                                                               \
    ck_assert_msg(sums->member == expected->member, "%s: " #member " is %lld, not %lld", name,     \
                  (long long)sums->member, (long long)expected->member)
    SAME(calls);
    SAME(outermost_calls);
    SAME(recursive_calls);
    SAME(exclusive_calls);
    SAME(incomplete);
    SAME(children_lost);
    SAME(inclusive_ns);
    SAME(exclusive_ns);
#undef SAME
}

void golden_check_rows(const struct trace_model *model, bool is_path,
                       const struct expected_sums *expected, size_t count)
{
    struct trace_stats *of_paths = NULL;
    const struct trace_stats *rows = model->site_stats;
    uint32_t row_count = model->site_stats_count;
    if (is_path) {
        ck_assert(trace_path_rows_list(model, &of_paths, &row_count));
        rows = of_paths;
    }
    for (size_t i = 0; i < count; i++) {
        const struct trace_stats *found = NULL;
        for (uint32_t n = 0; n < row_count; n++) {
            char name[256];
            subject_text(model, is_path, rows[n].subject, name, sizeof name);
            if (strcmp(name, expected[i].subject) == 0 && rows[n].track == expected[i].track &&
                rows[n].window == expected[i].window)
                found = &rows[n];
        }
        ck_assert_msg(found != NULL, "%s has no row", expected[i].subject);
        ck_assert_int_eq(found->frames, expected[i].frames);
        golden_check_sums(expected[i].subject, &found->sums, &expected[i].sums);
    }
    ck_assert_uint_eq(row_count, count);
    free(of_paths);
}

void golden_check_slices(const struct trace_model *model, const struct slice_collector *shown,
                         uint32_t track, const struct expected_slice *expected, size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < shown->slice_count; i++) {
        const struct trace_slice *slice = &shown->slices[i];
        char path[256];
        if (slice->track != track)
            continue;
        ck_assert_uint_lt(next, count);
        const struct expected_slice *right = &expected[next++];
        const struct trace_slice *parent = slice_collector_find(shown, slice->parent_id);
        path_text(model, slice->path, path, sizeof path);
        ck_assert_str_eq(path, right->path);
        ck_assert_int_eq(slice->begin_ns, right->begin_ns);
        ck_assert_int_eq(slice->duration_ns, right->duration_ns);
        ck_assert_int_eq(slice->known_ns, right->known_ns);
        ck_assert_int_eq(slice->exclusive_ns, right->exclusive_ns);
        ck_assert_uint_eq(slice->frame, right->frame);
        ck_assert_int_eq(parent == NULL ? -1 : parent->begin_ns, right->parent_begin_ns);
        ck_assert_int_eq(slice->has_children_lost, right->is_children_lost);
        ck_assert_int_eq(slice->is_incomplete, right->duration_ns == -1);
    }
    ck_assert_uint_eq(next, count);
}

void golden_check_track(const struct trace_model *model, uint32_t index,
                        const struct expected_track *expected)
{
    const struct trace_track *track = &model->tracks[index];
    const struct trace_track_stats *stats = trace_model_track_stats(model, 0, index);
    ck_assert_int_eq(track->begin_ns, expected->begin_ns);
    ck_assert_int_eq(track->end_ns, expected->end_ns);
    ck_assert_int_eq(track->has_ended, expected->has_ended);
    ck_assert_uint_eq(track->slices, expected->slices);
    ck_assert_uint_eq(track->instants, expected->instants);
    ck_assert_uint_eq(track->incomplete, expected->incomplete);
    ck_assert_uint_eq(stats->slices, expected->slices);
    ck_assert_uint_eq(stats->incomplete, expected->incomplete);
    ck_assert_int_eq(stats->frames, expected->frames);
    ck_assert_int_eq(stats->frames_lost, expected->frames_lost);
    ck_assert_int_eq(stats->frame_ns, expected->frame_ns);
    ck_assert_int_eq(stats->covered_ns, expected->covered_ns);
}

void golden_open(struct golden_recording *recording, struct capture_builder *builder)
{
    recording->builder = builder;
    recording->capture = builder_open(builder);
    slice_collector_run(&recording->shown, recording->capture);
    recording->model = trace_capture_model(recording->capture);
}

void golden_close(struct golden_recording *recording)
{
    slice_collector_clear(&recording->shown);
    trace_capture_close(recording->capture);
    builder_destroy(recording->builder);
}
