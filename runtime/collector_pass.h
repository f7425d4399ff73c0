/* The steps of a pass of the collector, each in its file. All of them do nothing to the file after
 * a failed write, but go on counting. */
#ifndef LUDUS_COLLECTOR_PASS_H
#define LUDUS_COLLECTOR_PASS_H

#include "collector.h"
#include "track.h"

/* Whether blocks can be made. With a window, makes room in it for one: to be asked before each. */
bool ludus_can_put(struct ludus_collector *collector);

/* Takes the result of an lcap_encode_ call: puts the block into the stream, or into the window.
 * `tally` says what it holds, and may be NULL. */
void ludus_put_block(struct ludus_collector *collector, enum ludus_status status,
                     struct lcap_bytes block, const struct ludus_tally *tally);

/* The same for what a file needs by itself: into the stream, or into the hitch's capture that is
 * open. Without one it is not put anywhere. */
void ludus_put_definition(struct ludus_collector *collector, enum ludus_status status,
                          struct lcap_bytes block);

/* What a capture begins with: the session and the clocks. */
void ludus_put_beginning(struct ludus_collector *collector);

/* Defines everything that there is, in a capture that has just begun. */
void ludus_define_again(struct ludus_collector *collector);

/* Writes what `counts` has more than was written: strings, categories, sites, oddities of names;
 * then the tracks of this pass that are new or have changed. Into a window go only tracks that have
 * ended, for no later capture could define them. */
void ludus_define_tables(struct ludus_collector *collector,
                         const struct ludus_registry_counts *counts);

/* Writes the clock and, when that is the counter, its first calibration. */
void ludus_clock_begin(struct ludus_collector *collector);

/* Compares the counter with CLOCK_MONOTONIC. After a jump, another clock is used from here on,
 * whose ticks go on behind those of the one before. A calibration is written when one is due, when
 * the two have come apart, and the last time. */
void ludus_clock_check(struct ludus_collector *collector, bool is_last);

/* Writes all clocks so far, and what ties them, into a capture that begins. */
void ludus_clock_tell(struct ludus_collector *collector);

/* Has the ticks of tracks, which were raw, be the file's. Once a pass, behind the check. */
void ludus_clock_convert_tracks(struct ludus_collector *collector);

/* Whether a tick is stored as it is. */
static inline bool ludus_clock_holds(const struct lcap_clock *clock, uint64_t tick)
{
    return clock->step == 1 || (tick >= clock->offset && (tick - clock->offset) % clock->step == 0);
}

/* Rounds a tick down to what the clock stores. */
static inline uint64_t ludus_clock_round(const struct lcap_clock *clock, uint64_t tick)
{
    if (clock->step == 1)
        return tick;
    return tick < clock->offset ? clock->offset : tick - (tick - clock->offset) % clock->step;
}

/* Uses another clock from here on, which holds `tick`, that the one before does not hold though it
 * seemed to move in larger steps. */
void ludus_clock_refine(struct ludus_collector *collector, uint64_t tick);

/* Samples, when the flush interval is over or for the last time, which threads of this pass ran and
 * which waited to run, and writes it. */
void ludus_sample_sched(struct ludus_collector *collector, bool is_last);

/* Reads the events of this pass and writes them, and reports clocks that stepped back. */
void ludus_drain_events(struct ludus_collector *collector);

/* Reads the frame marks below ticket `limit` and writes them, with domains that are new. The last
 * time, those that a thread is still putting in are given up. */
void ludus_drain_frames(struct ludus_collector *collector, uint64_t limit, bool is_last);

/* Defines the queues of GPUs that are new, in a capture of a hitch when one is open; and, in one
 * that has just begun, all of them, with what was counted so far. */
void ludus_define_gpu(struct ludus_collector *collector);
void ludus_define_gpu_again(struct ludus_collector *collector);

/* Reads the GPU samples below ticket `limit` and writes them, with counts that have changed. The
 * last time, those that a thread is still putting in are given up. */
void ludus_drain_gpu(struct ludus_collector *collector, uint64_t limit, bool is_last);

/* The sources (LUDUS_SOURCE_...) that were asked for and have not come; and writes that, once. */
uint32_t ludus_absent_sources(const struct ludus_collector *collector);
void ludus_tell_absent_sources(struct ludus_collector *collector);

/* Defines the domains that have been marked. */
void ludus_define_domains(struct ludus_collector *collector);

/* Reads what the tracks of this pass have lost: with a window, and the last time, all that was
 * counted before. The last time, waits a moment for threads that are in the middle of counting. */
void ludus_read_losses(struct ludus_collector *collector, bool is_last);

/* Writes what was lost. */
void ludus_drain_losses(struct ludus_collector *collector);

/* Writes what threads had reported when the pass began; their losses are ludus_drain_losses's. */
void ludus_put_reports(struct ludus_collector *collector);

/* Writes one diagnostic. False: nothing can be written. */
bool ludus_put_diagnostic(struct ludus_collector *collector, enum lcap_diagnostic_code code,
                          uint32_t track, uint64_t tick, uint64_t count, const char *text);

#endif
