/* Times of frames and of threads, and the file that they are written to. */
#include "arena_times.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t arena_now_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

bool arena_times_begin(struct arena_times *times, const struct arena_game *game, uint32_t frames,
                       bool keeps_frames)
{
    *times = (struct arena_times){0};
    if (keeps_frames) {
        times->work_ns = malloc(frames * sizeof *times->work_ns);
        if (!times->work_ns)
            return false;
        /* Or the pages would be brought in by the frames, which are measured. */
        memset(times->work_ns, 0xff, frames * sizeof *times->work_ns);
    }
    times->workers_cpu_ns = arena_game_workers_cpu_ns(game);
    times->main_cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
    times->begin_ns = arena_now_ns();
    return true;
}

void arena_times_add(struct arena_times *times, uint64_t begin_ns, uint64_t worked_ns,
                     uint64_t end_ns)
{
    if (end_ns - begin_ns > times->longest_ns) {
        times->longest_ns = end_ns - begin_ns;
        times->longest_frame = times->frames;
    }
    if (times->work_ns)
        times->work_ns[times->frames] = worked_ns - begin_ns;
    times->frames++;
}

void arena_times_end(struct arena_times *times, const struct arena_game *game)
{
    times->total_ns = arena_now_ns() - times->begin_ns;
    times->main_cpu_ns = read_clock(CLOCK_THREAD_CPUTIME_ID) - times->main_cpu_ns;
    times->workers_cpu_ns = arena_game_workers_cpu_ns(game) - times->workers_cpu_ns;
}

void arena_times_release(struct arena_times *times)
{
    free(times->work_ns);
    times->work_ns = NULL;
}

bool arena_times_write(const struct arena_times *times, const char *path)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    fprintf(file,
            "{\n  \"wall_ns\": %" PRIu64 ",\n  \"main_cpu_ns\": %" PRIu64
            ",\n  \"workers_cpu_ns\": %" PRIu64 ",\n  \"frame_work_ns\": [",
            times->total_ns, times->main_cpu_ns, times->workers_cpu_ns);
    for (uint32_t i = 0; i < times->frames; i++)
        fprintf(file, "%s%" PRIu64, i == 0 ? "" : ", ", times->work_ns[i]);
    fputs("]\n}\n", file);
    const bool has_failed = ferror(file) != 0;
    return fclose(file) == 0 && !has_failed;
}
