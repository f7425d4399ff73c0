/* Builds captures in memory from a compact description, and opens them with the analyzer. A test
 * fails when anything that it asks for is refused. */
#ifndef CAPTURE_BUILDER_H
#define CAPTURE_BUILDER_H

#include "capture.h"
#include "lcap_chain.h"
#include "lcap_encode.h"

#define BUILDER_MAX_TRACKS 16u
#define BUILDER_MAX_DEPTH  300u

/* What a capture is built with. */
struct builder_setup {
    struct lcap_clock clock;
    const struct lcap_calibration *calibrations;
    size_t calibration_count;
    const char *const *sites; /* names; the site of sites[i] has id i + 1. NULL: "site N" */
    uint32_t site_count;
    uint32_t more_sites; /* how many builder_site will add, with ids behind those */
    const struct lcap_fact *facts;
    size_t fact_count;
    uint64_t start_tick;
    uint64_t capture_id; /* 0: the same for all */
    uint32_t max_events; /* of a block; 0: 65,536 */
};

struct capture_builder;

/* Writes the file header, the session, the clock with its calibrations, and the sites. */
struct capture_builder *builder_create(const struct builder_setup *setup);
void builder_destroy(struct capture_builder *builder);

void builder_track(struct capture_builder *builder, const struct lcap_track *track,
                   const char *name);
/* A category, and a site in it (0: in none), with names of any bytes. */
void builder_category(struct capture_builder *builder, uint32_t category, struct lcap_bytes name);
void builder_wait_category(struct capture_builder *builder, uint32_t category); /* "wait" */
void builder_site(struct capture_builder *builder, uint32_t site, struct lcap_bytes name,
                  uint32_t category);
void builder_domain(struct capture_builder *builder, uint32_t domain, const char *name);
void builder_frame(struct capture_builder *builder, uint32_t domain, uint64_t ordinal,
                   uint64_t tick);
/* The same, set on a track. */
void builder_frame_on(struct capture_builder *builder, uint32_t track, uint32_t domain,
                      uint64_t ordinal, uint64_t tick);
void builder_loss(struct capture_builder *builder, const struct lcap_loss *loss);
void builder_calibration(struct capture_builder *builder,
                         const struct lcap_calibration *calibration);
void builder_diagnostic(struct capture_builder *builder, const struct lcap_diagnostic *diagnostic);

/* One event of track 1 to BUILDER_MAX_TRACKS. An events block begins with the first event, and when
 * the one before is full. */
void builder_event(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                   uint64_t tick, uint32_t site);

/* The same with a value. */
void builder_value(struct capture_builder *builder, uint32_t track, enum lcap_event_kind kind,
                   uint64_t tick, uint32_t site, uint64_t value);

/* Events of a track as text, words between spaces: "(NAME TICK" begins the site, ")TICK" ends the
 * innermost scope, "!NAME TICK" is an instant. */
void builder_events(struct capture_builder *builder, uint32_t track, const char *text);

/* A segment without an event: the track's scopes are still open at `tick`. */
void builder_still_open(struct capture_builder *builder, uint32_t track, uint64_t tick);

/* Before a track's first event: a scope that was open when the capture was cut out of a longer one,
 * within those opened so before. */
void builder_open_before(struct capture_builder *builder, uint32_t track, uint32_t site,
                         uint64_t begin_tick, uint64_t children_ticks);

/* From now on until builder_window, events happen and are left out of the capture: they came before
 * the part of the recording that it holds. */
void builder_leave_out(struct capture_builder *builder);
void builder_window(struct capture_builder *builder, uint64_t from_tick);
void builder_trigger(struct capture_builder *builder, const struct lcap_trigger *trigger);

/* Samples of the scheduler, with the builder's clock. */
void builder_sched(struct capture_builder *builder, const struct lcap_sched *samples, size_t count);

/* A queue of a GPU, a track that was added before, and its samples, with the builder's clock. */
void builder_gpu_queue(struct capture_builder *builder, const struct lcap_gpu_queue *queue);
void builder_gpu_frames(struct capture_builder *builder, const struct lcap_gpu_frame *frames,
                        size_t count);
void builder_gpu_passes(struct capture_builder *builder, const struct lcap_gpu_pass *passes,
                        size_t count);

/* Ends the events block; the next event begins another. Other records do that themselves. */
void builder_end_block(struct capture_builder *builder);

/* The end block; then the index and the trailer. A crashed capture has neither. */
void builder_stop(struct capture_builder *builder, uint64_t tick);
void builder_finish(struct capture_builder *builder);

/* The capture so far; and where its blocks are: offsets[i] for the i-th. Valid until the next call.
 */
struct lcap_bytes builder_bytes(struct capture_builder *builder);
const uint64_t *builder_offsets(const struct capture_builder *builder, uint32_t *count);

/* Writes bytes into a file that is gone when the capture is closed, and opens it. */
enum ludus_status builder_try_open(struct lcap_bytes bytes, struct trace_capture **capture,
                                   struct ludus_error *error);

/* The same for the builder's capture, which must open. */
struct trace_capture *builder_open(struct capture_builder *builder);

#endif
