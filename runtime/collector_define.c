/* Writes definitions before their first use: what the registry has gained since the last pass, and
 * tracks. */
#include <stdio.h>
#include <string.h>

#include "collector_pass.h"
#include "recorder_core.h"

static struct lcap_string registry_string(uint32_t number)
{
    uint32_t size;
    const char *bytes = ludus_string_table_get(&ludus_core.registry.strings, number, &size);
    return (struct lcap_string){{(const uint8_t *)bytes, size}, number};
}

/* Writes the first `count` strings of the batch. */
static void put_strings(struct ludus_collector *collector, uint32_t count)
{
    struct ludus_capture_writer *writer = &collector->writer;
    size_t done = 0;
    while (done < count && ludus_writer_is_ready(writer)) {
        struct lcap_bytes block = {0};
        size_t taken = 0;
        const enum ludus_status status = lcap_encode_strings(
            writer->encoder, collector->batch.strings + done, count - done, &taken, &block);
        ludus_writer_put(writer, status, block, NULL);
        done += taken;
    }
}

static void define_strings(struct ludus_collector *collector, uint32_t from, uint32_t to)
{
    while (from < to) {
        uint32_t count = 0;
        while (from < to && count < LUDUS_BATCH)
            collector->batch.strings[count++] = registry_string(++from);
        put_strings(collector, count);
    }
}

static void define_sites(struct ludus_collector *collector, uint32_t from, uint32_t to)
{
    struct ludus_capture_writer *writer = &collector->writer;
    while (from < to && ludus_writer_is_ready(writer)) {
        struct lcap_bytes block = {0};
        const uint32_t count = to - from < LUDUS_BATCH ? to - from : LUDUS_BATCH;
        const enum ludus_status status =
            lcap_encode_sites(writer->encoder, ludus_core.registry.sites + from, count, &block);
        ludus_writer_put(writer, status, block, NULL);
        from += count;
    }
}

static void define_categories(struct ludus_collector *collector, uint32_t from, uint32_t to)
{
    struct ludus_capture_writer *writer = &collector->writer;
    if (from == to || !ludus_writer_is_ready(writer))
        return;
    struct lcap_bytes block = {0};
    const enum ludus_status status = lcap_encode_categories(
        writer->encoder, ludus_core.registry.categories + from, to - from, &block);
    ludus_writer_put(writer, status, block, NULL);
}

static void tell_collisions(struct ludus_collector *collector, uint32_t from, uint32_t to)
{
    const struct ludus_site_registry *registry = &ludus_core.registry;
    for (; from < to; from++) {
        char text[LUDUS_DIAGNOSTIC_TEXT];
        uint32_t sizes[2];
        const char *names[2];
        const uint32_t sites[2] = {registry->collisions[from].first,
                                   registry->collisions[from].second};
        for (int i = 0; i < 2; i++)
            names[i] = ludus_string_table_get(&registry->strings,
                                              registry->sites[sites[i] - 1].name, &sizes[i]);
        snprintf(text, sizeof text, "sites %u (%.*s) and %u (%.*s)", (unsigned)sites[0],
                 (int)(sizes[0] < 96 ? sizes[0] : 96), names[0], (unsigned)sites[1],
                 (int)(sizes[1] < 96 ? sizes[1] : 96), names[1]);
        ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_IDENTITY_COLLISION, 0,
                             collector->session.start_tick, 1, text);
    }
}

void ludus_define_registry(struct ludus_collector *collector,
                           const struct ludus_registry_counts *counts)
{
    struct ludus_registry_counts *defined = &collector->defined;
    if (collector->writer.has_failed)
        return;
    define_strings(collector, defined->strings, counts->strings);
    define_categories(collector, defined->categories, counts->categories);
    define_sites(collector, defined->sites, counts->sites);
    tell_collisions(collector, defined->collisions, counts->collisions);
    if (counts->refused > defined->refused)
        ludus_put_diagnostic(
            collector, LCAP_DIAGNOSTIC_SITES_FULL, 0, collector->session.start_tick,
            counts->refused - defined->refused,
            "places in source for which the registry has no room: raise max_sites");
    if (counts->cut > defined->cut)
        ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_NAMES_CUT, 0, collector->session.start_tick,
                             counts->cut - defined->cut, "names longer than 65536 bytes");
    *defined = *counts;
}

/* Writes the names that tracks of this pass have got, with ids that no string of the registry can
 * have. */
static void define_track_names(struct ludus_collector *collector)
{
    const uint32_t registry_ids = ludus_core.registry.strings.capacity;
    uint32_t count = 0;
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        if (!drain->is_renamed)
            continue;
        drain->is_renamed = false;
        if (drain->name[0] == '\0')
            continue;
        drain->name_string = registry_ids + ++collector->name_strings;
        collector->batch.strings[count++] = (struct lcap_string){
            {(const uint8_t *)drain->name, strlen(drain->name)}, drain->name_string};
        if (count == LUDUS_BATCH) {
            put_strings(collector, count);
            count = 0;
        }
    }
    put_strings(collector, count);
}

static void put_tracks(struct ludus_collector *collector, uint32_t count)
{
    struct ludus_capture_writer *writer = &collector->writer;
    if (count == 0 || !ludus_writer_is_ready(writer))
        return;
    struct lcap_bytes block = {0};
    const enum ludus_status status = lcap_encode_tracks(writer->encoder, collector->clock.clock,
                                                        collector->batch.tracks, count, &block);
    ludus_writer_put(writer, status, block, NULL);
}

void ludus_define_tracks(struct ludus_collector *collector)
{
    if (collector->writer.has_failed)
        return;
    define_track_names(collector);
    uint32_t count = 0;
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        if (!drain->is_changed)
            continue;
        drain->is_changed = false;
        collector->batch.tracks[count++] = (struct lcap_track){.os_id = drain->os_id,
                                                               .begin_tick = drain->begin_tick,
                                                               .end_tick = drain->end_tick,
                                                               .track = drain->track,
                                                               .kind = LCAP_TRACK_THREAD,
                                                               .name = drain->name_string};
        if (count == LUDUS_BATCH) {
            put_tracks(collector, count);
            count = 0;
        }
    }
    put_tracks(collector, count);
}
