/* Makes of a diff's options the configuration that holds. */
#include "diff_overrides.h"

#include <math.h>
#include <stdlib.h>

#include "failure.h"

/* Reads a number in plain digits, with a point or not; returns what follows it, or NULL. Exact as
 * strtod is, in every locale. */
static const char *read_number(const char *text, double *number)
{
    double value = 0.0, place = 1.0;
    bool has_point = false, has_digit = false;

    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !has_point); text++) {
        if (*text == '.') {
            has_point = true;
            continue;
        }
        has_digit = true;
        value = value * 10.0 + (*text - '0');
        if (has_point)
            place *= 10.0;
    }
    *number = value / place;
    return has_digit && isfinite(*number) ? text : NULL;
}

/* An option that is a part: "3%" or "3" is 0.03. */
static enum ludus_status set_part(const char *name, const char *text, double least, double most,
                                  double *part, struct ludus_error *error)
{
    double percent;

    if (text == NULL)
        return LUDUS_OK;
    const char *end = read_number(text, &percent);
    if (end == NULL || (*end != '\0' && (end[0] != '%' || end[1] != '\0')) || percent < least ||
        percent > most)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "--%s needs a percentage from %g to %g, such as 3%%, not '%s'", name,
                          least, most, text);
    *part = percent / 100.0;
    return LUDUS_OK;
}

/* "20us" or "0.1%": one takes the other's place. */
static enum ludus_status set_min_time(const char *text, struct trace_limits *limits,
                                      struct ludus_error *error)
{
    int64_t time_ns;
    double percent;

    if (text == NULL)
        return LUDUS_OK;
    const char *end = read_number(text, &percent);
    if (end != NULL && end[0] == '%' && end[1] == '\0' && percent <= 100.0) {
        limits->absolute_ns = NAN;
        limits->absolute_of_frame = percent / 100.0;
        return LUDUS_OK;
    }
    if (!trace_parse_time(text, &time_ns))
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "--min-time needs a time per frame such as 20us, or a part of the mean "
                          "frame such as 0.1%%, not '%s'",
                          text);
    limits->absolute_ns = (double)time_ns;
    return LUDUS_OK;
}

static enum ludus_status set_min_hitches(const char *text, struct trace_frame_limits *frame,
                                         struct ludus_error *error)
{
    double number;

    if (text == NULL)
        return LUDUS_OK;
    const char *end = read_number(text, &number);
    if (end == NULL || *end != '\0' || number > 1000.0)
        return trace_fail(error, LUDUS_ERROR_ARGUMENT,
                          "--min-hitches needs a number of hitches in 1,000 frames, such as 1 or "
                          "0.5, not '%s'",
                          text);
    frame->more_hitches_per_1000 = number;
    return LUDUS_OK;
}

static enum ludus_status set_fail_on(const struct trace_diff_options *options,
                                     struct trace_diff_config *config, struct ludus_error *error)
{
    unsigned bits = 0;

    for (size_t i = 0; i < options->fail_on_count; i++) {
        const char *word = options->fail_on[i];
        struct trace_nearest nearest = trace_nearest_start(word, strlen(word));
        unsigned bit = trace_fail_on_find(word);
        for (size_t w = 0; trace_fail_on_words[w] != NULL; w++)
            trace_nearest_consider(&nearest, trace_fail_on_words[w]);
        if (bit == 0)
            return trace_fail(error, LUDUS_ERROR_ARGUMENT, "--fail-on cannot be '%s'; %s%s", word,
                              nearest.name != NULL ? "did you mean "
                                                   : "it is one of regression, "
                                                     "suspected, budget, loss, "
                                                     "new",
                              nearest.name != NULL ? nearest.name : "");
        bits |= bit;
    }
    if (bits != 0)
        config->fail_on = bits;
    return LUDUS_OK;
}

static void set_counts(const struct trace_diff_options *options, struct trace_diff_config *config)
{
    if (options->hitch_ns > 0)
        config->frame.hitch_ns = (double)options->hitch_ns;
    if (options->min_calls >= 0)
        config->limits.min_calls = (uint64_t)options->min_calls;
    if (options->min_hitch_count >= 0)
        config->frame.more_hitches = (uint64_t)options->min_hitch_count;
    if (options->min_frames >= 0)
        config->min_frames = (uint64_t)options->min_frames;
}

static enum ludus_status override(const struct trace_diff_options *options,
                                  struct trace_diff_config *config, struct ludus_error *error)
{
    const struct {
        const char *name, *text;
        double least, most;
        double *part;
    } parts[] = {
        {"min-change", options->min_change, 0.0, 10000.0, &config->limits.relative},
        {"min-frame-change", options->min_frame_change, 0.0, 10000.0, &config->frame.relative},
        {"max-loss", options->max_loss, 0.0, 100.0, &config->max_loss},
        {"level", options->level, 0.01, 50.0, &config->level},
    };
    enum ludus_status status = LUDUS_OK;

    for (size_t i = 0; status == LUDUS_OK && i < sizeof parts / sizeof parts[0]; i++)
        status = set_part(parts[i].name, parts[i].text, parts[i].least, parts[i].most,
                          parts[i].part, error);
    if (status == LUDUS_OK)
        status = set_min_time(options->min_time, &config->limits, error);
    if (status == LUDUS_OK)
        status = set_min_hitches(options->min_hitches, &config->frame, error);
    set_counts(options, config);
    return status == LUDUS_OK ? set_fail_on(options, config, error) : status;
}

enum ludus_status trace_diff_configure(const struct trace_diff_options *options,
                                       struct trace_diff_config **config, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;

    *config = NULL;
    if (options->config != NULL) {
        status = trace_diff_config_read(options->config, config, error);
    } else {
        *config = calloc(1, sizeof **config);
        if (*config == NULL)
            return trace_fail_memory(error);
        trace_diff_config_set_default(*config);
    }
    return status == LUDUS_OK ? override(options, *config, error) : status;
}
