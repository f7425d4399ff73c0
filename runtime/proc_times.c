/* Reads the times of threads and of the machine from /proc. */
#include "proc_times.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder_clock.h"

#define MACHINE_BYTES 4096u
#define MACHINE_TIMES 8 /* user, nice, system, idle, iowait, irq, softirq, steal */

static bool open_at(int folder, const char *name, int flags, struct ludus_proc_file *file)
{
    struct stat facts;
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | flags);
    if (fd < 0)
        return false;
    if (fstat(fd, &facts) != 0) {
        close(fd);
        return false;
    }
    *file = (struct ludus_proc_file){.device = (uint64_t)facts.st_dev,
                                     .inode = (uint64_t)facts.st_ino,
                                     .fd = fd,
                                     .is_open = true};
    return true;
}

bool ludus_proc_open_tasks(struct ludus_proc_file *folder)
{
    return open_at(AT_FDCWD, "/proc/self/task", O_DIRECTORY, folder);
}

bool ludus_proc_open_task(const struct ludus_proc_file *folder, uint64_t os_id,
                          struct ludus_proc_file *task)
{
    char name[48];
    snprintf(name, sizeof name, "%llu/schedstat", (unsigned long long)os_id);
    return open_at(folder->fd, name, 0, task);
}

bool ludus_proc_open_machine(struct ludus_proc_file *machine)
{
    return open_at(AT_FDCWD, "/proc/stat", 0, machine);
}

void ludus_proc_close(struct ludus_proc_file *file)
{
    struct stat facts;
    if (file->is_open && fstat(file->fd, &facts) == 0 && (uint64_t)facts.st_dev == file->device &&
        (uint64_t)facts.st_ino == file->inode)
        close(file->fd);
    file->is_open = false;
}

/* Reads `count` numbers that stand one behind the other. False: there are fewer. */
static bool read_numbers(const char *text, uint64_t *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtoull(text, &end, 10);
        if (end == text)
            return false;
        text = end;
    }
    return true;
}

bool ludus_proc_read_task(const struct ludus_proc_file *task, struct ludus_task_times *times)
{
    char text[96];
    uint64_t numbers[3]; /* the third: how often it was run, and threads with tracks have been */
    const ssize_t size = pread(task->fd, text, sizeof text - 1, 0);
    if (size <= 0)
        return false;
    text[size] = '\0';
    if (!read_numbers(text, numbers, 3) || numbers[2] == 0)
        return false;
    *times = (struct ludus_task_times){.run_ns = numbers[0], .wait_ns = numbers[1]};
    return true;
}

/* Counts the lines "cpuN" that the text begins with; a part of it at a time. */
struct line_count {
    uint32_t lines;
    uint32_t column; /* in the present line, as far as it matters */
    bool is_over;
};

static void count_lines(struct line_count *count, const char *text, size_t size)
{
    for (size_t i = 0; i < size && !count->is_over; i++) {
        const char c = text[i];
        if (c == '\n')
            count->column = 0;
        else if (count->column < 3)
            count->is_over = c != "cpu"[count->column++];
        else if (count->column == 3) {
            count->lines += c >= '0' && c <= '9';
            count->column++;
        }
    }
}

bool ludus_proc_read_machine(const struct ludus_proc_file *machine, uint64_t step_ns,
                             struct ludus_machine_times *times)
{
    char text[MACHINE_BYTES];
    uint64_t numbers[MACHINE_TIMES];
    struct line_count count = {0};
    ssize_t size = pread(machine->fd, text, sizeof text - 1, 0);
    if (size <= 0)
        return false;
    text[size] = '\0';
    if (strncmp(text, "cpu ", 4) != 0 || !read_numbers(text + 4, numbers, MACHINE_TIMES))
        return false;
    off_t offset = 0;
    while (size > 0 && !count.is_over) {
        count_lines(&count, text, (size_t)size);
        offset += size;
        size = count.is_over ? 0 : pread(machine->fd, text, sizeof text - 1, offset);
    }
    const uint64_t busy = numbers[0] + numbers[1] + numbers[2] + numbers[5] + numbers[6];
    *times = (struct ludus_machine_times){
        .run_ns = busy * step_ns, .stolen_ns = numbers[7] * step_ns, .processors = count.lines};
    return busy + numbers[3] != 0 && count.lines != 0;
}

uint64_t ludus_proc_machine_step_ns(void)
{
    const long per_second = sysconf(_SC_CLK_TCK);
    return per_second > 0 ? LUDUS_NS_PER_SECOND / (uint64_t)per_second : 0;
}
