/* In which frames a site did not run: no part of any of its slices lies in them. Private to the
 * analyzer. */
#ifndef TRACE_FRAME_ABSENCE_H
#define TRACE_FRAME_ABSENCE_H

#include "frame_list.h"
#include "visitor.h"

/* Sites that are looked at; each has a bit for each frame. */
#define TRACE_MOST_ABSENT 64u

/* All zero is of no sites. */
struct trace_frame_absence {
    const struct trace_domain *domain;
    uint32_t *sites; /* indexes */
    uint32_t site_count;
    uint32_t *subjects; /* by site of the model: its number here, or TRACE_NONE */
    uint64_t *ran;      /* by site and frame of the domain: bits */
    size_t words;       /* of a site */
};

/* Of the sites whose `chosen` is set, the first TRACE_MOST_ABSENT of them. False when there is no
 * memory; release it all the same. */
bool trace_frame_absence_create(struct trace_frame_absence *absence,
                                const struct trace_model *model, const struct trace_domain *domain,
                                const bool *chosen);
void trace_frame_absence_destroy(struct trace_frame_absence *absence);

/* Takes a slice that has ended. */
void trace_frame_absence_add(struct trace_frame_absence *absence, const struct trace_model *model,
                             const struct trace_slice *slice);

/* Whether the site ran in a frame of the domain. */
static inline bool trace_frame_absence_ran(const struct trace_frame_absence *absence,
                                           uint32_t subject, uint32_t frame)
{
    return (absence->ran[subject * absence->words + frame / 64] >> (frame % 64) & 1u) != 0;
}

#endif
