/* Notes the frames in which sites ran. */
#include "frame_absence.h"

#include <stdlib.h>

#include "frame_table.h"

bool trace_frame_absence_create(struct trace_frame_absence *absence,
                                const struct trace_model *model, const struct trace_domain *domain,
                                const bool *chosen)
{
    *absence = (struct trace_frame_absence){.domain = domain,
                                            .words = (size_t)domain->frame_count / 64 + 1};
    absence->sites = malloc(TRACE_MOST_ABSENT * sizeof *absence->sites);
    absence->subjects = malloc(((size_t)model->site_count + 1) * sizeof *absence->subjects);
    if (absence->sites == NULL || absence->subjects == NULL)
        return false;
    for (uint32_t site = 0; site < model->site_count; site++) {
        bool is_taken = chosen[site] && absence->site_count < TRACE_MOST_ABSENT;
        absence->subjects[site] = is_taken ? absence->site_count : TRACE_NONE;
        if (is_taken)
            absence->sites[absence->site_count++] = site;
    }
    absence->ran = calloc(absence->site_count * absence->words + 1, sizeof *absence->ran);
    return absence->ran != NULL;
}

void trace_frame_absence_destroy(struct trace_frame_absence *absence)
{
    free(absence->sites);
    free(absence->subjects);
    free(absence->ran);
    *absence = (struct trace_frame_absence){0};
}

/* Sets the bits from first to last. */
static void set_bits(uint64_t *words, uint32_t first, uint32_t last)
{
    uint64_t from = ~UINT64_C(0) << (first % 64), to = ~UINT64_C(0) >> (63 - last % 64);
    if (first / 64 == last / 64) {
        words[first / 64] |= from & to;
        return;
    }
    words[first / 64] |= from;
    for (uint32_t word = first / 64 + 1; word < last / 64; word++)
        words[word] = ~UINT64_C(0);
    words[last / 64] |= to;
}

void trace_frame_absence_add(struct trace_frame_absence *absence, const struct trace_model *model,
                             const struct trace_slice *slice)
{
    const struct trace_domain *domain = absence->domain;
    uint32_t site = model->paths[slice->path].site;
    if (site >= model->site_count || absence->subjects[site] == TRACE_NONE)
        return;
    uint64_t *words = absence->ran + absence->subjects[site] * absence->words;
    int64_t last_ns = slice->begin_ns + (slice->known_ns > 0 ? slice->known_ns - 1 : 0);
    uint32_t first = slice->frame, last = first;
    bool is_inside = first != TRACE_NONE && (first + 1 == domain->frame_count ||
                                             last_ns < domain->frames[first + 1].begin_ns);
    if (!is_inside)
        last = trace_frame_table_find(domain, last_ns);
    if (last != TRACE_NONE)
        set_bits(words, first == TRACE_NONE ? 0 : first, last);
}
