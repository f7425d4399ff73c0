/* summarize: where the frames went. */
#include "answer.h"
#include "options.h"

#define DEFAULT_TOP 20

static enum ludus_status make_report(const struct cli_call *call, struct trace_input *input,
                                     struct trace_report **report, struct ludus_error *error)
{
    struct trace_summarize_options choices = {.top = cli_number(call, CLI_OPTION_TOP, DEFAULT_TOP)};

    return trace_report_summarize(input, &choices, report, error);
}

static enum cli_exit run(const struct cli_call *call)
{
    return cli_run_report(call, make_report);
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_TOP,
     .name = "top",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "list the N sites with the most exclusive time; 0 lists all; 20 when not given"},
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
    CLI_ROW_CAPTURE,
    CLI_ROW_STRICT,
};

static const struct cli_example examples[] = {
    {"summarize game.lcap", "The first look at a capture."},
    {"summarize game.lcap --top 0 --format csv --table sites",
     "All sites with exact numbers, for a spreadsheet."},
    {"summarize game.lcap --format markdown", "Tables for a merge request."},
};

const struct cli_command cmd_summarize = {
    .name = "summarize",
    .operands = "CAPTURE",
    .required = "",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "where the frames went: frame times, top sites, remainders",
    .description =
        "Shows where the frames of CAPTURE went, a .lcap file or a database made by import: "
        "frame times of each domain, the sites with the most exclusive time, calls per frame, "
        "the time that no scope covers, incomplete slices and losses.\n\n"
        "Inclusive and exclusive time are not CPU time: a scope that waits is measured while it "
        "waits.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
