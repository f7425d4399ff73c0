/* Sessions on threads of their own have nothing to do with each other. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#include "sim_renderer.h"

#define THREADS  4
#define SESSIONS 8

struct worker {
    uint32_t generations[SESSIONS];
    uint64_t valid;
};

static void *run(void *context)
{
    struct worker *worker = context;
    struct sim_device *device = calloc(1, sizeof *device);
    struct sim_renderer *renderer = calloc(1, sizeof *renderer);
    sim_device_open(device, 3);
    struct sim_recorder *recorder = sim_recorder_new(device);
    for (int i = 0; i < SESSIONS; i++) {
        const struct ludus_gpu_setup setup = sim_setup(device, recorder);
        sim_renderer_open(renderer, device, recorder, &setup);
        worker->generations[i] = ludus_gpu_session_generation(renderer->session);
        for (int frame = 0; frame < 20; frame++)
            sim_renderer_frame(renderer, 8);
        sim_renderer_wait(renderer, 0);
        sim_renderer_close(renderer);
    }
    worker->valid = sim_recorder_count(recorder, LUDUS_GPU_PASS, LUDUS_GPU_VALID);
    free(recorder);
    free(renderer);
    free(device);
    return NULL;
}

START_TEST(every_session_has_a_generation_of_its_own)
{
    struct worker workers[THREADS] = {0};
    pthread_t threads[THREADS];
    bool is_seen[THREADS * SESSIONS] = {false};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        ck_assert_uint_eq(workers[i].valid, SESSIONS * 20 * 8);
        for (int session = 0; session < SESSIONS; session++) {
            const uint32_t generation = workers[i].generations[session];
            ck_assert(generation < THREADS * SESSIONS && !is_seen[generation]);
            ck_assert(session == 0 || generation > workers[i].generations[session - 1]);
            is_seen[generation] = true;
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu threads");
    TCase *cases = tcase_create("gpu threads");
    tcase_add_test(cases, every_session_has_a_generation_of_its_own);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
