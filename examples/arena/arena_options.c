/* The arena's command line: the parser and the manual come from one table. */
#include "arena_options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option {
    OPTION_FRAMES,
    OPTION_SEED,
    OPTION_CAPTURE,
    OPTION_RESOLUTION,
    OPTION_TIMES,
    OPTION_DENSE,
    OPTION_PACE,
    OPTION_PLANT_COST,
    OPTION_PLANT_CALLS,
    OPTION_PLANT_HITCH,
    OPTION_HELP
};

static const struct {
    const char *name;
    const char *value; /* NULL: takes none */
    const char *text;
    unsigned long long least; /* of a number, both included; most 0: not a number */
    unsigned long long most;
} option_table[] = {
    [OPTION_FRAMES] = {"--frames", "N", "play N frames (default 600)", 1, 10000000},
    [OPTION_SEED] = {"--seed", "N", "make the world from N (default 1)", 0, UINT64_MAX},
    [OPTION_CAPTURE] = {"--capture", "FILE", "record into FILE, which must not exist", 0, 0},
    [OPTION_RESOLUTION] = {"--resolution", "NS", "store times to NS nanoseconds", 1, 1000000},
    [OPTION_TIMES] = {"--times", "FILE", "write the times of frames and threads, as JSON", 0, 0},
    [OPTION_DENSE] = {"--dense", NULL, "ten times the scopes, each a tenth as long", 0, 0},
    [OPTION_PACE] = {"--pace", "MS", "let a frame take at least MS milliseconds", 1, 10000},
    [OPTION_PLANT_COST] = {"--plant-cost", "N", "let Tile/Ground do N percent more work", 1, 100},
    [OPTION_PLANT_CALLS] = {"--plant-calls", "N", "draw N tiles of each picture twice", 1, 42},
    [OPTION_PLANT_HITCH] = {"--plant-hitch", "N", "load the level again in every Nth frame", 1,
                            1000000},
    [OPTION_HELP] = {"--help", NULL, "print this and end", 0, 0},
};

enum { OPTION_COUNT = sizeof option_table / sizeof option_table[0] };

static bool option_number(const char *text, unsigned long long least, unsigned long long most,
                          unsigned long long *number)
{
    char *end = NULL;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number >= least && *number <= most;
}

static void option_apply(struct arena_options *options, uint32_t option, const char *value,
                         unsigned long long number)
{
    switch ((enum option)option) {
    case OPTION_FRAMES:
        options->frames = (uint32_t)number;
        break;
    case OPTION_SEED:
        options->seed = number;
        break;
    case OPTION_CAPTURE:
        options->capture = value;
        break;
    case OPTION_RESOLUTION:
        options->resolution_ns = (uint32_t)number;
        break;
    case OPTION_TIMES:
        options->times = value;
        break;
    case OPTION_DENSE:
        options->dense = true;
        break;
    case OPTION_PACE:
        options->pace_ms = (uint32_t)number;
        break;
    case OPTION_PLANT_COST:
        options->plants.cost_percent = (uint32_t)number;
        break;
    case OPTION_PLANT_CALLS:
        options->plants.calls = (uint32_t)number;
        break;
    case OPTION_PLANT_HITCH:
        options->plants.hitch_every = (uint32_t)number;
        break;
    case OPTION_HELP:
        options->help = true;
        break;
    }
}

bool arena_options_parse(struct arena_options *options, int argc, char **argv)
{
    *options = (struct arena_options){.frames = 600, .seed = 1};
    for (int i = 1; i < argc; i++) {
        uint32_t option = 0;
        unsigned long long number = 0;
        while (option < OPTION_COUNT && strcmp(argv[i], option_table[option].name) != 0)
            option++;
        if (option == OPTION_COUNT) {
            fprintf(stderr, "arena: unknown option '%s'; --help lists them all\n", argv[i]);
            return false;
        }
        const char *value = option_table[option].value ? argv[++i] : NULL;
        if (option_table[option].value && (!value || value[0] == '\0')) {
            fprintf(stderr, "arena: %s needs a value: %s %s\n", option_table[option].name,
                    option_table[option].name, option_table[option].value);
            return false;
        }
        if (option_table[option].most != 0 &&
            !option_number(value, option_table[option].least, option_table[option].most, &number)) {
            fprintf(stderr, "arena: %s takes a whole number from %llu to %llu, not '%s'\n",
                    option_table[option].name, option_table[option].least,
                    option_table[option].most, value);
            return false;
        }
        option_apply(options, option, value, number);
    }
    return true;
}

void arena_options_help(void)
{
    puts("usage: arena [options]\n\n"
         "Plays a headless game on the main thread and three workers, as fast as it can.\n"
         "The same seed gives the same work, proved by the checksum at the end.\n");
    for (uint32_t option = 0; option < OPTION_COUNT; option++) {
        const char *value = option_table[option].value ? option_table[option].value : "";
        printf("  %s %-*s  %s\n", option_table[option].name,
               16 - (int)strlen(option_table[option].name), value, option_table[option].text);
    }
    puts(
        "\nWhere the build has a recorder, LUDUS_CAPTURE=FILE in the environment records as well.");
}
