/* The gate "trigger": what it does to a game that a hitch is captured. The largest of the 120
 * frames after a trigger is compared with the largest of 120 frames of the same recording without
 * one; how far two such stretches without a trigger are apart is the noise. Then producers flat
 * out, and a trigger: what came before it has to be there, in one piece. */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <ludus/profile.h>

#include "bench_tools.h"
#include "lcap_decode.h"

#define STRETCH_FRAMES 120u
#define FRAME_SCOPES   2000u
#define FRAME_NS       2000000u
#define ROUNDS         40
#define QUICK_ROUNDS   8
#define PRODUCERS      4u
#define MAX_TRACKS     64u
#define MOST_NOISE     25.0 /* per cent; with more, "within the noise" says nothing */

static struct ludus_recorder_config hitch_config(void)
{
    struct ludus_recorder_config config = bench_config(LUDUS_CLOCK_COUNTER);
    config.retention = LUDUS_RETAIN_HITCHES;
    config.hitch.before_ms = 2000;
    config.hitch.after_ms = 100;
    config.hitch.max_captures = 1000;
    return config;
}

static void fire(const char *reason)
{
    struct ludus_error error;
    if (ludus_recorder_trigger(reason, &error) != LUDUS_OK)
        bench_fail("%s", error.message);
}

/* --- frames ---------------------------------------------------------------------------------- */

static void work_unit(void)
{
    LUDUS_PROFILE_SCOPE(Trigger/Work);
    for (volatile int i = 0; i < 200; i++)
        continue;
}

/* Frames begin at fixed times, as those of a game that waits for its display; the largest time that
 * the work of one took, in milliseconds. */
static double largest_frame_ms(void)
{
    uint64_t largest_ns = 0;
    uint64_t due_ns = bench_now_ns();
    for (uint32_t frame = 0; frame < STRETCH_FRAMES; frame++) {
        const uint64_t begin_ns = bench_now_ns();
        LUDUS_PROFILE_FRAME();
        for (uint32_t i = 0; i < FRAME_SCOPES; i++)
            work_unit();
        const uint64_t took_ns = bench_now_ns() - begin_ns;
        largest_ns = took_ns > largest_ns ? took_ns : largest_ns;
        due_ns += FRAME_NS;
        while (bench_now_ns() < due_ns)
            continue;
    }
    return (double)largest_ns / 1e6;
}

static double apart(double a, double b)
{
    return a > b ? a / b - 1 : b / a - 1;
}

/* All captures of the recording are called after its process. */
static void remove_captures(const struct bench_options *options)
{
    char pattern[4096];
    glob_t found;
    const int length = snprintf(pattern, sizeof pattern, "%s/ludus-trigger_cost-%ld.*.lcap",
                                options->folder, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof pattern || glob(pattern, 0, NULL, &found) != 0)
        bench_fail("the captures cannot be found again");
    for (size_t i = 0; i < found.gl_pathc; i++)
        unlink(found.gl_pathv[i]);
    globfree(&found);
}

static void compare_frames(const struct bench_options *options)
{
    static double triggered[ROUNDS], usual[ROUNDS], more[ROUNDS], noise[ROUNDS];
    const uint32_t rounds = options->is_quick ? QUICK_ROUNDS : ROUNDS;
    bench_recording_start(options, hitch_config());
    (void)largest_frame_ms();
    for (uint32_t i = 0; i < rounds; i++) {
        fire("bench");
        triggered[i] = largest_frame_ms();
        (void)largest_frame_ms(); /* what is left of the capture is written */
        usual[i] = largest_frame_ms();
        more[i] = triggered[i] / usual[i] - 1;
        noise[i] = apart(largest_frame_ms(), usual[i]);
    }
    const struct ludus_recorder_result result = bench_recording_stop();
    remove_captures(options);
    if (result.captures != rounds)
        bench_fail("%" PRIu32 " captures of %" PRIu32 " triggers", result.captures, rounds);
    const double excess = 100 * bench_median(more, rounds);
    const double bound = 100 * bench_percentile(noise, rounds, 95);
    printf("trigger: frames of %u scopes every %u ms, %s; medians of %" PRIu32
           " rounds; captures of %.2f MB\n",
           FRAME_SCOPES, FRAME_NS / 1000000u, bench_clock_name(LUDUS_CLOCK_COUNTER), rounds,
           (double)result.written_bytes / rounds / 1e6);
    printf("  largest of %u frames: %.3f ms after a trigger, %.3f ms without one\n", STRETCH_FRAMES,
           bench_median(triggered, rounds), bench_median(usual, rounds));
    static const char name[] = "trigger, frames after it";
    static const char text[] = "%+.1f %% of the largest of %u frames (within the noise of %.1f %%)";
    if (bound > MOST_NOISE)
        bench_unsure(name, text, excess, STRETCH_FRAMES, bound);
    else
        bench_gate(excess <= bound, name, text, excess, STRETCH_FRAMES, bound);
}

/* --- the window ------------------------------------------------------------------------------ */

static void produce(void *context, uint32_t thread)
{
    const uint64_t *until_ns = context;
    while (bench_now_ns() < *until_ns) {
        for (uint32_t i = 0; i < 100; i++) {
            LUDUS_PROFILE_SCOPE(Trigger/Flood);
            __asm__ volatile("" : : : "memory");
        }
    }
    if (thread == 0)
        fire("flood");
}

/* What a capture has: whether it is in one piece, and between which ticks. */
struct found {
    uint64_t from_tick;
    uint64_t trigger_tick;
    uint64_t events;
    uint64_t missing; /* events between two segments of a track */
    uint64_t damages;
    uint64_t next_event[MAX_TRACKS];
    bool is_finished;
};

static void look_at_segments(const struct lcap_events *events, struct found *found)
{
    for (uint32_t i = 0; i < events->header.segment_count; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        uint64_t *next = &found->next_event[segment->track % MAX_TRACKS];
        if (*next != 0 && segment->events_before != *next)
            found->missing += segment->events_before - *next;
        *next = segment->events_before + segment->event_count;
        found->events += segment->event_count;
    }
}

static void look_at(const struct lcap_item *item, const struct lcap_events *events,
                    struct found *found)
{
    found->is_finished |= item->kind == LCAP_ITEM_FINISHED;
    found->damages += item->kind == LCAP_ITEM_DAMAGE || item->kind == LCAP_ITEM_GAP;
    if (events != NULL)
        look_at_segments(events, found);
    if (item->kind == LCAP_ITEM_BLOCK && item->block.kind == LCAP_KIND_window) {
        struct lcap_window window;
        if (lcap_read_window(&item->block, &window) == LCAP_DAMAGE_NONE)
            found->from_tick = window.from_tick;
    }
    if (item->kind == LCAP_ITEM_BLOCK && item->block.kind == LCAP_KIND_triggers) {
        struct lcap_records records = lcap_records_of(&item->block);
        struct lcap_trigger trigger;
        if (lcap_next_trigger(&records, &trigger))
            found->trigger_tick = trigger.tick;
    }
}

static struct found read_capture(const char *path)
{
    struct found found = {0};
    struct lcap_reader *reader;
    struct lcap_item item;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        bench_fail("%s: cannot be read", path);
    const long size = ftell(file);
    uint8_t *bytes = size > 0 ? malloc((size_t)size) : NULL;
    rewind(file);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        bench_fail("%s: cannot be read", path);
    const struct lcap_bytes memory = {bytes, (size_t)size};
    if (lcap_reader_open(lcap_source_from_memory(&memory), &reader, NULL) != LUDUS_OK)
        bench_fail("%s: is no capture", path);
    while (lcap_reader_next(reader, true, &item) == LUDUS_OK)
        look_at(&item, lcap_reader_events(reader), &found);
    lcap_reader_close(reader);
    free(bytes);
    (void)fclose(file);
    return found;
}

static void flood_window(const struct bench_options *options)
{
    struct bench_cost costs[PRODUCERS];
    struct ludus_recorder_result result;
    struct ludus_error error;
    bench_recording_start(options, hitch_config());
    uint64_t until_ns = bench_now_ns() + (options->is_quick ? 500000000u : 3000000000u);
    (void)bench_threads_run(PRODUCERS, produce, &until_ns, costs);
    if (ludus_recorder_stop(&result, &error) != LUDUS_OK)
        bench_fail("%s", error.message);
    const struct found found = read_capture(result.path);
    remove_captures(options);
    printf("trigger: %u producers flat out, %.1f %% of %" PRIu64
           " scopes dropped; the capture has %" PRIu64 " events\n",
           PRODUCERS,
           100.0 * (double)result.dropped.scopes /
               (double)(result.dropped.scopes + result.recorded.scopes),
           result.dropped.scopes + result.recorded.scopes, found.events);
    const bool is_intact = found.is_finished && found.damages == 0 && found.missing == 0 &&
                           found.events != 0 && found.trigger_tick > found.from_tick;
    bench_gate(is_intact, "trigger, window before it",
               "%" PRIu64 " events missing, %" PRIu64 " places damaged (must be intact)",
               found.missing, found.damages);
}

int main(int argc, char **argv)
{
    const struct bench_options options = bench_options_read("trigger_cost", argc, argv);
    compare_frames(&options);
    flood_window(&options);
    return EXIT_SUCCESS;
}
