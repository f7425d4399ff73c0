/* Recording a program because its environment says so. */
#include <ludus/recorder.h>

#include <stdlib.h>

#include "recorder_core.h"

static void stop_at_exit(void)
{
    pthread_mutex_lock(&ludus_core.control);
    const bool is_ours = ludus_core.is_from_env;
    pthread_mutex_unlock(&ludus_core.control);
    if (is_ours && ludus_recorder_stop(NULL, NULL) != LUDUS_OK)
        return; /* nobody is left to tell */
}

enum ludus_status ludus_recorder_start_with_env(const struct ludus_recorder_config *config,
                                                struct ludus_error *error)
{
    const char *path = getenv("LUDUS_CAPTURE");
    if (path == NULL || path[0] == '\0') {
        if (error != NULL)
            *error = (struct ludus_error){.status = LUDUS_END};
        return LUDUS_END;
    }
    struct ludus_recorder_config own = {0};
    if (config != NULL)
        own = *config;
    own.path = path;
    const enum ludus_status status = ludus_recorder_start(&own, error);
    if (status != LUDUS_OK)
        return status;
    pthread_mutex_lock(&ludus_core.control);
    ludus_core.is_from_env = true;
    if (!ludus_core.has_exit_handler)
        ludus_core.has_exit_handler = atexit(stop_at_exit) == 0;
    pthread_mutex_unlock(&ludus_core.control);
    return LUDUS_OK;
}
