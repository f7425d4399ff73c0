/* Captures with GPU samples for tests of exports, and what of them is drawn. */
#ifndef GPU_LANES_H
#define GPU_LANES_H

#include "export_fixture.h"

/* Sites, and tracks: one thread, and queues of which the last is the first one's next session. */
enum { SHADOWS = 1, OPAQUE, BLUR };
enum { MAIN = 1, GRAPHICS, COMPUTE, AGAIN };

/* Ticks are nanoseconds. 16 more sites may be added. */
extern const struct builder_setup gpu_lanes_setup;

#define GPU_LANES_START    1000 /* tick and host time of the session's start */
#define GPU_LANES_UNMAPPED INT64_MIN

/* A queue of a GPU, and the track that it is. */
void gpu_lanes_queue(struct capture_builder *builder, uint32_t track, const char *name,
                     uint32_t generation);

/* A valid time; its parts are from the session's start on. */
struct lcap_gpu_time gpu_lanes_time(int64_t submit_ns, int64_t begin_ns, uint64_t duration_ns);

extern const struct trace_perfetto_options gpu_lanes_everything;

/* Exports the builder's capture, which must be finished, and the database made of it. */
void gpu_lanes_export(struct capture_builder *builder, struct trace_perfetto_options options,
                      struct chrome_trace *trace);

/* The number of a slice's lane, by its name. */
unsigned gpu_lanes_lane(const struct chrome_trace *trace, const struct chrome_slice *slice);

/* A number in otherData.gpu. */
json_int_t gpu_lanes_fact(const struct chrome_trace *trace, const char *key);

#endif
