/* The manual, made from the tables of commands that the parser uses. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "command.h"

/* All commands, a line each. */
void cli_put_overview(struct cli_console *console);

/* One command: usage, description, options, examples, exit codes. */
void cli_put_manual(struct cli_console *console, const struct cli_command *command);

/* --- what else a manual says, in whatever form it is written --------------------------------- */

struct cli_entry {
    const char *name;
    const char *meaning;
};

/* What the program does, in a paragraph. */
extern const char cli_program_description[];

/* The options that stand in the place of a command; a NULL name behind the last. */
extern const struct cli_entry cli_program_options[];

/* What its exit codes mean, whatever the command; likewise. */
extern const struct cli_entry cli_program_exit_codes[];

/* The option that every command has beside those of its table. */
extern const struct cli_entry cli_help_option;

/* What a window may be, likewise. */
extern const struct cli_entry cli_window_kinds[];

bool cli_takes_windows(const struct cli_command *command);

/* What it means that the command exits so; NULL: it never does. */
const char *cli_exit_meaning(const struct cli_command *command, enum cli_exit code);

#define CLI_LABEL_BYTES 64u

/* Writes an option as it is typed, such as "-o, --output FILE". */
void cli_option_label(const struct cli_option *option, char *label, size_t size);

#endif
