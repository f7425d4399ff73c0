/* Random captures: tracks that come and go, frame marks, losses, four kinds of clock. */
#include "random_capture.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define STEP 21u

/* The time that FORMAT.md gives to a tick of the host's clock, calibration by calibration. */
__extension__ typedef __int128 wide;

static wide divide_down(wide numerator, wide denominator)
{
    wide quotient = numerator / denominator;
    return quotient * denominator > numerator ? quotient - 1 : quotient;
}

static wide host_ns(const struct builder_setup *setup, uint64_t tick)
{
    const struct lcap_calibration *at = setup->calibrations;
    wide rate = (wide)setup->clock.ticks_per_second;
    if (setup->clock.source == LCAP_CLOCK_MONOTONIC)
        return (wide)tick;
    if (setup->calibration_count == 0)
        return divide_down((wide)tick * 1000000000, rate);
    if (setup->calibration_count == 1)
        return at->ns + divide_down(((wide)tick - at->tick) * 1000000000, rate);
    for (size_t i = 1; i + 1 < setup->calibration_count; i++)
        if (setup->calibrations[i].tick <= tick)
            at = &setup->calibrations[i];
    return at[0].ns + divide_down(((wide)tick - at[0].tick) * (at[1].ns - at[0].ns),
                                  (wide)at[1].tick - at[0].tick);
}

static int64_t ns_of(const struct random_capture *capture, uint64_t tick)
{
    return (int64_t)(host_ns(&capture->setup, tick) -
                     host_ns(&capture->setup, capture->setup.start_tick));
}

static void choose_clock(struct random_capture *capture, struct random *random, bool is_plain)
{
    struct builder_setup *setup = &capture->setup;
    static const uint64_t uptimes[] = {0, 1000, UINT64_C(1) << 47, UINT64_C(1) << 60};
    uint32_t kind = is_plain ? 0 : random_below(random, 4);
    uint64_t first = uptimes[random_below(random, 4)];
    setup->clock = (struct lcap_clock){
        .ticks_per_second = 1000000000, .step = 1, .clock = 3, .source = LCAP_CLOCK_MONOTONIC};
    if (kind != 0) {
        setup->clock.source = LCAP_CLOCK_TSC;
        setup->clock.ticks_per_second = 2100000000 + random_below(random, 1000);
        setup->clock.step = random_below(random, 2) == 0 ? 1 : STEP;
        setup->clock.offset = random_below(random, (uint32_t)setup->clock.step);
        setup->calibrations = capture->calibrations;
        setup->calibration_count = kind == 1 ? 0 : kind == 2 ? 1 : 4;
    }
    setup->start_tick = first / setup->clock.step * setup->clock.step + setup->clock.offset;
    uint64_t tick = setup->start_tick;
    int64_t ns = (int64_t)random_below(random, 1000);
    for (size_t i = 0; i < 4; i++) {
        tick += 1 + random_below(random, 4000);
        ns += 1 + (int64_t)random_below(random, 3000);
        capture->calibrations[i] = (struct lcap_calibration){.tick = tick, .ns = ns};
    }
}

/* A tick on the clock's grid, at most `steps` after the start. */
static uint64_t some_tick(const struct random_capture *capture, struct random *random,
                          uint32_t steps)
{
    return capture->setup.start_tick +
           (uint64_t)random_below(random, steps) * capture->setup.clock.step;
}

static void generate_events(struct random_capture *capture, struct random *random, uint32_t track,
                            struct stream_event *events)
{
    struct reference_track *reference = &capture->tracks[track];
    struct stream_shape shape = {.events = reference->event_count,
                                 .sites = 1 + random_below(random, RANDOM_SITES),
                                 .max_depth = 1 + random_below(random, 12),
                                 .step = (uint32_t)capture->setup.clock.step,
                                 .first_tick = some_tick(capture, random, 3000),
                                 .kinds = random_below(random, 3) == 0 ? 0xFF : 0x7,
                                 .max_shift = random_below(random, 8)};
    stream_generate(random, &shape, events);
}

/* Writes the tracks' events in random pieces, and says how far the file knows each track. */
static void write_events(struct random_capture *capture, struct random *random,
                         struct stream_event *const *events, uint64_t *last_ticks)
{
    uint32_t written[BUILDER_MAX_TRACKS] = {0};
    uint32_t depth[BUILDER_MAX_TRACKS] = {0};
    uint32_t left = capture->view.track_count;
    while (left != 0) {
        uint32_t track = random_below(random, capture->view.track_count);
        uint32_t count = 1 + random_below(random, 40);
        uint32_t id = capture->tracks[track].id;
        if (written[track] == capture->tracks[track].event_count)
            continue;
        for (; count != 0 && written[track] < capture->tracks[track].event_count; count--) {
            const struct stream_event *event = &events[track][written[track]++];
            builder_value(capture->builder, id, (enum lcap_event_kind)event->kind, event->tick,
                          event->site, event->value);
            depth[track] += event->kind == LCAP_EVENT_BEGIN;
            depth[track] -= event->kind == LCAP_EVENT_END;
            last_ticks[track] = event->tick;
        }
        left -= written[track] == capture->tracks[track].event_count;
        if (random_below(random, 4) == 0)
            builder_end_block(capture->builder);
        if (random_below(random, 20) == 0 && depth[track] != 0 &&
            written[track] == capture->tracks[track].event_count) {
            last_ticks[track] += random_below(random, 9) * capture->setup.clock.step;
            builder_still_open(capture->builder, id, last_ticks[track]);
        }
    }
}

static void write_frames(struct random_capture *capture, struct random *random)
{
    uint32_t count = random_below(random, 40);
    uint64_t tick = some_tick(capture, random, 2000);
    if (random_below(random, 8) == 0)
        return;
    builder_domain(capture->builder, 5, "render");
    builder_domain(capture->builder, 2, "main");
    for (uint64_t number = 0; number < count; number++) {
        builder_frame(capture->builder, 5, number, tick);
        capture->last_mark_ns = ns_of(capture, tick);
        capture->other_frames[capture->other_frame_count++] =
            (struct trace_frame){.begin_ns = ns_of(capture, tick), .number = number};
        tick += random_below(random, 400) * capture->setup.clock.step;
        if (random_below(random, 6) == 0)
            continue;
        /* Some in turns, and of some it is not known. */
        builder_frame_on(capture->builder,
                         number % 5 == 4 ? 0
                                         : 1 + (uint32_t)(number / 6) % capture->view.track_count,
                         2, number, tick);
        capture->frames[capture->view.frame_count++] =
            (struct trace_frame){.begin_ns = ns_of(capture, tick), .number = number};
        capture->last_mark_ns = ns_of(capture, tick);
    }
}

static void write_losses(struct random_capture *capture, struct random *random)
{
    uint32_t count = random_below(random, 2) == 0 ? 0 : random_below(random, 5);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t first = some_tick(capture, random, 6000);
        uint64_t last = first + random_below(random, 300) * capture->setup.clock.step;
        uint32_t track =
            random_below(random, 6) == 0 ? 0 : 1 + random_below(random, capture->view.track_count);
        struct lcap_loss loss = {
            .track = track, .cause = 1, .first_tick = first, .last_tick = last};
        uint32_t what = random_below(random, 4);
        loss.counts.scopes = what < 2;
        loss.counts.instants = what == 2;
        loss.counts.frames = what != 0;
        builder_loss(capture->builder, &loss);
        capture->losses[capture->view.loss_count++] = (struct reference_loss){
            .begin_ns = ns_of(capture, first),
            .end_ns = ns_of(capture, last),
            .track = track,
            .has_scopes = loss.counts.scopes != 0,
            .has_frames_only = loss.counts.scopes == 0 && loss.counts.instants == 0};
    }
}

static void write_track(struct random_capture *capture, uint32_t track, uint64_t end_tick)
{
    builder_track(capture->builder,
                  &(struct lcap_track){.os_id = 7,
                                       .begin_tick = capture->setup.start_tick,
                                       .end_tick = end_tick,
                                       .track = capture->tracks[track].id,
                                       .kind = LCAP_TRACK_THREAD},
                  "thread");
}

/* Ends some threads and the recording, and says what is known of their ends. */
static void write_ends(struct random_capture *capture, struct random *random,
                       const uint64_t *last_ticks)
{
    uint64_t last_tick = capture->setup.start_tick;
    bool has_ended[BUILDER_MAX_TRACKS] = {false};
    for (uint32_t i = 0; i < capture->view.track_count; i++) {
        uint64_t end_tick = last_ticks[i] + random_below(random, 500) * capture->setup.clock.step;
        last_tick = last_ticks[i] > last_tick ? last_ticks[i] : last_tick;
        has_ended[i] = random_below(random, 3) == 0 && end_tick != 0;
        if (has_ended[i]) {
            write_track(capture, i, end_tick);
            capture->tracks[i].end_ns = ns_of(capture, end_tick);
            last_tick = end_tick > last_tick ? end_tick : last_tick;
        }
    }
    capture->end_ns = ns_of(capture, last_tick);
    if (capture->last_mark_ns > capture->end_ns)
        capture->end_ns = capture->last_mark_ns;
    if (capture->is_finished) {
        last_tick += random_below(random, 1000) * capture->setup.clock.step;
        capture->end_ns = ns_of(capture, last_tick);
        builder_stop(capture->builder, last_tick);
        builder_finish(capture->builder);
    }
    for (uint32_t i = 0; i < capture->view.track_count; i++) {
        if (!has_ended[i])
            capture->tracks[i].end_ns = capture->end_ns;
        capture->tracks[i].open_until_ns =
            capture->is_finished ? capture->tracks[i].end_ns : ns_of(capture, last_ticks[i]);
    }
}

void random_capture_create(struct random_capture *capture, uint64_t seed, bool has_plain_clock)
{
    struct random random = {seed};
    uint64_t last_ticks[BUILDER_MAX_TRACKS] = {0};
    *capture = (struct random_capture){.is_finished = random_below(&random, 3) != 0};
    capture->setup.site_count = RANDOM_SITES;
    capture->setup.max_events = 256;
    choose_clock(capture, &random, has_plain_clock);
    capture->builder = builder_create(&capture->setup);
    struct reference_view *view = &capture->view;
    view->tracks = capture->tracks;
    view->frames = capture->frames;
    view->losses = capture->losses;
    view->track_count = 1 + random_below(&random, 6);
    for (uint32_t i = 0; i < view->track_count; i++) {
        struct reference_track *track = &capture->tracks[i];
        track->id = i + 1;
        track->event_count = 1 + random_below(&random, random_below(&random, 4) == 0 ? 300 : 90);
        capture->events[i] = calloc(track->event_count, sizeof *capture->events[i]);
        ck_assert_ptr_nonnull(capture->events[i]);
        generate_events(capture, &random, i, capture->events[i]);
        track->events = capture->events[i];
        if (random_below(&random, 5) != 0) /* a reader manages without */
            write_track(capture, i, 0);
    }
    if (random_below(&random, 2) == 0)
        write_frames(capture, &random);
    write_events(capture, &random, capture->events, last_ticks);
    if (view->frame_count == 0)
        write_frames(capture, &random);
    write_losses(capture, &random);
    write_ends(capture, &random, last_ticks);
    for (uint32_t i = 0; i < view->track_count; i++)
        for (uint32_t n = 0; n < capture->tracks[i].event_count; n++)
            capture->events[i][n].tick = (uint64_t)ns_of(capture, capture->events[i][n].tick);
    reference_find_slices(view);
}

void random_capture_destroy(struct random_capture *capture)
{
    for (uint32_t i = 0; i < capture->view.track_count; i++)
        free(capture->events[i]);
    free(capture->view.slices);
    builder_destroy(capture->builder);
}
