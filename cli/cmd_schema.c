/* schema: the database's tables, or the shape of a report's JSON or of a configuration file. */
#include "answer.h"

static enum cli_exit run(const struct cli_call *call)
{
    struct ludus_error error;

    if (call->arguments->operand_count == 0) {
        cli_print(call->console, trace_schema_sql());
        return CLI_YES;
    }
    if (trace_schema_json(call->arguments->operands[0], cli_console_sink(call->console), &error) !=
        LUDUS_OK)
        return cli_fail(call, &error);
    return CLI_YES;
}

static const struct cli_example examples[] = {
    {"schema", "The tables and views of the database, with the meaning of every column."},
    {"schema summarize", "The JSON Schema of what 'summarize --format json' prints."},
    {"schema diff-config", "The JSON Schema of the file that 'diff --config' reads."},
};

const struct cli_command cmd_schema = {
    .name = "schema",
    .operands = "[NAME]",
    .required = "",
    .operand_kind = CLI_OPERAND_SCHEMA,
    .max_operands = 1,
    .summary = "the tables of the database; the shape of a report's JSON",
    .description =
        "Prints the SQL that makes the database of import, each column with its meaning "
        "and unit. With the name of a report (info, summarize, check, top), prints the JSON "
        "Schema of its JSON; with diff-config, that of the file that diff reads.",
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
