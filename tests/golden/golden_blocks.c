/* Makes one right block of every kind with the encoder. */
#include "golden_blocks.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const struct lcap_clock golden_clock_tsc = {
    .ticks_per_second = 3000000000u, .step = 21, .offset = 4, .clock = 1, .source = LCAP_CLOCK_TSC};
const struct lcap_clock golden_clock_monotonic = {
    .ticks_per_second = 1000000000u, .step = 1, .clock = 2, .source = LCAP_CLOCK_MONOTONIC};

static void add_session(struct golden_file *file)
{
    const struct lcap_session session = {.start_tick = 100,
                                         .start_unix_ns = 1700000000123456789,
                                         .clock = 1,
                                         .process_id = 77,
                                         .sources = 3};
    const struct lcap_fact facts[] = {
        {GOLDEN_TEXT("program"), GOLDEN_TEXT("arena")},
        {GOLDEN_TEXT("os"), GOLDEN_TEXT("one \"quoted\" \\ line\n")},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_session(file->encoder, &session, facts, COUNT(facts), &block),
               block);
}

static void add_clock(struct golden_file *file, const struct lcap_clock *clock)
{
    struct lcap_bytes block;
    golden_add(file, lcap_encode_clock(file->encoder, clock, GOLDEN_TEXT("asked for"), &block),
               block);
}

static void add_calibrations(struct golden_file *file)
{
    const struct lcap_calibration calibrations[] = {
        {.tick = 4, .ns = -9, .uncertainty_ns = 10},
        {.tick = 25, .ns = -2, .uncertainty_ns = UINT32_MAX},
    };
    struct lcap_bytes block;
    golden_add(
        file, lcap_encode_calibrations(file->encoder, 1, calibrations, COUNT(calibrations), &block),
        block);
}

static void add_strings(struct golden_file *file)
{
    const struct lcap_string strings[] = {{GOLDEN_TEXT("Step"), 1},
                                          {GOLDEN_TEXT("sim.c"), 2},
                                          {GOLDEN_TEXT("Sim"), 3},
                                          {GOLDEN_TEXT(""), 4}};
    struct lcap_bytes block;
    size_t taken;
    golden_add(file, lcap_encode_strings(file->encoder, strings, COUNT(strings), &taken, &block),
               block);
}

static void add_categories(struct golden_file *file)
{
    const struct lcap_category categories[] = {
        {.category = 1, .name = 3, .colour = 0x0AFF80},
        {.category = 2, .name = 9, .colour = LCAP_NO_COLOUR, .flags = 1},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_categories(file->encoder, categories, COUNT(categories), &block),
               block);
}

static void add_sites(struct golden_file *file)
{
    const struct lcap_site sites[] = {
        {.site = 1, .name = 1, .file = 2, .line = 12, .category = 1},
        {.site = 2, .name = 3, .function = 9},
        {.site = 3, .name = 9, .file = 2, .function = 1, .line = UINT32_MAX},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_sites(file->encoder, sites, COUNT(sites), &block), block);
}

static void add_tracks(struct golden_file *file)
{
    const struct lcap_track tracks[] = {
        {.track = 7, .kind = LCAP_TRACK_THREAD, .os_id = 4242, .begin_tick = 100, .name = 3},
        {.track = 8, .kind = LCAP_TRACK_FIBER, .begin_tick = 5, .end_tick = 6, .name = 9},
        {.track = 9, .kind = LCAP_TRACK_GPU_QUEUE},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_tracks(file->encoder, 1, tracks, COUNT(tracks), &block), block);
}

static void add_event(struct golden_file *file, enum lcap_event_kind kind, uint64_t step,
                      uint32_t site, uint64_t value)
{
    golden_require(lcap_events_add(file->encoder, kind, 4 + 21 * step, site, value) == LUDUS_OK,
                   "the encoder refused an event");
}

/* Every kind of event, a segment that starts within scopes, and one that has nothing but a scope.
 */
static void add_events(struct golden_file *file)
{
    struct lcap_open_scope open[3][2] = {
        [1] = {{.begin_tick = 4 + 21 * 2, .children_ticks = 21 * 4, .site = 1},
               {.begin_tick = 4 + 21 * 11, .site = 1}},
        [2] = {{.begin_tick = 4 + 21 * 20, .site = 1}},
    };
    struct lcap_track_stream tracks[] = {
        {.open = open[0], .open_capacity = 2, .track = 7},
        {.open = open[1], .open_capacity = 2, .depth = 2, .event_count = 5, .track = 8},
        {.open = open[2], .open_capacity = 2, .depth = 1, .track = 9},
    };
    struct lcap_bytes block;
    lcap_events_start(file->encoder, &golden_clock_tsc);
    golden_require(lcap_events_segment(file->encoder, &tracks[0], 0) == LUDUS_OK, "no segment");
    add_event(file, LCAP_EVENT_BEGIN, 10, 1, 0);
    add_event(file, LCAP_EVENT_INSTANT, 15, 2, 0);
    add_event(file, LCAP_EVENT_FLOW_OUT, 115, 0, 0xDEAD);
    add_event(file, LCAP_EVENT_FLOW_IN, 115, 1, 0xDEAD);
    add_event(file, LCAP_EVENT_COUNT, 116, 1, 3);
    add_event(file, LCAP_EVENT_COUNT, 117, 1, (uint64_t)-2);
    add_event(file, LCAP_EVENT_GAUGE, 119, 2, UINT64_C(0x3FF8000000000000));
    add_event(file, LCAP_EVENT_TRACK_SWITCH, 120, 0, 8);
    add_event(file, LCAP_EVENT_TRACK_SWITCH, 122, 0, 0);
    add_event(file, LCAP_EVENT_END, 125, 0, 0);
    golden_require(lcap_events_segment(file->encoder, &tracks[1], 0) == LUDUS_OK, "no segment");
    add_event(file, LCAP_EVENT_END, 12, 0, 0);
    add_event(file, LCAP_EVENT_FLOW_OUT, 13, 0, 1);
    golden_require(lcap_events_segment(file->encoder, &tracks[2], 4 + 21 * 20) == LUDUS_OK,
                   "no segment");
    golden_add(file, lcap_events_finish(file->encoder, &block), block);
}

static void add_domains(struct golden_file *file)
{
    const struct lcap_domain domains[] = {{.domain = 4, .name = 3}, {.domain = 5, .name = 9}};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_domains(file->encoder, domains, COUNT(domains), &block), block);
}

static void add_frames(struct golden_file *file)
{
    const struct lcap_frame_mark marks[] = {
        {.domain = 4, .track = 7, .ordinal = 1, .tick = 424},
        {.domain = 4, .ordinal = 0, .tick = 214},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_frames(file->encoder, 1, marks, COUNT(marks), &block), block);
}

static void add_losses(struct golden_file *file)
{
    const struct lcap_loss losses[] = {
        {.cause = LCAP_LOSS_FRAME_MARKS_FULL, .counts.frames = 3, .first_tick = 6, .last_tick = 6},
        {.track = 7,
         .cause = 99,
         .counts.scopes = 1,
         .counts.instants = 2,
         .last_tick = UINT64_MAX},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_losses(file->encoder, 1, losses, COUNT(losses), &block), block);
}

static void add_diagnostic(struct golden_file *file)
{
    const struct lcap_diagnostic diagnostic = {.tick = 8,
                                               .count = 9,
                                               .text = GOLDEN_TEXT("two\nlines"),
                                               .code = LCAP_DIAGNOSTIC_NAMES_CUT,
                                               .track = 7};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_diagnostic(file->encoder, 1, &diagnostic, &block), block);
}

static void add_sched(struct golden_file *file)
{
    const struct lcap_sched samples[] = {
        {.track = 7, .processors = 1, .from_tick = 25, .to_tick = 424, .run_ns = 60, .wait_ns = 7},
        {.track = 7, .processors = 1, .from_tick = 424, .to_tick = 425, .wait_ns = UINT64_MAX},
        {.processors = 64, .to_tick = UINT64_MAX, .run_ns = 20000000, .wait_ns = 10000000},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_sched(file->encoder, 1, samples, COUNT(samples), &block), block);
}

static void add_window(struct golden_file *file)
{
    const struct lcap_window window = {.from_tick = 151, .clock = 1};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_window(file->encoder, &window, &block), block);
}

static void add_trigger(struct golden_file *file)
{
    const struct lcap_trigger trigger = {
        .tick = 2525, .text = GOLDEN_TEXT("why \"now\""), .cause = LCAP_TRIGGER_CALL};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_trigger(file->encoder, 1, &trigger, &block), block);
}

static void add_repair(struct golden_file *file)
{
    const struct lcap_repair repair = {.capture_id = UINT64_C(0xFEDCBA9876543210),
                                       .places = 2,
                                       .bytes = 1000,
                                       .tail_bytes = 7,
                                       .is_not_finished = true};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_repair(file->encoder, &repair, &block), block);
}

static void add_lost(struct golden_file *file)
{
    const struct lcap_lost lost[] = {
        {.track = 7, .events = 3, .begin_ns = -1, .end_ns = 20},
        {.begin_ns = INT64_MIN, .end_ns = INT64_MAX},
    };
    struct lcap_bytes block;
    golden_add(file, lcap_encode_lost(file->encoder, lost, COUNT(lost), &block), block);
}

static void add_end(struct golden_file *file)
{
    const struct lcap_end end = {.stop_tick = 3000,
                                 .recorded.scopes = 1,
                                 .recorded.instants = 2,
                                 .recorded.frames = 3,
                                 .recorded.flows = 7,
                                 .recorded.gauges = 8,
                                 .dropped.scopes = 4,
                                 .dropped.instants = 5,
                                 .dropped.frames = 6,
                                 .dropped.flows = 9,
                                 .dropped.gauges = 10,
                                 .clock = 1,
                                 .reason = LCAP_END_STOPPED};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_end(file->encoder, &end, &block), block);
}

void golden_add_kind(struct golden_file *file, enum lcap_block_kind kind)
{
    static void (*const add[])(struct golden_file *) = {
        [LCAP_KIND_session] = add_session,
        [LCAP_KIND_calibrations] = add_calibrations,
        [LCAP_KIND_strings] = add_strings,
        [LCAP_KIND_categories] = add_categories,
        [LCAP_KIND_sites] = add_sites,
        [LCAP_KIND_tracks] = add_tracks,
        [LCAP_KIND_events] = add_events,
        [LCAP_KIND_domains] = add_domains,
        [LCAP_KIND_frames] = add_frames,
        [LCAP_KIND_losses] = add_losses,
        [LCAP_KIND_diagnostics] = add_diagnostic,
        [LCAP_KIND_end] = add_end,
        [LCAP_KIND_index] = golden_add_index,
        [LCAP_KIND_sched] = add_sched,
        [LCAP_KIND_window] = add_window,
        [LCAP_KIND_triggers] = add_trigger,
        [LCAP_KIND_repair] = add_repair,
        [LCAP_KIND_lost] = add_lost,
    };
    if (kind >= LCAP_KIND_gpu_queues && kind <= LCAP_KIND_gpu_calibrations)
        golden_add_gpu_kind(file, kind);
    else if (kind == LCAP_KIND_clock)
        add_clock(file, &golden_clock_tsc);
    else
        add[kind](file);
}

void golden_add_start(struct golden_file *file)
{
    add_session(file);
    add_clock(file, &golden_clock_tsc);
    add_clock(file, &golden_clock_monotonic);
    add_strings(file);
}

void golden_add_game_session(struct golden_file *file, uint32_t sources, uint64_t start_tick)
{
    const struct lcap_session session = {.start_tick = start_tick,
                                         .start_unix_ns = 1700000000123456789,
                                         .clock = golden_clock_monotonic.clock,
                                         .process_id = 77,
                                         .sources = sources};
    const struct lcap_fact facts[] = {{GOLDEN_TEXT("program"), GOLDEN_TEXT("game")}};
    struct lcap_bytes block;
    golden_add(file, lcap_encode_session(file->encoder, &session, facts, 1, &block), block);
    golden_add(
        file,
        lcap_encode_clock(file->encoder, &golden_clock_monotonic, GOLDEN_TEXT("asked for"), &block),
        block);
}

void golden_add_finish(struct golden_file *file)
{
    add_end(file);
    golden_add_index(file);
    golden_add_trailer(file);
}

void golden_add_instants(struct golden_file *file, const struct lcap_clock *clock,
                         const uint64_t *ticks, size_t count)
{
    struct lcap_track_stream track = {.track = 7};
    struct lcap_bytes block;
    lcap_events_start(file->encoder, clock);
    golden_require(lcap_events_segment(file->encoder, &track, 0) == LUDUS_OK, "no segment");
    for (size_t i = 0; i < count; i++)
        golden_require(lcap_events_add(file->encoder, LCAP_EVENT_INSTANT, ticks[i], 1, 0) ==
                           LUDUS_OK,
                       "the encoder refused an event");
    golden_add(file, lcap_events_finish(file->encoder, &block), block);
}
