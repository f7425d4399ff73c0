/* The frame marks that a live look's window needs. */
#include <stdlib.h>
#include <string.h>

#include "frame_percentiles.h"
#include "frame_table.h"
#include "live.h"

#define FIRST_LIMIT 1024u

static int64_t mark_ns(struct trace_live *live, const struct lcap_frame_mark *mark)
{
    return trace_live_ns(live, mark->clock, mark->tick);
}

static int64_t last_of(struct trace_live *live, const struct trace_live_marks *marks)
{
    int64_t last_ns = INT64_MIN;
    for (uint32_t i = 0; i < marks->count; i++) {
        int64_t time_ns = mark_ns(live, &marks->items[i]);
        last_ns = time_ns > last_ns ? time_ns : last_ns;
    }
    return last_ns;
}

int64_t trace_live_last_mark(struct trace_live *live)
{
    int64_t last_ns = INT64_MIN;
    for (uint32_t i = 0; i < live->marks_count; i++) {
        int64_t time_ns = last_of(live, &live->marks[i]);
        last_ns = time_ns > last_ns ? time_ns : last_ns;
    }
    return last_ns;
}

/* Drops the marks before a time but for the last of them, where the window's first frame begins. */
static void forget_before(struct trace_live *live, struct trace_live_marks *marks, int64_t from_ns)
{
    struct lcap_frame_mark before = {0};
    bool has_before = false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < marks->count; i++) {
        const struct lcap_frame_mark mark = marks->items[i];
        if (mark_ns(live, &mark) >= from_ns) {
            marks->items[kept++] = mark;
        } else if (!has_before || mark.ordinal > before.ordinal) {
            before = mark;
            has_before = true;
        }
    }
    /* One was dropped: there is room. */
    if (has_before)
        marks->items[kept++] = before;
    marks->count = kept;
}

static bool add_mark(struct trace_live *live, struct trace_live_marks *marks,
                     const struct lcap_frame_mark *mark)
{
    if (marks->count >= marks->limit && marks->limit != 0) {
        forget_before(live, marks, last_of(live, marks) - live->length_ns - TRACE_LIVE_SLACK_NS);
        marks->limit = marks->count > FIRST_LIMIT / 2 ? marks->count * 2 : FIRST_LIMIT;
        struct lcap_frame_mark *items = realloc(marks->items, marks->limit * sizeof *items);
        if (items == NULL)
            return false;
        marks->items = items;
    }
    if (marks->items == NULL) {
        marks->limit = FIRST_LIMIT;
        marks->items = malloc(marks->limit * sizeof *marks->items);
        if (marks->items == NULL)
            return false;
    }
    marks->items[marks->count++] = *mark;
    return true;
}

bool trace_live_take_frames(struct trace_live *live, const struct lcap_block *block)
{
    struct trace_capture *capture = live->capture;
    struct lcap_records records = lcap_records_of(block);
    struct lcap_frame_mark mark;
    while (lcap_next_frame_mark(&records, &mark)) {
        uint32_t index;
        if (!trace_capture_find_domain(capture, mark.domain, &index))
            return false;
        while (live->marks_count < capture->model->domain_count) {
            if (!trace_array_grow(&live->marks, live->marks_count, sizeof *live->marks))
                return false;
            live->marks[live->marks_count++] = (struct trace_live_marks){0};
        }
        if (!add_mark(live, &live->marks[index], &mark))
            return false;
    }
    return true;
}

/* --- the window ------------------------------------------------------------------------------ */

/* Leaves the frames of which an end lies in the window, that which begins with the last mark too.
 */
static void cut_to_window(const struct trace_live *live, struct trace_domain *domain)
{
    uint32_t first = 0;
    while (first < domain->frame_count &&
           domain->frames[first + 1 < domain->frame_count ? first + 1 : first].begin_ns <
               live->begin_ns)
        first++;
    domain->frame_count -= first;
    if (first != 0)
        memmove(domain->frames, domain->frames + first,
                domain->frame_count * sizeof *domain->frames);
    trace_frame_table_finish(domain, live->capture->model);
}

/* The domain with the smallest id is the default one. */
static void find_default(struct trace_live *live)
{
    const struct trace_model *model = live->capture->model;
    live->default_domain = TRACE_NONE;
    for (uint32_t i = 0; i < model->domain_count; i++)
        if (live->default_domain == TRACE_NONE ||
            model->domains[i].id < model->domains[live->default_domain].id)
            live->default_domain = i;
}

/* What per-frame values are about: the complete frames between marks in the window. */
static void find_marks_inside(struct trace_live *live)
{
    find_default(live);
    live->first_mark_ns = live->last_mark_ns = INT64_MIN;
    live->frames = 0;
    if (live->default_domain == TRACE_NONE)
        return;
    const struct trace_domain *domain = &live->capture->model->domains[live->default_domain];
    for (uint32_t i = 0; i < domain->frame_count; i++) {
        if (domain->frames[i].begin_ns < live->begin_ns)
            continue;
        if (live->first_mark_ns == INT64_MIN)
            live->first_mark_ns = domain->frames[i].begin_ns;
        live->last_mark_ns = domain->frames[i].begin_ns;
        live->frames += trace_frame_is_complete(domain, i);
    }
}

bool trace_live_set_frames(struct trace_live *live)
{
    struct trace_model *model = live->capture->model;
    for (uint32_t i = 0; i < model->domain_count; i++) {
        struct trace_domain *domain = &model->domains[i];
        domain->frame_count = 0;
        if (i < live->marks_count) {
            struct trace_live_marks *marks = &live->marks[i];
            forget_before(live, marks, live->begin_ns - TRACE_LIVE_SLACK_NS);
            for (uint32_t n = 0; n < marks->count; n++)
                if (!trace_frame_table_add(domain, marks->items[n].ordinal,
                                           mark_ns(live, &marks->items[n]), TRACE_NONE))
                    return false;
        }
        trace_frame_table_finish(domain, model);
        cut_to_window(live, domain);
    }
    find_marks_inside(live);
    return true;
}
