/* Facts about the program, its build and the machine, for the session block of a capture. */
#ifndef LUDUS_MACHINE_FACTS_H
#define LUDUS_MACHINE_FACTS_H

#include <stddef.h>

#include <ludus/recorder.h>

#include "lcap_records.h"
#include "memory_plan.h"

#define LUDUS_MAX_FACTS   48u
#define LUDUS_FACTS_BYTES 16384u

/* Facts point into `bytes`. */
struct ludus_machine_facts {
    struct lcap_fact facts[LUDUS_MAX_FACTS];
    size_t count;
    size_t byte_count;
    char bytes[LUDUS_FACTS_BYTES];
};

/* Collects all facts that are known; the others are left out. Limits are those of the plan. */
void ludus_facts_collect(struct ludus_machine_facts *facts,
                         const struct ludus_recorder_config *config,
                         const struct ludus_memory_plan *plan);

/* The beginning of a file, as a string; empty when it cannot be read. */
void ludus_read_text(const char *path, char *text, size_t capacity);

void ludus_facts_add_number(struct ludus_machine_facts *facts, const char *key, uint64_t value);

/* Adds a fact unless its value is NULL or empty. Long values are cut. */
void ludus_facts_add(struct ludus_machine_facts *facts, const char *key, const char *value);

#endif
