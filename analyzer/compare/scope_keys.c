/* What makes scopes of different runs the same one. */
#include "scope_keys.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_TABLE 256u

/* FNV-1a, each text with its size behind it, so that "ab" "c" is not "a" "bc". */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_text(uint64_t hash, struct trace_text text)
{
    hash = text.size == 0 ? hash : hash_bytes(hash, text.data, text.size);
    return hash_bytes(hash, &text.size, sizeof text.size);
}

static uint64_t hash_key(const struct trace_scope_key *key)
{
    uint64_t hash = hash_bytes(0xCBF29CE484222325u, &key->parent, sizeof key->parent);

    hash = hash_text(hash, key->name);
    hash = hash_text(hash, key->file);
    return hash_text(hash, key->category);
}

static bool is_same(const struct trace_scope_key *a, const struct trace_scope_key *b)
{
    return a->parent == b->parent && trace_text_equals(a->name, b->name) &&
           trace_text_equals(a->file, b->file) && trace_text_equals(a->category, b->category);
}

/* Where the key is in the table, or would be. */
static uint32_t *find_slot(const struct trace_scope_keys *keys, const struct trace_scope_key *key)
{
    uint32_t mask = keys->table_size - 1;
    uint32_t at = (uint32_t)hash_key(key) & mask;

    while (keys->table[at] != 0 && !is_same(&keys->items[keys->table[at] - 1], key))
        at = (at + 1) & mask;
    return &keys->table[at];
}

/* Keeps at least half of the table free. */
static bool make_room(struct trace_scope_keys *keys)
{
    if (keys->table_size != 0 && keys->count < keys->table_size / 2)
        return true;
    uint32_t *old = keys->table;
    uint32_t size = keys->table_size == 0 ? FIRST_TABLE : 2 * keys->table_size;
    uint32_t *table = calloc(size, sizeof *table);
    if (table == NULL)
        return false;
    keys->table = table;
    keys->table_size = size;
    for (uint32_t i = 0; i < keys->count; i++)
        *find_slot(keys, &keys->items[i]) = i + 1;
    free(old);
    return true;
}

static bool copy_text(struct trace_scope_keys *keys, struct trace_text *text)
{
    return trace_model_copy_text(keys->texts, text->data, text->size, text) == LUDUS_OK;
}

static bool add(struct trace_scope_keys *keys, struct trace_scope_key key)
{
    if (!copy_text(keys, &key.name) || !copy_text(keys, &key.file) ||
        !copy_text(keys, &key.category) || !trace_array_grow(&keys->items, keys->count, sizeof key))
        return false;
    keys->items[keys->count++] = key;
    return true;
}

bool trace_scope_keys_create(struct trace_scope_keys *keys)
{
    *keys = (struct trace_scope_keys){0};
    return trace_model_create(&keys->texts) == LUDUS_OK;
}

/* The key, `scope` of which is set when it is new; TRACE_NONE for that stands for the key itself.
 */
static uint32_t put(struct trace_scope_keys *keys, const struct trace_scope_key *key,
                    uint32_t scope)
{
    if (!make_room(keys))
        return TRACE_NONE;
    uint32_t *slot = find_slot(keys, key);
    if (*slot == 0) {
        if (!add(keys, *key))
            return TRACE_NONE;
        *slot = keys->count;
        keys->items[*slot - 1].scope = scope == TRACE_NONE ? *slot - 1 : scope;
    }
    return *slot - 1;
}

uint32_t trace_scope_keys_put(struct trace_scope_keys *keys, const struct trace_scope_key *key)
{
    struct trace_scope_key alone = *key;

    alone.parent = TRACE_NONE;
    uint32_t scope = put(keys, &alone, TRACE_NONE);
    return scope == TRACE_NONE || key->parent == TRACE_NONE ? scope : put(keys, key, scope);
}

uint32_t trace_scope_keys_put_site(struct trace_scope_keys *keys, const struct trace_model *model,
                                   uint32_t site, uint32_t parent)
{
    const struct trace_site *place = &model->sites[site];
    struct trace_scope_key key = {
        .name = place->name,
        .file = place->file,
        .parent = parent,
        .is_waiting = trace_site_is_waiting(model, site),
    };

    if (place->category != TRACE_NONE)
        key.category = model->categories[place->category].name;
    return trace_scope_keys_put(keys, &key);
}

bool trace_scope_keys_note_line(struct trace_scope_keys *keys, uint32_t key, uint32_t line,
                                enum trace_side side)
{
    if (!trace_array_grow(&keys->lines, keys->line_count, sizeof *keys->lines))
        return false;
    struct trace_key_line *added = &keys->lines[keys->line_count++];
    *added = (struct trace_key_line){.key = key, .line = line};
    added->is_of[side] = true;
    return true;
}

static int compare_lines(const void *left, const void *right)
{
    const struct trace_key_line *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static void sort_lines(struct trace_scope_keys *keys)
{
    uint32_t kept = 0;

    if (keys->line_count == 0)
        return;
    qsort(keys->lines, keys->line_count, sizeof *keys->lines, compare_lines);
    for (uint32_t i = 1; i < keys->line_count; i++) {
        if (compare_lines(&keys->lines[kept], &keys->lines[i]) != 0)
            keys->lines[++kept] = keys->lines[i];
        for (uint32_t side = 0; side < TRACE_SIDES; side++)
            keys->lines[kept].is_of[side] |= keys->lines[i].is_of[side];
    }
    keys->line_count = kept + 1;
}

static int compare_names(const void *left, const void *right)
{
    const struct trace_scope_key *a = *(struct trace_scope_key *const *)left;
    const struct trace_scope_key *b = *(struct trace_scope_key *const *)right;

    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (a->name.size != b->name.size)
        return a->name.size < b->name.size ? -1 : 1;
    return a->name.size == 0 ? 0 : memcmp(a->name.data, b->name.data, a->name.size);
}

static bool find_names(struct trace_scope_keys *keys)
{
    struct trace_scope_key **sorted = calloc((size_t)keys->count + 1, sizeof *sorted);

    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < keys->count; i++)
        sorted[i] = &keys->items[i];
    qsort(sorted, keys->count, sizeof *sorted, compare_names);
    for (uint32_t i = 1; i < keys->count; i++)
        if (compare_names(&sorted[i - 1], &sorted[i]) == 0)
            sorted[i - 1]->is_named_twice = sorted[i]->is_named_twice = true;
    free(sorted);
    return true;
}

bool trace_scope_keys_sort(struct trace_scope_keys *keys)
{
    sort_lines(keys);
    return find_names(keys);
}

const struct trace_key_line *trace_scope_keys_find_lines(const struct trace_scope_keys *keys,
                                                         uint32_t key, uint32_t *count)
{
    uint32_t low = 0, high = keys->line_count;

    while (low < high) { /* the first one of the key */
        uint32_t middle = low + (high - low) / 2;
        if (keys->lines[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    while (high < keys->line_count && keys->lines[high].key == key)
        high++;
    *count = high - low;
    return keys->lines + low;
}

void trace_scope_keys_destroy(struct trace_scope_keys *keys)
{
    free(keys->items);
    free(keys->table);
    free(keys->lines);
    trace_model_destroy(keys->texts);
    *keys = (struct trace_scope_keys){0};
}
