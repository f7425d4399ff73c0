/* Reads a whole capture into memory for the tests. */
#include "capture_summary.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For what is checked millions of times: each ck_assert writes a message to a file. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("not true: %s", #condition);                                              \
    } while (0)

static void *grow(void *array, size_t count, size_t size)
{
    /* Powers of two from 16 on. */
    if (count != 0 && (count < 16 || (count & (count - 1)) != 0))
        return array;
    void *wide = realloc(array, (count == 0 ? 16 : count * 2) * size);
    EXPECT(wide != NULL);
    return wide;
}

#define APPEND(array, count, value)                                                                \
    do {                                                                                           \
        (array) = grow((array), (count), sizeof *(array));                                         \
        (array)[(count)++] = (value);                                                              \
    } while (0)

static char *copy_text(struct lcap_bytes bytes)
{
    char *text = malloc(bytes.size + 1);
    ck_assert_ptr_nonnull(text);
    if (bytes.size > 0)
        memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
    return text;
}

static const struct summary_string *find_string(const struct summary *summary, uint32_t id)
{
    for (size_t i = 0; i < summary->string_count; i++) {
        if (summary->strings[i].id == id)
            return &summary->strings[i];
    }
    return NULL;
}

static struct summary_track *find_track(struct summary *summary, uint32_t id)
{
    /* Recent tracks are looked for most. */
    for (size_t i = summary->track_count; i-- > 0;) {
        if (summary->tracks[i].record.track == id)
            return &summary->tracks[i];
    }
    return NULL;
}

static bool has_site(const struct summary *summary, uint32_t id)
{
    /* The recorder numbers sites from 1 on and writes them in order. */
    return id >= 1 && id <= summary->site_count && summary->sites[id - 1].site == id;
}

static void use_string(struct summary *summary, uint32_t id)
{
    summary->undefined += id != 0 && find_string(summary, id) == NULL;
}

static void use_track(struct summary *summary, uint32_t id)
{
    summary->undefined += id != 0 && find_track(summary, id) == NULL;
}

static void add_tracks(struct summary *summary, struct lcap_records *records)
{
    struct lcap_track record;
    while (lcap_next_track(records, &record)) {
        struct summary_track *known = find_track(summary, record.track);
        use_string(summary, record.name);
        if (known != NULL) {
            known->record = record;
            continue;
        }
        const struct summary_track track = {.record = record};
        APPEND(summary->tracks, summary->track_count, track);
    }
}

static void add_event(struct summary *summary, struct summary_track *track,
                      struct summary_event event)
{
    const uint32_t kind = event.kind;
    EXPECT(event.tick >= track->last_tick);
    track->last_tick = event.tick;
    if (kind == LCAP_EVENT_END) {
        EXPECT(track->depth > 0);
        track->depth--;
    } else if (kind != LCAP_EVENT_FLOW_IN && kind != LCAP_EVENT_TRACK_SWITCH) {
        summary->undefined += !has_site(summary, event.site);
    }
    event.depth = track->depth;
    APPEND(track->events, track->count, event);
    track->depth += kind == LCAP_EVENT_BEGIN;
    track->begins += kind == LCAP_EVENT_BEGIN;
    track->ends += kind == LCAP_EVENT_END;
    track->instants += kind == LCAP_EVENT_INSTANT;
    summary->begins += kind == LCAP_EVENT_BEGIN;
    summary->ends += kind == LCAP_EVENT_END;
    summary->instants += kind == LCAP_EVENT_INSTANT;
}

/* The first segment of a track in a part of a recording. */
static void begin_within(struct summary_track *track, const struct lcap_segment *segment,
                         const struct lcap_open_scope *open)
{
    track->events_before = segment->events_before;
    track->open_at_start = segment->open_count;
    track->depth = segment->open_count;
    if (segment->open_count == 0)
        return;
    track->outermost_site = open[segment->first_open].site;
    track->outermost_tick = open[segment->first_open].begin_tick;
}

static void add_events(struct summary *summary, const struct lcap_events *events)
{
    const uint64_t *value = events->values;
    summary->event_blocks++;
    for (uint32_t s = 0; s < events->header.segment_count; s++) {
        const struct lcap_segment *segment = &events->segments[s];
        struct summary_track *track = find_track(summary, segment->track);
        if (track == NULL) {
            summary->undefined++;
            continue;
        }
        if (summary->has_window && track->count == 0 && track->events_before == 0)
            begin_within(track, segment, events->open);
        EXPECT(segment->events_before == track->events_before + track->count);
        EXPECT(segment->open_count == track->depth);
        for (uint32_t e = segment->first_event; e < segment->first_event + segment->event_count;
             e++) {
            const struct lcap_symbol *symbol = &events->table[events->symbols[e]];
            struct summary_event event = {events->ticks[e], symbol->kind, symbol->site, 0, 0};
            if (lcap_event_has_value(symbol->kind))
                event.value = *value++;
            add_event(summary, track, event);
        }
    }
}

static void add_names(struct summary *summary, struct lcap_records *records, uint32_t kind)
{
    if (kind == LCAP_KIND_strings) {
        struct lcap_string record;
        while (lcap_next_string(records, &record)) {
            const struct summary_string string = {record.string, copy_text(record.bytes),
                                                  record.bytes.size};
            ck_assert_ptr_null(find_string(summary, record.string));
            APPEND(summary->strings, summary->string_count, string);
        }
    } else if (kind == LCAP_KIND_sites) {
        struct lcap_site record;
        while (lcap_next_site(records, &record)) {
            use_string(summary, record.name);
            use_string(summary, record.file);
            use_string(summary, record.function);
            APPEND(summary->sites, summary->site_count, record);
        }
    } else if (kind == LCAP_KIND_categories) {
        struct lcap_category record;
        while (lcap_next_category(records, &record)) {
            use_string(summary, record.name);
            APPEND(summary->categories, summary->category_count, record);
        }
    } else if (kind == LCAP_KIND_domains) {
        struct lcap_domain record;
        while (lcap_next_domain(records, &record)) {
            use_string(summary, record.name);
            APPEND(summary->domains, summary->domain_count, record);
        }
    }
}

static void add_reports(struct summary *summary, struct lcap_records *records, uint32_t kind)
{
    if (kind == LCAP_KIND_frames) {
        struct lcap_frame_mark record;
        while (lcap_next_frame_mark(records, &record)) {
            use_track(summary, record.track);
            EXPECT(record.domain >= 1 && record.domain <= summary->domain_count);
            APPEND(summary->marks, summary->mark_count, record);
        }
    } else if (kind == LCAP_KIND_losses) {
        struct lcap_loss record;
        while (lcap_next_loss(records, &record)) {
            use_track(summary, record.track);
            APPEND(summary->losses, summary->loss_count, record);
        }
    } else if (kind == LCAP_KIND_diagnostics) {
        struct lcap_diagnostic record;
        while (lcap_next_diagnostic(records, &record)) {
            use_track(summary, record.track);
            record.text.data = (const uint8_t *)copy_text(record.text);
            APPEND(summary->diagnostics, summary->diagnostic_count, record);
        }
    } else if (kind == LCAP_KIND_sched) {
        struct lcap_sched record;
        while (lcap_next_sched(records, &record)) {
            use_track(summary, record.track);
            APPEND(summary->samples, summary->sample_count, record);
        }
    } else if (kind == LCAP_KIND_triggers) {
        struct lcap_trigger record;
        while (lcap_next_trigger(records, &record)) {
            EXPECT(record.domain <= summary->domain_count);
            record.text.data = (const uint8_t *)copy_text(record.text);
            APPEND(summary->triggers, summary->trigger_count, record);
        }
    }
}

static void add_session(struct summary *summary, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_fact fact;
    ck_assert_int_eq(lcap_read_session(block, &summary->session), LCAP_DAMAGE_NONE);
    while (lcap_next_fact(&records, &fact)) {
        const struct summary_string key = {0, copy_text(fact.key), fact.key.size};
        const struct summary_string value = {0, copy_text(fact.value), fact.value.size};
        APPEND(summary->facts, summary->fact_count, key);
        APPEND(summary->facts, summary->fact_count, value);
    }
}

static void add_block(struct summary *summary, struct lcap_reader *reader,
                      const struct lcap_block *block)
{
    if (block->kind == LCAP_KIND_events) {
        ck_assert_ptr_nonnull(lcap_reader_events(reader));
        add_events(summary, lcap_reader_events(reader));
        return;
    }
    if (block->kind == LCAP_KIND_session) {
        add_session(summary, block);
        return;
    }
    if (block->kind == LCAP_KIND_clock) {
        struct lcap_bytes reason;
        ck_assert_int_eq(lcap_read_clock(block, &summary->clock, &reason), LCAP_DAMAGE_NONE);
        return;
    }
    if (block->kind == LCAP_KIND_window) {
        EXPECT(!summary->has_window && summary->event_blocks == 0 && summary->mark_count == 0);
        ck_assert_int_eq(lcap_read_window(block, &summary->window), LCAP_DAMAGE_NONE);
        summary->has_window = true;
        return;
    }
    if (block->kind == LCAP_KIND_end) {
        ck_assert_int_eq(lcap_read_end(block, &summary->end), LCAP_DAMAGE_NONE);
        summary->has_end = true;
        return;
    }
    if (block->kind == LCAP_KIND_index)
        return;
    struct lcap_records records = lcap_records_of(block);
    if (block->kind == LCAP_KIND_tracks)
        add_tracks(summary, &records);
    else {
        add_names(summary, &records, block->kind);
        add_reports(summary, &records, block->kind);
    }
}

static struct lcap_bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    size_t capacity = 1 << 20;
    size_t size = 0;
    uint8_t *bytes = malloc(capacity);
    ck_assert_ptr_nonnull(bytes);
    size_t got;
    while ((got = fread(bytes + size, 1, capacity - size, file)) > 0) {
        size += got;
        if (size == capacity) {
            capacity *= 2;
            bytes = realloc(bytes, capacity);
            ck_assert_ptr_nonnull(bytes);
        }
    }
    fclose(file);
    return (struct lcap_bytes){bytes, size};
}

struct summary *summary_read(const char *path)
{
    struct summary *summary = calloc(1, sizeof *summary);
    struct lcap_reader *reader;
    struct ludus_error error;
    ck_assert_ptr_nonnull(summary);
    const struct lcap_bytes bytes = read_file(path);
    const enum ludus_status opened =
        lcap_reader_open(lcap_source_from_memory(&bytes), &reader, &error);
    ck_assert_msg(opened == LUDUS_OK, "%s: %s", path, error.message);
    struct lcap_item item;
    enum ludus_status status;
    while ((status = lcap_reader_next(reader, true, &item)) == LUDUS_OK) {
        if (item.kind == LCAP_ITEM_BLOCK)
            add_block(summary, reader, &item.block);
        summary->damages += item.kind == LCAP_ITEM_DAMAGE || item.kind == LCAP_ITEM_GAP ||
                            item.kind == LCAP_ITEM_SKIPPED;
        summary->is_finished = summary->is_finished || item.kind == LCAP_ITEM_FINISHED;
    }
    ck_assert_int_eq(status, LUDUS_END);
    lcap_reader_close(reader);
    free((void *)bytes.data);
    return summary;
}

void summary_free(struct summary *summary)
{
    for (size_t i = 0; i < summary->string_count; i++)
        free(summary->strings[i].text);
    for (size_t i = 0; i < summary->fact_count; i++)
        free(summary->facts[i].text);
    for (size_t i = 0; i < summary->diagnostic_count; i++)
        free((void *)summary->diagnostics[i].text.data);
    for (size_t i = 0; i < summary->track_count; i++)
        free(summary->tracks[i].events);
    free(summary->strings);
    free(summary->facts);
    for (size_t i = 0; i < summary->trigger_count; i++)
        free((void *)summary->triggers[i].text.data);
    free(summary->diagnostics);
    free(summary->triggers);
    free(summary->tracks);
    free(summary->sites);
    free(summary->categories);
    free(summary->domains);
    free(summary->marks);
    free(summary->losses);
    free(summary->samples);
    free(summary);
}

const char *summary_text(const struct summary *summary, uint32_t id)
{
    const struct summary_string *string = find_string(summary, id);
    return string != NULL ? string->text : NULL;
}

/* Of one site on one track. An event tells what was added since the event of the same site before
 * it. */
static uint64_t gain_of_track(const struct summary_track *track, uint32_t site, uint64_t from,
                              uint64_t to)
{
    uint64_t sum = 0;
    uint64_t since = track->record.begin_tick;
    for (size_t i = 0; i < track->count; i++) {
        const struct summary_event *event = &track->events[i];
        if (event->kind != LCAP_EVENT_COUNT || event->site != site)
            continue;
        if (since >= from && since < to)
            sum += event->value;
        since = event->tick;
    }
    return sum;
}

int64_t summary_gain(const struct summary *summary, const char *name, uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (size_t s = 0; s < summary->site_count; s++) {
        const char *text = summary_text(summary, summary->sites[s].name);
        if (text == NULL || strcmp(text, name) != 0)
            continue;
        for (size_t i = 0; i < summary->track_count; i++)
            sum += gain_of_track(&summary->tracks[i], summary->sites[s].site, from, to);
    }
    return (int64_t)sum;
}

const struct lcap_site *summary_site(const struct summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->site_count; i++) {
        const char *own = summary_text(summary, summary->sites[i].name);
        if (own != NULL && strcmp(own, name) == 0)
            return &summary->sites[i];
    }
    return NULL;
}

const struct summary_track *summary_track_named(const struct summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->track_count; i++) {
        const char *own = summary_text(summary, summary->tracks[i].record.name);
        if (own != NULL && strcmp(own, name) == 0)
            return &summary->tracks[i];
    }
    return NULL;
}

const char *summary_fact(const struct summary *summary, const char *key)
{
    for (size_t i = 0; i + 1 < summary->fact_count; i += 2) {
        if (strcmp(summary->facts[i].text, key) == 0)
            return summary->facts[i + 1].text;
    }
    return NULL;
}

struct lcap_loss summary_loss(const struct summary *summary, uint32_t cause)
{
    struct lcap_loss sum = {.first_tick = UINT64_MAX};
    for (size_t i = 0; i < summary->loss_count; i++) {
        const struct lcap_loss *loss = &summary->losses[i];
        if (cause != 0 && loss->cause != cause)
            continue;
        EXPECT(loss->first_tick <= loss->last_tick);
        lcap_counts_add(&sum.counts, &loss->counts);
        if (loss->first_tick < sum.first_tick)
            sum.first_tick = loss->first_tick;
        if (loss->last_tick > sum.last_tick)
            sum.last_tick = loss->last_tick;
    }
    return sum;
}

const struct lcap_diagnostic *summary_diagnostic(const struct summary *summary, uint32_t code)
{
    for (size_t i = 0; i < summary->diagnostic_count; i++) {
        if (summary->diagnostics[i].code == code)
            return &summary->diagnostics[i];
    }
    return NULL;
}

uint64_t summary_told(const struct summary *summary, uint32_t code)
{
    uint64_t count = 0;
    for (size_t i = 0; i < summary->diagnostic_count; i++)
        count += summary->diagnostics[i].code == code ? summary->diagnostics[i].count : 0;
    return count;
}

void summary_check_whole(const struct summary *summary)
{
    ck_assert(summary->is_finished);
    ck_assert(summary->has_end);
    ck_assert_uint_eq(summary->damages, 0);
    ck_assert_uint_eq(summary->undefined, 0);
    ck_assert_uint_eq(summary->end.recorded.scopes, summary->begins);
    ck_assert_uint_eq(summary->end.recorded.instants, summary->instants);
    ck_assert_uint_eq(summary->end.recorded.frames, summary->mark_count);
    const struct lcap_loss loss = summary_loss(summary, 0);
    ck_assert_uint_eq(summary->end.dropped.scopes, loss.counts.scopes);
    ck_assert_uint_eq(summary->end.dropped.instants, loss.counts.instants);
    ck_assert_uint_eq(summary->end.dropped.frames, loss.counts.frames);
}
