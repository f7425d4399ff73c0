/* Records of every kind come back as they were written. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lcap_chain.h"
#include "lcap_decode.h"
#include "lcap_encode.h"

#define BYTES(literal) ((struct lcap_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})
#define NO_BYTES       ((struct lcap_bytes){NULL, 0})

static struct lcap_encoder *encoder;
static struct lcap_chain chain;
static struct lcap_reader *reader;
static struct lcap_bytes file;
static uint8_t file_bytes[1 << 18];

static void set_up(void)
{
    const struct lcap_encoder_config config = {
        .max_site = 10, .max_events = 256, .compression_level = 1};
    ck_assert_int_eq(lcap_encoder_create(&config, &encoder), LUDUS_OK);
    struct lcap_bytes header = lcap_chain_start(&chain, 1);
    memcpy(file_bytes, header.data, header.size);
    file = (struct lcap_bytes){file_bytes, header.size};
    reader = NULL;
}

static void tear_down(void)
{
    lcap_reader_close(reader);
    lcap_encoder_destroy(encoder);
}

static void start_over(void)
{
    tear_down();
    set_up();
}

/* Puts a block that was just made into the file, and reads it. */
static struct lcap_block read_back(enum ludus_status status, struct lcap_bytes made)
{
    struct lcap_item item;
    ck_assert_int_eq(status, LUDUS_OK);
    lcap_chain_add_made(&chain, encoder);
    memcpy(file_bytes + file.size, made.data, made.size);
    file.size += made.size;
    lcap_reader_close(reader);
    ck_assert_int_eq(lcap_reader_open(lcap_source_from_memory(&file), &reader, NULL), LUDUS_OK);
    ck_assert_int_eq(lcap_reader_next(reader, true, &item), LUDUS_OK);
    ck_assert_int_eq(item.kind, LCAP_ITEM_BLOCK);
    return item.block;
}

static void expect_bytes(struct lcap_bytes found, struct lcap_bytes expected)
{
    ck_assert_uint_eq(found.size, expected.size);
    ck_assert(found.size == 0 || memcmp(found.data, expected.data, found.size) == 0);
}

START_TEST(a_session_and_its_facts_come_back)
{
    const struct lcap_session session = {UINT64_MAX, INT64_MIN, 7, UINT32_MAX, 2};
    const struct lcap_fact facts[] = {{BYTES("a\0b"), BYTES("\xFF")}, {BYTES("c"), NO_BYTES}};
    struct lcap_session found;
    struct lcap_fact fact;
    struct lcap_bytes made;
    struct lcap_block block =
        read_back(lcap_encode_session(encoder, &session, facts, 2, &made), made);
    ck_assert_int_eq(lcap_read_session(&block, &found), LCAP_DAMAGE_NONE);
    ck_assert_uint_eq(found.start_tick, UINT64_MAX);
    ck_assert_int_eq(found.start_unix_ns, INT64_MIN);
    ck_assert_uint_eq(found.clock, 7);
    ck_assert_uint_eq(found.process_id, UINT32_MAX);
    ck_assert_uint_eq(found.sources, 2);
    struct lcap_records records = lcap_records_of(&block);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(lcap_next_fact(&records, &fact));
        expect_bytes(fact.key, facts[i].key);
        expect_bytes(fact.value, facts[i].value);
    }
    ck_assert(!lcap_next_fact(&records, &fact));
}
END_TEST

START_TEST(a_clock_comes_back)
{
    const struct lcap_clock clock = {.ticks_per_second = UINT64_MAX,
                                     .step = UINT64_MAX,
                                     .offset = UINT64_MAX - 1,
                                     .clock = UINT32_MAX,
                                     .source = LCAP_CLOCK_GENERIC_TIMER};
    struct lcap_clock found;
    struct lcap_bytes made, reason;
    struct lcap_block block =
        read_back(lcap_encode_clock(encoder, &clock, BYTES("because"), &made), made);
    ck_assert_int_eq(lcap_read_clock(&block, &found, &reason), LCAP_DAMAGE_NONE);
    ck_assert_uint_eq(found.ticks_per_second, UINT64_MAX);
    ck_assert_uint_eq(found.step, UINT64_MAX);
    ck_assert_uint_eq(found.offset, UINT64_MAX - 1);
    ck_assert_uint_eq(found.clock, UINT32_MAX);
    ck_assert_uint_eq(found.source, LCAP_CLOCK_GENERIC_TIMER);
    expect_bytes(reason, BYTES("because"));
}
END_TEST

START_TEST(calibrations_come_back_with_the_clock_of_their_block)
{
    const struct lcap_calibration calibrations[] = {
        {.tick = 0, .ns = INT64_MIN, .uncertainty_ns = UINT32_MAX},
        {.tick = UINT64_MAX, .ns = INT64_MAX}};
    struct lcap_calibration found;
    struct lcap_bytes made;
    struct lcap_block block =
        read_back(lcap_encode_calibrations(encoder, 9, calibrations, 2, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    for (size_t i = 0; i < 2; i++) {
        ck_assert(lcap_next_calibration(&records, &found));
        ck_assert_uint_eq(found.tick, calibrations[i].tick);
        ck_assert_int_eq(found.ns, calibrations[i].ns);
        ck_assert_uint_eq(found.uncertainty_ns, calibrations[i].uncertainty_ns);
        ck_assert_uint_eq(found.clock, 9);
    }
    ck_assert(!lcap_next_calibration(&records, &found));
}
END_TEST

START_TEST(strings_come_back_as_many_as_fit_in_a_block)
{
    static uint8_t text[LCAP_ENCODE_MAX_STRING];
    const struct lcap_bytes longest = {text, sizeof text};
    struct lcap_string strings[6] = {{NO_BYTES, 1}};
    struct lcap_string found;
    struct lcap_bytes made;
    size_t done = 0, blocks = 0, taken;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i * i >> 3);
    for (uint32_t i = 1; i < 6; i++)
        strings[i] = (struct lcap_string){longest, i + 1};
    for (; done < 6; done += taken, blocks++) {
        start_over();
        struct lcap_block block =
            read_back(lcap_encode_strings(encoder, strings + done, 6 - done, &taken, &made), made);
        struct lcap_records records = lcap_records_of(&block);
        ck_assert_uint_ne(taken, 0);
        for (size_t i = 0; i < taken; i++) {
            ck_assert(lcap_next_string(&records, &found));
            ck_assert_uint_eq(found.string, strings[done + i].string);
            expect_bytes(found.bytes, strings[done + i].bytes);
        }
        ck_assert(!lcap_next_string(&records, &found));
    }
    ck_assert_uint_gt(blocks, 1);
}
END_TEST

START_TEST(definitions_come_back)
{
    const struct lcap_category category = {1, 2, 0xFFFFFF, 1};
    const struct lcap_site site = {1, 2, 3, 4, UINT32_MAX, 6};
    const struct lcap_domain domain = {UINT32_MAX, 5};
    const struct lcap_track track = {.os_id = UINT64_MAX,
                                     .begin_tick = 2,
                                     .end_tick = 3,
                                     .track = 4,
                                     .kind = LCAP_TRACK_FIBER,
                                     .name = 6,
                                     .clock = 8};
    struct lcap_category found_category;
    struct lcap_site found_site;
    struct lcap_domain found_domain;
    struct lcap_track found_track;
    struct lcap_bytes made;

    struct lcap_block block = read_back(lcap_encode_categories(encoder, &category, 1, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    ck_assert(lcap_next_category(&records, &found_category));
    ck_assert_mem_eq(&found_category, &category, sizeof category);

    start_over();
    block = read_back(lcap_encode_sites(encoder, &site, 1, &made), made);
    records = lcap_records_of(&block);
    ck_assert(lcap_next_site(&records, &found_site));
    ck_assert_mem_eq(&found_site, &site, sizeof site);

    start_over();
    block = read_back(lcap_encode_domains(encoder, &domain, 1, &made), made);
    records = lcap_records_of(&block);
    ck_assert(lcap_next_domain(&records, &found_domain));
    ck_assert_mem_eq(&found_domain, &domain, sizeof domain);

    start_over();
    block = read_back(lcap_encode_tracks(encoder, 8, &track, 1, &made), made);
    records = lcap_records_of(&block);
    ck_assert(lcap_next_track(&records, &found_track));
    ck_assert_mem_eq(&found_track, &track, sizeof track);
}
END_TEST

START_TEST(samples_of_the_scheduler_come_back)
{
    const struct lcap_sched samples[] = {{1, 2, UINT64_MAX, 4, 5, 1, 8},
                                         {3, UINT64_MAX, 6, UINT64_MAX, 0, UINT32_MAX, 8}};
    struct lcap_bytes made;
    struct lcap_block block = read_back(lcap_encode_sched(encoder, 8, samples, 2, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    for (int i = 0; i < 2; i++) {
        struct lcap_sched found;
        ck_assert(lcap_next_sched(&records, &found));
        ck_assert_uint_eq(found.from_tick, samples[i].from_tick);
        ck_assert_uint_eq(found.to_tick, samples[i].to_tick);
        ck_assert_uint_eq(found.run_ns, samples[i].run_ns);
        ck_assert_uint_eq(found.wait_ns, samples[i].wait_ns);
        ck_assert_uint_eq(found.track, samples[i].track);
        ck_assert_uint_eq(found.processors, samples[i].processors);
        ck_assert_uint_eq(found.clock, 8);
    }
}
END_TEST

START_TEST(marks_losses_diagnostics_and_the_end_come_back)
{
    const struct lcap_frame_mark mark = {UINT64_MAX, 2, 3, 4, 8};
    const struct lcap_loss loss = {{1, 2, UINT64_MAX, 9, 10}, 4, 4, 6, 7, 8};
    const struct lcap_diagnostic diagnostic = {1, UINT64_MAX, BYTES("text"), 99, 4, 8};
    const struct lcap_end end = {
        1, {2, 3, 4, 11, 12}, {5, 6, UINT64_MAX, 13, 14}, 8, LCAP_END_WRITE_FAILED};
    struct lcap_frame_mark found_mark;
    struct lcap_loss found_loss;
    struct lcap_diagnostic found_diagnostic;
    struct lcap_end found_end;
    struct lcap_bytes made;

    struct lcap_block block = read_back(lcap_encode_frames(encoder, 8, &mark, 1, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    ck_assert(lcap_next_frame_mark(&records, &found_mark));
    ck_assert_uint_eq(found_mark.ordinal, UINT64_MAX);
    ck_assert_uint_eq(found_mark.tick, 2);
    ck_assert_uint_eq(found_mark.domain, 3);
    ck_assert_uint_eq(found_mark.track, 4);
    ck_assert_uint_eq(found_mark.clock, 8);

    start_over();
    block = read_back(lcap_encode_losses(encoder, 8, &loss, 1, &made), made);
    records = lcap_records_of(&block);
    ck_assert(lcap_next_loss(&records, &found_loss));
    ck_assert_uint_eq(found_loss.counts.scopes, 1);
    ck_assert_uint_eq(found_loss.counts.instants, 2);
    ck_assert_uint_eq(found_loss.counts.frames, UINT64_MAX);
    ck_assert_uint_eq(found_loss.counts.flows, 9);
    ck_assert_uint_eq(found_loss.counts.gauges, 10);
    ck_assert_uint_eq(found_loss.first_tick, 4);
    ck_assert_uint_eq(found_loss.last_tick, 4);
    ck_assert_uint_eq(found_loss.track, 6);
    ck_assert_uint_eq(found_loss.cause, 7);
    ck_assert_uint_eq(found_loss.clock, 8);

    start_over();
    block = read_back(lcap_encode_diagnostic(encoder, 8, &diagnostic, &made), made);
    records = lcap_records_of(&block);
    ck_assert(lcap_next_diagnostic(&records, &found_diagnostic));
    ck_assert_uint_eq(found_diagnostic.tick, 1);
    ck_assert_uint_eq(found_diagnostic.count, UINT64_MAX);
    expect_bytes(found_diagnostic.text, diagnostic.text);
    ck_assert_uint_eq(found_diagnostic.code, 99);
    ck_assert_uint_eq(found_diagnostic.track, 4);
    ck_assert_uint_eq(found_diagnostic.clock, 8);

    start_over();
    block = read_back(lcap_encode_end(encoder, &end, &made), made);
    ck_assert_int_eq(lcap_read_end(&block, &found_end), LCAP_DAMAGE_NONE);
    ck_assert_mem_eq(&found_end, &end, sizeof end);
}
END_TEST

START_TEST(a_window_and_its_triggers_come_back)
{
    const struct lcap_window window = {UINT64_MAX, 7};
    const struct lcap_trigger triggers[] = {
        {1, 2, UINT64_MAX, 3, BYTES("why\0"), LCAP_TRIGGER_CALL, UINT32_MAX, 8},
        {UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, NO_BYTES, UINT32_MAX, 0, 8}};
    const struct lcap_end end = {.stop_tick = 9, .clock = 8, .reason = LCAP_END_WINDOW_OVER};
    struct lcap_window found_window;
    struct lcap_end found_end;
    struct lcap_bytes made;
    struct lcap_block block = read_back(lcap_encode_window(encoder, &window, &made), made);
    ck_assert_int_eq(lcap_read_window(&block, &found_window), LCAP_DAMAGE_NONE);
    ck_assert_uint_eq(found_window.from_tick, UINT64_MAX);
    ck_assert_uint_eq(found_window.clock, 7);

    for (int i = 0; i < 2; i++) {
        const struct lcap_trigger *trigger = &triggers[i];
        struct lcap_trigger found;
        start_over();
        block = read_back(lcap_encode_trigger(encoder, 8, trigger, &made), made);
        struct lcap_records records = lcap_records_of(&block);
        ck_assert(lcap_next_trigger(&records, &found));
        ck_assert_uint_eq(found.tick, trigger->tick);
        ck_assert_uint_eq(found.ordinal, trigger->ordinal);
        ck_assert_uint_eq(found.duration_ticks, trigger->duration_ticks);
        ck_assert_uint_eq(found.limit_ticks, trigger->limit_ticks);
        expect_bytes(found.text, trigger->text);
        ck_assert_uint_eq(found.cause, trigger->cause);
        ck_assert_uint_eq(found.domain, trigger->domain);
        ck_assert_uint_eq(found.clock, 8);
        ck_assert(!lcap_next_trigger(&records, &found));
    }

    start_over();
    block = read_back(lcap_encode_end(encoder, &end, &made), made);
    ck_assert_int_eq(lcap_read_end(&block, &found_end), LCAP_DAMAGE_NONE);
    ck_assert_uint_eq(found_end.reason, LCAP_END_WINDOW_OVER);
}
END_TEST

START_TEST(a_repair_and_what_was_lost_come_back)
{
    const struct lcap_repair repair = {.capture_id = UINT64_MAX,
                                       .places = 1,
                                       .bytes = UINT64_MAX - 2,
                                       .tail_bytes = 3,
                                       .is_not_finished = true};
    const struct lcap_lost lost[] = {{UINT64_MAX, INT64_MIN, INT64_MAX, UINT32_MAX},
                                     {0, -3, -3, 0}};
    struct lcap_repair found_repair;
    struct lcap_lost found;
    struct lcap_bytes made;
    struct lcap_block block = read_back(lcap_encode_repair(encoder, &repair, &made), made);
    ck_assert_int_eq(lcap_read_repair(&block, &found_repair), LCAP_DAMAGE_NONE);
    ck_assert_uint_eq(found_repair.capture_id, repair.capture_id);
    ck_assert_uint_eq(found_repair.places, repair.places);
    ck_assert_uint_eq(found_repair.bytes, repair.bytes);
    ck_assert_uint_eq(found_repair.tail_bytes, repair.tail_bytes);
    ck_assert(found_repair.is_not_finished);

    start_over();
    block = read_back(lcap_encode_lost(encoder, lost, 2, &made), made);
    struct lcap_records records = lcap_records_of(&block);
    for (int i = 0; i < 2; i++) {
        ck_assert(lcap_next_lost(&records, &found));
        ck_assert_uint_eq(found.track, lost[i].track);
        ck_assert_uint_eq(found.events, lost[i].events);
        ck_assert_int_eq(found.begin_ns, lost[i].begin_ns);
        ck_assert_int_eq(found.end_ns, lost[i].end_ns);
    }
    ck_assert(!lcap_next_lost(&records, &found));

    const struct lcap_lost backwards = {1, 5, 4, 1};
    ck_assert_int_eq(lcap_encode_lost(encoder, &backwards, 1, &made), LUDUS_ERROR_ARGUMENT);
}
END_TEST

START_TEST(the_index_tells_where_every_block_is)
{
    const struct lcap_domain domain = {1, 2};
    struct lcap_index_entry entry;
    struct lcap_bytes made;
    uint64_t previous = 1;
    size_t offset = file.size;
    (void)read_back(lcap_encode_domains(encoder, &domain, 1, &made), made);
    file.size = offset; /* only the index is read back */
    struct lcap_bytes index = lcap_chain_index(&chain, encoder);
    struct lcap_item item;
    memcpy(file_bytes + file.size, index.data, index.size);
    file.size += index.size;
    lcap_reader_close(reader);
    ck_assert_int_eq(lcap_reader_open(lcap_source_from_memory(&file), &reader, NULL), LUDUS_OK);
    ck_assert_int_eq(lcap_reader_next(reader, true, &item), LUDUS_OK);
    ck_assert_int_eq(item.kind, LCAP_ITEM_GAP); /* the block of domains is not there */
    ck_assert_int_eq(lcap_reader_next(reader, true, &item), LUDUS_OK);
    struct lcap_records records = lcap_records_of(&item.block);
    ck_assert_int_eq(lcap_read_index_previous(&item.block, &previous), LCAP_DAMAGE_NONE);
    ck_assert_uint_eq(previous, 0);
    ck_assert(lcap_next_index_entry(&records, &entry));
    ck_assert_uint_eq(entry.offset, offset);
    ck_assert_uint_eq(entry.kind, LCAP_KIND_domains);
    ck_assert_uint_eq(entry.events, 0);
    ck_assert(!lcap_next_index_entry(&records, &entry));
}
END_TEST

START_TEST(a_scope_from_before_a_clocks_first_tick_begins_at_it)
{
    const struct lcap_clock clock = {
        .ticks_per_second = 1000, .step = 10, .offset = 7, .clock = 1, .source = LCAP_CLOCK_TSC};
    struct lcap_open_scope open = {.begin_tick = 3, .children_ticks = 4, .site = 1};
    struct lcap_track_stream track = {.open = &open, .open_capacity = 1, .depth = 1, .track = 1};
    struct lcap_bytes made;
    struct lcap_item item;
    (void)read_back(lcap_encode_clock(encoder, &clock, NO_BYTES, &made), made);
    lcap_events_start(encoder, &clock);
    ck_assert_int_eq(lcap_events_segment(encoder, &track, 0), LUDUS_OK);
    ck_assert_int_eq(lcap_events_add(encoder, LCAP_EVENT_END, 27, 0, 0), LUDUS_OK);
    ck_assert_int_eq(lcap_events_finish(encoder, &made), LUDUS_OK);
    (void)read_back(LUDUS_OK, made);
    ck_assert_int_eq(lcap_reader_next(reader, true, &item), LUDUS_OK);
    ck_assert_int_eq(item.kind, LCAP_ITEM_BLOCK);
    ck_assert_uint_eq(lcap_reader_events(reader)->open[0].begin_tick, 7);
    ck_assert_uint_eq(lcap_reader_events(reader)->ticks[0], 27);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("records");
    TCase *cases = tcase_create("records");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_session_and_its_facts_come_back);
    tcase_add_test(cases, a_clock_comes_back);
    tcase_add_test(cases, calibrations_come_back_with_the_clock_of_their_block);
    tcase_add_test(cases, strings_come_back_as_many_as_fit_in_a_block);
    tcase_add_test(cases, definitions_come_back);
    tcase_add_test(cases, marks_losses_diagnostics_and_the_end_come_back);
    tcase_add_test(cases, samples_of_the_scheduler_come_back);
    tcase_add_test(cases, a_window_and_its_triggers_come_back);
    tcase_add_test(cases, a_repair_and_what_was_lost_come_back);
    tcase_add_test(cases, the_index_tells_where_every_block_is);
    tcase_add_test(cases, a_scope_from_before_a_clocks_first_tick_begins_at_it);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
