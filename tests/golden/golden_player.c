/* Emits the events of a thread of the example game. */
#include "golden_player.h"

#include <string.h>

#include "golden_blocks.h"

uint64_t example_tick(uint64_t ns)
{
    return 1000000 + ns;
}

void player_start(struct player *player, struct example_play *play, uint32_t track)
{
    *player = (struct player){.play = play};
    player->stream = (struct lcap_track_stream){
        .open = player->open, .open_capacity = PLAYER_DEEPEST, .track = track};
    golden_require(lcap_events_segment(play->file->encoder, &player->stream, 0) == LUDUS_OK,
                   "no segment");
}

void player_pass(struct player *player, uint64_t us)
{
    player->now_ns += 1000 * us;
}

void player_pass_until(struct player *player, uint64_t ns)
{
    golden_require(ns >= player->now_ns, "the example goes back in time");
    player->now_ns = ns;
}

void player_emit(struct player *player, enum lcap_event_kind kind, uint32_t site, uint64_t value)
{
    struct lcap_counts *recorded = &player->play->recorded;
    golden_require(lcap_events_add(player->play->file->encoder, kind, example_tick(player->now_ns),
                                   site, value) == LUDUS_OK,
                   "the encoder refused an event");
    recorded->scopes += kind == LCAP_EVENT_BEGIN;
    recorded->instants += kind == LCAP_EVENT_INSTANT;
    recorded->flows += kind == LCAP_EVENT_FLOW_OUT || kind == LCAP_EVENT_FLOW_IN;
    recorded->gauges += kind == LCAP_EVENT_GAUGE;
}

void player_begin(struct player *player, uint32_t site)
{
    player_emit(player, LCAP_EVENT_BEGIN, site, 0);
}

void player_end(struct player *player)
{
    player_emit(player, LCAP_EVENT_END, 0, 0);
}

void player_leaf(struct player *player, uint32_t site, uint64_t us)
{
    player_begin(player, site);
    player_pass(player, us);
    player_end(player);
}

void player_send(struct player *player, uint32_t site, uint64_t flow)
{
    player_emit(player, LCAP_EVENT_FLOW_OUT, site, flow);
}

void player_take(struct player *player, uint64_t flow)
{
    player_emit(player, LCAP_EVENT_FLOW_IN, 0, flow);
}

void player_set_gauge(struct player *player, uint32_t site, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    player_emit(player, LCAP_EVENT_GAUGE, site, bits);
}

void player_sleep_until(struct player *player, uint64_t ns)
{
    struct example_play *play = player->play;
    uint32_t track = player->stream.track;
    golden_require(play->wait_counts[track] < EXAMPLE_MOST_WAITS, "the example waits too often");
    play->waits[track][play->wait_counts[track]++] =
        (struct example_wait){.begin_ns = player->now_ns, .end_ns = ns};
    player_pass_until(player, ns);
}

void player_wait_until(struct player *player, uint32_t site, uint64_t ns)
{
    player_begin(player, site);
    player_sleep_until(player, ns);
}

void player_count(struct player *player, uint32_t site, uint64_t value)
{
    player_emit(player, LCAP_EVENT_COUNT, site, player->untold);
    player->untold = value;
}
