/* Registers sites, categories and domains when they are first reached, and copies their strings, so
 * that a library may be unloaded afterwards. */
#include "site_registry.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "category_gates.h"
#include "counter_cell.h"
#include "site_label.h"

/* Names for threads' names, categories and domains come on top of three strings a site. */
#define STRINGS_PER_SITE   3u
#define EXTRA_STRINGS      (LUDUS_MAX_CATEGORIES + LUDUS_MAX_DOMAINS + 8u)
#define BYTES_PER_SITE     64u
#define EXTRA_STRING_BYTES (128u * 1024u)

/* What makes a site: all that its identity covers, and what hangs on it. */
struct place {
    struct ludus_label_parts parts;
    const char *file;
    size_t file_size;
    const char *function;
    uint32_t line;
    uint64_t identity;
};

static uint32_t string_capacity(uint32_t max_sites)
{
    return max_sites * STRINGS_PER_SITE + EXTRA_STRINGS;
}

static uint32_t string_bytes(uint32_t max_sites)
{
    return max_sites * BYTES_PER_SITE + EXTRA_STRING_BYTES;
}

uint64_t ludus_registry_memory_bytes(uint32_t max_sites)
{
    const uint64_t sites = (uint64_t)max_sites + 1;
    return sites * (sizeof(struct lcap_site) + sizeof(uint64_t) + 2 * sizeof(uint32_t)) +
           (uint64_t)ludus_slots_for(max_sites + 1) * sizeof(uint32_t) +
           ludus_string_table_memory_bytes(string_capacity(max_sites), string_bytes(max_sites));
}

static void insert_site_slot(struct ludus_site_registry *registry, uint32_t site)
{
    uint32_t slot = (uint32_t)registry->identities[site - 1] & (registry->slot_count - 1);
    while (registry->slots[slot] != 0)
        slot = (slot + 1) & (registry->slot_count - 1);
    registry->slots[slot] = site;
}

static enum ludus_status grow_sites(struct ludus_site_registry *registry, uint32_t max_sites)
{
    const size_t capacity = (size_t)max_sites + 1;
    const uint32_t slot_count = ludus_slots_for(max_sites + 1);
    struct lcap_site *sites = ludus_allocate_touched(capacity * sizeof sites[0]);
    uint64_t *identities = ludus_allocate_touched(capacity * sizeof identities[0]);
    uint32_t *slots = ludus_allocate_touched((size_t)slot_count * sizeof slots[0]);
    /* Of sites and, behind them, of cells. */
    uint32_t *cells = ludus_allocate_touched(2 * capacity * sizeof cells[0]);
    if (sites == NULL || identities == NULL || slots == NULL || cells == NULL) {
        free(sites);
        free(identities);
        free(slots);
        free(cells);
        return LUDUS_ERROR_MEMORY;
    }
    const uint32_t count = registry->counts.sites;
    if (count > 0) {
        memcpy(sites, registry->sites, count * sizeof sites[0]);
        memcpy(identities, registry->identities, count * sizeof identities[0]);
        memcpy(cells, registry->cells, count * sizeof cells[0]);
        memcpy(cells + capacity, registry->cell_sites, registry->counts.counters * sizeof cells[0]);
    }
    free(registry->sites);
    free(registry->identities);
    free(registry->slots);
    free(registry->cells);
    registry->sites = sites;
    registry->identities = identities;
    registry->slots = slots;
    registry->cells = cells;
    registry->cell_sites = cells + capacity;
    registry->slot_count = slot_count;
    registry->max_sites = max_sites;
    for (uint32_t site = 1; site <= count; site++)
        insert_site_slot(registry, site);
    return LUDUS_OK;
}

static void publish_string_count(struct ludus_site_registry *registry)
{
    registry->counts.strings = registry->strings.count;
}

/* The site of those that found no room; the first, so that there is always room for it. */
static void add_overflow_site(struct ludus_site_registry *registry)
{
    const char name[] = LUDUS_OVERFLOW_NAME;
    const uint32_t line = 0;
    uint64_t identity = ludus_fnv_add(LUDUS_FNV_BASIS, name, sizeof name); /* with its zero byte */
    identity = ludus_fnv_add(identity, "", 1);
    identity = ludus_fnv_add(identity, &line, sizeof line);
    const uint32_t name_string = ludus_string_table_add(&registry->strings, name, sizeof name - 1);
    registry->sites[0] = (struct lcap_site){.site = LUDUS_OVERFLOW_SITE, .name = name_string};
    registry->identities[0] = identity;
    registry->counts.sites = 1;
    insert_site_slot(registry, LUDUS_OVERFLOW_SITE);
    publish_string_count(registry);
}

enum ludus_status ludus_registry_reserve(struct ludus_site_registry *registry, uint32_t max_sites,
                                         const char *source_root)
{
    enum ludus_status status;
    pthread_mutex_lock(&registry->mutex);
    if (max_sites < registry->max_sites)
        max_sites = registry->max_sites;
    status = ludus_string_table_reserve(&registry->strings, string_capacity(max_sites),
                                        string_bytes(max_sites));
    if (status == LUDUS_OK && max_sites > registry->max_sites)
        status = grow_sites(registry, max_sites);
    if (status == LUDUS_OK && registry->counts.sites == 0)
        add_overflow_site(registry);
    registry->source_root_size = 0;
    const size_t size = source_root != NULL ? strlen(source_root) : 0;
    if (size < sizeof registry->source_root) {
        if (size > 0)
            memcpy(registry->source_root, source_root, size);
        registry->source_root_size = size;
    }
    pthread_mutex_unlock(&registry->mutex);
    return status;
}

/* `file` without the source root in front of it. */
static const char *relative_file(const struct ludus_site_registry *registry, const char *file)
{
    const size_t size = registry->source_root_size;
    if (size == 0 || strncmp(file, registry->source_root, size) != 0)
        return file;
    if (registry->source_root[size - 1] == '/')
        return file + size;
    return file[size] == '/' ? file + size + 1 : file;
}

/* The bytes of a name that are kept; counts it when that is not all. */
static size_t kept_size(struct ludus_site_registry *registry, const char *text, size_t size)
{
    const size_t kept = ludus_label_cut(text, size, LUDUS_MAX_NAME_BYTES);
    registry->counts.cut += kept < size;
    return kept;
}

static struct place describe(struct ludus_site_registry *registry, const struct ludus_site *site)
{
    struct place place = {.parts = ludus_label_of(site),
                          .line = site->line,
                          .function = site->form == LUDUS_SITE_DYNAMIC ? "" : site->function};
    place.file = relative_file(registry, site->file);
    if (place.parts.name_size == 0) {
        place.parts.name = site->function;
        place.parts.name_size = strlen(site->function);
    }
    place.parts.name_size = kept_size(registry, place.parts.name, place.parts.name_size);
    place.file_size = kept_size(registry, place.file, strlen(place.file));

    const uint8_t line[4] = {(uint8_t)site->line, (uint8_t)(site->line >> 8),
                             (uint8_t)(site->line >> 16), (uint8_t)(site->line >> 24)};
    uint64_t identity = ludus_fnv_add(LUDUS_FNV_BASIS, place.parts.name, place.parts.name_size);
    identity = ludus_fnv_add(identity, "", 1);
    identity = ludus_fnv_add(identity, place.file, place.file_size);
    identity = ludus_fnv_add(identity, "", 1);
    place.identity = ludus_fnv_add(identity, line, sizeof line);
    return place;
}

static bool is_string(const struct ludus_site_registry *registry, uint32_t number, const char *text,
                      size_t size)
{
    if (number == 0)
        return size == 0;
    uint32_t stored_size;
    const char *stored = ludus_string_table_get(&registry->strings, number, &stored_size);
    return stored_size == size && memcmp(stored, text, size) == 0;
}

/* The site that is this place, or 0. `*twin` is set to another one with its identity, if any. */
static uint32_t find_site(const struct ludus_site_registry *registry, const struct place *place,
                          uint32_t *twin)
{
    uint32_t slot = (uint32_t)place->identity & (registry->slot_count - 1);
    *twin = 0;
    for (; registry->slots[slot] != 0; slot = (slot + 1) & (registry->slot_count - 1)) {
        const uint32_t id = registry->slots[slot];
        const struct lcap_site *site = &registry->sites[id - 1];
        if (registry->identities[id - 1] != place->identity)
            continue;
        if (site->line == place->line &&
            is_string(registry, site->name, place->parts.name, place->parts.name_size) &&
            is_string(registry, site->file, place->file, place->file_size))
            return id;
        *twin = id;
    }
    return 0;
}

/* 0 for none, and when there is no room for another. */
static uint32_t add_category(struct ludus_site_registry *registry, const char *name, size_t size)
{
    if (size == 0)
        return 0;
    const size_t kept = kept_size(registry, name, size);
    const uint32_t string = ludus_string_table_add(&registry->strings, name, kept);
    for (uint32_t i = 0; string != 0 && i < registry->counts.categories; i++) {
        if (registry->categories[i].name == string)
            return i + 1;
    }
    if (string == 0 || registry->counts.categories == LUDUS_MAX_CATEGORIES) {
        registry->counts.uncategorised++;
        return 0;
    }
    const uint32_t is_wait = kept == 4 && memcmp(name, "wait", 4) == 0;
    const uint32_t id = ++registry->counts.categories;
    registry->categories[id - 1] = (struct lcap_category){
        .category = id, .name = string, .colour = LCAP_NO_COLOUR, .flags = is_wait};
    ludus_gates_add(registry, id);
    return id;
}

static uint32_t add_place(struct ludus_site_registry *registry, const struct place *place,
                          uint32_t category)
{
    uint32_t twin;
    const uint32_t known = find_site(registry, place, &twin);
    if (known != 0)
        return known;
    struct ludus_string_table *strings = &registry->strings;
    const uint32_t id = registry->counts.sites + 1;
    struct lcap_site site = {.site = id, .line = place->line};
    const size_t function_size = kept_size(registry, place->function, strlen(place->function));
    if (id <= registry->max_sites + 1) {
        site.name = ludus_string_table_add(strings, place->parts.name, place->parts.name_size);
        site.file = place->file_size > 0
                        ? ludus_string_table_add(strings, place->file, place->file_size)
                        : 0;
        site.function =
            function_size > 0 ? ludus_string_table_add(strings, place->function, function_size) : 0;
    }
    if (site.name == 0 || (site.file == 0 && place->file_size > 0)) {
        registry->counts.refused++;
        return LUDUS_OVERFLOW_SITE;
    }
    site.category = category;
    registry->sites[id - 1] = site;
    registry->identities[id - 1] = place->identity;
    registry->counts.sites = id;
    insert_site_slot(registry, id);
    if (twin != 0 && registry->counts.collisions < LUDUS_MAX_COLLISIONS)
        registry->collisions[registry->counts.collisions++] = (struct ludus_collision){twin, id};
    return id;
}

static uint32_t add_site(struct ludus_site_registry *registry, struct ludus_site *site)
{
    uint32_t id = __atomic_load_n(&site->id, __ATOMIC_RELAXED);
    if (id == 0) {
        const struct place place = describe(registry, site);
        const uint32_t category =
            add_category(registry, place.parts.category, place.parts.category_size);
        id = add_place(registry, &place, category);
        publish_string_count(registry);
        __atomic_store_n(&site->gate, ludus_gate_of_category(category), __ATOMIC_RELAXED);
        /* Pairs with the acquire of the threads that use the id: their events reach the collector
         * only after the site is in the registry. */
        __atomic_store_n(&site->id, id, __ATOMIC_RELEASE);
    }
    return id;
}

uint32_t ludus_registry_add_site(struct ludus_site_registry *registry, struct ludus_site *site)
{
    pthread_mutex_lock(&registry->mutex);
    const uint32_t id = add_site(registry, site);
    pthread_mutex_unlock(&registry->mutex);
    return id;
}

uint32_t ludus_registry_add_counter(struct ludus_site_registry *registry,
                                    struct ludus_counter *counter)
{
    pthread_mutex_lock(&registry->mutex);
    const uint32_t id = add_site(registry, &counter->site);
    uint32_t *cell = &registry->cells[id - 1];
    if (*cell == 0 && id == LUDUS_OVERFLOW_SITE) {
        *cell = LUDUS_NO_CELL;
    } else if (*cell == 0) {
        registry->cell_sites[registry->counts.counters] = id;
        *cell = ++registry->counts.counters;
    }
    /* Once, as threads that have seen it read it without further ado. */
    if (__atomic_load_n(&counter->cell, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&counter->cell, *cell, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&registry->mutex);
    return id;
}

static uint32_t add_domain_name(struct ludus_site_registry *registry, const char *name, size_t size)
{
    const uint32_t string = ludus_string_table_add(&registry->strings, name, size);
    if (string != 0) {
        for (uint32_t i = 0; i < registry->counts.domains; i++) {
            if (registry->domains[i].name == string)
                return i + 1;
        }
    }
    if (string == 0 || registry->counts.domains == LUDUS_MAX_DOMAINS) {
        registry->counts.domainless++;
        return LUDUS_REFUSED_DOMAIN;
    }
    const uint32_t id = ++registry->counts.domains;
    registry->domains[id - 1] = (struct lcap_domain){.domain = id, .name = string};
    return id;
}

uint32_t ludus_registry_add_domain(struct ludus_site_registry *registry,
                                   struct ludus_domain *domain)
{
    pthread_mutex_lock(&registry->mutex);
    uint32_t id = __atomic_load_n(&domain->id, __ATOMIC_RELAXED);
    if (id == 0) {
        const char *label = domain->label[0] != '\0' ? domain->label : "Frame";
        const size_t size = kept_size(registry, label, strlen(label));
        id = add_domain_name(registry, label, size);
        publish_string_count(registry);
        __atomic_store_n(&domain->id, id, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&registry->mutex);
    return id;
}

struct ludus_registry_counts ludus_registry_counts(struct ludus_site_registry *registry)
{
    pthread_mutex_lock(&registry->mutex);
    const struct ludus_registry_counts counts = registry->counts;
    pthread_mutex_unlock(&registry->mutex);
    return counts;
}
