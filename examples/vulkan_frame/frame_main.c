/* Draws frames off-screen, on whatever device there is, and records them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ludus/profile.h>
#include <ludus/recorder.h>

#include "frame_player.h"

#define EXIT_OUTPUT  4
#define EXIT_SKIPPED 77
#define STEPS        64u

static const char usage[] = "usage: vulkan_frame [options]\n"
                            "\n"
                            "Draws frames off-screen on the first Vulkan device, six passes each. "
                            "Ends with 77 where there\n"
                            "is no Vulkan driver.\n"
                            "\n"
                            "  --frames N       draw N frames (default 300)\n"
                            "  --capture FILE   record into FILE, which must not exist\n"
                            "  --size WxH       of the picture (default 480x270)\n"
                            "  --help           print this and end\n";

struct options {
    uint32_t frames;
    const char *capture; /* NULL: none */
    VkExtent2D extent;
};

static bool read_number(const char *text, uint32_t least, uint32_t most, uint32_t *number,
                        const char **end)
{
    char *rest = NULL;

    errno = 0;
    unsigned long value = strtoul(text, &rest, 10);
    *end = rest;
    *number = (uint32_t)value;
    return text[0] >= '0' && text[0] <= '9' && errno == 0 && value >= least && value <= most;
}

static bool read_option(const char *name, const char *value, struct options *options)
{
    const char *end = "";
    bool is_read = false;

    if (strcmp(name, "--frames") == 0) {
        is_read = read_number(value, 1, 1000000, &options->frames, &end);
    } else if (strcmp(name, "--size") == 0) {
        is_read = read_number(value, 16, 4096, &options->extent.width, &end) && *end == 'x' &&
                  read_number(end + 1, 16, 4096, &options->extent.height, &end);
    } else if (strcmp(name, "--capture") == 0) {
        options->capture = value;
        is_read = value[0] != '\0';
    }
    return is_read && *end == '\0';
}

/* What main returns, or -1 to go on. */
static int read_options(int count, char **words, struct options *options)
{
    *options = (struct options){300, NULL, {480, 270}};
    for (int i = 1; i < count; i += 2) {
        if (strcmp(words[i], "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (i + 1 == count || !read_option(words[i], words[i + 1], options)) {
            fprintf(stderr, "vulkan_frame: %s %s is not understood; --help lists the options\n",
                    words[i], i + 1 == count ? "" : words[i + 1]);
            return 2;
        }
    }
    return -1;
}

static bool play(struct vulkan_host *host, const struct options *options)
{
    struct frame_player player;
    bool is_done = frame_player_create(&player, host, options->extent, STEPS, true);

    for (uint32_t i = 0; is_done && i < options->frames; i++) {
        LUDUS_PROFILE_FRAME();
        is_done = frame_player_draw(&player, i);
    }
    frame_player_finish(&player);
    if (is_done)
        printf("device      %s\nframes      %u of %u x %u\nbrightness  %.1f of 255\n",
               host->properties.deviceName, options->frames, options->extent.width,
               options->extent.height, frame_scene_brightness(&player.scene));
    frame_player_destroy(&player);
    return is_done;
}

static bool start_capture(const struct options *options)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    struct ludus_error error = {0};
    enum ludus_status status;

    config.path = options->capture;
    config.program = "vulkan_frame";
    if (options->capture != NULL)
        status = ludus_recorder_start(&config, &error);
    else
        status = ludus_recorder_start_with_env(&config, &error);
    if (status == LUDUS_OK || status == LUDUS_END)
        return true;
    fprintf(stderr, "vulkan_frame: %s\n", error.message);
    return false;
}

static bool stop_capture(void)
{
    struct ludus_recorder_result result = {0};
    struct ludus_error error = {0};

    if (ludus_recorder_state() == LUDUS_RECORDER_IDLE)
        return true;
    enum ludus_status status = ludus_recorder_stop(&result, &error);
    printf("capture     %s\nrecorded    %" PRIu64 " scopes, %" PRIu64
           " times of GPU frames and %" PRIu64 " of passes\n",
           result.path, result.recorded.scopes, result.gpu_frames, result.gpu_passes);
    if (status == LUDUS_OK)
        return true;
    fprintf(stderr, "vulkan_frame: %s\n", error.message);
    return false;
}

/* What main returns. */
static int run(struct vulkan_host *host, const struct options *options)
{
    if (!start_capture(options))
        return EXIT_OUTPUT;
    const bool is_played = play(host, options);
    if (!is_played)
        fprintf(stderr, "vulkan_frame: %s\n", host->failure);
    const bool is_written = stop_capture();
    if (!is_played)
        return EXIT_FAILURE;
    return is_written ? EXIT_SUCCESS : EXIT_OUTPUT;
}

int main(int argument_count, char **arguments)
{
    const struct vulkan_wishes wishes = {0};
    struct vulkan_host host;
    struct options options;
    int code = read_options(argument_count, arguments, &options);

    if (code != -1)
        return code;
    enum vulkan_host_state state = vulkan_host_open(&host, &wishes);
    if (state == VULKAN_HOST_ABSENT) {
        puts("vulkan_frame: there is no Vulkan device; skipped");
        code = EXIT_SKIPPED;
    } else if (state == VULKAN_HOST_FAILED) {
        fprintf(stderr, "vulkan_frame: %s\n", host.failure);
        code = EXIT_FAILURE;
    } else {
        code = run(&host, &options);
    }
    vulkan_host_close(&host);
    return code;
}
