/* The arena's program: options, recording, the frame loop, the report. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <ludus/profile.h>

#include "arena_capture.h"
#include "arena_game.h"
#include "arena_options.h"

static uint64_t arena_now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* Waits until `end_ns`, for --pace. */
static void arena_pace(uint64_t end_ns)
{
    LUDUS_PROFILE_SCOPE(Game/Pace, LUDUS_PROFILE_CAT(wait));
    struct timespec end = {.tv_sec = (time_t)(end_ns / 1000000000U),
                           .tv_nsec = (long)(end_ns % 1000000000U)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        continue;
}

struct arena_times {
    uint64_t total_ns;
    uint64_t longest_ns;
    uint32_t longest_frame;
};

static bool arena_frames_play(struct arena_game *game, const struct arena_options *options,
                              struct arena_times *times, char message[ARENA_MESSAGE_SIZE])
{
    uint64_t begin_ns = arena_now_ns();
    uint64_t frame_begin_ns = begin_ns;
    for (uint32_t frame = 0; frame < options->frames; frame++) {
        LUDUS_PROFILE_FRAME();
        if (!arena_game_frame(game, message))
            return false;
        if (options->pace_ms != 0)
            arena_pace(frame_begin_ns + (uint64_t)options->pace_ms * 1000000U);
        uint64_t frame_end_ns = arena_now_ns();
        if (frame_end_ns - frame_begin_ns > times->longest_ns) {
            times->longest_ns = frame_end_ns - frame_begin_ns;
            times->longest_frame = frame;
        }
        frame_begin_ns = frame_end_ns;
    }
    LUDUS_PROFILE_FRAME();
    times->total_ns = frame_begin_ns - begin_ns;
    return true;
}

static void arena_report(const struct arena_options *options, const struct arena_times *times,
                         const struct arena_totals *totals)
{
    double total_ms = (double)times->total_ns / 1e6;
    printf("frames     %" PRIu32 " of seed %" PRIu64 "%s\n", options->frames, options->seed,
           options->dense ? ", dense" : "");
    printf("wall time  %.1f ms\n", total_ms);
    printf("frame time %.3f ms in the mean, %.3f ms the longest (frame %" PRIu32 ")\n",
           total_ms / options->frames, (double)times->longest_ns / 1e6, times->longest_frame);
    printf("levels     %" PRIu32 " streamed while playing, %" PRIu64 " bytes read, %" PRIu64
           " packed\n",
           totals->levels_streamed, totals->read_bytes, totals->packed_bytes);
    printf("checksum   %016" PRIx64 "\n", totals->checksum);
}

static enum arena_exit arena_play(const struct arena_options *options)
{
    char message[ARENA_MESSAGE_SIZE] = "";
    struct arena_times times = {0};
    struct arena_game *game = arena_game_create(options->seed, options->dense, message);
    if (!game || !arena_frames_play(game, options, &times, message)) {
        fprintf(stderr, "arena: %s\n", message);
        arena_game_destroy(game);
        return ARENA_EXIT_FAILED;
    }
    struct arena_totals totals = arena_game_totals(game);
    arena_game_destroy(game);
    arena_report(options, &times, &totals);
    return ARENA_EXIT_OK;
}

int main(int argc, char **argv)
{
    struct arena_options options;
    if (!arena_options_parse(&options, argc, argv))
        return ARENA_EXIT_USAGE;
    if (options.help) {
        arena_options_help();
        return ARENA_EXIT_OK;
    }
    LUDUS_PROFILE_THREAD("main");
    enum arena_exit status = arena_capture_start(options.capture);
    if (status != ARENA_EXIT_OK)
        return (int)status;
    status = arena_play(&options);
    enum arena_exit captured = arena_capture_stop();
    if (status == ARENA_EXIT_OK)
        status = captured;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "arena: cannot write the report: %s\n", strerror(errno));
        return ARENA_EXIT_OUTPUT;
    }
    return (int)status;
}
