/* What timing a Vulkan queue costs the CPU, beside the timestamps that have to be written; what it
 * does to the frames of the example; how late results are; and whether all passes are timed. On
 * whatever driver there is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <ludus/profile.h>

#include "bench_tools.h"
#include "frame_player.h"
#include "gpu_by_hand.h"
#include "gpu_loop.h"

#define MAX_ROUNDS  400u
#define EXAMPLE_RUN 10u /* frames of the example that are timed together */
#define LAG_FRAMES  1000u

static const char *const way_names[GPU_WAYS] = {"bare", "by hand", "idle", "recording"};

/* Of a frame, of a scope, and of the driver in a frame. */
static double costs[3][GPU_WAYS][MAX_ROUNDS];

/* Interleaved rounds: each way draws a few frames, of which the last one counts. */
static void measure_ways(struct gpu_loop *loop, enum gpu_way first, enum gpu_way last,
                         uint32_t scopes, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++) {
        for (enum gpu_way way = first; way <= last; way++) {
            struct gpu_frame_cost cost = {0};
            for (uint32_t frame = 0; frame <= GPU_LOOP_FLIGHTS; frame++)
                cost = gpu_loop_draw(loop, way, scopes);
            costs[0][way][i] = cost.frame_ns;
            costs[1][way][i] = scopes > 0 ? cost.scopes_ns / scopes : 0;
            costs[2][way][i] = cost.driver_ns;
        }
    }
    gpu_loop_finish(loop);
}

static void measure_frames(struct gpu_loop *loop, const struct bench_options *options,
                           uint32_t scopes, uint32_t rounds)
{
    double medians[3][GPU_WAYS];
    measure_ways(loop, GPU_BARE, GPU_IDLE, scopes, rounds);
    bench_recording_start(options, bench_config(LUDUS_CLOCK_AUTO));
    measure_ways(loop, GPU_RECORDED, GPU_RECORDED, scopes, rounds);
    (void)bench_recording_stop();
    for (int what = 0; what < 3; what++) {
        for (enum gpu_way way = GPU_BARE; way < GPU_WAYS; way++)
            medians[what][way] = bench_median(costs[what][way], rounds);
    }
    printf("  %2u scopes: two timestamps by hand %.1f ns", (unsigned)scopes,
           medians[1][GPU_BY_HAND]);
    for (enum gpu_way way = GPU_IDLE; way < GPU_WAYS; way++)
        printf("; %s %.2f us a frame, %.1f ns a scope", way_names[way],
               (medians[0][way] - medians[0][GPU_BARE]) / 1000, medians[1][way]);
    printf("; of it %.2f us in the driver beside its timestamps\n",
           medians[2][GPU_RECORDED] / 1000);
    if (scopes == 64)
        bench_figure("gpu scope", "%.1f ns, of which two timestamps are %.1f; idle %.1f ns",
                     medians[1][GPU_RECORDED], medians[1][GPU_BY_HAND], medians[1][GPU_IDLE]);
}

static double run_example(struct frame_player *player, uint32_t *number)
{
    const uint64_t begin_ns = bench_now_ns();
    for (uint32_t i = 0; i < EXAMPLE_RUN; i++) {
        LUDUS_PROFILE_FRAME();
        if (!frame_player_draw(player, (*number)++))
            bench_fail("%s", player->host->failure);
    }
    frame_player_finish(player);
    return (double)(bench_now_ns() - begin_ns) / EXAMPLE_RUN;
}

/* Who writes timestamps into the example's frames. */
enum example_way { EXAMPLE_PLAIN, EXAMPLE_TIMED, EXAMPLE_BY_HAND, EXAMPLE_WAYS };

/* Rounds of all ways, there and back, so that what changes evenly hits all of them alike. */
static void measure_rounds(struct frame_player *players, uint32_t rounds,
                           double (*ratios)[MAX_ROUNDS], double *noise, double *frames)
{
    uint32_t number = 0;
    for (uint32_t way = 0; way < EXAMPLE_WAYS; way++)
        (void)run_example(&players[way], &number);
    for (uint32_t i = 0; i < rounds; i++) {
        double there[EXAMPLE_WAYS], back[EXAMPLE_WAYS];
        for (uint32_t way = 0; way < EXAMPLE_WAYS; way++)
            there[way] = run_example(&players[way], &number);
        for (uint32_t way = EXAMPLE_WAYS; way-- > 0;)
            back[way] = run_example(&players[way], &number);
        for (uint32_t way = 0; way < EXAMPLE_WAYS; way++)
            ratios[way][i] = (there[way] + back[way]) / (there[0] + back[0]);
        noise[i] = back[0] / there[0];
        frames[i] = there[0];
    }
}

static void measure_example(struct vulkan_host *host, const struct bench_options *options,
                            uint32_t rounds)
{
    static double frames[MAX_ROUNDS], ratios[EXAMPLE_WAYS][MAX_ROUNDS], noise[MAX_ROUNDS];
    static struct frame_player players[EXAMPLE_WAYS];
    struct vulkan_host by_hand = gpu_by_hand_open(host);
    for (uint32_t way = 0; way < EXAMPLE_WAYS; way++) {
        if (!frame_player_create(&players[way], way == EXAMPLE_BY_HAND ? &by_hand : host,
                                 (VkExtent2D){240, 136}, 16, way == EXAMPLE_TIMED))
            bench_fail("%s", players[way].host->failure);
    }
    bench_recording_start(options, bench_config(LUDUS_CLOCK_AUTO));
    measure_rounds(players, rounds, ratios, noise, frames);
    (void)bench_recording_stop();
    for (uint32_t way = 0; way < EXAMPLE_WAYS; way++)
        frame_player_destroy(&players[way]);
    gpu_by_hand_close();
    printf("  example: %u rounds of %u frames of six passes, %.2f ms a frame\n", (unsigned)rounds,
           EXAMPLE_RUN, bench_median(frames, rounds) / 1e6);
    bench_figure("gpu frame time",
                 "%.4f x when timed, %.4f x with the same timestamps by hand; quartiles of untimed "
                 "pairs %.4f to %.4f",
                 bench_median(ratios[EXAMPLE_TIMED], rounds),
                 bench_median(ratios[EXAMPLE_BY_HAND], rounds), bench_percentile(noise, rounds, 25),
                 bench_percentile(noise, rounds, 75));
}

/* So many frames were begun behind one when its result was there. */
static void measure_lag(struct gpu_loop *loop, const struct bench_options *options)
{
    static double lags[LAG_FRAMES];
    uint32_t count = 0;
    uint64_t last = loop->number;
    struct ludus_gpu_frame latest;
    bench_recording_start(options, bench_config(LUDUS_CLOCK_AUTO));
    for (uint32_t i = 0; i < LAG_FRAMES; i++) {
        (void)gpu_loop_draw(loop, GPU_RECORDED, 8);
        if (ludus_vulkan_session_latest_frame(loop->gpu, &latest) == 0 || latest.number <= last)
            continue;
        last = latest.number;
        lags[count++] = (double)(loop->number - latest.number);
    }
    gpu_loop_finish(loop);
    const struct ludus_recorder_result result = bench_recording_stop();
    if (count > 0) {
        const double median = bench_median(lags, count); /* which sorts them */
        bench_figure("gpu result lag", "%.0f frames in the median, %.0f at most; %u in flight",
                     median, lags[count - 1], GPU_LOOP_FLIGHTS);
    }
    bench_gate(result.gpu_passes == 8 * LAG_FRAMES && result.gpu_passes_dropped == 0,
               "gpu coverage", "%" PRIu64 " of %u passes in %u frames (all of them)",
               result.gpu_passes, 8 * LAG_FRAMES, LAG_FRAMES);
}

int main(int argc, char **argv)
{
    static struct gpu_loop loop;
    static const uint32_t numbers[] = {0, 8, 64, 80};
    const struct bench_options options = bench_options_read("gpu_cost", argc, argv);
    const uint32_t rounds = options.is_quick ? 50 : MAX_ROUNDS;
    const struct vulkan_wishes wishes = {0};
    const enum vulkan_host_state state = vulkan_host_open(&loop.host, &wishes);
    if (state == VULKAN_HOST_FAILED)
        bench_fail("%s", loop.host.failure);
    if (state == VULKAN_HOST_ABSENT) {
        bench_unsure("gpu scope", "there is no Vulkan device");
        vulkan_host_close(&loop.host);
        return EXIT_SUCCESS;
    }
    printf("gpu: %s; medians of %u interleaved frames each, with %u in flight; the calls of Vulkan "
           "that a program makes anyway are not counted\n",
           loop.host.properties.deviceName, (unsigned)rounds, GPU_LOOP_FLIGHTS);
    gpu_loop_open(&loop);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        measure_frames(&loop, &options, numbers[i], rounds);
    measure_lag(&loop, &options);
    gpu_loop_close(&loop);
    measure_example(&loop.host, &options, options.is_quick ? 5 : 15);
    vulkan_host_close(&loop.host);
    return EXIT_SUCCESS;
}
