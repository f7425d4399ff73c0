/* A thread of the example game while it plays: each call emits an event at the thread's time, or
 * lets time pass. */
#ifndef GOLDEN_PLAYER_H
#define GOLDEN_PLAYER_H

#include "golden_example.h"

#define PLAYER_DEEPEST 8u

struct player {
    struct example_play *play;
    struct lcap_open_scope open[PLAYER_DEEPEST];
    struct lcap_track_stream stream;
    uint64_t now_ns;
    uint64_t untold; /* counted and not told yet; a player has one counter */
};

/* Begins the track's segment; the player stays in place until the block is finished. */
void player_start(struct player *player, struct example_play *play, uint32_t track);

void player_pass(struct player *player, uint64_t us);
void player_pass_until(struct player *player, uint64_t ns);

void player_emit(struct player *player, enum lcap_event_kind kind, uint32_t site, uint64_t value);
void player_begin(struct player *player, uint32_t site);
void player_end(struct player *player);
/* A scope without others in it. */
void player_leaf(struct player *player, uint32_t site, uint64_t us);
/* Sleeps; and begins a scope and sleeps in it. */
void player_sleep_until(struct player *player, uint64_t ns);
void player_wait_until(struct player *player, uint32_t site, uint64_t ns);

/* The ends of a flow. */
void player_send(struct player *player, uint32_t site, uint64_t flow);
void player_take(struct player *player, uint64_t flow);

void player_set_gauge(struct player *player, uint32_t site, double value);
/* As the recorder does: what is counted now is told with the next call, and what was counted since
 * the last one now. */
void player_count(struct player *player, uint32_t site, uint64_t value);

#endif
