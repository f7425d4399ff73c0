/* The manual, made from the tables of commands that the parser uses. */
#include "help.h"

#include <stdio.h>
#include <string.h>

#define LINE_WIDTH   80u
#define NAME_COLUMN  2u
#define COMMAND_TEXT 14u /* where the text beside a command's name begins */
#define OPTION_TEXT  22u /* and beside an option's */
#define CODE_TEXT    5u  /* and beside an exit code */
#define MEANING_LEAD 6u

const char cli_program_description[] = "Reads captures that the Ludus trace recorder has written "
                                       "(.lcap), and answers where the frames "
                                       "went.";

const struct cli_entry cli_help_option = {"-h, --help", "show this manual"};

const struct cli_entry cli_program_exit_codes[] = {
    {"0", "done, or the answer is yes"},
    {"1", "the answer is no"},
    {"2", "wrong usage"},
    {"3", "an input cannot be read"},
    {"4", "an output cannot be written"},
    {NULL, NULL},
};

const struct cli_entry cli_program_options[] = {
    {"-h, --help", "what you are reading; behind a command, its manual"},
    {"--version", "the version of the program, and of the captures it reads"},
    {NULL, NULL},
};

const struct cli_entry cli_window_kinds[] = {
    {"frames:A..B", "frame A to frame B, which is in it; A or B may be left out"},
    {"time:A..B", "from time A to before time B, such as 2s..5.5s; A or B may be left out"},
    {"marks:A..B", "from every mark named A to the next one named B; A#2..B means the second A; "
                   "both names are needed"},
    {"last:N", "the last frames or the last time, such as last:120frames or last:2s"},
    {NULL, NULL},
};

bool cli_takes_windows(const struct cli_command *command)
{
    for (size_t i = 0; i < command->option_count; i++) {
        if (command->options[i].id == CLI_OPTION_WINDOW)
            return true;
    }
    return false;
}

const char *cli_exit_meaning(const struct cli_command *command, enum cli_exit code)
{
    if (code == CLI_YES)
        return "done";
    return code == CLI_NO ? command->no_meaning : cli_program_exit_codes[code].meaning;
}

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
    cli_print(console, "Usage: ludus-trace COMMAND [options] ...\n\n");
    put_text(console, cli_program_description, 0, 0);
    cli_print(console, "\nCommands:\n");
    for (size_t i = 0; cli_commands[i] != NULL; i++)
        put_entry(console, COMMAND_TEXT, cli_commands[i]->name, cli_commands[i]->summary);
    cli_print(console, "\nOptions:\n");
    for (size_t i = 0; cli_program_options[i].name != NULL; i++)
        put_entry(console, COMMAND_TEXT, cli_program_options[i].name,
                  cli_program_options[i].meaning);
    cli_print(console, "\nExit status:\n");
    for (size_t i = 0; cli_program_exit_codes[i].name != NULL; i++)
        put_entry(console, CODE_TEXT, cli_program_exit_codes[i].name,
                  cli_program_exit_codes[i].meaning);
    cli_print(console, "\n'ludus-trace help COMMAND' is the manual of a command.\n");
}

void cli_option_label(const struct cli_option *option, char *label, size_t size)
{
    char letter[8] = "";

    if (option->letter != '\0')
        (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
    (void)snprintf(label, size, "%s--%s%s%s", letter, option->name,
                   option->value_name == NULL ? "" : " ",
                   option->value_name == NULL ? "" : option->value_name);
}

static void put_options(struct cli_console *console, const struct cli_command *command)
{
    if (command->option_count == 0)
        return;
    cli_print(console, "\nOptions:\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const struct cli_option *option = &command->options[i];
        char label[CLI_LABEL_BYTES];

        cli_option_label(option, label, sizeof label);
        put_entry(console, OPTION_TEXT, label, option->help);
    }
}

static void put_windows(struct cli_console *console, const struct cli_command *command)
{
    if (!cli_takes_windows(command))
        return;
    cli_print(console, "\nWindows:\n");
    for (size_t i = 0; cli_window_kinds[i].name != NULL; i++)
        put_entry(console, OPTION_TEXT, cli_window_kinds[i].name, cli_window_kinds[i].meaning);
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
    for (enum cli_exit code = CLI_YES; code <= CLI_OUTPUT; code++) {
        const char digit[] = {(char)('0' + code), '\0'};

        if (cli_exit_meaning(command, code) != NULL)
            put_entry(console, CODE_TEXT, digit, cli_exit_meaning(command, code));
    }
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
