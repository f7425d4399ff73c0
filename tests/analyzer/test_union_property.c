/* Unions and sums of slices over random captures, whole and damaged, and over the databases made of
 * them, against the slow reference: time is cut wherever anything begins or ends, and of each piece
 * it is asked whether a slice counts there. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "export_fixture.h"
#include "model_check.h"
#include "random_capture.h"
#include "random_damage.h"
#include "random_plan.h"
#include "slice_union.h"

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define WHOLE_SEEDS   (60u / TEST_SHARE)
#define DAMAGED_SEEDS (40u / TEST_SHARE)
#define PLANS_OF_EACH 3u
#define CATEGORIES    3u

static struct trace_category categories[CATEGORIES] = {
    {.name = {"Game", 4}}, {.name = {"wait", 4}, .is_waiting = true}, {.name = {"Render", 6}}};

/* A capture is read or its database, for one kind of subject. */
struct question {
    struct reference_view view;
    const struct trace_model *model;
    struct trace_chosen chosen;
    enum trace_subject_kind kind;
    uint32_t parts[TRACE_MAX_WINDOWS];
    uint32_t *paths; /* by slice of the view: index, or TRACE_NONE when it does not count */
    int64_t *times;  /* where something begins or ends, rising */
    size_t time_count;
};

/* --- what is asked --------------------------------------------------------------------------- */

/* Random captures have no categories: their sites are put into some, and every fourth in none. */
static void give_categories(const struct trace_model *model)
{
    struct trace_model *changed = (struct trace_model *)model;
    changed->categories = categories;
    changed->category_count = CATEGORIES;
    for (uint32_t i = 0; i < model->site_count; i++)
        changed->sites[i].category = i % 4 < CATEGORIES ? i % 4 : TRACE_NONE;
}

static void take_categories(const struct trace_model *model)
{
    struct trace_model *changed = (struct trace_model *)model;
    changed->categories = NULL;
    changed->category_count = 0;
}

static void choose_sites(struct random *random, struct question *question)
{
    struct trace_chosen *chosen = &question->chosen;
    if (random_below(random, 2) == 0)
        return;
    chosen->site_count = question->model->site_count;
    chosen->sites = calloc(chosen->site_count + 1u, sizeof *chosen->sites);
    ck_assert_ptr_nonnull(chosen->sites);
    for (uint32_t i = 0; i < chosen->site_count; i++)
        chosen->sites[i] = random_below(random, 3) != 0;
}

/* --- the reference --------------------------------------------------------------------------- */

static uint32_t find_path(const struct question *question, uint32_t parent, uint32_t site)
{
    const struct trace_model *model = question->model;
    for (uint32_t i = 1; i < model->path_count; i++)
        if (model->paths[i].parent == parent && model->sites[model->paths[i].site].id == site)
            return i;
    ck_abort_msg("a slice has no path");
    return 0;
}

static void find_paths(struct question *question)
{
    const struct reference_view *view = &question->view;
    question->paths = malloc((view->slice_count + 1) * sizeof *question->paths);
    ck_assert_ptr_nonnull(question->paths);
    for (size_t i = 0; i < view->slice_count; i++) {
        const struct reference_slice *slice = &view->slices[i];
        question->paths[i] = TRACE_NONE;
        if (reference_counts(view, slice->track))
            question->paths[i] =
                find_path(question, slice->parent == SIZE_MAX ? 0 : question->paths[slice->parent],
                          slice->site);
    }
}

static int compare_times(const void *a, const void *b)
{
    const int64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

static void find_times(struct question *question)
{
    const struct reference_view *view = &question->view;
    size_t count = 0;
    int64_t *times = malloc(
        (view->slice_count * 2 + view->frame_count + RANDOM_WINDOWS * REFERENCE_SPANS * 2 + 1) *
        sizeof *times);
    ck_assert_ptr_nonnull(times);
    for (size_t i = 0; i < view->slice_count; i++) {
        times[count++] = view->slices[i].begin_ns;
        times[count++] = view->slices[i].begin_ns + view->slices[i].known_ns;
    }
    for (uint32_t i = 0; i < view->frame_count; i++)
        times[count++] = view->frames[i].begin_ns;
    for (uint32_t w = 0; w < view->window_count; w++) {
        for (uint32_t i = 0; i < view->windows[w].span_count; i++) {
            times[count++] = view->windows[w].spans[i].begin_ns;
            times[count++] = view->windows[w].spans[i].end_ns;
        }
    }
    qsort(times, count, sizeof *times, compare_times);
    for (size_t i = 0; i < count; i++)
        if (question->time_count == 0 || times[question->time_count - 1] != times[i])
            times[question->time_count++] = times[i];
    question->times = times;
}

/* Whether a path's slices count for a subject: what `subject` is an index of, or, as it is behind
 * the subjects, a total. */
static bool is_of(const struct question *question, uint32_t path, uint32_t subject, uint32_t total)
{
    const struct trace_model *model = question->model;
    uint32_t site = model->paths[path].site;
    if (total == TRACE_NONE && question->kind == TRACE_SUBJECT_PATH)
        return path == subject;
    if (total == TRACE_NONE && question->kind == TRACE_SUBJECT_SITE)
        return site == subject;
    if (!trace_chosen_shows(&question->chosen, site))
        return false;
    if (total == TRACE_NONE)
        return model->sites[site].category == subject ||
               (model->sites[site].category == TRACE_NONE && subject == CATEGORIES);
    return total == TRACE_UNION_ALL || !trace_site_is_waiting(model, site);
}

static bool is_outermost_of(const struct question *question, uint32_t path, uint32_t subject,
                            uint32_t total)
{
    if (!is_of(question, path, subject, total))
        return false;
    bool is_inside = false;
    for (uint32_t up = question->model->paths[path].parent; up != 0;
         up = question->model->paths[up].parent)
        is_inside = is_inside || is_of(question, up, subject, total);
    return !is_inside;
}

/* Adds a slice; `moments` says of each piece of time whether some slice is in it. */
static void add_slice(const struct question *question, size_t index, uint32_t cell, bool *moments,
                      struct trace_slice_union *expected)
{
    const struct reference_view *view = &question->view;
    const struct reference_slice *slice = &view->slices[index];
    bool has_begin = view->places[index * 2 * view->window_count + cell].has_begin;
    if (slice->duration_ns == -1) {
        expected->incomplete += has_begin;
        return;
    }
    expected->slices += has_begin;
    for (size_t i = 0; i + 1 < question->time_count; i++) {
        int64_t begin_ns = question->times[i], end_ns = question->times[i + 1];
        if (begin_ns < slice->begin_ns || end_ns > slice->begin_ns + slice->duration_ns ||
            !reference_has_time(view, cell, slice, begin_ns, end_ns))
            continue;
        expected->sum_ns += end_ns - begin_ns;
        moments[i] = true;
    }
}

static struct trace_slice_union find(const struct question *question, uint32_t subject,
                                     uint32_t total, uint32_t cell)
{
    struct trace_slice_union expected = {0};
    bool *moments = calloc(question->time_count + 1, sizeof *moments);
    ck_assert_ptr_nonnull(moments);
    for (size_t i = 0; i < question->view.slice_count; i++)
        if (question->paths[i] != TRACE_NONE &&
            is_outermost_of(question, question->paths[i], subject, total))
            add_slice(question, i, cell, moments, &expected);
    for (size_t i = 0; i + 1 < question->time_count; i++)
        if (moments[i])
            expected.union_ns += question->times[i + 1] - question->times[i];
    free(moments);
    return expected;
}

/* --- the comparison -------------------------------------------------------------------------- */

static void check_one(const struct question *question, uint32_t subject, uint32_t total,
                      const struct trace_slice_union *found)
{
    for (uint32_t w = 0; w < question->view.window_count; w++) {
        struct trace_slice_union expected = find(question, subject, total, question->parts[w]);
        ck_assert_uint_eq(found[w].slices, expected.slices);
        ck_assert_uint_eq(found[w].incomplete, expected.incomplete);
        ck_assert_int_eq(found[w].sum_ns, expected.sum_ns);
        ck_assert_int_eq(found[w].union_ns, expected.union_ns);
    }
}

static void ask(struct random *random, struct question *question, struct trace_input *input,
                struct reference_view view)
{
    static const struct trace_union_limits limits[] = {{0, 1}, {4000, 3}, {20000, 1}, {1 << 20, 9}};
    const uint32_t counts[] = {question->model->site_count, question->model->path_count - 1,
                               CATEGORIES + 1};
    uint32_t count = counts[question->kind], windows = view.window_count;
    uint32_t *subjects = calloc(count + 1u, sizeof *subjects);
    struct trace_slice_union *unions =
        calloc((size_t)(count + TRACE_UNION_TOTALS) * windows, sizeof *unions);
    struct ludus_error error = {0};
    ck_assert(subjects != NULL && unions != NULL);
    for (uint32_t i = 0; i < count; i++)
        subjects[i] = question->kind == TRACE_SUBJECT_PATH ? count - i : i;
    enum ludus_status status = trace_slice_unions(
        input, &question->chosen, question->parts, question->kind, subjects, count,
        limits[random_below(random, COUNT(limits))], unions, NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    question->view = view;
    find_paths(question);
    find_times(question);
    reference_place_slices(&question->view);
    for (uint32_t i = 0; i < count; i++)
        check_one(question, subjects[i], TRACE_NONE, &unions[(size_t)i * windows]);
    for (uint32_t i = 0; i < TRACE_UNION_TOTALS; i++)
        check_one(question, 0, i, &unions[(size_t)(count + i) * windows]);
    free(subjects);
    free(unions);
}

/* `is_fresh`: no pass was made over the input, so that the first one finds what is damaged. */
static void check_plan(struct random *random, struct trace_input *input,
                       const struct trace_model *facts, const struct reference_view *whole,
                       bool is_fresh)
{
    struct random_plan plan;
    struct question question = {.model = facts, .kind = TRACE_SUBJECT_SITE};
    struct ludus_error error = {0};
    random_plan_choose(random, facts, &plan);
    if (!is_fresh) {
        question.kind = (enum trace_subject_kind)random_below(random, 3);
        enum ludus_status status =
            trace_input_statistics(input, &plan.plan, &question.model, &error);
        ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    }
    give_categories(question.model);
    question.chosen.plan = plan.plan;
    for (uint32_t w = 0; w < plan.plan.windows.count; w++)
        question.parts[w] = 2 * w + random_below(random, 2);
    choose_sites(random, &question);
    ask(random, &question, input, random_plan_view(whole, question.model, &plan));
    take_categories(question.model);
    free(question.view.places);
    free(question.paths);
    free(question.times);
    free(question.chosen.sites);
    trace_pass_plan_clear(&plan.plan);
}

static void check(struct random *random, struct lcap_bytes bytes,
                  const struct reference_view *whole)
{
    struct trace_input *inputs[2];
    const struct trace_model *models[2];
    struct slice_collector shown;
    struct shown_view view;
    export_open_both(bytes, inputs, models);
    slice_collector_run_input(&shown, inputs[0], NULL);
    shown_view_create(&view, models[0], &shown);
    for (uint32_t i = 0; i < 2 * PLANS_OF_EACH; i++)
        check_plan(random, inputs[i % 2], models[i % 2], whole != NULL ? whole : &view.view, false);
    trace_close(inputs[0]);
    struct ludus_error error = {0};
    enum ludus_status status = trace_open(export_path("capture.lcap"), 0, &inputs[0], &error);
    if (status == LUDUS_OK)
        status = trace_input_model(inputs[0], TRACE_DETAIL_FACTS, &models[0], &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    check_plan(random, inputs[0], models[0], whole != NULL ? whole : &view.view, true);
    shown_view_destroy(&view);
    slice_collector_clear(&shown);
    for (uint32_t i = 0; i < 2; i++)
        trace_close(inputs[i]);
}

START_TEST(unions_of_whole_captures_equal_the_reference)
{
    struct random random = {UINT64_C(0x0410) + (uint64_t)_i};
    struct random_capture capture;
    random_capture_create(&capture, 9000 + (uint64_t)_i, false);
    check(&random, builder_bytes(capture.builder), &capture.view);
    random_capture_destroy(&capture);
}
END_TEST

START_TEST(unions_of_damaged_captures_equal_those_of_what_is_shown)
{
    struct random random = {UINT64_C(0xDA40) + (uint64_t)_i};
    struct random_capture capture;
    uint32_t count;
    random_capture_create(&capture, 9500 + (uint64_t)_i, true);
    struct lcap_bytes original = builder_bytes(capture.builder);
    const uint64_t *offsets = builder_offsets(capture.builder, &count);
    struct file_bytes file = {malloc(original.size), original.size};
    ck_assert_ptr_nonnull(file.data);
    memcpy(file.data, original.data, original.size);
    random_damage_bytes(&file, &random, offsets, count);
    check(&random, (struct lcap_bytes){file.data, file.size}, NULL);
    free(file.data);
    random_capture_destroy(&capture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("union property");
    TCase *cases = tcase_create("union property");
    tcase_add_checked_fixture(cases, export_folder_make, export_folder_remove);
    tcase_set_timeout(cases, 0);
    tcase_add_loop_test(cases, unions_of_whole_captures_equal_the_reference, 0, WHOLE_SEEDS);
    tcase_add_loop_test(cases, unions_of_damaged_captures_equal_those_of_what_is_shown, 0,
                        DAMAGED_SEEDS);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
