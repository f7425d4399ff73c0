/* Finds out what a capture says about its program and machine. */
#include "machine_facts.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "site_label.h"

#define LUDUS_RECORDER_VERSION "0.1.0"
#define MAX_VALUE              4096u

#if defined(__clang__)
#define COMPILER_NAME "clang "
#else
#define COMPILER_NAME "gcc "
#endif

void ludus_facts_add(struct ludus_machine_facts *facts, const char *key, const char *value)
{
    const size_t key_size = strlen(key);
    const size_t size = value != NULL ? ludus_label_cut(value, strlen(value), MAX_VALUE) : 0;
    if (size == 0 || facts->count == LUDUS_MAX_FACTS ||
        key_size + size > sizeof facts->bytes - facts->byte_count)
        return;
    char *bytes = facts->bytes + facts->byte_count;
    memcpy(bytes, key, key_size);
    memcpy(bytes + key_size, value, size);
    facts->byte_count += key_size + size;
    facts->facts[facts->count++] = (struct lcap_fact){{(const uint8_t *)bytes, key_size},
                                                      {(const uint8_t *)bytes + key_size, size}};
}

void ludus_facts_add_number(struct ludus_machine_facts *facts, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    ludus_facts_add(facts, key, text);
}

void ludus_read_text(const char *path, char *text, size_t capacity)
{
    size_t size = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && size < capacity - 1) {
        const ssize_t got = read(fd, text + size, capacity - 1 - size);
        if (got <= 0)
            break;
        size += (size_t)got;
    }
    if (fd >= 0)
        close(fd);
    text[size] = '\0';
}

/* What stands behind `key` and the characters `skip` on a line of `text`, without quotes. Cuts
 * `text` up. NULL: no such line. */
static const char *line_value(char *text, const char *key, const char *skip)
{
    char *at = strstr(text, key);
    if (at == NULL)
        return NULL;
    at += strlen(key);
    at += strspn(at, skip);
    at[strcspn(at, "\"\n")] = '\0';
    return at;
}

static void add_machine(struct ludus_machine_facts *facts)
{
    char text[4096];
    char os[512];
    struct utsname name;
    ludus_read_text("/proc/cpuinfo", text, sizeof text);
    ludus_facts_add(facts, "cpu.model", line_value(text, "model name", " \t:"));
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores > 0)
        ludus_facts_add_number(facts, "cpu.cores", (uint64_t)cores);
    ludus_read_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text, sizeof text);
    text[strcspn(text, "\n")] = '\0';
    ludus_facts_add(facts, "cpu.governor", text);
    if (uname(&name) != 0)
        return;
    ludus_read_text("/etc/os-release", text, sizeof text);
    const char *pretty = line_value(text, "PRETTY_NAME=", "\"");
    snprintf(os, sizeof os, "%.200s%s%.64s %.64s %.64s", pretty != NULL ? pretty : "",
             pretty != NULL ? ", " : "", name.sysname, name.release, name.machine);
    ludus_facts_add(facts, "os", os);
}

static void add_program(struct ludus_machine_facts *facts, const char *program)
{
    char path[4096];
    if (program == NULL || program[0] == '\0') {
        const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
        path[size > 0 ? size : 0] = '\0';
        const char *slash = strrchr(path, '/');
        program = slash != NULL ? slash + 1 : path;
    }
    ludus_facts_add(facts, "program", program);
}

void ludus_facts_collect(struct ludus_machine_facts *facts,
                         const struct ludus_recorder_config *config,
                         const struct ludus_memory_plan *plan)
{
    facts->count = 0;
    facts->byte_count = 0;
    add_program(facts, config->program);
    ludus_facts_add_number(facts, "recorder.flush_interval_ms", config->flush_interval_ms);
    ludus_facts_add_number(facts, "recorder.memory_bytes", plan->total_bytes);
    ludus_facts_add_number(facts, "recorder.max_sites", plan->max_sites);
    ludus_facts_add_number(facts, "recorder.max_threads", plan->max_threads);
    ludus_facts_add_number(facts, "recorder.max_counters", plan->max_counters);
    ludus_facts_add_number(facts, "recorder.max_dynamic_names", plan->max_names);
    ludus_facts_add(facts, "recorder.version", LUDUS_RECORDER_VERSION);
    add_machine(facts);
    ludus_facts_add(facts, "build.compiler", COMPILER_NAME __VERSION__);
    ludus_facts_add(facts, "build.commit", config->build_commit);
    ludus_facts_add(facts, "build.flavor", config->build_flavor);
    ludus_facts_add(facts, "build.flags", config->build_flags);
    ludus_facts_add(facts, "source_root", config->source_root);
}
