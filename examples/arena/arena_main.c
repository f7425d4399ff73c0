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
#include "arena_times.h"

/* Waits until `end_ns`, for --pace. */
static void arena_pace(uint64_t end_ns)
{
    LUDUS_PROFILE_SCOPE(Game/Pace, LUDUS_PROFILE_CAT(wait));
    struct timespec end = {.tv_sec = (time_t)(end_ns / 1000000000U),
                           .tv_nsec = (long)(end_ns % 1000000000U)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        continue;
}

static bool arena_frames_play(struct arena_game *game, const struct arena_options *options,
                              struct arena_times *times, char message[ARENA_MESSAGE_SIZE])
{
    uint64_t frame_begin_ns = times->begin_ns;
    for (uint32_t frame = 0; frame < options->frames; frame++) {
        LUDUS_PROFILE_FRAME();
        if (!arena_game_frame(game, message))
            return false;
        uint64_t worked_ns = arena_now_ns();
        uint64_t frame_end_ns = worked_ns;
        if (options->pace_ms != 0) {
            arena_pace(frame_begin_ns + (uint64_t)options->pace_ms * 1000000U);
            frame_end_ns = arena_now_ns();
        }
        arena_times_add(times, frame_begin_ns, worked_ns, frame_end_ns);
        frame_begin_ns = frame_end_ns;
    }
    LUDUS_PROFILE_FRAME();
    arena_times_end(times, game);
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

static enum arena_exit arena_times_report(const struct arena_options *options,
                                          const struct arena_times *times)
{
    if (!options->times || arena_times_write(times, options->times))
        return ARENA_EXIT_OK;
    fprintf(stderr, "arena: cannot write %s: %s\n", options->times, strerror(errno));
    return ARENA_EXIT_OUTPUT;
}

static enum arena_exit arena_play(const struct arena_options *options)
{
    char message[ARENA_MESSAGE_SIZE] = "not enough memory for the times";
    struct arena_times times = {0};
    struct arena_game *game = arena_game_create(options->seed, options->dense, message);
    if (game)
        arena_game_plant(game, &options->plants);
    if (!game || !arena_times_begin(&times, game, options->frames, options->times != NULL) ||
        !arena_frames_play(game, options, &times, message)) {
        fprintf(stderr, "arena: %s\n", message);
        arena_times_release(&times);
        arena_game_destroy(game);
        return ARENA_EXIT_FAILED;
    }
    struct arena_totals totals = arena_game_totals(game);
    arena_game_destroy(game);
    arena_report(options, &times, &totals);
    enum arena_exit status = arena_times_report(options, &times);
    arena_times_release(&times);
    return status;
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
    enum arena_exit status = arena_capture_start(options.capture, options.resolution_ns);
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
