/* Completions for zsh. */
#include "manual.h"

#include <string.h>

/* A text between single quotes, in a place where the characters of `escaped` have a meaning. */
static void put_quoted(FILE *out, const char *text, size_t size, const char *escaped)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'')
            fputs("'\\''", out);
        else
            manual_put_escaped(out, text + i, 1, escaped);
    }
}

/* What stands behind an option: ":message:action" of _arguments. */
static void put_value(FILE *out, const struct cli_option *option)
{
    enum manual_value value = manual_value_of(option);

    if (value == MANUAL_NO_VALUE)
        return;
    fputc(':', out);
    put_quoted(out, option->value_name, strlen(option->value_name), "\\:");
    if (value == MANUAL_WORDS) {
        fputs(":(", out);
        manual_put_words(out, option->choices);
        fputc(')', out);
    } else {
        fputs(value == MANUAL_FILE ? ":_files" : ": ", out);
    }
}

static void put_option(FILE *out, const struct cli_option *option)
{
    bool has_value = manual_value_of(option) != MANUAL_NO_VALUE;
    bool is_list = option->type == CLI_VALUE_LIST;

    fputs("            ", out);
    if (option->letter == '\0')
        fprintf(out, "'%s--%s%s", is_list ? "*" : "", option->name, has_value ? "=" : "");
    else
        fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
                has_value ? "+" : "", option->name, has_value ? "=" : "");
    fputc('[', out);
    put_quoted(out, option->help, manual_brief_size(option->help), "\\[]:");
    fputc(']', out);
    put_value(out, option);
    fputs("' \\\n", out);
}

static void put_command(FILE *out, const struct cli_command *command)
{
    static const char *const operands[] = {
        [CLI_OPERAND_CAPTURE] = "*:capture:_files -g \"(*.lcap|*.db)(-.)\"",
        [CLI_OPERAND_COMMAND] = "1:command:_ludus_trace_commands",
        [CLI_OPERAND_SCHEMA] = "1:schema:_ludus_trace_schemas",
    };

    fprintf(out, "    %s)\n        _arguments \\\n", command->name);
    for (size_t i = 0; i < command->option_count; i++)
        put_option(out, &command->options[i]);
    fprintf(out, "            '(- *)'{-h,--help}'[%s]' \\\n            '%s'\n        ;;\n",
            cli_help_option.meaning, operands[command->operand_kind]);
}

void manual_put_zsh(FILE *out)
{
    fputs("#compdef ludus-trace\n"
          "# Completes ludus-trace in zsh; made from the program's table of commands.\n\n"
          "_ludus_trace_commands() {\n    local -a commands=(\n",
          out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        const char *summary = cli_commands[i]->summary;

        fprintf(out, "        '%s:", cli_commands[i]->name);
        put_quoted(out, summary, manual_brief_size(summary), "\\:");
        fputs("'\n", out);
    }
    fputs("    )\n    _describe -t commands command commands\n}\n\n"
          "_ludus_trace_schemas() {\n    compadd ",
          out);
    manual_put_schema_names(out);
    fputs("\n}\n\n_ludus_trace() {\n    local curcontext=$curcontext state line\n\n"
          "    _arguments -C '(- *)'{-h,--help}'[the commands]' '(- *)--version[the version]' \\\n"
          "        '1:command:_ludus_trace_commands' '*::argument:->arguments'\n"
          "    [[ $state == arguments ]] || return\n    case $words[1] in\n",
          out);
    for (size_t i = 0; cli_commands[i] != NULL; i++)
        put_command(out, cli_commands[i]);
    fputs("    esac\n}\n\n_ludus_trace \"$@\"\n", out);
}
