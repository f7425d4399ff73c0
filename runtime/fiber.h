/* Fibers as the rest of the recorder sees them: contexts with a track of their own that run on one
 * thread after another. */
#ifndef LUDUS_FIBER_H
#define LUDUS_FIBER_H

#include <stdatomic.h>

#include "track.h"

struct ludus_fiber {
    /* The thread that runs it: that thread's own slot, or the one of threads that have none. NULL
     * while it is suspended; LUDUS_FIBER_DOOMED when it was destroyed while a thread ran it, which
     * frees it then. Who takes it, with an acquire, sees what the one before did to the fiber and
     * its slot until its release. */
    _Atomic(struct ludus_track *) runner;
    struct ludus_track *track; /* its slot, while it is suspended; may be of an earlier recording */
    uint32_t forks;            /* of this process, when `track` was got: a child has no slots */
    char name[LUDUS_THREAD_NAME_BYTES];
};

#define LUDUS_FIBER_DOOMED (&ludus_track_departed)

/* The fiber that the calling thread runs, or NULL; and the thread's own slot while it runs one. */
extern _Thread_local struct ludus_fiber *ludus_this_fiber;
extern _Thread_local struct ludus_track *ludus_own_track;

/* The calling thread no longer runs its fiber, if it runs one, and works for itself. */
void ludus_fiber_leave(void);

#endif
