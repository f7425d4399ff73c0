/* Finds out which setting of the recorder would have kept what was lost. */
#include "loss_remedy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model_facts.h"

#define MIB 1048576u

/* What a recorded event takes of memory_bytes; a scope is two, and what has a value takes two. */
#define EVENT_BYTES 16u
#define CHUNK_BYTES 16384u /* in which a track takes them */

/* The default of memory_bytes. Below it other tables grow first, as more memory is given. */
#define USUAL_MEMORY (16u * MIB)

/* Of more memory a part goes to the encoder, and to the window of a recording of hitches. */
#define SHARES       3u
#define HITCH_SHARES 4u

/* Settings that a text may name, as the recorder calls them; docs/recorder.md. */
static const struct {
    const char *name;
    uint64_t most;
    bool is_counted; /* the count of the diagnostic says how many did not fit */
} settings[] = {
    {"max_sites", 1048576, true},
    {"max_threads", 4096, false},
    {"max_counters", 65536, false},
    {"max_dynamic_names", 1048576, false},
    {"memory_bytes", UINT64_C(4) << 30, false},
};

static bool read_setting(const struct trace_model *model, const char *name, uint64_t *value)
{
    char key[64];
    (void)snprintf(key, sizeof key, "recorder.%s", name);
    return trace_model_number_fact(model, key, value);
}

uint64_t trace_whole_mib(uint64_t bytes)
{
    return bytes / MIB * MIB + (bytes % MIB != 0 ? MIB : 0);
}

/* Puts what the setting was and a better value. False when the capture does not tell it. */
static bool put_setting(const struct trace_model *model, const char *name, uint64_t most,
                        uint64_t missing, char remedy[TRACE_REMEDY_SIZE])
{
    uint64_t value;
    if (!read_setting(model, name, &value) || value == 0)
        return false;
    if (value >= most) {
        (void)snprintf(remedy, TRACE_REMEDY_SIZE, "; %s was %" PRIu64 ", the most there is", name,
                       value);
        return true;
    }
    uint64_t better = value + (missing > value ? missing : value);
    (void)snprintf(remedy, TRACE_REMEDY_SIZE, "; %s was %" PRIu64 ": try %" PRIu64, name, value,
                   better < most ? better : most);
    return true;
}

/* Room for all that was lost, as if the collector had done nothing meanwhile. */
static uint64_t enough_memory(const struct lcap_counts *counts, const struct trace_model *model,
                              uint64_t memory_bytes)
{
    uint64_t window_bytes;
    uint64_t shares = trace_model_number_fact(model, "recorder.hitch_window_bytes", &window_bytes)
                          ? HITCH_SHARES
                          : SHARES;
    double events = 2.0 * (double)counts->scopes + (double)counts->instants +
                    2.0 * (double)counts->flows + 2.0 * (double)counts->gauges;
    double bytes =
        (double)memory_bytes +
        (double)shares * (events * EVENT_BYTES + (double)model->loss_count * CHUNK_BYTES);
    if (bytes > (double)UINT64_MAX / 2)
        return UINT64_MAX / 2;
    return trace_whole_mib(bytes > USUAL_MEMORY ? (uint64_t)bytes : USUAL_MEMORY);
}

static const char *buffers_remedy(const struct lcap_counts *counts, const struct trace_model *model,
                                  char remedy[TRACE_REMEDY_SIZE])
{
    uint64_t memory_bytes;
    if (!read_setting(model, "memory_bytes", &memory_bytes))
        return "; give the recorder more memory (memory_bytes) to keep them";
    uint64_t enough = enough_memory(counts, model, memory_bytes);
    if (enough > UINT64_C(4096) * MIB)
        (void)snprintf(remedy, TRACE_REMEDY_SIZE,
                       "; memory_bytes was %" PRIu64
                       ", and no memory holds so many: record less (LUDUS_CATEGORIES)",
                       memory_bytes);
    else
        (void)snprintf(remedy, TRACE_REMEDY_SIZE,
                       "; memory_bytes was %" PRIu64 ": try %" PRIu64 " (LUDUS_MEMORY=%" PRIu64
                       "MiB), or record less (LUDUS_CATEGORIES)",
                       memory_bytes, enough, enough / MIB);
    return remedy;
}

const char *trace_loss_remedy(uint32_t cause, const struct lcap_counts *counts,
                              const struct trace_model *model, char remedy[TRACE_REMEDY_SIZE])
{
    switch (cause) {
    case LCAP_LOSS_BUFFERS_FULL:
        return buffers_remedy(counts, model, remedy);
    case LCAP_LOSS_TOO_MANY_THREADS:
        return put_setting(model, "max_threads", 4096, 0, remedy)
                   ? remedy
                   : "; let it follow more threads (max_threads) to keep them";
    case LCAP_LOSS_TOO_DEEP:
        return "; it follows 256 scopes inside each other: take out the innermost ones";
    case LCAP_LOSS_WRITE_FAILED:
        return "; the file could not be written any more: make room for it, or record to another "
               "place";
    case LCAP_LOSS_FRAME_MARKS_FULL:
        return "; marks came faster than they are written, 4,096 at once: mark less often";
    default:
        return "";
    }
}

static bool has_word(struct trace_text text, const char *word)
{
    size_t size = strlen(word);
    for (size_t at = 0; at + size <= text.size; at++)
        if (memcmp(text.data + at, word, size) == 0)
            return true;
    return false;
}

const char *trace_diagnostic_remedy(const struct trace_diagnostic *diagnostic,
                                    const struct trace_model *model, char remedy[TRACE_REMEDY_SIZE])
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (has_word(diagnostic->text, settings[i].name) &&
            put_setting(model, settings[i].name, settings[i].most,
                        settings[i].is_counted ? diagnostic->count : 0, remedy))
            return remedy;
    return "";
}
