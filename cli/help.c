/* The manual, made from the tables of commands that the parser uses. */
#include "help.h"

#include <stdio.h>
#include <string.h>

#define LINE_WIDTH   80u
#define NAME_COLUMN  2u
#define COMMAND_TEXT 14u /* where the text beside a command's name begins */
#define OPTION_TEXT  22u /* and beside an option's */
#define CODE_TEXT    5u  /* and beside an exit code */
#define LABEL_BYTES  64u
#define MEANING_LEAD 6u

static void put_spaces(struct cli_console *console, size_t count)
{
    while (count-- > 0)
        cli_write(console, " ", 1);
}

/* Bytes of a word: up to a space, a line's end or the text's. */
static size_t word_size(const char *text)
{
    return strcspn(text, " \n");
}

/* Puts text in lines that begin at `indent`; the first of them goes on at `column`. A line's end in
 * the text stays one, an empty line too. */
static void put_text(struct cli_console *console, const char *text, size_t indent, size_t column)
{
    while (*text != '\0') {
        size_t size = word_size(text);

        if (column > indent && column + 1 + size > LINE_WIDTH) {
            cli_print(console, "\n");
            column = 0;
        } else if (column > indent) {
            cli_print(console, " ");
            column++;
        }
        if (column < indent) {
            put_spaces(console, indent - column);
            column = indent;
        }
        cli_write(console, text, size);
        column += size;
        text += size;
        if (*text == ' ')
            text++;
        for (; *text == '\n'; text++) {
            cli_print(console, "\n");
            column = 0;
        }
    }
    if (column > 0)
        cli_print(console, "\n");
}

/* A name on the left, its text on the right: in the next line when the name is long. */
static void put_entry(struct cli_console *console, size_t text_column, const char *name,
                      const char *text)
{
    size_t column = NAME_COLUMN + strlen(name);

    put_spaces(console, NAME_COLUMN);
    cli_print(console, name);
    if (column + 2 > text_column) {
        cli_print(console, "\n");
        column = 0;
    }
    put_text(console, text, text_column, column);
}

void cli_put_overview(struct cli_console *console)
{
    cli_print(console, "Usage: ludus-trace COMMAND [options] ...\n\n"
                       "Reads captures that the Ludus trace recorder has written (.lcap), and "
                       "answers\nwhere the frames went.\n\nCommands:\n");
    for (size_t i = 0; cli_commands[i] != NULL; i++)
        put_entry(console, COMMAND_TEXT, cli_commands[i]->name, cli_commands[i]->summary);
    cli_print(console, "\nOptions:\n");
    put_entry(console, COMMAND_TEXT, "--help, -h",
              "what you are reading; behind a command, its manual");
    put_entry(console, COMMAND_TEXT, "--version",
              "the version of the program, and of the captures it reads");
    cli_print(console, "\nExit status: 0 done, or the answer is yes; 1 the answer is no; 2 wrong "
                       "usage;\n3 an input cannot be read; 4 an output cannot be written.\n\n"
                       "'ludus-trace help COMMAND' is the manual of a command.\n");
}

static void put_options(struct cli_console *console, const struct cli_command *command)
{
    if (command->option_count == 0)
        return;
    cli_print(console, "\nOptions:\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const struct cli_option *option = &command->options[i];
        char label[LABEL_BYTES];
        char letter[8] = "";

        if (option->letter != '\0')
            (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
        (void)snprintf(label, sizeof label, "%s--%s%s%s", letter, option->name,
                       option->value_name == NULL ? "" : " ",
                       option->value_name == NULL ? "" : option->value_name);
        put_entry(console, OPTION_TEXT, label, option->help);
    }
}

/* What a window may be, for every command that takes one. */
static void put_windows(struct cli_console *console, const struct cli_command *command)
{
    static const struct {
        const char *name;
        const char *meaning;
    } kinds[] = {
        {"frames:A..B", "frame A to frame B, which is in it; A or B may be left out"},
        {"time:A..B", "from time A to before time B, such as 2s..5.5s; A or B may be left out"},
        {"marks:A..B", "from every mark named A to the next one named B; A#2..B means the second "
                       "A; both names are needed"},
        {"last:N", "the last frames or the last time, such as last:120frames or last:2s"},
    };
    bool has_windows = false;

    for (size_t i = 0; i < command->option_count; i++)
        has_windows = has_windows || command->options[i].id == CLI_OPTION_WINDOW;
    if (!has_windows)
        return;
    cli_print(console, "\nWindows:\n");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        put_entry(console, OPTION_TEXT, kinds[i].name, kinds[i].meaning);
}

static void put_examples(struct cli_console *console, const struct cli_command *command)
{
    if (command->example_count == 0)
        return;
    cli_print(console, "\nExamples:\n");
    for (size_t i = 0; i < command->example_count; i++) {
        cli_print(console, "  ludus-trace ");
        cli_print(console, command->examples[i].line);
        cli_print(console, "\n");
        put_text(console, command->examples[i].meaning, MEANING_LEAD, 0);
    }
}

static void put_exit_codes(struct cli_console *console, const struct cli_command *command)
{
    cli_print(console, "\nExit status:\n");
    put_entry(console, CODE_TEXT, "0", "done");
    if (command->no_meaning != NULL)
        put_entry(console, CODE_TEXT, "1", command->no_meaning);
    put_entry(console, CODE_TEXT, "2", "wrong usage");
    put_entry(console, CODE_TEXT, "3", "an input cannot be read");
    put_entry(console, CODE_TEXT, "4", "an output cannot be written");
}

void cli_put_manual(struct cli_console *console, const struct cli_command *command)
{
    cli_print(console, "Usage: ludus-trace ");
    cli_print(console, command->name);
    cli_print(console, " ");
    cli_print(console, command->operands);
    cli_print(console, command->required);
    cli_print(console, command->option_count > 0 ? " [options]\n\n" : "\n\n");
    put_text(console, command->description, 0, 0);
    put_options(console, command);
    put_windows(console, command);
    put_examples(console, command);
    put_exit_codes(console, command);
}
