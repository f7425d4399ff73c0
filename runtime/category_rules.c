/* Keeps and applies the rules by which categories are recorded or not. */
#include "category_rules.h"

#include <stdio.h>
#include <string.h>

#include "error_message.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_same(const char *rule, const char *name, size_t size)
{
    size_t i = 0;
    while (i < size && rule[i] != '\0' && lower(rule[i]) == lower(name[i]))
        i++;
    return i == size && rule[i] == '\0';
}

static bool is_all(const char *rule)
{
    return strcmp(rule, LUDUS_ALL_CATEGORIES) == 0;
}

/* Takes out the rules that a new one for `name` overrides in every case. */
static void drop_covered(struct ludus_category_rules *rules, const char *name, size_t size)
{
    const bool covers_all = is_same(LUDUS_ALL_CATEGORIES, name, size);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        if (!covers_all && !is_same(rules->rules[i].name, name, size))
            rules->rules[kept++] = rules->rules[i];
    }
    rules->count = kept;
}

enum ludus_status ludus_category_rules_add(struct ludus_category_rules *rules, const char *name,
                                           size_t size, bool is_recorded, struct ludus_error *error)
{
    if (size == 0)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "a category without a name: name one, or \"*\" for all");
    if (size > LUDUS_MAX_CATEGORY_RULE_BYTES)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "the category \"%.32s...\" has more than %u bytes", name,
                               LUDUS_MAX_CATEGORY_RULE_BYTES);
    drop_covered(rules, name, size);
    if (rules->count == LUDUS_MAX_CATEGORY_RULES)
        return ludus_error_set(error, LUDUS_ERROR_LIMIT,
                               "the category \"%.*s\": %u categories are switched already, which "
                               "are all; \"*\" switches the rest at once",
                               (int)size, name, LUDUS_MAX_CATEGORY_RULES);
    struct ludus_category_rule *rule = &rules->rules[rules->count++];
    memcpy(rule->name, name, size);
    rule->name[size] = '\0';
    rule->is_recorded = is_recorded;
    return LUDUS_OK;
}

/* One place of a list, spaces around it taken off. */
static enum ludus_status add_entry(struct ludus_category_rules *rules, const char *at, size_t size,
                                   struct ludus_error *error)
{
    while (size > 0 && at[0] == ' ') {
        at++;
        size--;
    }
    while (size > 0 && at[size - 1] == ' ')
        size--;
    if (size == 0)
        return LUDUS_OK;
    const bool is_recorded = at[0] != '-';
    return ludus_category_rules_add(rules, is_recorded ? at : at + 1, is_recorded ? size : size - 1,
                                    is_recorded, error);
}

enum ludus_status ludus_category_rules_add_list(struct ludus_category_rules *rules,
                                                const char *list, const char *origin,
                                                struct ludus_error *error)
{
    struct ludus_category_rules extended = *rules;
    struct ludus_error found = {0};
    for (const char *at = list;;) {
        const size_t size = strcspn(at, ",");
        const enum ludus_status status = add_entry(&extended, at, size, &found);
        if (status != LUDUS_OK)
            return ludus_error_set(error, status, "%s: %.400s", origin, found.message);
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    *rules = extended;
    return LUDUS_OK;
}

bool ludus_category_rules_admit(const struct ludus_category_rules *rules, const char *name,
                                size_t size)
{
    for (uint32_t i = rules->count; i-- > 0;) {
        const struct ludus_category_rule *rule = &rules->rules[i];
        if (is_all(rule->name) || (size > 0 && is_same(rule->name, name, size)))
            return rule->is_recorded;
    }
    return true;
}

void ludus_category_rules_text(const struct ludus_category_rules *rules, char *text,
                               size_t capacity)
{
    size_t size = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < rules->count && size < capacity; i++) {
        const struct ludus_category_rule *rule = &rules->rules[i];
        const int added = snprintf(text + size, capacity - size, "%s%s%s", i > 0 ? "," : "",
                                   rule->is_recorded ? "" : "-", rule->name);
        size += added > 0 ? (size_t)added : 0;
    }
}
