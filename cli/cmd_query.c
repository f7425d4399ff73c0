/* query: one read-only SQL statement on a database or a capture. */
#include "answer.h"
#include "options.h"

static enum cli_exit run(const struct cli_call *call)
{
    const char *path = call->arguments->operands[0];
    const char *sql = call->arguments->operands[1];
    const char *keep_path = cli_text(call, CLI_OPTION_OUTPUT);
    struct trace_listener listener = cli_listener(call);
    struct ludus_error error;

    if (cli_check_output(path, keep_path) != CLI_YES)
        return CLI_USAGE;
    if (trace_query(path, sql, keep_path, cli_format(call), cli_console_sink(call->console),
                    &listener, &error) != LUDUS_OK)
        return cli_fail(call, &error);
    return CLI_YES;
}

static const struct cli_option options[] = {
    CLI_ROW_FORMAT,
    {.id = CLI_OPTION_OUTPUT,
     .name = "output",
     .letter = 'o',
     .type = CLI_VALUE_TEXT,
     .value_name = "DB",
     .help = "of a capture: keep the database that the query is run on as DB"},
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"query game.db \"SELECT name, calls FROM site_stats JOIN site USING (site_id)\"",
     "Asks a database made by import."},
    {"query game.lcap \"SELECT max(duration_ns) FROM frame\" --format csv",
     "Asks a capture, which is imported into a temporary database first."},
    {"query game.db \"SELECT number, count(*) FROM slice JOIN frame USING (frame_id) GROUP BY "
     "number\"",
     "How many scopes each frame has."},
};

const struct cli_command cmd_query = {
    .name = "query",
    .operands = "DB-or-CAPTURE SQL",
    .required = "",
    .min_operands = 2,
    .max_operands = 2,
    .summary = "ask in SQL, read-only",
    .description =
        "Runs one SQL statement on a database made by import, or on a capture, and shows its "
        "rows. The statement can neither write, attach, load anything nor change settings. "
        "'ludus-trace schema' prints the tables; times are nanoseconds from the session's start. "
        "docs/sql.md has questions with their answers, percentiles among them.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
