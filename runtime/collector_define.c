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

/* A block that was given to the writer counts as written, also when that failed: it is then the
 * one that is written first if the writer resumes. What did not get so far stays to be defined. */

/* Writes the first `count` strings of the batch. Returns how many were given to the writer. */
static uint32_t put_strings(struct ludus_collector *collector, uint32_t count)
{
    struct ludus_capture_writer *writer = &collector->writer;
    uint32_t done = 0;
    while (done < count && ludus_can_put(collector)) {
        struct lcap_bytes block = {0};
        size_t taken = 0;
        const enum ludus_status status = lcap_encode_strings(
            writer->encoder, collector->batch.strings + done, count - done, &taken, &block);
        ludus_put_block(collector, status, block, NULL);
        done += (uint32_t)taken;
    }
    return done;
}

static void define_strings(struct ludus_collector *collector, uint32_t to)
{
    uint32_t *defined = &collector->defined.strings;
    while (*defined < to && ludus_can_put(collector)) {
        uint32_t count = 0;
        while (*defined + count < to && count < LUDUS_BATCH) {
            collector->batch.strings[count] = registry_string(*defined + count + 1);
            count++;
        }
        *defined += put_strings(collector, count);
    }
}

static void define_sites(struct ludus_collector *collector, uint32_t to)
{
    struct ludus_capture_writer *writer = &collector->writer;
    uint32_t *defined = &collector->defined.sites;
    while (*defined < to && ludus_can_put(collector)) {
        struct lcap_bytes block = {0};
        const uint32_t count = to - *defined < LUDUS_BATCH ? to - *defined : LUDUS_BATCH;
        const enum ludus_status status =
            lcap_encode_sites(writer->encoder, ludus_core.registry.sites + *defined, count, &block);
        ludus_put_block(collector, status, block, NULL);
        *defined += count;
    }
}

static void define_categories(struct ludus_collector *collector, uint32_t to)
{
    struct ludus_capture_writer *writer = &collector->writer;
    uint32_t *defined = &collector->defined.categories;
    if (*defined == to || !ludus_can_put(collector))
        return;
    struct lcap_bytes block = {0};
    const enum ludus_status status = lcap_encode_categories(
        writer->encoder, ludus_core.registry.categories + *defined, to - *defined, &block);
    ludus_put_block(collector, status, block, NULL);
    *defined = to;
}

static void tell_collisions(struct ludus_collector *collector, uint32_t to)
{
    const struct ludus_site_registry *registry = &ludus_core.registry;
    for (; collector->defined.collisions < to; collector->defined.collisions++) {
        const struct ludus_collision *collision =
            &registry->collisions[collector->defined.collisions];
        char text[LUDUS_DIAGNOSTIC_TEXT];
        uint32_t sizes[2];
        const char *names[2];
        const uint32_t sites[2] = {collision->first, collision->second};
        for (int i = 0; i < 2; i++)
            names[i] = ludus_string_table_get(&registry->strings,
                                              registry->sites[sites[i] - 1].name, &sizes[i]);
        snprintf(text, sizeof text, "sites %u (%.*s) and %u (%.*s)", (unsigned)sites[0],
                 (int)(sizes[0] < 96 ? sizes[0] : 96), names[0], (unsigned)sites[1],
                 (int)(sizes[1] < 96 ? sizes[1] : 96), names[1]);
        if (!ludus_put_diagnostic(collector, LCAP_DIAGNOSTIC_IDENTITY_COLLISION, 0,
                                  collector->session.start_tick, 1, text))
            return;
    }
}

/* Tells of a number of oddities that has risen from `*told` to `count`. */
static void tell_rise(struct ludus_collector *collector, enum lcap_diagnostic_code code,
                      uint64_t *told, uint64_t count, const char *text)
{
    if (count > *told && ludus_put_diagnostic(collector, code, 0, collector->session.start_tick,
                                              count - *told, text))
        *told = count;
}

static void tell_names(struct ludus_collector *collector)
{
    struct ludus_name_interner *names = &ludus_core.names;
    tell_rise(collector, LCAP_DIAGNOSTIC_SITES_FULL, &collector->told_names.refused,
              atomic_load_explicit(&names->refused, memory_order_relaxed),
              "uses of dynamic names for which there is no room, kept under " LUDUS_OVERFLOW_NAME
              ": raise max_dynamic_names");
    tell_rise(collector, LCAP_DIAGNOSTIC_NAMES_CUT, &collector->told_names.cut,
              atomic_load_explicit(&names->cut, memory_order_relaxed),
              "uses of dynamic names longer than 255 bytes");
}

static void define_registry(struct ludus_collector *collector,
                            const struct ludus_registry_counts *counts)
{
    struct ludus_registry_counts *defined = &collector->defined;
    define_strings(collector, counts->strings);
    define_categories(collector, counts->categories);
    define_sites(collector, counts->sites);
    tell_collisions(collector, counts->collisions);
    tell_rise(collector, LCAP_DIAGNOSTIC_SITES_FULL, &defined->refused, counts->refused,
              "places in source for which the registry has no room: raise max_sites");
    tell_rise(collector, LCAP_DIAGNOSTIC_SITES_FULL, &defined->uncategorised, counts->uncategorised,
              "places in source left without their category: 1024 categories are all");
    tell_rise(collector, LCAP_DIAGNOSTIC_SITES_FULL, &defined->domainless, counts->domainless,
              "frame marks in source whose domain is not recorded: 64 domains are all");
    tell_rise(collector, LCAP_DIAGNOSTIC_NAMES_CUT, &defined->cut, counts->cut,
              "names, files, functions, categories or domains longer than 65536 bytes");
    tell_names(collector);
}

/* Writes the strings of the batch, which are the names of `drains`, and notes which have arrived.
 */
static void put_names(struct ludus_collector *collector, struct ludus_track_drain **drains,
                      uint32_t count)
{
    const uint32_t done = put_strings(collector, count);
    for (uint32_t i = 0; i < done; i++) {
        drains[i]->name_string = collector->batch.strings[i].string;
        drains[i]->is_renamed = false;
    }
}

/* Which tracks are defined at a time. */
enum choice { ALL_TRACKS, LIVE_TRACKS, ENDED_TRACKS };

static bool is_chosen(const struct ludus_track_drain *drain, enum choice choice)
{
    return drain->is_changed &&
           (choice == ALL_TRACKS || (drain->end_tick != 0) == (choice == ENDED_TRACKS));
}

/* Writes the names that tracks of this pass have got, with ids that no string of the registry can
 * have. */
static void define_track_names(struct ludus_collector *collector, enum choice choice)
{
    const uint32_t registry_ids = ludus_core.registry.strings.capacity;
    struct ludus_track_drain *drains[LUDUS_BATCH];
    uint32_t count = 0;
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        if (!is_chosen(drain, choice) || !drain->is_renamed || drain->name[0] == '\0')
            continue;
        drains[count] = drain;
        collector->batch.strings[count++] =
            (struct lcap_string){{(const uint8_t *)drain->name, strlen(drain->name)},
                                 registry_ids + ++collector->name_strings};
        if (count == LUDUS_BATCH) {
            put_names(collector, drains, count);
            count = 0;
        }
    }
    put_names(collector, drains, count);
}

static void put_tracks(struct ludus_collector *collector, struct ludus_track_drain **drains,
                       uint32_t count)
{
    struct ludus_capture_writer *writer = &collector->writer;
    if (count == 0 || !ludus_can_put(collector))
        return;
    struct lcap_bytes block = {0};
    const enum ludus_status status = lcap_encode_tracks(writer->encoder, collector->clock.clock,
                                                        collector->batch.tracks, count, &block);
    ludus_put_block(collector, status, block, NULL);
    for (uint32_t i = 0; i < count; i++)
        drains[i]->is_changed = false;
}

static void define_tracks(struct ludus_collector *collector, enum choice choice)
{
    struct ludus_track_drain *drains[LUDUS_BATCH];
    uint32_t count = 0;
    if (!ludus_can_put(collector))
        return;
    define_track_names(collector, choice);
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        if (!is_chosen(drain, choice))
            continue;
        drains[count] = drain;
        collector->batch.tracks[count++] = (struct lcap_track){.os_id = drain->os_id,
                                                               .begin_tick = drain->begin_tick,
                                                               .end_tick = drain->end_tick,
                                                               .track = drain->track,
                                                               .kind = drain->kind,
                                                               .name = drain->name_string};
        if (count == LUDUS_BATCH) {
            put_tracks(collector, drains, count);
            count = 0;
        }
    }
    put_tracks(collector, drains, count);
}

void ludus_define_tables(struct ludus_collector *collector,
                         const struct ludus_registry_counts *counts)
{
    struct ludus_hitch *hitch = &collector->hitch;
    if (!hitch->is_on || hitch->is_open) {
        hitch->is_defining = true;
        define_registry(collector, counts);
        define_tracks(collector, hitch->is_on ? LIVE_TRACKS : ALL_TRACKS);
        hitch->is_defining = false;
    }
    if (!hitch->is_on)
        return;
    for (uint32_t i = 0; i < collector->track_count; i++) /* with names, which no capture has yet */
        collector->tracks[i]->drain.is_renamed |= collector->tracks[i]->drain.end_tick != 0;
    define_tracks(collector, ENDED_TRACKS);
}

void ludus_define_again(struct ludus_collector *collector)
{
    const struct ludus_registry_counts counts = ludus_registry_counts(&ludus_core.registry);
    memset(&collector->defined, 0, sizeof collector->defined);
    memset(&collector->told_names, 0, sizeof collector->told_names);
    for (uint32_t i = 0; i < collector->track_count; i++) {
        struct ludus_track_drain *drain = &collector->tracks[i]->drain;
        drain->is_changed |= drain->end_tick == 0;
        drain->is_renamed |= drain->end_tick == 0;
    }
    ludus_define_tables(collector, &counts);
    ludus_define_gpu_again(collector);
    ludus_define_domains(collector);
}
