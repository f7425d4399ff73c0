/* Sites whose names are made while the program runs. They keep their memory for the life of the
 * process, for the program keeps pointers to them. */
#ifndef LUDUS_NAME_INTERNER_H
#define LUDUS_NAME_INTERNER_H

#include <stdatomic.h>
#include <stdint.h>

#include <ludus/profile.h>
#include <ludus/status.h>

#define LUDUS_MAX_DYNAMIC_NAME_BYTES 255u /* of a name, and of a category */
#define LUDUS_DEFAULT_DYNAMIC_NAMES  1024u

/* Room for a number of names. Once there are names in it, it is never moved or freed. */
struct ludus_name_shelf;

/* Any thread looks names up without a lock; they are added, and shelves too, under the registry's.
 * All zero is empty. */
struct ludus_name_interner {
    _Atomic(struct ludus_name_shelf *) first;
    uint32_t capacity;        /* names, of all shelves */
    _Atomic uint64_t refused; /* calls in this recording that got the overflow site */
    _Atomic uint64_t cut;     /* calls in this recording whose name was longer than is kept */
};

/* Bytes that room for so many names takes. */
uint64_t ludus_interner_memory_bytes(uint32_t max_names);

/* Makes room for `max_names` in all, never less than there was, and counts from 0 again. The lock
 * is held. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status ludus_interner_reserve(struct ludus_name_interner *interner,
                                                       uint32_t max_names);

#endif
