/* Folded stacks and slices as CSV, read again and compared with what the analyzer's own pass shows.
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden_fixture.h"
#include "random_capture.h"
#include "tree_fixture.h"

static void end(struct capture_builder *builder, uint64_t end_ns)
{
    builder_stop(builder, START + end_ns);
    builder_finish(builder);
    tree_fixture_write(builder);
    builder_destroy(builder);
}

/* --- folded stacks --------------------------------------------------------------------------- */

START_TEST(a_line_for_each_context_with_exclusive_time)
{
    /* The first Solve has no time of its own. */
    struct capture_builder *builder = builder_create(&golden_setup);
    const struct trace_selection everything = {0};
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_add_track(builder, 2, 102, 0, 0, "worker; 2");
    golden_emit(builder, 1, "(Frame 10 (Solve 20 (Solve 20 )40 )40 )90 (Load 100 )110");
    golden_emit(builder, 2, "(Load 100 )130");
    end(builder, 200);
    struct memory_sink merged = tree_fixture_folded(&everything, false);
    ck_assert_str_eq(merged.bytes, "Frame 60\nFrame;Solve;Solve 20\nLoad 40\n");
    struct memory_sink apart = tree_fixture_folded(&everything, true);
    ck_assert_str_eq(apart.bytes, "main;Frame 60\nmain;Frame;Solve;Solve 20\nmain;Load 10\n"
                                  "worker\\x3b\xC2\xA0"
                                  "2;Load 30\n");
    memory_sink_release(&merged);
    memory_sink_release(&apart);
}
END_TEST

START_TEST(windows_and_sites_are_chosen)
{
    static const char *const windows[] = {"a=time:0ns..50ns", "b=time:50ns..200ns"};
    static const char *const sites[] = {"Solve", "Load"};
    const struct trace_selection chosen = {
        .windows = windows, .window_count = 2, .sites = sites, .site_count = 2};
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_emit(builder, 1, "(Frame 10 (Solve 20 )40 )90 (Load 100 )110 (Solve 120 )125");
    end(builder, 200);
    struct memory_sink folded = tree_fixture_folded(&chosen, false);
    ck_assert_str_eq(folded.bytes, "a;Frame;Solve 20\nb;Load 10\nb;Solve 5\n");
    struct memory_sink slices = tree_fixture_slices(&chosen);
    ck_assert_ptr_nonnull(strstr(slices.bytes, "\r\n2,1,main,Solve,,,1,20,20,20,20,1,0,0\r\n3,,"));
    ck_assert_ptr_nonnull(strstr(slices.bytes, "\r\n4,,main,Solve,,,0,120,5,5,5,1,0,0\r\n"));
    memory_sink_release(&folded);
    memory_sink_release(&slices);
}
END_TEST

START_TEST(names_are_escaped_as_the_tools_need)
{
    static const struct {
        const char *name, *folded, *field;
        size_t size; /* of the name; 0: up to its end */
    } cases[] = {
        {"a;b",
         "a\\x3b"
         "b",
         "a;b", 0},
        {"two\nlines", "two\\nlines", "\"two\nlines\"", 0},
        {"Level 2",
         "Level\xC2\xA0"
         "2",
         "Level 2", 0},
        {"Level 2.5",
         "Level\xC2\xA0"
         "2.5",
         "Level 2.5", 0},
        {"Level 2 of 3 ", "Level 2 of 3\xC2\xA0", "\"Level 2 of 3 \"", 0},
        {" a, \"b\"",
         "\xC2\xA0"
         "a, \"b\"",
         "\" a, \"\"b\"\"\"", 0},
        {"42", "42", "42", 0},
        {"\xFF"
         "bad",
         "\xEF\xBF\xBD"
         "bad",
         "\xEF\xBF\xBD"
         "bad",
         0},
        {"no\0end",
         "no\\x00"
         "end",
         "\"no\0end\"", 6},
        {"\xE2\x80\xA8", "\\u2028", "\xE2\x80\xA8", 0},
    };
    const struct trace_selection everything = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const size_t size = cases[i].size != 0 ? cases[i].size : strlen(cases[i].name);
        struct builder_setup setup = golden_setup;
        char line[64];
        setup.more_sites = 1;
        struct capture_builder *builder = builder_create(&setup);
        golden_add_track(builder, 1, 101, 0, 0, "main");
        builder_site(builder, 8, (struct lcap_bytes){(const unsigned char *)cases[i].name, size},
                     0);
        builder_event(builder, 1, LCAP_EVENT_BEGIN, START + 10, 8);
        builder_event(builder, 1, LCAP_EVENT_END, START + 30, 0);
        end(builder, 50);
        struct memory_sink folded = tree_fixture_folded(&everything, false);
        snprintf(line, sizeof line, "%s 20\n", cases[i].folded);
        ck_assert_str_eq(folded.bytes, line);
        struct memory_sink slices = tree_fixture_slices(&everything);
        const char *field = strstr(slices.bytes, "\r\n1,,main,") + strlen("\r\n1,,main,");
        size_t field_size = cases[i].size == 0 ? strlen(cases[i].field) : 8;
        ck_assert_mem_eq(field, cases[i].field, field_size);
        ck_assert_mem_eq(field + field_size, ",,,0,10,20,", 11);
        memory_sink_release(&folded);
        memory_sink_release(&slices);
    }
}
END_TEST

START_TEST(folded_times_add_up_to_the_tree)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct trace_tree_options options = {0};
        struct random_capture random;
        random_capture_create(&random, seed, true);
        tree_fixture_write(random.builder);
        struct memory_sink folded = tree_fixture_folded(&options.selection, false);
        char *rows = tree_fixture_rows(&options);
        long long from_tree = 0, from_lines = 0;
        for (const char *row = rows; *row != '\0'; row = strchr(row, '\n') + 1) {
            char scope[64];
            long long calls, inclusive, exclusive;
            /* An unknown time is "-", which is no number. */
            if (sscanf(row, "scope %*s %*s site %63s %lld %lld %lld", scope, &calls, &inclusive,
                       &exclusive) == 4)
                from_tree += exclusive;
        }
        for (char *line = strtok(folded.bytes, "\n"); line != NULL; line = strtok(NULL, "\n"))
            from_lines += atoll(strrchr(line, ' '));
        ck_assert_int_gt(from_tree, 0);
        ck_assert_int_eq(from_tree, from_lines);
        free(rows);
        memory_sink_release(&folded);
        random_capture_destroy(&random);
    }
}
END_TEST

/* --- slices ---------------------------------------------------------------------------------- */

START_TEST(slices_stand_in_the_order_of_their_ids)
{
    /* Frame outlasts two blocks, and Physics one. */
    static const char rows[] = "1,,main (101),Frame,,0,0,10,70,70,30,1,0,0\r\n"
                               "2,1,main (101),Physics,,0,1,20,30,30,20,1,0,0\r\n"
                               "3,2,main (101),Solve,,1,2,30,10,10,10,1,0,0\r\n"
                               "4,,main (102),Job,,0,0,15,30,30,11,1,0,0\r\n"
                               "5,4,main (102),Solve,,0,1,16,19,19,19,1,0,0\r\n"
                               "6,1,main (101),Solve,,1,1,60,10,10,10,1,0,0\r\n"
                               "7,,main (102),Job,,1,0,50,5,5,5,1,0,0\r\n"
                               "8,,main (101),Load,,1,0,90,,10,,1,1,0\r\n";
    struct capture_builder *builder = builder_create(&golden_setup);
    const struct trace_selection everything = {0};
    builder_domain(builder, 7, "game");
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_add_track(builder, 2, 102, 0, 0, "main");
    golden_add_marks(builder, 7, (const uint64_t[]){0, 30, 200}, 3);
    golden_emit(builder, 1, "(Frame 10 (Physics 20 (Solve 30");
    golden_emit(builder, 2, "(Job 15 (Solve 16");
    builder_end_block(builder);
    golden_emit(builder, 1, ")40 )50 (Solve 60 )70");
    golden_emit(builder, 2, ")35 )45 (Job 50 )55");
    builder_end_block(builder);
    golden_emit(builder, 1, ")80 (Load 90");
    end(builder, 100);
    struct memory_sink slices = tree_fixture_slices(&everything);
    ck_assert_str_eq(strchr(slices.bytes, '\n') + 1, rows);
    memory_sink_release(&slices);
}
END_TEST

START_TEST(ids_are_those_of_the_whole_capture)
{
    static const char *const tracks[] = {"worker"};
    const struct trace_selection chosen = {.tracks = tracks, .track_count = 1};
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 101, 0, 0, "main");
    golden_add_track(builder, 2, 102, 0, 0, "worker");
    golden_emit(builder, 1, "(Frame 10 )20 (Frame 30 )40");
    golden_emit(builder, 2, "(Job 15 (Solve 16 )17 )18");
    end(builder, 100);
    struct memory_sink slices = tree_fixture_slices(&chosen);
    ck_assert_str_eq(strchr(slices.bytes, '\n') + 1, "3,,worker,Job,,,0,15,3,3,2,1,0,0\r\n"
                                                     "4,3,worker,Solve,,,1,16,1,1,1,1,0,0\r\n");
    memory_sink_release(&slices);
}
END_TEST

START_TEST(slices_of_any_capture_are_those_of_its_database)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const struct trace_selection everything = {0};
        struct random_capture random;
        random_capture_create(&random, seed, seed % 2 == 0);
        tree_fixture_write(random.builder);
        struct memory_sink slices = tree_fixture_slices(&everything);
        unsigned long long last = 0;
        for (const char *line = strchr(slices.bytes, '\n') + 1; *line != '\0';
             line = strstr(line, "\r\n") + 2) {
            unsigned long long id = strtoull(line, NULL, 10);
            ck_assert_uint_eq(id, last + 1);
            last = id;
        }
        ck_assert_uint_gt(last, 0);
        memory_sink_release(&slices);
        random_capture_destroy(&random);
    }
}
END_TEST

static void setup(void)
{
    export_folder_make();
}

static void teardown(void)
{
    export_folder_remove();
}

int main(void)
{
    Suite *suite = suite_create("tree exports");
    TCase *cases = tcase_create("tree exports");
    tcase_set_timeout(cases, 120);
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_line_for_each_context_with_exclusive_time);
    tcase_add_test(cases, windows_and_sites_are_chosen);
    tcase_add_test(cases, names_are_escaped_as_the_tools_need);
    tcase_add_test(cases, folded_times_add_up_to_the_tree);
    tcase_add_test(cases, slices_stand_in_the_order_of_their_ids);
    tcase_add_test(cases, ids_are_those_of_the_whole_capture);
    tcase_add_test(cases, slices_of_any_capture_are_those_of_its_database);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
