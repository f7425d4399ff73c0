/* What programs do wrong: each is counted apart, and rendering goes on. */
#include <stdlib.h>
#include <string.h>

#include "sim_fixture.h"

static struct ludus_gpu_scope begin(struct ludus_site *site, uint64_t stream)
{
    return ludus_gpu_session_begin_scope(renderer.session, site, stream, LUDUS_GPU_COMPUTE, 1);
}

static void finish_frame(void)
{
    (void)sim_renderer_end_frame(&renderer);
    sim_renderer_wait(&renderer, 0);
    sim_renderer_check_counts(&renderer, 1);
}

START_TEST(names_that_are_empty_too_long_or_not_utf8)
{
    char longest[129];
    memset(longest, 'x', 128);
    longest[128] = 0;
    struct ludus_site sites[] = {
        {"", "a.c", "Function", 1, LUDUS_SITE_PLAIN, 0, 0},
        {"LUDUS_PROFILE_CAT(Render)", "a.c", "Function", 2, LUDUS_SITE_PLAIN, 0, 0},
        {longest, "a.c", "Function", 3, LUDUS_SITE_PLAIN, 0, 0},
        {"a\xFF", "a.c", "Function", 4, LUDUS_SITE_PLAIN, 0, 0},
        {longest + 1, "a.c", "Function", 5, LUDUS_SITE_PLAIN, 0, 0} /* 127 bytes: good */
    };
    sim_renderer_begin_frame(&renderer);
    for (int i = 0; i < 5; i++) {
        const struct ludus_gpu_scope scope = begin(&sites[i], 1);
        const uint32_t end = ludus_gpu_session_end_scope(renderer.session, scope.token);
        ck_assert((scope.slot != LUDUS_GPU_NO_SLOT) == (i == 4));
        sim_commands_write(&renderer.commands, scope.slot);
        sim_commands_write(&renderer.commands, end);
    }
    ck_assert_uint_eq(begin(NULL, 1).slot, LUDUS_GPU_NO_SLOT);
    finish_frame();
    ck_assert(passes(0) == 6 && passes(LUDUS_GPU_BAD_NAME) == 5 && recorder->sites == 1);
    ck_assert(recorder->pass_count == 1 && recorder->passes[0].outcome == LUDUS_GPU_VALID);
}
END_TEST

START_TEST(a_scope_inside_another_one_of_its_stream)
{
    sim_renderer_begin_frame(&renderer);
    const struct ludus_gpu_scope outer = begin(&renderer.sites[0], 1);
    const struct ludus_gpu_scope inner = begin(&renderer.sites[1], 1);
    const struct ludus_gpu_scope beside = begin(&renderer.sites[2], 2);
    ck_assert(inner.token == 0 && inner.slot == LUDUS_GPU_NO_SLOT && beside.token != 0);
    sim_commands_write(&renderer.commands, outer.slot);
    sim_commands_write(&renderer.commands, beside.slot);
    sim_commands_work(&renderer.commands, 5000);
    ck_assert_uint_eq(ludus_gpu_session_end_scope(renderer.session, inner.token),
                      LUDUS_GPU_NO_SLOT);
    sim_commands_write(&renderer.commands,
                       ludus_gpu_session_end_scope(renderer.session, beside.token));
    sim_commands_write(&renderer.commands,
                       ludus_gpu_session_end_scope(renderer.session, outer.token));
    sim_renderer_pass(&renderer, 1, 7000, 0); /* behind it, the same is none */
    finish_frame();
    ck_assert(passes(0) == 4 && passes(LUDUS_GPU_NESTED) == 1 && passes(LUDUS_GPU_VALID) == 3);
}
END_TEST

START_TEST(more_operations_than_a_batch_holds)
{
    sim_renderer_begin_frame(&renderer);
    for (uint32_t i = 0; i < 80; i++)
        sim_renderer_pass(&renderer, i % SIM_SITES, 1000, 0);
    finish_frame();
    ck_assert(passes(0) == 80 && passes(LUDUS_GPU_VALID) == 64 &&
              passes(LUDUS_GPU_OVER_CAPACITY) == 16);
}
END_TEST

START_TEST(a_scope_that_never_ends_or_ends_in_another_frame)
{
    sim_renderer_begin_frame(&renderer);
    const struct ludus_gpu_scope scope = begin(&renderer.sites[0], 1);
    sim_commands_write(&renderer.commands, scope.slot);
    finish_frame(); /* which does not wait for it */
    ck_assert_uint_eq(passes(LUDUS_GPU_NO_END), 1);
    sim_renderer_begin_frame(&renderer);
    ck_assert_uint_eq(ludus_gpu_session_end_scope(renderer.session, scope.token),
                      LUDUS_GPU_NO_SLOT);
    sim_renderer_pass(&renderer, 0, 1000, 0);
    finish_frame();
    ck_assert(passes(0) == 2 && passes(LUDUS_GPU_VALID) == 1);
}
END_TEST

START_TEST(an_end_without_a_begin)
{
    sim_renderer_begin_frame(&renderer);
    const struct ludus_gpu_scope scope = begin(&renderer.sites[0], 1);
    sim_commands_write(&renderer.commands, scope.slot);
    sim_commands_write(&renderer.commands,
                       ludus_gpu_session_end_scope(renderer.session, scope.token));
    ck_assert_uint_eq(ludus_gpu_session_end_scope(renderer.session, scope.token),
                      LUDUS_GPU_NO_SLOT);
    finish_frame();
    ck_assert(passes(0) == 2 && passes(LUDUS_GPU_VALID) == 1 && passes(LUDUS_GPU_NO_BEGIN) == 1);
}
END_TEST

START_TEST(scopes_outside_every_frame)
{
    ck_assert_uint_eq(begin(&renderer.sites[0], 1).token, 0);
    sim_renderer_frame(&renderer, 1);
    ck_assert_uint_eq(begin(&renderer.sites[0], 1).token, 0);
    ludus_gpu_session_submit_frame(renderer.session);
    ludus_gpu_session_end_frame(renderer.session, LUDUS_GPU_SUBMITTED);
    ck_assert(frames(0) == 1 && passes(0) == 1);
}
END_TEST

START_TEST(no_room_for_another_site)
{
    recorder->most_sites = 1;
    sim_renderer_frame(&renderer, 3);
    sim_renderer_wait(&renderer, 0);
    ck_assert(passes(0) == 3 && passes(LUDUS_GPU_QUEUE_FULL) == 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {names_that_are_empty_too_long_or_not_utf8,
                                  a_scope_inside_another_one_of_its_stream,
                                  more_operations_than_a_batch_holds,
                                  a_scope_that_never_ends_or_ends_in_another_frame,
                                  an_end_without_a_begin,
                                  scopes_outside_every_frame,
                                  no_room_for_another_site};
    return sim_run("gpu bad calls", tests, sizeof tests / sizeof tests[0]);
}
