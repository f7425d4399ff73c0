/* import: captures into a SQLite database. */
#include "answer.h"
#include "options.h"

static enum cli_exit run(const struct cli_call *call)
{
    const char *const *paths = (const char *const *)call->arguments->operands;
    size_t count = call->arguments->operand_count;
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);
    const struct cli_value *windows = &call->arguments->values[CLI_OPTION_WINDOW];
    const struct trace_import_options chosen = {.windows = windows->list,
                                                .window_count = windows->list_count,
                                                .is_of_statistics =
                                                    cli_has(call, CLI_OPTION_STATS_ONLY)};
    struct trace_listener listener = cli_listener(call);
    struct ludus_error error;

    if (output == NULL) {
        cli_error("import needs -o DB: the database to make");
        return CLI_USAGE;
    }
    for (size_t i = 0; i < count; i++)
        if (cli_check_output(paths[i], output) != CLI_YES)
            return CLI_USAGE;
    if (trace_import(paths, count, &chosen, output, &listener, &error) != LUDUS_OK)
        return cli_fail(call, &error);
    return cli_has(call, CLI_OPTION_STRICT) && listener.has_loss ? CLI_NO : CLI_YES;
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_OUTPUT,
     .name = "output",
     .letter = 'o',
     .type = CLI_VALUE_TEXT,
     .value_name = "DB",
     .help = "the database to make; one that is there is replaced, once the new one is complete"},
    {.id = CLI_OPTION_WINDOW,
     .name = "window",
     .type = CLI_VALUE_LIST,
     .value_name = "[NAME=]WINDOW",
     .help = "statistics of frames:A..B, time:A..B, marks:A..B or last:N, too; may be repeated"},
    {.id = CLI_OPTION_STATS_ONLY,
     .name = "stats-only",
     .type = CLI_VALUE_NONE,
     .help = "leave out slices and all else that grows with the capture's length, but for frames"},
    CLI_ROW_STRICT,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"import game.lcap -o game.db", "Makes a database that sqlite3 and 'query' read."},
    {"import monday.lcap tuesday.lcap -o week.db",
     "Several captures in one database; --capture N picks one of them later."},
    {"import game.lcap --window load=marks:LevelLoad..LevelReady -o game.db",
     "The tables of statistics have rows of the window load beside those of the window capture."},
    {"import nightly.lcap --stats-only --window steady=frames:100.. -o nightly.db",
     "A few hundred kilobytes to keep of each run, for 'diff'."},
};

const struct cli_command cmd_import = {
    .name = "import",
    .operands = "CAPTURE...",
    .required = " -o DB",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "load captures into a SQLite database",
    .description = "Loads one capture or several into a new SQLite database: every slice, and the "
                   "statistics that the reports show. 'ludus-trace schema' prints its tables.",
    .no_meaning = "--strict was given, and something is missing in a capture; DB was made",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
