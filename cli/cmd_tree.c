/* tree: who calls what, and what it takes there. */
#include "answer.h"
#include "options.h"
#include "selection_options.h"

#define DEFAULT_TOP     20
#define DEFAULT_MINIMUM "3%"

static enum ludus_status make_report(const struct cli_call *call, struct trace_input *input,
                                     struct trace_report **report, struct ludus_error *error)
{
    struct cli_selection selection;
    struct trace_tree_options options = {
        .are_tracks_apart = cli_has(call, CLI_OPTION_PER_TRACK),
        .depth = cli_number(call, CLI_OPTION_DEPTH, 0),
        .top = cli_number(call, CLI_OPTION_TOP, cli_is_for_people(call) ? DEFAULT_TOP : 0),
        .minimum = cli_text(call, CLI_OPTION_MIN)};

    if (options.minimum == NULL && cli_is_for_people(call))
        options.minimum = DEFAULT_MINIMUM;
    (void)cli_select(call, &selection); /* run has seen that it can be */
    options.selection = selection.chosen;
    return trace_report_tree(input, &options, report, error);
}

static enum cli_exit run(const struct cli_call *call)
{
    struct cli_selection selection;
    enum cli_exit code = cli_select(call, &selection);

    return code == CLI_YES ? cli_run_report(call, make_report) : code;
}

static const struct cli_option options[] = {
    CLI_ROW_PER_TRACK,
    {.id = CLI_OPTION_DEPTH,
     .name = "depth",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .lowest = 1,
     .help = "show N levels of scopes; all when not given"},
    {.id = CLI_OPTION_MIN,
     .name = "min",
     .type = CLI_VALUE_TEXT,
     .value_name = "SHARE|TIME",
     .help = "leave out what takes less of the mean frame, such as 1%, or less in a frame, such as "
             "50us; 0 leaves nothing out; 3% for tables and Markdown when not given"},
    {.id = CLI_OPTION_TOP,
     .name = "top",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "show the N children of each node that take most, and the N tracks; 0 shows all; 20 "
             "for tables and Markdown when not given"},
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
    {"tree game.lcap", "Who calls what, in the mean frame; one screen."},
    {"tree game.lcap --per-track --depth 2", "The top of each track's tree."},
    {"tree game.lcap --window load=marks:LevelLoad..LevelReady --window play=last:120frames",
     "Two windows, one below the other for each node."},
    {"tree game.lcap --site 'Physics/*' --min 0", "Where Physics is called from."},
    {"tree game.lcap --format json", "All nodes, with the numbers of their parents."},
};

const struct cli_command cmd_tree = {
    .name = "tree",
    .operands = "CAPTURE",
    .required = "",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "who calls what: inclusive and exclusive time by caller context",
    .description =
        "Shows the caller contexts of CAPTURE, a .lcap file or a database made by import, as a "
        "tree: what each scope takes where it is called from, merged over tracks. Each level of a "
        "recursion is a node of its own. Under every node whose children are shown stands what "
        "none of them covers, (unlogged), and what was left out as too small, (N more).\n\n"
        "Inclusive and exclusive time are not CPU time: a scope that waits is measured while it "
        "waits. With --site or --category the nodes of these sites are shown, and what calls them.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
