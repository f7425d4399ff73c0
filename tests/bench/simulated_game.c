/* Runs of a game that is made up. */
#include "simulated_game.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAME_NS 10e6

/* What is common to the scopes of a frame, and what each has by itself, go on from frame to frame:
 * x' = p x + sqrt(1 - p^2) noise. */
#define FRAME_PERSISTENCE 0.95
#define SCOPE_PERSISTENCE 0.7

#define LEAST_PART 0.05 /* no scope takes less than this part of its time */

#define INTERRUPT_NS     0.3e6 /* the shortest */
#define MAX_INTERRUPT_NS 300e6
#define BURST_RATE       0.3 /* a hitch follows a hitch */

/* --- games ------------------------------------------------------------------------------------ */

void simulated_game_set(struct simulated_game *game, uint32_t scope, enum simulated_calls kind,
                        double calls, double part)
{
    game->scopes[scope] = (struct simulated_scope){kind, calls, game->frame_ns * part / calls};
}

/* Half of the scopes are called as often in each frame, the others at random, of which some are
 * not in most frames. A call takes at most a twentieth of the frame, or a tenth where calls are
 * rare, so that they alone make no hitches. */
static void set_at_random(struct simulated_random *random, struct simulated_game *game,
                          uint32_t scope, double part)
{
    double choice = simulated_uniform(random);

    if (choice < 0.5)
        simulated_game_set(game, scope, SIMULATED_CALLS_FIXED,
                           floor(1.0 + pow(64.0, simulated_uniform(random))), part);
    else if (choice < 0.85)
        simulated_game_set(game, scope, SIMULATED_CALLS_RANDOM,
                           fmax(0.5 + 8.0 * simulated_uniform(random), 20.0 * part), part);
    else
        simulated_game_set(game, scope, SIMULATED_CALLS_RANDOM,
                           fmax(0.002 + 0.2 * simulated_uniform(random), 10.0 * part), part);
}

void simulated_game_create(struct simulated_random *random, struct simulated_game *game)
{
    double parts[SIMULATED_SCOPES];
    double sum = 0.0;

    game->frame_ns = FRAME_NS;
    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++) {
        parts[i] = exp(2.0 * simulated_normal(random));
        sum += parts[i];
    }
    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++)
        set_at_random(random, game, i, 0.95 * parts[i] / sum);
}

bool simulated_keys_create(struct trace_scope_keys *keys)
{
    if (!trace_scope_keys_create(keys))
        return false;
    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++) {
        char name[sizeof "Scope/99"];
        int size = snprintf(name, sizeof name, "Scope/%02u", (unsigned)i);
        struct trace_scope_key key = {.name = {name, (size_t)size}, .parent = TRACE_NONE};
        if (trace_scope_keys_put(keys, &key) == TRACE_NONE)
            return false;
    }
    return true;
}

/* --- sessions --------------------------------------------------------------------------------- */

static double run_normal(struct simulated_random *random, const struct simulated_machine *machine)
{
    return machine->has_heavy_runs ? simulated_heavy_normal(random) : simulated_normal(random);
}

void simulated_session(struct simulated_random *random, const struct simulated_machine *machine,
                       double *factors, uint32_t runs)
{
    double drift = machine->drift_part * simulated_normal(random);
    double walk = 0.0;

    for (uint32_t i = 0; i < runs; i++) {
        double factor = 1.0 + machine->run_part * run_normal(random, machine) + walk +
                        (runs > 1 ? drift * i / (runs - 1) : 0.0);
        if (simulated_uniform(random) < machine->outlier_rate)
            factor *= 1.1 + 0.2 * simulated_uniform(random);
        if (simulated_uniform(random) < 0.5)
            factor *= 1.0 + machine->clock_part;
        factors[i] = fmax(factor, 0.5);
        walk += machine->walk_part * simulated_normal(random);
    }
}

/* Of the mean of so many values that go on like this, against that of one: (1 + p) / (1 - p) / n,
 * where n is large. */
static double mean_variance(double part, double persistence, uint32_t count)
{
    return part * part * (1.0 + persistence) / (1.0 - persistence) / count;
}

double simulated_frames_part(const struct simulated_machine *machine, uint32_t frames)
{
    return sqrt(mean_variance(machine->frame_part, FRAME_PERSISTENCE, frames) +
                mean_variance(machine->scope_frame_part, SCOPE_PERSISTENCE, frames));
}

/* --- runs ------------------------------------------------------------------------------------- */

struct playing {
    struct simulated_random *random;
    const struct simulated_game *game;
    const struct simulated_machine *machine;
    const struct simulated_plant *plant;
    struct trace_run *run;
    uint64_t calls[SIMULATED_SCOPES];
    double time_ns[SIMULATED_SCOPES];
    struct simulated_scope scopes[SIMULATED_SCOPES]; /* as they are in this run */
    double own[SIMULATED_SCOPES];                    /* what each has by itself in this frame */
    double common;
    double outside_ns; /* of scopes, per frame */
    double hitch_rate;
    bool is_in_burst;
};

static void prepare(struct playing *playing, double factor)
{
    const struct simulated_plant *plant = playing->plant;
    double inside_ns = 0.0;

    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++) {
        struct simulated_scope *scope = &playing->scopes[i];
        *scope = playing->game->scopes[i];
        inside_ns += scope->calls * scope->call_ns;
        scope->call_ns *= fmax(factor * (1.0 + playing->machine->scope_part *
                                                   run_normal(playing->random, playing->machine)),
                               LEAST_PART);
        if (plant != NULL && plant->scope == i) {
            scope->call_ns *= plant->cost_factor;
            scope->calls += plant->more_calls;
        }
        playing->own[i] = playing->machine->scope_frame_part * simulated_normal(playing->random);
    }
    playing->common = playing->machine->frame_part * simulated_normal(playing->random);
    playing->outside_ns = factor * fmax(playing->game->frame_ns - inside_ns, 0.0);
    playing->hitch_rate =
        playing->machine->hitch_rate * exp(0.3 * simulated_normal(playing->random));
}

static uint32_t calls_in_frame(struct playing *playing, const struct simulated_scope *scope)
{
    if (scope->kind == SIMULATED_CALLS_FIXED)
        return (uint32_t)scope->calls;
    return simulated_count(playing->random, scope->calls * fmax(1.0 + playing->common, 0.0));
}

/* A scope's time is known to the nanosecond, as a recorder's would be. */
static double play_scope(struct playing *playing, uint32_t index)
{
    static const double renewal = 0.714142842854285; /* sqrt(1 - SCOPE_PERSISTENCE^2) */
    const struct simulated_scope *scope = &playing->scopes[index];
    uint32_t calls = calls_in_frame(playing, scope);
    double *own = &playing->own[index];

    *own = SCOPE_PERSISTENCE * *own +
           renewal * playing->machine->scope_frame_part * simulated_quick_normal(playing->random);
    double time_ns = floor(calls * scope->call_ns * fmax(1.0 + playing->common + *own, LEAST_PART));
    playing->calls[index] += calls;
    playing->time_ns[index] += time_ns;
    return time_ns;
}

/* The scope that runs at a moment of the frame. */
static uint32_t scope_at_random(struct playing *playing)
{
    double left_ns = simulated_uniform(playing->random) * playing->game->frame_ns;

    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++) {
        left_ns -= playing->scopes[i].calls * playing->scopes[i].call_ns;
        if (left_ns < 0.0)
            return i;
    }
    return SIMULATED_SCOPES - 1;
}

static double disturb(struct playing *playing, uint32_t scope, double time_ns)
{
    playing->time_ns[scope] += time_ns;
    return time_ns;
}

static double interrupt_frame(struct playing *playing)
{
    uint32_t interrupts = simulated_count(playing->random, playing->machine->interrupts);
    double sum_ns = 0.0;

    while (interrupts-- > 0) {
        double long_ns = INTERRUPT_NS * pow(simulated_uniform(playing->random), -1.0 / 1.5);
        sum_ns += disturb(playing, scope_at_random(playing), fmin(long_ns, MAX_INTERRUPT_NS));
    }
    return sum_ns;
}

static double hitch_frame(struct playing *playing, uint32_t frame)
{
    double rate = playing->is_in_burst ? BURST_RATE : playing->hitch_rate;
    const struct simulated_plant *plant = playing->plant;
    double sum_ns = 0.0;

    playing->is_in_burst = simulated_uniform(playing->random) < rate;
    if (playing->is_in_burst)
        sum_ns += disturb(playing, scope_at_random(playing),
                          FRAME_NS * (1.0 + 4.0 * simulated_uniform(playing->random)));
    if (plant != NULL && plant->hitch_every != 0 && frame % plant->hitch_every == 0)
        sum_ns += disturb(playing, plant->scope, 2.0 * FRAME_NS);
    return sum_ns;
}

static void play_frame(struct playing *playing, uint32_t frame)
{
    static const double renewal = 0.31224989991991997; /* sqrt(1 - FRAME_PERSISTENCE^2) */
    double frame_ns;

    playing->common =
        FRAME_PERSISTENCE * playing->common +
        renewal * playing->machine->frame_part * simulated_quick_normal(playing->random);
    frame_ns = playing->outside_ns * fmax(1.0 + playing->common, LEAST_PART);
    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++)
        frame_ns += play_scope(playing, i);
    frame_ns += interrupt_frame(playing) + hitch_frame(playing, frame);
    playing->run->frame_ns[frame] = (int64_t)frame_ns;
}

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static void keep(struct playing *playing)
{
    struct trace_run *run = playing->run;

    qsort(run->frame_ns, run->frames, sizeof *run->frame_ns, compare_times);
    for (uint32_t i = 0; i < run->frames; i++)
        run->total_ns += run->frame_ns[i];
    for (uint32_t i = 0; i < SIMULATED_SCOPES; i++) {
        struct trace_rate rate = {(double)playing->calls[i] / run->frames,
                                  playing->time_ns[i] / run->frames};
        if (playing->calls[i] == 0)
            continue;
        run->cells[run->cell_count++] = (struct trace_run_cell){
            .key = i,
            .measure = TRACE_MEASURE_FRAME_TRACK,
            .rate = rate,
            .inclusive_ns = rate.time_ns,
            .calls = playing->calls[i],
            .frames = run->frames,
        };
    }
}

bool simulated_run_play(struct simulated_random *random, const struct simulated_game *game,
                        const struct simulated_machine *machine,
                        const struct simulated_plant *plant, double factor, uint32_t frames,
                        struct trace_run *run)
{
    struct playing playing = {
        .random = random, .game = game, .machine = machine, .plant = plant, .run = run};

    *run = (struct trace_run){
        .frames = frames,
        .frame_ns = calloc(frames, sizeof *run->frame_ns),
        .cells = calloc(SIMULATED_SCOPES, sizeof *run->cells),
    };
    if (run->frame_ns == NULL || run->cells == NULL)
        return false;
    prepare(&playing, factor);
    for (uint32_t frame = 0; frame < frames; frame++)
        play_frame(&playing, frame);
    keep(&playing);
    return true;
}
