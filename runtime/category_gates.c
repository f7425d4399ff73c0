/* Opens and shuts the gates.
 *
 * They are plain bytes that threads read without order: a thread that sees a gate open a moment too
 * early finds that its track has no token, and one that sees it shut a moment too late records what
 * it began before. Neither leaves half a scope. */
#include "category_gates.h"

#include <ludus/profile.h>

uint8_t ludus_gates[LUDUS_GATE_FREE + LUDUS_MAX_CATEGORIES + 1];

static void set_gate(uint32_t gate, bool is_open)
{
    __atomic_store_n(&ludus_gates[gate], is_open ? 1u : 0u, __ATOMIC_RELAXED);
}

static bool is_admitted(const struct ludus_site_registry *registry, uint32_t category)
{
    uint32_t size = 0;
    const char *name = "";
    if (category != 0)
        name = ludus_string_table_get(&registry->strings, registry->categories[category - 1].name,
                                      &size);
    return registry->admits_events && ludus_category_rules_admit(&registry->rules, name, size);
}

void ludus_gates_open(const struct ludus_site_registry *registry)
{
    for (uint32_t category = 0; category <= registry->counts.categories; category++)
        set_gate(ludus_gate_of_category(category), is_admitted(registry, category));
    /* The release orders what start has prepared before the first event that is admitted. */
    __atomic_store_n(&ludus_gates[LUDUS_GATE_RECORDING], 1u, __ATOMIC_RELEASE);
}

void ludus_gates_close(void)
{
    for (uint32_t gate = 0; gate < sizeof ludus_gates; gate++)
        set_gate(gate, false);
}

void ludus_gates_add(const struct ludus_site_registry *registry, uint32_t category)
{
    set_gate(ludus_gate_of_category(category),
             ludus_gate_is_open(LUDUS_GATE_RECORDING) && is_admitted(registry, category));
}
