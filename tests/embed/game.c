#include <stdio.h>

#include <ludus/profile.h>
#include <ludus/recorder.h>

static int simulate(int frame)
{
    LUDUS_PROFILE_SCOPE(Physics/Step, LUDUS_PROFILE_CAT(Physics));
    int sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += i % (frame + 1);
    return sum; /* the scope ends here, as on every way out */
}

int main(void)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    struct ludus_recorder_result result;
    struct ludus_error error;
    int sum = 0;

    config.path = "game-%p.lcap"; /* %p is the process id: a capture never overwrites a file */
    int is_recording = ludus_recorder_start(&config, &error) == LUDUS_OK;
    if (!is_recording)
        fprintf(stderr, "not recorded: %s\n", error.message);
    for (int frame = 0; frame < 100; frame++) {
        LUDUS_PROFILE_FRAME();
        sum += simulate(frame);
    }
    if (is_recording && ludus_recorder_stop(&result, &error) != LUDUS_OK)
        fprintf(stderr, "not all recorded: %s\n", error.message);
    return sum == 0;
}
