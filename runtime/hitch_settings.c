/* Checks what is asked for, and makes the window's memory. */
#include "hitch_settings.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder_core.h"

#define DEFAULT_BEFORE_MS 5000u
#define DEFAULT_AFTER_MS  1000u
#define MAX_AROUND_MS     3600000u
#define DEFAULT_CAPTURES  16u
#define ADDED_NAME_BYTES  96u /* of time, reason and number, which are put into the path */

/* Digits with at most one point in them, whatever the locale, and a unit. False: it is no such
 * time. */
static bool read_time_us(const char *text, double *us)
{
    static const struct {
        const char *name;
        double us;
    } units[] = {{"us", 1}, {"ms", 1e3}, {"s", 1e6}};
    double value = 0;
    double place = 0; /* of the next digit behind the point; 0 in front of it */
    const char *at = text;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && place == 0); at++) {
        if (*at == '.') {
            place = 0.1;
        } else if (place == 0) {
            value = value * 10 + (*at - '0');
        } else {
            value += place * (*at - '0');
            place /= 10;
        }
    }
    for (size_t i = 0; at != text && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(at, units[i].name) == 0) {
            *us = value * units[i].us;
            return true;
        }
    }
    return false;
}

static enum ludus_status take_environment(struct ludus_recorder_config *config,
                                          struct ludus_error *error)
{
    const char *given = getenv("LUDUS_HITCH");
    double us;
    if (given == NULL || given[0] == '\0')
        return LUDUS_OK;
    if (!read_time_us(given, &us) || us < 1 || us > UINT32_MAX)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "LUDUS_HITCH is \"%.64s\": it must be a time in us, ms or s, such "
                               "as 33ms, and frames that take longer are hitches",
                               given);
    config->retention = LUDUS_RETAIN_HITCHES;
    config->hitch.frame_limit_us = (uint32_t)(us + 0.5);
    return LUDUS_OK;
}

enum ludus_status ludus_hitch_complete(struct ludus_recorder_config *config,
                                       struct ludus_error *error)
{
    struct ludus_hitch_config *hitch = &config->hitch;
    enum ludus_status status = take_environment(config, error);
    if (status != LUDUS_OK)
        return status;
    if (config->retention > LUDUS_RETAIN_HITCHES)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "retention is %u: it must be one of enum ludus_retention",
                               (unsigned)config->retention);
    if (hitch->frame_domain != NULL && strlen(hitch->frame_domain) >= LUDUS_HITCH_DOMAIN_BYTES)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "hitch.frame_domain is longer than %u bytes: name a domain that is "
                               "marked",
                               LUDUS_HITCH_DOMAIN_BYTES - 1);
    if (hitch->before_ms == 0)
        hitch->before_ms = DEFAULT_BEFORE_MS;
    if (hitch->after_ms == 0)
        hitch->after_ms = DEFAULT_AFTER_MS;
    if (hitch->max_captures == 0)
        hitch->max_captures = DEFAULT_CAPTURES;
    status = ludus_check_range("hitch.before_ms", hitch->before_ms, 1, MAX_AROUND_MS, error);
    if (status == LUDUS_OK)
        status = ludus_check_range("hitch.after_ms", hitch->after_ms, 1, MAX_AROUND_MS, error);
    return status;
}

/* Takes the path, "%p" replaced, with what time and reason add to it in mind. */
static enum ludus_status take_path(struct ludus_hitch *hitch, const char *path,
                                   struct ludus_error *error)
{
    if (path == NULL || path[0] == '\0')
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "no path for the captures: set the path in the configuration");
    if (!ludus_sink_expand_path(path, hitch->path, LUDUS_PATH_BYTES - ADDED_NAME_BYTES))
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "the captures' path is longer than %u bytes: choose a shorter one",
                               LUDUS_PATH_BYTES - ADDED_NAME_BYTES - 1);
    const char *slash = strrchr(hitch->path, '/');
    const char *name = slash == NULL ? hitch->path : slash + 1;
    if (name[0] == '\0')
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "%.300s: is the path of a folder: put a name behind it, which the "
                               "captures are called after",
                               hitch->path);
    if (strlen(name) > NAME_MAX - ADDED_NAME_BYTES)
        return ludus_error_set(error, LUDUS_ERROR_ARGUMENT,
                               "the name in the captures' path is longer than %u bytes: choose a "
                               "shorter one",
                               NAME_MAX - ADDED_NAME_BYTES);
    return LUDUS_OK;
}

/* Nothing is created before a trigger fires, when it would be too late to say that it cannot be. */
static enum ludus_status check_folder(const char *path, struct ludus_error *error)
{
    char folder[LUDUS_PATH_BYTES] = ".";
    char reason[128];
    const char *slash = strrchr(path, '/');
    if (slash != NULL) {
        const size_t size = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, size);
        folder[size] = '\0';
    }
    if (access(folder, W_OK | X_OK) == 0)
        return LUDUS_OK;
    return ludus_error_set(error, LUDUS_ERROR_WRITE,
                           "%.300s: no captures can be created there: %s: make the folder, or "
                           "choose another",
                           folder, strerror_r(errno, reason, sizeof reason));
}

enum ludus_status ludus_hitch_set_up(struct ludus_hitch *hitch,
                                     const struct ludus_recorder_config *config,
                                     const struct ludus_memory_plan *plan,
                                     struct ludus_error *error)
{
    hitch->file.sink.fd = -1;
    if (config->retention != LUDUS_RETAIN_HITCHES)
        return LUDUS_OK;
    enum ludus_status status = take_path(hitch, config->path, error);
    if (status == LUDUS_OK)
        status = check_folder(hitch->path, error);
    if (status != LUDUS_OK)
        return status;
    hitch->memory = ludus_allocate_touched(ludus_hitch_memory_bytes(plan->window_bytes));
    if (hitch->memory == NULL)
        return ludus_error_set(error, LUDUS_ERROR_MEMORY,
                               "the window's memory cannot be allocated: ask for less than %llu "
                               "bytes",
                               (unsigned long long)plan->window_bytes);
    hitch->is_on = true;
    hitch->window_bytes = (size_t)plan->window_bytes;
    hitch->block_bytes = (size_t)plan->block_bytes;
    hitch->frame_limit_us = config->hitch.frame_limit_us;
    hitch->before_ms = config->hitch.before_ms;
    hitch->after_ms = config->hitch.after_ms;
    hitch->max_captures = config->hitch.max_captures;
    if (config->hitch.frame_domain != NULL)
        memcpy(hitch->domain_name, config->hitch.frame_domain,
               strlen(config->hitch.frame_domain) + 1);
    return LUDUS_OK;
}

void ludus_hitch_tell(const struct ludus_hitch *hitch, struct ludus_machine_facts *facts)
{
    if (!hitch->is_on)
        return;
    ludus_facts_add_number(facts, "recorder.hitch_before_ms", hitch->before_ms);
    ludus_facts_add_number(facts, "recorder.hitch_after_ms", hitch->after_ms);
    ludus_facts_add_number(facts, "recorder.hitch_window_bytes", hitch->window_bytes);
    if (hitch->frame_limit_us != 0)
        ludus_facts_add_number(facts, "recorder.hitch_frame_limit_us", hitch->frame_limit_us);
}
