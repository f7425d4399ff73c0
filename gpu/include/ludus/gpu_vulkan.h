/* GPU timing of a Vulkan queue. Include it behind Vulkan's own headers where the program configures
 * these (VK_NO_PROTOTYPES); it links to no loader.
 *
 *     once    gpu = ludus_vulkan_session_create(&setup);
 *     a frame vkWaitForFences(...), vkBeginCommandBuffer(first, ...)
 *             number = ludus_vulkan_frame_begin(gpu, first);
 *             {
 *                 LUDUS_PROFILE_GPU_SCOPE(
 *                     ludus_vulkan_commands(gpu, first, LUDUS_GPU_RENDER), Shadows);
 *                 vkCmdBeginRenderPass(first, ...), ..., vkCmdEndRenderPass(first)
 *             }
 *             ludus_vulkan_frame_finish(gpu, last);  vkEndCommandBuffer(last)
 *             ludus_vulkan_frame_submit(gpu);        vkQueueSubmit(queue, ..., fence)
 *             ludus_vulkan_frame_end(gpu, LUDUS_GPU_SUBMITTED, fence);
 *     at last vkDeviceWaitIdle(device)
 *             ludus_vulkan_frame_complete(gpu, UINT64_MAX);
 *             ludus_vulkan_session_destroy(gpu);
 *
 * What is made in the device: one query pool, in ludus_vulkan_session_create. What is put into
 * command buffers: vkCmdWriteTimestamp, vkCmdResetQueryPool where the host cannot reset, and labels
 * where debug utils were enabled. Nothing waits for the device: no wait flag, no fence or idle
 * wait. What fails in Vulkan is counted in the capture as what it is, and rendering goes on.
 *
 * Command buffers with scopes are recorded for one frame, and submitted once. Those of a frame that
 * is discarded are never submitted.
 *
 * Threads: all functions may be called from any thread, scopes of one frame from several at once,
 * into command buffers that each of them has for itself; they take a lock for some stores. The
 * frame's calls happen in their order: its begin before its scopes, its end behind them. A session
 * that is NULL is ignored by all. */
#ifndef LUDUS_GPU_VULKAN_H
#define LUDUS_GPU_VULKAN_H

#include <vulkan/vulkan_core.h>

#include <ludus/gpu.h>
#include <ludus/gpu_scope.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the program enabled in its instance and device, added up. What is not told here is not
 * called. */
enum ludus_vulkan_feature {
    LUDUS_VULKAN_HOST_QUERY_RESET = 1,     /* the feature hostQueryReset of Vulkan 1.2 */
    LUDUS_VULKAN_HOST_QUERY_RESET_EXT = 2, /* that of VK_EXT_host_query_reset */
    LUDUS_VULKAN_CALIBRATED_KHR = 4,       /* VK_KHR_calibrated_timestamps */
    LUDUS_VULKAN_CALIBRATED_EXT = 8,       /* VK_EXT_calibrated_timestamps */
    LUDUS_VULKAN_DEBUG_UTILS = 16          /* VK_EXT_debug_utils: scopes are labels, too */
};

/* What a session is made with; zero what is not set. Handles are borrowed for as long as the
 * session is there. */
struct ludus_vulkan_setup {
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    PFN_vkGetDeviceProcAddr get_device_proc_addr; /* NULL: asked for by name */
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    uint32_t queue_family;
    uint32_t enabled;          /* enum ludus_vulkan_feature */
    uint32_t frames_in_flight; /* that are submitted and not known to be over; 1 to 7; 0: 3. More
                                  are not timed, but counted */
    const char *queue; /* its name in reports; NULL: graphics, compute or transfer, by its family */
    const VkAllocationCallbacks *allocator;
};

/* A queue that is timed. */
struct ludus_vulkan_session;

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(default)
#endif

/* A session for a queue of that family. A device that is made anew has a new session, whose
 * generation is another one. NULL: no memory, no get_instance_proc_addr, or too many frames in
 * flight. Where the queue cannot be timed there is a session that counts everything as unsupported,
 * and the capture says why. */
struct ludus_vulkan_session *ludus_vulkan_session_create(const struct ludus_vulkan_setup *setup);

/* Ends it: what is in flight is counted as unresolved. Returns the frames whose queries the device
 * may still write; while there are some the query pool stays, and so does the session: the program
 * waits for its device, tells ludus_vulkan_frame_complete, and calls this again. 0: it is
 * destroyed. Before the device is. */
uint32_t ludus_vulkan_session_destroy(struct ludus_vulkan_session *session);

/* The program was told VK_ERROR_DEVICE_LOST: what is in flight is counted as that. */
void ludus_vulkan_session_lose(struct ludus_vulkan_session *session);

/* Takes results that have come: asks vkGetFenceStatus for the fences that were lent.
 * ludus_vulkan_frame_begin does, too. */
void ludus_vulkan_session_poll(struct ludus_vulkan_session *session);

/* As of <ludus/gpu.h>. */
void ludus_vulkan_session_watch(struct ludus_vulkan_session *session, int is_watched);
int ludus_vulkan_session_latest_frame(struct ludus_vulkan_session *session,
                                      struct ludus_gpu_frame *frame);
uint32_t ludus_vulkan_session_generation(const struct ludus_vulkan_session *session);

/* Begins a frame and returns its number. `first` is the command buffer that the device executes
 * first of the frame: it is being recorded, and nothing is in it, or nothing that is to be
 * measured. No render pass is open in it. VK_NULL_HANDLE: no frame is begun, and nothing is
 * counted. */
uint64_t ludus_vulkan_frame_begin(struct ludus_vulkan_session *session, VkCommandBuffer first);

/* `last` is the command buffer that the device executes last of the frame, and all is in it. Only
 * then is the frame's own time known. Before ludus_vulkan_frame_end. */
void ludus_vulkan_frame_finish(struct ludus_vulkan_session *session, VkCommandBuffer last);

/* Right before each vkQueueSubmit with commands of the frame. */
void ludus_vulkan_frame_submit(struct ludus_vulkan_session *session);

/* Nothing more is recorded or submitted of the frame. `fence` is that of its last submission, and
 * is lent until the frame is known to be over: ludus_vulkan_session_poll, or frame_complete, comes
 * before it is reset or destroyed. VK_NULL_HANDLE: the program tells by frame_complete. */
void ludus_vulkan_frame_end(struct ludus_vulkan_session *session,
                            enum ludus_gpu_submission submission, VkFence fence);

/* The frame of that number is known to be over on the device, and with it all before it. UINT64_MAX
 * when the device, or the queue, is idle. */
void ludus_vulkan_frame_complete(struct ludus_vulkan_session *session, uint64_t number);

/* For LUDUS_PROFILE_GPU_SCOPE. `commands` is being recorded for the frame that was begun, for the
 * session's queue; the ends of the scope stand outside of render passes. Set logical_passes of the
 * result where a scope is that of several. */
struct ludus_gpu_commands ludus_vulkan_commands(struct ludus_vulkan_session *session,
                                                VkCommandBuffer commands,
                                                enum ludus_gpu_operation operation);

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
