/* What the recorder's tests share. */
#include "recorder_fixture.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char folder[256];

void fixture_setup(void)
{
    snprintf(folder, sizeof folder, "/tmp/ludus_recorder_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

void fixture_teardown(void)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(folder);
}

const char *fixture_path(const char *name)
{
    static char paths[16][512];
    static unsigned next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

struct ludus_recorder_config fixture_config(const char *name)
{
    struct ludus_recorder_config config = ludus_recorder_config_default();
    config.path = fixture_path(name);
    config.memory_bytes = 8u << 20;
    config.max_sites = 1024;
    config.max_threads = 16;
    config.flush_interval_ms = 10;
    return config;
}

void fixture_start(const struct ludus_recorder_config *config)
{
    struct ludus_error error;
    const enum ludus_status status = ludus_recorder_start(config, &error);
    ck_assert_msg(status == LUDUS_OK, "start: %d %s", (int)status, error.message);
}

struct ludus_recorder_result fixture_stop(void)
{
    struct ludus_recorder_result result;
    struct ludus_error error;
    const enum ludus_status status = ludus_recorder_stop(&result, &error);
    ck_assert_msg(status == LUDUS_OK, "stop: %d %s", (int)status, error.message);
    return result;
}

struct summary *fixture_stop_and_read(struct ludus_recorder_result *result)
{
    *result = fixture_stop();
    struct summary *summary = summary_read(result->path);
    summary_check_whole(summary);
    ck_assert_uint_eq(result->recorded.scopes, summary->begins);
    ck_assert_uint_eq(result->recorded.instants, summary->instants);
    ck_assert_uint_eq(result->recorded.frames, summary->mark_count);
    ck_assert_uint_eq(result->scopes_open, summary->begins - summary->ends);
    ck_assert_uint_eq(result->dropped.scopes, summary->end.dropped.scopes);
    ck_assert_uint_eq(result->dropped.instants, summary->end.dropped.instants);
    ck_assert_uint_eq(result->dropped.frames, summary->end.dropped.frames);
    return summary;
}

uint64_t fixture_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void fixture_sleep_ms(unsigned ms)
{
    struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    while (nanosleep(&time, &time) != 0)
        ;
}

uint64_t fixture_resident_bytes(void)
{
    unsigned long long total = 0;
    unsigned long long resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%llu %llu", &total, &resident), 2);
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
