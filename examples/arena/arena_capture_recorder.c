/* Recording with the Ludus trace recorder. */
#include "arena_capture.h"

#include <inttypes.h>
#include <stdio.h>

#include <ludus/recorder.h>

enum arena_exit arena_capture_start(const char *path, uint32_t resolution_ns)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    struct ludus_error error = {0};
    enum ludus_status status;

    config.path = path;
    config.program = "arena";
    config.resolution_ns = resolution_ns;
    if (path)
        status = ludus_recorder_start(&config, &error);
    else
        status = ludus_recorder_start_with_env(&config, &error);
    if (status == LUDUS_OK || status == LUDUS_END)
        return ARENA_EXIT_OK;
    fprintf(stderr, "arena: %s\n", error.message);
    return ARENA_EXIT_OUTPUT;
}

static void arena_capture_print(const struct ludus_recorder_result *result)
{
    printf("capture    %s\n", result->path);
    printf("recorded   %" PRIu64 " scopes, %" PRIu64 " instants, %" PRIu64 " frame marks\n",
           result->recorded.scopes, result->recorded.instants, result->recorded.frames);
    printf("dropped    %" PRIu64 " scopes, %" PRIu64 " instants, %" PRIu64 " frame marks\n",
           result->dropped.scopes, result->dropped.instants, result->dropped.frames);
    printf("written    %" PRIu64 " bytes, with %" PRIu64 " bytes of memory\n",
           result->written_bytes, result->memory_bytes);
}

enum arena_exit arena_capture_stop(void)
{
    struct ludus_recorder_result result = {0};
    struct ludus_error error = {0};

    if (ludus_recorder_state() == LUDUS_RECORDER_IDLE)
        return ARENA_EXIT_OK;
    enum ludus_status status = ludus_recorder_stop(&result, &error);
    arena_capture_print(&result);
    if (status == LUDUS_OK)
        return ARENA_EXIT_OK;
    fprintf(stderr, "arena: %s\n", error.message);
    return ARENA_EXIT_OUTPUT;
}
