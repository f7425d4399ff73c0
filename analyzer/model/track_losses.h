/* The losses that concern a track, sorted, so that asking for an overlap is fast however many there
 * are. Private to the analyzer. */
#ifndef TRACE_TRACK_LOSSES_H
#define TRACE_TRACK_LOSSES_H

#include "model.h"

/* Both ends inclusive. By rising begin; an end is the greatest of those so far. All zero is empty.
 */
struct trace_track_losses {
    struct trace_loss_span {
        int64_t begin_ns;
        int64_t end_ns;
    } * spans;
    uint32_t count;
    const struct trace_track_losses *common; /* which concern other tracks, too; or NULL */
};

enum trace_loss_choice {
    TRACE_LOSSES_OF_EVENTS, /* whatever may make the track's statistics too small */
    TRACE_LOSSES_OF_SCOPES  /* what may have been inside a slice */
};
#define TRACE_LOSS_CHOICES 2u

/* Where the losses of each track are in the model. All zero is that of no loss. */
struct trace_loss_index {
    const struct trace_model *model;
    uint32_t *order;  /* indexes of losses, by track; those of no known track last */
    uint32_t *starts; /* by track, where its losses begin in `order` */
    uint32_t track_count;
    struct trace_track_losses of_any[TRACE_LOSS_CHOICES]; /* those of no known track */
};

/* Of the model's losses as they are now. False when there is no memory. */
bool trace_loss_index_create(struct trace_loss_index *index, const struct trace_model *model);
void trace_loss_index_destroy(struct trace_loss_index *index);

/* Of one track of the model; losses of no known track concern all, and are the common ones: the
 * index must outlive the result. TRACE_NONE, which stands for tracks that lost nothing of their
 * own, has just these. False when there is no memory. */
bool trace_track_losses_create(const struct trace_loss_index *index, uint32_t track,
                               enum trace_loss_choice choice, struct trace_track_losses *losses);
/* The same of all tracks that count: those of which `tracks`, by index, is true; NULL: of all. */
bool trace_track_losses_create_all(const struct trace_model *model, const bool *tracks,
                                   uint32_t track_count, struct trace_track_losses *losses);
void trace_track_losses_destroy(struct trace_track_losses *losses);

static inline bool trace_track_losses_are_none(const struct trace_track_losses *losses)
{
    return losses->count == 0 && (losses->common == NULL || losses->common->count == 0);
}

/* Whether one overlaps the time from begin to last, both inclusive. */
bool trace_track_losses_overlap(const struct trace_track_losses *losses, int64_t begin_ns,
                                int64_t last_ns);

/* Whether there is a loss of events of the track itself. */
bool trace_track_has_own_loss(const struct trace_loss_index *index, uint32_t track);

/* The track that marks a domain (trace_domain_find_marker) when it lost nothing of its own: rows of
 * its own then have the frames that the common rows have, and add up with them. Otherwise, and for
 * the domain TRACE_NONE, TRACE_NONE. False when there is no memory. */
bool trace_find_lossless_marker(const struct trace_model *model, uint32_t domain, uint32_t *track);

#endif
