/* Takes a command line apart by a command's table. */
#include "options.h"

#include <string.h>

const char *const cli_format_names[] = {"table", "json", "csv", "markdown", NULL};

_Static_assert(TRACE_FORMAT_TABLE == 0 && TRACE_FORMAT_JSON == 1 && TRACE_FORMAT_CSV == 2 &&
                   TRACE_FORMAT_MARKDOWN == 3,
               "cli_format_names is in the order of enum trace_format");

/* The words of a command line, on the way through. */
struct word_list {
    const struct cli_command *command;
    char **words;
    size_t count;
    size_t next;
};

static const struct cli_option *find_long(const struct cli_command *command, const char *name,
                                          size_t size)
{
    for (size_t i = 0; i < command->option_count; i++) {
        const struct cli_option *option = &command->options[i];

        if (strlen(option->name) == size && memcmp(option->name, name, size) == 0)
            return option;
    }
    return NULL;
}

static const struct cli_option *find_short(const struct cli_command *command, char letter)
{
    for (size_t i = 0; i < command->option_count; i++) {
        if (letter != '\0' && command->options[i].letter == letter)
            return &command->options[i];
    }
    return NULL;
}

static enum cli_exit refuse_option(const struct cli_command *command, const char *word, size_t size)
{
    struct trace_nearest nearest =
        trace_nearest_start(word + strspn(word, "-"), size - strspn(word, "-"));

    for (size_t i = 0; i < command->option_count; i++)
        trace_nearest_consider(&nearest, command->options[i].name);
    if (nearest.name != NULL)
        cli_error("%s has no option '%.*s'; did you mean --%s?", command->name, (int)size, word,
                  nearest.name);
    else
        cli_error("%s has no option '%.*s'; 'ludus-trace help %s' lists them", command->name,
                  (int)size, word, command->name);
    return CLI_USAGE;
}

/* Locale, spaces, signs and values that are too large have no place in a count. */
static bool read_number(const char *text, uint32_t *number)
{
    uint64_t value = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = value * 10 + (uint64_t)(*text - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return true;
}

static bool read_whole_ms(const char *text, uint32_t *time_ms)
{
    int64_t time_ns;

    if (!trace_parse_time(text, &time_ns) || time_ns % 1000000 != 0 ||
        time_ns / 1000000 > UINT32_MAX)
        return false;
    *time_ms = (uint32_t)(time_ns / 1000000);
    return true;
}

static enum cli_exit set_choice(const struct cli_option *option, const char *text,
                                struct cli_value *value)
{
    struct trace_nearest nearest = trace_nearest_start(text, strlen(text));

    for (uint32_t i = 0; option->choices[i] != NULL; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            value->number = i;
            return CLI_YES;
        }
        trace_nearest_consider(&nearest, option->choices[i]);
    }
    if (nearest.name != NULL)
        cli_error("--%s cannot be '%s'; did you mean %s?", option->name, text, nearest.name);
    else
        cli_error("--%s cannot be '%s': %s", option->name, text, option->help);
    return CLI_USAGE;
}

static enum cli_exit add_to_list(const struct cli_option *option, const char *text,
                                 struct cli_value *value)
{
    if (*text == '\0') {
        cli_error("the value of --%s %s is empty", option->name, option->value_name);
        return CLI_USAGE;
    }
    if (value->list_count == CLI_MAX_LIST) {
        cli_error("--%s may be given %u times at most", option->name, CLI_MAX_LIST);
        return CLI_USAGE;
    }
    value->list[value->list_count++] = text;
    return CLI_YES;
}

static enum cli_exit set_value(const struct cli_option *option, const char *text,
                               struct cli_value *value)
{
    value->text = text;
    switch (option->type) {
    case CLI_VALUE_NONE:
        break;
    case CLI_VALUE_TEXT:
        if (*text != '\0')
            break;
        cli_error("the value of --%s %s is empty", option->name, option->value_name);
        return CLI_USAGE;
    case CLI_VALUE_LIST:
        return add_to_list(option, text, value);
    case CLI_VALUE_NUMBER:
        if (read_number(text, &value->number) && value->number >= option->lowest)
            break;
        cli_error("--%s needs a whole number from %lu to %lu, not '%s'", option->name,
                  (unsigned long)option->lowest, (unsigned long)UINT32_MAX, text);
        return CLI_USAGE;
    case CLI_VALUE_TIME:
        if (read_whole_ms(text, &value->number) && value->number >= option->lowest)
            break;
        cli_error("--%s needs a time from %lums on, such as 250ms, 1s or 2min, not '%s'",
                  option->name, (unsigned long)option->lowest, text);
        return CLI_USAGE;
    case CLI_VALUE_DURATION:
        if (trace_parse_time(text, &value->time_ns) && value->time_ns >= (int64_t)option->lowest)
            break;
        cli_error("--%s needs a time%s, such as 500ns, 10us, 16.6ms or 1s, not '%s'", option->name,
                  option->lowest == 0 ? "" : " above 0", text);
        return CLI_USAGE;
    case CLI_VALUE_CHOICE:
        return set_choice(option, text, value);
    case CLI_VALUE_BEHIND:
        break;
    }
    return CLI_YES;
}

/* Takes the word behind an option as its value. One that looks like an option is none: its value
 * has been forgotten (or stands behind '=', where anything may). */
static const char *take_value(struct word_list *list)
{
    if (list->next >= list->count || strncmp(list->words[list->next], "--", 2) == 0)
        return NULL;
    return list->words[list->next++];
}

/* `attached` is the value in the same word, or NULL. */
static enum cli_exit parse_option(struct word_list *list, const struct cli_option *option,
                                  const char *attached, struct cli_arguments *arguments)
{
    const char *text = attached;

    if (option->type == CLI_VALUE_NONE || option->type == CLI_VALUE_BEHIND) {
        if (attached != NULL) {
            cli_error("--%s takes no value%s", option->name,
                      option->type == CLI_VALUE_BEHIND ? ": a space, and names behind it" : "");
            return CLI_USAGE;
        }
        text = option->name;
        if (arguments->values[option->id].text == NULL) /* otherwise the first one divides */
            arguments->values[option->id].number = (uint32_t)arguments->operand_count;
    } else if (text == NULL) {
        text = take_value(list);
    }
    if (text == NULL) {
        cli_error("the value of --%s %s is missing: %s", option->name, option->value_name,
                  option->help);
        return CLI_USAGE;
    }
    return set_value(option, text, &arguments->values[option->id]);
}

static enum cli_exit parse_word(struct word_list *list, const char *word,
                                struct cli_arguments *arguments)
{
    const struct cli_option *option;
    const char *attached = NULL;
    size_t size = strlen(word);

    if (word[1] == '-') {
        const char *equals = strchr(word, '=');

        if (equals != NULL) {
            size = (size_t)(equals - word);
            attached = equals + 1;
        }
        option = find_long(list->command, word + 2, size - 2);
    } else {
        option = find_short(list->command, word[1]);
        if (size > 2)
            attached = word + 2;
    }
    if (option == NULL)
        return refuse_option(list->command, word, size);
    return parse_option(list, option, attached, arguments);
}

static enum cli_exit check_operands(const struct cli_command *command,
                                    const struct cli_arguments *arguments)
{
    if (arguments->operand_count >= command->min_operands &&
        arguments->operand_count <= command->max_operands)
        return CLI_YES;
    if (arguments->operand_count > command->max_operands)
        cli_error("'%s' is one too many for %s; its usage is: ludus-trace %s %s%s",
                  arguments->operands[command->max_operands], command->name, command->name,
                  command->operands, command->required);
    else
        cli_error("something is missing; the usage is: ludus-trace %s %s%s", command->name,
                  command->operands, command->required);
    return CLI_USAGE;
}

enum cli_exit cli_parse(const struct cli_command *command, char **words, size_t count,
                        struct cli_arguments *arguments)
{
    struct word_list list = {command, words, count, 0};
    bool has_ended = false; /* the options */

    memset(arguments, 0, sizeof *arguments);
    arguments->operands = words;
    while (list.next < list.count) {
        char *word = list.words[list.next++];
        bool is_option = !has_ended && word[0] == '-' && word[1] != '\0';

        if (is_option && strcmp(word, "--") == 0)
            has_ended = true;
        else if (!is_option)
            words[arguments->operand_count++] = word; /* never behind the word being read */
        else if (parse_word(&list, word, arguments) != CLI_YES)
            return CLI_USAGE;
    }
    return check_operands(command, arguments);
}

bool cli_asks_for_help(char *const *words, size_t count)
{
    for (size_t i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return true;
    }
    return false;
}
