/* What every emitting call needs before it writes: a site's id, a track that may record, and a way
 * to count what cannot be recorded. All for the calling thread. */
#ifndef LUDUS_EMISSION_H
#define LUDUS_EMISSION_H

#include <ludus/profile.h>

#include "loss_cell.h"
#include "track.h"

#define LUDUS_UNLIKELY(condition) __builtin_expect((condition), 0)

/* Relaxed: a token only decides whether this thread records; no other data hangs on it. */
static inline uint64_t ludus_token_of(const struct ludus_track *track)
{
    return atomic_load_explicit(&track->token, memory_order_relaxed);
}

/* The acquire pairs with the registration's release, so that whoever sees the event later also sees
 * the site. */
static inline uint32_t ludus_site_id(const struct ludus_site *site)
{
    return __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
}

/* Registers the site when it is new. 0: its category turns out, now that it is known, not to be
 * recorded. */
uint32_t ludus_emission_site(struct ludus_site *site);

/* Whether a site that has just been registered belongs to a category that is off. */
bool ludus_emission_is_off(const struct ludus_site *site);

/* The thread's track, fit to record; `track` is what it had so far. NULL: the event, of the sort
 * given, is counted as lost or told as late. */
struct ludus_track *ludus_emission_track(struct ludus_track *track, enum ludus_sort sort);

/* The same for a call of a counter, which is no event of its own: what cannot be counted is told as
 * a diagnostic. */
struct ludus_track *ludus_emission_counting_track(struct ludus_track *track);

/* The same as ludus_emission_track, with room for an event of so many `places` in its chunk. */
struct ludus_track *ludus_emission_room(struct ludus_track *track, enum ludus_sort sort,
                                        int64_t places);

/* Counts one event as lost: of a track, or of none. */
void ludus_emission_lose(struct ludus_track *track, enum ludus_track_loss why,
                         enum ludus_sort sort);
void ludus_emission_lose_trackless(enum lcap_loss_cause cause, enum ludus_sort sort);

#endif
