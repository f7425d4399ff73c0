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
    const ludus_status status = ludus_recorder_start_from_env();
    for (int level = 0; level < 5; level++) {
        LUDUS_PROFILE_FRAME(Loading);
        try {
            load(level);
        } catch (const std::runtime_error &) {
            LUDUS_PROFILE_MARK(Level/Missing);
        }
    }
    return status == LUDUS_OK || status == LUDUS_END ? 0 : 1;
}
