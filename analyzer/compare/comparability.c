/* Whether runs can be held against each other at all. */
#include "comparability.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "number_text.h"

#define MOST_LATER      0.75 /* of the pairs of runs, that the later one is the same side's */
#define LEAST_IN_ONE_GO 3u   /* runs */

/* The runs of both sides, and what was found. */
struct check {
    const struct trace_run *const *runs;
    uint32_t base_runs, count;
    const struct trace_diff_config *config;
    struct trace_comparability *found;
};

/* A text for "%.*s"; of a run's file all of it, since paths differ at their ends. */
#define SHOWN(text) trace_text_shown(text), (text).data
#define NAMED(run)  (int)(run)->label.size, (run)->label.data

/* --- each run by itself ----------------------------------------------------------------------- */

static bool check_frames(const struct check *check, const struct trace_run *run)
{
    struct trace_warnings *reasons = &check->found->reasons;

    if (run->frames == 0)
        return trace_warnings_add(reasons,
                                  "%.*s: has no complete frame in the window; mark frames "
                                  "(LUDUS_PROFILE_FRAME), or choose another window",
                                  NAMED(run));
    if (run->frames < check->config->min_frames)
        return trace_warnings_add(reasons,
                                  "%.*s: has %" PRIu32 " complete frames, and %" PRIu64
                                  " are needed; record longer runs, or say --min-frames",
                                  NAMED(run), run->frames, check->config->min_frames);
    return run->has_marker ||
           trace_warnings_add(&check->found->warnings,
                              "%.*s: which track marks the frames is not known, or not chosen: "
                              "nothing can be said to explain their time",
                              NAMED(run));
}

static bool check_loss(const struct check *check, const struct trace_run *run)
{
    double share =
        run->lost == 0 ? 0.0 : (double)run->lost / ((double)run->lost + (double)run->recorded);
    char text[TRACE_NUMBER_SIZE];
    size_t size = trace_format_fixed(100.0 * share, trace_decimals_of(100.0 * share, 1), text);

    if (share > check->config->max_loss)
        return trace_warnings_add(&check->found->reasons,
                                  "%.*s: %.*s %% of the events were lost; `ludus-trace info` says "
                                  "why, and --max-loss how much may be",
                                  NAMED(run), (int)size, text);
    return run->lost == 0 ||
           trace_warnings_add(&check->found->warnings,
                              "%.*s: %.*s %% of the events were lost; frames in which that was "
                              "count for other tracks alone",
                              NAMED(run), (int)size, text);
}

static bool check_whole(const struct check *check, const struct trace_run *run)
{
    if (run->is_damaged &&
        !trace_warnings_add(&check->found->reasons,
                            "%.*s: is damaged; `ludus-trace check` says where", NAMED(run)))
        return false;
    return run->is_finished ||
           trace_warnings_add(&check->found->reasons,
                              "%.*s: its recording was cut short, as by a crash; a run that did "
                              "not end cannot pass",
                              NAMED(run));
}

/* --- all of them ------------------------------------------------------------------------------ */

/* A thing that must be the same in all runs, or should be. */
struct sameness {
    const char *what;
    size_t offset; /* of the text in struct trace_run */
    const char *why;
    bool is_needed;
};

static const struct sameness samenesses[] = {
    {"CPU model", offsetof(struct trace_run, cpu), "other processors take other times", true},
    {"number of cores", offsetof(struct trace_run, cores), "other processors take other times",
     true},
    {"build flavor", offsetof(struct trace_run, flavor),
     "other optimisation takes other times whatever was changed", true},
    {"clock", offsetof(struct trace_run, clock),
     "one of them measures more coarsely; LUDUS_CLOCK=monotonic gives all recordings one", true},
    {"frame domain", offsetof(struct trace_run, domain),
     "these are other frames; choose one with --domain", true},
    {"program", offsetof(struct trace_run, program), "is it meant?", false},
    {"system", offsetof(struct trace_run, os), "it may be the cause of what differs", false},
    {"CPU governor", offsetof(struct trace_run, governor), "clock speeds may differ", false},
    {"track that marks frames", offsetof(struct trace_run, marker),
     "scopes of other tracks are told apart from its own", false},
};

static const struct trace_text *text_at(const struct trace_run *run, size_t offset)
{
    return (const struct trace_text *)((const char *)run + offset);
}

static bool is_known(const struct trace_run *run, const struct sameness *sameness)
{
    return text_at(run, sameness->offset)->size != 0;
}

static bool say_differs(const struct check *check, const struct sameness *sameness,
                        const struct trace_run *run, const struct trace_run *other)
{
    const struct trace_text *text = text_at(run, sameness->offset);
    const struct trace_text *others = text_at(other, sameness->offset);

    return trace_warnings_add(sameness->is_needed && others->size != 0 ? &check->found->reasons
                                                                       : &check->found->warnings,
                              "the %s differs: %.*s has %.*s, %.*s has %.*s%s: %s", sameness->what,
                              NAMED(run), SHOWN(*text), NAMED(other), SHOWN(*others),
                              others->size == 0 ? "none recorded" : "", sameness->why);
}

/* Names the first run that differs from the first one that knows; where none does, the first one
 * that does not know. */
static bool check_sameness(const struct check *check, const struct sameness *sameness)
{
    const struct trace_run *known = NULL, *unknown = NULL;

    for (uint32_t i = 0; i < check->count; i++) {
        const struct trace_run *run = check->runs[i];
        if (!is_known(run, sameness)) {
            unknown = unknown == NULL ? run : unknown;
            continue;
        }
        known = known == NULL ? run : known;
        if (!trace_text_equals(*text_at(run, sameness->offset), *text_at(known, sameness->offset)))
            return say_differs(check, sameness, known, run);
    }
    return known == NULL || unknown == NULL || say_differs(check, sameness, known, unknown);
}

/* One recording on both sides has no change. */
static bool check_copies(const struct check *check)
{
    for (uint32_t i = 0; i < check->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const struct trace_run *run = check->runs[i], *other = check->runs[j];
            if (run->capture_id != other->capture_id)
                continue;
            if (!trace_warnings_add(&check->found->warnings,
                                    "%.*s and %.*s are one recording on both sides: between them "
                                    "nothing can differ",
                                    NAMED(other), NAMED(run)))
                return false;
            break;
        }
    return true;
}

/* Of all pairs of a run of each side, how many parts have the base's first; 0.5 of those that began
 * at the same time. */
static double share_of_base_first(const struct check *check)
{
    uint32_t candidates = check->count - check->base_runs;
    double first = 0;

    for (uint32_t i = 0; i < check->base_runs; i++)
        for (uint32_t j = check->base_runs; j < check->count; j++) {
            int64_t base_ns = check->runs[i]->start_unix_ns;
            int64_t candidate_ns = check->runs[j]->start_unix_ns;
            first += base_ns < candidate_ns ? 1.0 : base_ns == candidate_ns ? 0.5 : 0.0;
        }
    return first / ((double)check->base_runs * candidates);
}

/* Whether a side, the runs `from` to before `to`, made several runs, and none of the other one
 * began in between. */
static bool is_in_one_go(const struct check *check, uint32_t from, uint32_t to)
{
    int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;

    for (uint32_t i = from; i < to; i++) {
        int64_t start_ns = check->runs[i]->start_unix_ns;
        first_ns = start_ns < first_ns ? start_ns : first_ns;
        last_ns = start_ns > last_ns ? start_ns : last_ns;
    }
    for (uint32_t i = 0; i < check->count; i++) {
        int64_t start_ns = check->runs[i]->start_unix_ns;
        if ((i < from || i >= to) && start_ns >= first_ns && start_ns <= last_ns)
            return false;
    }
    return to - from >= LEAST_IN_ONE_GO && check->count - (to - from) > 1;
}

/* A machine that becomes slower makes the side slower that comes later. When it does so steadily,
 * that shows in the difference of the sides by 2 * share - 1 of what it would with one side wholly
 * before the other. What comes and goes makes the runs of a side differ that made them in several
 * goes, and so is no evidence; of a side that made them in one go it may be all that differs. */
static bool check_order(const struct check *check)
{
    double share = share_of_base_first(check);
    double later = share > 0.5 ? share : 1.0 - share;
    char how[128];

    if (check->count < 3)
        return true;
    if (later == 1.0)
        (void)snprintf(how, sizeof how, "all of one side were before the other");
    else if (later > MOST_LATER)
        (void)snprintf(how, sizeof how, "in %.0f %% of all pairs the %s's run was the later one",
                       floor(100.0 * later), share > 0.5 ? "candidate" : "base");
    else if (is_in_one_go(check, 0, check->base_runs) ||
             is_in_one_go(check, check->base_runs, check->count))
        (void)snprintf(how, sizeof how, "one side made all of its runs in one go");
    else
        return true;
    return trace_warnings_add(
        &check->found->warnings,
        "the runs of the sides were not interleaved in time: %s, so that what "
        "the machine did meanwhile looks like a change; record them in turns",
        how);
}

/* Told of the first run of a side that has it: the others were made on the same machine. */
static bool check_clocks(const struct check *check)
{
    bool is_told[2] = {false, false};

    for (uint32_t i = 0; i < check->count; i++) {
        const struct trace_run *run = check->runs[i];
        bool is_candidate = i >= check->base_runs;
        if (run->clock_warning.size == 0 || is_told[is_candidate])
            continue;
        is_told[is_candidate] = true;
        if (!trace_warnings_add(&check->found->warnings, "%.*s: %.*s", NAMED(run),
                                (int)run->clock_warning.size, run->clock_warning.data))
            return false;
    }
    return true;
}

static bool check_all(const struct check *check)
{
    bool is_done = true;

    for (uint32_t i = 0; is_done && i < check->count; i++)
        is_done = check_whole(check, check->runs[i]) && check_frames(check, check->runs[i]) &&
                  check_loss(check, check->runs[i]);
    for (size_t i = 0; is_done && i < sizeof samenesses / sizeof samenesses[0]; i++)
        is_done = check_sameness(check, &samenesses[i]);
    return is_done && check_clocks(check) && check_copies(check) && check_order(check);
}

bool trace_comparability_check(const struct trace_run *const *runs, uint32_t base_runs,
                               uint32_t candidate_runs, const struct trace_diff_config *config,
                               struct trace_comparability *found)
{
    struct check check = {runs, base_runs, base_runs + candidate_runs, config, found};

    *found = (struct trace_comparability){0};
    return check_all(&check);
}

void trace_comparability_destroy(struct trace_comparability *found)
{
    trace_warnings_destroy(&found->reasons);
    trace_warnings_destroy(&found->warnings);
}
