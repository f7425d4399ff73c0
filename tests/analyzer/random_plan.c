/* Chooses plans. */
#include "random_plan.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define FAR_NS (INT64_C(1) << 61) /* before and behind everything */

/* Mostly a mark, which is where a fault would show. */
static int64_t some_time(struct random *random, const struct trace_model *model)
{
    const struct trace_domain *domain =
        model->domain_count == 0 ? NULL
                                 : &model->domains[random_below(random, model->domain_count)];
    if (domain != NULL && domain->frame_count != 0 && random_below(random, 3) != 0)
        return domain->frames[random_below(random, domain->frame_count)].begin_ns;
    return (int64_t)random_below(random, (uint32_t)model->end_ns + 200) - 100;
}

static int compare_times(const void *a, const void *b)
{
    const int64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Spans with time, in any of which adjoining ones may be. */
static void choose_spans(struct random *random, const struct trace_model *model,
                         struct reference_window *window)
{
    int64_t times[REFERENCE_SPANS];
    uint32_t count = 2 + random_below(random, REFERENCE_SPANS - 1);
    for (uint32_t i = 0; i < count; i++)
        times[i] = some_time(random, model);
    qsort(times, count, sizeof *times, compare_times);
    if (random_below(random, 8) == 0)
        times[0] = -FAR_NS;
    if (random_below(random, 8) == 0)
        times[count - 1] = FAR_NS;
    for (uint32_t i = 0; i + 1 < count; i++)
        if (times[i] != times[i + 1] && random_below(random, 3) != 0)
            window->spans[window->span_count++] = (struct reference_span){times[i], times[i + 1]};
    if (window->span_count == 0)
        window->spans[window->span_count++] = (struct reference_span){-FAR_NS, FAR_NS};
}

static void choose_windows(struct random *random, const struct trace_model *model,
                           struct random_plan *chosen)
{
    struct trace_windows *windows = &chosen->plan.windows;
    static const char names[] = "abcde";
    uint32_t count = 1 + random_below(random, RANDOM_WINDOWS);
    for (; windows->count < count; windows->count++) {
        struct trace_window *window = &windows->items[windows->count];
        struct reference_window *reference = &chosen->windows[windows->count];
        choose_spans(random, model, reference);
        window->name = (struct trace_text){&names[windows->count], 1};
        for (uint32_t i = 0; i < reference->span_count; i++)
            ck_assert(trace_span_list_add(&window->spans, reference->spans[i].begin_ns,
                                          reference->spans[i].end_ns));
    }
}

static void choose_tracks(struct random *random, const struct trace_model *model,
                          struct random_plan *chosen)
{
    struct trace_pass_plan *plan = &chosen->plan;
    if (random_below(random, 2) == 0)
        return;
    plan->tracks = calloc(model->track_count + 1u, sizeof *plan->tracks);
    ck_assert_ptr_nonnull(plan->tracks);
    plan->track_count = model->track_count;
    memset(chosen->left_out, true, sizeof chosen->left_out);
    for (uint32_t i = 0; i < model->track_count; i++) {
        plan->tracks[i] = random_below(random, 2) == 0;
        chosen->left_out[model->tracks[i].id] = !plan->tracks[i];
    }
}

void random_plan_choose(struct random *random, const struct trace_model *model,
                        struct random_plan *chosen)
{
    *chosen = (struct random_plan){0};
    struct trace_pass_plan *plan = &chosen->plan;
    choose_windows(random, model, chosen);
    choose_tracks(random, model, chosen);
    plan->domain = random_below(random, model->domain_count + 1);
    if (plan->domain == model->domain_count)
        plan->domain = TRACE_NONE;
    plan->attribution = random_below(random, 2) == 0 ? TRACE_ATTRIBUTE_BEGIN : TRACE_ATTRIBUTE_CLIP;
    plan->apart = (enum trace_apart)random_below(random, 3);
    plan->has_path_rows = random_below(random, 4) != 0;
}

/* The id of the track with most marks of the domain, the first defined of several; 0: none. */
static uint32_t marker_of(const struct trace_model *model, uint32_t domain)
{
    uint32_t marker = 0, most = 0;
    for (uint32_t track = 0; domain != TRACE_NONE && track < model->track_count; track++) {
        uint32_t marks = 0;
        for (uint32_t i = 0; i < model->domains[domain].frame_count; i++)
            marks += trace_domain_mark_track(&model->domains[domain], i) == track;
        if (marks > most) {
            most = marks;
            marker = model->tracks[track].id;
        }
    }
    return marker;
}

struct reference_view random_plan_view(const struct reference_view *whole,
                                       const struct trace_model *model,
                                       const struct random_plan *chosen)
{
    struct reference_view view = *whole;
    uint32_t domain = chosen->plan.domain;
    view.windows = chosen->windows;
    view.window_count = chosen->plan.windows.count;
    view.left_out = chosen->left_out;
    view.is_clipped = chosen->plan.attribution == TRACE_ATTRIBUTE_CLIP;
    view.are_tracks_apart = chosen->plan.apart == TRACE_APART_ALL;
    view.marker = chosen->plan.apart == TRACE_APART_MARKER ? marker_of(model, domain) : 0;
    view.frames = domain == TRACE_NONE ? NULL : model->domains[domain].frames;
    view.frame_count = domain == TRACE_NONE ? 0 : model->domains[domain].frame_count;
    return view;
}
