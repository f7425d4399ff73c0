/* Reads a comparison's configuration from JSON, and says of what it cannot take: file, line, key
 * and what is allowed. */
#include <math.h>
#include <stdlib.h>

#include "diff_config_refuse.h"
#include "failure.h"
#include "window.h"

/* The object that is read, and where its limits go. */
struct config_target {
    enum trace_config_object object;
    struct trace_limits *limits;
    uint32_t given; /* bits, as of struct trace_limit_entry */
};

/* Goes to a member or element, and back. */
static void enter(struct trace_config_reader *reader, const char *key, uint32_t ordinal)
{
    reader->keys[reader->place.depth] = key;
    reader->place.ordinals[reader->place.depth++] = ordinal;
}

static void leave(struct trace_config_reader *reader)
{
    reader->place.depth--;
}

static enum ludus_status read_number(const struct trace_config_reader *reader,
                                     const struct trace_config_key *key, const json_t *json,
                                     void *field)
{
    double value = json_number_value(json);
    bool is_count = key->kind == TRACE_CONFIG_COUNT;
    if (!json_is_number(json) || !(value >= key->minimum && value <= key->maximum) ||
        (is_count && value != floor(value)))
        return trace_config_refuse_number(reader, key, json);
    if (is_count)
        *(uint64_t *)field = (uint64_t)value;
    else
        *(double *)field = trace_config_stored(key, value);
    return LUDUS_OK;
}

static enum ludus_status read_text(const struct trace_config_reader *reader,
                                   const struct trace_config_key *key, const json_t *json,
                                   const char **field)
{
    struct trace_window_spec spec;
    struct ludus_error reason;
    if (!json_is_string(json))
        return trace_config_refuse_type(reader, "text", json);
    if (json_string_length(json) == 0)
        return trace_config_refuse(reader, "is empty; leave the key out, or say which");
    if (key->kind == TRACE_CONFIG_WINDOW &&
        trace_window_parse(json_string_value(json), &spec, &reason) != LUDUS_OK)
        return trace_config_refuse(reader, reason.message);
    *field = json_string_value(json);
    return LUDUS_OK;
}

static enum ludus_status read_word(struct trace_config_reader *reader, uint32_t ordinal,
                                   const char *word, unsigned *bits)
{
    unsigned bit = trace_fail_on_find(word);
    enum ludus_status status = LUDUS_OK;
    *bits |= bit;
    enter(reader, word, ordinal);
    if (bit == 0)
        status = trace_config_refuse_name(reader, "is no word here", trace_fail_on_words);
    leave(reader);
    return status;
}

static enum ludus_status read_words(struct trace_config_reader *reader, const json_t *json,
                                    unsigned *field)
{
    enum ludus_status status = LUDUS_OK;
    if (!json_is_array(json))
        return trace_config_refuse_type(reader, "a list of words", json);
    if (json_array_size(json) == 0)
        return trace_config_refuse(reader, "is empty: nothing would ever fail; name one of "
                                           "regression, suspected, budget, loss, new");
    *field = 0;
    for (uint32_t i = 0; status == LUDUS_OK && i < json_array_size(json); i++) {
        const char *word = json_string_value(json_array_get(json, i));
        status = word == NULL
                     ? trace_config_refuse_type(reader, "a list of words", json_array_get(json, i))
                     : read_word(reader, i, word, field);
    }
    return status;
}

static enum ludus_status read_object(struct trace_config_reader *reader,
                                     struct config_target *target, json_t *json);

static enum ludus_status read_frame(struct trace_config_reader *reader, json_t *json)
{
    struct config_target frame = {TRACE_CONFIG_FRAME, NULL, 0};
    return read_object(reader, &frame, json);
}

/* Makes room for the entries of a list, each with its line. */
static enum ludus_status make_entries(const struct trace_config_reader *reader,
                                      struct trace_limit_list *list, size_t count)
{
    uint32_t *lines = calloc(count + 1, sizeof *lines);
    list->items = calloc(count + 1, sizeof *list->items);
    if (lines == NULL || list->items == NULL) {
        free(lines);
        return trace_fail_memory(reader->error);
    }
    trace_config_lines(&reader->text, &reader->place, lines, count);
    for (size_t i = 0; i < count; i++) {
        list->items[i].line = lines[i];
        list->items[i].limits = (struct trace_limits){.absolute_ns = NAN,
                                                      .budget_ns = NAN,
                                                      .budget_inclusive_ns = NAN,
                                                      .budget_calls = NAN,
                                                      .budget_value = NAN};
    }
    free(lines);
    return LUDUS_OK;
}

static enum ludus_status read_list(struct trace_config_reader *reader, enum trace_limit_kind kind,
                                   json_t *json)
{
    struct trace_limit_list *list = &reader->config->lists[kind];
    const char *name;
    json_t *value;
    if (!json_is_object(json))
        return trace_config_refuse_type(reader, "an object of names", json);
    enum ludus_status status = make_entries(reader, list, json_object_size(json));
    json_object_foreach(json, name, value)
    {
        if (status != LUDUS_OK)
            break;
        struct trace_limit_entry *entry = &list->items[list->count];
        struct config_target target = {trace_config_object_of(kind), &entry->limits, 0};
        entry->name = name;
        enter(reader, name, list->count++);
        status = read_object(reader, &target, value);
        entry->given = target.given;
        leave(reader);
    }
    return status;
}

/* A limit. The two that exclude each other are given together, so that what a name says of one
 * holds against what its category says of the other. */
static enum ludus_status read_limit(const struct trace_config_reader *reader,
                                    struct config_target *target, uint32_t index,
                                    const json_t *json)
{
    const struct trace_config_key *key = &trace_limit_keys[index];
    void *field = (char *)target->limits + key->offset;
    uint32_t bits = 1u << index;
    if ((bits & TRACE_ABSOLUTE_KEYS) != 0)
        bits = TRACE_ABSOLUTE_KEYS;
    if ((target->given & bits) != 0)
        return trace_config_refuse(reader,
                                   "give absolute_ms or absolute_percent_of_frame, and not both");
    target->given |= bits;
    if (key->kind != TRACE_CONFIG_FLAG)
        return read_number(reader, key, json, field);
    if (!json_is_boolean(json))
        return trace_config_refuse_type(reader, "true or false", json);
    *(bool *)field = json_is_true(json);
    return LUDUS_OK;
}

static enum ludus_status read_other(struct trace_config_reader *reader,
                                    const struct trace_config_key *key, json_t *json)
{
    const char *note;
    void *field = (char *)reader->config + key->offset;
    switch (key->kind) {
    case TRACE_CONFIG_NOTE:
        return read_text(reader, key, json, &note);
    case TRACE_CONFIG_TEXT:
    case TRACE_CONFIG_WINDOW:
        return read_text(reader, key, json, field);
    case TRACE_CONFIG_WORDS:
        return read_words(reader, json, field);
    case TRACE_CONFIG_FRAMES:
        return read_frame(reader, json);
    case TRACE_CONFIG_LIST:
        return read_list(reader, (enum trace_limit_kind)key->offset, json);
    default:
        return read_number(reader, key, json, field);
    }
}

static enum ludus_status refuse_key(const struct trace_config_reader *reader,
                                    enum trace_config_object object)
{
    const char *names[TRACE_LIMIT_KEYS + TRACE_CONFIG_KEYS + 1];
    size_t count = 0;
    for (size_t i = 0; i < TRACE_LIMIT_KEYS; i++)
        if ((trace_limit_keys[i].objects & object) != 0)
            names[count++] = trace_limit_keys[i].name;
    for (size_t i = 0; i < TRACE_CONFIG_KEYS; i++)
        if ((trace_config_keys[i].objects & object) != 0)
            names[count++] = trace_config_keys[i].name;
    names[count] = NULL;
    return trace_config_refuse_name(reader, "is no key here", names);
}

static enum ludus_status read_member(struct trace_config_reader *reader,
                                     struct config_target *target, const char *name, json_t *json)
{
    for (uint32_t i = 0; i < TRACE_LIMIT_KEYS; i++)
        if ((trace_limit_keys[i].objects & target->object) != 0 &&
            strcmp(trace_limit_keys[i].name, name) == 0)
            return read_limit(reader, target, i, json);
    for (uint32_t i = 0; i < TRACE_CONFIG_KEYS; i++)
        if ((trace_config_keys[i].objects & target->object) != 0 &&
            strcmp(trace_config_keys[i].name, name) == 0)
            return read_other(reader, &trace_config_keys[i], json);
    return refuse_key(reader, target->object);
}

static enum ludus_status read_object(struct trace_config_reader *reader,
                                     struct config_target *target, json_t *json)
{
    enum ludus_status status = LUDUS_OK;
    uint32_t ordinal = 0;
    const char *name;
    json_t *value;
    if (!json_is_object(json))
        return trace_config_refuse_type(reader, "an object of keys", json);
    json_object_foreach(json, name, value)
    {
        enter(reader, name, ordinal++);
        status = read_member(reader, target, name, value);
        leave(reader);
        if (status != LUDUS_OK)
            break;
    }
    return status;
}

/* Numbers are all read as doubles: the ranges are such that nothing is lost, and one that is too
 * large for an integer is out of range and not a fault of its own. */
static enum ludus_status read_text_of(struct trace_config_reader *reader)
{
    struct config_target root = {TRACE_CONFIG_ROOT, &reader->config->limits, 0};
    json_error_t said;
    reader->config->document = json_loadb(reader->text.data, reader->text.size,
                                          JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &said);
    if (reader->config->document == NULL)
        return trace_config_refuse_syntax(reader, &said);
    return read_object(reader, &root, reader->config->document);
}

enum ludus_status trace_diff_config_read(const char *path, struct trace_diff_config **out,
                                         struct ludus_error *error)
{
    struct trace_config_reader reader = {.error = error};
    *out = NULL;
    enum ludus_status status =
        trace_config_text_read(path, TRACE_DIFF_CONFIG_SIZE, &reader.text, error);
    if (status != LUDUS_OK)
        return status;
    reader.config = malloc(sizeof *reader.config);
    if (reader.config == NULL) {
        status = trace_fail_memory(error);
    } else {
        trace_diff_config_set_default(reader.config);
        reader.config->path = path;
        status = read_text_of(&reader);
    }
    if (status == LUDUS_OK) {
        *out = reader.config;
        reader.config = NULL;
    }
    trace_diff_config_destroy(reader.config);
    trace_config_text_release(&reader.text);
    return status;
}
