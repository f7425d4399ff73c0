/* The gates that the macros look at: one for every category, one for sites that have none, and one
 * for what no category governs. All calls but ludus_gate_of_category need the registry's lock. */
#ifndef LUDUS_CATEGORY_GATES_H
#define LUDUS_CATEGORY_GATES_H

#include "site_registry.h"

#define LUDUS_GATE_RECORDING 0u /* frame marks, flow-ins, and sites not yet registered */
#define LUDUS_GATE_FREE      1u /* sites without a category */

/* `category` is an id of the registry, or 0. */
static inline uint32_t ludus_gate_of_category(uint32_t category)
{
    return LUDUS_GATE_FREE + category;
}

/* Opens all gates that the rules leave open: a recording begins, or the rules have changed. */
void ludus_gates_open(const struct ludus_site_registry *registry);

/* Shuts all: a recording ends. */
void ludus_gates_close(void);

/* Sets the gate of a new category, as it should be at present. */
void ludus_gates_add(const struct ludus_site_registry *registry, uint32_t category);

#endif
