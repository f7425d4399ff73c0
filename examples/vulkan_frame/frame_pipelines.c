/* The pipelines: the ways that a frame's passes compute and draw, for images of the present size.
 */
#include "frame_scene.h"

#include "frame_shaders.h"

/* What a shader is told of a frame. */
#define FRAME_PUSH_BYTES 12u

struct shader {
    const uint32_t *words;
    size_t size_bytes;
};

#define SHADER(name)                                                                               \
    (struct shader)                                                                                \
    {                                                                                              \
        name, sizeof name                                                                          \
    }

static bool create_module(struct vulkan_host *host, struct shader shader, VkShaderModule *module)
{
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = shader.size_bytes,
        .pCode = shader.words,
    };
    return vulkan_host_check(host,
                             host->api.vkCreateShaderModule(host->device, &info, NULL, module),
                             "vkCreateShaderModule");
}

static VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "main",
    };
}

static bool create_compute(struct frame_scene *scene, enum frame_pipeline which,
                           struct shader shader)
{
    struct vulkan_host *host = scene->host;
    VkShaderModule module = VK_NULL_HANDLE;
    bool is_done = create_module(host, shader, &module);

    if (is_done) {
        VkComputePipelineCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, module),
            .layout = scene->layout,
        };
        VkResult result = host->api.vkCreateComputePipelines(host->device, VK_NULL_HANDLE, 1, &info,
                                                             NULL, &scene->pipelines[which]);
        is_done = vulkan_host_check(host, result, "vkCreateComputePipelines");
    }
    host->api.vkDestroyShaderModule(host->device, module, NULL);
    return is_done;
}

/* The states that all of the pipelines which draw have in common. */
static VkResult make_graphics(struct frame_scene *scene, const struct frame_target *target,
                              const VkPipelineShaderStageCreateInfo *stages, uint32_t stage_count,
                              bool has_depth, VkPipeline *pipeline)
{
    const bool has_colour = stage_count > 1;
    const VkViewport viewport = {
        0.0f, 0.0f, (float)target->extent.width, (float)target->extent.height, 0.0f, 1.0f};
    const VkRect2D scissor = {{0, 0}, target->extent};
    VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkPipelineViewportStateCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = has_depth,
        .depthWriteEnable = has_depth,
        .depthCompareOp = VK_COMPARE_OP_LESS};
    VkPipelineColorBlendAttachmentState written = {
        .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |
                          VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT};
    VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = has_colour ? 1 : 0,
        .pAttachments = &written};
    VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = stage_count,
        .pStages = stages,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pViewportState = &view,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pDepthStencilState = &depth,
        .pColorBlendState = &blend,
        .layout = scene->layout,
        .renderPass = target->pass,
    };
    return scene->host->api.vkCreateGraphicsPipelines(scene->host->device, VK_NULL_HANDLE, 1, &info,
                                                      NULL, pipeline);
}

/* Without a fragment shader, a pipeline draws depths alone. */
static bool create_graphics(struct frame_scene *scene, enum frame_pipeline which,
                            const struct frame_target *target, struct shader vertex,
                            struct shader fragment, bool has_depth)
{
    struct vulkan_host *host = scene->host;
    VkShaderModule modules[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    uint32_t count = fragment.words != NULL ? 2 : 1;
    bool is_done = create_module(host, vertex, &modules[0]) &&
                   (count == 1 || create_module(host, fragment, &modules[1]));

    if (is_done) {
        VkPipelineShaderStageCreateInfo stages[2] = {
            stage_of(VK_SHADER_STAGE_VERTEX_BIT, modules[0]),
            stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, modules[1]),
        };
        VkResult result =
            make_graphics(scene, target, stages, count, has_depth, &scene->pipelines[which]);
        is_done = vulkan_host_check(host, result, "vkCreateGraphicsPipelines");
    }
    host->api.vkDestroyShaderModule(host->device, modules[0], NULL);
    host->api.vkDestroyShaderModule(host->device, modules[1], NULL);
    return is_done;
}

bool frame_pipelines_create(struct frame_scene *scene)
{
    struct vulkan_host *host = scene->host;
    VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, FRAME_PUSH_BYTES};
    VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &scene->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push,
    };
    const struct shader none = {NULL, 0};

    return vulkan_host_check(
               host, host->api.vkCreatePipelineLayout(host->device, &layout, NULL, &scene->layout),
               "vkCreatePipelineLayout") &&
           create_compute(scene, FRAME_MOVE, SHADER(particles_comp)) &&
           create_compute(scene, FRAME_LUMINANCE, SHADER(luminance_comp)) &&
           create_graphics(scene, FRAME_SHADOW, &scene->shadow, SHADER(particle_vert), none,
                           true) &&
           create_graphics(scene, FRAME_OPAQUE, &scene->opaque, SHADER(particle_vert),
                           SHADER(particle_frag), true) &&
           create_graphics(scene, FRAME_COMPOSITE, &scene->composite, SHADER(composite_vert),
                           SHADER(composite_frag), false);
}

void frame_pipelines_destroy(struct frame_scene *scene)
{
    const struct vulkan_api *api = &scene->host->api;

    for (int i = 0; i < FRAME_PIPELINES; i++) {
        api->vkDestroyPipeline(scene->host->device, scene->pipelines[i], NULL);
        scene->pipelines[i] = VK_NULL_HANDLE;
    }
    api->vkDestroyPipelineLayout(scene->host->device, scene->layout, NULL);
    scene->layout = VK_NULL_HANDLE;
}
