/* Switches the recording of categories: at start, and at any time. */
#include "recorder_categories.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ludus/profile.h>

#include "category_gates.h"
#include "recorder_clock.h"
#include "recorder_core.h"

enum ludus_status ludus_categories_start(const struct ludus_recorder_config *config,
                                         struct ludus_error *error)
{
    struct ludus_site_registry *registry = &ludus_core.registry;
    const char *environment = getenv("LUDUS_CATEGORIES");
    enum ludus_status status = LUDUS_OK;
    pthread_mutex_lock(&registry->mutex);
    struct ludus_category_rules rules = registry->rules;
    if (config->categories != NULL)
        status =
            ludus_category_rules_add_list(&rules, config->categories, "config.categories", error);
    if (status == LUDUS_OK && environment != NULL)
        status = ludus_category_rules_add_list(&rules, environment, "LUDUS_CATEGORIES", error);
    if (status == LUDUS_OK)
        registry->rules = rules;
    pthread_mutex_unlock(&registry->mutex);
    return status;
}

enum ludus_status ludus_recorder_set_category(const char *category, int is_recorded,
                                              struct ludus_error *error)
{
    struct ludus_site_registry *registry = &ludus_core.registry;
    if (error != NULL)
        *error = (struct ludus_error){0};
    const char *name = category != NULL ? category : "";
    pthread_mutex_lock(&registry->mutex);
    const enum ludus_status status =
        ludus_category_rules_add(&registry->rules, name, strlen(name), is_recorded != 0, error);
    const bool is_recording = ludus_gate_is_open(LUDUS_GATE_RECORDING);
    if (status == LUDUS_OK && is_recording)
        ludus_gates_open(registry);
    pthread_mutex_unlock(&registry->mutex);
    if (status == LUDUS_OK && is_recording) {
        char text[LUDUS_DIAGNOSTIC_TEXT];
        snprintf(text, sizeof text, "%s: %s", name,
                 is_recorded != 0 ? "recorded from here on" : "not recorded from here on");
        ludus_report_diagnostic(&ludus_core.reports, LCAP_DIAGNOSTIC_CATEGORY_SWITCHED, 0,
                                ludus_clock_ticks(), text);
    }
    return status;
}

void ludus_categories_tell(struct ludus_machine_facts *facts)
{
    struct ludus_site_registry *registry = &ludus_core.registry;
    char text[LUDUS_MAX_CATEGORY_RULES * (LUDUS_MAX_CATEGORY_RULE_BYTES + 2)];
    pthread_mutex_lock(&registry->mutex);
    ludus_category_rules_text(&registry->rules, text, sizeof text);
    pthread_mutex_unlock(&registry->mutex);
    ludus_facts_add(facts, "recorder.categories", text);
}
