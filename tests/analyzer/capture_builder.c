/* Builds captures in memory. */
#include "capture_builder.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct builder_stream {
    struct lcap_track_stream stream;
    struct lcap_open_scope open[BUILDER_MAX_DEPTH];
};

struct capture_builder {
    struct lcap_encoder *encoder;
    struct lcap_chain chain;
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    uint64_t *offsets;
    uint32_t block_count;
    uint32_t block_capacity;
    const struct builder_setup *setup;
    uint32_t next_string;
    uint32_t current_track; /* of the open events block; 0: no segment yet */
    bool is_leaving_out;
    bool is_in_block;
    struct lcap_end totals;
    struct builder_stream tracks[BUILDER_MAX_TRACKS + 1];
};

static void append(struct capture_builder *builder, struct lcap_bytes bytes)
{
    if (bytes.size == 0)
        return;
    if (builder->size + bytes.size > builder->capacity) {
        builder->capacity = 2 * (builder->size + bytes.size);
        builder->bytes = realloc(builder->bytes, builder->capacity);
        ck_assert_ptr_nonnull(builder->bytes);
    }
    memcpy(builder->bytes + builder->size, bytes.data, bytes.size);
    builder->size += bytes.size;
}

static void append_block(struct capture_builder *builder, struct lcap_bytes block)
{
    if (builder->block_count == builder->block_capacity) {
        builder->block_capacity = 2 * builder->block_capacity + 64;
        builder->offsets =
            realloc(builder->offsets, builder->block_capacity * sizeof *builder->offsets);
        ck_assert_ptr_nonnull(builder->offsets);
    }
    builder->offsets[builder->block_count++] = builder->size;
    append(builder, block);
}

/* Every block passes here, so that an index is never late. */
static void put(struct capture_builder *builder, enum ludus_status status, struct lcap_bytes block)
{
    ck_assert_int_eq(status, LUDUS_OK);
    if (block.size == 0)
        return;
    lcap_chain_add_made(&builder->chain, builder->encoder);
    append_block(builder, block);
    if (lcap_chain_index_is_due(&builder->chain))
        append_block(builder, lcap_chain_index(&builder->chain, builder->encoder));
}

static uint32_t put_bytes(struct capture_builder *builder, struct lcap_bytes bytes)
{
    struct lcap_bytes block;
    size_t taken;
    struct lcap_string string = {bytes, builder->next_string};
    enum ludus_status status = lcap_encode_strings(builder->encoder, &string, 1, &taken, &block);
    put(builder, status, block);
    return builder->next_string++;
}

static uint32_t put_string(struct capture_builder *builder, const char *text)
{
    return put_bytes(builder, (struct lcap_bytes){(const uint8_t *)text, strlen(text)});
}

static void put_sites(struct capture_builder *builder)
{
    uint32_t file = put_string(builder, "game.c");
    for (uint32_t site = 1; site <= builder->setup->site_count; site++) {
        char number[32];
        snprintf(number, sizeof number, "site %" PRIu32, site);
        const char *const *names = builder->setup->sites;
        struct lcap_site record = {.site = site, .file = file, .line = site};
        struct lcap_bytes block;
        record.name = put_string(builder, names != NULL ? names[site - 1] : number);
        enum ludus_status status = lcap_encode_sites(builder->encoder, &record, 1, &block);
        put(builder, status, block);
    }
}

static void put_clock(struct capture_builder *builder)
{
    const struct builder_setup *setup = builder->setup;
    struct lcap_bytes block;
    enum ludus_status status =
        lcap_encode_clock(builder->encoder, &setup->clock, (struct lcap_bytes){NULL, 0}, &block);
    put(builder, status, block);
    if (setup->calibration_count == 0)
        return;
    status = lcap_encode_calibrations(builder->encoder, setup->clock.clock, setup->calibrations,
                                      setup->calibration_count, &block);
    put(builder, status, block);
}

struct capture_builder *builder_create(const struct builder_setup *setup)
{
    struct capture_builder *builder = calloc(1, sizeof *builder);
    struct lcap_encoder_config config = {.max_site = setup->site_count + setup->more_sites,
                                         .max_events = setup->max_events != 0 ? setup->max_events
                                                                              : LCAP_MAX_EVENTS,
                                         .compression_level = 1};
    struct lcap_session session = {
        .start_tick = setup->start_tick, .clock = setup->clock.clock, .process_id = 4242};
    struct lcap_bytes block;
    ck_assert_ptr_nonnull(builder);
    builder->setup = setup;
    builder->next_string = 1;
    for (uint32_t track = 1; track <= BUILDER_MAX_TRACKS; track++) {
        struct builder_stream *stream = &builder->tracks[track];
        stream->stream = (struct lcap_track_stream){
            .open = stream->open, .open_capacity = BUILDER_MAX_DEPTH, .track = track};
    }
    ck_assert_int_eq(lcap_encoder_create(&config, &builder->encoder), LUDUS_OK);
    append(builder, lcap_chain_start(&builder->chain, setup->capture_id != 0
                                                          ? setup->capture_id
                                                          : UINT64_C(0xC0FFEE0123456789)));
    enum ludus_status status =
        lcap_encode_session(builder->encoder, &session, setup->facts, setup->fact_count, &block);
    put(builder, status, block);
    put_clock(builder);
    put_sites(builder);
    return builder;
}

void builder_destroy(struct capture_builder *builder)
{
    lcap_encoder_destroy(builder->encoder);
    free(builder->bytes);
    free(builder->offsets);
    free(builder);
}

void builder_end_block(struct capture_builder *builder)
{
    struct lcap_bytes block;
    if (!builder->is_in_block)
        return;
    builder->is_in_block = false;
    builder->current_track = 0;
    enum ludus_status status = lcap_events_finish(builder->encoder, &block);
    if (builder->is_leaving_out)
        ck_assert_int_eq(status, LUDUS_OK);
    else
        put(builder, status, block);
}

void builder_leave_out(struct capture_builder *builder)
{
    builder_end_block(builder);
    builder->is_leaving_out = true;
}

void builder_window(struct capture_builder *builder, uint64_t from_tick)
{
    struct lcap_window window = {.from_tick = from_tick, .clock = builder->setup->clock.clock};
    struct lcap_bytes block;
    builder_end_block(builder);
    builder->is_leaving_out = false;
    enum ludus_status status = lcap_encode_window(builder->encoder, &window, &block);
    put(builder, status, block);
}

void builder_trigger(struct capture_builder *builder, const struct lcap_trigger *trigger)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status =
        lcap_encode_trigger(builder->encoder, builder->setup->clock.clock, trigger, &block);
    put(builder, status, block);
}

void builder_sched(struct capture_builder *builder, const struct lcap_sched *samples, size_t count)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status =
        lcap_encode_sched(builder->encoder, builder->setup->clock.clock, samples, count, &block);
    put(builder, status, block);
}

void builder_gpu_queue(struct capture_builder *builder, const struct lcap_gpu_queue *queue)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    put(builder, lcap_encode_gpu_queue(builder->encoder, queue, &block), block);
}

void builder_gpu_frames(struct capture_builder *builder, const struct lcap_gpu_frame *frames,
                        size_t count)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status = lcap_encode_gpu_frames(builder->encoder, builder->setup->clock.clock,
                                                      frames, count, &block);
    put(builder, status, block);
}

void builder_gpu_passes(struct capture_builder *builder, const struct lcap_gpu_pass *passes,
                        size_t count)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status = lcap_encode_gpu_passes(builder->encoder, builder->setup->clock.clock,
                                                      passes, count, &block);
    put(builder, status, block);
}

void builder_track(struct capture_builder *builder, const struct lcap_track *track,
                   const char *name)
{
    struct lcap_track record = *track;
    struct lcap_bytes block;
    builder_end_block(builder);
    record.name = put_string(builder, name);
    enum ludus_status status =
        lcap_encode_tracks(builder->encoder, builder->setup->clock.clock, &record, 1, &block);
    put(builder, status, block);
}

static void put_category(struct capture_builder *builder, uint32_t category, struct lcap_bytes name,
                         uint32_t flags)
{
    struct lcap_category record = {.category = category, .colour = LCAP_NO_COLOUR, .flags = flags};
    struct lcap_bytes block;
    builder_end_block(builder);
    record.name = put_bytes(builder, name);
    enum ludus_status status = lcap_encode_categories(builder->encoder, &record, 1, &block);
    put(builder, status, block);
}

void builder_category(struct capture_builder *builder, uint32_t category, struct lcap_bytes name)
{
    put_category(builder, category, name, 0);
}

void builder_wait_category(struct capture_builder *builder, uint32_t category)
{
    put_category(builder, category, (struct lcap_bytes){(const uint8_t *)"wait", 4}, 1);
}

void builder_site(struct capture_builder *builder, uint32_t site, struct lcap_bytes name,
                  uint32_t category)
{
    struct lcap_site record = {.site = site, .line = site, .category = category};
    struct lcap_bytes block;
    builder_end_block(builder);
    record.name = put_bytes(builder, name);
    enum ludus_status status = lcap_encode_sites(builder->encoder, &record, 1, &block);
    put(builder, status, block);
}

void builder_domain(struct capture_builder *builder, uint32_t domain, const char *name)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    struct lcap_domain record = {domain, put_string(builder, name)};
    enum ludus_status status = lcap_encode_domains(builder->encoder, &record, 1, &block);
    put(builder, status, block);
}

void builder_frame(struct capture_builder *builder, uint32_t domain, uint64_t ordinal,
                   uint64_t tick)
{
    builder_frame_on(builder, 0, domain, ordinal, tick);
}

void builder_frame_on(struct capture_builder *builder, uint32_t track, uint32_t domain,
                      uint64_t ordinal, uint64_t tick)
{
    struct lcap_frame_mark mark = {
        .ordinal = ordinal, .tick = tick, .domain = domain, .track = track};
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status =
        lcap_encode_frames(builder->encoder, builder->setup->clock.clock, &mark, 1, &block);
    builder->totals.recorded.frames++;
    put(builder, status, block);
}

void builder_loss(struct capture_builder *builder, const struct lcap_loss *loss)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status =
        lcap_encode_losses(builder->encoder, builder->setup->clock.clock, loss, 1, &block);
    builder->totals.dropped.scopes += loss->counts.scopes;
    builder->totals.dropped.instants += loss->counts.instants;
    builder->totals.dropped.frames += loss->counts.frames;
    put(builder, status, block);
}

void builder_calibration(struct capture_builder *builder,
                         const struct lcap_calibration *calibration)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status =
        lcap_encode_calibrations(builder->encoder, calibration->clock, calibration, 1, &block);
    put(builder, status, block);
}

void builder_diagnostic(struct capture_builder *builder, const struct lcap_diagnostic *diagnostic)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    enum ludus_status status =
        lcap_encode_diagnostic(builder->encoder, builder->setup->clock.clock, diagnostic, &block);
    put(builder, status, block);
}

/* Begins a segment of the track, in a new block when there is no room in this one. */
static void select_track(struct capture_builder *builder, uint32_t track, uint64_t tick)
{
    struct lcap_track_stream *stream = &builder->tracks[track].stream;
    if (builder->is_in_block && lcap_events_room(builder->encoder) <= stream->depth)
        builder_end_block(builder);
    if (builder->is_in_block && builder->current_track == track)
        return;
    if (!builder->is_in_block)
        lcap_events_start(builder->encoder, &builder->setup->clock);
    builder->is_in_block = true;
    enum ludus_status status = lcap_events_segment(builder->encoder, stream, tick);
    if (status == LUDUS_ERROR_LIMIT) {
        builder_end_block(builder);
        lcap_events_start(builder->encoder, &builder->setup->clock);
        builder->is_in_block = true;
        status = lcap_events_segment(builder->encoder, stream, tick);
    }
    ck_assert_int_eq(status, LUDUS_OK);
    builder->current_track = track;
}

void builder_value(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                   uint64_t tick, uint32_t site, uint64_t value)
{
    ck_assert(track >= 1 && track <= BUILDER_MAX_TRACKS);
    select_track(builder, track, tick);
    ck_assert_int_eq(lcap_events_add(builder->encoder, kind, tick, site, value), LUDUS_OK);
    builder->totals.recorded.scopes += kind == LCAP_EVENT_BEGIN;
    builder->totals.recorded.instants += kind == LCAP_EVENT_INSTANT;
}

void builder_event(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                   uint64_t tick, uint32_t site)
{
    builder_value(builder, track, kind, tick, site, tick);
}

static uint32_t site_of(const struct capture_builder *builder, const char *name, size_t size)
{
    const char *const *names = builder->setup->sites;
    for (uint32_t i = 0; i < builder->setup->site_count; i++)
        if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0)
            return i + 1;
    ck_abort_msg("no site is named %.*s", (int)size, name);
    return 0;
}

void builder_events(struct capture_builder *builder, uint32_t track, const char *text)
{
    while (*text != '\0') {
        char mark = *text++;
        uint32_t site = 0;
        char *end;
        if (mark == ' ')
            continue;
        ck_assert_msg(mark == '(' || mark == ')' || mark == '!', "not an event: %c%s", mark, text);
        if (mark != ')') {
            size_t size = strcspn(text, " ");
            site = site_of(builder, text, size);
            text += size;
        }
        uint64_t tick = strtoull(text, &end, 10);
        ck_assert_msg(end != text, "no tick: %s", text);
        text = end;
        builder_event(builder, track,
                      mark == '('   ? LCAP_EVENT_BEGIN
                      : mark == ')' ? LCAP_EVENT_END
                                    : LCAP_EVENT_INSTANT,
                      tick, site);
    }
}

void builder_still_open(struct capture_builder *builder, uint32_t track, uint64_t tick)
{
    builder_end_block(builder);
    select_track(builder, track, tick);
    builder_end_block(builder);
}

void builder_open_before(struct capture_builder *builder, uint32_t track, uint32_t site,
                         uint64_t begin_tick, uint64_t children_ticks)
{
    struct lcap_track_stream *stream = &builder->tracks[track].stream;
    ck_assert_uint_lt(stream->depth, BUILDER_MAX_DEPTH);
    stream->open[stream->depth++] = (struct lcap_open_scope){begin_tick, children_ticks, site};
}

void builder_stop(struct capture_builder *builder, uint64_t tick)
{
    struct lcap_bytes block;
    builder_end_block(builder);
    builder->totals.stop_tick = tick;
    builder->totals.clock = builder->setup->clock.clock;
    builder->totals.reason = 1;
    enum ludus_status status = lcap_encode_end(builder->encoder, &builder->totals, &block);
    put(builder, status, block);
}

void builder_finish(struct capture_builder *builder)
{
    builder_end_block(builder);
    append_block(builder, lcap_chain_index(&builder->chain, builder->encoder));
    append(builder, lcap_chain_trailer(&builder->chain));
}

struct lcap_bytes builder_bytes(struct capture_builder *builder)
{
    builder_end_block(builder);
    return (struct lcap_bytes){builder->bytes, builder->size};
}

const uint64_t *builder_offsets(const struct capture_builder *builder, uint32_t *count)
{
    *count = builder->block_count;
    return builder->offsets;
}

enum ludus_status builder_try_open(struct lcap_bytes bytes, struct trace_capture **capture,
                                   struct ludus_error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/ludus-capture-XXXXXX", folder != NULL ? folder : "/tmp");
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    for (size_t done = 0; done < bytes.size;) {
        ssize_t written = write(descriptor, bytes.data + done, bytes.size - done);
        ck_assert_int_gt(written, 0);
        done += (size_t)written;
    }
    close(descriptor);
    enum ludus_status status = trace_capture_open(path, capture, error);
    unlink(path);
    return status;
}

struct trace_capture *builder_open(struct capture_builder *builder)
{
    struct trace_capture *capture = NULL;
    struct ludus_error error = {0};
    enum ludus_status status = builder_try_open(builder_bytes(builder), &capture, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    return capture;
}
