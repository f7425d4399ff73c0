/* What goes into an encoder comes out of the decoder: events of all kinds, of many tracks, over
 * many blocks, with the scopes that are open where each segment starts. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_chain.h"
#include "lcap_decode.h"
#include "lcap_encode.h"
#include "random_stream.h"

#define TRACKS     5
#define MAX_DEPTH  300
#define ALL_KINDS  0xFFu
#define BUFFER_MAX (64u << 20)

/* A file in memory. */
struct file {
    uint8_t *bytes;
    size_t size;
};

static void append(struct file *file, struct lcap_bytes bytes)
{
    ck_assert_uint_le(file->size + bytes.size, BUFFER_MAX);
    if (bytes.size != 0)
        memcpy(file->bytes + file->size, bytes.data, bytes.size);
    file->size += bytes.size;
}

struct world {
    struct stream_event *events[TRACKS];
    uint32_t written[TRACKS];
    uint32_t counts[TRACKS];
    struct lcap_track_stream streams[TRACKS];
    struct lcap_open_scope open[TRACKS][MAX_DEPTH];
    struct lcap_clock clock;
};

static void make_world(struct world *world, struct random *random, struct stream_shape shape)
{
    *world = (struct world){.clock = {.ticks_per_second = 1000000000,
                                      .step = shape.step,
                                      .offset = shape.first_tick % shape.step,
                                      .clock = 7,
                                      .source = LCAP_CLOCK_TSC}};
    for (uint32_t i = 0; i < TRACKS; i++) {
        world->counts[i] = i == 3 ? 1 : shape.events / (i + 1);
        shape.max_depth = i == 4 ? 1 : shape.max_depth;
        struct stream_shape own = shape;
        own.events = world->counts[i];
        world->events[i] = calloc(own.events, sizeof *world->events[i]);
        stream_generate(random, &own, world->events[i]);
        world->streams[i] = (struct lcap_track_stream){
            .open = world->open[i], .open_capacity = MAX_DEPTH, .track = 100 + i};
    }
}

static void add_some(struct lcap_encoder *encoder, struct world *world, uint32_t track,
                     uint32_t count)
{
    for (uint32_t n = 0; n < count && world->written[track] < world->counts[track]; n++) {
        const struct stream_event *event = &world->events[track][world->written[track]];
        if (lcap_events_room(encoder) == 0)
            return;
        ck_assert_int_eq(lcap_events_add(encoder, (enum lcap_event_kind)event->kind, event->tick,
                                         event->site, event->value),
                         LUDUS_OK);
        world->written[track]++;
    }
}

static bool is_all_written(const struct world *world)
{
    for (uint32_t i = 0; i < TRACKS; i++)
        if (world->written[i] != world->counts[i])
            return false;
    return true;
}

static void write_file(struct file *file, struct world *world, struct random *random,
                       uint32_t max_events)
{
    struct lcap_encoder *encoder;
    struct lcap_encoder_config config = {
        .max_site = 4000, .max_events = max_events, .compression_level = 1};
    struct lcap_bytes block;
    static struct lcap_chain chain;
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    append(file, lcap_chain_start(&chain, UINT64_C(0x0123456789ABCDEF)));
    ck_assert_int_eq(
        lcap_encode_clock(encoder, &world->clock, (struct lcap_bytes){NULL, 0}, &block), LUDUS_OK);
    lcap_chain_add_made(&chain, encoder);
    append(file, block);
    while (!is_all_written(world)) {
        lcap_events_start(encoder, &world->clock);
        for (uint32_t segments = 1 + random_below(random, 8); segments != 0; segments--) {
            uint32_t track = random_below(random, TRACKS);
            if (lcap_events_segment(encoder, &world->streams[track], 0) != LUDUS_OK)
                break;
            add_some(encoder, world, track, 1 + random_below(random, 3000));
        }
        ck_assert_int_eq(lcap_events_finish(encoder, &block), LUDUS_OK);
        if (block.size == 0)
            continue;
        lcap_chain_add_made(&chain, encoder);
        append(file, block);
        if (lcap_chain_index_is_due(&chain))
            append(file, lcap_chain_index(&chain, encoder));
    }
    append(file, lcap_chain_index(&chain, encoder));
    append(file, lcap_chain_trailer(&chain));
    lcap_encoder_destroy(encoder);
}

/* What a reader knows of a track. */
struct reference {
    struct lcap_open_scope open[MAX_DEPTH];
    uint32_t depth;
    uint32_t read;
};

static void check_open(const struct lcap_events *events, const struct lcap_segment *segment,
                       const struct reference *reference)
{
    ck_assert_uint_eq(segment->open_count, reference->depth);
    for (uint32_t level = 0; level < reference->depth; level++) {
        const struct lcap_open_scope *open = &events->open[segment->first_open + level];
        ck_assert_uint_eq(open->site, reference->open[level].site);
        ck_assert_uint_eq(open->begin_tick, reference->open[level].begin_tick);
        ck_assert_uint_eq(open->children_ticks, reference->open[level].children_ticks);
    }
}

static void check_events(const struct world *world, const struct lcap_events *events,
                         struct reference *references)
{
    const uint64_t *value = events->values;
    for (uint32_t i = 0; i < events->header.segment_count; i++) {
        const struct lcap_segment *segment = &events->segments[i];
        uint32_t track = segment->track - 100;
        struct reference *reference = &references[track];
        ck_assert_uint_eq(segment->events_before, reference->read);
        check_open(events, segment, reference);
        for (uint32_t n = 0; n < segment->event_count; n++) {
            const struct stream_event *expected = &world->events[track][reference->read++];
            uint32_t index = segment->first_event + n;
            const struct lcap_symbol *symbol = &events->table[events->symbols[index]];
            ck_assert_uint_eq(symbol->kind, expected->kind);
            ck_assert_uint_eq(symbol->site, expected->site);
            ck_assert_uint_eq(events->ticks[index], expected->tick);
            if (lcap_event_has_value(symbol->kind))
                ck_assert_uint_eq(*value++, expected->value);
            if (symbol->kind == LCAP_EVENT_BEGIN) {
                reference->open[reference->depth++] =
                    (struct lcap_open_scope){.begin_tick = expected->tick, .site = expected->site};
            } else if (symbol->kind == LCAP_EVENT_END && --reference->depth != 0) {
                reference->open[reference->depth - 1].children_ticks +=
                    expected->tick - reference->open[reference->depth].begin_tick;
            }
        }
    }
}

static void read_file(const struct file *file, const struct world *world)
{
    struct lcap_bytes bytes = {file->bytes, file->size};
    struct lcap_reader *reader;
    struct ludus_error error;
    struct reference *references = calloc(TRACKS, sizeof *references);
    ck_assert_int_eq(lcap_reader_open(lcap_source_from_memory(&bytes), &reader, &error), LUDUS_OK);
    ck_assert_uint_eq(lcap_reader_capture_id(reader), UINT64_C(0x0123456789ABCDEF));
    struct lcap_item item;
    uint32_t finished = 0;
    while (lcap_reader_next(reader, true, &item) == LUDUS_OK) {
        if (item.kind == LCAP_ITEM_FINISHED)
            finished++;
        else
            ck_assert_msg(item.kind == LCAP_ITEM_BLOCK, "item %d at %llu: %s", (int)item.kind,
                          (unsigned long long)item.offset, lcap_damage_name(item.reason));
        if (lcap_reader_events(reader) != NULL)
            check_events(world, lcap_reader_events(reader), references);
    }
    ck_assert_uint_eq(finished, 1);
    for (uint32_t i = 0; i < TRACKS; i++)
        ck_assert_uint_eq(references[i].read, world->counts[i]);
    free(references);
    lcap_reader_close(reader);
}

static void round_trip(uint64_t seed, struct stream_shape shape, uint32_t max_events)
{
    struct random random = {seed};
    struct world *world = malloc(sizeof *world);
    struct file file = {malloc(BUFFER_MAX), 0};
    make_world(world, &random, shape);
    write_file(&file, world, &random, max_events);
    read_file(&file, world);
    for (uint32_t i = 0; i < TRACKS; i++)
        free(world->events[i]);
    free(world);
    free(file.bytes);
}

START_TEST(scopes_of_many_tracks_come_back)
{
    round_trip(1,
               (struct stream_shape){.events = 200000 / TEST_SHARE,
                                     .sites = 60,
                                     .max_depth = 12,
                                     .step = 1,
                                     .first_tick = 1000,
                                     .max_shift = 16},
               65536);
}
END_TEST

START_TEST(every_kind_of_event_comes_back)
{
    round_trip(2,
               (struct stream_shape){.events = 50000 / TEST_SHARE,
                                     .sites = 40,
                                     .max_depth = 30,
                                     .step = 1,
                                     .first_tick = 0,
                                     .kinds = ALL_KINDS,
                                     .max_shift = 12},
               4096);
}
END_TEST

START_TEST(thousands_of_sites_need_two_bytes_a_symbol)
{
    round_trip(3,
               (struct stream_shape){.events = 60000 / TEST_SHARE,
                                     .sites = 4000,
                                     .max_depth = 40,
                                     .step = 1,
                                     .first_tick = 5,
                                     .kinds = ALL_KINDS,
                                     .max_shift = 20},
               65536);
}
END_TEST

START_TEST(ticks_on_a_grid_of_21_come_back)
{
    round_trip(4,
               (struct stream_shape){.events = 60000 / TEST_SHARE,
                                     .sites = 30,
                                     .max_depth = 20,
                                     .step = 21,
                                     .first_tick = 21 * 40 + 13,
                                     .max_shift = 14},
               16384);
}
END_TEST

START_TEST(uptimes_of_weeks_and_long_pauses_come_back)
{
    /* Times near 2^62, differences up to 2^40. */
    round_trip(5,
               (struct stream_shape){.events = 60000 / TEST_SHARE,
                                     .sites = 30,
                                     .max_depth = 280,
                                     .step = 1,
                                     .first_tick = UINT64_C(1) << 62,
                                     .max_shift = 40},
               1024);
}
END_TEST

static struct lcap_encoder *new_encoder(void)
{
    struct lcap_encoder *encoder;
    struct lcap_encoder_config config = {.max_site = 10, .max_events = 256, .compression_level = 1};
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    return encoder;
}

START_TEST(the_encoder_refuses_what_the_format_forbids)
{
    struct lcap_clock clock = {
        .ticks_per_second = 1000, .step = 10, .offset = 3, .clock = 1, .source = LCAP_CLOCK_TSC};
    struct lcap_open_scope open[2];
    struct lcap_track_stream track = {.open = open, .open_capacity = 2, .track = 1};
    struct lcap_encoder *encoder = new_encoder();
    lcap_events_start(encoder, &clock);
    ck_assert_int_eq(lcap_events_segment(encoder, &track, 3), LUDUS_OK);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_END, 13, 0, 0), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 14, 1, 0), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 13, 0, 0), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 13, 11, 0), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 23, 1, 0), LUDUS_OK);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 13, 1, 0), LUDUS_ERROR_ARGUMENT);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 23, 1, 0), LUDUS_OK);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_BEGIN, 23, 1, 0), LUDUS_ERROR_LIMIT);
    lcap_encoder_destroy(encoder);
}
END_TEST

START_TEST(a_full_block_says_so)
{
    struct lcap_clock clock = {
        .ticks_per_second = 1000000000, .step = 1, .clock = 1, .source = LCAP_CLOCK_MONOTONIC};
    struct lcap_track_stream track = {.track = 1};
    struct lcap_encoder *encoder = new_encoder();
    lcap_events_start(encoder, &clock);
    ck_assert_int_eq(lcap_events_segment(encoder, &track, 0), LUDUS_OK);
    for (uint32_t i = 0; i < 256; i++) {
        ck_assert_uint_eq(lcap_events_room(encoder), 256 - i);
        ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_INSTANT, i, 1, 0), LUDUS_OK);
    }
    ck_assert_uint_eq(lcap_events_room(encoder), 0);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_INSTANT, 300, 1, 0), LUDUS_ERROR_LIMIT);
    ck_assert_int_eq(lcap_events_segment(encoder, &track, 0), LUDUS_ERROR_LIMIT);
    lcap_encoder_destroy(encoder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events round trip");
    TCase *cases = tcase_create("round trip");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, scopes_of_many_tracks_come_back);
    tcase_add_test(cases, every_kind_of_event_comes_back);
    tcase_add_test(cases, thousands_of_sites_need_two_bytes_a_symbol);
    tcase_add_test(cases, ticks_on_a_grid_of_21_come_back);
    tcase_add_test(cases, uptimes_of_weeks_and_long_pauses_come_back);
    tcase_add_test(cases, the_encoder_refuses_what_the_format_forbids);
    tcase_add_test(cases, a_full_block_says_so);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
