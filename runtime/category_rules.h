/* Rules that say by name which categories are recorded. */
#ifndef LUDUS_CATEGORY_RULES_H
#define LUDUS_CATEGORY_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ludus/status.h>

#define LUDUS_MAX_CATEGORY_RULES      64u
#define LUDUS_MAX_CATEGORY_RULE_BYTES 63u
#define LUDUS_ALL_CATEGORIES          "*"

/* The last rule that fits a category decides; without one it is recorded. All zero: no rules. */
struct ludus_category_rules {
    struct ludus_category_rule {
        char name[LUDUS_MAX_CATEGORY_RULE_BYTES + 1];
        bool is_recorded;
    } rules[LUDUS_MAX_CATEGORY_RULES];
    uint32_t count;
};

/* Adds a rule for the category `name`, or for all when that is "*", in place of earlier ones that
 * it covers. Errors: ARGUMENT (no name, or one too long), LIMIT. */
LUDUS_CHECKED enum ludus_status ludus_category_rules_add(struct ludus_category_rules *rules,
                                                         const char *name, size_t size,
                                                         bool is_recorded,
                                                         struct ludus_error *error);

/* Adds the rules of a list such as "render,-ai": names between commas, in their order, a minus in
 * front for those that are not recorded. Spaces around them, and empty places, mean nothing.
 * `origin` names the list in messages. Errors: as above; nothing is added then. */
LUDUS_CHECKED enum ludus_status ludus_category_rules_add_list(struct ludus_category_rules *rules,
                                                              const char *list, const char *origin,
                                                              struct ludus_error *error);

/* Whether the category is recorded. Names are compared without regard to the case of ASCII letters;
 * size 0 stands for sites without a category, which only "*" covers. */
bool ludus_category_rules_admit(const struct ludus_category_rules *rules, const char *name,
                                size_t size);

/* The rules as a list, which is cut when it does not fit; "" when there are none. */
void ludus_category_rules_text(const struct ludus_category_rules *rules, char *text,
                               size_t capacity);

#endif
