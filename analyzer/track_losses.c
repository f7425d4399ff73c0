/* Collects and searches the losses of a track. */
#include "track_losses.h"

#include <stdlib.h>

#include "lcap_layout.h"

/* A loss without a track may be any track's, unless its cause says that the thread had none. */
static bool may_be_of(const struct trace_loss *loss, uint32_t track)
{
    if (loss->track == TRACE_NONE)
        return loss->cause != LCAP_LOSS_TOO_MANY_THREADS && loss->cause != LCAP_LOSS_WRITE_FAILED;
    return loss->track == track;
}

static bool concerns(const struct trace_loss *loss, uint32_t track, enum trace_loss_choice choice)
{
    if (track == TRACE_NONE || !may_be_of(loss, track))
        return false;
    if (loss->counts.scopes != 0 || loss->cause == TRACE_LOSS_DAMAGE)
        return true;
    return choice == TRACE_LOSSES_OF_EVENTS && loss->counts.instants != 0;
}

bool trace_track_has_loss(const struct trace_model *model, uint32_t track)
{
    for (uint32_t i = 0; i < model->loss_count; i++)
        if (concerns(&model->losses[i], track, TRACE_LOSSES_OF_EVENTS))
            return true;
    return false;
}

static int compare_spans(const void *a, const void *b)
{
    const struct trace_loss_span *left = a;
    const struct trace_loss_span *right = b;
    return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

static bool add_span(struct trace_track_losses *losses, const struct trace_loss *loss)
{
    if (!trace_array_grow(&losses->spans, losses->count, sizeof *losses->spans)) {
        trace_track_losses_destroy(losses);
        return false;
    }
    losses->spans[losses->count++] = (struct trace_loss_span){loss->begin_ns, loss->end_ns};
    return true;
}

static void order(struct trace_track_losses *losses)
{
    if (losses->count > 1)
        qsort(losses->spans, losses->count, sizeof *losses->spans, compare_spans);
    for (uint32_t i = 1; i < losses->count; i++)
        if (losses->spans[i].end_ns < losses->spans[i - 1].end_ns)
            losses->spans[i].end_ns = losses->spans[i - 1].end_ns;
}

bool trace_track_losses_create(const struct trace_model *model, uint32_t track,
                               enum trace_loss_choice choice, struct trace_track_losses *losses)
{
    *losses = (struct trace_track_losses){0};
    for (uint32_t i = 0; i < model->loss_count; i++)
        if (concerns(&model->losses[i], track, choice) && !add_span(losses, &model->losses[i]))
            return false;
    order(losses);
    return true;
}

/* A track that a loss may be of: its own, or any. */
static bool concerns_some(const struct trace_loss *loss, const bool *tracks, uint32_t track_count)
{
    bool is_known = loss->track != TRACE_NONE;
    if (is_known && tracks != NULL && (loss->track >= track_count || !tracks[loss->track]))
        return false;
    return concerns(loss, is_known ? loss->track : 0, TRACE_LOSSES_OF_EVENTS);
}

bool trace_track_losses_create_all(const struct trace_model *model, const bool *tracks,
                                   uint32_t track_count, struct trace_track_losses *losses)
{
    *losses = (struct trace_track_losses){0};
    for (uint32_t i = 0; i < model->loss_count; i++)
        if (concerns_some(&model->losses[i], tracks, track_count) &&
            !add_span(losses, &model->losses[i]))
            return false;
    order(losses);
    return true;
}

void trace_track_losses_destroy(struct trace_track_losses *losses)
{
    free(losses->spans);
    *losses = (struct trace_track_losses){0};
}

bool trace_track_losses_overlap(const struct trace_track_losses *losses, int64_t begin_ns,
                                int64_t last_ns)
{
    /* Of all losses that reach to `begin_ns`, the first begins first. */
    uint32_t low = 0, high = losses->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (losses->spans[middle].end_ns < begin_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < losses->count && losses->spans[low].begin_ns <= last_ns;
}
