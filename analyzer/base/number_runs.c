/* Lists numbers with runs. */
#include "number_runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Room for two numbers, what stands between them, and the dots behind all. */
#define RUN_ROOM 60u

static void put_run(struct trace_number_runs *runs)
{
    char *at = runs->text + runs->size;
    size_t room = sizeof runs->text - runs->size;
    const char *comma = runs->size == 0 ? "" : ", ";
    if (room < RUN_ROOM) /* full: nothing is listed any more */
        return;
    if (runs->first == runs->last)
        (void)snprintf(at, room, "%s%" PRIu64, comma, runs->first);
    else
        (void)snprintf(at, room, "%s%" PRIu64 "..%" PRIu64, comma, runs->first, runs->last);
    runs->size += strlen(at);
    runs->listed += runs->last - runs->first + 1;
}

void trace_number_runs_add(struct trace_number_runs *runs, uint64_t number)
{
    if (runs->count != 0 && number == runs->last + 1) {
        runs->last = number;
    } else {
        if (runs->count != 0)
            put_run(runs);
        runs->first = runs->last = number;
    }
    runs->count++;
}

void trace_number_runs_end(struct trace_number_runs *runs)
{
    if (runs->count != 0)
        put_run(runs);
    if (runs->listed != runs->count)
        (void)snprintf(runs->text + runs->size, sizeof runs->text - runs->size, ", ...");
}
