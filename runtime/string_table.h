/* Strings that the recorder keeps a copy of, each once, by number. */
#ifndef LUDUS_STRING_TABLE_H
#define LUDUS_STRING_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <ludus/status.h>

/* Strings are numbered from 1 on. Nothing is ever removed. The owner locks. */
struct ludus_string_table {
    struct ludus_stored_string {
        uint32_t offset;
        uint32_t size;
        uint64_t hash;
    } * strings;
    uint32_t *slots; /* open addressing: a string's number, or 0 */
    char *bytes;
    uint32_t count;
    uint32_t capacity;
    uint32_t slot_count; /* a power of two */
    uint32_t byte_count;
    uint32_t byte_capacity;
};

/* Bytes that a table for so many strings of so many bytes takes. */
uint64_t ludus_string_table_memory_bytes(uint32_t capacity, uint32_t byte_capacity);

/* Makes room; what is stored keeps its number. All memory is touched. The table starts as zeros.
 * Errors: MEMORY, after which it is unchanged. */
LUDUS_CHECKED enum ludus_status ludus_string_table_reserve(struct ludus_string_table *table,
                                                           uint32_t capacity,
                                                           uint32_t byte_capacity);

/* The number of the string, which is stored when it is new; 0 when there is no room. */
uint32_t ludus_string_table_add(struct ludus_string_table *table, const char *text, size_t size);

/* The bytes of string `number`, which must exist. They stay until the next reserve. */
const char *ludus_string_table_get(const struct ludus_string_table *table, uint32_t number,
                                   uint32_t *size);

/* 64-bit FNV-1a of `size` bytes, continuing `hash`. */
#define LUDUS_FNV_BASIS 0xCBF29CE484222325u
uint64_t ludus_fnv_add(uint64_t hash, const void *bytes, size_t size);

/* The power of two at or above twice `count`. */
uint32_t ludus_slots_for(uint32_t count);

/* `size` zeroed bytes that are in memory already; NULL when there are none. */
void *ludus_allocate_touched(size_t size);

#endif
