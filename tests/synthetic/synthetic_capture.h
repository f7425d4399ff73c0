/* Makes captures of any size that look like a game's: threads walk a fixed tree of calls again and
 * again, with loops, left-out calls and times of which a few are very long. The same options make
 * the same bytes. */
#ifndef SYNTHETIC_CAPTURE_H
#define SYNTHETIC_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <ludus/status.h>

/* Above the largest option of each kind, or below the smallest one, nothing is made. */
#define SYNTHETIC_MAX_TRACKS 65536u
#define SYNTHETIC_MAX_SITES  4000000u
#define SYNTHETIC_MAX_PATHS  16000000u
#define SYNTHETIC_MIN_SITES  3u /* a thread's main scope, its waiting, and work */
#define SYNTHETIC_MIN_DEPTH  2u
#define SYNTHETIC_MAX_DEPTH  1024u
#define SYNTHETIC_MAX_PASSES 4096u

struct synthetic_options {
    uint64_t slices;     /* exactly so many */
    uint64_t frames;     /* complete ones, with one more mark; 0: one for 10,000 slices */
    uint64_t seed;       /* of everything that is random */
    uint32_t tracks;     /* all in each frame */
    uint32_t sites;      /* of scopes */
    uint32_t paths;      /* in the tree, at least `sites`; 0: two for each site */
    uint32_t depth;      /* scopes open at once at most */
    uint32_t mean_ns;    /* about the time between two events; longer times take more bytes */
    uint32_t gpu_passes; /* of a GPU in each frame, calibrated, of the sites of scopes; 0: no GPU */
    bool has_flows;      /* one in each frame, from the first track to another one */
    bool has_counters;   /* a count in each frame, and a gauge in each 16th */
};

/* One track and 60 sites, 8 deep, 1,000,000 slices. */
struct synthetic_options synthetic_options_default(void);

/* Every path is walked once in the beginning, as a level is loaded, when the slices suffice: a few
 * for each path, and a track's share of a frame larger than the depth.
 *
 * `descriptor` is an empty file. Errors: ARGUMENT (options out of range), MEMORY, WRITE. */
LUDUS_CHECKED enum ludus_status synthetic_capture_write(const struct synthetic_options *options,
                                                        int descriptor);

#endif
