/* A loop of frames, and a thread that loads levels for it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include <ludus/profile.h>
#include <ludus/recorder.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int wanted, loaded;              /* levels; under the lock */
static uint64_t order_flow, ready_flow; /* from a frame to the loader, and back; likewise */

static unsigned work(unsigned rounds)
{
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum += i * i;
    return sum;
}

static void *load_levels(void *unused)
{
    (void)unused;
    LUDUS_PROFILE_THREAD("loader");
    for (int level = 1; level <= 3; level++) {
        {
            LUDUS_PROFILE_SCOPE(Loader/Idle, LUDUS_PROFILE_CAT(wait)); /* time that is spent waiting */
            pthread_mutex_lock(&lock);
            while (wanted < level)
                pthread_cond_wait(&changed, &lock);
            LUDUS_PROFILE_FLOW_IN(order_flow); /* here the order arrives */
            pthread_mutex_unlock(&lock);
        }
        LUDUS_PROFILE_SCOPE(Level/Load, LUDUS_PROFILE_CAT(Streaming));
        work(20000000);
        LUDUS_PROFILE_COUNT(Streaming/Bytes, 65536);
        pthread_mutex_lock(&lock);
        loaded = level;
        ready_flow = LUDUS_PROFILE_FLOW_OUT(Level/Ready);
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void order_level(int level)
{
    pthread_mutex_lock(&lock);
    wanted = level;
    order_flow = LUDUS_PROFILE_FLOW_OUT(Level/Order); /* and here it leaves */
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void await_level(int level)
{
    LUDUS_PROFILE_SCOPE(Level/Await, LUDUS_PROFILE_CAT(wait));
    pthread_mutex_lock(&lock);
    while (loaded < level)
        pthread_cond_wait(&changed, &lock);
    LUDUS_PROFILE_FLOW_IN(ready_flow);
    pthread_mutex_unlock(&lock);
}

static void play_frame(int frame)
{
    LUDUS_PROFILE_FUNCTION(LUDUS_PROFILE_CAT(Game));
    if (frame % 40 == 20)
        order_level(frame / 40 + 1);
    if (frame % 40 == 23) /* too early: it is not there yet */
        await_level(frame / 40 + 1);
    work(200000);
}

/* Records when LUDUS_CAPTURE names a file, until the exit; says why not when it cannot. */
static void start_recording(void)
{
    const struct ludus_recorder_config config = ludus_recorder_config_default();
    struct ludus_error error;
    const enum ludus_status status = ludus_recorder_start_with_env(&config, &error);
    if (status != LUDUS_OK && status != LUDUS_END) /* LUDUS_END: it names none */
        fprintf(stderr, "not recorded: %s\n", error.message);
}

int main(void)
{
    pthread_t loader;

    start_recording();
    LUDUS_PROFILE_THREAD("main");
    if (pthread_create(&loader, NULL, load_levels, NULL) != 0)
        return 1;
    for (int frame = 0; frame < 120; frame++) {
        LUDUS_PROFILE_FRAME();
        play_frame(frame);
    }
    LUDUS_PROFILE_FRAME(); /* the end of the last one */
    pthread_join(loader, NULL);
    puts("played 120 frames");
    return 0;
}
