/* check: whether a capture is whole; and what is, saved. */
#include "answer.h"
#include "options.h"
#include "watch.h"

static enum cli_exit check_arguments(const struct cli_call *call)
{
    const char *output = cli_text(call, CLI_OPTION_OUTPUT);
    bool has_looks = cli_has(call, CLI_OPTION_FORMAT) || cli_has(call, CLI_OPTION_TABLE);

    if (cli_has(call, CLI_OPTION_DUMP) && has_looks) {
        cli_error("--dump prints lines of its own; --format and --table do not go with it");
        return CLI_USAGE;
    }
    if (cli_has(call, CLI_OPTION_DUMP) && cli_has(call, CLI_OPTION_REPAIR)) {
        cli_error("--dump and --repair do not go together; give one of them");
        return CLI_USAGE;
    }
    if (cli_has(call, CLI_OPTION_REPAIR) && output == NULL) {
        cli_error("--repair needs -o FILE: the capture to make");
        return CLI_USAGE;
    }
    if (output != NULL && !cli_has(call, CLI_OPTION_REPAIR)) {
        cli_error(
            "-o names the capture that --repair makes; without that nothing is written to it");
        return CLI_USAGE;
    }
    if (cli_check_output(call->arguments->operands[0], output) != CLI_YES)
        return CLI_USAGE;
    return cli_check_format(call);
}

/* A capture that is made of the good blocks of another. */
struct repair {
    const char *path;
    struct trace_report *report;
};

static enum ludus_status write_repaired(void *context, struct trace_output output,
                                        struct ludus_error *error)
{
    struct repair *repair = context;

    return trace_repair(repair->path, &cli_watch, output, &repair->report, error);
}

static enum cli_exit run_repair(const struct cli_call *call)
{
    struct repair repair = {.path = call->arguments->operands[0]};
    struct ludus_error error;
    enum ludus_status status =
        cli_write_file(cli_text(call, CLI_OPTION_OUTPUT), write_repaired, &repair, &error);

    if (status == LUDUS_OK)
        status = cli_show(call, repair.report, &error);
    trace_report_destroy(repair.report);
    return status == LUDUS_OK ? CLI_YES : cli_fail(call, &error);
}

static enum cli_exit run(const struct cli_call *call)
{
    const char *path = call->arguments->operands[0];
    struct trace_report *report = NULL;
    struct ludus_error error;
    enum ludus_status status;
    bool is_whole = false;
    enum cli_exit code = check_arguments(call);

    if (code != CLI_YES)
        return code;
    if (cli_has(call, CLI_OPTION_REPAIR))
        return run_repair(call);
    if (cli_has(call, CLI_OPTION_DUMP)) {
        status = trace_dump(path, &cli_watch, cli_console_sink(call->console), &is_whole, &error);
    } else {
        status = trace_report_check(path, &cli_watch, &report, &is_whole, &error);
        if (status == LUDUS_OK)
            status = cli_show(call, report, &error);
    }
    trace_report_destroy(report);
    if (status != LUDUS_OK)
        return cli_fail(call, &error);
    return is_whole ? CLI_YES : CLI_NO;
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_DUMP,
     .name = "dump",
     .help = "print every record, a line each, as the format's specification describes"},
    {.id = CLI_OPTION_REPAIR,
     .name = "repair",
     .help = "save what is whole: write a capture of the good blocks, and say what was left out"},
    {.id = CLI_OPTION_OUTPUT,
     .name = "output",
     .letter = 'o',
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help =
         "with --repair: the capture to make, which appears when it is complete; a file that is "
         "there is replaced, but for captures and databases"},
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"check game.lcap", "Reads all of the file and says what is damaged, and where."},
    {"check game.lcap --repair -o saved.lcap", "Saves what is whole of a damaged capture."},
    {"check game.lcap --dump", "Shows what is in the file, block by block."},
};

const struct cli_command cmd_check = {
    .name = "check",
    .operands = "CAPTURE",
    .required = "",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "whether a capture is whole, and what is damaged",
    .description =
        "Reads and decodes every block of CAPTURE, a .lcap file, and shows what is damaged, "
        "missing or unfinished. What the recorder itself reported as lost is shown, and does not "
        "make the answer no: the file is as it was written.\n"
        "\n"
        "With --repair every good block is copied into FILE, a capture that is whole as a file. "
        "What was left out is in FILE as well: it says that it was repaired, which events are "
        "lost, and "
        "whether the recording was not finished, so that its numbers are those of CAPTURE, with "
        "the same warnings. Names whose definitions are lost stay lost. A whole CAPTURE is copied. "
        "The exit status then says whether FILE was made.",
    .no_meaning = "the capture is damaged, has a gap, or was not finished; not with --repair",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
