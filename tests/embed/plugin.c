/* A library with a recorder of its own, which is loaded, records, and is unloaded. */
#include <ludus/profile.h>
#include <ludus/recorder.h>

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
int plugin_work(const char *path);

/* Records a slice into a capture at `path`, from its beginning to its end. 0: it is there. */
int plugin_work(const char *path)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    config.path = path;
    if (ludus_recorder_start(&config, LUDUS_NULL) != LUDUS_OK)
        return 1;
    {
        LUDUS_PROFILE_SCOPE(Plugin/Work);
    }
    return ludus_recorder_stop(LUDUS_NULL, LUDUS_NULL) != LUDUS_OK;
}
