/* What is imported is in the tables, under the names that scripts rely on, and the model that is
 * read back is the one that was imported. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database.h"
#include "model_assert.h"
#include "sample_model.h"
#include "schemas.h"

static void assert_stored(const char *path, uint32_t capture, const struct trace_model *expected)
{
    struct trace_database *database;
    struct trace_model *model;
    struct ludus_error error;

    ck_assert_int_eq(trace_database_open(path, &database, &error), LUDUS_OK);
    ck_assert_int_eq(trace_database_model(database, capture, &model, &error), LUDUS_OK);
    model_assert_equal(expected, model);
    trace_model_destroy(model);
    trace_database_close(database);
}

START_TEST(model_is_read_back_as_it_was_imported)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("one.db");

    sample_import(&model, 1, path);
    assert_stored(path, 0, model);
    assert_stored(path, 1, model);
    trace_model_destroy(model);
}
END_TEST

/* A model of a part: from 500 to 5999, so that frame 0 begins before it and mark 4 lies behind. */
static struct trace_model *window_model_create(void)
{
    const struct trace_trigger triggers[] = {
        {sample_text(""), UINT64_MAX, 2000, 1500, 3000, LCAP_TRIGGER_FRAME, 0},
        {sample_text("why"), 0, 0, 0, 5000, LCAP_TRIGGER_CALL, TRACE_NONE},
        {sample_text(""), 7, 1, 2, 5001, 4000000000u, 1},
    };
    struct trace_model *model = sample_model_create();

    model->has_window = true;
    model->window_begin_ns = 500;
    model->end_ns = 5999;
    model->slices_begun_before = 3;
    model->domains[0].frames_before = 1;
    model->domains[0].marks_behind = 1;
    model->domains[0].complete_count = 1;
    model->windows[1].begin_ns = 500;
    model->windows[1].end_ns = 5999;
    model->triggers = malloc(sizeof triggers);
    ck_assert_ptr_nonnull(model->triggers);
    memcpy(model->triggers, triggers, sizeof triggers);
    model->trigger_count = 3;
    return model;
}

static struct trace_model *gpu_model_create(void)
{
    const struct trace_gpu_queue queue = {.backend = sample_text("vulkan"),
                                          .device = sample_text("a device"),
                                          .name = sample_text("graphics"),
                                          .pass_reason = sample_text(""),
                                          .calibration_reason = sample_text("none"),
                                          .period_fs = UINT64_MAX,
                                          .track = 1,
                                          .generation = UINT32_MAX,
                                          .valid_bits = 36};
    const struct trace_gpu_count counts[] = {
        {UINT64_MAX, 1, LCAP_GPU_FRAME, LCAP_GPU_ELIGIBLE},
        {3, 1, LCAP_GPU_FRAME, LCAP_GPU_NO_BEGIN},
        {4, 1, 99, 4000000000u},
    };
    struct trace_model *model = sample_model_create();

    model->sources = TRACE_SOURCE_CPU | TRACE_SOURCE_GPU;
    model->gpu_queues = malloc(sizeof queue);
    model->gpu_counts = malloc(sizeof counts);
    ck_assert_ptr_nonnull(model->gpu_queues);
    ck_assert_ptr_nonnull(model->gpu_counts);
    memcpy(model->gpu_queues, &queue, sizeof queue);
    memcpy(model->gpu_counts, counts, sizeof counts);
    model->gpu_queue_count = 1;
    model->gpu_count_count = 3;
    return model;
}

START_TEST(queues_of_gpus_and_their_counts_are_read_back)
{
    struct trace_model *models[] = {gpu_model_create(), gpu_model_create()};
    const char *path = sample_path("gpu.db");

    sample_import(models, 2, path);
    for (uint32_t i = 0; i < 2; i++) {
        assert_stored(path, i + 1, models[i]);
        trace_model_destroy(models[i]);
    }
}
END_TEST

START_TEST(a_window_and_its_triggers_are_read_back)
{
    struct trace_model *models[] = {sample_model_create(), window_model_create()};
    const char *path = sample_path("window.db");

    sample_import(models, 2, path);
    assert_stored(path, 1, models[0]);
    assert_stored(path, 2, models[1]);
    ck_assert_str_eq(sample_ask(path, "SELECT group_concat(ifnull(window_begin_ns, '-')) FROM "
                                      "capture"),
                     "-,500");
    ck_assert_str_eq(sample_ask(path, "SELECT group_concat(number || ':' || complete) FROM frame "
                                      "WHERE capture_id = 2"),
                     "0:0,1:1,2:0,4:0");
    ck_assert_str_eq(sample_ask(path, "SELECT begin_ns || '-' || end_ns FROM stat_window WHERE "
                                      "capture_id = 2 AND part = 'outside'"),
                     "500-5999");
    ck_assert_str_eq(sample_ask(path,
                                "SELECT group_concat(trigger_id || cause || ifnull(domain, '-') || "
                                "ifnull(frame_number, '-') || ifnull(limit_ns, '-') || text) FROM "
                                "capture_trigger"),
                     "1framesimulation-11500,2call---why,34000000000render72");
    trace_model_destroy(models[0]);
    trace_model_destroy(models[1]);
}
END_TEST

START_TEST(several_captures_keep_apart)
{
    struct trace_model *models[3] = {sample_model_create(), sample_empty_model_create(),
                                     sample_model_create()};
    const char *path = sample_path("three.db");
    struct trace_database *database;
    struct trace_model *model;
    struct ludus_error error;

    models[2]->capture_id = 77;
    models[2]->sites[1].name = sample_text("Other");
    sample_import(models, 3, path);
    for (uint32_t i = 0; i < 3; i++)
        assert_stored(path, i + 1, models[i]);
    ck_assert_int_eq(trace_database_open(path, &database, &error), LUDUS_OK);
    ck_assert_int_eq(trace_database_model(database, 0, &model, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.message, "1 (game.lcap), 2 (game.lcap), 3 (game.lcap)"));
    ck_assert_int_eq(trace_database_model(database, 4, &model, &error), LUDUS_ERROR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.message, "no capture 4"));
    trace_database_close(database);

    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM slice"), "12");
    ck_assert_str_eq(sample_ask(path, "SELECT group_concat(DISTINCT name) FROM slice JOIN site "
                                      "USING (site_id) WHERE slice.capture_id = 3 AND depth = 1"),
                     "Other,Wait");
    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM slice AS child JOIN slice AS parent ON "
                                      "parent.slice_id = child.parent_id AND parent.capture_id = "
                                      "child.capture_id AND parent.track_id = child.track_id"),
                     "6");
    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM slice JOIN frame USING (frame_id, "
                                      "capture_id) WHERE frame.begin_ns <= slice.begin_ns"),
                     "12");
    for (size_t i = 0; i < 3; i++)
        trace_model_destroy(models[i]);
}
END_TEST

/* Each question, and the answer that the comment of sample_model.c gives. */
static const struct {
    const char *sql;
    const char *answer;
} questions[] = {
    {"SELECT application_id FROM pragma_application_id", "1279476048"},
    {"SELECT user_version FROM pragma_user_version", "5"},
    {"SELECT identity FROM capture", "00ab00cd00ef0001"},
    {"SELECT default_domain FROM capture", "simulation"},
    {"SELECT names_replaced FROM capture", "0"},
    {"SELECT group_concat(identity) FROM site",
     "ffffffffffffffff,0000000000000001,0000000000000002,0000000000000003"},
    {"SELECT colour FROM category WHERE name = 'Game'", "#ff8001"},
    {"SELECT colour FROM category WHERE waiting", "NULL"},
    {"SELECT file FROM site WHERE name = 'Wait'", "NULL"},
    {"SELECT category FROM site WHERE name = 'LevelLoad'", "NULL"},
    {"SELECT group_concat(kind) FROM track", "thread,fiber"},
    {"SELECT group_concat(source) FROM clock", "monotonic,tsc"},
    {"SELECT group_concat(ifnull(max_residual_ns, '-') || ':' || ifnull(max_residual_ppb, '-')) "
     "FROM clock",
     "-:-,90:250"},
    {"SELECT group_concat(source || ':' || tick || ':' || time_ns || ':' || uncertainty_ns) FROM "
     "calibration JOIN clock USING (clock_id)",
     "tsc:4611686018427387904:-100:35,tsc:4611686018427390004:900:20"},
    {"SELECT group_concat(cause) FROM loss", "buffers-full,damage"},
    {"SELECT group_concat(code) FROM diagnostic", "wrong-thread,4000000000"},
    {"SELECT group_concat(number || ':' || ifnull(duration_ns, '-') || ':' || complete) FROM frame",
     "0:1000:1,1:2000:1,2:-:0,4:-:0"},
    {"SELECT group_concat(names, '; ') FROM (SELECT names FROM path_names ORDER BY path_id)",
     "Frame; Frame > Physics/Step; Frame > Physics/Step > Physics/Step; Frame > Wait; "
     "Physics/Step"},
    {"SELECT group_concat(slice_id || ':' || ifnull(parent_id, '-') || ':' || depth || ':' || "
     "outermost) FROM slice",
     "1:-:0:1,2:1:1:1,3:2:2:0,4:-:0:1,5:4:1:1,6:-:0:1"},
    {"SELECT duration_ns IS NULL AND exclusive_ns IS NULL AND known_ns = 500 FROM slice WHERE "
     "incomplete",
     "1"},
    {"SELECT duration_ns || ':' || (exclusive_ns IS NULL) FROM slice WHERE children_lost", "300:1"},
    {"SELECT sum(exclusive_ns) FROM slice", "1100"},
    {"SELECT group_concat(ifnull(frame_id, '-')) FROM instant", "1,-"},
    {"SELECT group_concat(ifnull(slice_id, '-')) FROM instant", "2,-"},
    /* Slices begin at 0, 100, 200 (frame 0), 1000, 1100, 1500 (frame 1). */
    {"SELECT group_concat(frame_id) FROM (SELECT frame_id FROM slice_frame WHERE domain = "
     "'simulation' ORDER BY slice_id)",
     "1,1,1,2,2,2"},
    {"SELECT count(*) FROM slice_frame JOIN slice USING (slice_id) WHERE domain = 'simulation' AND "
     "slice_frame.frame_id IS slice.frame_id",
     "6"},
    {"SELECT count(*) FROM slice_frame WHERE domain = 'render' AND frame_id IS NULL", "6"},
    {"SELECT group_concat(ifnull(track, '-') || ':' || unlogged_ns) FROM unlogged",
     "main:100,-:2800"},
    {"SELECT count(*) FROM flow_latency", "0"},
    {"SELECT group_concat(part || ':' || begin_ns || '-' || end_ns || ':' || frames) FROM "
     "stat_window",
     "frames:0-3000:2,outside:0-8000:0"},
    {"SELECT n || ':' || total_ns || ':' || min_ns || '@' || min_frame || ':' || p50_ns || '@' || "
     "p50_frame || ':' || p999_ns || '@' || p999_frame || ':' || max_ns || '@' || max_frame FROM "
     "frame_stats WHERE domain = 'simulation'",
     "2:3000:1000@0:1000@0:2000@1:2000@1"},
    {"SELECT n || ':' || (max_ns IS NULL) FROM frame_stats WHERE domain = 'render'", "0:1"},
    /* Frame 1 (1000..3000) overlaps the loss of main (1200..1250), and no other. */
    {"SELECT group_concat(site_id || '/' || ifnull(track_id, '-') || ':' || calls || ':' || frames "
     "|| ':' || calls_per_frame || ':' || frames_with_calls || ':' || calls_per_frame_with) FROM "
     "calls_per_frame",
     "1/1:1:1:1.0:1:1.0,2/-:1:2:0.5:1:1.0,2/1:2:1:2.0:1:2.0"},
    {"SELECT group_concat(ifnull(track_id, '-') || ':' || begin_ns || '-' || end_ns || ':' || "
     "processors || ':' || run_ns || ':' || wait_ns) FROM sched_sample",
     "1:0-5000:1:3000:1500,-:0-8000:2:9223372036854775807:40"},
    {"SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'slice'", "1"},
};

START_TEST(tables_hold_what_their_comments_say)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("tables.db");

    sample_import(&model, 1, path);
    ck_assert_str_eq(sample_ask(path, questions[_i].sql), questions[_i].answer);
    trace_model_destroy(model);
}
END_TEST

START_TEST(calls_per_frame_without_losses_counts_during_the_pass)
{
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("calls.db");

    model->loss_count = 0;
    model->site_stats[0] = (struct trace_stats){
        1, TRACE_NONE, TRACE_WINDOW_FRAMES, 2, {3, 2, 1, 3, 0, 0, 500, 500}, 1};
    model->site_stats_count = 1;
    sample_import(&model, 1, path);
    ck_assert_str_eq(sample_ask(path, "SELECT site_id || '/' || (track_id IS NULL) || ':' || calls "
                                      "|| ':' || frames || ':' || calls_per_frame || ':' || "
                                      "frames_with_calls || ':' || calls_per_frame_with FROM "
                                      "calls_per_frame"),
                     "2/1:3:2:1.5:2:1.5");
    trace_model_destroy(model);
}
END_TEST

START_TEST(every_table_and_view_exists_in_an_empty_database)
{
    static const char *const names[] = {"capture",
                                        "fact",
                                        "clock",
                                        "calibration",
                                        "category",
                                        "site",
                                        "track",
                                        "domain",
                                        "frame",
                                        "path",
                                        "slice",
                                        "instant",
                                        "counter",
                                        "counter_sample",
                                        "flow",
                                        "gpu_frame",
                                        "gpu_pass",
                                        "loss",
                                        "diagnostic",
                                        "damage",
                                        "stat_window",
                                        "site_stats",
                                        "path_stats",
                                        "frame_stats",
                                        "calls_per_frame",
                                        "flow_latency",
                                        "unlogged",
                                        "slice_frame",
                                        "path_names",
                                        "counter_frame",
                                        "event_count",
                                        "sched_sample",
                                        "capture_trigger",
                                        "track_stats",
                                        "flow_out",
                                        "gpu_queue",
                                        "gpu_count",
                                        "gpu_calibration",
                                        "window_span",
                                        "counter_stats",
                                        "gpu_stats"};
    struct trace_model *model = sample_empty_model_create();
    const char *path = sample_path("empty.db");
    char sql[128];

    sample_import(&model, 1, path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(sql, sizeof sql, "SELECT count(capture_id) >= 0 FROM %s", names[i]);
        ck_assert_str_eq(sample_ask(path, sql), "1");
    }
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) = %zu FROM sqlite_schema WHERE type IN "
                   "('table', 'view') AND name NOT LIKE 'sqlite_%%'",
                   sizeof names / sizeof *names);
    ck_assert_str_eq(sample_ask(path, sql), "1");
    assert_stored(path, 0, model);
    trace_model_destroy(model);
}
END_TEST

START_TEST(names_of_every_kind_are_kept_or_replaced_and_counted)
{
    static const char zero[] = "a\0b";
    static const char broken[] = "x\xff\xe2\x82y"; /* two maximal subparts */
    struct trace_model *model = sample_model_create();
    const char *path = sample_path("names.db");
    size_t long_size = 65536;
    char *long_name = malloc(long_size);

    ck_assert_ptr_nonnull(long_name);
    memset(long_name, 'n', long_size);
    model->sites[0].name = (struct trace_text){zero, 3};
    model->sites[1].name = (struct trace_text){long_name, long_size};
    model->sites[2].name = sample_text("\"quotes\", \\ and\nlines \x01\x7f \xf0\x9f\x8e\xae");
    model->sites[3].name = sample_text("");
    sample_import(&model, 1, path);
    assert_stored(path, 0, model);
    ck_assert_str_eq(sample_ask(path, "SELECT hex(name) FROM site WHERE site_id = 1"), "610062");

    model->sites[3].name = sample_text(broken);
    model->tracks[1].name = sample_text(broken);
    model->categories[0].name = sample_text(broken); /* shown with two sites, counted once */
    sample_import(&model, 1, path);
    ck_assert_str_eq(sample_ask(path, "SELECT names_replaced FROM capture"), "3");
    ck_assert_str_eq(sample_ask(path, "SELECT name FROM site WHERE site_id = 4"),
                     "x\xEF\xBF\xBD\xEF\xBF\xBDy");
    ck_assert_str_eq(sample_ask(path, "SELECT count(*) FROM site JOIN category USING (category_id) "
                                      "WHERE site.category = category.name"),
                     "3");
    free(long_name);
    trace_model_destroy(model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("database model");
    TCase *tests = tcase_create("model");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_checked_fixture(tests, NULL, sample_remove);
    tcase_add_test(tests, model_is_read_back_as_it_was_imported);
    tcase_add_test(tests, queues_of_gpus_and_their_counts_are_read_back);
    tcase_add_test(tests, a_window_and_its_triggers_are_read_back);
    tcase_add_test(tests, several_captures_keep_apart);
    tcase_add_loop_test(tests, tables_hold_what_their_comments_say, 0,
                        (int)(sizeof questions / sizeof *questions));
    tcase_add_test(tests, calls_per_frame_without_losses_counts_during_the_pass);
    tcase_add_test(tests, every_table_and_view_exists_in_an_empty_database);
    tcase_add_test(tests, names_of_every_kind_are_kept_or_replaced_and_counted);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
