/* Follows flows back through a frame. */
#include "frame_chain.h"

#include <stdlib.h>

#include "failure.h"
#include "lcap_layout.h"
#include "track_work.h"

/* The walk at work. */
struct walk {
    struct trace_frame_chain *chain;
    const struct trace_model *model;
    const struct trace_frame_moments *moments;
    struct trace_track_work work;
    bool *used;                    /* by flow-in */
    struct trace_flow_end *before; /* by flow: flow-outs from before the frame */
    uint32_t before_count;
    bool is_looked_for; /* `before` is complete */
};

/* --- flow ends ------------------------------------------------------------------------------- */

/* The last flow-in on a track, not later than a time, that was not followed yet; TRACE_NONE. */
static uint32_t find_in(const struct walk *walk, uint32_t track, int64_t time_ns)
{
    const struct trace_flow_end *ins = walk->moments->ins;
    uint32_t low = 0, high = walk->moments->in_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ins[middle].track < track ||
            (ins[middle].track == track && ins[middle].time_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    while (low != 0 && ins[low - 1].track == track && walk->used[low - 1])
        low--;
    return low != 0 && ins[low - 1].track == track ? low - 1 : TRACE_NONE;
}

/* The first flow-out of a flow in a list that is sorted by flow; NULL. */
static const struct trace_flow_end *find_out(const struct trace_flow_end *outs, uint32_t count,
                                             uint64_t flow)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (outs[middle].flow < flow)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && outs[low].flow == flow ? &outs[low] : NULL;
}

static int compare_flows(const void *a, const void *b)
{
    const struct trace_flow_end *left = a;
    const struct trace_flow_end *right = b;
    return (left->flow > right->flow) - (left->flow < right->flow);
}

/* Takes flow-outs from before the frame that arrive in it: of a flow the earliest. */
static enum ludus_status take_values(void *context, const struct trace_model *model,
                                     const struct trace_value *values, size_t count)
{
    struct walk *walk = context;
    (void)model;
    for (size_t i = 0; i < count; i++) {
        const struct trace_value *value = &values[i];
        if (value->kind != LCAP_EVENT_FLOW_OUT || value->time_ns >= walk->moments->begin_ns)
            continue;
        struct trace_flow_end *out =
            (struct trace_flow_end *)find_out(walk->before, walk->before_count, value->bits);
        if (out != NULL && (out->track == TRACE_NONE || value->time_ns < out->time_ns))
            *out = (struct trace_flow_end){value->time_ns, value->bits, value->track, value->site};
    }
    return LUDUS_OK;
}

/* Looks for the flow-outs of all flow-ins of the frame that did not leave in it. */
static enum ludus_status look_before(struct walk *walk, struct trace_input *input,
                                     const struct trace_pass_plan *plan, struct ludus_error *error)
{
    const struct trace_frame_moments *moments = walk->moments;
    const struct trace_visitor visitor = {.context = walk, .values = take_values};
    walk->before = malloc(((size_t)moments->in_count + 1) * sizeof *walk->before);
    if (walk->before == NULL)
        return trace_fail_memory(error);
    for (uint32_t i = 0; i < moments->in_count; i++)
        if (find_out(moments->outs, moments->out_count, moments->ins[i].flow) == NULL)
            walk->before[walk->before_count++] =
                (struct trace_flow_end){0, moments->ins[i].flow, TRACE_NONE, TRACE_NONE};
    if (walk->before_count > 1)
        qsort(walk->before, walk->before_count, sizeof *walk->before, compare_flows);
    walk->is_looked_for = true;
    struct trace_pass_plan all_tracks = *plan;
    all_tracks.tracks = NULL;
    all_tracks.is_without_sums = true;
    enum ludus_status status = trace_input_run(input, &all_tracks, &visitor, error);
    return status == LUDUS_ERROR_MEMORY ? trace_fail_memory(error) : status;
}

/* --- links ----------------------------------------------------------------------------------- */

struct site_time {
    uint32_t site;
    int64_t ns;
};

static int compare_sites(const void *a, const void *b)
{
    const struct site_time *left = a;
    const struct site_time *right = b;
    return (left->site > right->site) - (left->site < right->site);
}

/* Finds the scope that had most of a link's time. False when there is no memory. */
static bool find_scope(const struct walk *walk, struct trace_link *link)
{
    const struct trace_frame_moments *moments = walk->moments;
    struct site_time *times = NULL;
    uint32_t count = 0;
    for (uint32_t i = trace_first_stretch(moments, link->track, link->begin_ns);
         i < moments->stretch_count && moments->stretches[i].track == link->track; i++) {
        const struct trace_stretch *stretch = &moments->stretches[i];
        int64_t begin_ns = stretch->begin_ns > link->begin_ns ? stretch->begin_ns : link->begin_ns;
        int64_t end_ns = stretch->end_ns < link->end_ns ? stretch->end_ns : link->end_ns;
        if (begin_ns >= end_ns)
            break;
        if (!trace_array_grow(&times, count, sizeof *times)) {
            free(times);
            return false;
        }
        times[count++] = (struct site_time){stretch->site, end_ns - begin_ns};
        if (trace_site_is_waiting(walk->model, stretch->site))
            link->waiting_ns += end_ns - begin_ns;
    }
    if (count > 1)
        qsort(times, count, sizeof *times, compare_sites);
    for (uint32_t i = 0, next; i < count; i = next) {
        int64_t sum_ns = 0;
        for (next = i; next < count && times[next].site == times[i].site; next++)
            sum_ns += times[next].ns;
        if (sum_ns > link->site_ns) {
            link->site_ns = sum_ns;
            link->site = times[i].site;
        }
    }
    free(times);
    return true;
}

/* Appends a link unless no time is in it. False when there is no memory. */
static bool add(struct walk *walk, struct trace_link link)
{
    struct trace_frame_chain *chain = walk->chain;
    if (link.begin_ns >= link.end_ns)
        return true;
    if (!link.is_queued && !find_scope(walk, &link))
        return false;
    if (!trace_array_grow(&chain->links, chain->count, sizeof *chain->links))
        return false;
    chain->links[chain->count++] = link;
    return true;
}

static bool add_ran(struct walk *walk, uint32_t track, int64_t begin_ns, int64_t end_ns)
{
    return add(walk,
               (struct trace_link){
                   .begin_ns = begin_ns, .end_ns = end_ns, .track = track, .site = TRACE_NONE});
}

static bool add_queued(struct walk *walk, const struct trace_flow_end *out,
                       const struct trace_flow_end *in, int64_t begin_ns)
{
    return add(walk, (struct trace_link){.begin_ns = begin_ns,
                                         .end_ns = in->time_ns,
                                         .track = out->track,
                                         .site = out->site != TRACE_NONE ? out->site : in->site,
                                         .is_queued = true,
                                         .is_from_before = out->time_ns < walk->moments->begin_ns});
}

/* The flow-out of a flow-in: in the frame, before it, or NULL: not in the capture. */
static enum ludus_status find_source(struct walk *walk, const struct trace_flow_end *in,
                                     struct trace_input *input, const struct trace_pass_plan *plan,
                                     const struct trace_flow_end **out, struct ludus_error *error)
{
    enum ludus_status status = LUDUS_OK;
    *out = find_out(walk->moments->outs, walk->moments->out_count, in->flow);
    if (*out != NULL)
        return LUDUS_OK;
    if (!walk->is_looked_for)
        status = look_before(walk, input, plan, error);
    if (status == LUDUS_OK)
        *out = find_out(walk->before, walk->before_count, in->flow);
    if (*out != NULL && (*out)->track == TRACE_NONE)
        *out = NULL;
    return status;
}

/* Whether a track was at work for more than half of the time in which a flow was queued for it: it
 * would hardly have gone on earlier. What no scope covers, and what the scope that takes the flow
 * does itself, may have been waiting. */
static bool was_at_work(const struct walk *walk, uint32_t track, int64_t begin_ns, int64_t end_ns)
{
    return trace_track_work_ns(&walk->work, track, begin_ns, end_ns) > (end_ns - begin_ns) / 2;
}

static enum ludus_status follow(struct walk *walk, struct trace_input *input,
                                const struct trace_pass_plan *plan, uint32_t track,
                                struct ludus_error *error)
{
    const struct trace_frame_moments *moments = walk->moments;
    int64_t time_ns = moments->end_ns;
    while (walk->chain->count < TRACE_MOST_LINKS) {
        const struct trace_flow_end *out;
        uint32_t at = find_in(walk, track, time_ns);
        if (at == TRACE_NONE)
            return add_ran(walk, track, moments->begin_ns, time_ns) ? LUDUS_OK
                                                                    : trace_fail_memory(error);
        const struct trace_flow_end *in = &moments->ins[at];
        enum ludus_status status = find_source(walk, in, input, plan, &out, error);
        if (status != LUDUS_OK)
            return status;
        walk->used[at] = true;
        if (out == NULL) { /* nobody knows where it came from: on along the track */
            walk->chain->unbound++;
            continue;
        }
        int64_t left_ns = out->time_ns > moments->begin_ns ? out->time_ns : moments->begin_ns;
        left_ns = left_ns < in->time_ns ? left_ns : in->time_ns;
        if (was_at_work(walk, track, left_ns, in->time_ns))
            continue;
        if (!add_ran(walk, track, in->time_ns, time_ns) || !add_queued(walk, out, in, left_ns))
            return trace_fail_memory(error);
        if (out->time_ns < moments->begin_ns)
            return LUDUS_OK;
        track = out->track;
        time_ns = left_ns;
    }
    walk->chain->is_cut = true;
    return LUDUS_OK;
}

static void turn_round(struct trace_frame_chain *chain)
{
    for (uint32_t i = 0; i < chain->count / 2; i++) {
        struct trace_link link = chain->links[i];
        chain->links[i] = chain->links[chain->count - 1 - i];
        chain->links[chain->count - 1 - i] = link;
    }
}

enum ludus_status trace_frame_chain_create(struct trace_frame_chain *chain,
                                           struct trace_input *input,
                                           const struct trace_model *model,
                                           const struct trace_pass_plan *plan,
                                           const struct trace_frame_moments *moments,
                                           uint32_t track, struct ludus_error *error)
{
    *chain = (struct trace_frame_chain){0};
    struct walk walk = {.chain = chain, .model = model, .moments = moments};
    if (track == TRACE_NONE)
        return LUDUS_OK;
    walk.used = calloc((size_t)moments->in_count + 1, sizeof *walk.used);
    bool is_ready = trace_track_work_create(&walk.work, model, moments) && walk.used != NULL;
    enum ludus_status status =
        is_ready ? follow(&walk, input, plan, track, error) : trace_fail_memory(error);
    turn_round(chain);
    trace_track_work_destroy(&walk.work);
    free(walk.used);
    free(walk.before);
    if (status != LUDUS_OK)
        trace_frame_chain_destroy(chain);
    return status;
}

void trace_frame_chain_destroy(struct trace_frame_chain *chain)
{
    free(chain->links);
    *chain = (struct trace_frame_chain){0};
}
