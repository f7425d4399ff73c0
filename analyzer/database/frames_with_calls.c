/* Counts, for each site, the frames in which it begins at least once. */
#include "frames_with_calls.h"

#include <stdlib.h>
#include <string.h>

#define WORDS (FRAMES_REMEMBERED / 64)

enum ludus_status trace_frames_with_calls_reserve(struct trace_frames_with_calls *frames,
                                                  uint32_t count)
{
    uint32_t capacity = count;
    struct trace_site_frames *sites;

    if (count <= frames->site_count)
        return LUDUS_OK;
    if (capacity < UINT32_MAX / 2 && capacity < 2 * frames->site_count)
        capacity = 2 * frames->site_count;
    sites = realloc(frames->sites, capacity * sizeof *sites);
    if (sites == NULL)
        return LUDUS_ERROR_MEMORY;
    memset(sites + frames->site_count, 0, (capacity - frames->site_count) * sizeof *sites);
    frames->sites = sites;
    frames->site_count = capacity;
    return LUDUS_OK;
}

void trace_frames_with_calls_clear(struct trace_frames_with_calls *frames)
{
    free(frames->sites);
    *frames = (struct trace_frames_with_calls){0};
}

/* Forgets the words that `word` comes to stand in for. */
static void advance(struct trace_site_frames *site, uint32_t word)
{
    uint32_t steps = word - site->newest_word;
    uint32_t i;

    if (steps > WORDS)
        steps = WORDS;
    for (i = 0; i < steps; i++)
        site->seen[(word - i) % WORDS] = 0;
    site->newest_word = word;
}

void trace_site_frames_add_other(struct trace_site_frames *site, uint32_t frame)
{
    uint32_t word = frame / 64;
    uint64_t bit = (uint64_t)1 << frame % 64;

    site->last = frame + 1;
    if (word > site->newest_word)
        advance(site, word);
    if (site->newest_word - word >= WORDS) {
        site->is_inexact = true;
        return;
    }
    if ((site->seen[word % WORDS] & bit) != 0)
        return;
    site->seen[word % WORDS] |= bit;
    site->count++;
}
