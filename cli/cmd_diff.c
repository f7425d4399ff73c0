/* diff: two sides of captures, one verdict. */
#include "answer.h"
#include "diff_files.h"
#include "options.h"
#include "selection_options.h"

#define PEOPLES_ROWS 5u

/* In the order of `is_by_path`. */
static const char *const by_names[] = {"site", "path", NULL};

static const char *const fail_on_words[] = {"regression", "suspected", "budget",
                                            "loss",       "new",       NULL};

/* The number, or -1 when the option was not given. */
static int64_t number_or_none(const struct cli_call *call, enum cli_option_id id)
{
    return cli_has(call, id) ? (int64_t)cli_number(call, id, 0) : -1;
}

/* Two names without --to are base and candidate. */
static size_t count_base(const struct cli_call *call)
{
    size_t count = call->arguments->operand_count;

    if (cli_has(call, CLI_OPTION_TO))
        return cli_number(call, CLI_OPTION_TO, 0);
    return count == 2 ? 1 : count;
}

static struct trace_diff_options take_options(const struct cli_call *call,
                                              const struct cli_selection *selection)
{
    const struct cli_arguments *arguments = call->arguments;
    const char *const *names = (const char *const *)arguments->operands;
    size_t base = count_base(call);

    return (struct trace_diff_options){
        .base = names,
        .base_count = base,
        .candidate = names + base,
        .candidate_count = arguments->operand_count - base,
        .selection = selection->chosen,
        .is_by_path = cli_number(call, CLI_OPTION_BY, 0) == 1,
        .has_contexts = cli_has(call, CLI_OPTION_FOLDED) || cli_has(call, CLI_OPTION_REPORT),
        .has_frames_in_time = cli_has(call, CLI_OPTION_REPORT),
        .config = cli_text(call, CLI_OPTION_CONFIG),
        .fail_on = arguments->values[CLI_OPTION_FAIL_ON].list,
        .fail_on_count = arguments->values[CLI_OPTION_FAIL_ON].list_count,
        .min_change = cli_text(call, CLI_OPTION_MIN_CHANGE),
        .min_time = cli_text(call, CLI_OPTION_MIN_TIME),
        .min_frame_change = cli_text(call, CLI_OPTION_MIN_FRAME_CHANGE),
        .min_hitches = cli_text(call, CLI_OPTION_MIN_HITCHES),
        .max_loss = cli_text(call, CLI_OPTION_MAX_LOSS),
        .level = cli_text(call, CLI_OPTION_LEVEL),
        .hitch_ns = arguments->values[CLI_OPTION_BUDGET].time_ns,
        .min_calls = number_or_none(call, CLI_OPTION_MIN_CALLS),
        .min_hitch_count = number_or_none(call, CLI_OPTION_MIN_HITCH_COUNT),
        .min_frames = number_or_none(call, CLI_OPTION_MIN_FRAMES),
    };
}

/* --- the answer ------------------------------------------------------------------------------- */

static enum cli_exit exit_of(enum trace_diff_verdict verdict)
{
    return verdict == TRACE_DIFF_PASS ? CLI_YES : verdict == TRACE_DIFF_FAIL ? CLI_NO : CLI_INPUT;
}

static enum ludus_status show(const struct cli_call *call, const struct trace_diff *diff,
                              struct ludus_error *error)
{
    uint32_t top = cli_number(call, CLI_OPTION_TOP, cli_is_for_people(call) ? PEOPLES_ROWS : 0);
    struct trace_report *report;
    enum ludus_status status = trace_report_diff(diff, top, &report, error);

    if (status == LUDUS_OK)
        status = cli_show(call, report, error);
    trace_report_destroy(report);
    return status;
}

/* Stacks stand in the place of the answer, and of its verdict. */
static enum cli_exit answer(const struct cli_call *call, const struct trace_diff_options *options)
{
    bool is_shown = !cli_has(call, CLI_OPTION_FOLDED);
    struct trace_listener listener = cli_listener(call);
    struct cli_diff_files files = {{NULL}};
    struct trace_diff *diff = NULL;
    struct ludus_error error;
    enum ludus_status status = cli_diff_open_files(call, &files, &error);

    if (status == LUDUS_OK)
        status = trace_diff_open(options, &listener, &diff, &error);
    if (status == LUDUS_OK)
        status = cli_diff_write_files(&files, diff, &error);
    if (status == LUDUS_OK && is_shown)
        status = show(call, diff, &error);
    enum cli_exit code = status != LUDUS_OK ? cli_fail(call, &error)
                         : is_shown         ? exit_of(trace_diff_get_verdict(diff))
                                            : CLI_YES;
    cli_diff_close_files(&files);
    trace_diff_close(diff);
    return code;
}

/* --- what is refused -------------------------------------------------------------------------- */

static enum cli_exit check_sides(const struct cli_call *call)
{
    size_t count = call->arguments->operand_count;
    size_t base = count_base(call);

    if (base != 0 && base != count)
        return CLI_YES;
    if (cli_has(call, CLI_OPTION_TO))
        cli_error("%s --to there is no capture; the usage is: ludus-trace diff BASE... --to "
                  "CANDIDATE...",
                  base == 0 ? "in front of" : "behind");
    else
        cli_error("which captures are the candidate? put --to in front of them: ludus-trace diff "
                  "BASE... --to CANDIDATE...");
    return CLI_USAGE;
}

static enum cli_exit run(const struct cli_call *call)
{
    struct cli_selection selection;
    enum cli_exit code = cli_check_format(call);

    if (code == CLI_YES)
        code = cli_select(call, &selection);
    if (code == CLI_YES)
        code = check_sides(call);
    if (code == CLI_YES)
        code = cli_diff_check_files(call);
    if (code != CLI_YES)
        return code;
    struct trace_diff_options options = take_options(call, &selection);
    return answer(call, &options);
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_TO,
     .name = "to",
     .type = CLI_VALUE_BEHIND,
     .value_name = "CANDIDATE...",
     .help = "all captures behind it are the candidate's, those in front the base's; between two "
             "names it may be left out"},
    {.id = CLI_OPTION_BY,
     .name = "by",
     .type = CLI_VALUE_CHOICE,
     .value_name = "WHAT",
     .choices = by_names,
     .help = "what is compared: site (the default), or path, which tells a scope's callers apart"},
    {.id = CLI_OPTION_CONFIG,
     .name = "config",
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help =
         "thresholds and budgets in JSON, also by scope and category: docs/diff.md; 'ludus-trace "
         "schema diff-config' prints its schema"},
    {.id = CLI_OPTION_FAIL_ON,
     .name = "fail-on",
     .type = CLI_VALUE_LIST,
     .value_name = "WHAT",
     .choices = fail_on_words,
     .help =
         "exit with 1 on regression, suspected (slower, with too few runs for evidence), budget, "
         "loss or new; may be repeated; regression and budget when not given"},
    {.id = CLI_OPTION_FOLDED,
     .name = "folded",
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help = "write a differential flame graph's input instead: stacks with the ns of a frame on "
             "both sides"},
    {.id = CLI_OPTION_JUNIT,
     .name = "junit",
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help = "write what was judged as JUnit XML, too, for systems that show reports of tests"},
    {.id = CLI_OPTION_REPORT,
     .name = "report",
     .type = CLI_VALUE_TEXT,
     .value_name = "FILE",
     .help = "write a page for a browser, too: the verdict, frame times and flame graphs of both "
             "sides, all tables"},
    {.id = CLI_OPTION_BUDGET,
     .name = "budget",
     .type = CLI_VALUE_DURATION,
     .value_name = "TIME",
     .lowest = 1,
     .help =
         "a longer frame is a hitch; twice the median of the runs' median frames when not given"},
    {.id = CLI_OPTION_MIN_CHANGE,
     .name = "min-change",
     .type = CLI_VALUE_TEXT,
     .value_name = "PERCENT",
     .help = "a scope counts when it changed by so much of the base's time (3%)"},
    {.id = CLI_OPTION_MIN_TIME,
     .name = "min-time",
     .type = CLI_VALUE_TEXT,
     .value_name = "TIME",
     .help = "and by so much per frame: a time, or a part of the mean frame (0.1%)"},
    {.id = CLI_OPTION_MIN_CALLS,
     .name = "min-calls",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "and was called so often in all runs together (20)"},
    {.id = CLI_OPTION_MIN_FRAME_CHANGE,
     .name = "min-frame-change",
     .type = CLI_VALUE_TEXT,
     .value_name = "PERCENT",
     .help = "the median frame counts when it changed by so much (2%)"},
    {.id = CLI_OPTION_MIN_HITCHES,
     .name = "min-hitches",
     .type = CLI_VALUE_TEXT,
     .value_name = "N",
     .help = "hitches count when there are so many more in 1,000 frames (1)"},
    {.id = CLI_OPTION_MIN_HITCH_COUNT,
     .name = "min-hitch-count",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "and so many more in all (3)"},
    {.id = CLI_OPTION_LEVEL,
     .name = "level",
     .type = CLI_VALUE_TEXT,
     .value_name = "PERCENT",
     .help = "how often, at most, any regression is found where nothing changed (2%)"},
    {.id = CLI_OPTION_MAX_LOSS,
     .name = "max-loss",
     .type = CLI_VALUE_TEXT,
     .value_name = "PERCENT",
     .help = "a run that lost more of its events is not compared (0.1%)"},
    {.id = CLI_OPTION_MIN_FRAMES,
     .name = "min-frames",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .lowest = 1,
     .help = "a run of fewer complete frames is not compared (100)"},
    {.id = CLI_OPTION_TOP,
     .name = "top",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "list N scopes in each table; 0 lists all; when not given 5 for tables and Markdown, "
             "otherwise all"},
    {.id = CLI_OPTION_WINDOW,
     .name = "window",
     .type = CLI_VALUE_LIST,
     .value_name = "WINDOW",
     .help = "only what is in frames:A..B, time:A..B, marks:A..B or last:N of each run, such as "
             "marks:Load..Ready; one at most"},
    CLI_ROW_FRAMES,
    CLI_ROW_TIME,
    CLI_ROW_DOMAIN,
    CLI_ROW_TRACK,
    CLI_ROW_CATEGORY,
    CLI_ROW_SITE,
    CLI_ROW_ATTRIBUTE,
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"diff before.lcap after.lcap", "What changed between two captures; for evidence it takes "
                                    "4 runs a side."},
    {"diff base*.lcap --to new*.lcap --format markdown > comment.md",
     "Several runs a side, and the verdict as a comment on a merge request."},
    {"diff base*.lcap --to new*.lcap --report changes.html",
     "The same for a browser: frame times and flame graphs of both sides."},
    {"diff base*.db --to new*.db --config gate.json",
     "Databases of import --stats-only, with budgets and thresholds of your own."},
    {"diff base*.lcap --to new*.lcap --window frames:100..",
     "Without the first 100 frames, in which everything is cold."},
};

const struct cli_command cmd_diff = {
    .name = "diff",
    .operands = "BASE... --to CANDIDATE...",
    .required = "",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "compare two sets of captures: what changed, why, and a verdict for CI",
    .description =
        "Compares the runs of BASE with those of CANDIDATE, captures or databases made by import: "
        "frame times, hitches, scopes by name, file and category, GPU passes, counters. For each "
        "scope it says how much is more work (calls per frame) and how much slower work (time of a "
        "call); both add up to its change.\n\n"
        "A regression is a change for the worse that is evident and beyond every threshold. With 4 "
        "runs a side or more, evidence is a permutation test over all that is tested at once; with "
        "fewer, only calls per frame that are a whole number in every run, and budgets, decide. "
        "Record the runs of both sides in turns.\n\n"
        "--junit, --report and --folded may stand together; each capture is read once for all.\n\n"
        "Exits with 3, and says why, when the sides cannot be compared: another processor, build "
        "flavor or clock, too much lost, too few frames, a run that was cut short.",
    .no_meaning = "something of --fail-on was found: a regression, or a budget is exceeded",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
