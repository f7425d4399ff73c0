/* What is read from /proc, as the kernel writes it. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc_times.h"

#define STEP_NS UINT64_C(10000000)

static char path[64];
static struct ludus_proc_file file;

/* A file with this content, open. */
static void write_text(const char *text, size_t size)
{
    snprintf(path, sizeof path, "/tmp/ludus_proc_XXXXXX");
    file = (struct ludus_proc_file){.fd = mkstemp(path), .is_open = true};
    ck_assert_int_ge(file.fd, 0);
    unlink(path);
    ck_assert_int_eq(write(file.fd, text, size), (ssize_t)size);
}

START_TEST(a_threads_times_are_the_first_two_numbers)
{
    struct ludus_task_times times;
    write_text("12345 678 9\n", 12);
    ck_assert(ludus_proc_read_task(&file, &times));
    ck_assert_uint_eq(times.run_ns, 12345);
    ck_assert_uint_eq(times.wait_ns, 678);
    close(file.fd);
}
END_TEST

START_TEST(a_kernel_that_keeps_no_times_writes_zeros)
{
    static const char *const texts[] = {"0 0 0\n", "", "1 2\n", "a b c\n"};
    struct ludus_task_times times;
    write_text(texts[_i], strlen(texts[_i]));
    ck_assert(!ludus_proc_read_task(&file, &times));
    close(file.fd);
}
END_TEST

START_TEST(the_machines_times_are_what_was_not_idle)
{
    static const char text[] = "cpu  1 20 300 4000 50000 600000 7000000 80000000 9 9\n"
                               "cpu0 1 20 300 4000 50000 600000 7000000 80000000 9 9\n"
                               "cpu7 0 0 0 0 0 0 0 0 0 0\n"
                               "intr 1 2\ncpu8 0\n";
    struct ludus_machine_times times;
    write_text(text, sizeof text - 1);
    ck_assert(ludus_proc_read_machine(&file, STEP_NS, &times));
    ck_assert_uint_eq(times.run_ns, 7600321 * STEP_NS);
    ck_assert_uint_eq(times.stolen_ns, 80000000 * STEP_NS);
    ck_assert_uint_eq(times.processors, 2);
    close(file.fd);
}
END_TEST

START_TEST(processors_are_counted_however_many_there_are)
{
    enum { PROCESSORS = 3000 };
    char *text = malloc(100 + PROCESSORS * 64);
    size_t size = (size_t)sprintf(text, "cpu  1 0 0 1 0 0 0 0\n");
    struct ludus_machine_times times;
    for (int i = 0; i < PROCESSORS; i++)
        size += (size_t)sprintf(text + size, "cpu%d 1 0 0 1 0 0 0 0\n", i);
    size += (size_t)sprintf(text + size, "intr 1\n");
    write_text(text, size);
    ck_assert(ludus_proc_read_machine(&file, STEP_NS, &times));
    ck_assert_uint_eq(times.processors, PROCESSORS);
    close(file.fd);
    free(text);
}
END_TEST

START_TEST(a_machine_without_times_has_none)
{
    static const char *const texts[] = {"", "cpu  0 0 0 0 0 0 0 0\ncpu0 0\n", "cpu  1 2 3\n",
                                        "cpu  1 0 0 1 0 0 0 0\n", "intr 1\n"};
    struct ludus_machine_times times;
    write_text(texts[_i], strlen(texts[_i]));
    ck_assert(!ludus_proc_read_machine(&file, STEP_NS, &times));
    close(file.fd);
}
END_TEST

START_TEST(a_descriptor_that_the_program_took_is_left_alone)
{
    struct ludus_proc_file folder;
    ck_assert(ludus_proc_open_tasks(&folder));
    const int other = open("/dev/null", O_RDONLY);
    ck_assert_int_eq(dup2(other, folder.fd), folder.fd);
    ludus_proc_close(&folder);
    ck_assert_int_eq(fcntl(folder.fd, F_GETFD), 0); /* still open */
    ck_assert(!folder.is_open);
    close(folder.fd);
    close(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("proc_times");
    TCase *cases = tcase_create("proc_times");
    tcase_add_test(cases, a_threads_times_are_the_first_two_numbers);
    tcase_add_loop_test(cases, a_kernel_that_keeps_no_times_writes_zeros, 0, 4);
    tcase_add_test(cases, the_machines_times_are_what_was_not_idle);
    tcase_add_test(cases, processors_are_counted_however_many_there_are);
    tcase_add_loop_test(cases, a_machine_without_times_has_none, 0, 5);
    tcase_add_test(cases, a_descriptor_that_the_program_took_is_left_alone);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
