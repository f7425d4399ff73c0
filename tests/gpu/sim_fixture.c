/* What each test of sessions begins with. */
#include "sim_fixture.h"

#include <stdlib.h>

struct sim_device device;
struct sim_recorder *recorder;
struct sim_renderer renderer;

static void open_simulation(void)
{
    sim_device_open(&device, 1);
    recorder = sim_recorder_new(&device);
    const struct ludus_gpu_setup setup = sim_setup(&device, recorder);
    sim_renderer_open(&renderer, &device, recorder, &setup);
}

static void close_simulation(void)
{
    ck_assert_uint_eq(device.faults, 0);
    sim_renderer_close(&renderer);
    free(recorder);
}

void sim_open_again(const struct ludus_gpu_setup *setup)
{
    sim_renderer_close(&renderer);
    sim_renderer_open(&renderer, &device, recorder, setup);
}

uint64_t frames(uint32_t outcome)
{
    return sim_recorder_count(recorder, LUDUS_GPU_FRAME, outcome);
}

uint64_t passes(uint32_t outcome)
{
    return sim_recorder_count(recorder, LUDUS_GPU_PASS, outcome);
}

int sim_run(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    tcase_add_checked_fixture(cases, open_simulation, close_simulation);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
