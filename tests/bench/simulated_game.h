/* Runs of a game that is made up, on a machine that is made up: frame by frame and scope by scope,
 * so that what a comparison is given depends on each other as it does in real runs. The same seed
 * gives the same runs. */
#ifndef SIMULATED_GAME_H
#define SIMULATED_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "run_digest.h"
#include "simulated_random.h"

enum { SIMULATED_SCOPES = 40 };

/* How often a scope is called in a frame. */
enum simulated_calls {
    SIMULATED_CALLS_FIXED,  /* as often in each frame */
    SIMULATED_CALLS_RANDOM, /* Poisson, more of them in frames that have more to do */
};

struct simulated_scope {
    enum simulated_calls kind;
    double calls;   /* per frame; whole where it is fixed */
    double call_ns; /* exclusive time of a call */
};

struct simulated_game {
    struct simulated_scope scopes[SIMULATED_SCOPES];
    double frame_ns; /* what a frame takes that nothing disturbs, code outside scopes included */
};

/* How runs and frames vary. Parts are of what the time would have been. */
struct simulated_machine {
    const char *name;
    double frame_part;       /* standard deviation of a frame, for all scopes alike */
    double scope_frame_part; /* the same for each scope by itself */
    double run_part;         /* standard deviation of a run's speed, for all scopes alike */
    double scope_part;       /* the same for each scope by itself: where its memory came to lie */
    double drift_part;   /* standard deviation of how much slower the last run is than the first */
    double walk_part;    /* and of a step at random from run to run */
    double outlier_rate; /* of runs that are 10 to 30 % slower */
    double clock_part;   /* half of all runs are slower by this */
    double interrupts;   /* per frame, into whichever scope runs; Pareto, exponent 1.5 */
    double hitch_rate;   /* of frames that begin a burst of them; each run has its own */
    bool has_heavy_runs; /* what varies among runs is of Student's distribution, 3 degrees */
};

/* A fault that the candidate has. */
struct simulated_plant {
    uint32_t scope;
    double cost_factor;   /* 1: none */
    double more_calls;    /* per frame */
    uint32_t hitch_every; /* frames; 0: none */
};

/* Scopes of all sizes: with the largest some tens of per cent of the frame, the smallest some
 * thousandths of one. */
void simulated_game_create(struct simulated_random *random, struct simulated_game *game);

/* Gives a scope that part of the frame. */
void simulated_game_set(struct simulated_game *game, uint32_t scope, enum simulated_calls kind,
                        double calls, double part);

/* How slow a session's runs are, in the order in which they are recorded: 1 is as the game is. */
void simulated_session(struct simulated_random *random, const struct simulated_machine *machine,
                       double *factors, uint32_t runs);

/* What frames make of a run's mean of a scope that is called as often in each: its standard
 * deviation, as a part of it. */
double simulated_frames_part(const struct simulated_machine *machine, uint32_t frames);

/* The keys of the scopes, by index. False when there is no memory; destroy them all the same. */
bool simulated_keys_create(struct trace_scope_keys *keys);

/* Plays a run of so many frames, and keeps of it what a comparison keeps of a capture; scopes that
 * were not called are not in it. `plant` may be NULL. False when there is no memory; destroy the
 * run (trace_run_destroy) all the same. */
bool simulated_run_play(struct simulated_random *random, const struct simulated_game *game,
                        const struct simulated_machine *machine,
                        const struct simulated_plant *plant, double factor, uint32_t frames,
                        struct trace_run *run);

#endif
