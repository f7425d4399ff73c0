/* Makes a recording that loses something, unless its settings have room for it:
 * lossy_recorder CAPTURE SORT SETTING VALUE. The sorts: `sites`, more of them than max_sites at its
 * least; `names`, likewise of max_dynamic_names; `threads`, eight at a time; `burst`, 200,000
 * scopes while nothing is written. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ludus/profile.h>
#include <ludus/recorder.h>

#include "write_gate.h"

#define SITES   200
#define NAMES   90
#define THREADS 8
#define SCOPES  200000

static void reach_sites(void)
{
    static struct ludus_site sites[SITES];
    for (uint32_t i = 0; i < SITES; i++) {
        sites[i] = (struct ludus_site){"place", "many.c", "f", i + 1, 0, 0, 0};
        ludus_instant(&sites[i]);
    }
}

static void use_names(void)
{
    for (int i = 0; i < NAMES; i++) {
        char name[32];
        snprintf(name, sizeof name, "name %d", i);
        ludus_instant(ludus_site_intern(name, NULL));
    }
}

static pthread_barrier_t all_there;

static void *be_one_of_many(void *unused)
{
    LUDUS_PROFILE_SCOPE(Lossy/Thread);
    pthread_barrier_wait(&all_there);
    return unused;
}

static void start_threads(void)
{
    pthread_t threads[THREADS];
    pthread_barrier_init(&all_there, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, be_one_of_many, NULL) != 0)
            abort();
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&all_there);
}

static void burst(void)
{
    write_gate_close();
    for (int i = 0; i < SCOPES; i++) {
        LUDUS_PROFILE_SCOPE(Lossy/Burst);
    }
    write_gate_open();
}

static const struct {
    const char *name;
    void (*play)(void);
} sorts[] = {
    {"sites", reach_sites}, {"names", use_names}, {"threads", start_threads}, {"burst", burst}};

/* False when there is no such setting. */
static int set(struct ludus_recorder_config *config, const char *setting, const char *value)
{
    const unsigned long long number = strtoull(value, NULL, 10);
    if (strcmp(setting, "max_sites") == 0)
        config->max_sites = (uint32_t)number;
    else if (strcmp(setting, "max_dynamic_names") == 0)
        config->max_dynamic_names = (uint32_t)number;
    else if (strcmp(setting, "max_threads") == 0)
        config->max_threads = (uint32_t)number;
    else if (strcmp(setting, "memory_bytes") == 0)
        config->memory_bytes = number;
    else
        return 0;
    return 1;
}

int main(int count, char **words)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    struct ludus_error error;
    if (count != 5 || !set(&config, words[3], words[4]))
        return 2;
    config.path = words[1];
    config.clock = LUDUS_CLOCK_MONOTONIC;
    if (ludus_recorder_start(&config, &error) != LUDUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++)
        if (strcmp(words[2], sorts[i].name) == 0)
            sorts[i].play();
    return ludus_recorder_stop(NULL, &error) == LUDUS_OK ? 0 : 1;
}
