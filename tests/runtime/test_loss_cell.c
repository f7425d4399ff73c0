/* A loss cell's numbers are exact, also when its thread is stopped in the middle of counting. */
#include <check.h>
#include <stdlib.h>

#include "loss_cell.h"
#include "recorder_clock.h"

/* Leaves the cell as a thread does that is stopped behind its first step. */
static void get_stuck(struct ludus_loss_cell *cell)
{
    atomic_fetch_add(&cell->sequence, 1);
}

START_TEST(a_reading_tells_what_was_added_since_the_last)
{
    struct ludus_loss_cell cell;
    struct ludus_loss_reader reader = {0};
    struct ludus_loss loss;
    ludus_loss_cell_reset(&cell);
    ck_assert(!ludus_loss_cell_read(&cell, &reader, &loss));
    ludus_loss_cell_add(&cell, LUDUS_SORT_SCOPE, 100);
    ludus_loss_cell_add(&cell, LUDUS_SORT_INSTANT, 110);
    ck_assert(ludus_loss_cell_read(&cell, &reader, &loss));
    ck_assert(loss.counts.scopes == 1 && loss.counts.instants == 1 && loss.counts.frames == 0);
    ck_assert(loss.first_tick == 100 && loss.last_tick == 110);
    ludus_loss_cell_add(&cell, LUDUS_SORT_SCOPE, 120);
    ck_assert(ludus_loss_cell_read(&cell, &reader, &loss));
    ck_assert(loss.counts.scopes == 1 && loss.counts.instants == 0);
    ck_assert(loss.first_tick == 120 && loss.last_tick == 120);
    ck_assert(!ludus_loss_cell_read(&cell, &reader, &loss));
}
END_TEST

START_TEST(the_last_reading_has_every_finished_add_of_a_thread_that_is_stuck)
{
    struct ludus_loss_cell cell;
    struct ludus_loss_reader reader = {0};
    struct ludus_loss loss;
    ludus_loss_cell_reset(&cell);
    ludus_loss_cell_add(&cell, LUDUS_SORT_SCOPE, 100);
    ludus_loss_cell_add(&cell, LUDUS_SORT_FLOW, 110);
    get_stuck(&cell);
    ck_assert(!ludus_loss_cell_read(&cell, &reader, &loss)); /* there are more readings to come */
    const uint64_t begin = ludus_clock_monotonic_ns();
    ck_assert(ludus_loss_cell_read_all(&cell, &reader, begin + 2000000, &loss));
    ck_assert_uint_ge(ludus_clock_monotonic_ns(), begin + 2000000);
    ck_assert(loss.counts.scopes == 1 && loss.counts.flows == 1);
    ck_assert(loss.first_tick == 100 && loss.last_tick == 110);
}
END_TEST

/* A record whose last tick is before its first would make the file's block invalid. */
START_TEST(a_clock_that_steps_back_leaves_a_range_that_is_one)
{
    struct ludus_loss_cell cell;
    struct ludus_loss_reader reader = {0};
    struct ludus_loss loss;
    ludus_loss_cell_reset(&cell);
    ludus_loss_cell_add(&cell, LUDUS_SORT_SCOPE, 100);
    ludus_loss_cell_add(&cell, LUDUS_SORT_SCOPE, 90);
    ck_assert(ludus_loss_cell_read(&cell, &reader, &loss));
    ck_assert(loss.counts.scopes == 2 && loss.first_tick <= loss.last_tick);
    ludus_loss_cell_add(&cell, LUDUS_SORT_SCOPE, 80);
    ck_assert(ludus_loss_cell_read(&cell, &reader, &loss));
    ck_assert(loss.counts.scopes == 1 && loss.first_tick <= loss.last_tick);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loss cell");
    TCase *cases = tcase_create("loss cell");
    tcase_add_test(cases, a_reading_tells_what_was_added_since_the_last);
    tcase_add_test(cases, the_last_reading_has_every_finished_add_of_a_thread_that_is_stuck);
    tcase_add_test(cases, a_clock_that_steps_back_leaves_a_range_that_is_one);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
