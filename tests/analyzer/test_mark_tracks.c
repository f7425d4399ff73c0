/* Which track set the mark of a frame. */
#include <check.h>
#include <stdlib.h>

#include "frame_table.h"
#include "golden_fixture.h"

struct told_mark {
    uint32_t track; /* id, or 0 */
    uint64_t number;
};

/* Opens a capture with marks 100 ns apart, in the order in which the file tells them. */
static void open_marks(struct golden_recording *recording, const struct told_mark *marks,
                       size_t count)
{
    struct capture_builder *builder = builder_create(&golden_setup);
    golden_add_track(builder, 1, 11, 0, 0, "main");
    golden_add_track(builder, 2, 12, 0, 0, "render");
    builder_domain(builder, 1, "frame");
    for (size_t i = 0; i < count; i++)
        builder_frame_on(builder, marks[i].track, 1, marks[i].number,
                         START + 100 * marks[i].number);
    builder_stop(builder, START + 5000);
    builder_finish(builder);
    golden_open(recording, builder);
}

START_TEST(one_track_that_sets_all_marks_takes_no_memory_for_each)
{
    static const struct told_mark marks[] = {{2, 1}, {2, 0}, {2, 2}};
    struct golden_recording recording;
    open_marks(&recording, marks, COUNT(marks));
    const struct trace_domain *domain = &recording.model->domains[0];
    ck_assert_ptr_null(domain->mark_tracks);
    for (uint32_t i = 0; i < domain->frame_count; i++)
        ck_assert_uint_eq(trace_domain_mark_track(domain, i), 1);
    golden_close(&recording);
}
END_TEST

START_TEST(marks_of_several_tracks_keep_theirs_when_they_are_sorted)
{
    /* In the file 5 comes first, as of a thread whose records were written first. */
    static const struct told_mark marks[] = {{1, 5}, {2, 0}, {1, 1}, {0, 3}, {2, 2}, {2, 4}};
    static const uint32_t expected[] = {1, 0, 1, TRACE_NONE, 1, 0};
    struct golden_recording recording;
    open_marks(&recording, marks, COUNT(marks));
    const struct trace_domain *domain = &recording.model->domains[0];
    ck_assert_uint_eq(domain->frame_count, COUNT(expected));
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        ck_assert_uint_eq(domain->frames[i].number, i);
        ck_assert_int_eq(domain->frames[i].begin_ns, 100 * (int64_t)i);
        ck_assert_uint_eq(trace_domain_mark_track(domain, i), expected[i]);
    }
    golden_close(&recording);
}
END_TEST

/* The marks of tracks 1 and 2, and of none that is known; and the index of the one with most. */
static const struct {
    struct told_mark marks[6];
    size_t count;
    uint32_t marker;
} marked[] = {
    {{{1, 0}, {2, 1}, {2, 2}, {1, 3}, {2, 4}}, 5, 1},
    {{{2, 0}, {1, 1}, {2, 2}, {1, 3}}, 4, 0}, /* of two with as many the first */
    {{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {2, 4}, {0, 5}}, 6, 1},
    {{{2, 0}, {2, 1}}, 2, 1},
    {{{0, 0}, {0, 1}}, 2, TRACE_NONE},
    {{{0, 0}}, 0, TRACE_NONE},
};

START_TEST(the_track_with_most_marks_is_the_marking_one)
{
    struct golden_recording recording;
    uint32_t marker;
    open_marks(&recording, marked[_i].marks, marked[_i].count);
    ck_assert(trace_domain_find_marker(&recording.model->domains[0], &marker));
    ck_assert_uint_eq(marker, marked[_i].marker);
    golden_close(&recording);
}
END_TEST

START_TEST(a_mark_that_is_told_twice_is_one_frame)
{
    static const struct told_mark marks[] = {{1, 0}, {2, 1}, {2, 1}, {1, 2}};
    struct golden_recording recording;
    open_marks(&recording, marks, COUNT(marks));
    const struct trace_domain *domain = &recording.model->domains[0];
    ck_assert_uint_eq(domain->frame_count, 3);
    ck_assert_uint_eq(trace_domain_mark_track(domain, 0), 0);
    ck_assert_uint_eq(trace_domain_mark_track(domain, 1), 1);
    ck_assert_uint_eq(trace_domain_mark_track(domain, 2), 0);
    golden_close(&recording);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mark tracks");
    TCase *cases = tcase_create("mark tracks");
    tcase_add_test(cases, one_track_that_sets_all_marks_takes_no_memory_for_each);
    tcase_add_test(cases, marks_of_several_tracks_keep_theirs_when_they_are_sorted);
    tcase_add_loop_test(cases, the_track_with_most_marks_is_the_marking_one, 0, COUNT(marked));
    tcase_add_test(cases, a_mark_that_is_told_twice_is_one_frame);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
