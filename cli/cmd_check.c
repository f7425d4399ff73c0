/* check: whether a capture is whole. */
#include "answer.h"
#include "options.h"

static enum cli_exit check_arguments(const struct cli_call *call)
{
    bool has_looks = cli_has(call, CLI_OPTION_FORMAT) || cli_has(call, CLI_OPTION_TABLE);

    if (cli_has(call, CLI_OPTION_DUMP) && has_looks) {
        cli_error("--dump prints lines of its own; --format and --table do not go with it");
        return CLI_USAGE;
    }
    return cli_check_format(call);
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
    if (cli_has(call, CLI_OPTION_DUMP)) {
        status = trace_dump(path, cli_console_sink(call->console), &is_whole, &error);
    } else {
        status = trace_report_check(path, &report, &is_whole, &error);
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
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
};

static const struct cli_example examples[] = {
    {"check game.lcap", "Reads all of the file and says what is damaged, and where."},
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
        "make the answer no: the file is as it was written.",
    .no_meaning = "the capture is damaged, has a gap, or was not finished",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
