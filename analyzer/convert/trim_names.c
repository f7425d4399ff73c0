/* The definitions of a part: the session, which says that it was cut out, clocks with the
 * calibrations that its ticks need, and only those names, categories and sites that it uses. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture_walk.h"
#include "failure.h"
#include "model_facts.h"
#include "trim_state.h"

#define TEXT(text) ((struct lcap_bytes){(const uint8_t *)(text), strlen(text)})

/* Records that are kept between the walks: which strings they name is known only then. */
struct names {
    struct trim *trim;
    struct lcap_site *sites;
    struct lcap_category *categories;
    struct lcap_domain *domains;
    uint32_t site_count, category_count, domain_count;
    bool has_session;
};

/* --- the first walk: what is used ------------------------------------------------------------- */

static bool is_in(const struct trace_id_map *set, uint32_t id)
{
    return trace_id_map_find(set, id) != TRACE_NONE;
}

static bool take_site(struct names *names, const struct lcap_site *site)
{
    struct trim *trim = names->trim;
    if (!is_in(&trim->sites, site->site))
        return true;
    if (site->category != 0 && !is_in(&trim->categories, site->category) &&
        !trace_id_map_add(&trim->categories, site->category, 0))
        return false;
    if (!trim_use_string(trim, site->name) || !trim_use_string(trim, site->file) ||
        !trim_use_string(trim, site->function) ||
        !trace_array_grow(&names->sites, names->site_count, sizeof *names->sites))
        return false;
    names->sites[names->site_count++] = *site;
    return true;
}

static bool take_names(struct names *names, const struct lcap_block *block)
{
    struct lcap_records records = lcap_records_of(block);
    struct lcap_site site;
    struct lcap_category category;
    struct lcap_domain domain;
    bool is_taken = true;
    switch (block->kind) {
    case LCAP_KIND_sites:
        while (is_taken && lcap_next_site(&records, &site))
            is_taken = take_site(names, &site);
        break;
    case LCAP_KIND_categories:
        while (is_taken && lcap_next_category(&records, &category)) {
            is_taken = trace_array_grow(&names->categories, names->category_count, sizeof category);
            if (is_taken)
                names->categories[names->category_count++] = category;
        }
        break;
    case LCAP_KIND_domains: /* all of them: the first is the default one */
        while (is_taken && lcap_next_domain(&records, &domain)) {
            is_taken = trim_use_string(names->trim, domain.name) &&
                       trace_array_grow(&names->domains, names->domain_count, sizeof domain);
            if (is_taken)
                names->domains[names->domain_count++] = domain;
        }
        break;
    default:
        break;
    }
    return is_taken;
}

static bool drop_categories(struct names *names)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < names->category_count; i++) {
        if (!is_in(&names->trim->categories, names->categories[i].category))
            continue;
        names->categories[kept++] = names->categories[i];
        if (!trim_use_string(names->trim, names->categories[i].name))
            return false;
    }
    names->category_count = kept;
    return true;
}

/* --- the second walk: session, clocks and strings are written --------------------------------- */

static void put(struct trim *trim, enum ludus_status status, struct lcap_bytes block)
{
    trace_new_capture_put(trim->writer, status, block);
}

static void copy(struct trim *trim, const struct lcap_item *item)
{
    trace_new_capture_copy(trim->writer, &trim->source, item->offset, item->size, NULL);
}

static bool is_own_fact(const struct lcap_fact *fact)
{
    return (fact->key.size == strlen(TRACE_FACT_TRIM_WINDOW) &&
            memcmp(fact->key.data, TRACE_FACT_TRIM_WINDOW, fact->key.size) == 0) ||
           (fact->key.size == strlen(TRACE_FACT_TRIM_CAPTURE) &&
            memcmp(fact->key.data, TRACE_FACT_TRIM_CAPTURE, fact->key.size) == 0);
}

/* Writes the session with what it was cut out of, or as it was (LIMIT) when that does not fit. */
static enum ludus_status put_session(struct trim *trim, const struct lcap_session *session,
                                     struct lcap_records *records)
{
    struct lcap_fact *facts = calloc((size_t)records->left + 2, sizeof *facts);
    struct lcap_bytes block = {0};
    char capture[17];
    size_t count = 0;
    if (facts == NULL)
        return LUDUS_ERROR_MEMORY;
    while (lcap_next_fact(records, &facts[count]))
        count += !is_own_fact(&facts[count]);
    snprintf(capture, sizeof capture, "%016" PRIx64, trim->model->capture_id);
    facts[count++] = (struct lcap_fact){TEXT(TRACE_FACT_TRIM_WINDOW), TEXT(trim->window)};
    facts[count++] = (struct lcap_fact){TEXT(TRACE_FACT_TRIM_CAPTURE), TEXT(capture)};
    enum ludus_status status =
        lcap_encode_session(trim->writer->encoder, session, facts, count, &block);
    free(facts);
    if (status == LUDUS_OK)
        put(trim, status, block);
    return status;
}

static enum ludus_status take_session(struct names *names, const struct lcap_item *item)
{
    struct lcap_session session;
    struct lcap_records records = lcap_records_of(&item->block);
    if (names->has_session) /* a second one has no effect */
        return LUDUS_OK;
    names->has_session = true;
    (void)lcap_read_session(&item->block, &session);
    enum ludus_status status = put_session(names->trim, &session, &records);
    if (status != LUDUS_ERROR_LIMIT)
        return status;
    copy(names->trim, item);
    return LUDUS_OK;
}

/* A name that is longer than an encoder takes goes with all of its block. */
static void take_strings(struct trim *trim, const struct lcap_item *item)
{
    struct lcap_records records = lcap_records_of(&item->block);
    struct lcap_string strings[256];
    struct lcap_bytes block = {0};
    size_t count = 0;
    bool is_last = false;
    while (!is_last) {
        is_last = !lcap_next_string(&records, &strings[count]);
        if (!is_last && is_in(&trim->strings, strings[count].string)) {
            if (strings[count].bytes.size > LCAP_ENCODE_MAX_STRING) {
                copy(trim, item);
                return;
            }
            count++;
        }
        if (count != sizeof strings / sizeof strings[0] && !is_last)
            continue;
        for (size_t done = 0, taken; done < count; done += taken) {
            const enum ludus_status status = lcap_encode_strings(
                trim->writer->encoder, strings + done, count - done, &taken, &block);
            put(trim, status, block);
            if (status != LUDUS_OK)
                return;
        }
        count = 0;
    }
}

static enum ludus_status put_names(struct names *names, const struct lcap_item *item)
{
    switch (item->block.kind) {
    case LCAP_KIND_session:
        return take_session(names, item);
    case LCAP_KIND_clock:
        copy(names->trim, item);
        return LUDUS_OK;
    case LCAP_KIND_strings:
        take_strings(names->trim, item);
        return LUDUS_OK;
    default:
        return LUDUS_OK;
    }
}

/* --- behind the walks --------------------------------------------------------------------------
 */

static void put_calibrations(struct trim *trim)
{
    struct lcap_calibration calibrations[256];
    for (uint32_t i = 0; i < trim->model->clock_count; i++) {
        const uint32_t clock = trim->model->clocks[i].id;
        size_t at = 0, count = 0;
        bool is_last = false;
        while (!is_last) {
            struct lcap_bytes block = {0};
            is_last = !trace_clock_map_next_needed(trim->capture->clocks, clock, &at,
                                                   &calibrations[count]);
            count += !is_last;
            if (count == 0 || (!is_last && count != sizeof calibrations / sizeof calibrations[0]))
                continue;
            const enum ludus_status status =
                lcap_encode_calibrations(trim->writer->encoder, clock, calibrations, count, &block);
            put(trim, status, block);
            count = 0;
        }
    }
}

static uint32_t at_most(uint32_t count)
{
    return count < LCAP_ENCODE_MAX_RECORDS ? count : LCAP_ENCODE_MAX_RECORDS;
}

static void put_records(struct names *names)
{
    struct lcap_encoder *encoder = names->trim->writer->encoder;
    struct lcap_bytes block = {0};
    enum ludus_status status;
    for (uint32_t i = 0; i < names->category_count; i += LCAP_ENCODE_MAX_RECORDS) {
        status = lcap_encode_categories(encoder, names->categories + i,
                                        at_most(names->category_count - i), &block);
        put(names->trim, status, block);
    }
    for (uint32_t i = 0; i < names->site_count; i += LCAP_ENCODE_MAX_RECORDS) {
        status =
            lcap_encode_sites(encoder, names->sites + i, at_most(names->site_count - i), &block);
        put(names->trim, status, block);
    }
    for (uint32_t i = 0; i < names->domain_count; i += LCAP_ENCODE_MAX_RECORDS) {
        status = lcap_encode_domains(encoder, names->domains + i, at_most(names->domain_count - i),
                                     &block);
        put(names->trim, status, block);
    }
}

/* When the session was lost, time zero is the first event's, which the part may not have. */
static enum ludus_status put_lost_session(struct trim *trim)
{
    const struct trace_clock *clock = &trim->model->clocks[0];
    const uint64_t first_tick = trim->capture->ranges[0].first;
    const struct lcap_session session = {.clock = clock->id,
                                         .start_tick = first_tick == UINT64_MAX ? 0 : first_tick};
    struct lcap_records no_facts = {0};
    return put_session(trim, &session, &no_facts);
}

static enum ludus_status walk(struct names *names, bool is_first, struct ludus_error *error)
{
    struct trace_capture_walk file;
    struct lcap_item item;
    enum ludus_status status =
        trace_capture_walk_open(names->trim->capture->path, NULL, &file, error);
    if (status != LUDUS_OK)
        return status;
    lcap_reader_skim_events(file.reader);
    while ((status = lcap_reader_next(file.reader, false, &item)) == LUDUS_OK) {
        if (item.kind != LCAP_ITEM_BLOCK)
            continue;
        if (is_first && !take_names(names, &item.block))
            status = LUDUS_ERROR_MEMORY;
        else if (!is_first)
            status = put_names(names, &item);
        if (status != LUDUS_OK)
            break;
    }
    if (status == LUDUS_END)
        status = LUDUS_OK;
    else
        status = trace_capture_walk_fail(&file, status, error);
    trace_capture_walk_close(&file);
    return status;
}

enum ludus_status trim_put_definitions(struct trim *trim, struct ludus_error *error)
{
    struct names names = {.trim = trim, .has_session = trim->capture->start_clock == 0};
    enum ludus_status status = walk(&names, true, error);
    if (status == LUDUS_OK && !drop_categories(&names))
        status = trace_fail_memory(error);
    if (status == LUDUS_OK && names.has_session && put_lost_session(trim) != LUDUS_OK)
        status = trace_fail_memory(error);
    if (status == LUDUS_OK)
        status = walk(&names, false, error);
    if (status == LUDUS_OK) {
        put_calibrations(trim);
        put_records(&names);
    }
    free(names.sites);
    free(names.categories);
    free(names.domains);
    return status;
}
