/* Records what it is told to on its standard input, a letter each: f a frame with a scope in it, o
 * a scope that stays open, s stop and end. It answers with the letter when that is done. */
#include <stdio.h>

#include <ludus/profile.h>
#include <ludus/recorder.h>

static void play_frame(void)
{
    LUDUS_PROFILE_FRAME();
    LUDUS_PROFILE_SCOPE(Told/Frame, LUDUS_PROFILE_CAT(Told));
    LUDUS_PROFILE_COUNT(Told/Frames, 1);
    LUDUS_PROFILE_GAUGE(Told/Level, 42);
}

/* Returns whether it was told to stop. */
static int obey(void)
{
    int letter;
    while ((letter = getchar()) != EOF) {
        if (letter == 'f')
            play_frame();
        if (letter == 'o') {
            LUDUS_PROFILE_SCOPE(Told/Open);
            putchar(letter);
            fflush(stdout);
            return obey();
        }
        if (letter == 's')
            return 1;
        putchar(letter);
        fflush(stdout);
    }
    return 0;
}

int main(int count, char **words)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    struct ludus_error error;
    if (count != 2)
        return 2;
    config.path = words[1];
    config.flush_interval_ms = 10;
    if (ludus_recorder_start(&config, &error) != LUDUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    (void)obey();
    return ludus_recorder_stop(NULL, &error) == LUDUS_OK ? 0 : 1;
}
