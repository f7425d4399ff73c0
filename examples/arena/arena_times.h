/* How long frames took and how much CPU time the game's threads used, for --times. */
#ifndef ARENA_TIMES_H
#define ARENA_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "arena_game.h"

struct arena_times {
    uint64_t begin_ns;
    uint64_t total_ns;
    uint64_t longest_ns; /* a frame, its waiting under --pace included */
    uint32_t longest_frame;
    uint64_t main_cpu_ns;    /* of the thread that plays the frames */
    uint64_t workers_cpu_ns; /* of the job queue's */
    uint64_t *work_ns;       /* of each frame, without that waiting; NULL: not kept */
    uint32_t frames;         /* played so far */
};

uint64_t arena_now_ns(void);

/* Begins to measure. With `keeps_frames` there is room for every frame's time, in memory already.
 * False when there is not enough. Ended by arena_times_release in any case. */
bool arena_times_begin(struct arena_times *times, const struct arena_game *game, uint32_t frames,
                       bool keeps_frames);

/* A frame has been played: its work ended at `worked_ns`, and its waiting at `end_ns`. */
void arena_times_add(struct arena_times *times, uint64_t begin_ns, uint64_t worked_ns,
                     uint64_t end_ns);

/* The last frame is over. */
void arena_times_end(struct arena_times *times, const struct arena_game *game);

void arena_times_release(struct arena_times *times);

/* Writes what was measured to `path` as JSON. False, with errno set, when that failed. */
bool arena_times_write(const struct arena_times *times, const char *path);

#endif
