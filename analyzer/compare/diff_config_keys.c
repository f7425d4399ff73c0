/* The keys of a comparison's configuration, in two tables: what is read of each, and the range. */
#include "diff_config_keys.h"

#include <math.h>

#define HOUR_MS     3600000.0 /* no frame is longer */
#define MAX_COUNT   1e9
#define MAX_VALUE   1e15 /* doubles tell all whole numbers up to there */
#define MAX_PERCENT 10000.0

#define AS_IT_IS TRACE_CONFIG_AS_IT_IS
#define PERCENT  TRACE_CONFIG_PERCENT
#define MS       TRACE_CONFIG_MS

/* Counters are not judged, and have no limits: one that is accepted must hold something. */
#define BY_NAME (TRACE_CONFIG_SCOPE | TRACE_CONFIG_CATEGORY | TRACE_CONFIG_PASS)
#define JUDGED  (TRACE_CONFIG_ROOT | BY_NAME)

#define LIMIT(field) offsetof(struct trace_limits, field)

const struct trace_config_key trace_limit_keys[TRACE_LIMIT_KEYS] = {
    {"relative_percent", TRACE_CONFIG_REAL, JUDGED, LIMIT(relative), 0, MAX_PERCENT, PERCENT},
    {"absolute_ms", TRACE_CONFIG_REAL, JUDGED, LIMIT(absolute_ns), 0, HOUR_MS, MS},
    {"absolute_percent_of_frame", TRACE_CONFIG_REAL, JUDGED, LIMIT(absolute_of_frame), 0, 100,
     PERCENT},
    {"min_calls", TRACE_CONFIG_COUNT, JUDGED, LIMIT(min_calls), 0, MAX_COUNT, AS_IT_IS},
    {"ignore", TRACE_CONFIG_FLAG, BY_NAME, LIMIT(is_ignored), 0, 1, AS_IT_IS},
    {"per_frame_ms", TRACE_CONFIG_REAL, TRACE_CONFIG_SCOPE | TRACE_CONFIG_PASS,
     LIMIT(budget_inclusive_ns), 0, HOUR_MS, MS},
    {"exclusive_per_frame_ms", TRACE_CONFIG_REAL, TRACE_CONFIG_SCOPE, LIMIT(budget_ns), 0, HOUR_MS,
     MS},
    {"calls_per_frame", TRACE_CONFIG_REAL, TRACE_CONFIG_SCOPE, LIMIT(budget_calls), 0, MAX_COUNT,
     AS_IT_IS},
    {"per_frame", TRACE_CONFIG_REAL, TRACE_CONFIG_COUNTER, LIMIT(budget_value), 0, MAX_VALUE,
     AS_IT_IS},
};

#define CONFIG(field) offsetof(struct trace_diff_config, field)

const struct trace_config_key trace_config_keys[TRACE_CONFIG_KEYS] = {
    {"$schema", TRACE_CONFIG_NOTE, TRACE_CONFIG_ROOT, 0, 0, 0, AS_IT_IS},
    {"level_percent", TRACE_CONFIG_REAL, TRACE_CONFIG_ROOT, CONFIG(level), 0.01, 50, PERCENT},
    {"max_loss_percent", TRACE_CONFIG_REAL, TRACE_CONFIG_ROOT, CONFIG(max_loss), 0, 100, PERCENT},
    {"min_frames", TRACE_CONFIG_COUNT, TRACE_CONFIG_ROOT, CONFIG(min_frames), 1, MAX_COUNT,
     AS_IT_IS},
    {"fail_on", TRACE_CONFIG_WORDS, TRACE_CONFIG_ROOT, CONFIG(fail_on), 0, 0, AS_IT_IS},
    {"window", TRACE_CONFIG_WINDOW, TRACE_CONFIG_ROOT, CONFIG(window), 0, 0, AS_IT_IS},
    {"domain", TRACE_CONFIG_TEXT, TRACE_CONFIG_ROOT, CONFIG(domain), 0, 0, AS_IT_IS},
    {"frame", TRACE_CONFIG_FRAMES, TRACE_CONFIG_ROOT, CONFIG(frame), 0, 0, AS_IT_IS},
    {"scopes", TRACE_CONFIG_LIST, TRACE_CONFIG_ROOT, TRACE_LIMITS_OF_SCOPES, 0, 0, AS_IT_IS},
    {"categories", TRACE_CONFIG_LIST, TRACE_CONFIG_ROOT, TRACE_LIMITS_OF_CATEGORIES, 0, 0,
     AS_IT_IS},
    {"gpu", TRACE_CONFIG_LIST, TRACE_CONFIG_ROOT, TRACE_LIMITS_OF_GPU, 0, 0, AS_IT_IS},
    {"counters", TRACE_CONFIG_LIST, TRACE_CONFIG_ROOT, TRACE_LIMITS_OF_COUNTERS, 0, 0, AS_IT_IS},
    {"relative_percent", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME, CONFIG(frame.relative), 0,
     MAX_PERCENT, PERCENT},
    {"more_hitches_per_1000", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME,
     CONFIG(frame.more_hitches_per_1000), 0, 1000, AS_IT_IS},
    {"more_hitches", TRACE_CONFIG_COUNT, TRACE_CONFIG_FRAME, CONFIG(frame.more_hitches), 0,
     MAX_COUNT, AS_IT_IS},
    {"hitch_ms", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME, CONFIG(frame.hitch_ns), 0, HOUR_MS, MS},
    {"p50_ms", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME, CONFIG(frame.budget_p50_ns), 0, HOUR_MS, MS},
    {"p95_ms", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME, CONFIG(frame.budget_p95_ns), 0, HOUR_MS, MS},
    {"p99_ms", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME, CONFIG(frame.budget_p99_ns), 0, HOUR_MS, MS},
    {"max_ms", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME, CONFIG(frame.budget_max_ns), 0, HOUR_MS, MS},
    {"hitches_per_1000", TRACE_CONFIG_REAL, TRACE_CONFIG_FRAME,
     CONFIG(frame.budget_hitches_per_1000), 0, 1000, AS_IT_IS},
};

/* Milliseconds are rounded to picoseconds: a million times the double nearest to 16.6 is more than
 * 16,600,000, and a frame of just that is within its budget. */
double trace_config_stored(const struct trace_config_key *key, double value)
{
    switch (key->unit) {
    case TRACE_CONFIG_PERCENT:
        return value / 100;
    case TRACE_CONFIG_MS:
        return round(value * 1e9) / 1e3;
    case TRACE_CONFIG_AS_IT_IS:
        break;
    }
    return value;
}

enum trace_config_object trace_config_object_of(enum trace_limit_kind kind)
{
    static const enum trace_config_object objects[TRACE_LIMIT_KINDS] = {
        TRACE_CONFIG_SCOPE, TRACE_CONFIG_CATEGORY, TRACE_CONFIG_PASS, TRACE_CONFIG_COUNTER};
    return objects[kind];
}
