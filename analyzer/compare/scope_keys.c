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

/* A key with a parent is a scope below it: the texts are the scope's. */
static uint64_t hash_key(const struct trace_scope_key *key)
{
    if (key->parent != TRACE_NONE) {
        uint64_t hash = ((uint64_t)key->parent << 32 | key->scope) * 0x9E3779B97F4A7C15u;
        return hash ^ hash >> 32;
    }
    uint64_t hash = hash_text(0xCBF29CE484222325u, key->name);
    hash = hash_text(hash, key->file);
    return hash_text(hash, key->category);
}

static bool is_same(const struct trace_scope_key *a, const struct trace_scope_key *b)
{
    if (a->parent != b->parent || a->parent != TRACE_NONE)
        return a->parent == b->parent && a->scope == b->scope;
    return trace_text_equals(a->name, b->name) && trace_text_equals(a->file, b->file) &&
           trace_text_equals(a->category, b->category);
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

/* A key with a parent has the scope's texts. */
static bool add(struct trace_scope_keys *keys, struct trace_scope_key key)
{
    bool has_texts =
        key.parent != TRACE_NONE || (copy_text(keys, &key.name) && copy_text(keys, &key.file) &&
                                     copy_text(keys, &key.category));

    if (!has_texts || !trace_array_grow(&keys->items, keys->count, sizeof key))
        return false;
    keys->items[keys->count++] = key;
    return true;
}

bool trace_scope_keys_create(struct trace_scope_keys *keys)
{
    *keys = (struct trace_scope_keys){0};
    return trace_model_create(&keys->texts) == LUDUS_OK;
}

static uint32_t put(struct trace_scope_keys *keys, const struct trace_scope_key *key)
{
    if (!make_room(keys))
        return TRACE_NONE;
    uint32_t *slot = find_slot(keys, key);
    if (*slot == 0) {
        if (!add(keys, *key))
            return TRACE_NONE;
        *slot = keys->count;
        if (key->parent == TRACE_NONE)
            keys->items[*slot - 1].scope = *slot - 1;
    }
    return *slot - 1;
}

uint32_t trace_scope_keys_put(struct trace_scope_keys *keys, const struct trace_scope_key *key)
{
    struct trace_scope_key alone = *key;

    alone.parent = TRACE_NONE;
    return trace_scope_keys_put_below(keys, put(keys, &alone), key->parent);
}

uint32_t trace_scope_keys_put_below(struct trace_scope_keys *keys, uint32_t scope, uint32_t parent)
{
    if (scope == TRACE_NONE || parent == TRACE_NONE)
        return scope;
    struct trace_scope_key key = keys->items[scope];
    key.parent = parent;
    key.last_line = 0;
    return put(keys, &key);
}

uint32_t trace_scope_keys_put_site(struct trace_scope_keys *keys, const struct trace_model *model,
                                   uint32_t site)
{
    const struct trace_site *place = &model->sites[site];
    struct trace_scope_key key = {
        .name = place->name,
        .file = place->file,
        .parent = TRACE_NONE,
        .is_waiting = trace_site_is_waiting(model, site),
    };

    if (place->category != TRACE_NONE)
        key.category = model->categories[place->category].name;
    return trace_scope_keys_put(keys, &key);
}

bool trace_scope_keys_note_line(struct trace_scope_keys *keys, uint32_t key, uint32_t line,
                                enum trace_side side)
{
    struct trace_scope_key *item = &keys->items[key];

    /* Nearly always the line is where it was in the run before. */
    if (item->last_line == 0 || keys->lines[item->last_line - 1].line != line) {
        if (!trace_array_grow(&keys->lines, keys->line_count, sizeof *keys->lines))
            return false;
        keys->lines[keys->line_count++] = (struct trace_key_line){.key = key, .line = line};
        item->last_line = keys->line_count;
    }
    keys->lines[item->last_line - 1].is_of[side] = true;
    return true;
}

static int compare_lines(const void *left, const void *right)
{
    const struct trace_key_line *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

void trace_scope_keys_sort_lines(struct trace_scope_keys *keys)
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
    trace_scope_keys_sort_lines(keys);
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
    return *count == 0 ? NULL : &keys->lines[low];
}

void trace_scope_keys_destroy(struct trace_scope_keys *keys)
{
    free(keys->items);
    free(keys->table);
    free(keys->lines);
    trace_model_destroy(keys->texts);
    *keys = (struct trace_scope_keys){0};
}
