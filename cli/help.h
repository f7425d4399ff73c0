/* The manual, made from the tables of commands that the parser uses. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "command.h"

/* All commands, a line each. */
void cli_put_overview(struct cli_console *console);

/* One command: usage, description, options, examples, exit codes. */
void cli_put_manual(struct cli_console *console, const struct cli_command *command);

#endif
