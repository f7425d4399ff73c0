/* What the tests on a real Vulkan driver share: a device that the Khronos validation layer watches,
 * a session on it, a loop that draws frames, and what the recording of them holds. A message of the
 * layer fails the test. */
#ifndef VULKAN_FIXTURE_H
#define VULKAN_FIXTURE_H

#include <check.h>

#include "frame_player.h"
#include "frame_record.h"
#include "gpu_fixture.h"
#include "vulkan_watch.h"

#define LOOP_FLIGHTS 8u
#define LOOP_FRAMES  1024u

/* A command buffer of a frame is filled: the first (0) or the second (1). */
typedef void loop_fill(VkCommandBuffer commands, uint32_t part, void *context);

struct loop_flight {
    VkCommandBuffer commands[2];
    VkFence done;
    bool is_used;
    uint64_t number;
};

/* What the CPU knows of when a frame was on the device. */
struct loop_span {
    int64_t submit_ns;
    int64_t over_ns;
};

extern struct vulkan_host host;
extern struct ludus_vulkan_session *gpu;
extern struct vulkan_loop {
    VkCommandPool pool;
    struct loop_flight flights[LOOP_FLIGHTS];
    uint32_t depth; /* frames in flight */
    uint32_t drawn;
    struct loop_span spans[LOOP_FRAMES]; /* by the session's number */
} loop;

/* Opens the device without those features, or anew when it is another one than before, and a
 * session on it, which is told of `told` of what is enabled. The loop has `depth` frames in flight.
 */
void vulkan_open(uint32_t without, uint32_t told, uint32_t depth);
/* Waits for the device, and ends the session, of which nothing is in flight then. */
void vulkan_close(void);
/* For the next vulkan_open: a device that is made anew. */
void vulkan_forget_device(void);

void vulkan_make_session(uint32_t told, uint32_t frames_in_flight);

/* Draws a frame in two submissions, once the one `depth` before it is over, of which the session is
 * told by the fence that was lent to it. */
void loop_draw(loop_fill *fill, void *context);
/* Waits for all of them. */
void loop_finish(void);

/* `count` scopes around copies into a small buffer, in the first part. */
void fill_copies(VkCommandBuffer commands, uint32_t part, void *count);

/* A recording in a folder of the test. */
void vulkan_record(void);
struct gpu_content vulkan_stop(void);
/* Of the only queue in it, or of the last one. */
uint64_t vulkan_counted(const struct gpu_content *content, uint32_t subject, uint32_t outcome);

/* Whether times of that frame are mapped. Where they are not, readings were disturbed too often, as
 * may happen on a busy machine; anything else fails the test. */
bool vulkan_is_mapped(const struct gpu_content *content, uint64_t frame);

/* Runs tests and returns the program's exit code, which is 77 where there is no driver. */
int vulkan_run(const char *name, const TTest *const *tests, size_t count);

#endif
