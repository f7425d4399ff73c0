/* Adds up slices by path, window and track while a pass finds them, and makes the model's rows of
 * the sums. What counts where is docs/numbers.md. Private to the analyzer.
 *
 * A slice is placed when it opens, and counted when it closes. Each window has two columns of sums
 * ("cells"): 2w is of its complete frames, 2w + 1 of the rest of it. */
#ifndef TRACE_STATISTICS_H
#define TRACE_STATISTICS_H

#include "kept_frames.h"
#include "pass_plan.h"
#include "path_sums.h"
#include "value_sums.h"

#define TRACE_MAX_CELLS (2 * TRACE_MAX_WINDOWS)

/* Tracks whose statistics have the same frames: all that lost nothing of their own, or one. */
struct trace_track_group {
    struct trace_kept_frames *kept;   /* by window; of the common group when nothing was lost */
    struct trace_track_losses losses; /* of scopes */
    struct trace_path_sums sums;
};

/* What is known of one track. */
struct trace_track_counts {
    struct trace_track_group *group; /* NULL before its first event */
    int64_t from_ns, until_ns;       /* where the answers below hold */
    uint32_t cells;                  /* bit c: a slice that begins there counts in cell c */
    uint32_t frame;                  /* index into the domain's frames, or TRACE_NONE */
    uint64_t opened;                 /* slices since the last move, all in `cells` */
    uint64_t total;                  /* slices before it */
    int64_t *covered_ns;             /* by window */
    uint64_t *slices;                /* by cell: that begin in it, before the last move */
    uint64_t *incomplete;            /* likewise, of all those without an end */
    int64_t *clipped_ns;             /* clip: children's time, by open slice and cell */
    uint32_t clipped_depth, clipped_most;
};

/* Where an open slice counts. */
struct trace_placed {
    struct trace_path_cell *first; /* sums of its path, in the first of its cells */
    uint32_t cells;                /* bits */
};

/* A slice that ends. */
struct trace_closed {
    int64_t begin_ns;
    int64_t known_ns;     /* its duration, or the known part of it */
    int64_t exclusive_ns; /* when nothing was lost */
    uint32_t track;
    uint32_t path;
    bool is_incomplete;
    bool is_top_level;
};

struct trace_statistics {
    const struct trace_model *model;
    const struct trace_pass_plan *plan;
    const struct trace_domain *domain; /* or NULL */
    uint32_t cell_count;
    uint32_t marker; /* index of the track that is apart since it marks the domain; or TRACE_NONE */
    struct trace_loss_index losses;
    struct trace_window_frames *frames;      /* by window */
    struct trace_window_frames *left_frames; /* by window: without those of common losses */
    struct trace_track_group **groups;       /* the common one first */
    uint32_t group_count;
    struct trace_track_counts *tracks; /* parallel to the model's */
    uint32_t track_count;
    struct trace_path_cell nowhere; /* what lies in no window */
    struct trace_value_sums values; /* of counters and gauges, when the plan has rows of them */
    bool is_clipped;
    bool is_plain; /* no slice can be clipped, nor begin before the capture's part */
};

/* `plan` must outlive it. False when there is no memory; release it all the same. */
bool trace_statistics_create(struct trace_statistics *statistics, const struct trace_model *model,
                             const struct trace_pass_plan *plan);
void trace_statistics_destroy(struct trace_statistics *statistics);

/* The track's row, made when it is new. NULL when there is no memory. */
struct trace_track_counts *trace_statistics_track(struct trace_statistics *statistics,
                                                  uint32_t track);

/* Moves the track to another time. */
void trace_statistics_move(struct trace_statistics *statistics, struct trace_track_counts *track,
                           int64_t time_ns);

static inline void trace_statistics_go(struct trace_statistics *statistics,
                                       struct trace_track_counts *track, int64_t time_ns)
{
    if (time_ns < track->from_ns || time_ns >= track->until_ns)
        trace_statistics_move(statistics, track, time_ns);
}

/* A slice begins. `*placed` says where it counts until it ends. False when there is no memory. */
static inline bool trace_statistics_open(struct trace_statistics *statistics,
                                         struct trace_track_counts *track, uint32_t path,
                                         int64_t begin_ns, struct trace_placed *placed)
{
    trace_statistics_go(statistics, track, begin_ns);
    track->opened++;
    placed->cells = track->cells;
    placed->first = track->cells == 0 ? &statistics->nowhere
                                      : trace_path_sums_add(&track->group->sums, path,
                                                            (uint32_t)__builtin_ctz(track->cells));
    return placed->first != NULL;
}

/* The same where times are clipped: opens a level of them, after trace_statistics_open. */
bool trace_statistics_open_clipped(struct trace_statistics *statistics,
                                   struct trace_track_counts *track);

/* A slice begins, whatever the plan is: of one without sums only the track moves. */
static inline bool trace_statistics_place(struct trace_statistics *statistics,
                                          struct trace_track_counts *track, uint32_t path,
                                          int64_t begin_ns, struct trace_placed *placed)
{
    if (statistics->plan->is_without_sums) {
        trace_statistics_go(statistics, track, begin_ns);
        return true;
    }
    return trace_statistics_open(statistics, track, path, begin_ns, placed) &&
           (!statistics->is_clipped || trace_statistics_open_clipped(statistics, track));
}

/* Counts a slice whatever it is; returns whether its exclusive time is not known for a loss. False
 * in `*is_done` when there is no memory. */
bool trace_statistics_count(struct trace_statistics *statistics, struct trace_track_counts *track,
                            const struct trace_placed *placed, const struct trace_closed *closed,
                            bool *is_done);

/* What a top-level slice covers of the frames of its track. */
void trace_statistics_cover(struct trace_statistics *statistics, struct trace_track_counts *track,
                            const struct trace_closed *closed);

/* The innermost slice of its track, which trace_statistics_open placed, ends. Returns and sets what
 * trace_statistics_count does. */
static inline bool trace_statistics_close(struct trace_statistics *statistics,
                                          struct trace_track_counts *track,
                                          const struct trace_placed *placed,
                                          const struct trace_closed *closed, bool *is_done)
{
    *is_done = true;
    if (closed->is_top_level)
        trace_statistics_cover(statistics, track, closed);
    bool is_in_one_cell = (placed->cells & (placed->cells - 1)) == 0;
    if (!is_in_one_cell || !statistics->is_plain || closed->is_incomplete ||
        !trace_track_losses_are_none(&track->group->losses))
        return trace_statistics_count(statistics, track, placed, closed, is_done);
    trace_path_cell_add(placed->first, closed->known_ns, closed->exclusive_ns);
    return false;
}

/* Counts the slices that were opened where the track is. */
void trace_statistics_note_opened(struct trace_track_counts *track);

/* Makes the rows of the model, which is the one it was created for, gives it the sums of paths, and
 * counts its slices; of a plan without sums only what is known of windows and tracks. The last call
 * before destroying the statistics. False when there is no memory. */
bool trace_statistics_fill(struct trace_statistics *statistics, struct trace_model *model);

#endif
