#include <cstdio>
#include <stdexcept>

#include <ludus/profile.h>
#include <ludus/recorder.h>

static void load(int level)
{
    LUDUS_PROFILE_FUNCTION(LUDUS_PROFILE_CAT(Streaming));
    if (level == 3)
        throw std::runtime_error("no such level"); // the scope ends, too
}

int main()
{
    // Records when the environment variable LUDUS_CAPTURE names a file; ends by itself at exit.
    const ludus_recorder_config config = ludus_recorder_config_default();
    ludus_error error;
    const ludus_status status = ludus_recorder_start_with_env(&config, &error);
    if (status != LUDUS_OK && status != LUDUS_END) // LUDUS_END: the variable is not set
        std::fprintf(stderr, "not recorded: %s\n", error.message);
    for (int level = 0; level < 5; level++) {
        LUDUS_PROFILE_FRAME(Loading);
        try {
            load(level);
        } catch (const std::runtime_error &) {
            LUDUS_PROFILE_MARK(Level/Missing);
        }
    }
    return 0;
}
