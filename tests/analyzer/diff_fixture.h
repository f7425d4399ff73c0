/* Two sides of captures that a test builds, compared. The test fails when anything is refused. */
#ifndef DIFF_FIXTURE_H
#define DIFF_FIXTURE_H

#include "comparison.h"
#include "golden_fixture.h"
#include "run_pool.h"

#define DIFF_MOST_RUNS 8u

struct diff_fixture {
    struct builder_setup setups[DIFF_MOST_RUNS]; /* each with an id of its own */
    uint32_t setup_count;
    struct trace_selection selection;
    struct trace_run_pool pool;
    struct trace_diff_config config; /* the defaults, unless it was read */
    struct trace_diff_config *read_config;
    const struct trace_run **runs;
    struct trace_comparison comparison;
};

/* Does not move afterwards. `selection` may be NULL. */
void diff_start(struct diff_fixture *diff, const struct trace_selection *selection,
                bool is_by_path);
void diff_end(struct diff_fixture *diff);

/* A capture that begins with track 1, "main", and its marks in the domain "frame", at these times
 * from the session's start. */
struct capture_builder *diff_begin_run(struct diff_fixture *diff, const struct builder_setup *setup,
                                       const uint64_t *times_ns, size_t count);

/* Ends the capture at a time, and adds it as a run of a side. */
void diff_add_run(struct diff_fixture *diff, enum trace_side side, struct capture_builder *builder,
                  uint64_t stop_ns);

/* What is compared with: a document of JSON. */
void diff_configure(struct diff_fixture *diff, const char *json);

/* After the last run. */
void diff_compare(struct diff_fixture *diff);

/* What is compared, by the name of its key; NULL when there is none. Several must not be. */
const struct trace_compared *diff_find(const struct diff_fixture *diff, const char *name,
                                       enum trace_measure measure);

/* --- runs of four frames of 1,000 ns ---------------------------------------------------------- */

#define DIFF_FOUR 5u /* marks */
extern const uint64_t diff_four[DIFF_FOUR];

struct capture_builder *diff_begin_four(struct diff_fixture *diff);

/* Such a run, with these events of the track that marks the frames. */
void diff_add_four(struct diff_fixture *diff, enum trace_side side, const char *events);

/* The same with two workers, tracks 2 and 3, that do the same as each other. */
struct capture_builder *diff_begin_two_tracks(struct diff_fixture *diff, const char *on_main,
                                              const char *on_worker);

void diff_add_slice(struct capture_builder *builder, uint32_t track, uint32_t site,
                    uint64_t begin_ns, uint64_t end_ns);

/* --- what must be ----------------------------------------------------------------------------- */

/* As diff_find; it must be there. */
const struct trace_compared *diff_require(const struct diff_fixture *diff, const char *name,
                                          enum trace_measure measure);

/* Exclusive time and calls, per frame. */
void diff_check_change(const struct trace_compared *item, double base_ns, double candidate_ns,
                       double base_calls, double candidate_calls);

/* Scopes of the track that marks frames, new and gone ones too, and what is in none, are the mean
 * frame. */
void diff_check_remainder(const struct diff_fixture *diff);

#endif
