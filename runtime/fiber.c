/* Creates, switches and destroys fibers. */
#include "fiber.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ludus/profile.h>

#include "category_gates.h"
#include "emission.h"
#include "recorder_clock.h"
#include "recorder_core.h"
#include "site_label.h"

_Thread_local struct ludus_fiber *ludus_this_fiber;
_Thread_local struct ludus_track *ludus_own_track = &ludus_track_none;

struct ludus_fiber *ludus_fiber_create(const char *name)
{
    struct ludus_fiber *fiber = calloc(1, sizeof *fiber);
    if (fiber == NULL || !ludus_recorder_prepare()) {
        free(fiber);
        return NULL;
    }
    if (name == NULL || name[0] == '\0')
        name = "fiber";
    const size_t size =
        ludus_label_cut(name, strnlen(name, LUDUS_THREAD_NAME_BYTES), LUDUS_THREAD_NAME_BYTES - 1);
    memcpy(fiber->name, name, size);
    fiber->track = &ludus_track_none;
    return fiber;
}

/* Gives the slot back and frees the fiber, which nobody runs. */
static void finish(struct ludus_fiber *fiber)
{
    if (fiber->forks == ludus_core.forks)
        ludus_track_end(fiber->track);
    free(fiber);
}

void ludus_fiber_leave(void)
{
    struct ludus_fiber *fiber = ludus_this_fiber;
    if (fiber == NULL)
        return;
    fiber->track = ludus_this_track;
    fiber->forks = ludus_core.forks;
    ludus_this_fiber = NULL;
    ludus_this_track = ludus_own_track;
    if (atomic_exchange(&fiber->runner, NULL) == LUDUS_FIBER_DOOMED)
        finish(fiber);
}

static void report_misuse(const struct ludus_fiber *fiber, struct ludus_track *runner,
                          const char *what)
{
    char own[LUDUS_THREAD_NAME_BYTES];
    char other[LUDUS_THREAD_NAME_BYTES];
    char text[LUDUS_DIAGNOSTIC_TEXT];
    if (!ludus_gate_is_open(LUDUS_GATE_RECORDING))
        return;
    ludus_track_own_name(own);
    ludus_track_slot_name(runner, other);
    snprintf(text, sizeof text, "fiber \"%.63s\", run by thread \"%.63s\", was %s thread \"%.63s\"",
             fiber->name, other, what, own);
    ludus_report_diagnostic(&ludus_core.reports, LCAP_DIAGNOSTIC_FIBER_MISUSED, 0,
                            ludus_clock_ticks(), text);
}

/* The track of the present context, if it can record; nothing is counted when it cannot. */
static struct ludus_track *present_track(void)
{
    const struct ludus_track_table *table = &ludus_core.tracks;
    if (ludus_token_of(ludus_this_track) != 0)
        return ludus_this_track;
    if (!ludus_gate_is_open(LUDUS_GATE_RECORDING) || ludus_this_track == &ludus_track_departed ||
        atomic_load_explicit(&table->has_failed, memory_order_relaxed) ||
        ludus_track_attach() != LUDUS_ATTACH_OK)
        return NULL;
    return ludus_this_track;
}

/* Tells on the thread's own track, which is the present one, which fiber it runs from now on; 0 is
 * none. When there is no room, the reader sees the fiber's events all the same. */
static void tell_switch(uint32_t fiber_track)
{
    struct ludus_track *own = present_track();
    if (own == NULL || (own->room < 2 && !ludus_track_extend(own)))
        return;
    own->room -= 2;
    ludus_track_write_value(own, ludus_clock_ticks_ordered(), 0, LCAP_EVENT_TRACK_SWITCH,
                            (struct ludus_event_value){.value = fiber_track});
}

/* Makes the fiber the present context. The thread runs none. */
static void enter(struct ludus_fiber *fiber)
{
    struct ludus_track *runner = NULL;
    (void)present_track(); /* so that the thread can be named */
    struct ludus_track *own = ludus_this_track;
    if (!atomic_compare_exchange_strong(&fiber->runner, &runner, own)) {
        report_misuse(fiber, runner, "switched to by");
        tell_switch(0);
        return;
    }
    ludus_this_fiber = fiber;
    ludus_this_track = fiber->forks == ludus_core.forks ? fiber->track : &ludus_track_none;
    /* Its id must be known before it is told. */
    struct ludus_track *track = present_track();
    struct ludus_track *context = ludus_this_track;
    ludus_this_track = own;
    if (track != NULL)
        tell_switch(ludus_token_track(ludus_token_of(track)));
    ludus_own_track = own;
    ludus_this_track = context;
}

void ludus_fiber_switch(struct ludus_fiber *fiber)
{
    if (fiber == ludus_this_fiber)
        return;
    ludus_track_watch_exit();
    ludus_fiber_leave();
    if (fiber != NULL)
        enter(fiber);
    else
        tell_switch(0);
}

void ludus_fiber_destroy(struct ludus_fiber *fiber)
{
    if (fiber == NULL)
        return;
    if (fiber == ludus_this_fiber)
        ludus_fiber_switch(NULL);
    struct ludus_track *runner = atomic_exchange(&fiber->runner, LUDUS_FIBER_DOOMED);
    if (runner == NULL)
        finish(fiber);
    else
        report_misuse(fiber, runner, "destroyed by");
}
