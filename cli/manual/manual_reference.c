/* The reference page in Markdown. */
#include "manual.h"

#include <string.h>

/* What Markdown would take for a sign of its own, in text and in the cell of a table. */
static void put_text(FILE *out, const char *text)
{
    manual_put_escaped(out, text, strlen(text), "\\`*_<[]|");
}

/* What is typed: code in the cell of a table, where a bar would end the cell. */
static void put_code(FILE *out, const char *text)
{
    fputc('`', out);
    manual_put_escaped(out, text, strlen(text), "|");
    fputc('`', out);
}

static void put_row(FILE *out, const char *name, const char *meaning)
{
    fputs("| ", out);
    put_code(out, name);
    fputs(" | ", out);
    put_text(out, meaning);
    fputs(" |\n", out);
}

static void put_rows(FILE *out, const char *head, const struct cli_entry *entries)
{
    fprintf(out, "\n| %s | meaning |\n|---|---|\n", head);
    for (size_t i = 0; entries[i].name != NULL; i++)
        put_row(out, entries[i].name, entries[i].meaning);
}

static void put_options(FILE *out, const struct cli_command *command)
{
    if (command->option_count == 0)
        return;
    fputs("\n| option | meaning |\n|---|---|\n", out);
    for (size_t i = 0; i < command->option_count; i++) {
        char label[CLI_LABEL_BYTES];

        cli_option_label(&command->options[i], label, sizeof label);
        put_row(out, label, command->options[i].help);
    }
}

/* A line that is typed, and what it does. */
static void put_examples(FILE *out, const struct cli_command *command)
{
    if (command->example_count > 0)
        fputs("\nExamples:\n\n```\n", out);
    for (size_t i = 0; i < command->example_count; i++)
        fprintf(out, "%s# %s\nludus-trace %s\n", i == 0 ? "" : "\n", command->examples[i].meaning,
                command->examples[i].line);
    if (command->example_count > 0)
        fputs("```\n", out);
}

static void put_command(FILE *out, const struct cli_command *command)
{
    fprintf(out, "\n## %s\n\n```\nludus-trace %s %s%s%s\n```\n\n", command->name, command->name,
            command->operands, command->required, command->option_count > 0 ? " [options]" : "");
    put_text(out, command->description);
    fputc('\n', out);
    put_options(out, command);
    put_examples(out, command);
    if (command->no_meaning != NULL) {
        fputs("\nExits with 1 when ", out);
        put_text(out, command->no_meaning);
        fputs(".\n", out);
    }
}

void manual_put_reference(FILE *out)
{
    fputs("# Reference\n\nEvery command of `ludus-trace` and its options. This page, the pages for "
          "`man`, `ludus-trace help` and the completions of shells are\nmade from one table, which "
          "is the one that the program parses its command line by (`cli/command.h`).\n\n",
          out);
    put_text(out, cli_program_description);
    fputs("\n\n| command | what it is for |\n|---|---|\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        fprintf(out, "| [`%s`](#%s) | ", cli_commands[i]->name, cli_commands[i]->name);
        put_text(out, cli_commands[i]->summary);
        fputs(" |\n", out);
    }
    put_rows(out, "option in the place of a command", cli_program_options);
    put_rows(out, "exit status", cli_program_exit_codes);
    fputs("\nA window, of every command that has `--window`, is one of:\n", out);
    put_rows(out, "window", cli_window_kinds);
    for (size_t i = 0; cli_commands[i] != NULL; i++)
        put_command(out, cli_commands[i]);
}
