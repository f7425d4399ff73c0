/* What completions of several shells share. */
#include "manual.h"

#include <string.h>

enum manual_value manual_value_of(const struct cli_option *option)
{
    if (option->type == CLI_VALUE_NONE || option->type == CLI_VALUE_BEHIND)
        return MANUAL_NO_VALUE;
    if (option->choices != NULL)
        return MANUAL_WORDS;
    if (strcmp(option->value_name, "FILE") == 0 || strcmp(option->value_name, "DB") == 0)
        return MANUAL_FILE;
    return MANUAL_ANY_TEXT;
}

void manual_put_escaped(FILE *out, const char *text, size_t size, const char *escaped)
{
    for (size_t i = 0; i < size; i++) {
        if (strchr(escaped, text[i]) != NULL)
            fputc('\\', out);
        fputc(text[i], out);
    }
}

size_t manual_brief_size(const char *help)
{
    return strcspn(help, ";");
}

void manual_put_words(FILE *out, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        fprintf(out, "%s%s", i == 0 ? "" : " ", words[i]);
}

void manual_put_command_names(FILE *out)
{
    for (size_t i = 0; cli_commands[i] != NULL; i++)
        fprintf(out, "%s%s", i == 0 ? "" : " ", cli_commands[i]->name);
}

void manual_put_schema_names(FILE *out)
{
    for (size_t i = 0; trace_schema_name(i) != NULL; i++)
        fprintf(out, "%s%s", i == 0 ? "" : " ", trace_schema_name(i));
}
