/* Pages for man, in roff with the macros of man(7). */
#include "manual.h"

#include <string.h>

/* A byte as roff wants it: what it would take for a sign of its own, or make typographic, has a
 * name. */
static void put_byte(FILE *out, char byte)
{
    static const struct {
        char byte;
        const char *name;
    } names[] = {{'\\', "\\(rs"}, {'-', "\\-"},   {'\'', "\\(aq"},
                 {'`', "\\(ga"},  {'^', "\\(ha"}, {'~', "\\(ti"}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (byte == names[i].byte) {
            fputs(names[i].name, out);
            return;
        }
    }
    fputc(byte, out);
}

/* Text in lines of its own; an empty line in it divides paragraphs. */
static void put_text(FILE *out, const char *text)
{
    bool begins_line = true;

    for (; *text != '\0'; text++) {
        if (begins_line && *text == '.')
            fputs("\\&", out); /* so that it is not taken for a macro */
        if (strncmp(text, "\n\n", 2) == 0) {
            fputs("\n.PP", out);
            text++;
        }
        begins_line = *text == '\n';
        put_byte(out, *text);
    }
    fputc('\n', out);
}

static void put_bold(FILE *out, const char *text)
{
    fputs("\\fB", out);
    for (; *text != '\0'; text++)
        put_byte(out, *text);
    fputs("\\fR", out);
}

/* A name in bold, its text indented below. */
static void put_entry(FILE *out, const char *name, const char *text)
{
    fputs(".TP\n", out);
    put_bold(out, name);
    fputc('\n', out);
    put_text(out, text);
}

static void put_head(FILE *out, const char *dash, const char *command, const char *summary)
{
    const char *version = trace_version();

    fprintf(out,
            ".\\\" Made from the program's table of commands.\n.TH \"ludus-trace%s%s\" 1 \"\" ",
            dash, command);
    fprintf(out, "\"ludus-trace %.*s\" \"Ludus trace\"\n.nh\n.ad l\n.SH NAME\n",
            (int)strcspn(version, ","), version);
    fprintf(out, "ludus\\-trace%s%s \\- ", *dash == '\0' ? "" : "\\-", command);
    put_text(out, summary);
}

static void put_exit_codes(FILE *out, const struct cli_command *command)
{
    fputs(".SH EXIT STATUS\n", out);
    for (enum cli_exit code = CLI_YES; code <= CLI_OUTPUT; code++) {
        const char digit[] = {(char)('0' + code), '\0'};

        if (cli_exit_meaning(command, code) != NULL)
            put_entry(out, digit, cli_exit_meaning(command, code));
    }
}

static void put_entries(FILE *out, const struct cli_entry *entries)
{
    for (size_t i = 0; entries[i].name != NULL; i++)
        put_entry(out, entries[i].name, entries[i].meaning);
}

static void put_options(FILE *out, const struct cli_command *command)
{
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < command->option_count; i++) {
        char label[CLI_LABEL_BYTES];

        cli_option_label(&command->options[i], label, sizeof label);
        put_entry(out, label, command->options[i].help);
    }
    put_entry(out, cli_help_option.name, cli_help_option.meaning);
}

static void put_examples(FILE *out, const struct cli_command *command)
{
    fputs(".SH EXAMPLES\n", out);
    for (size_t i = 0; i < command->example_count; i++) {
        fputs(".TP\n", out);
        put_bold(out, "ludus-trace ");
        put_bold(out, command->examples[i].line);
        fputc('\n', out);
        put_text(out, command->examples[i].meaning);
    }
}

void manual_put_command_page(FILE *out, const struct cli_command *command)
{
    put_head(out, "-", command->name, command->summary);
    fputs(".SH SYNOPSIS\n", out);
    put_bold(out, "ludus-trace ");
    put_bold(out, command->name);
    fputc(' ', out);
    for (const char *text = command->operands; *text != '\0'; text++)
        put_byte(out, *text);
    for (const char *text = command->required; *text != '\0'; text++)
        put_byte(out, *text);
    fputs(command->option_count > 0 ? " [options]\n" : "\n", out);
    fputs(".SH DESCRIPTION\n", out);
    put_text(out, command->description);
    put_options(out, command);
    if (cli_takes_windows(command)) {
        fputs(".SH WINDOWS\n", out);
        put_entries(out, cli_window_kinds);
    }
    if (command->example_count > 0)
        put_examples(out, command);
    put_exit_codes(out, command);
    fputs(".SH SEE ALSO\n.BR ludus\\-trace (1)\n", out);
}

void manual_put_program_page(FILE *out)
{
    put_head(out, "", "", "where the frames of a game went");
    fputs(".SH SYNOPSIS\n\\fBludus\\-trace\\fR COMMAND [options] ...\n.SH DESCRIPTION\n", out);
    put_text(out, cli_program_description);
    fputs(".SH COMMANDS\nEach has a page of its own.\n", out);
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        fprintf(out, ".TP\n.BR ludus\\-trace\\-%s (1)\n", cli_commands[i]->name);
        put_text(out, cli_commands[i]->summary);
    }
    fputs(".SH OPTIONS\n", out);
    put_entries(out, cli_program_options);
    fputs(".SH EXIT STATUS\n", out);
    put_entries(out, cli_program_exit_codes);
}
