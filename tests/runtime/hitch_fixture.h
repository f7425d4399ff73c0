/* What the tests of hitch captures share: their configuration, the files that come of it, and a
 * ledger of what a thread has emitted, against which captures are held. */
#ifndef HITCH_FIXTURE_H
#define HITCH_FIXTURE_H

#include "recorder_fixture.h"

#define HITCH_MOST_FILES 64

/* Keeps hitches, for calls alone: all of the recording before them, and an hour after, so that a
 * capture ends with the recording. Ticks are nanoseconds of CLOCK_MONOTONIC. */
struct ludus_recorder_config hitch_config(const char *name);

/* Calls the recorder's trigger, and ends the test when that fails. */
void hitch_trigger(const char *reason);

/* The captures in the fixture's folder. */
struct hitch_files {
    char paths[HITCH_MOST_FILES][600]; /* in their own order */
    size_t count;
};
void hitch_find_files(struct hitch_files *files);

/* Waits until so many captures are complete, and until there is a first one, complete or not. */
void hitch_await_captures(size_t count);
void hitch_await_file(void);

/* Waits so long that what is in captures that are complete by now is too old for the next one. */
void hitch_outlast(uint32_t before_ms);

/* Reads the capture with this number, from 0 in the order of their first triggers, and checks that
 * it is whole and one of a hitch. */
struct summary *hitch_read(size_t number);

/* Stops a recording of which the only capture is whole, and reads that. */
struct summary *hitch_stop_and_read(void);

/* The trigger with this reason, or NULL. */
const struct lcap_trigger *hitch_trigger_of(const struct summary *summary, const char *reason);

/* --- ledgers --------------------------------------------------------------------------------- */

/* What one thread emits: numbered scopes, each with a gauge in it that shows its number. */
struct hitch_ledger {
    const char *thread; /* its name */
    struct hitch_step {
        uint64_t before; /* in ticks, before its begin and behind its end */
        uint64_t after;
    } * steps;
    size_t count;
    size_t capacity;
};

void hitch_ledger_init(struct hitch_ledger *ledger, const char *thread, size_t capacity);
void hitch_ledger_free(struct hitch_ledger *ledger);

/* Emits the next scope on the calling thread, whose name must be the ledger's. False: it is full.
 */
bool hitch_ledger_emit(struct hitch_ledger *ledger);

/* Holds a capture against the ledger: what happened between its from_tick and its end is in it, or
 * told as lost within a time that has it. Returns how many of the steps are in it. */
size_t hitch_ledger_check(const struct hitch_ledger *ledger, const struct summary *summary);

/* Whether the step with this number is in the capture. */
bool hitch_ledger_has(const struct hitch_ledger *ledger, const struct summary *summary,
                      size_t number);

#endif
