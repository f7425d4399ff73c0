/* The table of commands: what the program does, and all that is told of it, begins here. */
#include <string.h>
#include <unistd.h>

#include "command.h"

const struct cli_command *const cli_commands[] = {
    &cmd_info,   &cmd_summarize, &cmd_tree,   &cmd_frames, &cmd_top,
    &cmd_report, &cmd_export,    &cmd_import, &cmd_query,  &cmd_diff,
    &cmd_check,  &cmd_trim,      &cmd_schema, &cmd_help,   NULL,
};

const struct cli_command *cli_find_command(const char *name)
{
    for (size_t i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    }
    return NULL;
}

enum cli_exit cli_refuse_command(const char *name)
{
    struct trace_nearest nearest = trace_nearest_start(name, strlen(name));

    for (size_t i = 0; cli_commands[i] != NULL; i++)
        trace_nearest_consider(&nearest, cli_commands[i]->name);
    if (nearest.name != NULL)
        cli_error("there is no command '%s'; did you mean %s?", name, nearest.name);
    else if (access(name, F_OK) == 0)
        cli_error("the command comes before the file: ludus-trace summarize %s", name);
    else
        cli_error("there is no command '%s'; 'ludus-trace help' lists them", name);
    return CLI_USAGE;
}
