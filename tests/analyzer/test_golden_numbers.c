/* Captures so small that every number of the model was worked out by hand. The sum is written
 * beside each; times are nanoseconds from the session's start, which is at tick 1,000. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_builder.h"
#include "frame_percentiles.h"
#include "slice_collector.h"

#define START        1000u
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const sites[] = {"Frame", "Physics", "Solve", "Render", "Job", "Load", "Mark"};

static const struct builder_setup nanoseconds = {
    .clock = {.ticks_per_second = 1000000000,
              .step = 1,
              .clock = 1,
              .source = LCAP_CLOCK_MONOTONIC},
    .sites = sites,
    .site_count = COUNT(sites),
    .start_tick = START,
};

/* Events with times from the session's start. */
static void emit(struct capture_builder *builder, uint32_t track, const char *text)
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

static void add_track(struct capture_builder *builder, uint32_t id, uint64_t os_id,
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

static void add_marks(struct capture_builder *builder, uint32_t domain, const uint64_t *times_ns,
                      size_t count)
{
    for (size_t ordinal = 0; ordinal < count; ordinal++)
        if (times_ns[ordinal] != UINT64_MAX)
            builder_frame(builder, domain, ordinal, START + times_ns[ordinal]);
}

/* A row of the model's sums, by name. */
struct expected_sums {
    const char *subject;
    uint32_t track; /* index, or TRACE_NONE */
    enum trace_window_kind window;
    int64_t frames;
    struct trace_sums sums;
};

static void subject_text(const struct trace_model *model, bool is_path, uint32_t subject,
                         char *text, size_t size)
{
    if (is_path)
        path_text(model, subject, text, size);
    else
        snprintf(text, size, "%.*s", (int)model->sites[subject].name.size,
                 model->sites[subject].name.data);
}

static void check_sums(const char *name, const struct trace_sums *sums,
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

/* Exactly these rows, in any order. */
static void check_rows(const struct trace_model *model, bool is_path,
                       const struct expected_sums *expected, size_t count)
{
    const struct trace_stats *rows = is_path ? model->path_stats : model->site_stats;
    uint32_t row_count = is_path ? model->path_stats_count : model->site_stats_count;
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
        check_sums(expected[i].subject, &found->sums, &expected[i].sums);
    }
    ck_assert_uint_eq(row_count, count);
}

/* A slice, by its path. */
struct expected_slice {
    const char *path;
    int64_t begin_ns;
    int64_t duration_ns;
    int64_t known_ns;
    int64_t exclusive_ns;
    uint32_t frame;          /* index */
    int64_t parent_begin_ns; /* -1: top-level */
    bool is_children_lost;
};

/* The slices of a track in order of begin. */
static void check_slices(const struct trace_model *model, const struct slice_collector *shown,
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

struct expected_track {
    int64_t begin_ns, end_ns;
    bool has_ended;
    uint64_t slices, instants, incomplete;
    int64_t frames, frames_lost, frame_ns, covered_ns;
};

static void check_track(const struct trace_track *track, const struct expected_track *expected)
{
    ck_assert_int_eq(track->begin_ns, expected->begin_ns);
    ck_assert_int_eq(track->end_ns, expected->end_ns);
    ck_assert_int_eq(track->has_ended, expected->has_ended);
    ck_assert_uint_eq(track->slices, expected->slices);
    ck_assert_uint_eq(track->instants, expected->instants);
    ck_assert_uint_eq(track->incomplete, expected->incomplete);
    ck_assert_int_eq(track->frames, expected->frames);
    ck_assert_int_eq(track->frames_lost, expected->frames_lost);
    ck_assert_int_eq(track->frame_ns, expected->frame_ns);
    ck_assert_int_eq(track->covered_ns, expected->covered_ns);
}

/* --- a whole recording ----------------------------------------------------------------------- */

/* Marks of "main": 0 at 100, 1 at 200, 2 at 300, 3 at 450, 4 missing, 5 at 600, 6 at 650.
 * Complete are frames 0 [100, 200), 1 [200, 300), 2 [300, 450) and 5 [600, 650): together 400 ns.
 * Frame 3 lacks its end and frame 6 is the last. Marks of "render": 150, 250, 350. */
static const uint64_t main_marks[] = {100, 200, 300, 450, UINT64_MAX, 600, 650};
static const uint64_t render_marks[] = {150, 250, 350};

static struct capture_builder *build_recording(void)
{
    struct capture_builder *builder = builder_create(&nanoseconds);
    builder_domain(builder, 1, "main");
    builder_domain(builder, 2, "render");
    add_track(builder, 1, 70, 0, 0, "main");
    emit(builder, 1, "(Load 10 )60");
    emit(builder, 1,
         "(Frame 100 (Physics 110 (Solve 120 (Solve 130 )140 )150 )160 !Mark 165 (Render 170 )170 "
         ")190");
    add_track(builder, 2, 77, 50, 0, "worker");
    emit(builder, 2, "(Job 60 )90 (Job 120 (Solve 130 )150 )180 (Job 190");
    emit(builder, 1, "(Frame 200 (Physics 205 )255 (Render 260 )290 )300 (Frame 310 (Render 320");
    builder_end_block(builder);
    emit(builder, 1, "(Solve 460");
    emit(builder, 2, ")230 (Job 250 )280");
    emit(builder, 1, ")465 )470 )480");
    add_track(builder, 2, 77, 50, 280, "worker");
    /* Another thread, to which the system gave the same number. */
    add_track(builder, 3, 77, 290, 0, "worker");
    emit(builder, 3, "(Job 290 )310 (Job 620 )640");
    emit(builder, 1, "(Frame 600 (Physics 610 )640 )650 (Load 650 )655");
    add_marks(builder, 2, render_marks, COUNT(render_marks));
    add_marks(builder, 1, main_marks, COUNT(main_marks));
    builder_stop(builder, START + 700);
    builder_finish(builder);
    return builder;
}

struct recording {
    struct capture_builder *builder;
    struct trace_capture *capture;
    const struct trace_model *model;
    struct slice_collector shown;
};

static void open_recording(struct recording *recording, struct capture_builder *builder)
{
    recording->builder = builder;
    recording->capture = builder_open(builder);
    slice_collector_run(&recording->shown, recording->capture);
    recording->model = trace_capture_model(recording->capture);
}

static void close_recording(struct recording *recording)
{
    slice_collector_clear(&recording->shown);
    trace_capture_close(recording->capture);
    builder_destroy(recording->builder);
}

START_TEST(every_slice_has_its_times_its_frame_and_its_parent)
{
    /* Frames by index: 0, 1, 2, 3, 4 (number 5), 5 (number 6). */
    static const struct expected_slice main_slices[] = {
        {"Load", 10, 50, 50, 50, TRACE_NONE, -1, false},
        {"Frame", 100, 90, 90, 40, 0, -1, false}, /* 90 - Physics 50 - Render 0 */
        {"Frame/Physics", 110, 50, 50, 20, 0, 100, false},
        {"Frame/Physics/Solve", 120, 30, 30, 20, 0, 110, false},
        {"Frame/Physics/Solve/Solve", 130, 10, 10, 10, 0, 120, false},
        {"Frame/Render", 170, 0, 0, 0, 0, 100, false},
        {"Frame", 200, 100, 100, 20, 1, -1, false}, /* 100 - 50 - 30; ends on mark 2 */
        {"Frame/Physics", 205, 50, 50, 50, 1, 200, false},
        {"Frame/Render", 260, 30, 30, 30, 1, 200, false},
        {"Frame", 310, 170, 170, 20, 2, -1, false}, /* goes over mark 3 */
        {"Frame/Render", 320, 150, 150, 145, 2, 310, false},
        {"Frame/Render/Solve", 460, 5, 5, 5, 3, 320, false},
        {"Frame", 600, 50, 50, 20, 4, -1, false},
        {"Frame/Physics", 610, 30, 30, 30, 4, 600, false},
        {"Load", 650, 5, 5, 5, 5, -1, false},
    };
    static const struct expected_slice worker_slices[] = {
        {"Job", 60, 30, 30, 30, TRACE_NONE, -1, false}, {"Job", 120, 60, 60, 40, 0, -1, false},
        {"Job/Solve", 130, 20, 20, 20, 0, 120, false},  {"Job", 190, 40, 40, 40, 0, -1, false},
        {"Job", 250, 30, 30, 30, 1, -1, false},
    };
    static const struct expected_slice other_slices[] = {
        {"Job", 290, 20, 20, 20, 1, -1, false},
        {"Job", 620, 20, 20, 20, 4, -1, false},
    };
    struct recording recording;
    open_recording(&recording, build_recording());
    check_slices(recording.model, &recording.shown, 0, main_slices, COUNT(main_slices));
    check_slices(recording.model, &recording.shown, 1, worker_slices, COUNT(worker_slices));
    check_slices(recording.model, &recording.shown, 2, other_slices, COUNT(other_slices));
    ck_assert_uint_eq(recording.model->slices, 22);
    ck_assert_uint_eq(recording.shown.instant_count, 1);
    const struct trace_instant *instant = recording.shown.instants;
    ck_assert_int_eq(instant->time_ns, 165);
    ck_assert_uint_eq(instant->frame, 0);
    ck_assert_int_eq(slice_collector_find(&recording.shown, instant->slice_id)->begin_ns, 100);
    close_recording(&recording);
}
END_TEST

/* calls, outermost, recursive, exclusive_calls, incomplete, lost, inclusive, exclusive */
static const struct expected_sums path_rows[] = {
    /* 90 + 100 + 170 + 50; 40 + 20 + 20 + 20 */
    {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {4, 4, 0, 4, 0, 0, 410, 100}},
    /* 50 + 50 + 30; 20 + 50 + 30 */
    {"Frame/Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 130, 100}},
    {"Frame/Physics/Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 30, 20}},
    {"Frame/Physics/Solve/Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {1, 1, 1, 1, 0, 0, 10, 10}},
    /* 0 + 30 + 150; 0 + 30 + 145 */
    {"Frame/Render", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 180, 175}},
    /* begins in frame 3, which is incomplete */
    {"Frame/Render/Solve", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 5, 5}},
    /* 50 before the first mark, 5 in the last frame */
    {"Load", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {2, 2, 0, 2, 0, 0, 55, 55}},
    /* 60 + 40 + 30 of one thread, 20 + 20 of the other; less 20 of Solve */
    {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {5, 5, 0, 5, 0, 0, 170, 150}},
    {"Job", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 30, 30}},
    {"Job/Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 20, 20}},
};

static const struct expected_sums site_rows[] = {
    {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {4, 4, 0, 4, 0, 0, 410, 100}},
    {"Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 130, 100}},
    /* three calls; the one inside another Solve adds nothing to 30 + 20, but to 20 + 10 + 20 */
    {"Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 2, 1, 3, 0, 0, 50, 50}},
    {"Solve", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 5, 5}},
    {"Render", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {3, 3, 0, 3, 0, 0, 180, 175}},
    {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 4, {5, 5, 0, 5, 0, 0, 170, 150}},
    {"Job", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 1, 0, 0, 30, 30}},
    {"Load", TRACE_NONE, TRACE_WINDOW_OUTSIDE, 0, {2, 2, 0, 2, 0, 0, 55, 55}},
};

START_TEST(paths_and_sites_add_up)
{
    struct recording recording;
    open_recording(&recording, build_recording());
    check_rows(recording.model, true, path_rows, COUNT(path_rows));
    check_rows(recording.model, false, site_rows, COUNT(site_rows));
    close_recording(&recording);
}
END_TEST

START_TEST(the_sums_are_the_same_without_a_visitor)
{
    struct capture_builder *builder = build_recording();
    struct trace_capture *capture = builder_open(builder);
    struct ludus_error error;
    ck_assert(!trace_capture_model(capture)->has_statistics);
    ck_assert_int_eq(trace_capture_run(capture, NULL, &error), LUDUS_OK);
    ck_assert(trace_capture_model(capture)->has_statistics);
    check_rows(trace_capture_model(capture), true, path_rows, COUNT(path_rows));
    check_rows(trace_capture_model(capture), false, site_rows, COUNT(site_rows));
    /* A second pass does not add to the first. */
    ck_assert_int_eq(trace_capture_run(capture, NULL, &error), LUDUS_OK);
    check_rows(trace_capture_model(capture), true, path_rows, COUNT(path_rows));
    check_rows(trace_capture_model(capture), false, site_rows, COUNT(site_rows));
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(each_track_has_its_remainder)
{
    /* main: lived through all 400 ns; covered 90 + 100 + 140 (310 to 450 of 310 to 480) + 50.
     * worker: lived until 280, which is 180 ns of frames; covered 60 + 40 + 30.
     * the other: from 290 on, 160 + 50 ns of frames; covered 20 + 20. */
    static const struct expected_track expected[] = {
        {0, 700, false, 15, 1, 0, 4, 0, 400, 380},
        {50, 280, true, 5, 0, 0, 4, 0, 180, 130},
        {290, 700, false, 2, 0, 0, 4, 0, 210, 40},
    };
    struct recording recording;
    open_recording(&recording, build_recording());
    ck_assert_uint_eq(recording.model->track_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        check_track(&recording.model->tracks[i], &expected[i]);
    ck_assert_uint_eq(recording.model->tracks[1].os_id, recording.model->tracks[2].os_id);
    close_recording(&recording);
}
END_TEST

START_TEST(domains_count_their_frames_and_missing_marks)
{
    struct recording recording;
    open_recording(&recording, build_recording());
    ck_assert_uint_eq(recording.model->domain_count, 2);
    const struct trace_domain *domain = &recording.model->domains[0];
    ck_assert_uint_eq(domain->frame_count, 6);
    ck_assert_uint_eq(domain->complete_count, 4);
    ck_assert_uint_eq(domain->marks_missing, 1);
    struct trace_frame_percentiles ranks;
    /* 50 (5), 100 (0), 100 (1), 150 (2). Rank 2 of 4 is the median; 4 of 4 all above 75 %. */
    ck_assert_int_eq(trace_frame_percentiles_of(domain, &ranks), LUDUS_OK);
    ck_assert_uint_eq(ranks.count, 4);
    ck_assert_int_eq(ranks.total_ns, 400);
    ck_assert_int_eq(ranks.ranks[TRACE_FRAME_MIN].duration_ns, 50);
    ck_assert_uint_eq(ranks.ranks[TRACE_FRAME_MIN].number, 5);
    ck_assert_int_eq(ranks.ranks[TRACE_FRAME_P50].duration_ns, 100);
    ck_assert_uint_eq(ranks.ranks[TRACE_FRAME_P50].number, 0);
    for (uint32_t rank = TRACE_FRAME_P90; rank <= TRACE_FRAME_MAX; rank++) {
        ck_assert_int_eq(ranks.ranks[rank].duration_ns, 150);
        ck_assert_uint_eq(ranks.ranks[rank].number, 2);
    }
    domain = &recording.model->domains[1];
    ck_assert_uint_eq(domain->complete_count, 2);
    ck_assert_uint_eq(domain->marks_missing, 0);
    ck_assert_int_eq(trace_frame_percentiles_of(domain, &ranks), LUDUS_OK);
    ck_assert_int_eq(ranks.total_ns, 200);
    close_recording(&recording);
}
END_TEST

START_TEST(percentiles_are_measured_values_by_nearest_rank)
{
    /* Frame n lasts 1 + 7 n mod 1,000 ns: each of 1 to 1,000 once. Rank ceil(1,000 p). */
    static const struct {
        enum trace_frame_rank rank;
        int64_t duration_ns;
    } expected[] = {{TRACE_FRAME_MIN, 1},   {TRACE_FRAME_P50, 500}, {TRACE_FRAME_P90, 900},
                    {TRACE_FRAME_P95, 950}, {TRACE_FRAME_P99, 990}, {TRACE_FRAME_P999, 999},
                    {TRACE_FRAME_MAX, 1000}};
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct trace_frame_percentiles ranks;
    uint64_t time_ns = 0;
    builder_domain(builder, 1, "main");
    for (uint64_t n = 0; n <= 1000; n++) {
        builder_frame(builder, 1, n, START + time_ns);
        time_ns += 1 + 7 * n % 1000;
    }
    struct trace_capture *capture = builder_open(builder);
    const struct trace_domain *domain = &trace_capture_model(capture)->domains[0];
    ck_assert_int_eq(trace_frame_percentiles_of(domain, &ranks), LUDUS_OK);
    ck_assert_int_eq(ranks.total_ns, 500500);
    for (size_t i = 0; i < COUNT(expected); i++) {
        const struct trace_frame_duration *found = &ranks.ranks[expected[i].rank];
        ck_assert_int_eq(found->duration_ns, expected[i].duration_ns);
        ck_assert_int_eq((int64_t)(1 + 7 * found->number % 1000), expected[i].duration_ns);
    }
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(zero_length_slices_keep_their_depth)
{
    static const struct expected_slice expected[] = {
        {"Frame", 100, 0, 0, 0, TRACE_NONE, -1, false},
        {"Frame/Frame", 100, 0, 0, 0, TRACE_NONE, 100, false},
        {"Frame/Frame/Solve", 100, 0, 0, 0, TRACE_NONE, 100, false},
        {"Frame/Frame/Solve", 100, 0, 0, 0, TRACE_NONE, 100, false},
        {"Solve", 100, 7, 7, 7, TRACE_NONE, -1, false},
    };
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct recording recording;
    add_track(builder, 1, 1, 0, 0, "main");
    emit(builder, 1, "(Frame 100 (Frame 100 (Solve 100 )100 (Solve 100 )100 )100 )100 (Solve 100");
    emit(builder, 1, ")107");
    builder_stop(builder, START + 200);
    builder_finish(builder);
    open_recording(&recording, builder);
    check_slices(recording.model, &recording.shown, 0, expected, COUNT(expected));
    close_recording(&recording);
}
END_TEST

START_TEST(marks_of_two_threads_that_cross_make_no_negative_frame)
{
    /* Mark 1 was made at 90 on one thread, after mark 0 at 100 on another: frame 0 lasts 0 ns. */
    static const uint64_t marks[] = {100, 90, 200};
    struct capture_builder *builder = builder_create(&nanoseconds);
    builder_domain(builder, 1, "main");
    add_marks(builder, 1, marks, COUNT(marks));
    struct trace_capture *capture = builder_open(builder);
    const struct trace_domain *domain = &trace_capture_model(capture)->domains[0];
    ck_assert_uint_eq(domain->complete_count, 2);
    ck_assert_int_eq(domain->frames[0].begin_ns, 100);
    ck_assert_int_eq(domain->frames[1].begin_ns, 100);
    ck_assert_int_eq(domain->frames[2].begin_ns, 200);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(a_capture_cut_out_of_a_longer_one_has_whole_slices)
{
    /* Frame began at 10 and Physics in it at 30; Frame had spent 15 in finished children, Physics
     * 5. Frame: 90 - 15 - Physics 60 - Render 5. Physics: 60 - 5 - Solve 10. */
    static const struct expected_slice expected[] = {
        {"Frame", 10, 90, 90, 10, TRACE_NONE, -1, false},
        {"Frame/Physics", 30, 60, 60, 45, TRACE_NONE, 10, false},
        {"Frame/Physics/Solve", 60, 10, 10, 10, TRACE_NONE, 30, false},
        {"Frame/Render", 92, 5, 5, 5, TRACE_NONE, 10, false},
    };
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct recording recording;
    add_track(builder, 1, 1, 0, 0, "main");
    builder_open_before(builder, 1, 1, START + 10, 15);
    builder_open_before(builder, 1, 2, START + 30, 5);
    emit(builder, 1, "(Solve 60 )70 )90 (Render 92 )97 )100");
    builder_stop(builder, START + 200);
    builder_finish(builder);
    open_recording(&recording, builder);
    check_slices(recording.model, &recording.shown, 0, expected, COUNT(expected));
    close_recording(&recording);
}
END_TEST

/* --- loss ------------------------------------------------------------------------------------ */

static const uint64_t even_marks[] = {0, 100, 200, 300, 400, 500}; /* five frames of 100 ns */

START_TEST(a_loss_takes_exclusive_times_and_frames_of_its_track)
{
    /* Track 1 lost three scopes that began from 220 to 260: frame 2 leaves its statistics. Track 3
     * lost one that began at 300, which is frame 3 and not frame 2. */
    static const struct expected_slice first[] = {
        {"Frame", 10, 80, 80, 80, 0, -1, false},
        {"Frame", 110, 80, 80, 50, 1, -1, false},
        {"Frame/Solve", 120, 30, 30, 30, 1, 110, false},
        {"Frame", 210, 80, 80, -1, 2, -1, true},
        {"Frame/Solve", 215, 4, 4, 4, 2, 210, false},
        {"Frame/Solve", 230, 10, 10, -1, 2, 210, true},
        {"Frame/Solve", 265, 5, 5, 5, 2, 210, false},
        {"Frame", 310, 40, 40, 40, 3, -1, false},
        {"Frame", 380, 40, 40, 40, 3, -1, false},
    };
    static const struct expected_sums rows[] = {
        /* 80 + 80 + 40 + 40; 80 + 50 + 40 + 40 */
        {"Frame", 0, TRACE_WINDOW_FRAMES, 4, {4, 4, 0, 4, 0, 0, 240, 210}},
        {"Frame", 0, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 0, 0, 1, 80, 0}},
        {"Frame/Solve", 0, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 30, 30}},
        /* 4 + 10 + 5; 4 + 5 */
        {"Frame/Solve", 0, TRACE_WINDOW_OUTSIDE, 0, {3, 3, 0, 2, 0, 1, 19, 9}},
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 5, {1, 1, 0, 1, 0, 0, 90, 90}},
        /* begins in frame 2, and still overlaps the loss at 300 */
        {"Job", 2, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 0, 0, 1, 60, 0}},
    };
    static const struct expected_track tracks[] = {
        {0, 500, false, 9, 0, 0, 4, 1, 400, 240},
        {0, 500, false, 1, 0, 0, 5, 0, 500, 90},
        {0, 500, false, 1, 0, 0, 4, 1, 400, 50}, /* 250 to 300 of 250 to 310 */
    };
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct recording recording;
    builder_domain(builder, 1, "main");
    for (uint32_t track = 1; track <= 3; track++)
        add_track(builder, track, track, 0, 0, "thread");
    add_marks(builder, 1, even_marks, COUNT(even_marks));
    builder_loss(builder, &(struct lcap_loss){.track = 1,
                                              .cause = 1,
                                              .scopes = 3,
                                              .first_tick = START + 220,
                                              .last_tick = START + 260});
    emit(builder, 1,
         "(Frame 10 )90 (Frame 110 (Solve 120 )150 )190 (Frame 210 (Solve 215 )219 "
         "(Solve 230 )240 (Solve 265 )270 )290 (Frame 310 )350 (Frame 380 )420");
    emit(builder, 2, "(Job 205 )295");
    emit(builder, 3, "(Job 250 )310");
    builder_loss(builder, &(struct lcap_loss){.track = 3,
                                              .cause = 1,
                                              .scopes = 1,
                                              .first_tick = START + 300,
                                              .last_tick = START + 300});
    builder_stop(builder, START + 500);
    builder_finish(builder);
    open_recording(&recording, builder);
    check_slices(recording.model, &recording.shown, 0, first, COUNT(first));
    check_rows(recording.model, true, rows, COUNT(rows));
    for (size_t i = 0; i < COUNT(tracks); i++)
        check_track(&recording.model->tracks[i], &tracks[i]);
    ck_assert_uint_eq(recording.model->loss_count, 2);
    ck_assert_uint_eq(recording.model->losses[0].scopes, 3);
    ck_assert_int_eq(recording.model->losses[0].begin_ns, 220);
    ck_assert_int_eq(recording.model->losses[0].end_ns, 260);
    close_recording(&recording);
}
END_TEST

START_TEST(a_loss_of_an_unknown_track_concerns_all)
{
    static const struct expected_sums rows[] = {
        {"Job", 0, TRACE_WINDOW_OUTSIDE, 0, {1, 1, 0, 0, 0, 1, 30, 0}},
        {"Job", 1, TRACE_WINDOW_FRAMES, 4, {1, 1, 0, 1, 0, 0, 30, 30}},
    };
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct recording recording;
    builder_domain(builder, 1, "main");
    add_track(builder, 1, 1, 0, 0, "thread");
    add_track(builder, 2, 2, 0, 0, "thread");
    add_marks(builder, 1, even_marks, COUNT(even_marks));
    builder_loss(builder,
                 &(struct lcap_loss){
                     .cause = 2, .scopes = 1, .first_tick = START + 110, .last_tick = START + 120});
    emit(builder, 1, "(Job 115 )145");
    emit(builder, 2, "(Job 215 )245");
    builder_stop(builder, START + 500);
    builder_finish(builder);
    open_recording(&recording, builder);
    check_rows(recording.model, true, rows, COUNT(rows));
    close_recording(&recording);
}
END_TEST

START_TEST(lost_frame_marks_and_instants_take_no_exclusive_time)
{
    static const struct expected_slice expected[] = {{"Job", 110, 30, 30, 30, 1, -1, false}};
    struct capture_builder *builder = builder_create(&nanoseconds);
    struct recording recording;
    builder_domain(builder, 1, "main");
    add_track(builder, 1, 1, 0, 0, "thread");
    add_marks(builder, 1, even_marks, COUNT(even_marks));
    builder_loss(builder, &(struct lcap_loss){.track = 1,
                                              .cause = 5,
                                              .frames = 2,
                                              .instants = 1,
                                              .first_tick = START + 110,
                                              .last_tick = START + 120});
    emit(builder, 1, "(Job 110 )140");
    builder_stop(builder, START + 500);
    builder_finish(builder);
    open_recording(&recording, builder);
    check_slices(recording.model, &recording.shown, 0, expected, COUNT(expected));
    close_recording(&recording);
}
END_TEST

/* --- what was still open --------------------------------------------------------------------- */

static struct capture_builder *build_open_slices(void)
{
    static const uint64_t marks[] = {100, 200, 300};
    struct capture_builder *builder = builder_create(&nanoseconds);
    builder_domain(builder, 1, "main");
    add_track(builder, 1, 1, 0, 0, "main");
    add_track(builder, 2, 2, 0, 0, "worker");
    add_marks(builder, 1, marks, COUNT(marks));
    emit(builder, 1, "(Frame 100 (Physics 150 )180 (Solve 200");
    emit(builder, 2, "(Job 220");
    return builder;
}

START_TEST(slices_open_at_stop_are_known_until_then)
{
    static const struct expected_slice main_slices[] = {
        {"Frame", 100, -1, 200, -1, 0, -1, false},
        {"Frame/Physics", 150, 30, 30, 30, 0, 100, false},
        {"Frame/Solve", 200, -1, 100, -1, 1, 100, false},
    };
    /* Its thread ended at 250, before the recording did. */
    static const struct expected_slice worker_slices[] = {{"Job", 220, -1, 30, -1, 1, -1, false}};
    static const struct expected_sums rows[] = {
        {"Frame", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 0, 0}},
        {"Physics", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 1, 0, 1, 0, 0, 30, 30}},
        {"Solve", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 0, 0}},
        {"Job", TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {1, 0, 0, 0, 1, 0, 0, 0}},
    };
    /* main: 100 to 300 is covered. worker: lived 150 of the frames' 200 ns, and covers 220 to 250.
     */
    static const struct expected_track tracks[] = {
        {0, 300, false, 3, 0, 2, 2, 0, 200, 200},
        {0, 250, true, 1, 0, 1, 2, 0, 150, 30},
    };
    struct capture_builder *builder = build_open_slices();
    struct recording recording;
    add_track(builder, 2, 2, 0, 250, "worker");
    builder_stop(builder, START + 300);
    builder_finish(builder);
    open_recording(&recording, builder);
    check_slices(recording.model, &recording.shown, 0, main_slices, COUNT(main_slices));
    check_slices(recording.model, &recording.shown, 1, worker_slices, COUNT(worker_slices));
    check_rows(recording.model, false, rows, COUNT(rows));
    for (size_t i = 0; i < COUNT(tracks); i++)
        check_track(&recording.model->tracks[i], &tracks[i]);
    close_recording(&recording);
}
END_TEST

START_TEST(slices_open_at_a_crash_are_known_until_their_tracks_last_event)
{
    /* main was seen alive at 240, worker only at 220. The marks reach to 300. */
    static const struct expected_slice main_slices[] = {
        {"Frame", 100, -1, 140, -1, 0, -1, false},
        {"Frame/Physics", 150, 30, 30, 30, 0, 100, false},
        {"Frame/Solve", 200, -1, 40, -1, 1, 100, false},
    };
    static const struct expected_slice worker_slices[] = {{"Job", 220, -1, 0, -1, 1, -1, false}};
    struct capture_builder *builder = build_open_slices();
    struct recording recording;
    builder_still_open(builder, 1, START + 240);
    open_recording(&recording, builder);
    check_slices(recording.model, &recording.shown, 0, main_slices, COUNT(main_slices));
    check_slices(recording.model, &recording.shown, 1, worker_slices, COUNT(worker_slices));
    ck_assert(!recording.model->is_finished);
    ck_assert_int_eq(recording.model->end_ns, 300);
    ck_assert_int_eq(recording.model->tracks[0].covered_ns, 140);
    close_recording(&recording);
}
END_TEST

/* --- times ----------------------------------------------------------------------------------- */

static void check_conversion(struct builder_setup setup, int64_t mark_ns,
                             const struct expected_slice expected[2])
{
    struct recording recording;
    struct capture_builder *builder;
    setup.sites = sites;
    setup.site_count = COUNT(sites);
    setup.start_tick = START;
    builder = builder_create(&setup);
    builder_domain(builder, 1, "main");
    builder_frame(builder, 1, 0, 999);
    builder_events(builder, 1, "(Frame 1001 (Job 1002 )1004 )1005");
    builder_stop(builder, 2005);
    builder_finish(builder);
    open_recording(&recording, builder);
    check_slices(recording.model, &recording.shown, 0, expected, 2);
    ck_assert_int_eq(recording.model->domains[0].frames[0].begin_ns, mark_ns);
    close_recording(&recording);
}

START_TEST(calibrated_ticks_are_converted_piecewise_and_rounded_down)
{
    /* From tick 1,000 on 10/3 ns a tick, from 1,003 on 1/2:
     * 1,001 is 3.3, 1,002 is 6.7, 1,004 is 10.5, 1,005 is 11, and 999 is -3.3, rounded to -4. */
    static const struct lcap_calibration calibrations[] = {
        {.tick = 1000, .ns = 5000}, {.tick = 1003, .ns = 5010}, {.tick = 2003, .ns = 5510}};
    static const struct expected_slice expected[] = {
        {"Frame", 3, 8, 8, 4, 0, -1, false},
        {"Frame/Job", 6, 4, 4, 4, 0, 3, false},
    };
    struct builder_setup setup = {
        .clock = {.ticks_per_second = 3, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC},
        .calibrations = calibrations,
        .calibration_count = COUNT(calibrations)};
    check_conversion(setup, -4, expected);
}
END_TEST

START_TEST(ticks_with_one_calibration_go_by_the_nominal_rate)
{
    /* 10/3 ns a tick from (1,002, 0) on: 1,000 is -6.7, down to -7: zero. Tick 1,001 is -3.3, down
     * to -4: 3. 1,002 is 0: 7. 1,004 is 6.7, down to 6: 13. 1,005 is 10: 17. 999 is -10: -3. */
    static const struct lcap_calibration calibration = {.tick = 1002, .ns = 0};
    static const struct expected_slice expected[] = {
        {"Frame", 3, 14, 14, 8, 0, -1, false},
        {"Frame/Job", 7, 6, 6, 6, 0, 3, false},
    };
    struct builder_setup setup = {
        .clock = {.ticks_per_second = 300000000, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC},
        .calibrations = &calibration,
        .calibration_count = 1};
    check_conversion(setup, -3, expected);
}
END_TEST

START_TEST(ticks_without_calibration_go_by_the_nominal_rate_from_zero)
{
    /* 10/3 ns a tick: 1,000 is 3,333.3; 1,001 is 3,336.7: 3; 1,002 is 3,340: 7; 1,004 is 3,346.7:
     * 13; 1,005 is 3,350: 17; 999 is 3,330: -3. */
    static const struct expected_slice expected[] = {
        {"Frame", 3, 14, 14, 8, 0, -1, false},
        {"Frame/Job", 7, 6, 6, 6, 0, 3, false},
    };
    struct builder_setup setup = {
        .clock = {.ticks_per_second = 300000000, .step = 1, .clock = 1, .source = LCAP_CLOCK_TSC}};
    check_conversion(setup, -3, expected);
}
END_TEST

static void check_uptime(uint64_t start_tick, uint64_t base_tick)
{
    struct builder_setup setup = nanoseconds;
    struct recording recording;
    setup.start_tick = start_tick;
    struct capture_builder *builder = builder_create(&setup);
    builder_event(builder, 1, LCAP_EVENT_BEGIN, base_tick - 10, 1);
    builder_event(builder, 1, LCAP_EVENT_BEGIN, base_tick, 3);
    builder_event(builder, 1, LCAP_EVENT_END, base_tick + 20, 0);
    builder_event(builder, 1, LCAP_EVENT_END, base_tick + 30, 0);
    builder_event(builder, 2, LCAP_EVENT_BEGIN, base_tick + 30, 5);
    builder_stop(builder, base_tick + 50);
    builder_finish(builder);
    open_recording(&recording, builder);
    int64_t base_ns = (int64_t)(base_tick - start_tick);
    const struct expected_slice first[] = {
        {"Frame", base_ns - 10, 40, 40, 20, TRACE_NONE, -1, false},
        {"Frame/Solve", base_ns, 20, 20, 20, TRACE_NONE, base_ns - 10, false},
    };
    const struct expected_slice second[] = {
        {"Job", base_ns + 30, -1, 20, -1, TRACE_NONE, -1, false}};
    check_slices(recording.model, &recording.shown, 0, first, COUNT(first));
    check_slices(recording.model, &recording.shown, 1, second, COUNT(second));
    ck_assert_int_eq(recording.model->end_ns, base_ns + 50);
    close_recording(&recording);
}

START_TEST(uptimes_and_recordings_of_any_length_are_exact)
{
    static const uint64_t bases[] = {UINT64_C(1) << 47, UINT64_C(1) << 53, UINT64_C(1) << 62,
                                     /* as near to 2^63 as a recording can be long */
                                     (UINT64_C(1) << 63) - (UINT64_C(1) << 54)};
    for (size_t i = 0; i < COUNT(bases); i++) {
        check_uptime(bases[i] - 500, bases[i]);
        check_uptime(0, bases[i]);
    }
    check_uptime((UINT64_C(1) << 63) - 500, UINT64_C(1) << 63);
    check_uptime(UINT64_MAX - 1000, UINT64_MAX - 500);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden numbers");
    TCase *cases = tcase_create("golden numbers");
    tcase_add_test(cases, every_slice_has_its_times_its_frame_and_its_parent);
    tcase_add_test(cases, paths_and_sites_add_up);
    tcase_add_test(cases, the_sums_are_the_same_without_a_visitor);
    tcase_add_test(cases, each_track_has_its_remainder);
    tcase_add_test(cases, domains_count_their_frames_and_missing_marks);
    tcase_add_test(cases, percentiles_are_measured_values_by_nearest_rank);
    tcase_add_test(cases, zero_length_slices_keep_their_depth);
    tcase_add_test(cases, marks_of_two_threads_that_cross_make_no_negative_frame);
    tcase_add_test(cases, a_capture_cut_out_of_a_longer_one_has_whole_slices);
    tcase_add_test(cases, a_loss_takes_exclusive_times_and_frames_of_its_track);
    tcase_add_test(cases, a_loss_of_an_unknown_track_concerns_all);
    tcase_add_test(cases, lost_frame_marks_and_instants_take_no_exclusive_time);
    tcase_add_test(cases, slices_open_at_stop_are_known_until_then);
    tcase_add_test(cases, slices_open_at_a_crash_are_known_until_their_tracks_last_event);
    tcase_add_test(cases, calibrated_ticks_are_converted_piecewise_and_rounded_down);
    tcase_add_test(cases, ticks_with_one_calibration_go_by_the_nominal_rate);
    tcase_add_test(cases, ticks_without_calibration_go_by_the_nominal_rate_from_zero);
    tcase_add_test(cases, uptimes_and_recordings_of_any_length_are_exact);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
