/* export: a capture in another program's format. */
#include "answer.h"
#include "options.h"

static enum ludus_status write_perfetto(void *input, struct trace_output output,
                                        struct ludus_error *error)
{
    return trace_export_perfetto(input, output, error);
}

static enum cli_exit check_arguments(const struct cli_call *call)
{
    const char *input = call->arguments->operands[0];
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);

    if (!cli_has(call, CLI_OPTION_PERFETTO)) {
        cli_error("export needs --perfetto: the format to write");
        return CLI_USAGE;
    }
    if (output == NULL && call->console->is_terminal) {
        cli_error("export does not write to a terminal; name a file with -o, or use a pipe");
        return CLI_USAGE;
    }
    if (output != NULL && cli_is_same_file(input, output)) {
        cli_error("'%s' is to be read and written; name another file with -o", output);
        return CLI_USAGE;
    }
    return CLI_YES;
}

static enum cli_exit run(const struct cli_call *call)
{
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);
    struct trace_input *input = NULL;
    struct ludus_error error;
    enum ludus_status status;
    enum cli_exit code = check_arguments(call);

    if (code != CLI_YES)
        return code;
    status = cli_open_input(call, &input, &error);
    if (status == LUDUS_OK)
        status = output != NULL
                     ? cli_write_file(output, write_perfetto, input, &error)
                     : trace_export_perfetto(input, cli_console_sink(call->console), &error);
    code = status == LUDUS_OK ? cli_conclude(call, input) : cli_fail(call, &error);
    trace_close(input);
    return code;
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_PERFETTO,
     .name = "perfetto",
     .help = "trace event JSON, which ui.perfetto.dev, Chrome and speedscope open"},
    {.id = CLI_OPTION_OUTPUT,
     .name = "output",
     .letter = 'o',
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help = "write FILE, which appears when it is complete, instead of standard output; one that "
             "is there is replaced, but for captures and databases"},
    CLI_ROW_CAPTURE,
    CLI_ROW_STRICT,
};

static const struct cli_example examples[] = {
    {"export game.lcap --perfetto -o game.json", "Writes a file to open at ui.perfetto.dev."},
    {"export game.lcap --perfetto | gzip > game.json.gz", "The same, compressed."},
};

const struct cli_command cmd_export = {
    .name = "export",
    .operands = "CAPTURE",
    .required = " --perfetto",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "write a capture as Perfetto JSON, for a timeline viewer",
    .description = "Writes CAPTURE, a .lcap file or a database made by import, in a format that "
                   "timeline viewers open. The memory that it takes does not depend on the size of "
                   "the capture. It does not write to a terminal.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
