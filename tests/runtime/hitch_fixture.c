/* What the tests of hitch captures share. */
#include "hitch_fixture.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WAIT_NS UINT64_C(100000000000)

/* As in capture_summary.c. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg("not true: %s", #condition);                                              \
    } while (0)

struct ludus_recorder_config hitch_config(const char *name)
{
    struct ludus_recorder_config config = fixture_config(name);
    config.clock = LUDUS_CLOCK_MONOTONIC;
    config.retention = LUDUS_RETAIN_HITCHES;
    config.hitch.before_ms = 3600000;
    config.hitch.after_ms = 3600000;
    return config;
}

void hitch_trigger(const char *reason)
{
    struct ludus_error error;
    const enum ludus_status status = ludus_recorder_trigger(reason, &error);
    ck_assert_msg(status == LUDUS_OK, "trigger: %d %s", (int)status, error.message);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(a, b);
}

void hitch_find_files(struct hitch_files *files)
{
    const char *folder = fixture_path("");
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    ck_assert_ptr_nonnull(dir);
    files->count = 0;
    while ((entry = readdir(dir)) != NULL) {
        if (strstr(entry->d_name, ".lcap") == NULL)
            continue;
        ck_assert_uint_lt(files->count, HITCH_MOST_FILES);
        snprintf(files->paths[files->count++], sizeof files->paths[0], "%s%s", folder,
                 entry->d_name);
    }
    closedir(dir);
    qsort(files->paths, files->count, sizeof files->paths[0], compare_paths);
}

static bool is_complete(const char *path)
{
    char trailer[LCAP_TRAILER_SIZE] = "";
    FILE *file = fopen(path, "rb");
    const bool is_read = file != NULL && fseek(file, -(long)sizeof trailer, SEEK_END) == 0 &&
                         fread(trailer, sizeof trailer, 1, file) == 1;
    if (file != NULL)
        fclose(file);
    return is_read && memcmp(trailer, LCAP_TRAILER_MAGIC, 8) == 0;
}

static void await_files(size_t count, bool complete)
{
    const uint64_t deadline_ns = fixture_now_ns() + MOST_WAIT_NS;
    static struct hitch_files files;
    size_t found;
    do {
        fixture_sleep_ms(1);
        hitch_find_files(&files);
        found = 0;
        for (size_t i = 0; i < files.count; i++)
            found += !complete || is_complete(files.paths[i]);
        ck_assert_uint_lt(fixture_now_ns(), deadline_ns);
    } while (found < count);
}

void hitch_await_captures(size_t count)
{
    await_files(count, true);
}

void hitch_await_file(void)
{
    await_files(1, false);
}

void hitch_outlast(uint32_t before_ms)
{
    /* A block is left out as a whole, when the pass that made it is too old. */
    const uint64_t until_ns = fixture_now_ns() + before_ms * UINT64_C(1000000);
    while (fixture_now_ns() <= until_ns)
        fixture_sleep_ms(1);
}

static int compare_triggers(const void *a, const void *b)
{
    const struct lcap_trigger *left = (*(struct summary *const *)a)->triggers;
    const struct lcap_trigger *right = (*(struct summary *const *)b)->triggers;
    return (left->tick > right->tick) - (left->tick < right->tick);
}

struct summary *hitch_read(size_t number)
{
    static struct hitch_files files;
    struct summary *all[HITCH_MOST_FILES];
    hitch_find_files(&files);
    ck_assert_uint_lt(number, files.count);
    for (size_t i = 0; i < files.count; i++) {
        all[i] = summary_read(files.paths[i]);
        ck_assert_uint_gt(all[i]->trigger_count, 0);
    }
    qsort(all, files.count, sizeof *all, compare_triggers);
    struct summary *summary = all[number];
    for (size_t i = 0; i < files.count; i++) {
        if (all[i] != summary)
            summary_free(all[i]);
    }
    summary_check_whole(summary);
    ck_assert(summary->has_window);
    return summary;
}

struct summary *hitch_stop_and_read(void)
{
    const struct ludus_recorder_result result = fixture_stop();
    static struct hitch_files files;
    ck_assert_uint_eq(result.captures, 1);
    ck_assert_uint_eq(result.captures_failed, 0);
    ck_assert_uint_eq(result.triggers_missed, 0);
    hitch_find_files(&files);
    ck_assert_uint_eq(files.count, 1);
    ck_assert_str_eq(files.paths[0], result.path);
    return hitch_read(0);
}

const struct lcap_trigger *hitch_trigger_of(const struct summary *summary, const char *reason)
{
    for (size_t i = 0; i < summary->trigger_count; i++) {
        if (strcmp((const char *)summary->triggers[i].text.data, reason) == 0)
            return &summary->triggers[i];
    }
    return NULL;
}

/* --- ledgers --------------------------------------------------------------------------------- */

void hitch_ledger_init(struct hitch_ledger *ledger, const char *thread, size_t capacity)
{
    *ledger = (struct hitch_ledger){.thread = thread, .capacity = capacity};
    ledger->steps = malloc(capacity * sizeof *ledger->steps);
    ck_assert_ptr_nonnull(ledger->steps);
}

void hitch_ledger_free(struct hitch_ledger *ledger)
{
    free(ledger->steps);
    *ledger = (struct hitch_ledger){0};
}

bool hitch_ledger_emit(struct hitch_ledger *ledger)
{
    if (ledger->count == ledger->capacity)
        return false;
    struct hitch_step *step = &ledger->steps[ledger->count];
    step->before = fixture_now_ns();
    {
        LUDUS_PROFILE_SCOPE(ledger step);
        LUDUS_PROFILE_GAUGE(ledger number, (double)ledger->count);
    }
    step->after = fixture_now_ns();
    ledger->count++;
    return true;
}

/* The number that the gauge shows; SIZE_MAX: it is no gauge of a ledger. */
static size_t number_of(const struct summary_event *event, const struct lcap_site *site)
{
    double value;
    if (site == NULL || event->kind != LCAP_EVENT_GAUGE || event->site != site->site)
        return SIZE_MAX;
    memcpy(&value, &event->value, sizeof value);
    return (size_t)value;
}

/* Whether a step that is not there in whole need not be. */
static bool is_told_as_lost(const struct hitch_step *step, const struct summary *summary,
                            uint32_t track)
{
    for (size_t i = 0; i < summary->loss_count; i++) {
        const struct lcap_loss *loss = &summary->losses[i];
        if ((loss->track == track || loss->track == 0) && loss->first_tick <= step->after &&
            loss->last_tick >= step->before)
            return true;
    }
    return false;
}

/* Whether the gauge at `at` stands alone in a scope of its own, as far as that is in the capture,
 * at the time of the step. */
static void check_step(const struct summary *summary, const struct summary_track *track, size_t at,
                       const struct hitch_step *step)
{
    const struct summary_event *event = &track->events[at];
    EXPECT(event->tick >= step->before && event->tick <= step->after);
    if (event->depth == 0) { /* the scope was lost, and the gauge has found room again */
        EXPECT(at == 0 || is_told_as_lost(step, summary, track->record.track));
        return;
    }
    EXPECT(at == 0 || event[-1].kind == LCAP_EVENT_BEGIN);
    EXPECT(at == 0 || event[-1].tick >= step->before);
    EXPECT(at + 1 == track->count || event[1].kind == LCAP_EVENT_END);
    EXPECT(at + 1 == track->count || event[1].tick <= step->after);
}

size_t hitch_ledger_check(const struct hitch_ledger *ledger, const struct summary *summary)
{
    const struct summary_track *track = summary_track_named(summary, ledger->thread);
    const struct lcap_site *site = summary_site(summary, "ledger number");
    size_t found = 0;
    size_t next = 0; /* to be seen */
    ck_assert_msg(track != NULL, "track %s is missing", ledger->thread);
    for (size_t at = 0; at <= track->count; at++) {
        const size_t number =
            at < track->count ? number_of(&track->events[at], site) : ledger->count;
        if (number == SIZE_MAX)
            continue;
        EXPECT(number >= next && number <= ledger->count);
        for (; next < number; next++) {
            const struct hitch_step *step = &ledger->steps[next];
            if (step->before >= summary->window.from_tick && step->after < summary->end.stop_tick &&
                !is_told_as_lost(step, summary, track->record.track))
                ck_abort_msg("step %zu of %s, %llu ns behind the window's beginning, is missing",
                             next, ledger->thread,
                             (unsigned long long)(step->before - summary->window.from_tick));
        }
        if (at == track->count)
            break;
        check_step(summary, track, at, &ledger->steps[number]);
        next = number + 1;
        found++;
    }
    return found;
}

bool hitch_ledger_has(const struct hitch_ledger *ledger, const struct summary *summary,
                      size_t number)
{
    const struct summary_track *track = summary_track_named(summary, ledger->thread);
    const struct lcap_site *site = summary_site(summary, "ledger number");
    for (size_t at = 0; track != NULL && at < track->count; at++) {
        if (number_of(&track->events[at], site) == number)
            return true;
    }
    return false;
}
