/* Random plans over random captures, whole and damaged, against the slow reference; and the same
 * over the databases made of them. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export_fixture.h"
#include "model_check.h"
#include "own_times.h"
#include "random_capture.h"
#include "random_plan.h"

#define WHOLE_SEEDS   (50u / TEST_SHARE)
#define DAMAGED_SEEDS (30u / TEST_SHARE)
#define PLANS_OF_EACH 4u

/* --- a capture and its database -------------------------------------------------------------- */

/* Both inputs, and what each shows. */
struct both {
    struct trace_input *inputs[2];
    const struct trace_model *models[2];
    struct slice_collector shown[2];
};

static void open_both(struct both *both, struct lcap_bytes bytes)
{
    export_open_both(bytes, both->inputs, both->models);
}

static void close_both(struct both *both)
{
    for (uint32_t i = 0; i < 2; i++)
        trace_close(both->inputs[i]);
}

static uint64_t begin_of(const struct slice_collector *shown, uint64_t slice_id)
{
    const struct trace_slice *slice = slice_collector_find(shown, slice_id);
    return slice == NULL ? UINT64_MAX : (uint64_t)slice->begin_ns;
}

/* Instants come in the same order; ids of slices differ where only some tracks are seen. */
static void check_instants(const struct both *both)
{
    const struct slice_collector *a = &both->shown[0], *b = &both->shown[1];
    ck_assert_uint_eq(a->instant_count, b->instant_count);
    for (size_t i = 0; i < a->instant_count; i++) {
        const struct trace_instant *left = &a->instants[i], *right = &b->instants[i];
        ck_assert_int_eq(left->time_ns, right->time_ns);
        ck_assert_uint_eq(left->track, right->track);
        ck_assert_uint_eq(left->site, right->site);
        ck_assert_uint_eq(left->frame, right->frame);
        ck_assert_uint_eq(begin_of(a, left->slice_id), begin_of(b, right->slice_id));
    }
}

static bool is_counted(const struct slice_collector *shown, size_t index)
{
    const struct trace_value *value = &shown->values[index];
    return value->kind != LCAP_EVENT_COUNT || value->bits != 0;
}

/* What a value holds. A database has no other gauge that is not finite than NULL, and one zero. */
static uint64_t bits_of(const struct trace_value *value)
{
    double number;
    memcpy(&number, &value->bits, sizeof number);
    if (value->kind != LCAP_EVENT_GAUGE)
        return value->bits;
    return !isfinite(number) ? UINT64_MAX : fpclassify(number) == FP_ZERO ? 0 : value->bits;
}

/* As often as `value` is among the values. */
static size_t count_equal(const struct slice_collector *shown, const struct slice_collector *owner,
                          const struct trace_value *value)
{
    size_t count = 0;
    for (size_t i = 0; i < shown->value_count; i++) {
        const struct trace_value *other = &shown->values[i];
        count += other->kind == value->kind && other->time_ns == value->time_ns &&
                 bits_of(other) == bits_of(value) && other->track == value->track &&
                 other->site == value->site && other->frame == value->frame &&
                 other->is_time_known == value->is_time_known &&
                 begin_of(shown, other->slice_id) == begin_of(owner, value->slice_id) &&
                 is_counted(shown, i);
    }
    return count;
}

/* The database has no counts of nothing. */
static void check_values(const struct both *both)
{
    size_t counted = 0;
    for (size_t i = 0; i < both->shown[0].value_count; i++) {
        if (!is_counted(&both->shown[0], i))
            continue;
        const struct trace_value *value = &both->shown[0].values[i];
        counted++;
        ck_assert_msg(count_equal(&both->shown[0], &both->shown[0], value) ==
                          count_equal(&both->shown[1], &both->shown[0], value),
                      "the value %llx of kind %u at %lld is another one in the database",
                      (unsigned long long)value->bits, value->kind, (long long)value->time_ns);
    }
    ck_assert_uint_eq(both->shown[1].value_count, counted);
}

/* Runs a plan over both. */
static void check_plan(struct both *both, const struct reference_view *whole,
                       const struct random_plan *chosen)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct reference_view view = random_plan_view(whole, both->models[i], chosen);
        slice_collector_run_input(&both->shown[i], both->inputs[i], &chosen->plan);
        model_check_slices(&view, both->models[i], &both->shown[i]);
        model_check_statistics(&view, both->models[i], chosen->plan.has_path_rows);
    }
    check_instants(both);
    if (chosen->plan.tracks == NULL)
        check_values(both);
    for (uint32_t i = 0; i < 2; i++)
        slice_collector_clear(&both->shown[i]);
}

/* A pass without a visitor gives the same statistics. */
static void check_without_visitor(struct both *both, const struct reference_view *whole,
                                  const struct random_plan *chosen)
{
    struct ludus_error error = {0};
    for (uint32_t i = 0; i < 2; i++) {
        struct reference_view view = random_plan_view(whole, both->models[i], chosen);
        const struct trace_model *model;
        enum ludus_status status =
            trace_input_statistics(both->inputs[i], &chosen->plan, &model, &error);
        ck_assert_msg(status == LUDUS_OK, "%s", error.message);
        model_check_statistics(&view, model, chosen->plan.has_path_rows);
    }
}

/* Own times by site and frame, of some sites, and on some tracks those of all sites. */
struct own_times {
    struct trace_scope_place places[64];
    uint32_t site_count, frame_count;
    struct trace_own_sums *sums; /* by site, frame; then of waiting and of working by frame */
    size_t sums_size;
    uint64_t ends;
};

static void own_times_create(struct own_times *own, const struct trace_model *model,
                             const struct trace_pass_plan *plan)
{
    *own = (struct own_times){.site_count = model->site_count};
    ck_assert_uint_le(own->site_count, 64);
    if (plan->domain != TRACE_NONE)
        own->frame_count = model->domains[plan->domain].frame_count;
    for (uint32_t site = 0; site < own->site_count; site++)
        own->places[site] =
            (struct trace_scope_place){site % 4 == 3 ? TRACE_NONE : site, site % 3 == 0};
    own->sums_size = ((size_t)own->site_count + 2) * own->frame_count;
    own->sums = calloc(own->sums_size + 1, sizeof *own->sums);
    ck_assert_ptr_nonnull(own->sums);
}

/* Some frames do not count, as some are not asked for. */
static void set_target(void *context, uint32_t track, uint32_t frame,
                       struct trace_own_target *target)
{
    const struct own_times *own = context;
    struct trace_own_sums *fixed = own->sums + (size_t)own->site_count * own->frame_count;
    *target = (struct trace_own_target){.subjects = frame % 5 == 2 ? NULL : own->sums + frame,
                                        .stride = own->frame_count,
                                        .places = own->places,
                                        .site_count = own->site_count};
    if (track % 2 == 0) {
        target->waiting = fixed + frame;
        target->working = fixed + own->frame_count + frame;
    }
}

static enum ludus_status take_end(void *context, const struct trace_model *model,
                                  const struct trace_slice *slice)
{
    struct own_times *own = context;
    struct trace_own_target target;
    struct trace_own_sums *sums[2];
    own->ends++;
    if (slice->frame == TRACE_NONE)
        return LUDUS_OK;
    set_target(own, slice->track, slice->frame, &target);
    trace_own_target_find(&target, model->paths[slice->path].site, sums);
    for (uint32_t i = 0; i < 2; i++)
        if (sums[i] != NULL)
            trace_own_sums_add(sums[i], slice->exclusive_ns >= 0 ? slice->exclusive_ns : 0, 1);
    return LUDUS_OK;
}

/* A pass for a visitor alone, which adds up own times of the slices that it is shown, or has them
 * added up. Leaves a model that has no sums and does not say that it has. */
static void run_own(struct trace_input *input, const struct trace_model *model,
                    const struct trace_pass_plan *plan, bool is_added_up, struct own_times *own)
{
    struct ludus_error error = {0};
    const struct trace_visitor visitor = {
        .context = own, .end = take_end, .own = is_added_up ? set_target : NULL};
    own_times_create(own, model, plan);
    enum ludus_status status = trace_input_run(input, plan, &visitor, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    ck_assert(!model->has_statistics);
    ck_assert_uint_eq(model->site_stats_count, 0);
    ck_assert_uint_eq(model->path_sums_count, 0);
    ck_assert_uint_eq(model->slices, 0);
}

static void check_without_sums(struct both *both, const struct random_plan *chosen)
{
    struct trace_pass_plan plan = chosen->plan;
    struct own_times shown, right, added;
    plan.is_without_sums = true;
    run_own(both->inputs[0], both->models[0], &plan, false, &right);
    run_own(both->inputs[1], both->models[1], &plan, false, &shown);
    run_own(both->inputs[0], both->models[0], &plan, true, &added);
    ck_assert_uint_eq(shown.ends, right.ends);
    ck_assert_uint_eq(added.ends, 0);
    ck_assert_uint_eq(shown.sums_size, right.sums_size);
    ck_assert_uint_eq(added.sums_size, right.sums_size);
    if (right.sums_size != 0) {
        ck_assert_mem_eq(shown.sums, right.sums, right.sums_size * sizeof *right.sums);
        ck_assert_mem_eq(added.sums, right.sums, right.sums_size * sizeof *right.sums);
    }
    free(shown.sums);
    free(right.sums);
    free(added.sums);
}

static void check_plans(struct both *both, const struct reference_view *whole,
                        struct random *random)
{
    for (uint32_t i = 0; i < PLANS_OF_EACH; i++) {
        struct random_plan chosen;
        random_plan_choose(random, both->models[0], &chosen);
        check_plan(both, whole, &chosen);
        check_without_sums(both, &chosen);
        check_without_visitor(both, whole, &chosen);
        trace_pass_plan_clear(&chosen.plan);
    }
}

START_TEST(plans_over_whole_captures_equal_the_reference)
{
    struct random random = {UINT64_C(0x317D0) + (uint64_t)_i};
    struct random_capture capture;
    struct both both;
    random_capture_create(&capture, 5000 + (uint64_t)_i, false);
    open_both(&both, builder_bytes(capture.builder));
    check_plans(&both, &capture.view, &random);
    close_both(&both);
    random_capture_destroy(&capture);
}
END_TEST

/* --- damaged captures ------------------------------------------------------------------------ */

/* Blocks that are gone, a cut, or bytes that are wrong. The file header and the definitions behind
 * it stay. */
static size_t damage(struct random *random, const struct random_capture *capture, uint8_t *bytes,
                     size_t size, const uint64_t *offsets, uint32_t count)
{
    uint32_t first = (uint32_t)capture->setup.site_count / 2 + random_below(random, count);
    size_t from = (size_t)offsets[first < count ? first : count - 1];
    size_t to = first + 1 < count ? (size_t)offsets[first + 1] : size;
    switch (random_below(random, 3)) {
    case 0:
        memmove(bytes + from, bytes + to, size - to);
        return size - (to - from);
    case 1:
        return from + random_below(random, (uint32_t)(size - from));
    default:
        for (uint32_t i = random_below(random, 8); i != 0; i--)
            bytes[from + random_below(random, (uint32_t)(to - from))] ^= 0x41;
        return size;
    }
}

START_TEST(plans_over_damaged_captures_equal_what_is_shown)
{
    struct random random = {UINT64_C(0xDA3) + (uint64_t)_i};
    struct random_capture capture;
    struct slice_collector shown;
    struct shown_view view;
    struct both both;
    uint32_t count;
    random_capture_create(&capture, 7000 + (uint64_t)_i, true);
    struct lcap_bytes original = builder_bytes(capture.builder);
    const uint64_t *offsets = builder_offsets(capture.builder, &count);
    uint8_t *bytes = malloc(original.size);
    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, original.data, original.size);
    size_t size = damage(&random, &capture, bytes, original.size, offsets, count);
    open_both(&both, (struct lcap_bytes){bytes, size});
    slice_collector_run_input(&shown, both.inputs[0], NULL);
    shown_view_create(&view, both.models[0], &shown);
    check_plans(&both, &view.view, &random);
    shown_view_destroy(&view);
    slice_collector_clear(&shown);
    close_both(&both);
    free(bytes);
    random_capture_destroy(&capture);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("window property");
    TCase *cases = tcase_create("window property");
    tcase_add_checked_fixture(cases, export_folder_make, export_folder_remove);
    tcase_set_timeout(cases, 0);
    tcase_add_loop_test(cases, plans_over_whole_captures_equal_the_reference, 0, WHOLE_SEEDS);
    tcase_add_loop_test(cases, plans_over_damaged_captures_equal_what_is_shown, 0, DAMAGED_SEEDS);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
