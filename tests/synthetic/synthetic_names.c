/* What a synthetic capture defines in front of its events: names as long as a game's, and the
 * sites that have them. */
#include <stdio.h>
#include <string.h>

#include "synthetic_file.h"

#define COUNT(array)   ((uint32_t)(sizeof(array) / sizeof *(array)))
#define SITES_A_FILE   16u
#define BATCH          256u
#define NAME_SIZE      80u
#define WAITING        1u /* flag of a category */
#define CALIBRATION_NS 20

/* The first is the one that waits. */
static const char *const categories[] = {"wait",    "Physics", "Animation", "Render",   "Audio",
                                         "Network", "Script",  "Streaming", "Interface"};
static const char *const verbs[] = {"Update", "Build",   "Resolve", "Find",
                                    "Sort",   "Collect", "Blend",   "Submit"};
static const char *const nouns[] = {"Islands", "Skeletons", "Lights",    "Contacts",
                                    "Tiles",   "Voices",    "Particles", "Entities",
                                    "Buckets", "Paths",     "Events"};

/* Strings have numbers from 1 on: what is fixed, then names, functions, files of sites. */
enum fixed_string {
    FIRST_CATEGORY = 1,
    DOMAIN_NAME = FIRST_CATEGORY + COUNT(categories),
    FLOW_NAME,
    COUNT_NAME,
    GAUGE_NAME,
    FIRST_TRACK_NAME
};

struct batch {
    struct lcap_string strings[BATCH];
    char bytes[BATCH][NAME_SIZE];
    size_t count;
};

static void put_batch(struct synthetic_file *file, struct batch *batch)
{
    for (size_t done = 0; done < batch->count && file->status == LUDUS_OK;) {
        struct lcap_bytes block = {0};
        size_t taken = 0;
        enum ludus_status status = lcap_encode_strings(file->encoder, batch->strings + done,
                                                       batch->count - done, &taken, &block);
        synthetic_file_put(file, status, block);
        done += taken;
    }
    batch->count = 0;
}

/* Room for the text of a string, which is given its number. */
static char *next_string(struct synthetic_file *file, struct batch *batch, uint32_t number)
{
    if (batch->count == BATCH)
        put_batch(file, batch);
    batch->strings[batch->count].string = number;
    return batch->bytes[batch->count];
}

static void add_string(struct batch *batch)
{
    struct lcap_string *string = &batch->strings[batch->count];
    const char *text = batch->bytes[batch->count++];
    string->bytes = (struct lcap_bytes){(const uint8_t *)text, strlen(text)};
}

static uint32_t category_of(uint32_t site)
{
    return site == SYNTHETIC_WAITING_NODE + 1 ? 0
                                              : 1 + site / SITES_A_FILE % (COUNT(categories) - 1);
}

static void write_site_name(char *text, uint32_t site)
{
    uint32_t turn = site / (COUNT(verbs) * COUNT(nouns));
    if (site == SYNTHETIC_MAIN_NODE + 1)
        (void)snprintf(text, NAME_SIZE, "Thread/Main");
    else if (site == SYNTHETIC_WAITING_NODE + 1)
        (void)snprintf(text, NAME_SIZE, "Thread/WaitForFrame");
    else
        (void)snprintf(text, NAME_SIZE, "%s/%s%s%.0u", categories[category_of(site)],
                       verbs[site % COUNT(verbs)], nouns[site % COUNT(nouns)], turn);
}

static void put_strings(struct synthetic_file *file, struct batch *batch)
{
    static const char *const fixed[] = {"Frame", "Job/Handed", "Render/DrawCalls", "Memory/Heap"};
    const struct synthetic_options *options = file->options;
    uint32_t number = FIRST_CATEGORY;
    for (uint32_t i = 0; i < COUNT(categories); i++, add_string(batch))
        (void)snprintf(next_string(file, batch, number++), NAME_SIZE, "%s", categories[i]);
    for (uint32_t i = 0; i < COUNT(fixed); i++, add_string(batch))
        (void)snprintf(next_string(file, batch, number++), NAME_SIZE, "%s", fixed[i]);
    for (uint32_t i = 0; i < options->tracks; i++, add_string(batch))
        (void)snprintf(next_string(file, batch, number++), NAME_SIZE, i == 0 ? "main" : "worker %u",
                       i);
    for (uint32_t i = 1; i <= options->sites; i++, add_string(batch))
        write_site_name(next_string(file, batch, number++), i);
    for (uint32_t i = 0; i <= options->sites / SITES_A_FILE; i++, add_string(batch))
        (void)snprintf(next_string(file, batch, number++), NAME_SIZE, "engine/%s/part_%03u.cpp",
                       categories[1 + i % (COUNT(categories) - 1)], i);
    put_batch(file, batch);
}

/* A site's record; behind those of scopes come those of values. */
static struct lcap_site site_record(const struct synthetic_options *options, uint32_t site)
{
    uint32_t first_name = FIRST_TRACK_NAME + options->tracks;
    struct lcap_site record = {.site = site, .line = 20 + site % SITES_A_FILE * 37};
    if (site > options->sites) {
        record.name = DOMAIN_NAME + site - options->sites;
        return record;
    }
    record.name = first_name + site - 1;
    record.file = first_name + options->sites + site / SITES_A_FILE;
    record.function = record.name;
    record.category = 1 + category_of(site);
    return record;
}

static void put_sites(struct synthetic_file *file)
{
    const struct synthetic_options *options = file->options;
    uint32_t count = options->sites + SYNTHETIC_VALUE_SITES;
    struct lcap_site records[BATCH];
    for (uint32_t done = 0; done < count;) {
        struct lcap_bytes block = {0};
        uint32_t taken = 0;
        for (; taken < BATCH && done < count; taken++)
            records[taken] = site_record(options, ++done);
        enum ludus_status status = lcap_encode_sites(file->encoder, records, taken, &block);
        synthetic_file_put(file, status, block);
    }
}

static void put_session(struct synthetic_file *file)
{
    static const struct lcap_fact program = {{(const uint8_t *)"program", 7},
                                             {(const uint8_t *)"synthetic_capture", 17}};
    struct lcap_session session = {.start_tick = SYNTHETIC_START_TICK,
                                   .start_unix_ns = INT64_C(1700000000000000000),
                                   .clock = file->clock.clock,
                                   .process_id = 4242,
                                   .sources = file->options->gpu_passes != 0 ? 3 : 1};
    struct lcap_calibration calibration = {.tick = SYNTHETIC_START_TICK,
                                           .ns = (int64_t)SYNTHETIC_START_TICK,
                                           .uncertainty_ns = CALIBRATION_NS};
    struct lcap_bytes block = {0};
    enum ludus_status status = lcap_encode_session(file->encoder, &session, &program, 1, &block);
    synthetic_file_put(file, status, block);
    status = lcap_encode_clock(file->encoder, &file->clock, (struct lcap_bytes){NULL, 0}, &block);
    synthetic_file_put(file, status, block);
    status = lcap_encode_calibrations(file->encoder, file->clock.clock, &calibration, 1, &block);
    synthetic_file_put(file, status, block);
}

static void put_categories(struct synthetic_file *file)
{
    struct lcap_category records[COUNT(categories)];
    struct lcap_bytes block = {0};
    for (uint32_t i = 0; i < COUNT(categories); i++)
        records[i] = (struct lcap_category){.category = i + 1,
                                            .name = FIRST_CATEGORY + i,
                                            .colour = LCAP_NO_COLOUR,
                                            .flags = i == 0 ? WAITING : 0};
    enum ludus_status status =
        lcap_encode_categories(file->encoder, records, COUNT(categories), &block);
    synthetic_file_put(file, status, block);
}

void synthetic_file_put_tracks(struct synthetic_file *file, uint64_t end_tick)
{
    struct lcap_track records[BATCH];
    for (uint32_t done = 0; done < file->options->tracks && file->status == LUDUS_OK;) {
        struct lcap_bytes block = {0};
        uint32_t taken = 0;
        for (; taken < BATCH && done < file->options->tracks; taken++, done++)
            records[taken] = (struct lcap_track){.os_id = 4242 + done,
                                                 .begin_tick = SYNTHETIC_START_TICK,
                                                 .end_tick = end_tick,
                                                 .track = done + 1,
                                                 .kind = LCAP_TRACK_THREAD,
                                                 .name = FIRST_TRACK_NAME + done};
        enum ludus_status status =
            lcap_encode_tracks(file->encoder, file->clock.clock, records, taken, &block);
        synthetic_file_put(file, status, block);
    }
}

void synthetic_file_define(struct synthetic_file *file)
{
    struct lcap_domain domain = {SYNTHETIC_DOMAIN, DOMAIN_NAME};
    struct batch batch = {.count = 0};
    struct lcap_bytes block = {0};
    if (file->status != LUDUS_OK)
        return;
    put_session(file);
    put_strings(file, &batch);
    put_categories(file);
    put_sites(file);
    enum ludus_status status = lcap_encode_domains(file->encoder, &domain, 1, &block);
    synthetic_file_put(file, status, block);
    synthetic_file_put_tracks(file, 0);
}
