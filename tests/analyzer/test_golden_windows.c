/* Windows, attribution and chosen tracks over one recording so small that every number was worked
 * out by hand. */
#include <check.h>
#include <stdlib.h>

#include "golden_fixture.h"

/* Marks of "main":    0 at 100, 1 at 200, 2 at 300, 3 at 400, 4 at 500; complete are 0 to 3.
 * Marks of "render":  0 at 150, 1 at 350, 2 at 550; complete are 0 and 1.
 * The recording is from 0 to 600.
 *
 *            0         100       200       300       400       500       600
 * main        Load      |         |         |         |         |         |
 *             10-60   Frame 90------220 Frame 230-----------450 Render    Job
 *                       Physics   |     Solve 240---------430   480-520   560-
 *                       110-150   |      Solve 250-320|         |         |
 * worker                |   Job 150---260   Job 300   Physics   |         |
 *                       |         |         (no time) 325-360   |         |
 *
 * window a              |         [ frames 1..2      )|         |
 * window b              |         |    [250     frame 2    450) |
 * window c   all of it                                                          */
static const uint64_t main_marks[] = {100, 200, 300, 400, 500};
static const uint64_t render_marks[] = {150, 350, 550};

static struct capture_builder *build(void)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    builder_domain(builder, 1, "main");
    builder_domain(builder, 2, "render");
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_add_track(builder, 2, 71, 0, 0, "worker");
    golden_emit(builder, 1, "(Load 10 )60 (Frame 90 (Physics 110 )150 )220");
    golden_emit(builder, 1, "(Frame 230 (Solve 240 (Solve 250 )320 )430 )450 (Render 480 )520");
    golden_emit(builder, 1, "(Job 560");
    golden_emit(builder, 2, "(Job 150 )260 (Job 300 )300 (Physics 325 )360");
    golden_add_marks(builder, 1, main_marks, COUNT(main_marks));
    golden_add_marks(builder, 2, render_marks, COUNT(render_marks));
    return builder;
}

/* From 330 to 340 the worker lost scopes. */
static void lose(struct capture_builder *builder)
{
    builder_loss(builder, &(struct lcap_loss){.track = 2,
                                              .cause = 1,
                                              .first_tick = START + 330,
                                              .last_tick = START + 340,
                                              .counts = {.scopes = 1}});
}

static struct trace_capture *open_built(struct capture_builder *builder)
{
    builder_stop(builder, START + 600);
    builder_finish(builder);
    return builder_open(builder);
}

/* A plan of the windows a, b and, when they are to be three, c. */
static void plan_windows(struct trace_pass_plan *plan, const struct trace_model *model,
                         uint32_t count, uint32_t domain)
{
    static const char *const texts[] = {"a=frames:1..2", "b=time:250ns..450ns", "c=time:0..600ns"};
    struct ludus_error error = {0};
    *plan = (struct trace_pass_plan){.domain = domain, .has_path_rows = true};
    for (uint32_t i = 0; i < count; i++) {
        struct trace_window_spec spec;
        char note[TRACE_WINDOW_NOTE_SIZE];
        enum ludus_status status = trace_window_parse(texts[i], &spec, &error);
        if (status == LUDUS_OK)
            status = trace_window_resolve(&spec, model, 0, NULL, 0, &plan->windows, note, &error);
        ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    }
    if (count < 3)
        return;
    struct trace_span_list *all = &plan->windows.items[2].spans; /* as "capture" has them */
    trace_span_list_clear(all);
    ck_assert(trace_span_list_add_all_time(all));
}

static void run(struct trace_capture *capture, const struct trace_pass_plan *plan)
{
    struct ludus_error error = {0};
    enum ludus_status status = trace_capture_run(capture, plan, NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
}

enum { A_FRAMES, A_REST, B_FRAMES, B_REST, C_FRAMES, C_REST };
#define ALL TRACE_NONE

/* calls, outermost, recursive, exclusive_calls, incomplete, lost, inclusive, exclusive */

START_TEST(by_begin_a_slice_counts_whole_where_it_begins)
{
    static const struct expected_sums paths[] = {
        /* a: what begins from 200 on and before 400; its two frames are all of it. */
        {"Frame", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 220, 30}}, /* 220 - 190 */
        {"Frame/Solve", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 190, 120}},
        {"Frame/Solve/Solve", ALL, A_FRAMES, 2, {1, 1, 1, 1, 0, 0, 70, 70}},
        {"Job", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        /* b: frame 2 lies in it as a whole; 250 to 300 and 400 to 450 are its rest. */
        {"Job", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Frame/Solve/Solve", ALL, B_REST, 0, {1, 1, 1, 1, 0, 0, 70, 70}},
        /* c: from the first mark to the last, and what is outside. */
        {"Frame/Physics", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 40, 40}},
        {"Frame", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 220, 30}},
        {"Frame/Solve", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 190, 120}},
        {"Frame/Solve/Solve", ALL, C_FRAMES, 4, {1, 1, 1, 1, 0, 0, 70, 70}},
        {"Render", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 40, 40}},
        {"Job", ALL, C_FRAMES, 4, {2, 2, 0, 2, 0, 0, 110, 110}},
        {"Physics", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Load", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 50, 50}},
        {"Frame", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 130, 90}}, /* 130 - 40 */
        {"Job", ALL, C_REST, 0, {1, 0, 0, 0, 1, 0, 0, 0}},      /* without an end */
    };
    static const struct expected_sums sites[] = {
        {"Frame", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 220, 30}},
        /* The inner one is inside the outer one: 190 once, and 120 + 70 of their own. */
        {"Solve", ALL, A_FRAMES, 2, {2, 1, 1, 2, 0, 0, 190, 190}},
        {"Job", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Job", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 35, 35}},
        /* The outer one begins before b: the call is recursive, and its time is no inclusive one.
         */
        {"Solve", ALL, B_REST, 0, {1, 0, 1, 1, 0, 0, 0, 70}},
        {"Frame", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 220, 30}},
        {"Physics", ALL, C_FRAMES, 4, {2, 2, 0, 2, 0, 0, 75, 75}}, /* 40 + 35 */
        {"Solve", ALL, C_FRAMES, 4, {2, 1, 1, 2, 0, 0, 190, 190}},
        {"Render", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 40, 40}},
        {"Job", ALL, C_FRAMES, 4, {2, 2, 0, 2, 0, 0, 110, 110}},
        {"Load", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 50, 50}},
        {"Frame", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 130, 90}},
        {"Job", ALL, C_REST, 0, {1, 0, 0, 0, 1, 0, 0, 0}},
    };
    struct capture_builder *builder = build();
    struct trace_capture *capture = open_built(builder);
    struct trace_pass_plan plan;
    plan_windows(&plan, trace_capture_model(capture), 3, 0);
    run(capture, &plan);
    golden_check_rows(trace_capture_model(capture), true, paths, COUNT(paths));
    golden_check_rows(trace_capture_model(capture), false, sites, COUNT(sites));
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(by_clip_its_time_is_split_at_the_edges)
{
    static const struct expected_sums paths[] = {
        /* a, from 200 to 400: 200-220 and 230-400, of which Solve has 240-400. */
        {"Frame", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 190, 30}},
        {"Frame/Solve", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 160, 90}},
        {"Frame/Solve/Solve", ALL, A_FRAMES, 2, {1, 1, 1, 1, 0, 0, 70, 70}},
        {"Job",
         ALL,
         A_FRAMES,
         2,
         {1, 1, 0, 1, 0, 0, 60, 60}}, /* 200-260; the call is the one at 300 */
        {"Physics", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        /* b, its frame from 300 to 400: time of scopes that no call in it has. */
        {"Frame", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 100, 0}},
        {"Frame/Solve", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 100, 80}},
        {"Frame/Solve/Solve", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 20, 20}},
        {"Job", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 35, 35}},
        /* The rest of b: 250-300 and 400-450. */
        {"Frame", ALL, B_REST, 0, {0, 0, 0, 0, 0, 0, 100, 20}},      /* 50 + 50, less 50 + 30 */
        {"Frame/Solve", ALL, B_REST, 0, {0, 0, 0, 0, 0, 0, 80, 30}}, /* 50 + 30, less 50 */
        {"Frame/Solve/Solve", ALL, B_REST, 0, {1, 1, 1, 1, 0, 0, 50, 50}},
        {"Job", ALL, B_REST, 0, {0, 0, 0, 0, 0, 0, 10, 10}},
        /* c: what a mark splits adds up to the whole: 340 + 10 = 130 + 220, 20 + 20 = 40. */
        {"Frame", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 340, 110}}, /* 120 - 40 and 220 - 190 */
        {"Frame/Physics", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 40, 40}},
        {"Frame/Solve", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 190, 120}},
        {"Frame/Solve/Solve", ALL, C_FRAMES, 4, {1, 1, 1, 1, 0, 0, 70, 70}},
        {"Render", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 20, 20}},
        {"Job", ALL, C_FRAMES, 4, {2, 2, 0, 2, 0, 0, 110, 110}},
        {"Physics", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Load", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 50, 50}},
        {"Frame", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 10, 10}},
        {"Render", ALL, C_REST, 0, {0, 0, 0, 0, 0, 0, 20, 20}},
        {"Job", ALL, C_REST, 0, {1, 0, 0, 0, 1, 0, 0, 0}},
    };
    static const struct expected_sums sites[] = {
        {"Frame", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 190, 30}},
        {"Solve", ALL, A_FRAMES, 2, {2, 1, 1, 2, 0, 0, 160, 160}},
        {"Job", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 60, 60}},
        {"Physics", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Frame", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 100, 0}},
        {"Solve", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 100, 100}},
        {"Job", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Frame", ALL, B_REST, 0, {0, 0, 0, 0, 0, 0, 100, 20}},
        {"Solve", ALL, B_REST, 0, {1, 0, 1, 1, 0, 0, 80, 80}},
        {"Job", ALL, B_REST, 0, {0, 0, 0, 0, 0, 0, 10, 10}},
        {"Frame", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 340, 110}},
        {"Physics", ALL, C_FRAMES, 4, {2, 2, 0, 2, 0, 0, 75, 75}},
        {"Solve", ALL, C_FRAMES, 4, {2, 1, 1, 2, 0, 0, 190, 190}},
        {"Render", ALL, C_FRAMES, 4, {1, 1, 0, 1, 0, 0, 20, 20}},
        {"Job", ALL, C_FRAMES, 4, {2, 2, 0, 2, 0, 0, 110, 110}},
        {"Load", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 50, 50}},
        {"Frame", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 10, 10}},
        {"Render", ALL, C_REST, 0, {0, 0, 0, 0, 0, 0, 20, 20}},
        {"Job", ALL, C_REST, 0, {1, 0, 0, 0, 1, 0, 0, 0}},
    };
    struct capture_builder *builder = build();
    struct trace_capture *capture = open_built(builder);
    struct trace_pass_plan plan;
    plan_windows(&plan, trace_capture_model(capture), 3, 0);
    plan.attribution = TRACE_ATTRIBUTE_CLIP;
    run(capture, &plan);
    golden_check_rows(trace_capture_model(capture), true, paths, COUNT(paths));
    golden_check_rows(trace_capture_model(capture), false, sites, COUNT(sites));
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

static void check_track(const struct trace_model *model, uint32_t window, uint32_t track,
                        struct trace_track_stats expected)
{
    const struct trace_track_stats *stats = trace_model_track_stats(model, window, track);
    ck_assert_uint_eq(stats->slices, expected.slices);
    ck_assert_uint_eq(stats->incomplete, expected.incomplete);
    ck_assert_int_eq(stats->frames, expected.frames);
    ck_assert_int_eq(stats->frames_lost, expected.frames_lost);
    ck_assert_int_eq(stats->frame_ns, expected.frame_ns);
    ck_assert_int_eq(stats->covered_ns, expected.covered_ns);
}

static void check_window(const struct trace_model *model, uint32_t cell, int64_t begin_ns,
                         int64_t end_ns, int64_t frames)
{
    const struct trace_stat_window *window = &model->windows[cell];
    ck_assert_int_eq(window->is_frames, cell % 2 == 0);
    ck_assert_int_eq(window->begin_ns, begin_ns);
    ck_assert_int_eq(window->end_ns, end_ns);
    ck_assert_int_eq(window->frames, frames);
}

START_TEST(each_window_has_its_frames_and_what_covers_them)
{
    struct capture_builder *builder = build();
    struct trace_capture *capture = open_built(builder);
    const struct trace_model *model = trace_capture_model(capture);
    struct trace_pass_plan plan;
    plan_windows(&plan, model, 3, 0);
    run(capture, &plan);
    ck_assert_uint_eq(model->window_count, 6);
    check_window(model, A_FRAMES, 200, 400, 2);
    check_window(model, A_REST, 200, 400, 0);
    check_window(model, B_FRAMES, 300, 400, 1);
    check_window(model, B_REST, 250, 450, 0);
    check_window(model, C_FRAMES, 100, 500, 4);
    check_window(model, C_REST, 0, 600, 0);
    /* slices, incomplete, frames, lost, frame_ns, covered_ns */
    check_track(model, 0, 0, (struct trace_track_stats){3, 0, 2, 0, 200, 190}); /* 20 + 170 */
    check_track(model, 1, 0, (struct trace_track_stats){1, 0, 1, 0, 100, 100});
    check_track(model, 2, 0, (struct trace_track_stats){8, 1, 4, 0, 400, 360}); /* 120 + 220 + 20 */
    check_track(model, 0, 1, (struct trace_track_stats){2, 0, 2, 0, 200, 95});  /* 60 + 0 + 35 */
    check_track(model, 1, 1, (struct trace_track_stats){2, 0, 1, 0, 100, 35});
    check_track(model, 2, 1, (struct trace_track_stats){3, 0, 4, 0, 400, 145});
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(a_loss_takes_frames_from_the_windows_that_it_lies_in)
{
    /* Frame 2 is lost to the worker, so that what begins there is in the rest of a and b. */
    static const struct expected_sums paths[] = {
        {"Frame", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 220, 30}},
        {"Frame/Solve", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 190, 120}},
        {"Frame/Solve/Solve", ALL, A_FRAMES, 2, {1, 1, 1, 1, 0, 0, 70, 70}},
        {"Job", 1, A_REST, 0, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", 1, A_REST, 0, {1, 1, 0, 0, 0, 1, 35, 0}}, /* its children may be among them */
        {"Frame/Solve/Solve", ALL, B_REST, 0, {1, 1, 1, 1, 0, 0, 70, 70}},
        {"Job", 1, B_REST, 0, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", 1, B_REST, 0, {1, 1, 0, 0, 0, 1, 35, 0}},
    };
    /* By clip, the Job from before has 200-260: 60 in frame 1 of a, 10 in the rest of b. */
    static const struct expected_sums clipped[] = {
        {"Frame", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 190, 30}},
        {"Frame/Solve", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 160, 90}},
        {"Frame/Solve/Solve", ALL, A_FRAMES, 2, {1, 1, 1, 1, 0, 0, 70, 70}},
        {"Job", 1, A_FRAMES, 1, {0, 0, 0, 0, 0, 0, 60, 60}},
        {"Job", 1, A_REST, 0, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", 1, A_REST, 0, {1, 1, 0, 0, 0, 1, 35, 0}},
        {"Frame", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 100, 0}},
        {"Frame/Solve", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 100, 80}},
        {"Frame/Solve/Solve", ALL, B_FRAMES, 1, {0, 0, 0, 0, 0, 0, 20, 20}},
        {"Frame", ALL, B_REST, 0, {0, 0, 0, 0, 0, 0, 100, 20}},
        {"Frame/Solve", ALL, B_REST, 0, {0, 0, 0, 0, 0, 0, 80, 30}},
        {"Frame/Solve/Solve", ALL, B_REST, 0, {1, 1, 1, 1, 0, 0, 50, 50}},
        {"Job", 1, B_REST, 0, {1, 1, 0, 1, 0, 0, 10, 10}},
        {"Physics", 1, B_REST, 0, {1, 1, 0, 0, 0, 1, 35, 0}},
    };
    struct capture_builder *builder = build();
    lose(builder);
    struct trace_capture *capture = open_built(builder);
    const struct trace_model *model = trace_capture_model(capture);
    struct trace_pass_plan plan;
    plan_windows(&plan, model, 2, 0);
    run(capture, &plan);
    golden_check_rows(model, true, paths, COUNT(paths));
    check_track(model, 0, 0, (struct trace_track_stats){3, 0, 2, 0, 200, 190});
    check_track(model, 0, 1, (struct trace_track_stats){2, 0, 1, 1, 100, 60});
    check_track(model, 1, 1, (struct trace_track_stats){2, 0, 0, 1, 0, 0});
    check_window(model, A_FRAMES, 200, 400, 2); /* of tracks that lost nothing */
    plan.attribution = TRACE_ATTRIBUTE_CLIP;
    run(capture, &plan);
    golden_check_rows(model, true, clipped, COUNT(clipped));
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(tracks_apart_have_rows_of_their_own)
{
    static const struct expected_sums sites[] = {
        {"Frame", 0, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 220, 30}},
        {"Solve", 0, A_FRAMES, 2, {2, 1, 1, 2, 0, 0, 190, 190}},
        {"Job", 1, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", 1, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Solve", 0, B_REST, 0, {1, 0, 1, 1, 0, 0, 0, 70}},
        {"Job", 1, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", 1, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 35, 35}},
    };
    static const struct expected_sums by_marker[] = {
        {"Frame", 0, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 220, 30}},
        {"Solve", 0, A_FRAMES, 2, {2, 1, 1, 2, 0, 0, 190, 190}},
        {"Job", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Solve", 0, B_REST, 0, {1, 0, 1, 1, 0, 0, 0, 70}},
        {"Job", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 35, 35}},
    };
    struct capture_builder *builder = build();
    struct trace_capture *capture = open_built(builder);
    struct trace_pass_plan plan;
    plan_windows(&plan, trace_capture_model(capture), 2, 0);
    plan.apart = TRACE_APART_ALL;
    run(capture, &plan);
    golden_check_rows(trace_capture_model(capture), false, sites, COUNT(sites));
    /* Its marks do not tell their track: say that it was the first. */
    trace_capture_model(capture)->domains[0].track = 0;
    plan.apart = TRACE_APART_MARKER;
    run(capture, &plan);
    golden_check_rows(trace_capture_model(capture), false, by_marker, COUNT(by_marker));
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(only_chosen_tracks_count)
{
    static const struct expected_sums sites[] = {
        {"Job", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, A_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Job", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, B_FRAMES, 1, {1, 1, 0, 1, 0, 0, 35, 35}},
    };
    struct capture_builder *builder = build();
    struct trace_capture *capture = open_built(builder);
    const struct trace_model *model = trace_capture_model(capture);
    struct trace_pass_plan plan;
    plan_windows(&plan, model, 2, 0);
    plan.tracks = calloc(2, sizeof *plan.tracks);
    ck_assert_ptr_nonnull(plan.tracks);
    plan.track_count = 2;
    plan.tracks[1] = true;
    run(capture, &plan);
    golden_check_rows(model, false, sites, COUNT(sites));
    ck_assert_uint_eq(model->slices, 3);
    ck_assert_uint_eq(model->tracks[0].slices, 0);
    check_track(model, 0, 0, (struct trace_track_stats){0});
    check_track(model, 0, 1, (struct trace_track_stats){2, 0, 2, 0, 200, 95});
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(frames_are_those_of_the_domain_that_is_meant)
{
    /* Frames of "render" from 150 to 350 and from 350 to 550. Neither lies in a, from 200 to 400,
     * as a whole, nor in b; in c both do. */
    static const struct expected_sums sites[] = {
        {"Frame", ALL, A_REST, 0, {1, 1, 0, 1, 0, 0, 220, 30}},
        {"Solve", ALL, A_REST, 0, {2, 1, 1, 2, 0, 0, 190, 190}},
        {"Job", ALL, A_REST, 0, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, A_REST, 0, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Solve", ALL, B_REST, 0, {1, 0, 1, 1, 0, 0, 0, 70}},
        {"Job", ALL, B_REST, 0, {1, 1, 0, 1, 0, 0, 0, 0}},
        {"Physics", ALL, B_REST, 0, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Frame", ALL, C_FRAMES, 2, {1, 1, 0, 1, 0, 0, 220, 30}},
        {"Solve", ALL, C_FRAMES, 2, {2, 1, 1, 2, 0, 0, 190, 190}},
        {"Render", ALL, C_FRAMES, 2, {1, 1, 0, 1, 0, 0, 40, 40}},
        {"Job", ALL, C_FRAMES, 2, {2, 2, 0, 2, 0, 0, 110, 110}}, /* begins on the mark */
        {"Physics", ALL, C_FRAMES, 2, {1, 1, 0, 1, 0, 0, 35, 35}},
        {"Physics", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 40, 40}}, /* at 110 */
        {"Load", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 50, 50}},
        {"Frame", ALL, C_REST, 0, {1, 1, 0, 1, 0, 0, 130, 90}},
        {"Job", ALL, C_REST, 0, {1, 0, 0, 0, 1, 0, 0, 0}},
    };
    struct capture_builder *builder = build();
    struct trace_capture *capture = open_built(builder);
    const struct trace_model *model = trace_capture_model(capture);
    struct trace_pass_plan plan;
    plan_windows(&plan, model, 3, 1);
    run(capture, &plan);
    golden_check_rows(model, false, sites, COUNT(sites));
    check_window(model, A_FRAMES, 0, 0, 0);
    check_window(model, C_FRAMES, 150, 550, 2);
    /* 150-220, 230-450, 480-520 */
    check_track(model, 2, 0, (struct trace_track_stats){8, 1, 2, 0, 400, 330});
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

START_TEST(without_frames_a_window_is_all_rest)
{
    static const struct expected_sums sites[] = {
        {"Job", ALL, 1, 0, {1, 1, 0, 1, 0, 0, 30, 20}},
        {"Solve", ALL, 1, 0, {1, 1, 0, 1, 0, 0, 10, 10}},
    };
    static const struct expected_sums clipped[] = {
        {"Job", ALL, 1, 0, {1, 1, 0, 1, 0, 0, 25, 15}}, /* 100-125, less 110-120 */
        {"Solve", ALL, 1, 0, {1, 1, 0, 1, 0, 0, 10, 10}},
        {"Load", ALL, 1, 0, {0, 0, 0, 0, 0, 0, 5, 5}}, /* 95-100 */
    };
    struct capture_builder *builder = builder_create(&golden_setup);
    struct ludus_error error = {0};
    struct trace_pass_plan plan = {.domain = TRACE_NONE, .has_path_rows = true};
    struct trace_window_spec spec;
    char note[TRACE_WINDOW_NOTE_SIZE];
    golden_add_track(builder, 1, 70, 0, 0, "main");
    golden_emit(builder, 1, "(Load 80 )100 (Job 100 (Solve 110 )120 )130");
    struct trace_capture *capture = open_built(builder);
    const struct trace_model *model = trace_capture_model(capture);
    ck_assert_int_eq(trace_window_parse("a=time:95ns..125ns", &spec, &error), LUDUS_OK);
    ck_assert_int_eq(
        trace_window_resolve(&spec, model, TRACE_NONE, NULL, 0, &plan.windows, note, &error),
        LUDUS_OK);
    run(capture, &plan);
    golden_check_rows(model, false, sites, COUNT(sites));
    check_track(model, 0, 0, (struct trace_track_stats){.slices = 2});
    plan.attribution = TRACE_ATTRIBUTE_CLIP;
    run(capture, &plan);
    golden_check_rows(model, false, clipped, COUNT(clipped));
    trace_pass_plan_clear(&plan);
    trace_capture_close(capture);
    builder_destroy(builder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("golden windows");
    TCase *cases = tcase_create("golden windows");
    tcase_add_test(cases, by_begin_a_slice_counts_whole_where_it_begins);
    tcase_add_test(cases, by_clip_its_time_is_split_at_the_edges);
    tcase_add_test(cases, each_window_has_its_frames_and_what_covers_them);
    tcase_add_test(cases, a_loss_takes_frames_from_the_windows_that_it_lies_in);
    tcase_add_test(cases, tracks_apart_have_rows_of_their_own);
    tcase_add_test(cases, only_chosen_tracks_count);
    tcase_add_test(cases, frames_are_those_of_the_domain_that_is_meant);
    tcase_add_test(cases, without_frames_a_window_is_all_rest);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
