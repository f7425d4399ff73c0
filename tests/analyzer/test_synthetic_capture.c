/* The generator of synthetic captures: its captures are whole, hold what was asked for, and are the
 * same for the same options. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "gpu_queues.h"
#include "gpu_times.h"
#include "synthetic_capture.h"
#include "trace.h"

/* A file of the test's own, with its bytes. */
struct made {
    char path[4096];
    uint8_t *bytes;
    size_t size;
    enum ludus_status status;
};

static struct made make(const struct synthetic_options *options)
{
    struct made made = {.size = 0};
    const char *folder = getenv("TMPDIR");
    snprintf(made.path, sizeof made.path, "%s/ludus-synthetic-XXXXXX",
             folder != NULL ? folder : "/tmp");
    int descriptor = mkstemp(made.path);
    ck_assert_int_ge(descriptor, 0);
    made.status = synthetic_capture_write(options, descriptor);
    off_t size = lseek(descriptor, 0, SEEK_END);
    ck_assert_int_ge(size, 0);
    made.size = (size_t)size;
    made.bytes = malloc(made.size + 1);
    ck_assert_ptr_nonnull(made.bytes);
    ck_assert_int_eq(pread(descriptor, made.bytes, made.size, 0), (ssize_t)made.size);
    close(descriptor);
    return made;
}

static void discard(struct made *made)
{
    unlink(made->path);
    free(made->bytes);
}

static bool are_same(const struct made *a, const struct made *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool is_whole(const struct made *made)
{
    struct trace_report *report = NULL;
    struct ludus_error error;
    bool is_whole = false;
    ck_assert_int_eq(trace_report_check(made->path, NULL, &report, &is_whole, &error), LUDUS_OK);
    trace_report_destroy(report);
    return is_whole;
}

/* What a pass sees besides the model. */
struct seen {
    uint64_t slices;
    uint64_t values[LCAP_EVENT_KINDS];
    uint64_t waits;
    uint32_t depth;
};

static enum ludus_status see_slices(void *context, const struct trace_model *model,
                                    const struct trace_slice *slices, size_t count)
{
    static const char waiting[] = "Thread/WaitForFrame";
    struct seen *seen = context;
    for (size_t i = 0; i < count; i++) {
        const struct trace_path *path = &model->paths[slices[i].path];
        const struct trace_text *name = &model->sites[path->site].name;
        seen->waits += name->size == sizeof waiting - 1 &&
                       memcmp(name->data, waiting, sizeof waiting - 1) == 0;
        const uint32_t depth = path->depth;
        seen->depth = depth + 1 > seen->depth ? depth + 1 : seen->depth;
        ck_assert_int_ge(slices[i].exclusive_ns, 0);
    }
    seen->slices += count;
    return LUDUS_OK;
}

static enum ludus_status see_values(void *context, const struct trace_model *model,
                                    const struct trace_value *values, size_t count)
{
    struct seen *seen = context;
    (void)model;
    for (size_t i = 0; i < count; i++)
        seen->values[values[i].kind]++;
    return LUDUS_OK;
}

static struct trace_capture *look(const struct made *made, struct seen *seen)
{
    struct trace_capture *capture = NULL;
    struct ludus_error error;
    struct trace_visitor visitor = {.context = seen, .slices = see_slices, .values = see_values};
    *seen = (struct seen){0};
    ck_assert_int_eq(trace_capture_open(made->path, &capture, &error), LUDUS_OK);
    ck_assert_int_eq(trace_capture_run(capture, NULL, &visitor, &error), LUDUS_OK);
    return capture;
}

static void expect_as_asked(const struct synthetic_options *options)
{
    struct made made = make(options);
    struct seen seen;
    ck_assert_int_eq(made.status, LUDUS_OK);
    ck_assert(is_whole(&made));
    struct trace_capture *capture = look(&made, &seen);
    const struct trace_model *model = trace_capture_model(capture);
    ck_assert_uint_eq(seen.slices, options->slices);
    ck_assert_uint_eq(model->slices, options->slices);
    ck_assert_uint_eq(model->track_count, options->tracks);
    /* The three of flows, counts and gauges are there also when they have no event. */
    ck_assert_uint_eq(model->site_count, options->sites + 3);
    ck_assert_uint_eq(model->path_count, options->paths + 1); /* and the root */
    ck_assert_uint_eq(seen.depth, options->depth);
    ck_assert_uint_eq(model->domain_count, 1);
    /* The last mark begins a frame of which there is no end. */
    ck_assert_uint_eq(model->domains[0].frame_count, options->frames + 1);
    ck_assert_uint_eq(seen.values[LCAP_EVENT_FLOW_OUT], options->has_flows ? options->frames : 0);
    ck_assert_uint_eq(seen.values[LCAP_EVENT_FLOW_IN], options->has_flows ? options->frames : 0);
    ck_assert_uint_eq(seen.values[LCAP_EVENT_COUNT], options->has_counters ? options->frames : 0);
    ck_assert_uint_eq(seen.values[LCAP_EVENT_GAUGE],
                      options->has_counters ? (options->frames + 15) / 16 : 0);
    ck_assert_uint_gt(seen.waits, 0);
    for (uint32_t i = 0; i < model->track_count; i++)
        ck_assert_uint_gt(model->tracks[i].slices, 0);
    trace_capture_close(capture);
    discard(&made);
}

START_TEST(one_track_has_what_was_asked_for)
{
    struct synthetic_options options = synthetic_options_default();
    options.slices = 300001 / TEST_SHARE;
    options.frames = 77;
    options.paths = 500;
    expect_as_asked(&options);
}
END_TEST

START_TEST(many_tracks_and_sites_have_what_was_asked_for)
{
    struct synthetic_options options = synthetic_options_default();
    options.slices = 1200003 / TEST_SHARE;
    options.tracks = 64;
    options.sites = 20000;
    options.paths = 50000;
    options.depth = 12;
    options.frames = 301;
    options.has_flows = true;
    options.has_counters = true;
    expect_as_asked(&options);
}
END_TEST

/* So many frames that most have no slice of most tracks, and scopes stay open over many blocks. */
START_TEST(more_frames_than_slices_are_made_as_well)
{
    struct synthetic_options options = synthetic_options_default();
    options.slices = 5000;
    options.frames = 4000;
    options.sites = 3;
    options.paths = 3;
    options.depth = 2;
    struct made made = make(&options);
    struct seen seen;
    ck_assert_int_eq(made.status, LUDUS_OK);
    ck_assert(is_whole(&made));
    struct trace_capture *capture = look(&made, &seen);
    ck_assert_uint_eq(seen.slices, 5000);
    ck_assert_uint_eq(trace_capture_model(capture)->domains[0].frame_count, 4001);
    trace_capture_close(capture);
    discard(&made);
}
END_TEST

START_TEST(the_same_options_make_the_same_bytes)
{
    struct synthetic_options options = synthetic_options_default();
    options.slices = 100000 / TEST_SHARE;
    options.tracks = 3;
    options.has_flows = true;
    options.has_counters = true;
    struct made first = make(&options), second = make(&options);
    options.seed = 2;
    struct made other = make(&options);
    ck_assert_int_eq(other.status, LUDUS_OK);
    ck_assert(are_same(&first, &second));
    ck_assert(!are_same(&first, &other));
    discard(&first);
    discard(&second);
    discard(&other);
}
END_TEST

static enum ludus_status count_pass(void *context, const struct trace_model *model,
                                    const struct trace_gpu_pass *pass)
{
    uint64_t *calibrated = context;
    (void)model;
    *calibrated += pass->time.duration_ns > 0 && pass->time.has_begin;
    return LUDUS_OK;
}

/* More of them than sites, and than samples in a block. */
START_TEST(each_frame_has_as_many_gpu_passes_as_were_asked_for)
{
    struct synthetic_options options = synthetic_options_default();
    struct ludus_error error;
    uint64_t calibrated = 0;
    const struct trace_visitor visitor = {.context = &calibrated, .gpu_pass = count_pass};
    options.slices = 10000;
    options.frames = 70;
    options.gpu_passes = 64;
    struct made made = make(&options);
    struct seen seen;
    ck_assert_int_eq(made.status, LUDUS_OK);
    ck_assert(is_whole(&made));
    struct trace_capture *capture = look(&made, &seen);
    const struct trace_model *model = trace_capture_model(capture);
    ck_assert_uint_eq(model->gpu_queue_count, 1);
    const uint32_t track = model->gpu_queues[0].track;
    ck_assert_uint_eq(trace_gpu_count_of(model, track, LCAP_GPU_FRAME, LCAP_GPU_VALID), 70);
    ck_assert_uint_eq(trace_gpu_count_of(model, track, LCAP_GPU_PASS, LCAP_GPU_VALID), 70 * 64);
    ck_assert_int_eq(trace_capture_show_gpu(capture, &visitor, &error), LUDUS_OK);
    ck_assert_uint_eq(calibrated, 70 * 64);
    trace_capture_close(capture);
    discard(&made);
}
END_TEST

/* Arena's slices take 2.1 to 2.6 bytes. */
START_TEST(a_slice_takes_as_many_bytes_as_a_games)
{
    struct synthetic_options options = synthetic_options_default();
    struct made made = make(&options);
    ck_assert_int_eq(made.status, LUDUS_OK);
    ck_assert_uint_gt(made.size, 2 * options.slices);
    ck_assert_uint_lt(made.size, 3 * options.slices);
    discard(&made);
}
END_TEST

START_TEST(options_out_of_range_make_nothing)
{
    struct synthetic_options options = synthetic_options_default();
    options.sites = 2;
    struct made made = make(&options);
    ck_assert_int_eq(made.status, LUDUS_ERROR_ARGUMENT);
    ck_assert_uint_eq(made.size, 0);
    discard(&made);
    options = synthetic_options_default();
    options.gpu_passes = SYNTHETIC_MAX_PASSES + 1;
    made = make(&options);
    ck_assert_int_eq(made.status, LUDUS_ERROR_ARGUMENT);
    discard(&made);
    options = synthetic_options_default();
    ck_assert_int_eq(synthetic_capture_write(&options, -1), LUDUS_ERROR_WRITE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("synthetic captures");
    TCase *cases = tcase_create("synthetic captures");
    tcase_add_test(cases, one_track_has_what_was_asked_for);
    tcase_add_test(cases, many_tracks_and_sites_have_what_was_asked_for);
    tcase_add_test(cases, more_frames_than_slices_are_made_as_well);
    tcase_add_test(cases, the_same_options_make_the_same_bytes);
    tcase_add_test(cases, each_frame_has_as_many_gpu_passes_as_were_asked_for);
    tcase_add_test(cases, a_slice_takes_as_many_bytes_as_a_games);
    tcase_add_test(cases, options_out_of_range_make_nothing);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
