/* Holds a part of a capture against the capture. */
#include "trim_check.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static bool is_before_end(const struct trim_parts *parts, int64_t time_ns)
{
    return time_ns < parts->to_ns || parts->is_to_end;
}

static bool lies_inside(const struct trim_parts *parts, const struct trace_slice *slice)
{
    return !slice->is_incomplete && slice->begin_ns >= parts->from_ns &&
           is_before_end(parts, slice->begin_ns + slice->duration_ns);
}

/* Whether a slice of the whole capture is to be in the part, and one that was complete may have
 * become incomplete. */
static bool touches(const struct trim_parts *parts, const struct trace_slice *slice)
{
    return is_before_end(parts, slice->begin_ns) &&
           slice->begin_ns + slice->known_ns >= parts->from_ns;
}

/* The next slice from `*at` on of the track that is wanted; NULL behind the last. */
static const struct trace_slice *
next_slice(const struct kept_capture *kept, uint32_t track, const struct trim_parts *parts,
           bool (*is_wanted)(const struct trim_parts *, const struct trace_slice *), size_t *at)
{
    while (*at < kept->shown.slice_count) {
        const struct trace_slice *slice = &kept->shown.slices[(*at)++];
        if (kept->model->tracks[slice->track].id == track && is_wanted(parts, slice))
            return slice;
    }
    return NULL;
}

static void check_path(const struct trim_parts *parts, const struct trace_slice *old,
                       const struct trace_slice *made)
{
    char old_path[2048], path[2048];
    path_text(parts->whole->model, old->path, old_path, sizeof old_path);
    path_text(parts->part.model, made->path, path, sizeof path);
    ck_assert_str_eq(path, old_path);
}

/* Slices that lie inside, in order of begin. */
static void check_inside(const struct trim_parts *parts, uint32_t track)
{
    size_t old_at = 0, at = 0;
    const struct trace_slice *old, *made;
    do {
        old = next_slice(parts->whole, track, parts, lies_inside, &old_at);
        made = next_slice(&parts->part, track, parts, lies_inside, &at);
        ck_assert_int_eq(old == NULL, made == NULL);
        if (old == NULL)
            return;
        check_path(parts, old, made);
        ck_assert_int_eq(made->begin_ns, old->begin_ns);
        ck_assert_int_eq(made->duration_ns, old->duration_ns);
        ck_assert_int_eq(made->exclusive_ns, old->exclusive_ns);
        ck_assert_int_eq(made->has_children_lost, old->has_children_lost);
    } while (true);
}

/* Those over an edge as well; of a capture that knows its end. */
static void check_touching(const struct trim_parts *parts, uint32_t track)
{
    size_t old_at = 0, at = 0;
    const struct trace_slice *old, *made;
    do {
        old = next_slice(parts->whole, track, parts, touches, &old_at);
        made = next_slice(&parts->part, track, parts, touches, &at);
        ck_assert_int_eq(old == NULL, made == NULL);
        if (old == NULL)
            return;
        const int64_t end_ns = old->begin_ns + old->known_ns;
        check_path(parts, old, made);
        ck_assert_int_eq(made->begin_ns, old->begin_ns);
        ck_assert_int_eq(made->is_incomplete, old->is_incomplete || !is_before_end(parts, end_ns));
        if (!made->is_incomplete)
            ck_assert_int_eq(made->duration_ns, old->duration_ns);
        else /* up to the end of the part, or its own */
            ck_assert_int_eq(made->begin_ns + made->known_ns, end_ns < parts->part.model->end_ns
                                                                  ? end_ns
                                                                  : parts->part.model->end_ns);
    } while (true);
}

static bool has_instant(const struct kept_capture *kept, const struct kept_capture *other,
                        const struct trace_instant *wanted, size_t nth)
{
    for (size_t i = 0; i < kept->shown.instant_count; i++) {
        const struct trace_instant *instant = &kept->shown.instants[i];
        if (instant->time_ns == wanted->time_ns &&
            kept->model->tracks[instant->track].id == other->model->tracks[wanted->track].id &&
            kept->model->sites[instant->site].id == other->model->sites[wanted->site].id &&
            nth-- == 0)
            return true;
    }
    return false;
}

static void check_instants(const struct trim_parts *parts)
{
    size_t count = 0;
    for (size_t i = 0; i < parts->whole->shown.instant_count; i++) {
        const struct trace_instant *instant = &parts->whole->shown.instants[i];
        if (instant->time_ns < parts->from_ns || !is_before_end(parts, instant->time_ns))
            continue;
        count++;
        ck_assert(has_instant(&parts->part, parts->whole, instant, 0));
    }
    ck_assert_uint_eq(parts->part.shown.instant_count, count);
}

static enum ludus_status take_values(void *context, const struct trace_model *model,
                                     const struct trace_value *values, size_t count)
{
    struct trim_values *taken = context;
    (void)model;
    for (size_t i = 0; i < count; i++) {
        ck_assert(trace_array_grow(&taken->items, taken->count, sizeof *values));
        taken->items[taken->count++] = values[i];
    }
    return LUDUS_OK;
}

struct trim_values trim_values_of(const struct kept_capture *kept)
{
    struct trim_values values = {0};
    const struct trace_visitor visitor = {.context = &values, .values = take_values};
    struct ludus_error error;
    ck_assert_int_eq(trace_capture_run(kept->capture, NULL, &visitor, &error), LUDUS_OK);
    return values;
}

static uint32_t site_id(const struct trace_model *model, uint32_t site)
{
    return site == TRACE_NONE ? 0 : model->sites[site].id;
}

static bool is_same_value(const struct trim_parts *parts, const struct trace_value *old,
                          const struct trace_value *made)
{
    const struct trace_model *whole = parts->whole->model, *part = parts->part.model;
    return made->kind == old->kind && made->bits == old->bits &&
           part->tracks[made->track].id == whole->tracks[old->track].id &&
           site_id(part, made->site) == site_id(whole, old->site);
}

/* A part does not know when a track began of which it has no record. */
static bool is_begin_unknown(const struct trim_parts *parts, uint32_t track)
{
    const struct trace_model *whole = parts->whole->model, *part = parts->part.model;
    for (uint32_t i = 0; i < whole->track_count; i++)
        if (whole->tracks[i].id == part->tracks[track].id)
            return whole->tracks[i].begin_ns != part->tracks[track].begin_ns;
    return true;
}

/* What was counted in the part is in it, also when the recording tells it behind the part. */
static void check_counts(const struct trim_parts *parts, const struct trim_values *whole,
                         const struct trim_values *part)
{
    uint32_t counted = 0;
    for (uint32_t i = 0; i < whole->count; i++) {
        const struct trace_value *old = &whole->items[i];
        uint32_t at = 0;
        if (old->kind != LCAP_EVENT_COUNT || !old->is_time_known || old->time_ns < parts->from_ns ||
            !is_before_end(parts, old->time_ns))
            continue;
        while (at < part->count &&
               !(part->items[at].is_time_known && part->items[at].time_ns == old->time_ns &&
                 is_same_value(parts, old, &part->items[at])))
            at++;
        ck_assert_uint_lt(at, part->count);
        counted++;
    }
    for (uint32_t i = 0; i < part->count; i++) {
        const struct trace_value *made = &part->items[i];
        counted -= made->kind == LCAP_EVENT_COUNT && made->is_time_known &&
                   made->time_ns >= parts->from_ns &&
                   !(made->time_ns == parts->part.model->tracks[made->track].begin_ns &&
                     is_begin_unknown(parts, made->track));
    }
    ck_assert_uint_eq(counted, 0);
}

/* Those with a time of their own are the same; of counts, which belong to the time of the one
 * before, those that are there follow each other as in the whole. */
static void check_values(const struct trim_parts *parts)
{
    struct trim_values whole = trim_values_of(parts->whole), part = trim_values_of(&parts->part);
    for (uint32_t track = 0; track < parts->part.model->track_count; track++) {
        uint32_t at = 0;
        for (uint32_t i = 0; i < part.count; i++) {
            const struct trace_value *made = &part.items[i];
            if (made->track != track)
                continue;
            while (at < whole.count &&
                   !(is_same_value(parts, &whole.items[at], made) &&
                     (made->kind == LCAP_EVENT_COUNT || made->time_ns == whole.items[at].time_ns)))
                at++;
            ck_assert_uint_lt(at++, whole.count);
        }
    }
    uint32_t timed = 0;
    for (uint32_t i = 0; i < whole.count; i++)
        timed += whole.items[i].kind != LCAP_EVENT_COUNT &&
                 whole.items[i].time_ns >= parts->from_ns &&
                 is_before_end(parts, whole.items[i].time_ns);
    for (uint32_t i = 0; i < part.count; i++)
        timed -= part.items[i].kind != LCAP_EVENT_COUNT;
    ck_assert_uint_eq(timed, 0);
    check_counts(parts, &whole, &part);
    free(whole.items);
    free(part.items);
}

/* The frames that lie inside are complete and the same; no other is complete. */
static void check_frames(const struct trim_parts *parts)
{
    const struct trace_model *whole = parts->whole->model, *part = parts->part.model;
    for (uint32_t i = 0; i < whole->domain_count; i++) {
        const struct trace_domain *domain = &whole->domains[i];
        uint32_t complete = 0, at = 0, found = 0;
        while (found < part->domain_count && part->domains[found].id != domain->id)
            found++;
        /* One whose definition is lost is known by its marks, which may lie elsewhere. */
        if (found == part->domain_count && !part->has_counts && whole->damage_count != 0)
            continue;
        ck_assert_uint_lt(found, part->domain_count);
        const struct trace_domain *cut = &part->domains[found];
        for (uint32_t n = 0; n + 1 < domain->frame_count; n++) {
            const struct trace_frame *frame = &domain->frames[n];
            if (frame[1].number != frame->number + 1 || frame->begin_ns < part->window_begin_ns ||
                frame->begin_ns < parts->from_ns ||
                (frame[1].begin_ns > part->end_ns && part->has_counts))
                continue;
            if (frame[1].begin_ns > parts->to_ns && !parts->is_to_end)
                continue;
            complete++;
            while (at < cut->frame_count && cut->frames[at].number < frame->number)
                at++;
            ck_assert_uint_lt(at + 1, cut->frame_count);
            ck_assert_int_eq(cut->frames[at].begin_ns, frame->begin_ns);
            ck_assert_int_eq(cut->frames[at + 1].begin_ns, frame[1].begin_ns);
        }
        ck_assert_uint_eq(cut->complete_count, complete);
    }
}

static void check_losses(const struct trim_parts *parts)
{
    const struct trace_model *whole = parts->whole->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < whole->loss_count; i++)
        count += whole->losses[i].end_ns >= parts->from_ns &&
                 (whole->losses[i].begin_ns <= parts->to_ns ||
                  (parts->is_to_end && whole->losses[i].cause != TRACE_LOSS_DAMAGE));
    ck_assert_uint_eq(parts->part.model->loss_count, count);
}

void trim_check_part(const struct trim_parts *parts, bool is_end_known)
{
    const struct trace_model *part = parts->part.model;
    kept_capture_check_whole(&parts->part);
    ck_assert(part->has_window);
    ck_assert_int_ge(part->window_begin_ns, parts->from_ns);
    ck_assert_int_eq(part->start_unix_ns, parts->whole->model->start_unix_ns);
    for (uint32_t i = 0; i < parts->whole->model->track_count; i++) {
        const uint32_t track = parts->whole->model->tracks[i].id;
        check_inside(parts, track);
        if (is_end_known)
            check_touching(parts, track);
    }
    check_instants(parts);
    check_values(parts);
    check_frames(parts);
    check_losses(parts);
}
