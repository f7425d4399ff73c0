/* A comparison's configuration: its defaults, and what it says of a name. */
#include "diff_config.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "diff_config_keys.h"
#include "name_list.h"

static const struct trace_limits default_limits = {
    .relative = TRACE_RELATIVE,
    .absolute_ns = NAN,
    .absolute_of_frame = TRACE_ABSOLUTE_OF_FRAME,
    .min_calls = TRACE_MIN_CALLS,
    .budget_ns = NAN,
    .budget_inclusive_ns = NAN,
    .budget_calls = NAN,
    .budget_value = NAN,
};

static const struct trace_frame_limits default_frame = {
    .relative = TRACE_FRAME_RELATIVE,
    .more_hitches_per_1000 = TRACE_MORE_HITCHES_PER_1000,
    .more_hitches = TRACE_MORE_HITCHES,
    .hitch_ns = NAN,
    .budget_p50_ns = NAN,
    .budget_p95_ns = NAN,
    .budget_p99_ns = NAN,
    .budget_max_ns = NAN,
    .budget_hitches_per_1000 = NAN,
};

const char *const trace_fail_on_words[] = {"regression", "suspected", "budget",
                                           "loss",       "new",       NULL};

unsigned trace_fail_on_find(const char *word)
{
    for (unsigned i = 0; trace_fail_on_words[i] != NULL; i++)
        if (strcmp(trace_fail_on_words[i], word) == 0)
            return 1u << i;
    return 0;
}

void trace_diff_config_set_default(struct trace_diff_config *config)
{
    *config = (struct trace_diff_config){
        .limits = default_limits,
        .frame = default_frame,
        .level = TRACE_LEVEL,
        .max_loss = TRACE_MAX_LOSS,
        .min_frames = TRACE_MIN_FRAMES,
        .fail_on = TRACE_FAIL_ON_REGRESSION | TRACE_FAIL_ON_BUDGET,
    };
}

void trace_diff_config_destroy(struct trace_diff_config *config)
{
    if (config == NULL)
        return;
    for (uint32_t i = 0; i < TRACE_LIMIT_KINDS; i++)
        free(config->lists[i].items);
    json_decref(config->document);
    free(config);
}

static void copy_field(struct trace_limits *to, const struct trace_limits *from,
                       const struct trace_config_key *key)
{
    size_t size = key->kind == TRACE_CONFIG_REAL    ? sizeof(double)
                  : key->kind == TRACE_CONFIG_COUNT ? sizeof(uint64_t)
                                                    : sizeof(bool);
    memcpy((char *)to + key->offset, (const char *)from + key->offset, size);
}

/* What is known of a name so far: of which keys, and what. */
struct found_limits {
    struct trace_limits limits;
    uint32_t given;
};

/* Takes of an entry what nothing more exact gave. */
static void take(struct found_limits *found, const struct trace_limit_entry *entry)
{
    for (uint32_t i = 0; i < TRACE_LIMIT_KEYS; i++)
        if ((entry->given & ~found->given & 1u << i) != 0)
            copy_field(&found->limits, &entry->limits, &trace_limit_keys[i]);
    found->given |= entry->given;
}

/* First the entry that is the name, then the patterns that fit it. False when there is no memory.
 */
static bool take_fitting(struct found_limits *found, const struct trace_limit_list *list,
                         struct trace_text name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (!trace_text_is(name, list->items[i].name))
            continue;
        list->items[i].was_used = true;
        take(found, &list->items[i]);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        bool is_done = true;
        if (!trace_text_is(name, list->items[i].name) &&
            trace_name_fits(name, list->items[i].name, &is_done)) {
            list->items[i].was_used = true;
            take(found, &list->items[i]);
        }
        if (!is_done)
            return false;
    }
    return true;
}

bool trace_diff_config_limits_of(const struct trace_diff_config *config, enum trace_limit_kind kind,
                                 struct trace_text name, struct trace_limits *limits)
{
    struct found_limits found = {config == NULL ? default_limits : config->limits, 0};
    bool is_done = config == NULL || take_fitting(&found, &config->lists[kind], name);
    *limits = found.limits;
    return is_done;
}

bool trace_diff_config_limits(const struct trace_diff_config *config, struct trace_text name,
                              struct trace_text category, struct trace_limits *limits)
{
    struct found_limits found = {config == NULL ? default_limits : config->limits, 0};
    bool is_done = config == NULL ||
                   (take_fitting(&found, &config->lists[TRACE_LIMITS_OF_SCOPES], name) &&
                    (category.size == 0 ||
                     take_fitting(&found, &config->lists[TRACE_LIMITS_OF_CATEGORIES], category)));
    *limits = found.limits;
    return is_done;
}

bool trace_limits_have_budget(const struct trace_limits *limits)
{
    return !isnan(limits->budget_ns) || !isnan(limits->budget_inclusive_ns) ||
           !isnan(limits->budget_calls) || !isnan(limits->budget_value);
}

const struct trace_limit_entry *
trace_diff_config_next_unused(const struct trace_diff_config *config, uint32_t *index,
                              enum trace_limit_kind *kind)
{
    uint32_t first = 0; /* of the list, among the entries of all */
    for (uint32_t i = 0; i < TRACE_LIMIT_KINDS; i++) {
        const struct trace_limit_list *list = &config->lists[i];
        while (*index - first < list->count) {
            const struct trace_limit_entry *entry = &list->items[(*index)++ - first];
            *kind = (enum trace_limit_kind)i;
            if (!entry->was_used)
                return entry;
        }
        first += list->count;
    }
    return NULL;
}
