/* The sites, categories and frame domains that the process has reached so far. They keep their ids
 * over all recordings of the process, for the ids are stored in the program's static data. */
#ifndef LUDUS_SITE_REGISTRY_H
#define LUDUS_SITE_REGISTRY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <ludus/profile.h>
#include <ludus/status.h>

#include "category_rules.h"
#include "lcap_records.h"
#include "string_table.h"

#define LUDUS_MAX_CATEGORIES  1024u
#define LUDUS_MAX_DOMAINS     64u
#define LUDUS_MAX_COLLISIONS  16u
#define LUDUS_MAX_NAME_BYTES  65536u
#define LUDUS_OVERFLOW_SITE   1u
#define LUDUS_OVERFLOW_NAME   "ludus/overflow"
#define LUDUS_REFUSED_DOMAIN  0xFFFFFFFFu /* the id of a domain for which there was no room */
#define LUDUS_SOURCE_ROOT_MAX 4096u

/* Everything before the counts may be read without the lock up to a count that was read with it;
 * the arrays move only in ludus_registry_reserve. */
struct ludus_site_registry {
    struct ludus_string_table strings;
    struct lcap_site *sites; /* site i + 1 */
    uint64_t *identities;
    uint32_t *slots;      /* by identity */
    uint32_t *cells;      /* of the counter at site i + 1; 0: it is none, or has not been reached */
    uint32_t *cell_sites; /* the site of cell i + 1 */
    struct lcap_category categories[LUDUS_MAX_CATEGORIES];
    struct lcap_domain domains[LUDUS_MAX_DOMAINS];
    struct ludus_collision {
        uint32_t first;
        uint32_t second;
    } collisions[LUDUS_MAX_COLLISIONS];

    pthread_mutex_t mutex;
    struct ludus_registry_counts {
        uint32_t strings;
        uint32_t categories;
        uint32_t sites;
        uint32_t domains;
        uint32_t collisions;
        uint32_t counters;      /* cells given out */
        uint64_t refused;       /* places that share the overflow site */
        uint64_t uncategorised; /* places without the category that they ask for */
        uint64_t domainless;    /* frame marks in source whose domain found no room */
        uint64_t cut;           /* names of any sort that were longer than the recorder keeps */
    } counts;
    struct ludus_category_rules rules; /* which categories are recorded, */
    bool admits_events;                /* when any are, and not GPU samples alone */
    uint32_t max_sites;                /* the overflow site not included */
    uint32_t slot_count;
    char source_root[LUDUS_SOURCE_ROOT_MAX];
    size_t source_root_size;
};

/* Bytes that a registry for `max_sites` sites allocates. */
uint64_t ludus_registry_memory_bytes(uint32_t max_sites);

/* Makes room for `max_sites`, never less than there was, and takes the source root that files are
 * made relative to. Errors: MEMORY. While nothing is recorded. */
LUDUS_CHECKED enum ludus_status ludus_registry_reserve(struct ludus_site_registry *registry,
                                                       uint32_t max_sites, const char *source_root);

/* Gives `site` its id, once, and returns it: that of the overflow site when there is no room. Any
 * thread. */
uint32_t ludus_registry_add_site(struct ludus_site_registry *registry, struct ludus_site *site);

/* Registers the counter's site and gives it the number of its cell, from 1 on, once: the same for
 * all that are one site. LUDUS_NO_CELL for the overflow site. Returns the site's id. Any thread. */
uint32_t ludus_registry_add_counter(struct ludus_site_registry *registry,
                                    struct ludus_counter *counter);

/* The same for a domain: 1 to LUDUS_MAX_DOMAINS, or LUDUS_REFUSED_DOMAIN. */
uint32_t ludus_registry_add_domain(struct ludus_site_registry *registry,
                                   struct ludus_domain *domain);

struct ludus_registry_counts ludus_registry_counts(struct ludus_site_registry *registry);

#endif
