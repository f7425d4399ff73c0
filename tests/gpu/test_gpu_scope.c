/* The macros of scopes in C: whatever way a block is left, each begin has its end. */
#include <check.h>
#include <stdlib.h>

#include <ludus/gpu_scope.h>

static int depth;
static int begins;
static uint64_t last_ended;
static struct ludus_site *last_site;
static struct ludus_gpu_commands last_commands;

static uint64_t begin(const struct ludus_gpu_commands *commands, struct ludus_site *site)
{
    depth++;
    last_site = site;
    last_commands = *commands;
    return (uint64_t)++begins;
}

static void end(const struct ludus_gpu_commands *commands, uint64_t token)
{
    ck_assert_ptr_eq(commands->session, last_commands.session);
    depth--;
    last_ended = token;
}

static const struct ludus_gpu_scope_calls calls = {begin, end};

static struct ludus_gpu_commands commands_of(uint64_t stream)
{
    return (struct ludus_gpu_commands){&calls, &depth, stream, LUDUS_GPU_COMPUTE, 2};
}

static int leave(int way)
{
    for (int i = 0; i < 2; i++) {
        LUDUS_PROFILE_GPU_SCOPE(commands_of(7), Some/Pass, LUDUS_PROFILE_CAT(Render));
        ck_assert_int_eq(depth, 1);
        if (way == 0)
            continue;
        if (way == 1)
            break;
        return depth;
    }
    return depth;
}

START_TEST(every_way_out_of_a_block_ends_its_scope)
{
    for (int way = 0; way < 3; way++) {
        (void)leave(way);
        ck_assert_int_eq(depth, 0);
    }
    ck_assert_int_eq(begins, 2 + 1 + 1);
    ck_assert_str_eq(last_site->label, "Some/Pass, LUDUS_PROFILE_CAT(Render)");
    ck_assert_str_eq(last_site->function, "leave");
    ck_assert_uint_eq(last_commands.stream, 7);
    ck_assert_uint_eq(last_commands.operation, LUDUS_GPU_COMPUTE);
    ck_assert_uint_eq(last_commands.logical_passes, 2);
}
END_TEST

START_TEST(explicit_ends_may_cross)
{
    const uint64_t before = (uint64_t)begins;
    LUDUS_PROFILE_GPU_BEGIN(first, commands_of(1), First);
    LUDUS_PROFILE_GPU_BEGIN(second, commands_of(2), Second);
    ck_assert_str_eq(last_site->label, "Second");
    LUDUS_PROFILE_GPU_END(first);
    ck_assert_uint_eq(last_ended, before + 1);
    LUDUS_PROFILE_GPU_END(second);
    ck_assert_uint_eq(last_ended, before + 2);
    LUDUS_PROFILE_GPU_END(first);
    ck_assert_int_eq(depth, 0);
}
END_TEST

START_TEST(commands_of_nobody_do_nothing)
{
    const int before = begins;
    const struct ludus_gpu_commands nobody = {0};
    {
        LUDUS_PROFILE_GPU_SCOPE(nobody, Pass);
    }
    struct ludus_gpu_open_scope none = {0};
    ludus_gpu_scope_end(&none);
    ck_assert_int_eq(begins, before);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gpu scope");
    TCase *cases = tcase_create("gpu scope");
    tcase_add_test(cases, every_way_out_of_a_block_ends_its_scope);
    tcase_add_test(cases, explicit_ends_may_cross);
    tcase_add_test(cases, commands_of_nobody_do_nothing);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
