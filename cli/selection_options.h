/* The options that choose a part of a capture; they mean the same for every command that has them.
 */
#ifndef CLI_SELECTION_OPTIONS_H
#define CLI_SELECTION_OPTIONS_H

#include "options.h"

/* In the order of enum trace_attribution. */
extern const char *const cli_attribution_names[];

#define CLI_ROW_WINDOW                                                                             \
    {                                                                                              \
        .id = CLI_OPTION_WINDOW, .name = "window", .type = CLI_VALUE_LIST,                         \
        .value_name = "[NAME=]WINDOW",                                                             \
        .help = "only what is in frames:A..B, time:A..B, marks:A..B or last:N, such as "           \
                "time:2s..5s, marks:Load..Ready, last:120frames; may be repeated: several "        \
                "windows stand side by side"                                                       \
    }
#define CLI_ROW_FRAMES                                                                             \
    {                                                                                              \
        .id = CLI_OPTION_FRAMES, .name = "frames", .type = CLI_VALUE_TEXT, .value_name = "A..B",   \
        .help = "the same as --window frames:A..B; both ends are in it"                            \
    }
#define CLI_ROW_TIME                                                                               \
    {                                                                                              \
        .id = CLI_OPTION_TIME, .name = "time", .type = CLI_VALUE_TEXT, .value_name = "A..B",       \
        .help = "the same as --window time:A..B, such as 2s..5.5s; B is not in it"                 \
    }
#define CLI_ROW_DOMAIN                                                                             \
    {                                                                                              \
        .id = CLI_OPTION_DOMAIN, .name = "domain", .type = CLI_VALUE_TEXT, .value_name = "NAME",   \
        .help = "whose frames are meant; those of the first domain marked when not given"          \
    }
#define CLI_ROW_TRACK                                                                              \
    {                                                                                              \
        .id = CLI_OPTION_TRACK, .name = "track", .type = CLI_VALUE_LIST, .value_name = "NAME",     \
        .help = "only tracks of this name, or #ID; * and ? stand for any letters; may be repeated" \
    }
#define CLI_ROW_CATEGORY                                                                           \
    {                                                                                              \
        .id = CLI_OPTION_CATEGORY, .name = "category", .type = CLI_VALUE_LIST,                     \
        .value_name = "NAME", .help = "only sites of this category, likewise"                      \
    }
#define CLI_ROW_SITE                                                                               \
    {                                                                                              \
        .id = CLI_OPTION_SITE, .name = "site", .type = CLI_VALUE_LIST, .value_name = "NAME",       \
        .help = "only sites of this name, likewise"                                                \
    }
#define CLI_ROW_ATTRIBUTE                                                                          \
    {                                                                                              \
        .id = CLI_OPTION_ATTRIBUTE, .name = "attribute", .type = CLI_VALUE_CHOICE,                 \
        .value_name = "HOW", .choices = cli_attribution_names,                                     \
        .help = "where time counts: begin (the default), all of a slice where it begins; clip, "   \
                "split at the edges of frames and windows"                                         \
    }

#define CLI_ROW_PER_TRACK                                                                          \
    {                                                                                              \
        .id = CLI_OPTION_PER_TRACK, .name = "per-track",                                           \
        .help = "each track by itself, instead of all together"                                    \
    }

/* A selection and the texts that it points to. */
struct cli_selection {
    struct trace_selection chosen;
    const char *window;
    char text[256];
};

/* Fills it; it must not be moved. Says what does not go together and returns CLI_USAGE. */
enum cli_exit cli_select(const struct cli_call *call, struct cli_selection *selection);

#endif
