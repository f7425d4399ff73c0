/* Keeps strings, each once: an array of bytes that only grows at its end, and a hash table over
 * it. */
#include "string_table.h"

#include <stdlib.h>
#include <string.h>

uint64_t ludus_fnv_add(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash;
}

uint32_t ludus_slots_for(uint32_t count)
{
    uint32_t slots = 16;
    while (slots / 2 < count)
        slots *= 2;
    return slots;
}

void *ludus_allocate_touched(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory != NULL)
        memset(memory, 0, size);
    /* Without this, a compiler may turn the two calls into calloc, which leaves pages untouched. */
    __asm__ volatile("" : : "r"(memory) : "memory");
    return memory;
}

uint64_t ludus_string_table_memory_bytes(uint32_t capacity, uint32_t byte_capacity)
{
    return (uint64_t)capacity * sizeof(struct ludus_stored_string) +
           (uint64_t)ludus_slots_for(capacity) * sizeof(uint32_t) + byte_capacity;
}

static void insert_slot(uint32_t *slots, uint32_t slot_count, uint64_t hash, uint32_t number)
{
    uint32_t slot = (uint32_t)hash & (slot_count - 1);
    while (slots[slot] != 0)
        slot = (slot + 1) & (slot_count - 1);
    slots[slot] = number;
}

enum ludus_status ludus_string_table_reserve(struct ludus_string_table *table, uint32_t capacity,
                                             uint32_t byte_capacity)
{
    if (capacity <= table->capacity && byte_capacity <= table->byte_capacity)
        return LUDUS_OK;
    struct ludus_string_table wide = *table;
    wide.capacity = capacity > table->capacity ? capacity : table->capacity;
    wide.byte_capacity =
        byte_capacity > table->byte_capacity ? byte_capacity : table->byte_capacity;
    wide.slot_count = ludus_slots_for(wide.capacity);
    wide.strings = ludus_allocate_touched((size_t)wide.capacity * sizeof wide.strings[0]);
    wide.slots = ludus_allocate_touched((size_t)wide.slot_count * sizeof wide.slots[0]);
    wide.bytes = ludus_allocate_touched(wide.byte_capacity);
    if (wide.strings == NULL || wide.slots == NULL || wide.bytes == NULL) {
        free(wide.strings);
        free(wide.slots);
        free(wide.bytes);
        return LUDUS_ERROR_MEMORY;
    }
    if (table->count > 0) {
        memcpy(wide.strings, table->strings, (size_t)table->count * sizeof wide.strings[0]);
        memcpy(wide.bytes, table->bytes, table->byte_count);
    }
    for (uint32_t i = 0; i < wide.count; i++)
        insert_slot(wide.slots, wide.slot_count, wide.strings[i].hash, i + 1);
    free(table->strings);
    free(table->slots);
    free(table->bytes);
    *table = wide;
    return LUDUS_OK;
}

uint32_t ludus_string_table_add(struct ludus_string_table *table, const char *text, size_t size)
{
    const uint64_t hash = ludus_fnv_add(LUDUS_FNV_BASIS, text, size);
    uint32_t slot = (uint32_t)hash & (table->slot_count - 1);
    for (; table->slots[slot] != 0; slot = (slot + 1) & (table->slot_count - 1)) {
        const struct ludus_stored_string *stored = &table->strings[table->slots[slot] - 1];
        if (stored->hash == hash && stored->size == size &&
            memcmp(table->bytes + stored->offset, text, size) == 0)
            return table->slots[slot];
    }
    if (table->count == table->capacity || size > table->byte_capacity - table->byte_count)
        return 0;
    if (size > 0)
        memcpy(table->bytes + table->byte_count, text, size);
    table->strings[table->count] =
        (struct ludus_stored_string){table->byte_count, (uint32_t)size, hash};
    table->byte_count += (uint32_t)size;
    table->count++;
    table->slots[slot] = table->count;
    return table->count;
}

const char *ludus_string_table_get(const struct ludus_string_table *table, uint32_t number,
                                   uint32_t *size)
{
    const struct ludus_stored_string *stored = &table->strings[number - 1];
    *size = stored->size;
    return table->bytes + stored->offset;
}
