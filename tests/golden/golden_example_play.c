/* Plays the example game: what its four threads do in 16 frames.
 *
 * main      updates: input, two or three steps of physics, particles, two jobs for the workers, and
 *           waiting for both. In frame 6 it loads a level, which takes 17.5 ms: more work than
 * ever. workers   find a path each frame; Path/Visit calls itself. In frame 11, worker 1 begins
 * late and its path takes 20 ms, so that main waits for it. render    draws each frame that was
 * submitted, but not frame 9, which is dropped.
 *
 * Of frame 13, what worker 2 did is lost. Main is inside Game/Update at the stop, and the workers
 * wait for jobs. Before the recording, worker 1 was sent a job that it takes in frame 0. */
#include "golden_blocks.h"
#include "golden_player.h"

#define LOAD_FRAME 6u
#define SKIP_DRAW  9u
#define LOST_FRAME 13u

#define FLOW_OF_JOB(frame, worker)  (100 + 10 * (uint64_t)(frame) + (worker))
#define FLOW_OF_DONE(frame, worker) (105 + 10 * (uint64_t)(frame) + (worker))
#define FLOW_OF_FRAME(frame)        (108 + 10 * (uint64_t)(frame))
#define FLOW_OF_BEFORE              7u

static uint64_t job_begin_ns(const struct example_play *play, uint32_t frame, uint32_t worker)
{
    bool is_late = frame == EXAMPLE_LATE_FRAME && worker == 0;
    uint64_t queued_ns = is_late ? EXAMPLE_LATE_NS : 20000 + 15000 * ((frame * 3 + worker * 2) % 5);
    return play->job_sent_ns[frame][worker] + queued_ns;
}

static uint64_t job_us(const struct example_play *play, uint32_t frame, uint32_t worker)
{
    bool is_long = frame == EXAMPLE_LATE_FRAME && worker == 0;
    uint64_t usual_us = 1800 + 250 * ((frame * 5 + worker * 3) % 6);
    return (is_long ? 20000 : usual_us) * play->build->search_percent / 100;
}

static uint64_t job_end_ns(const struct example_play *play, uint32_t frame, uint32_t worker)
{
    return job_begin_ns(play, frame, worker) + 1000 * job_us(play, frame, worker);
}

static void step_physics(struct player *player, uint32_t frame)
{
    uint32_t steps = frame % 4 == 3 ? 3 : 2;
    for (uint32_t i = 0; i < steps; i++) {
        player_begin(player, EXAMPLE_STEP);
        player_pass(player, 50);
        for (uint32_t pair = 0; pair < 2; pair++)
            player_leaf(player, EXAMPLE_SOLVE,
                        (300 + 40 * ((frame * 7 + i * 2 + pair) % 6)) *
                            player->play->build->solve_percent / 100);
        player_pass(player, 40);
        player_end(player);
    }
}

static void emit_particles(struct player *player, uint32_t frame)
{
    for (uint32_t i = 0; i < player->play->build->emits; i++) {
        player_begin(player, EXAMPLE_EMIT);
        player->now_ns += 500 + 50 * (i % 3);
        player_end(player);
        player->now_ns += 200;
    }
    player_count(player, EXAMPLE_PARTICLES, player->play->build->emits * (4 + frame % 3));
}

static void start_jobs(struct player *player, uint32_t frame)
{
    player_begin(player, EXAMPLE_JOBS_START);
    for (uint32_t worker = 0; worker < 2; worker++) {
        player_pass(player, 15);
        player->play->job_sent_ns[frame][worker] = player->now_ns;
        player_send(player, EXAMPLE_JOB_SENT, FLOW_OF_JOB(frame, worker));
    }
    player_pass(player, 10);
    player_end(player);
}

static void load_level(struct player *player)
{
    player_emit(player, LCAP_EVENT_INSTANT, EXAMPLE_LEVEL_LEFT, 0);
    player_begin(player, EXAMPLE_LOAD);
    player_pass(player, 500);
    player_wait_until(player, EXAMPLE_READ, player->now_ns + 5000000);
    player_end(player);
    player_leaf(player, EXAMPLE_DECODE, 9000);
    player_leaf(player, EXAMPLE_SPAWN, 3000);
    player_end(player);
    player_emit(player, LCAP_EVENT_INSTANT, EXAMPLE_LEVEL_READY, 0);
}

/* Takes the jobs as they are done: the last one is what it waited for. */
static void wait_for_jobs(struct player *player, uint32_t frame)
{
    const struct example_play *play = player->play;
    uint32_t last = job_end_ns(play, frame, 1) >= job_end_ns(play, frame, 0) ? 1 : 0;
    uint32_t order[] = {1 - last, last};
    player_begin(player, EXAMPLE_JOBS_WAIT);
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t done_ns = job_end_ns(play, frame, order[i]);
        if (done_ns > player->now_ns)
            player_sleep_until(player, done_ns);
        player_pass(player, 10);
        player_take(player, FLOW_OF_DONE(frame, order[i]));
    }
    player_end(player);
}

static void submit_frame(struct player *player, uint32_t frame)
{
    player_begin(player, EXAMPLE_SUBMIT);
    player_pass(player, 110 + 10 * (frame % 4));
    player->play->frame_sent_ns[frame] = player->now_ns;
    player_send(player, EXAMPLE_FRAME_SENT, FLOW_OF_FRAME(frame));
    player_pass(player, 30);
    player_end(player);
}

static void update_game(struct player *player, uint32_t frame)
{
    player->play->frames_ns[frame] = player->now_ns;
    player_begin(player, EXAMPLE_UPDATE);
    player_pass(player, 20);
    player_leaf(player, EXAMPLE_INPUT, 180 + 10 * (frame % 3));
    if (frame == EXAMPLE_FRAMES)
        return; /* the recording stops in it */
    start_jobs(player, frame);
    step_physics(player, frame);
    emit_particles(player, frame);
    if (frame == LOAD_FRAME)
        load_level(player);
    if (frame % 7 == 4)
        player_emit(player, LCAP_EVENT_INSTANT, EXAMPLE_CHECKPOINT, 0);
    wait_for_jobs(player, frame);
    submit_frame(player, frame);
    if (frame % 3 == 0)
        player_set_gauge(player, EXAMPLE_MEMORY,
                         frame < LOAD_FRAME ? 210.5 + frame : 387.25 + frame);
    player_pass(player, 60);
    player_end(player);
    player_pass(player, 40);
}

static void play_main(struct player *player, struct example_play *play)
{
    player_start(player, play, EXAMPLE_MAIN);
    player_pass(player, 400);
    for (uint32_t frame = 0; frame <= EXAMPLE_FRAMES; frame++)
        update_game(player, frame);
    player_pass(player, 100);
    player_count(player, EXAMPLE_PARTICLES, 0);
    play->stop_ns = player->now_ns;
}

static void run_job(struct player *player, uint32_t frame, uint32_t worker)
{
    uint64_t end_ns = player->now_ns + 1000 * job_us(player->play, frame, worker);
    uint32_t depth = 1 + frame % 3;
    player_begin(player, EXAMPLE_JOBS_RUN);
    player_take(player, frame == 0 && worker == 0 ? FLOW_OF_BEFORE : FLOW_OF_JOB(frame, worker));
    player_pass(player, 40);
    player_begin(player, EXAMPLE_SEARCH);
    for (uint32_t i = 0; i < depth; i++) {
        player_pass(player, 120);
        player_begin(player, EXAMPLE_VISIT);
    }
    player_pass_until(player, end_ns - 1000 * (60 + 50 * depth));
    for (uint32_t i = 0; i < depth; i++) {
        player_end(player);
        player_pass(player, 50);
    }
    player_end(player);
    player_count(player, EXAMPLE_NODES, 40 * depth + worker);
    player_pass_until(player, end_ns);
    player_send(player, EXAMPLE_JOB_DONE, FLOW_OF_DONE(frame, worker));
    player_end(player);
}

/* The job's scopes, the end of a flow at its beginning and the one at its end. It counts nothing.
 */
static void lose_job(struct example_play *play, uint32_t frame, uint32_t worker)
{
    play->lost_first_ns = job_begin_ns(play, frame, worker);
    play->lost_last_ns = job_end_ns(play, frame, worker);
    play->dropped = (struct lcap_counts){.scopes = 3 + frame % 3, .flows = 2};
}

static void play_worker(struct player *player, struct example_play *play, uint32_t worker)
{
    player_start(player, play, EXAMPLE_WORKER_1 + worker);
    for (uint32_t frame = 0; frame < EXAMPLE_FRAMES; frame++) {
        player_wait_until(player, EXAMPLE_JOBS_IDLE, job_begin_ns(play, frame, worker) - 5000);
        player_end(player);
        player_pass(player, 5);
        if (frame == LOST_FRAME && worker == 1) {
            lose_job(play, frame, worker);
            player_pass_until(player, play->lost_last_ns + 5000);
            continue;
        }
        run_job(player, frame, worker);
        player_pass(player, 5);
    }
    player_wait_until(player, EXAMPLE_JOBS_IDLE, play->stop_ns);
    player_count(player, EXAMPLE_NODES, 0);
}

static void draw(struct player *player, uint32_t frame)
{
    player_begin(player, EXAMPLE_DRAW);
    player_take(player, FLOW_OF_FRAME(frame));
    player_pass(player, 30);
    player_leaf(player, EXAMPLE_CULL, 350 + 20 * (frame % 4));
    for (uint32_t i = 0; i < 2; i++)
        player_leaf(player, EXAMPLE_PASS, 700 + 500 * i + 30 * (frame % 5));
    player_wait_until(player, EXAMPLE_PRESENT, player->now_ns + 400000);
    player_end(player);
    player_pass(player, 20);
    player_end(player);
}

static void play_render(struct player *player, struct example_play *play)
{
    uint32_t drawn = 0;
    player_start(player, play, EXAMPLE_RENDER);
    for (uint32_t frame = 0; frame < EXAMPLE_FRAMES; frame++) {
        uint64_t earliest_ns = play->frame_sent_ns[frame] + 25000;
        if (frame == SKIP_DRAW)
            continue;
        if (player->now_ns < earliest_ns)
            player_sleep_until(player, earliest_ns);
        play->draws_ns[drawn++] = player->now_ns;
        draw(player, frame);
        player_pass(player, 10);
    }
    play->draws_ns[drawn] = player->now_ns;
    if (player->now_ns > play->stop_ns)
        play->stop_ns = player->now_ns;
}

void example_play_game(struct example_play *play)
{
    struct player players[EXAMPLE_TRACKS];
    struct lcap_bytes block;
    lcap_events_start(play->file->encoder, &golden_clock_monotonic);
    play_main(&players[0], play);
    play_render(&players[1], play);
    play_worker(&players[2], play, 0);
    play_worker(&players[3], play, 1);
    golden_add(play->file, lcap_events_finish(play->file->encoder, &block), block);
}
