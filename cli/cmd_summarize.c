/* summarize: where the frames went. */
#include "answer.h"
#include "selection_options.h"

/* In the order of enum trace_summarize_by. */
static const char *const by_names[] = {"site",    "path", "category", "track",
                                       "counter", "mark", "flow",     NULL};

/* In the order of enum trace_summarize_sort. */
static const char *const sort_names[] = {"exclusive", "inclusive", "calls", "mean", "name", NULL};

static enum trace_summarize_by chosen_subjects(const struct cli_call *call)
{
    return cli_has(call, CLI_OPTION_GPU)
               ? TRACE_BY_GPU_PASS
               : (enum trace_summarize_by)cli_number(call, CLI_OPTION_BY, TRACE_BY_SITE);
}

static enum ludus_status make_report(const struct cli_call *call, struct trace_input *input,
                                     struct trace_report **report, struct ludus_error *error)
{
    struct cli_selection selection;
    struct trace_summarize_options choices = {
        .by = chosen_subjects(call),
        .sort = (enum trace_summarize_sort)cli_number(call, CLI_OPTION_SORT, TRACE_SORT_EXCLUSIVE),
        .has_percentiles = cli_has(call, CLI_OPTION_PERCENTILES),
        .has_union = cli_has(call, CLI_OPTION_UNION),
        .top = cli_number(call, CLI_OPTION_TOP, cli_is_for_people(call) ? TRACE_TOP_SCREEN : 0)};

    (void)cli_select(call, &selection); /* run has seen that it can be taken */
    choices.selection = selection.chosen;
    return trace_report_summarize(input, &choices, report, error);
}

static enum cli_exit run(const struct cli_call *call)
{
    struct cli_selection selection;
    enum cli_exit code = cli_select(call, &selection);
    enum trace_summarize_by by = chosen_subjects(call);
    bool has_scopes = by == TRACE_BY_SITE || by == TRACE_BY_PATH || by == TRACE_BY_CATEGORY;

    if (cli_has(call, CLI_OPTION_GPU) &&
        (cli_has(call, CLI_OPTION_BY) || cli_has(call, CLI_OPTION_SORT) ||
         cli_has(call, CLI_OPTION_PERCENTILES) || cli_has(call, CLI_OPTION_UNION))) {
        cli_error("--gpu lists passes of GPUs in the place of sites, those that take most first, "
                  "with percentiles and unions; leave out --by, --sort, --percentiles and --union");
        return CLI_USAGE;
    }
    if (cli_has(call, CLI_OPTION_PERCENTILES) && by != TRACE_BY_SITE) {
        cli_error("--percentiles are of sites; leave out --by, or give --by site");
        return CLI_USAGE;
    }
    if (cli_has(call, CLI_OPTION_UNION) && !has_scopes) {
        cli_error(
            "--union is of scopes over tracks; leave out --by, or give --by site, path or "
            "category (the union of one track is its time in scopes, which --by track shows)");
        return CLI_USAGE;
    }
    if (cli_number(call, CLI_OPTION_SORT, TRACE_SORT_EXCLUSIVE) == TRACE_SORT_MEAN &&
        selection.chosen.attribution == TRACE_ATTRIBUTE_CLIP) {
        cli_error("--sort mean is by the time of a call, which --attribute clip does not know: a "
                  "piece of a slice is no call; sort by inclusive, exclusive, calls or name");
        return CLI_USAGE;
    }
    return code == CLI_YES ? cli_run_report(call, make_report) : code;
}

static const struct cli_option options[] = {
    CLI_ROW_WINDOW,
    CLI_ROW_FRAMES,
    CLI_ROW_TIME,
    CLI_ROW_DOMAIN,
    CLI_ROW_TRACK,
    CLI_ROW_CATEGORY,
    CLI_ROW_SITE,
    CLI_ROW_ATTRIBUTE,
    {.id = CLI_OPTION_BY,
     .name = "by",
     .type = CLI_VALUE_CHOICE,
     .value_name = "WHAT",
     .choices = by_names,
     .help = "what rows are: site (the default), path, category, track, counter (and "
             "gauge), mark or flow"},
    {.id = CLI_OPTION_GPU,
     .name = "gpu",
     .type = CLI_VALUE_NONE,
     .help = "list GPU passes in the place of sites, how much they overlap, what was measured and "
             "what not, and how far their times can be trusted"},
    {.id = CLI_OPTION_SORT,
     .name = "sort",
     .type = CLI_VALUE_CHOICE,
     .value_name = "KEY",
     .choices = sort_names,
     .help = "exclusive (the default), inclusive, calls, each per frame; mean of a call, with "
             "--attribute begin only; or name"},
    {.id = CLI_OPTION_PERCENTILES,
     .name = "percentiles",
     .type = CLI_VALUE_NONE,
     .help = "with --by site: how long the slices of the listed sites were, from min over p50 to "
             "max; takes more passes over the capture"},
    {.id = CLI_OPTION_UNION,
     .name = "union",
     .type = CLI_VALUE_NONE,
     .help = "with --by site, path or category: in how much time at least one track was in each "
             "listed one, and in any scope, beside the sum over tracks; takes more passes over "
             "the capture"},
    {.id = CLI_OPTION_TOP,
     .name = "top",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "list the first N that work and the first N that wait; 0 lists all; for tables and "
             "Markdown, as many as fit on a screen when not given"},
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
    CLI_ROW_CAPTURE,
    CLI_ROW_STRICT,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"summarize game.lcap", "The first look at a capture."},
    {"summarize game.lcap --format csv --table sites",
     "All sites with exact numbers, for a spreadsheet."},
    {"summarize game.lcap --window load=marks:LevelLoad..LevelReady --window play=frames:600..",
     "Loading beside playing."},
    {"summarize game.lcap --by category --track main --window last:120frames",
     "What the main thread did in the last 120 frames, by category."},
    {"summarize game.lcap --by category --union --attribute clip",
     "For how much of the frames anything ran, and how much of it at the same time."},
    {"summarize game.lcap --gpu", "Which GPU pass it was, and how well that is known."},
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
        "frame times of each domain, GPU times beside them, the sites with the most exclusive "
        "time, calls per frame, "
        "the time that no scope covers, incomplete slices and losses.\n\n"
        "Inclusive and exclusive time are not CPU time: a scope that waits is measured while it "
        "waits. Scopes of category wait are listed behind those that work.",
    .no_meaning = "--strict was given, and something is missing in the capture",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
