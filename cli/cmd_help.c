/* help: the overview, or the manual of one command. */
#include "help.h"

static enum cli_exit run(const struct cli_call *call)
{
    const struct cli_command *command;

    if (call->arguments->operand_count == 0) {
        cli_put_overview(call->console);
        return CLI_YES;
    }
    command = cli_find_command(call->arguments->operands[0]);
    if (command == NULL)
        return cli_refuse_command(call->arguments->operands[0]);
    cli_put_manual(call->console, command);
    return CLI_YES;
}

static const struct cli_example examples[] = {
    {"help", "All commands."},
    {"help summarize", "The manual of summarize; 'summarize --help' shows it too."},
};

const struct cli_command cmd_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .required = "",
    .operand_kind = CLI_OPERAND_COMMAND,
    .max_operands = 1,
    .summary = "this overview; the manual of a command",
    .description = "Lists the commands, or shows the manual of one.",
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
