/* Takes the options that choose a part of a capture. */
#include "selection_options.h"

#include <stdio.h>
#include <string.h>

const char *const cli_attribution_names[] = {"begin", "clip", NULL};

_Static_assert(TRACE_ATTRIBUTE_BEGIN == 0 && TRACE_ATTRIBUTE_CLIP == 1,
               "cli_attribution_names is in the order of enum trace_attribution");

/* --frames and --time are short for one window. */
static enum cli_exit set_short_window(const struct cli_call *call, struct cli_selection *selection)
{
    static const enum cli_option_id ids[] = {CLI_OPTION_FRAMES, CLI_OPTION_TIME};
    static const char *const kinds[] = {"frames", "time"};
    for (size_t i = 0; i < 2; i++) {
        const char *value = cli_text(call, ids[i]);
        if (value == NULL)
            continue;
        if (selection->chosen.window_count != 0) {
            cli_error("--%s is short for --window %s:%s; give several windows with --window",
                      kinds[i], kinds[i], value);
            return CLI_USAGE;
        }
        if (strlen(value) + 8 > sizeof selection->text) {
            cli_error("the value of --%s is too long", kinds[i]);
            return CLI_USAGE;
        }
        (void)snprintf(selection->text, sizeof selection->text, "%s:%s", kinds[i], value);
        selection->window = selection->text;
        selection->chosen.windows = &selection->window;
        selection->chosen.window_count = 1;
    }
    return CLI_YES;
}

enum cli_exit cli_select(const struct cli_call *call, struct cli_selection *selection)
{
    const struct cli_value *values = call->arguments->values;
    *selection =
        (struct cli_selection){.chosen = {.windows = values[CLI_OPTION_WINDOW].list,
                                          .window_count = values[CLI_OPTION_WINDOW].list_count,
                                          .domain = cli_text(call, CLI_OPTION_DOMAIN),
                                          .tracks = values[CLI_OPTION_TRACK].list,
                                          .track_count = values[CLI_OPTION_TRACK].list_count,
                                          .categories = values[CLI_OPTION_CATEGORY].list,
                                          .category_count = values[CLI_OPTION_CATEGORY].list_count,
                                          .sites = values[CLI_OPTION_SITE].list,
                                          .site_count = values[CLI_OPTION_SITE].list_count,
                                          .attribution = (enum trace_attribution)cli_number(
                                              call, CLI_OPTION_ATTRIBUTE, TRACE_ATTRIBUTE_BEGIN)}};
    return set_short_window(call, selection);
}
