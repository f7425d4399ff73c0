/* Own times and calls of scopes by frame, and their medians, against a plain reference, for random
 * captures: by begin and clipped, in one pass and in as many as it takes when hardly anything
 * fits. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "export_fixture.h"
#include "frame_scopes.h"
#include "random_capture.h"

#define CAPTURES 150u

static int64_t overlap(const struct reference_slice *slice, int64_t begin_ns, int64_t end_ns)
{
    int64_t from_ns = slice->begin_ns > begin_ns ? slice->begin_ns : begin_ns;
    int64_t until_ns = slice->begin_ns + slice->known_ns;
    until_ns = until_ns < end_ns ? until_ns : end_ns;
    return until_ns > from_ns ? until_ns - from_ns : 0;
}

/* What a slice adds to its site in a frame. */
static struct trace_scope_value add_of(const struct reference_view *view, size_t slice,
                                       int64_t begin_ns, int64_t end_ns, bool is_clipped)
{
    const struct reference_slice *facts = &view->slices[slice];
    bool is_begun = facts->begin_ns >= begin_ns && facts->begin_ns < end_ns;
    bool is_known = facts->duration_ns >= 0 && !reference_is_lost(view, facts);
    struct trace_scope_value add = {0, is_begun};
    if (is_known && is_begun && !is_clipped)
        add.own_ns = facts->exclusive_ns;
    if (!is_known || !is_clipped)
        return add;
    add.own_ns = overlap(facts, begin_ns, end_ns);
    for (size_t child = 0; child < view->slice_count; child++)
        if (view->slices[child].parent == slice)
            add.own_ns -= overlap(&view->slices[child], begin_ns, end_ns);
    return add;
}

static struct trace_scope_value expect(const struct reference_view *view, uint32_t site,
                                       int64_t begin_ns, int64_t end_ns, bool is_clipped)
{
    struct trace_scope_value sum = {0, 0};
    for (size_t slice = 0; slice < view->slice_count; slice++) {
        if (view->slices[slice].site != site)
            continue;
        struct trace_scope_value add = add_of(view, slice, begin_ns, end_ns, is_clipped);
        sum.own_ns += add.own_ns;
        sum.calls += add.calls;
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* The smallest value that at least half of them do not exceed. */
static int64_t median_of(int64_t *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare);
    return count == 0 ? 0 : values[(count + 1) / 2 - 1];
}

static void check_subject(const struct random_capture *capture, const struct trace_model *model,
                          const struct trace_frame_list *list,
                          const struct trace_frame_scopes *scopes, uint32_t subject,
                          bool is_clipped)
{
    uint32_t site = model->sites[scopes->sites[subject]].id, usual = 0;
    int64_t own[64], calls[64];
    for (uint32_t column = 0; column < list->count; column++) {
        struct trace_scope_value expected =
            expect(&capture->view, site, trace_frame_begin(list, column),
                   trace_frame_end(list, column), is_clipped);
        const struct trace_scope_value *value = trace_scope_value(scopes, subject, column);
        ck_assert_int_eq(value->own_ns, expected.own_ns);
        ck_assert_int_eq(value->calls, expected.calls);
        if (!trace_frame_is_usual(list, column, 0))
            continue;
        own[usual] = expected.own_ns;
        calls[usual++] = expected.calls;
    }
    ck_assert_uint_eq(scopes->medians_of[0], usual);
    ck_assert_int_eq(trace_scope_median(scopes, subject, 0)->own_ns, median_of(own, usual));
    ck_assert_int_eq(trace_scope_median(scopes, subject, 0)->calls, median_of(calls, usual));
}

/* No site that has own time in a frame is missing. */
static void check_complete(const struct random_capture *capture, const struct trace_model *model,
                           const struct trace_frame_list *list,
                           const struct trace_frame_scopes *scopes, bool is_clipped)
{
    for (uint32_t site = 0; site < model->site_count; site++) {
        bool is_there = false, is_due = false;
        for (uint32_t i = TRACE_FIXED_SUBJECTS; i < scopes->subject_count; i++)
            is_there = is_there || scopes->sites[i] == site;
        for (uint32_t column = 0; column < list->count; column++)
            is_due = is_due ||
                     expect(&capture->view, model->sites[site].id, trace_frame_begin(list, column),
                            trace_frame_end(list, column), is_clipped)
                             .own_ns > 0;
        ck_assert_int_eq(is_there, is_due);
    }
}

static void check_capture(const struct random_capture *capture, struct trace_input *input,
                          bool is_clipped, size_t matrix_bytes)
{
    struct ludus_error error;
    const struct trace_model *model;
    struct trace_pass_plan plan;
    struct trace_frame_list list;
    struct trace_frame_scopes scopes;
    uint32_t asked[64];
    ck_assert_int_eq(trace_input_model(input, TRACE_DETAIL_FACTS, &model, &error), LUDUS_OK);
    if (model->domain_count == 0)
        return;
    ck_assert(trace_pass_plan_set_default(&plan, model));
    plan.attribution = is_clipped ? TRACE_ATTRIBUTE_CLIP : TRACE_ATTRIBUTE_BEGIN;
    ck_assert(trace_frame_list_create(&list, model, &plan, TRACE_NONE));
    for (uint32_t i = 0; i < list.count; i++)
        asked[i] = i;
    const struct trace_frame_question question = {.input = input,
                                                  .model = model,
                                                  .plan = &plan,
                                                  .list = &list,
                                                  .asked = asked,
                                                  .asked_count = list.count,
                                                  .matrix_bytes = matrix_bytes};
    enum ludus_status status = trace_frame_scopes_create(&scopes, &question, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    for (uint32_t i = TRACE_FIXED_SUBJECTS; i < scopes.subject_count; i++)
        check_subject(capture, model, &list, &scopes, i, is_clipped);
    check_complete(capture, model, &list, &scopes, is_clipped);
    trace_frame_scopes_destroy(&scopes);
    trace_frame_list_destroy(&list);
    trace_pass_plan_clear(&plan);
}

START_TEST(values_and_medians_are_those_of_the_reference)
{
    export_folder_make();
    for (uint64_t seed = 1; seed <= CAPTURES; seed++) {
        struct random_capture capture;
        struct trace_input *input;
        struct ludus_error error;
        const char *path = export_path("capture.lcap");
        random_capture_create(&capture, seed, true);
        export_write_file(path, builder_bytes(capture.builder));
        ck_assert_int_eq(trace_open(path, 0, &input, &error), LUDUS_OK);
        for (int i = 0; i < 4; i++)
            check_capture(&capture, input, i % 2 != 0, i / 2 != 0 ? 1 : TRACE_FRAME_MATRIX_BYTES);
        trace_close(input);
        random_capture_destroy(&capture);
    }
    export_folder_remove();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("frame scopes");
    TCase *cases = tcase_create("frame scopes");
    tcase_set_timeout(cases, 300);
    tcase_add_test(cases, values_and_medians_are_those_of_the_reference);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
