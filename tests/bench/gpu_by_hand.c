/* Stands between the example and the driver. */
#include "gpu_by_hand.h"

#include "bench_tools.h"

#define BUFFERS 2u  /* in a frame */
#define QUERIES 16u /* of each at most */

static const struct vulkan_host *real;
static VkQueryPool pool;
static PFN_vkCmdWriteTimestamp write_timestamp;
static PFN_vkCmdResetQueryPool reset_queries;
static PFN_vkDestroyQueryPool destroy_pool;
static uint32_t begun; /* command buffers */
static uint32_t next;  /* query */
static bool is_filled; /* a pass has begun with a fill, and goes on with a dispatch */

static void put(VkCommandBuffer commands, VkPipelineStageFlagBits stage)
{
    write_timestamp(commands, stage, pool, next++);
}

static void put_begin(VkCommandBuffer commands)
{
    put(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
}

static void put_end(VkCommandBuffer commands)
{
    put(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
}

static VkResult VKAPI_CALL begin_buffer(VkCommandBuffer commands,
                                        const VkCommandBufferBeginInfo *info)
{
    const VkResult result = real->api.vkBeginCommandBuffer(commands, info);
    const uint32_t buffer = begun++ % BUFFERS;
    next = buffer * QUERIES;
    reset_queries(commands, pool, next, QUERIES);
    if (buffer == 0)
        put_begin(commands);
    return result;
}

static VkResult VKAPI_CALL end_buffer(VkCommandBuffer commands)
{
    if (next > QUERIES)
        put_end(commands);
    return real->api.vkEndCommandBuffer(commands);
}

static void VKAPI_CALL begin_pass(VkCommandBuffer commands, const VkRenderPassBeginInfo *info,
                                  VkSubpassContents contents)
{
    put_begin(commands);
    real->api.vkCmdBeginRenderPass(commands, info, contents);
}

static void VKAPI_CALL end_pass(VkCommandBuffer commands)
{
    real->api.vkCmdEndRenderPass(commands);
    put_end(commands);
}

static void VKAPI_CALL fill(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                            VkDeviceSize size, uint32_t data)
{
    put_begin(commands);
    is_filled = true;
    real->api.vkCmdFillBuffer(commands, buffer, offset, size, data);
}

static void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    if (!is_filled)
        put_begin(commands);
    is_filled = false;
    real->api.vkCmdDispatch(commands, x, y, z);
    put_end(commands);
}

static void VKAPI_CALL copy(VkCommandBuffer commands, VkImage image, VkImageLayout layout,
                            VkBuffer buffer, uint32_t count, const VkBufferImageCopy *regions)
{
    put_begin(commands);
    real->api.vkCmdCopyImageToBuffer(commands, image, layout, buffer, count, regions);
    put_end(commands);
}

struct vulkan_host gpu_by_hand_open(const struct vulkan_host *host)
{
    const PFN_vkGetDeviceProcAddr find = host->api.vkGetDeviceProcAddr;
    const PFN_vkCreateQueryPool create =
        (PFN_vkCreateQueryPool)find(host->device, "vkCreateQueryPool");
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = BUFFERS * QUERIES};
    struct vulkan_host by_hand = *host;

    real = host;
    begun = 0;
    write_timestamp = (PFN_vkCmdWriteTimestamp)find(host->device, "vkCmdWriteTimestamp");
    reset_queries = (PFN_vkCmdResetQueryPool)find(host->device, "vkCmdResetQueryPool");
    destroy_pool = (PFN_vkDestroyQueryPool)find(host->device, "vkDestroyQueryPool");
    if (create(host->device, &info, NULL, &pool) != VK_SUCCESS)
        bench_fail("vkCreateQueryPool failed");
    by_hand.api.vkBeginCommandBuffer = begin_buffer;
    by_hand.api.vkEndCommandBuffer = end_buffer;
    by_hand.api.vkCmdBeginRenderPass = begin_pass;
    by_hand.api.vkCmdEndRenderPass = end_pass;
    by_hand.api.vkCmdFillBuffer = fill;
    by_hand.api.vkCmdDispatch = dispatch;
    by_hand.api.vkCmdCopyImageToBuffer = copy;
    return by_hand;
}

void gpu_by_hand_close(void)
{
    destroy_pool(real->device, pool, NULL);
}
