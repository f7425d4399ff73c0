/* What starting, stopping and forking share: the state, and the lock that lets one of them in. */
#ifndef LUDUS_RECORDER_CONTROL_H
#define LUDUS_RECORDER_CONTROL_H

#include "recorder_core.h"

void ludus_recorder_set_state(enum ludus_recorder_state state);

/* Takes the control lock, and says how the thread could be cancelled before. Start, stop and what
 * may follow open, write and wait, which are places where a thread is cancelled: not with the lock
 * in its hands. */
int ludus_recorder_lock(void);
void ludus_recorder_unlock(int cancel_state); /* which it was */

/* From here on no GPU samples are admitted. */
void ludus_recorder_close_gpu(void);

/* Frees what a recording allocates besides its region. Also that of a parent, in a child. */
void ludus_recorder_release(struct ludus_collector *collector);

#endif
