/* Completions for fish. */
#include "manual.h"

#include <string.h>

static void put_quoted(FILE *out, const char *text, size_t size)
{
    fputc('\'', out);
    manual_put_escaped(out, text, size, "\\'");
    fputc('\'', out);
}

static void put_option(FILE *out, const struct cli_command *command,
                       const struct cli_option *option)
{
    enum manual_value value = manual_value_of(option);

    fprintf(out, "complete -c ludus-trace -n '__ludus_trace_is %s' -l %s", command->name,
            option->name);
    if (option->letter != '\0')
        fprintf(out, " -s %c", option->letter);
    if (value == MANUAL_WORDS) {
        fputs(" -x -a '", out);
        manual_put_words(out, option->choices);
        fputc('\'', out);
    } else if (value != MANUAL_NO_VALUE) {
        fputs(value == MANUAL_FILE ? " -r -F" : " -x", out);
    }
    fputs(" -d ", out);
    put_quoted(out, option->help, manual_brief_size(option->help));
    fputc('\n', out);
}

static void put_command(FILE *out, const struct cli_command *command)
{
    fprintf(out, "\ncomplete -c ludus-trace -n __ludus_trace_is_first -a %s -d ", command->name);
    put_quoted(out, command->summary, manual_brief_size(command->summary));
    fprintf(out, "\ncomplete -c ludus-trace -n '__ludus_trace_is %s' ", command->name);
    if (command->operand_kind == CLI_OPERAND_CAPTURE) {
        fputs("-F", out);
    } else {
        fputs("-a '", out);
        if (command->operand_kind == CLI_OPERAND_COMMAND)
            manual_put_command_names(out);
        else
            manual_put_schema_names(out);
        fputc('\'', out);
    }
    fputc('\n', out);
    for (size_t i = 0; i < command->option_count; i++)
        put_option(out, command, &command->options[i]);
}

void manual_put_fish(FILE *out)
{
    fputs("# Completes ludus-trace in fish; made from the program's table of commands.\n\n"
          "# Whether the command is still to be typed.\n"
          "function __ludus_trace_is_first\n"
          "    test (count (commandline -opc)) -eq 1\n"
          "end\n\n"
          "# Whether it is this one.\n"
          "function __ludus_trace_is\n"
          "    set -l words (commandline -opc)\n"
          "    test (count $words) -gt 1 -a \"$words[2]\" = $argv[1]\n"
          "end\n\n"
          "complete -c ludus-trace -f\n"
          "complete -c ludus-trace -s h -l help -d 'the manual'\n"
          "complete -c ludus-trace -n __ludus_trace_is_first -l version -d 'the version'\n",
          out);
    for (size_t i = 0; cli_commands[i] != NULL; i++)
        put_command(out, cli_commands[i]);
}
