/* Adds up the stretches of a frame by track. */
#include "explain_tracks.h"

#include <stdlib.h>

static int64_t lived_in(const struct trace_track *track, const struct trace_frame_moments *moments)
{
    int64_t begin_ns = track->begin_ns > moments->begin_ns ? track->begin_ns : moments->begin_ns;
    int64_t end_ns = track->end_ns < moments->end_ns ? track->end_ns : moments->end_ns;
    return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

static int compare(const void *a, const void *b)
{
    const struct trace_track_share *left = a;
    const struct trace_track_share *right = b;
    if (left->working_ns != right->working_ns)
        return left->working_ns < right->working_ns ? 1 : -1;
    if (left->waiting_ns != right->waiting_ns)
        return left->waiting_ns < right->waiting_ns ? 1 : -1;
    return (left->track > right->track) - (left->track < right->track);
}

static void move_to_front(struct trace_track_share *shares, uint32_t count, uint32_t track)
{
    for (uint32_t i = 0; i < count; i++) {
        if (shares[i].track != track)
            continue;
        struct trace_track_share first = shares[i];
        for (; i != 0; i--)
            shares[i] = shares[i - 1];
        shares[0] = first;
        return;
    }
}

bool trace_track_shares(const struct trace_model *model, const struct trace_frame_moments *moments,
                        const struct trace_frame_running *running, uint32_t first,
                        struct trace_track_share **shares, uint32_t *count)
{
    struct trace_track_share *all = calloc((size_t)model->track_count + 1, sizeof *all);
    *count = 0;
    *shares = all;
    if (all == NULL)
        return false;
    for (uint32_t i = 0; i < moments->stretch_count; i++) {
        const struct trace_stretch *stretch = &moments->stretches[i];
        struct trace_track_share *share = &all[stretch->track];
        int64_t *sum =
            trace_site_is_waiting(model, stretch->site) ? &share->waiting_ns : &share->working_ns;
        *sum += stretch->end_ns - stretch->begin_ns;
    }
    for (uint32_t i = 0; i < model->track_count; i++) {
        all[i].track = i;
        all[i].lived_ns = lived_in(&model->tracks[i], moments);
        if (i == first || all[i].working_ns != 0 || all[i].waiting_ns != 0 ||
            running->tracks[i].sampled_ns != 0)
            all[(*count)++] = all[i];
    }
    if (*count > 1)
        qsort(all, *count, sizeof *all, compare);
    move_to_front(all, *count, first);
    return true;
}

/* Stretches lie by track. */
void trace_site_tracks(const struct trace_frame_moments *moments, uint32_t site, uint32_t *track,
                       uint32_t *others)
{
    int64_t most_ns = 0;
    uint32_t count = 0;
    *track = TRACE_NONE;
    for (uint32_t i = 0; i < moments->stretch_count;) {
        uint32_t at = moments->stretches[i].track;
        int64_t sum_ns = 0;
        for (; i < moments->stretch_count && moments->stretches[i].track == at; i++)
            if (moments->stretches[i].site == site)
                sum_ns += moments->stretches[i].end_ns - moments->stretches[i].begin_ns;
        count += sum_ns != 0;
        if (sum_ns > most_ns)
            *track = at;
        most_ns = sum_ns > most_ns ? sum_ns : most_ns;
    }
    *others = count == 0 ? 0 : count - 1;
}
