/* Prints what an event costs the collector, all in (reading, encoding, compressing, writing): CPU
 * time of its thread while the dense arena is played and recorded, at several levels of zstd. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ludus/profile.h>
#include <ludus/recorder.h>

#include "arena_game.h"
#include "bench_tools.h"

#define MAX_NS_PER_EVENT 20.0
#define FLUSH_MS         100u
#define MAX_ROUNDS       9u

struct cost {
    double ns_per_event;
    double bytes_per_slice;
    uint64_t events;
    uint64_t dropped;
};

/* The id of the recorder's thread, or 0. The kernel keeps 15 bytes of a thread's name. */
static pid_t collector_thread(void)
{
    pid_t thread = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        char path[300];
        char name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%.200s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            continue;
        if (fgets(name, sizeof name, file) != NULL && strcmp(name, "ludus-collector\n") == 0)
            thread = (pid_t)strtol(entry->d_name, NULL, 10);
        fclose(file);
    }
    if (tasks != NULL)
        closedir(tasks);
    return thread;
}

/* CPU time of a thread of this process in nanoseconds. The clock of a thread that is not the
 * caller's has no name in libc without its pthread_t; this is how Linux numbers them. */
static uint64_t thread_cpu_ns(pid_t thread)
{
    const clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | 6u);
    struct timespec now;
    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int play(uint32_t frames)
{
    char message[ARENA_MESSAGE_SIZE] = "";
    struct arena_game *game = arena_game_create(1, true, message);
    int is_good = game != NULL;
    for (uint32_t frame = 0; is_good && frame < frames; frame++) {
        LUDUS_PROFILE_FRAME();
        is_good = arena_game_frame(game, message);
    }
    arena_game_destroy(game);
    if (!is_good)
        fprintf(stderr, "collector_cost: %s\n", message);
    return is_good;
}

/* Records one game. The clock is read when everything has been written and before the thread ends.
 */
static int measure(const char *folder, uint32_t frames, int32_t level, struct cost *cost)
{
    char path[512];
    struct ludus_error error = {0};
    struct ludus_recorder_result result = {0};
    struct ludus_recorder_config config = bench_config(LUDUS_CLOCK_COUNTER);
    snprintf(path, sizeof path, "%.400s/ludus_collector_cost.%%p.lcap", folder);
    config.path = path;
    config.compression_level = level;
    config.flush_interval_ms = FLUSH_MS;
    if (ludus_recorder_start(&config, &error) != LUDUS_OK) {
        fprintf(stderr, "collector_cost: %s\n", error.message);
        return 0;
    }
    const pid_t thread = collector_thread();
    const uint64_t begin_ns = thread_cpu_ns(thread);
    const int is_played = thread != 0 && play(frames);
    usleep(3 * FLUSH_MS * 1000);
    const uint64_t used_ns = thread_cpu_ns(thread) - begin_ns;
    const enum ludus_status status = ludus_recorder_stop(&result, &error);
    unlink(result.path);
    if (!is_played || status != LUDUS_OK || result.recorded.scopes == 0) {
        fprintf(stderr, "collector_cost: nothing was measured: %s\n", error.message);
        return 0;
    }
    cost->events = result.recorded.scopes * 2 - result.scopes_open + result.recorded.instants +
                   result.recorded.flows + result.recorded.gauges;
    cost->dropped = result.dropped.scopes;
    cost->ns_per_event = (double)used_ns / (double)cost->events;
    cost->bytes_per_slice = (double)result.written_bytes / (double)result.recorded.scopes;
    return 1;
}

static int compare(const void *a, const void *b)
{
    const double x = ((const struct cost *)a)->ns_per_event;
    const double y = ((const struct cost *)b)->ns_per_event;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const int32_t levels[] = {1, 3, 6};
    const uint32_t frames = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 180;
    const uint32_t rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 5;
    if (argc < 2 || frames == 0 || rounds == 0 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "usage: collector_cost FOLDER [FRAMES [ROUNDS]]\n");
        return 2;
    }
    LUDUS_PROFILE_THREAD("main");
    printf("collector: CPU time of its thread per event, all in, arena dense, %" PRIu32
           " frames, median of %" PRIu32 ", %s\n",
           frames, rounds, bench_clock_name(LUDUS_CLOCK_COUNTER));
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        struct cost costs[MAX_ROUNDS] = {0};
        for (uint32_t round = 0; round < rounds; round++)
            if (!measure(argv[1], frames, levels[i], &costs[round]))
                return 4;
        qsort(costs, rounds, sizeof costs[0], compare);
        const struct cost *median = &costs[rounds / 2];
        printf("  level %d: %.1f ns/event (%.1f to %.1f), %" PRIu64
               " events, %.3f bytes/slice, %" PRIu64 " scopes dropped\n",
               (int)levels[i], median->ns_per_event, costs[0].ns_per_event,
               costs[rounds - 1].ns_per_event, median->events, median->bytes_per_slice,
               median->dropped);
        if (i == 0)
            bench_gate(median->ns_per_event <= MAX_NS_PER_EVENT, "collector",
                       "%.1f ns of CPU an event at the default level (at most %.0f)",
                       median->ns_per_event, MAX_NS_PER_EVENT);
    }
    return 0;
}
