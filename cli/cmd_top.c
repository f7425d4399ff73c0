/* top: the last moments of a capture, also while it is being recorded. */
#include <stdio.h>

#include "answer.h"
#include "interrupt.h"
#include "options.h"
#include "screen.h"

#define DEFAULT_TOP         20
#define DEFAULT_LAST_MS     1000
#define DEFAULT_INTERVAL_MS 500
#define LEAST_SITES         3u    /* a small screen leaves out counters rather than those */
#define QUIET_MS            2000u /* without new data, before that is said */

/* A look on its way. */
struct look {
    const struct cli_call *call;
    struct trace_live *live;
    struct trace_live_state state;
    struct cli_page page;
    uint64_t grown_ms; /* when there was new data last */
    uint64_t next_ms;  /* that there is none is said again when it has been so for so long */
    bool is_on_screen; /* drawn in place */
    bool has_shown;    /* something */
};

static void wait_interval(const struct cli_call *call)
{
    cli_wait_ms(cli_number(call, CLI_OPTION_INTERVAL, DEFAULT_INTERVAL_MS));
}

static enum ludus_status open_look(const struct cli_call *call, struct trace_live **live,
                                   struct ludus_error *error)
{
    const struct trace_live_options options = {
        .last_ms = cli_number(call, CLI_OPTION_LAST, DEFAULT_LAST_MS),
        .is_followed = cli_has(call, CLI_OPTION_FOLLOW)};

    return trace_live_open(call->arguments->operands[0], &options, live, error);
}

/* --- one look -------------------------------------------------------------------------------- */

static enum cli_exit look_once(const struct cli_call *call)
{
    struct trace_top_options options = {.sites = cli_number(call, CLI_OPTION_TOP, DEFAULT_TOP)};
    struct trace_live *live = NULL;
    struct trace_live_state state;
    struct trace_report *report = NULL;
    struct ludus_error error;
    enum ludus_status status = open_look(call, &live, &error);

    if (status == LUDUS_OK)
        status = trace_live_read(live, &state, &error);
    if (status == LUDUS_OK)
        status = trace_report_top(live, &options, &report, &error);
    if (status == LUDUS_OK)
        status = cli_show(call, report, &error);
    trace_report_destroy(report);
    trace_live_close(live);
    return status == LUDUS_OK ? CLI_YES : cli_fail(call, &error);
}

/* --- following ------------------------------------------------------------------------------- */

static enum ludus_status render(struct look *look, const struct trace_top_options *options,
                                bool is_terse, uint32_t width, struct ludus_error *error)
{
    const struct trace_render_options looks = {.format = TRACE_FORMAT_TABLE,
                                               .color = look->call->console->has_color,
                                               .is_terse = is_terse,
                                               .width = width};
    struct trace_report *report;
    enum ludus_status status = trace_report_top(look->live, options, &report, error);

    if (status != LUDUS_OK)
        return status;
    cli_page_clear(&look->page);
    status = trace_render(report, &looks, cli_page_sink(&look->page), error);
    trace_report_destroy(report);
    return status;
}

/* What a screen has no room for is left out: first notes, then sites, then values. */
static enum ludus_status render_to_fit(struct look *look, struct cli_screen_size size,
                                       struct ludus_error *error)
{
    /* The last one says how things are. Not 0, which as a number of rows would stand for all. */
    const uint32_t room = size.rows > 2 ? size.rows - 1 : 1;
    struct trace_top_options options = {.sites =
                                            cli_number(look->call, CLI_OPTION_TOP, DEFAULT_TOP)};
    enum ludus_status status = render(look, &options, false, size.columns, error);

    if (status != LUDUS_OK || look->page.lines <= room)
        return status;
    if (options.sites == 0 || options.sites > room)
        options.sites = room;
    status = render(look, &options, true, size.columns, error);
    while (status == LUDUS_OK && look->page.lines > room && options.sites > LEAST_SITES) {
        options.sites--;
        status = render(look, &options, true, size.columns, error);
    }
    for (options.values = room;
         status == LUDUS_OK && look->page.lines > room && --options.values > 0;)
        status = render(look, &options, true, size.columns, error);
    return status;
}

static enum ludus_status draw(struct look *look, struct ludus_error *error)
{
    const struct cli_screen_size size = cli_screen_size();
    const char *path = look->call->arguments->operands[0];
    const uint64_t quiet_ms = cli_now_ms() - look->grown_ms;
    char line[512];
    enum ludus_status status = render_to_fit(look, size, error);

    if (status != LUDUS_OK)
        return status;
    if (look->state.is_finished)
        (void)snprintf(line, sizeof line, "the recording is finished: %s", path);
    else if (quiet_ms >= QUIET_MS)
        (void)snprintf(line, sizeof line, "no new data for %llu s (Ctrl-C ends): %s",
                       (unsigned long long)(quiet_ms / 1000), path);
    else
        (void)snprintf(line, sizeof line, "recording (Ctrl-C ends): %s", path);
    if (!look->has_shown)
        cli_screen_begin(look->call->console);
    cli_screen_draw(look->call->console, &look->page, line, size.rows);
    return LUDUS_OK;
}

/* Where nothing can be drawn over, looks follow each other; one without anything new is none. */
static enum ludus_status append(struct look *look, struct ludus_error *error)
{
    const struct trace_top_options options = {
        .sites = cli_number(look->call, CLI_OPTION_TOP, DEFAULT_TOP)};
    struct cli_console *console = look->call->console;
    const uint64_t quiet_ms = cli_now_ms() - look->grown_ms;
    enum ludus_status status;
    char line[64];

    if (look->has_shown && !look->state.has_grown) {
        if (quiet_ms < look->next_ms)
            return LUDUS_OK;
        (void)snprintf(line, sizeof line, "no new data for %llu s\n",
                       (unsigned long long)(quiet_ms / 1000));
        cli_print(console, line);
        cli_console_flush(console);
        look->next_ms = quiet_ms * 2;
        return LUDUS_OK;
    }
    look->next_ms = QUIET_MS;
    status = render(look, &options, false, 0, error);
    if (status != LUDUS_OK)
        return status;
    if (look->has_shown)
        cli_print(console, "--------\n");
    cli_write(console, look->page.text, look->page.size);
    cli_console_flush(console);
    return LUDUS_OK;
}

static enum ludus_status look_again(struct look *look, struct ludus_error *error)
{
    enum ludus_status status = trace_live_read(look->live, &look->state, error);

    if (status != LUDUS_OK)
        return status;
    if (look->state.has_grown || !look->has_shown)
        look->grown_ms = cli_now_ms();
    status = look->is_on_screen ? draw(look, error) : append(look, error);
    look->has_shown = look->has_shown || status == LUDUS_OK;
    return status;
}

/* Waits until something is recorded. LUDUS_END: it was interrupted before. */
static enum ludus_status await_capture(struct look *look, struct ludus_error *error)
{
    bool has_told = false;
    enum ludus_status status;

    while ((status = open_look(look->call, &look->live, error)) == LUDUS_END &&
           !cli_is_interrupted()) {
        if (!has_told)
            cli_warning("%s; waiting for it", error->message);
        has_told = true;
        wait_interval(look->call);
    }
    return status;
}

static enum cli_exit follow(const struct cli_call *call)
{
    struct look look = {.call = call, .is_on_screen = call->console->has_cursor};
    struct ludus_error error;
    enum ludus_status status;

    cli_catch_interrupts();
    status = await_capture(&look, &error);
    while (status == LUDUS_OK) {
        status = look_again(&look, &error);
        if (status != LUDUS_OK || look.state.is_finished || cli_is_interrupted() ||
            call->console->write_errno != 0)
            break;
        wait_interval(call);
    }
    if (look.is_on_screen && look.has_shown)
        cli_screen_end(call->console);
    cli_page_release(&look.page);
    trace_live_close(look.live);
    return status == LUDUS_OK || status == LUDUS_END ? CLI_YES : cli_fail(call, &error);
}

/* --- the command ----------------------------------------------------------------------------- */

static enum cli_exit run(const struct cli_call *call)
{
    if (cli_has(call, CLI_OPTION_FOLLOW) && cli_format(call) != TRACE_FORMAT_TABLE) {
        cli_error("--follow shows tables; leave it out for a look in another format");
        return CLI_USAGE;
    }
    if (cli_has(call, CLI_OPTION_INTERVAL) && !cli_has(call, CLI_OPTION_FOLLOW)) {
        cli_error("--interval says how often --follow looks; it is not given");
        return CLI_USAGE;
    }
    if (cli_check_format(call) != CLI_YES)
        return CLI_USAGE;
    return cli_has(call, CLI_OPTION_FOLLOW) ? follow(call) : look_once(call);
}

static const struct cli_option options[] = {
    {.id = CLI_OPTION_FOLLOW,
     .name = "follow",
     .letter = 'f',
     .help = "look again and again, until the recording is finished or Ctrl-C is pressed; waits "
             "for a CAPTURE that is not there yet"},
    {.id = CLI_OPTION_INTERVAL,
     .name = "interval",
     .type = CLI_VALUE_TIME,
     .value_name = "TIME",
     .lowest = 50,
     .help = "with --follow: from one look to the next; 500ms when not given"},
    {.id = CLI_OPTION_LAST,
     .name = "last",
     .type = CLI_VALUE_TIME,
     .value_name = "TIME",
     .lowest = 1,
     .help = "how much of the capture's end is looked at, such as 250ms, 1s or 2min; 1s when not "
             "given"},
    {.id = CLI_OPTION_TOP,
     .name = "top",
     .type = CLI_VALUE_NUMBER,
     .value_name = "N",
     .help = "list the N sites with the most exclusive time; 0 lists all; 20 when not given, or "
             "as many as the screen has room for"},
    CLI_ROW_FORMAT,
    CLI_ROW_TABLE,
    CLI_ROW_QUIET,
    CLI_ROW_VERBOSE,
};

static const struct cli_example examples[] = {
    {"top game.lcap --follow", "Where the running game's time goes, twice a second."},
    {"top game.lcap --last 5s", "The last five seconds before the game ended, or died."},
};

const struct cli_command cmd_top = {
    .name = "top",
    .operands = "CAPTURE",
    .required = "",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "a running program's last second, from its growing capture",
    .description =
        "Shows the last second of CAPTURE, a .lcap file that is finished or still being recorded: "
        "frame times, counters and gauges, the sites with the most exclusive time, losses. The "
        "program that records knows nothing of it: only the file is read, and of that no events "
        "that are older.\n\n"
        "With --follow the picture is drawn again in place on a terminal; elsewhere looks follow "
        "each other, a line of dashes between them. When the program dies, its file stops growing: "
        "that is said, and the last picture stays until Ctrl-C is pressed. A file that is cut or "
        "replaced meanwhile cannot be followed: the exit status is 3.\n\n"
        "Slices that lie over an edge of the window count with the part inside. Inclusive and "
        "exclusive time are not CPU time: a scope that waits is measured while it waits.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
