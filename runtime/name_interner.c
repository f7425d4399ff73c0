/* Finds the site of a dynamic name, or makes it. */
#include "name_interner.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "recorder_core.h"
#include "site_label.h"
#include "string_table.h"

#define BYTES_PER_NAME 64u

struct entry {
    struct ludus_site site; /* label and function point into the shelf's bytes */
    uint64_t hash;
};

struct ludus_name_shelf {
    _Atomic(struct ludus_name_shelf *) next;
    struct entry *entries;
    _Atomic uint32_t *slots; /* open addressing: index of an entry + 1, or 0 */
    char *bytes;
    uint32_t capacity;
    uint32_t count;
    uint32_t slot_count;
    uint32_t byte_count;
    uint32_t byte_capacity;
};

/* A name and its category, both cut to what is kept. */
struct key {
    const char *name;
    const char *category;
    size_t name_size;
    size_t category_size;
    uint64_t hash;
};

/* Has no room of its own: the registry keeps it under its overflow site, whose place it names. */
static struct ludus_site overflow_site = {LUDUS_OVERFLOW_NAME, "", "", 0, LUDUS_SITE_PLAIN, 0, 0};

static uint64_t shelf_bytes(uint32_t max_names)
{
    return (uint64_t)max_names * (sizeof(struct entry) + BYTES_PER_NAME) +
           (uint64_t)ludus_slots_for(max_names) * sizeof(uint32_t) +
           sizeof(struct ludus_name_shelf);
}

uint64_t ludus_interner_memory_bytes(uint32_t max_names)
{
    return shelf_bytes(max_names);
}

/* One allocation, touched: the shelf, its entries, its slots, its bytes. */
static struct ludus_name_shelf *make_shelf(uint32_t max_names)
{
    char *memory = ludus_allocate_touched(shelf_bytes(max_names));
    if (memory == NULL)
        return NULL;
    struct ludus_name_shelf *shelf = (struct ludus_name_shelf *)(void *)memory;
    memory += sizeof *shelf;
    shelf->entries = (struct entry *)(void *)memory;
    memory += max_names * sizeof *shelf->entries;
    shelf->slot_count = ludus_slots_for(max_names);
    shelf->slots = (_Atomic uint32_t *)(void *)memory;
    shelf->bytes = memory + shelf->slot_count * sizeof *shelf->slots;
    shelf->byte_capacity = max_names * BYTES_PER_NAME;
    shelf->capacity = max_names;
    return shelf;
}

enum ludus_status ludus_interner_reserve(struct ludus_name_interner *interner, uint32_t max_names)
{
    atomic_store(&interner->refused, 0);
    atomic_store(&interner->cut, 0);
    if (max_names <= interner->capacity)
        return LUDUS_OK;
    struct ludus_name_shelf *shelf = make_shelf(max_names - interner->capacity);
    if (shelf == NULL)
        return LUDUS_ERROR_MEMORY;
    _Atomic(struct ludus_name_shelf *) *end = &interner->first;
    while (atomic_load(end) != NULL)
        end = &atomic_load(end)->next;
    atomic_store(end, shelf);
    interner->capacity = max_names;
    return LUDUS_OK;
}

static struct key make_key(struct ludus_name_interner *interner, const char *name,
                           const char *category)
{
    struct key key = {.name = name != NULL && name[0] != '\0' ? name : "(unnamed)",
                      .category = category != NULL ? category : ""};
    const size_t limit = LUDUS_MAX_DYNAMIC_NAME_BYTES;
    const size_t name_size = strnlen(key.name, limit + 1);
    const size_t category_size = strnlen(key.category, limit + 1);
    key.name_size = ludus_label_cut(key.name, name_size, limit);
    key.category_size = ludus_label_cut(key.category, category_size, limit);
    if (name_size > limit || category_size > limit)
        atomic_fetch_add_explicit(&interner->cut, 1, memory_order_relaxed);
    key.hash = ludus_fnv_add(LUDUS_FNV_BASIS, key.name, key.name_size);
    key.hash = ludus_fnv_add(key.hash, "", 1);
    key.hash = ludus_fnv_add(key.hash, key.category, key.category_size);
    return key;
}

static bool is_text(const char *stored, const char *text, size_t size)
{
    return memcmp(stored, text, size) == 0 && stored[size] == '\0';
}

/* The entry of the key, or NULL and the slot where it would be. */
static struct entry *find(const struct ludus_name_shelf *shelf, const struct key *key,
                          uint32_t *free_slot)
{
    uint32_t slot = (uint32_t)key->hash & (shelf->slot_count - 1);
    for (;; slot = (slot + 1) & (shelf->slot_count - 1)) {
        /* Pairs with the release of the adding: the entry is whole. */
        const uint32_t index = atomic_load_explicit(&shelf->slots[slot], memory_order_acquire);
        if (index == 0)
            break;
        struct entry *entry = &shelf->entries[index - 1];
        if (entry->hash == key->hash && is_text(entry->site.label, key->name, key->name_size) &&
            is_text(entry->site.function, key->category, key->category_size))
            return entry;
    }
    *free_slot = slot;
    return NULL;
}

static struct entry *find_anywhere(struct ludus_name_interner *interner, const struct key *key)
{
    uint32_t slot;
    struct entry *found = NULL;
    struct ludus_name_shelf *shelf = atomic_load_explicit(&interner->first, memory_order_acquire);
    while (shelf != NULL && found == NULL) {
        found = find(shelf, key, &slot);
        shelf = atomic_load_explicit(&shelf->next, memory_order_acquire);
    }
    return found;
}

static const char *keep_text(struct ludus_name_shelf *shelf, const char *text, size_t size)
{
    char *kept = shelf->bytes + shelf->byte_count;
    memcpy(kept, text, size);
    kept[size] = '\0';
    shelf->byte_count += (uint32_t)size + 1;
    return kept;
}

/* Adds the key to the first shelf with room. NULL: there is none. The lock is held. */
static struct entry *add(struct ludus_name_interner *interner, const struct key *key)
{
    const size_t size = key->name_size + key->category_size + 2;
    struct ludus_name_shelf *shelf = atomic_load(&interner->first);
    while (shelf != NULL &&
           (shelf->count == shelf->capacity || shelf->byte_capacity - shelf->byte_count < size))
        shelf = atomic_load(&shelf->next);
    if (shelf == NULL)
        return NULL;
    uint32_t slot;
    (void)find(shelf, key, &slot);
    struct entry *entry = &shelf->entries[shelf->count++];
    entry->hash = key->hash;
    entry->site =
        (struct ludus_site){.label = keep_text(shelf, key->name, key->name_size),
                            .file = "",
                            .function = keep_text(shelf, key->category, key->category_size),
                            .form = LUDUS_SITE_DYNAMIC};
    atomic_store_explicit(&shelf->slots[slot], shelf->count, memory_order_release);
    return entry;
}

struct ludus_site *ludus_site_intern(const char *name, const char *category)
{
    struct ludus_name_interner *interner = &ludus_core.names;
    const struct key key = make_key(interner, name, category);
    struct entry *entry = find_anywhere(interner, &key);
    if (entry != NULL)
        return &entry->site;
    pthread_mutex_lock(&ludus_core.registry.mutex);
    /* Before the first start nobody has said how many. */
    if (interner->capacity > 0 ||
        ludus_interner_reserve(interner, LUDUS_DEFAULT_DYNAMIC_NAMES) == LUDUS_OK) {
        entry = find_anywhere(interner, &key); /* another thread may have been faster */
        if (entry == NULL)
            entry = add(interner, &key);
    }
    pthread_mutex_unlock(&ludus_core.registry.mutex);
    if (entry != NULL)
        return &entry->site;
    atomic_fetch_add_explicit(&interner->refused, 1, memory_order_relaxed);
    return &overflow_site;
}
