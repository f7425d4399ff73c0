/* Collects the marks of a frame domain into its frames. */
#include "frame_table.h"

#include <stdlib.h>
#include <string.h>

#include "frame_percentiles.h"

/* Begins to keep the track of each mark: there are two that differ. */
static bool tell_tracks_apart(struct trace_domain *domain)
{
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        if (!trace_array_grow(&domain->mark_tracks, i, sizeof *domain->mark_tracks))
            return false;
        domain->mark_tracks[i] = domain->track;
    }
    domain->track = TRACE_NONE;
    return true;
}

static bool add_track(struct trace_domain *domain, uint32_t track)
{
    if (domain->frame_count == 0)
        domain->track = track;
    if (domain->mark_tracks == NULL && domain->track == track)
        return true;
    if (domain->mark_tracks == NULL && !tell_tracks_apart(domain))
        return false;
    if (!trace_array_grow(&domain->mark_tracks, domain->frame_count, sizeof *domain->mark_tracks))
        return false;
    domain->mark_tracks[domain->frame_count] = track;
    return true;
}

bool trace_frame_table_add(struct trace_domain *domain, uint64_t number, int64_t begin_ns,
                           uint32_t track)
{
    if (!add_track(domain, track) ||
        !trace_array_grow(&domain->frames, domain->frame_count, sizeof *domain->frames))
        return false;
    domain->frames[domain->frame_count++] = (struct trace_frame){begin_ns, number};
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    const struct trace_frame *left = a;
    const struct trace_frame *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

static void swap(struct trace_domain *domain, uint32_t a, uint32_t b)
{
    struct trace_frame frame = domain->frames[a];
    uint32_t track = domain->mark_tracks[a];
    domain->frames[a] = domain->frames[b];
    domain->mark_tracks[a] = domain->mark_tracks[b];
    domain->frames[b] = frame;
    domain->mark_tracks[b] = track;
}

/* Lets a frame sink in the heap of the first `count`, of which the largest number is on top. */
static void sink(struct trace_domain *domain, uint32_t at, uint32_t count)
{
    const struct trace_frame *frames = domain->frames;
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && frames[child + 1].number > frames[child].number)
            child++;
        if (frames[at].number >= frames[child].number)
            return;
        swap(domain, at, child);
        at = child;
    }
}

/* Sorts frames, and their tracks with them, without any memory. */
static void sort_with_tracks(struct trace_domain *domain)
{
    for (uint32_t i = domain->frame_count / 2; i-- > 0;)
        sink(domain, i, domain->frame_count);
    for (uint32_t i = domain->frame_count; i-- > 1;) {
        swap(domain, 0, i);
        sink(domain, 0, i);
    }
}

static bool is_sorted(const struct trace_domain *domain)
{
    for (uint32_t i = 1; i < domain->frame_count; i++)
        if (domain->frames[i].number < domain->frames[i - 1].number)
            return false;
    return true;
}

static void sort(struct trace_domain *domain)
{
    if (is_sorted(domain))
        return;
    if (domain->mark_tracks != NULL)
        sort_with_tracks(domain);
    else
        qsort(domain->frames, domain->frame_count, sizeof *domain->frames, compare_numbers);
}

/* Finds the frames that the model's window does not hold as a whole. */
static void limit(struct trace_domain *domain, const struct trace_model *model)
{
    const struct trace_frame *frames = domain->frames;
    uint32_t count = domain->frame_count;
    domain->frames_before = 0;
    domain->marks_behind = 0;
    if (!model->has_window)
        return;
    while (domain->frames_before < count &&
           frames[domain->frames_before].begin_ns < model->window_begin_ns)
        domain->frames_before++;
    /* What has no end reaches as far as it tells. */
    while (model->has_counts && domain->marks_behind < count &&
           frames[count - 1 - domain->marks_behind].begin_ns > model->end_ns)
        domain->marks_behind++;
}

void trace_frame_table_finish(struct trace_domain *domain, const struct trace_model *model)
{
    struct trace_frame *frames = domain->frames;
    uint32_t kept = 0;
    sort(domain);
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        if (kept != 0 && frames[i].number == frames[kept - 1].number)
            continue;
        frames[kept] = frames[i];
        if (domain->mark_tracks != NULL)
            domain->mark_tracks[kept] = domain->mark_tracks[i];
        /* Two threads may mark one domain: numbers decide the order, times follow it. */
        if (kept != 0 && frames[kept].begin_ns < frames[kept - 1].begin_ns)
            frames[kept].begin_ns = frames[kept - 1].begin_ns;
        kept++;
    }
    domain->frame_count = kept;
    limit(domain, model);
    domain->complete_count = 0;
    for (uint32_t i = 0; i < kept; i++)
        domain->complete_count += trace_frame_is_complete(domain, i);
    domain->marks_missing = kept == 0 ? 0 : frames[kept - 1].number - frames[0].number - (kept - 1);
}

static int compare_tracks(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Of sorted tracks the one that comes most often; TRACE_NONE, which is the last, does not count. */
static uint32_t most_frequent(const uint32_t *tracks, uint32_t count)
{
    uint32_t found = TRACE_NONE, most = 0;
    for (uint32_t i = 0, first = 0; i < count && tracks[i] != TRACE_NONE; i++) {
        if (tracks[i] != tracks[first])
            first = i;
        if (i - first + 1 > most) {
            most = i - first + 1;
            found = tracks[i];
        }
    }
    return found;
}

bool trace_domain_find_marker(const struct trace_domain *domain, uint32_t *track)
{
    *track = domain->track;
    if (domain->mark_tracks == NULL || domain->frame_count == 0)
        return true;
    uint32_t *tracks = malloc(domain->frame_count * sizeof *tracks);
    if (tracks == NULL)
        return false;
    memcpy(tracks, domain->mark_tracks, domain->frame_count * sizeof *tracks);
    qsort(tracks, domain->frame_count, sizeof *tracks, compare_tracks);
    *track = most_frequent(tracks, domain->frame_count);
    free(tracks);
    return true;
}

uint32_t trace_frame_table_search(const struct trace_domain *domain, uint64_t number)
{
    uint32_t low = 0, high = domain->frame_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (domain->frames[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t trace_frame_table_find(const struct trace_domain *domain, int64_t time_ns)
{
    uint32_t low = 0, high = domain->frame_count; /* frames before low begin at or before time_ns */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (domain->frames[middle].begin_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? TRACE_NONE : low - 1;
}
