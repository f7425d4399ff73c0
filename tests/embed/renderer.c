#include <vulkan/vulkan.h>

#include <ludus/gpu_vulkan.h>

#define FRAMES_IN_FLIGHT 2

struct frame {
    VkCommandBuffer commands;
    VkFence fence;
};

void draw_shadows(VkCommandBuffer commands); /* vkCmdBeginRenderPass to vkCmdEndRenderPass */
void run_culling(VkCommandBuffer commands);  /* vkCmdDispatch */

static struct ludus_vulkan_session *gpu; /* NULL does nothing */

/* Behind vkCreateDevice. Whether a recording runs does not matter yet. */
void start_timing(VkInstance instance, VkPhysicalDevice adapter, VkDevice device, uint32_t family)
{
    struct ludus_vulkan_setup setup = {0};
    setup.get_instance_proc_addr = vkGetInstanceProcAddr;
    setup.instance = instance;
    setup.physical_device = adapter;
    setup.device = device;
    setup.queue_family = family;
    setup.enabled = LUDUS_VULKAN_HOST_QUERY_RESET | LUDUS_VULKAN_CALIBRATED_EXT;
    setup.frames_in_flight = FRAMES_IN_FLIGHT;
    gpu = ludus_vulkan_session_create(&setup);
}

void draw_frame(VkDevice device, VkQueue queue, struct frame *frame)
{
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, 0, 0, 0};
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO, 0, 0, 0, 0, 1, &frame->commands, 0, 0};

    vkWaitForFences(device, 1, &frame->fence, VK_TRUE, UINT64_MAX);
    ludus_vulkan_session_poll(gpu); /* before the fence is reset that was lent */
    vkResetFences(device, 1, &frame->fence);
    vkBeginCommandBuffer(frame->commands, &begin);
    ludus_vulkan_frame_begin(gpu, frame->commands);
    {
        LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(gpu, frame->commands, LUDUS_GPU_COMPUTE),
                                Scene/Culling);
        run_culling(frame->commands);
    }
    {
        LUDUS_PROFILE_GPU_SCOPE(ludus_vulkan_commands(gpu, frame->commands, LUDUS_GPU_RENDER),
                                Scene/Shadows, LUDUS_PROFILE_CAT(Render));
        draw_shadows(frame->commands);
    }
    ludus_vulkan_frame_finish(gpu, frame->commands);
    vkEndCommandBuffer(frame->commands);
    ludus_vulkan_frame_submit(gpu); /* right before each vkQueueSubmit of the frame */
    VkResult result = vkQueueSubmit(queue, 1, &submit, frame->fence);
    ludus_vulkan_frame_end(gpu, result == VK_SUCCESS ? LUDUS_GPU_SUBMITTED : LUDUS_GPU_REFUSED,
                           frame->fence);
}

/* Before vkDestroyDevice. */
void stop_timing(VkDevice device)
{
    vkDeviceWaitIdle(device);
    ludus_vulkan_frame_complete(gpu, UINT64_MAX);
    ludus_vulkan_session_destroy(gpu);
    gpu = NULL;
}
