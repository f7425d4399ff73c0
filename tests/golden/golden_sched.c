/* A golden file of a recording on a busy machine with two processors, small enough to work out
 * every sum. Times in us from the session's start; a microsecond is 1,000 ticks.
 *
 * main     0 to 400: ran 150, runnable 250; 400 to 500: ran 100      sampled 500, 250 and 250
 * worker   100 to 200: slept; 200 to 400: ran 20, runnable 5;
 *          not sampled from 400 to 450; 450 to 500: ran 51, runnable 0  sampled 350, 71 and 5
 * loader   never sampled; the fiber is not a thread
 * machine  0 to 500, two processors: 1,000, busy 800, stolen 30 */
#include "golden_blocks.h"
#include "golden_file.h"
#include "golden_sets.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { MAIN = 1, WORKER, LOADER, FIBER }; /* tracks; their names' strings are the same */

static uint64_t tick_of(uint64_t us)
{
    return 5000000 + us * 1000;
}

static void add_session(struct golden_file *file)
{
    const struct lcap_session session = {.start_tick = tick_of(0),
                                         .start_unix_ns = 1700000000123456789,
                                         .clock = golden_clock_monotonic.clock,
                                         .process_id = 77,
                                         .sources = 1};
    const struct lcap_fact facts[] = {
        {GOLDEN_TEXT("program"), GOLDEN_TEXT("game")},
        {GOLDEN_TEXT("recorder.sched"), GOLDEN_TEXT("sampled")},
        {GOLDEN_TEXT("recorder.sched_machine_step_ns"), GOLDEN_TEXT("10000")},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_session(file->encoder, &session, facts, COUNT(facts), &block),
               block);
    golden_add(
        file,
        lcap_encode_clock(file->encoder, &golden_clock_monotonic, GOLDEN_TEXT("asked for"), &block),
        block);
}

static void add_tracks(struct golden_file *file)
{
    static const char *const names[] = {"main", "worker", "loader", "fiber"};
    struct lcap_string strings[COUNT(names)];
    struct lcap_track tracks[COUNT(names)];
    struct lcap_bytes block;
    size_t taken;
    for (uint32_t i = 0; i < COUNT(names); i++) {
        const bool is_fiber = i + 1 == FIBER;
        strings[i] = (struct lcap_string){{(const uint8_t *)names[i], strlen(names[i])}, i + 1};
        tracks[i] = (struct lcap_track){.track = i + 1,
                                        .kind = is_fiber ? LCAP_TRACK_FIBER : LCAP_TRACK_THREAD,
                                        .os_id = is_fiber ? 0 : 70 + i,
                                        .begin_tick = tick_of(0),
                                        .name = i + 1};
    }
    golden_add(file, lcap_encode_strings(file->encoder, strings, COUNT(names), &taken, &block),
               block);
    golden_add(file, lcap_encode_tracks(file->encoder, 2, tracks, COUNT(names), &block), block);
}

static struct lcap_sched sample(uint32_t track, uint64_t from_us, uint64_t to_us, uint64_t run_us,
                                uint64_t wait_us)
{
    return (struct lcap_sched){.track = track,
                               .processors = track == 0 ? 2 : 1,
                               .from_tick = tick_of(from_us),
                               .to_tick = tick_of(to_us),
                               .run_ns = run_us * 1000,
                               .wait_ns = wait_us * 1000};
}

void golden_make_sched(const char *directory)
{
    const struct lcap_sched first[] = {
        sample(MAIN, 0, 400, 150, 250),
        sample(WORKER, 100, 200, 0, 0),
        sample(WORKER, 200, 400, 20, 5),
    };
    const struct lcap_sched second[] = {
        sample(MAIN, 400, 500, 100, 0),
        sample(WORKER, 450, 500, 51, 0), /* told a moment late */
        sample(0, 0, 500, 800, 30),
    };
    const struct lcap_end end = {.stop_tick = tick_of(600), .clock = 2, .reason = LCAP_END_STOPPED};
    struct golden_file file;
    struct lcap_bytes block;
    golden_open(&file);
    add_session(&file);
    add_tracks(&file);
    golden_add(&file, lcap_encode_sched(file.encoder, 2, first, COUNT(first), &block), block);
    golden_add(&file, lcap_encode_sched(file.encoder, 2, second, COUNT(second), &block), block);
    golden_add(&file, lcap_encode_end(file.encoder, &end, &block), block);
    golden_add_index(&file);
    golden_add_trailer(&file);
    golden_write(&file, directory, "busy-machine");
}
