/* Counts, for each site, the frames in which it begins at least once, over all tracks, in bounded
 * memory. Private to the analyzer.
 *
 * Tracks reach the file at different times, so a site's frames come nearly in order. Each site
 * remembers which of its last FRAMES_REMEMBERED frames were counted; a call in an older frame makes
 * its count inexact, and somebody else has to count that site. */
#ifndef TRACE_FRAMES_WITH_CALLS_H
#define TRACE_FRAMES_WITH_CALLS_H

#include "model.h"

#define FRAMES_REMEMBERED 1024u /* a multiple of 64 */

struct trace_site_frames {
    uint64_t seen[FRAMES_REMEMBERED / 64]; /* bit of frame f: f modulo FRAMES_REMEMBERED */
    uint32_t newest_word;                  /* frame / 64 of the newest word in `seen` */
    uint32_t count;                        /* of frames */
    uint32_t last;                         /* frame that was added last, plus 1 */
    bool is_inexact;
};

struct trace_frames_with_calls {
    struct trace_site_frames *sites;
    uint32_t site_count;
};

/* Makes room for sites below `count`; new ones have no frames. Errors: MEMORY. */
LUDUS_CHECKED enum ludus_status
trace_frames_with_calls_reserve(struct trace_frames_with_calls *frames, uint32_t count);

/* Forgets everything and releases the memory. */
void trace_frames_with_calls_clear(struct trace_frames_with_calls *frames);

void trace_site_frames_add_other(struct trace_site_frames *site, uint32_t frame);

/* A call in a frame; most follow another one in the same frame. */
static inline void trace_site_frames_add(struct trace_site_frames *site, uint32_t frame)
{
    if (site->last != frame + 1)
        trace_site_frames_add_other(site, frame);
}

#endif
