/* frames: how long frames were, the worst of them, and what made them so. */
#include "answer.h"
#include "options.h"
#include "selection_options.h"

#define DEFAULT_WORST  10u
#define PEOPLES_WORST  3u /* one screen, of about 50 lines, for one domain */
#define PEOPLES_SCOPES 2u
#define DEFAULT_SCOPES 3u
#define DEFAULT_LINES  6u

static int64_t budget_ns(const struct cli_call *call)
{
    return call->arguments->values[CLI_OPTION_BUDGET].time_ns;
}

static enum ludus_status make_report(const struct cli_call *call, struct trace_input *input,
                                     struct trace_report **report, struct ludus_error *error)
{
    struct cli_selection selection;
    struct trace_frames_options options = {
        .budget_ns = budget_ns(call),
        .worst = cli_number(call, CLI_OPTION_WORST,
                            cli_is_for_people(call) ? PEOPLES_WORST : DEFAULT_WORST),
        .top = cli_number(call, CLI_OPTION_TOP,
                          cli_is_for_people(call) ? PEOPLES_SCOPES : DEFAULT_SCOPES)};

    (void)cli_select(call, &selection); /* run has seen that it can be */
    options.selection = selection.chosen;
    return trace_report_frames(input, &options, report, error);
}

static enum ludus_status make_explanation(const struct cli_call *call, struct trace_input *input,
                                          struct trace_report **report, struct ludus_error *error)
{
    struct cli_selection selection;
    struct trace_explain_options options = {
        .budget_ns = budget_ns(call),
        .frame = cli_number(call, CLI_OPTION_EXPLAIN, 0),
        .top = cli_number(call, CLI_OPTION_TOP, cli_is_for_people(call) ? DEFAULT_LINES : 0)};

    (void)cli_select(call, &selection); /* run has seen that it can be */
    options.selection = selection.chosen;
    return trace_report_explain(input, &options, report, error);
}

static enum cli_exit run(const struct cli_call *call)
{
    struct cli_selection selection;
    enum cli_exit code = cli_select(call, &selection);

    if (code != CLI_YES)
        return code;
    if (cli_has(call, CLI_OPTION_EXPLAIN) && cli_has(call, CLI_OPTION_WORST)) {
        cli_error("--worst lists several frames, and --explain shows one; give one of them");
        return CLI_USAGE;
    }
    return cli_run_report(call, cli_has(call, CLI_OPTION_EXPLAIN) ? make_explanation : make_report);
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_EXPLAIN,
     .name = "explain",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "show frame N on one screen: what took longer, what the threads did, what it waited "
             "for"},
    {.id = CLI_OPTION_BUDGET,
     .name = "budget",
     .type = CLI_VALUE_DURATION,
     .value_name = "TIME",
     .lowest = 1,
     .help = "count the frames that are longer, such as 16.6ms, and how many of them follow each "
             "other"},
    {.id = CLI_OPTION_WORST,
     .name = "worst",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "list the N longest frames; when not given 3 for tables and Markdown, otherwise 10"},
    {.id = CLI_OPTION_TOP,
     .name = "top",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help =
         "list N scopes of each of them; 0 lists all; when not given 2 for tables and Markdown, "
         "otherwise 3. Of one frame that is explained: 6 for tables and Markdown"},
    CLI_ROW_WINDOW,
    CLI_ROW_FRAMES,
    CLI_ROW_TIME,
    CLI_ROW_DOMAIN,
    CLI_ROW_TRACK,
    CLI_ROW_CATEGORY,
    CLI_ROW_SITE,
    CLI_ROW_ATTRIBUTE,
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
    CLI_ROW_CAPTURE,
    CLI_ROW_STRICT,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"frames game.lcap --budget 16.6ms", "How many frames missed 60 a second, and which."},
    {"frames game.lcap --explain 483", "Why frame 483 took so long."},
    {"frames game.lcap --window load=marks:LevelLoad..LevelReady --window play=frames:600..",
     "Two parts of a capture side by side."},
    {"frames game.lcap --site Physics/Step", "In which frames Physics/Step did not run."},
};

const struct cli_command cmd_frames = {
    .name = "frames",
    .operands = "CAPTURE",
    .required = "",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "frame times, the longest frames, and what made them so",
    .description =
        "Shows how long the frames of CAPTURE were, a .lcap file or a database made by import: "
        "percentiles, each a frame that was measured, and a histogram; the longest frames; and for "
        "each of these the scopes whose own time exceeds their median most: was it more work (more "
        "calls) or slower work, or did it wait?\n\n"
        "Frame times come from frame marks alone. A frame of which a mark is missing is left out, "
        "never a long one.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
