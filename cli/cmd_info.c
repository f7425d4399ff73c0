/* info: what is in a capture. */
#include "answer.h"
#include "options.h"

#define DEFAULT_TOP 20

static enum ludus_status make_report(const struct cli_call *call, struct trace_input *input,
                                     struct trace_report **report, struct ludus_error *error)
{
    uint32_t top = cli_number(call, CLI_OPTION_TOP, cli_is_for_people(call) ? DEFAULT_TOP : 0);

    return trace_report_info(input, top, report, error);
}

/* A verdict needs every block. */
static enum cli_exit run(const struct cli_call *call)
{
    return cli_run_report_from(
        call, cli_has(call, CLI_OPTION_STRICT) ? trace_open : trace_open_for_info, make_report);
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_TOP,
     .name = "top",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "list N tracks, losses (the largest), diagnostics and damaged parts; 0 lists all; 20 "
             "for tables and Markdown when not given"},
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
    CLI_ROW_CAPTURE,
    CLI_ROW_STRICT,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"info game.lcap", "Shows when, where and by which build the capture was recorded."},
    {"info game.lcap --strict", "Says by its exit status whether anything is missing."},
};

const struct cli_command cmd_info = {
    .name = "info",
    .operands = "CAPTURE",
    .required = "",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "what is in a capture: session, clocks, tracks, losses",
    .description = "Shows what is in CAPTURE, a .lcap file or a database made by import: the "
                   "session, the clocks, the tracks, counts, and what was lost or is damaged. "
                   "Events are not decoded, so that the answer comes at once; of a capture over "
                   "64 MiB their blocks are not even verified, unless --strict is given: "
                   "check does that.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
