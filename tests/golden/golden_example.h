/* The game that the golden files "example" and "example-next" are recordings of: docs/sql.md asks
 * its questions of them. */
#ifndef GOLDEN_EXAMPLE_H
#define GOLDEN_EXAMPLE_H

#include "golden_file.h"

#define EXAMPLE_FRAMES     16u /* complete ones; a mark more */
#define EXAMPLE_DRAWS      15u
#define EXAMPLE_TRACKS     4u
#define EXAMPLE_LATE_FRAME 11u      /* of worker 1, */
#define EXAMPLE_LATE_NS    2400000u /* by so much */
#define EXAMPLE_MOST_WAITS 64u

/* name, line, category */
#define EXAMPLE_SITES(X)                                                                           \
    X(UPDATE, "Game/Update", 10, GAME)                                                             \
    X(INPUT, "Game/Input", 20, GAME)                                                               \
    X(SPAWN, "Game/Spawn", 30, GAME)                                                               \
    X(STEP, "Physics/Step", 40, PHYSICS)                                                           \
    X(SOLVE, "Physics/Solve", 50, PHYSICS)                                                         \
    X(EMIT, "Particles/Emit", 60, PHYSICS)                                                         \
    X(JOBS_START, "Jobs/Start", 70, JOBS)                                                          \
    X(JOBS_RUN, "Jobs/Run", 80, JOBS)                                                              \
    X(JOBS_WAIT, "Jobs/Wait", 90, WAITING)                                                         \
    X(JOBS_IDLE, "Jobs/Idle", 100, WAITING)                                                        \
    X(SEARCH, "Path/Search", 110, AI)                                                              \
    X(VISIT, "Path/Visit", 120, AI)                                                                \
    X(LOAD, "Level/Load", 130, STREAMING)                                                          \
    X(DECODE, "Level/Decode", 140, STREAMING)                                                      \
    X(READ, "Level/Read", 150, WAITING)                                                            \
    X(SUBMIT, "Render/Submit", 160, RENDER)                                                        \
    X(DRAW, "Render/Draw", 170, RENDER)                                                            \
    X(CULL, "Render/Cull", 180, RENDER)                                                            \
    X(PASS, "Render/Pass", 190, RENDER)                                                            \
    X(PRESENT, "Render/Present", 200, WAITING)                                                     \
    X(LEVEL_LEFT, "Level/Left", 210, STREAMING)                                                    \
    X(LEVEL_READY, "Level/Ready", 220, STREAMING)                                                  \
    X(CHECKPOINT, "Checkpoint", 230, GAME)                                                         \
    X(PARTICLES, "Particles", 240, PHYSICS)                                                        \
    X(NODES, "Path/Nodes", 250, AI)                                                                \
    X(MEMORY, "Memory/MiB", 260, GAME)                                                             \
    X(JOB_SENT, "Job/Sent", 270, JOBS)                                                             \
    X(JOB_DONE, "Job/Done", 280, JOBS)                                                             \
    X(FRAME_SENT, "Frame/Sent", 290, RENDER)

enum example_site {
    EXAMPLE_NO_SITE,
#define EXAMPLE_SITE_ENUM(site, name, line, category) EXAMPLE_##site,
    EXAMPLE_SITES(EXAMPLE_SITE_ENUM)
#undef EXAMPLE_SITE_ENUM
        EXAMPLE_SITE_END
};

enum example_track { EXAMPLE_MAIN = 1, EXAMPLE_RENDER, EXAMPLE_WORKER_1, EXAMPLE_WORKER_2 };

/* Of two recordings: in the later one a step of physics takes longer, more particles are emitted,
 * and a path is found in less time. */
struct example_build {
    const char *name;
    const char *commit;
    uint64_t solve_percent;
    uint64_t search_percent;
    uint32_t emits;          /* a frame */
    uint64_t repaired_bytes; /* 0: it was never damaged */
};

struct example_wait {
    uint64_t begin_ns;
    uint64_t end_ns;
};

/* What comes of playing the game, for what is not an event. Times are from the session's start. */
struct example_play {
    const struct example_build *build;
    struct golden_file *file;
    uint64_t frames_ns[EXAMPLE_FRAMES + 1]; /* marks of "game", */
    uint64_t draws_ns[EXAMPLE_DRAWS + 1];   /* and of "render" */
    uint64_t job_sent_ns[EXAMPLE_FRAMES][2];
    uint64_t frame_sent_ns[EXAMPLE_FRAMES];
    uint64_t stop_ns;
    struct example_wait waits[EXAMPLE_TRACKS + 1][EXAMPLE_MOST_WAITS]; /* by track */
    uint32_t wait_counts[EXAMPLE_TRACKS + 1];
    struct lcap_counts recorded;
    struct lcap_counts dropped;
    uint64_t lost_first_ns;
    uint64_t lost_last_ns;
};

/* A tick of golden_clock_monotonic. */
uint64_t example_tick(uint64_t ns);

/* Appends the block of events. `play` is zeroes but for the build and the file. */
void example_play_game(struct example_play *play);

#endif
