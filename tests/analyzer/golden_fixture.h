/* Small captures whose numbers are worked out by hand, and comparisons with what was worked out.
 * Times are nanoseconds from the session's start, which is at tick 1,000. */
#ifndef GOLDEN_FIXTURE_H
#define GOLDEN_FIXTURE_H

#include "capture_builder.h"
#include "slice_collector.h"

#define START        1000u
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A clock of nanoseconds, and the sites Frame, Physics, Solve, Render, Job, Load and Mark. */
extern const struct builder_setup golden_setup;

/* A row of the model's sums, by name. */
struct expected_sums {
    const char *subject;
    uint32_t track; /* index, or TRACE_NONE */
    uint32_t window;
    int64_t frames;
    struct trace_sums sums;
};

/* A slice, by its path. */
struct expected_slice {
    const char *path;
    int64_t begin_ns;
    int64_t duration_ns;
    int64_t known_ns;
    int64_t exclusive_ns;
    uint32_t frame;          /* index */
    int64_t parent_begin_ns; /* -1: top-level */
    bool is_children_lost;
};

struct expected_track {
    int64_t begin_ns, end_ns;
    bool has_ended;
    uint64_t slices, instants, incomplete;
    int64_t frames, frames_lost, frame_ns, covered_ns;
};

/* Events with times from the session's start. */
void golden_emit(struct capture_builder *builder, uint32_t track, const char *text);

void golden_add_track(struct capture_builder *builder, uint32_t id, uint64_t os_id,
                      uint64_t begin_ns, uint64_t end_ns, const char *name);

void golden_add_marks(struct capture_builder *builder, uint32_t domain, const uint64_t *times_ns,
                      size_t count);

/* Exactly these rows, in any order. */
void golden_check_rows(const struct trace_model *model, bool is_path,
                       const struct expected_sums *expected, size_t count);

/* The slices of a track in order of begin. */
void golden_check_slices(const struct trace_model *model, const struct slice_collector *shown,
                         uint32_t track, const struct expected_slice *expected, size_t count);

/* Of the whole capture. */
void golden_check_track(const struct trace_model *model, uint32_t index,
                        const struct expected_track *expected);

/* A capture that was built, opened and shown. */
struct golden_recording {
    struct capture_builder *builder;
    struct trace_capture *capture;
    const struct trace_model *model;
    struct slice_collector shown;
};

/* Takes the builder over. */
void golden_open(struct golden_recording *recording, struct capture_builder *builder);
void golden_close(struct golden_recording *recording);

#endif
